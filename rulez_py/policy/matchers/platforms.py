"""`platforms`: which agent this is."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.policy.facts import Facts


def fits(wanted: list[str], facts: Facts, *, strict: bool) -> bool:
    return facts.event.platform in wanted
