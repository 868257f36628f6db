"""Writes `policy/facts/runners.py`: the programs whose lines are analysed whole, for they may run what files hold."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "rulez_py" / "policy" / "facts" / "runners.py"
_SHELL_WORDS = (".", "source", "ash", "bash", "dash", "ksh", "mksh", "sh", "zsh", "Rscript")
_RUN_HOOKS = ("am", "cherry-pick", "commit", "merge", "pull", "push", "rebase", "submodule")
"""Subcommands of git that run hooks; other lines of git stay plain."""
_HEAD = '''"""Programs that may run what a file holds (`python -m dev.runners` writes this module)."""

from __future__ import annotations

_NAMES = """
'''
_TAIL = '''"""
RUNNERS = frozenset(_NAMES.split())
'''


def names() -> list[str]:
    """Return the names, in order."""
    sys.path.insert(0, str(ROOT))
    from rulez_py.analysis.programs import compile as compiling
    from rulez_py.analysis.programs import store
    from rulez_py.analysis.programs.notation import Described

    def may_run_a_file(entry: Described) -> bool:
        if any(entry.text(key) for key in ("loads", "language")) or entry.text("code") == "jobs.make":
            return True
        verbs = [*entry.operands, *(verb for _, _, does in entry.options for verb in does)]
        return entry.text("runs") == "words" or any(verb.startswith(("runs file", "runs script")) for verb in verbs)

    entries = [entry for entry in compiling.load(store.sources())[0] if not entry.dialect]
    found = {name for entry in entries if may_run_a_file(entry) for name in entry.names if " " not in name}
    loading = {name.split()[0] for entry in entries if entry.text("loads") for name in entry.names}
    return sorted((found | loading | {*_SHELL_WORDS, *_RUN_HOOKS}) - {"git"})


def text() -> str:
    """Return the text of the module."""
    return f"{_HEAD}{textwrap.fill(' '.join(names()), 110, break_on_hyphens=False)}\n{_TAIL}"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
