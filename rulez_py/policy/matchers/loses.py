"""`loses`: what a call would throw away for good."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.facts import Facts, Part
    from rulez_py.policy.facts.losses import Lost
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match

    Loses = Mapping[str, str]
    """The compiled form: kinds of what is lost, each with how it counts where it is unknown."""

ABOUT = (
    "What would be gone for good: by any program that deletes or writes, and by git. What is unknown counts as lost."
)
EXAMPLE = "loses: [uncommitted, untracked]"
NEEDS_TOOL = True
_MATCH, _IGNORE = "match", "ignore"


def schema() -> Kind:
    from rulez_py.documents.types import Map, Short
    from rulez_py.policy.facts.losses import KINDS
    from rulez_py.policy.matchers.schema_parts import one_of, one_or_many

    whole = Map(
        name="Loses",
        about="What would be gone for good.",
        needs=("kinds",),
        fields={
            "kinds": (one_or_many(one_of(KINDS)), "What may be lost."),
            "unknown": (
                one_of((_MATCH, _IGNORE)),
                "Where it is unknown whether anything is lost. `match` (default): as if it were; `ignore`: as if not.",
            ),
        },
    )
    return Short(key="kinds", whole=whole, lists=True)


def compiled(wanted: Mapping[str, Any]) -> Loses:
    return dict.fromkeys(wanted["kinds"], wanted.get("unknown", _MATCH))


def filed_by(match: Match) -> Filing | None:
    from rulez_py.policy.facts.losses import WRITTEN

    return ("losing" if WRITTEN.isdisjoint(match["loses"]) else "writing"), []


def fits(wanted: Loses, part: Part, facts: Facts, *, strict: bool) -> bool:
    """Strictly all that it loses is of these kinds, and known."""
    from rulez_py.policy.facts.losses import KINDS, OVERWRITTEN, WRITTEN, losses

    if not strict:
        return bool(_found(wanted, part, facts))
    # One content that is written over may be of several kinds.
    written = WRITTEN & wanted.keys() or {OVERWRITTEN}
    found = losses(part, facts, {*KINDS} - WRITTEN | written)
    return bool(found) and all(one.known and one.kind in wanted for one in found)


def _found(wanted: Loses, part: Part, facts: Facts) -> Sequence[Lost]:
    from rulez_py.policy.facts.losses import losses

    return [one for one in losses(part, facts, wanted) if one.known or wanted[one.kind] != _IGNORE]


def about(wanted: Loses, part: Part, facts: Facts) -> Part:
    """Return the whole part: what is lost need not be one of its words."""
    return part


def wants(wanted: Loses) -> Iterable[str]:
    """Return what a rule wants: the kinds."""
    return tuple(wanted)


def seen(wanted: Loses, part: Part, facts: Facts) -> Iterable[str]:
    """Return what the part would lose, for people."""
    return [
        f"{one.kind} {one.name or one.count}" if one.known else f"{one.kind} ?" for one in _found(wanted, part, facts)
    ]
