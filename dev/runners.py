"""Writes two tables of `policy/facts` from the descriptions of programs.

`runners.py` are the programs whose lines are analysed whole, for they may run what files hold; `loaded_files.py` the
files that programs load by themselves.
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.programs.notation import Described

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
FACTS = ROOT / "rulez_py" / "policy" / "facts"
TARGET = FACTS / "runners.py"
LOADED = FACTS / "loaded_files.py"
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


_HEAD_LOADED = '''"""Files that programs load by themselves, by name (`python -m dev.runners` writes this module).

Each line is a language and names of `loads` in programs' entries: `NAME` or `*ENDING`. The language is one of code,
`xml`, or `any`: it is unknown what runs of it. A name may be in several lines.
"""

from __future__ import annotations

LOADED = """
'''
_READ_AS = ("any", "lines", "npm", "task", "just", "make", "sh")
"""Languages of files that run in part, and which part is unknown here."""
_EVERYDAY = (
    *(".S", ".c", ".cc", ".cpp", ".cs", ".cxx", ".fs", ".fsx", ".go", ".groovy", ".h", ".hpp", ".hs", ".java"),
    *(".kt", ".lhs", ".m", ".mm", ".rs", ".vb", ".xml", ".zig"),
)
"""Endings of the code of programs, which is written every day and runs after it is built, and of data."""


def _entries() -> list[Described]:
    """Return the descriptions of programs of POSIX shells."""
    from rulez_py.analysis.programs import compile as compiling
    from rulez_py.analysis.programs import store

    return [entry for entry in compiling.load(store.sources())[0] if not entry.dialect]


def loaded() -> dict[str, list[str]]:
    """Return the names of files by their language: without tests, directories and the code of programs."""
    found: dict[str, set[str]] = {}
    for entry in _entries():
        for one in entry.text("loads").split(", "):
            language, _, name = one.partition(" ")
            is_of_a_kind = name[:1] == "*" and ("test" in name or ".spec." in name or name[1:] in _EVERYDAY)
            if name and name[0] != "@" and name[-1] not in "/*" and not is_of_a_kind:
                found.setdefault(name, set()).add(language)
    of: dict[str, list[str]] = {}
    for name, languages in sorted(found.items()):
        for language in {"any" if one in _READ_AS else one for one in languages}:
            of.setdefault(language, []).append(name)
    return of


def names() -> list[str]:
    """Return the names, in order."""

    def may_run_a_file(entry: Described) -> bool:
        if any(entry.text(key) for key in ("loads", "language")) or entry.text("code") == "jobs.make":
            return True
        verbs = [*entry.operands, *(verb for _, _, does in entry.options for verb in does)]
        return entry.text("runs") == "words" or any(verb.startswith(("runs file", "runs script")) for verb in verbs)

    entries = _entries()
    found = {name for entry in entries if may_run_a_file(entry) for name in entry.names if " " not in name}
    loading = {name.split()[0] for entry in entries if entry.text("loads") for name in entry.names}
    return sorted((found | loading | {*_SHELL_WORDS, *_RUN_HOOKS}) - {"git"})


def text() -> str:
    """Return the text of the module."""
    return f"{_HEAD}{textwrap.fill(' '.join(names()), 110, break_on_hyphens=False)}\n{_TAIL}"


def text_of_loaded() -> str:
    """Return the text of the module of files."""
    rows = [
        line
        for language, held in sorted(loaded().items())
        for line in (f"{language} {names}" for names in textwrap.wrap(" ".join(held), 100, break_on_hyphens=False))
    ]
    return f'{_HEAD_LOADED}{chr(10).join(rows)}\n"""\n'


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
    LOADED.write_text(text_of_loaded(), encoding="utf-8")
