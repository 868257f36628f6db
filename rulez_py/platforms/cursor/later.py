"""Tell whether Cursor asks rulez again before it runs a call, at the event where it acts on an ask.

Cursor asks nobody because of preToolUse (contract.md, section 3). An ask there is either said again at
beforeShellExecution or beforeMCPExecution, or it has to be a deny. It is loaded for an ask alone.
"""

from __future__ import annotations

import os
import sys

from rulez_py.platforms.cursor.settings import HOOKS
from rulez_py.system import jsontext

_OURS = "hook --platform cursor"
_LARGEST = 1_000_000


def asks_later(event: str, project: str | None) -> bool:
    """Tell whether rulez is Cursor's hook at this event.

    INVARIANT: a repository cannot say so for the person. Only the first file counts in which rulez is a hook at all:
    the machine's, the person's, the project's.
    """
    places = [dict(HOOKS.managed).get(sys.platform, ""), os.path.expanduser(f"~/{HOOKS.home}/{HOOKS.user}")]
    places += [os.path.join(project, HOOKS.project)] if project else []
    for place in filter(None, places):
        events = _events(place)
        if any(map(_is_ours, events.values())):
            return _is_ours(events.get(event))
    return False


def _is_ours(entries: object) -> bool:
    """Tell whether one of an event's hooks calls rulez for every command."""
    return isinstance(entries, list) and any(
        isinstance(entry, dict) and not entry.get("matcher") and _OURS in str(entry.get("command")) for entry in entries
    )


def _events(place: str) -> dict[str, object]:
    try:
        with open(place, "rb") as file:
            settings = jsontext.loads(file.read(_LARGEST))
    except (OSError, ValueError):
        return {}
    events = settings.get("hooks") if isinstance(settings, dict) else None
    return events if isinstance(events, dict) else {}
