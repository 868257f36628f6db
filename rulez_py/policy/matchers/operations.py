"""`operations`: which event this is."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match

ABOUT = "The event type, such as PreToolUse; without it, every event."
EXAMPLE = "operations: [PreToolUse]"
GENERAL = True


def schema() -> Kind:
    from rulez_py.documents.types import text
    from rulez_py.event import EVENT_TYPES
    from rulez_py.policy.matchers.schema_parts import one_or_many

    return one_or_many(text(_check_event, enum=list(EVENT_TYPES)))


def compiled(wanted: list[str]) -> list[str]:
    return wanted


def filed_by(match: Match) -> Filing | None:
    return None  # but by drawers


def _check_event(value: str) -> None:
    from rulez_py.documents.types import Refusal
    from rulez_py.event import EVENT_TYPES

    if value in EVENT_TYPES:
        return
    meant = _native_events().get(value)
    if meant is not None:
        raise Refusal(f'holds "{value}", the name in {" and ".join(meant[1])} only', f"write {meant[0]}")
    raise Refusal(f'holds "{value}", which is no event', choices=EVENT_TYPES)


def _native_events() -> dict[str, tuple[str, list[str]]]:
    """Return a platform's own event name -> the canonical event type it raises, and the platforms that have it."""
    from rulez_py.platforms import PLATFORMS, adapter

    found: dict[str, tuple[str, list[str]]] = {}
    for platform in PLATFORMS:
        for name, spec in adapter(platform).EVENTS.items():
            found.setdefault(name, (spec.types[0], []))[1].append(platform)
    return found


def fits(wanted: list[str], facts: Facts, *, strict: bool) -> bool:
    return any(kind in wanted for kind in facts.event.types)


def seen(_wanted: object, facts: Facts) -> Iterable[str]:
    """Return the part of the call that the matcher has looked at, for people."""
    return facts.event.types
