"""The checkpoints of a logged call: what was kept, and whether it can still be given back.

INVARIANT: a line of the log may hold anything; what has not the form of a checkpoint is left out.
"""

from __future__ import annotations

from rulez_py.analysis import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

THERE, EXPIRED, DELETED = "there", "expired", "deleted"
"""States of a checkpoint: it can be given back; it is gone since its time was over; it is gone before that."""


class Logged(Value):
    """One checkpoint as a line of the log has it.

    `what` says in words how much it held, `names` are the first of its `count` files and branches. `until` is a time
    in ISO 8601, in UTC.
    """

    id: str
    rule: str
    what: str
    names: tuple[str, ...]
    count: int
    until: str

    def state(self, there: Container[str], now: str) -> str:
        """Return `THERE`, `EXPIRED` or `DELETED`; `there` are the names of all checkpoints."""
        if self.id in there:
            return THERE
        return EXPIRED if self.until and self.until <= now else DELETED

    def in_words(self, state: str) -> str:
        """Return what was kept, and how to give it back, as one clause."""
        names = ", ".join((*self.names, *([f"{self.count - len(self.names)} more"] if self._has_more else ())))
        kept = f"kept {self.what}{': ' if names else ''}{names}"
        if state == THERE:
            return f"{kept}; `rulez undo --id {self.id}` gives it back"
        return f"{kept}; {self.id} {'has expired' if state == EXPIRED else 'was deleted'}"

    @property
    def _has_more(self) -> bool:
        return self.count > len(self.names) > 0


def checkpoints_of(entry: Mapping[str, object]) -> tuple[Logged, ...]:
    """Return the checkpoints that were made for a logged call."""
    found = entry.get("checkpoints")
    return tuple(_read(found)) if isinstance(found, list) else ()


def _read(found: list[object]) -> Iterator[Logged]:
    for one in found:
        if not isinstance(one, dict):
            continue
        identity, rule, what, until = (one.get(name) for name in ("id", "rule", "what", "until"))
        names, count = one.get("names"), one.get("count")
        if isinstance(identity, str) and identity and isinstance(what, str):
            yield Logged(
                id=identity,
                rule=rule if isinstance(rule, str) else "",
                what=what,
                names=tuple(name for name in names if isinstance(name, str)) if isinstance(names, list) else (),
                count=count if isinstance(count, int) and not isinstance(count, bool) else 0,
                until=until if isinstance(until, str) else "",
            )
