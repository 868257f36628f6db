"""`loses`: what a call would throw away for good."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.facts import Facts, Part
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match

ABOUT = (
    "What would be gone for good: by any program that deletes or writes, and by git. What is unknown counts as lost."
)
EXAMPLE = "loses: [uncommitted, untracked]"
NEEDS_TOOL = True


def schema() -> Kind:
    from rulez_py.policy.facts.losses import KINDS
    from rulez_py.policy.matchers.schema_parts import one_of, one_or_many

    return one_or_many(one_of(KINDS))


def compiled(wanted: list[str]) -> list[str]:
    return wanted


def filed_by(match: Match) -> Filing | None:
    from rulez_py.policy.facts.losses import CUT, OVERWRITTEN

    return ("losing" if {CUT, OVERWRITTEN}.isdisjoint(match["loses"]) else "writing"), []


def fits(wanted: list[str], part: Part, facts: Facts, *, strict: bool) -> bool:
    """Strictly all that it loses is of these kinds, and known."""
    from rulez_py.policy.facts.losses import KINDS, losses

    if not strict:
        return bool(losses(part, facts, wanted))
    found = losses(part, facts, KINDS)
    return bool(found) and all(one.known and one.kind in wanted for one in found)


def about(wanted: list[str], part: Part, facts: Facts) -> Part:
    """Return the whole part: what is lost need not be one of its words."""
    return part


def seen(wanted: list[str], part: Part, facts: Facts) -> Iterable[str]:
    """Return what the part would lose, for people."""
    from rulez_py.policy.facts.losses import losses

    return [
        f"{one.kind} {one.name or one.count}" if one.known else f"{one.kind} ?" for one in losses(part, facts, wanted)
    ]
