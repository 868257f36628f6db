"""`extensions`: how the names of the files end."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.policy.facts import Facts
    from rulez_py.policy.reach import Touched


def fits(wanted: list[str], file: Touched, facts: Facts, *, strict: bool) -> bool:
    return extension(file.path) in wanted


def extension(path: str) -> str:
    """`.` and what follows the last dot of the file's name; `.` alone where there is none (RuleZ's rule)."""
    name = path.replace("\\", "/").rstrip("/").rpartition("/")[2]
    stem, _dot, suffix = name.rpartition(".")
    return "." + suffix if stem else "."
