"""The memory of a scenario's sessions: what the hook keeps on the disk between events, here kept in a value.

Each scenario begins without any. What rules ask about earlier events of a session is answered from here, through the
world of the scenario (`world.py`), and noted here when an event has been judged (`run.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulez_py.system.sessions import memory

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from rulez_py.system.effects import Counter, Memory, MemoryChanges, Session


class Sessions:
    """What the sessions of one scenario have done.

    That are the files that each has seen, with their content then, by session and absolute path; and what rules
    remember of it.
    """

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], bytes | None] = {}
        self._memory: dict[Session, Mapping[str, Any]] = {}

    def recall(self, session: Session, now: float) -> Memory:
        """Return what is remembered of a session at a time (seconds since the epoch)."""
        return memory.memory_of(self._memory.get(session, memory.NOTHING), now)

    def change(self, session: Session, changes: MemoryChanges, now: float) -> None:
        """Forget and remember keys."""
        self._memory[session] = memory.changed(self._memory.get(session, memory.NOTHING), changes, now)

    def count(self, session: Session, counters: tuple[Counter, ...], call: str, now: float) -> bool:
        """Count a call, unless a counter is full; tell whether it was."""
        then = memory.counted(self._memory.get(session, memory.NOTHING), counters, call, now)
        if then is not None:
            self._memory[session] = then
        return then is not None

    def note_seen(self, session: str, path: str, content: bytes | None) -> None:
        """Note a file as it is now; None is one that is not there."""
        self._seen[session, path] = content

    def has_seen(self, session: str, path: str, content: bytes | None) -> bool:
        """Tell whether a session has seen a file with this content.

        Of a file that is not there, or that is empty, it has seen all there is (as in `system.sessions.seen`).
        """
        return not content or self._seen.get((session, path)) == content
