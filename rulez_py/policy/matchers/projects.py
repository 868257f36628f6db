"""`projects`: in which project the agent works."""

from __future__ import annotations

from rulez_py.policy.facts.disk import slashed
from rulez_py.policy.matchers import paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match

ABOUT = "Globs, as `paths` has them, over the project's directory; one that fits a directory above it fits, too."
EXAMPLE = 'projects: ["~/work/**", "!~/work/sandbox"]'
VARIABLES = ("projects",)
GENERAL = True


def schema() -> Kind:
    from rulez_py.policy.matchers.schema_parts import GLOBS

    return GLOBS


def compiled(wanted: list[str]) -> list[str]:
    return wanted


def filed_by(match: Match) -> Filing | None:
    return None


def fits(wanted: list[str], facts: Facts, *, strict: bool) -> bool:
    given = facts.around.root
    names = dict.fromkeys((slashed(given), slashed(facts.effects.real_path(given)))) if given else ()
    enough = all if strict else any
    return bool(names) and enough(_fits(wanted, name, facts) for name in names)


def _fits(wanted: list[str], project: str, facts: Facts) -> bool:
    if facts.around.ignore_case:
        wanted, project = [pattern.lower() for pattern in wanted], project.lower()
    # Nothing lies above the root of a disk but itself.
    return paths.any_path(wanted, project, project.rpartition("/")[0] or "/", facts.home_above(project))


def seen(_wanted: object, facts: Facts) -> Iterable[str]:
    """Return the part of the call that the matcher has looked at, for people."""
    return (facts.around.root,)
