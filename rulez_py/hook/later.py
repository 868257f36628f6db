"""Tell whether an agent that asks a person at a later event asks rulez there; loaded for an ask alone."""

from __future__ import annotations

import os
import sys

from rulez_py.platforms import AUTO, part
from rulez_py.system import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LARGEST = 1_000_000


def asks_later(platform: str, event: str, project: str | None) -> bool:
    """Tell whether rulez is this agent's hook at this event, for every call.

    INVARIANT: a repository cannot say so for the person. Only the first file counts in which rulez is a hook at all:
    the machine's, the person's, the project's.
    """
    for events in _hooks(platform, project):
        if any(_is_ours(platform, entries) for entries in events.values()):
            return _is_ours(platform, events.get(event))
    return False


def _is_ours(platform: str, entries: object) -> bool:
    ours = [f"hook --platform {name}" for name in (platform, AUTO)]
    commands = [
        str(entry.get("command"))
        for entry in (entries if isinstance(entries, list) else ())
        if isinstance(entry, dict) and not entry.get("matcher")
    ]
    return any(one in command for one in ours for command in commands)


def _hooks(platform: str, project: str | None) -> Iterator[dict[str, object]]:
    """Yield the `hooks` of each file that is there and has some: event -> what is there."""
    places = part(platform, "settings").HOOKS
    theirs = os.path.expanduser(f"~/{places.home}/{places.user}")
    for place in (
        dict(places.managed).get(sys.platform),
        theirs,
        os.path.join(project, places.project) if project else "",
    ):
        settings = _read(place) if place else None
        events = settings.get("hooks") if isinstance(settings, dict) else None
        if isinstance(events, dict):
            yield events


def _read(place: str) -> object:
    try:
        with open(place, "rb") as file:
            return jsontext.loads(file.read(_LARGEST))
    except (OSError, ValueError):
        return None
