"""`paths`: which files are touched, and how."""

from __future__ import annotations

from rulez_py.policy import globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypedDict

    from rulez_py.policy.facts import Facts
    from rulez_py.policy.reach import Touched

    class Paths(TypedDict):
        """The compiled form."""

        globs: list[str]
        access: list[str]


def fits(wanted: Paths, file: Touched, facts: Facts, *, strict: bool) -> bool:
    enough = all if strict else any
    if not enough(way in wanted["access"] for way in file.access):
        return False
    patterns = wanted["globs"]
    path, root, home = file.path, facts.root_above(file.path), facts.home_above(file.path)
    if facts.around.ignore_case:
        patterns = [pattern.lower() for pattern in patterns]
        path, root, home = path.lower(), root.lower(), home.lower()
    if file.deep and strict:
        # What a pattern takes out again may lie below.
        patterns = [] if any(pattern.startswith("!") for pattern in patterns) else patterns
    if globs.any_path(patterns, path, root, home, file.spelled):
        return True
    return file.deep and not strict and globs.lies_below(patterns, path, root, home)


def about(wanted: Paths, file: Touched) -> Touched:
    """The file as a rule that fits is about it: touched in those ways only."""
    return file.replace(access=tuple(way for way in file.access if way in wanted["access"]))
