"""`require_fields`: which fields the tool's input has."""

from __future__ import annotations

from rulez_py.event.arguments import field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.policy.facts import Facts


def fits(wanted: list[str], facts: Facts, *, strict: bool) -> bool:
    enough = all if strict else any
    return enough(all(field(given, path) is not None for path in wanted) for given in facts.arguments)
