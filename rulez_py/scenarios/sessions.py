"""The memory of a scenario's sessions: what the hook keeps on the disk between events, here kept in a value.

Each scenario begins without any. What rules ask about earlier events of a session is answered from here, through the
world of the scenario (`world.py`), and noted here when an event has been judged (`run.py`).
"""

from __future__ import annotations


class Sessions:
    """What the sessions of one scenario have seen: files with their content then, by session and absolute path."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], bytes | None] = {}

    def note_seen(self, session: str, path: str, content: bytes | None) -> None:
        """Note a file as it is now; None is one that is not there."""
        self._seen[session, path] = content

    def has_seen(self, session: str, path: str, content: bytes | None) -> bool:
        """Tell whether a session has seen a file with this content.

        Of a file that is not there, or that is empty, it has seen all there is (as in `system.seen`).
        """
        return not content or self._seen.get((session, path)) == content
