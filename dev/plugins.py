"""Writes what the agents' plugins share into each of them, as an agent loads one file (`make plugins`).

A plugin has it between two lines of marks, which name the file beside this one that it is from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
PLATFORMS = HERE.parent / "rulez_py" / "platforms"
_PART = re.compile(r"^(// From dev/(\w+\.js) \(`make plugins`\):\n)(?:.*?)(^// Here ends dev/\2\.\n)", re.M | re.S)
_MARK = re.compile(r"^// (?:From|Here ends) dev/", re.M)


def plugins() -> Iterator[Path]:
    """The plugin files of all platforms."""
    return PLATFORMS.glob("*/hooks/*.js")


def written(plugin: str) -> str:
    """Return the plugin with each part as its source is. Raises ValueError where a mark has no other one."""
    text, count = _PART.subn(lambda part: part[1] + (HERE / part[2]).read_text(encoding="utf-8") + part[3], plugin)
    if len(_MARK.findall(text)) != 2 * count:
        raise ValueError("a part begins or ends alone")
    return text


def main() -> None:
    """Write the plugins."""
    for path in plugins():
        path.write_text(written(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
