"""Writes the names of the agents' programs into the analysis, which may not import the platforms (`make pages`)."""

from __future__ import annotations

from pathlib import Path

from rulez_py.platforms import PLATFORMS, adapter

TARGET = Path(__file__).parent.parent / "rulez_py" / "analysis" / "programs" / "agents.py"
TEXT = '''"""Name the programs of coding agents, as their platforms do (`make pages`)."""

from __future__ import annotations

AGENTS = (
{names})
'''


def main() -> None:
    """Write the module."""
    names = sorted(adapter(platform).PROGRAMS[0] for platform in PLATFORMS)
    TARGET.write_text(TEXT.format(names="".join(f'    "{name}",\n' for name in names)), encoding="utf-8")


if __name__ == "__main__":
    main()
