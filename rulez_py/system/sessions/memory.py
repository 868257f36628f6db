"""What rules remember of a session: keys, each from a time until another, and the times of calls that are counted.

Each session has a file of JSON below `sessions` in the person's state directory, named by the digest of its agent, its
identifier and its project. Its last line is what counts: each change appends one with the whole of it, under a lock
that all sessions share. To replace the file each time would have ext4 write it to the disk first, for milliseconds; so
that is done only where it gets long. It is deleted a day after the last change. A session without an identifier has no
keys, since its calls cannot be told from those of others.

INVARIANT: in doubt nothing is remembered: a file that is damaged, too large, or that another user may write raises
OSError, and so does what would make it too large. A clock that is set back makes no key last longer.
"""

from __future__ import annotations

import os
import time

from rulez_py.system import jsontext
from rulez_py.system.effects import KEY_LASTS, Counter, Memory, MemoryChanges, Remembered, Session
from rulez_py.system.files import NO_SYMLINK, open_regular, private_directory, try_lock, why_not_private
from rulez_py.system.native import sha256
from rulez_py.system.sessions import forget_old, open_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

DIRECTORY = "sessions"
LARGEST = 1_000_000
"""Bytes of one session's file."""
LONG = 32_000
"""Bytes of a file that is written anew instead of made longer."""
MOST_KEYS = 500
MOST_COUNTERS = 1_000
PATIENCE = 2.0
"""Seconds that another process may hold the lock."""
_VERSION = 1
NOTHING: Mapping[str, Any] = {"version": _VERSION, "keys": {}, "counts": {}}
"""The content of a file that is not there."""
_LOCK = "lock"
_WHOLE = ".json"


class Unusable(OSError):
    """What is remembered cannot be read or written; the message says why."""


class _Begun(Unusable):
    """The last line of a file has no end: another process writes it now, or a process has died."""


def recall(state: str, session: Session, now: float) -> Memory:
    """Return what is remembered of a session at a time (seconds since the epoch). Raises OSError."""
    place = _place(state, session)
    try:
        return memory_of(_read(place, now), now)
    except _Begun:
        with _Locked(state):
            return memory_of(_read(place, now), now)


def change(state: str, session: Session, changes: MemoryChanges, now: float) -> None:
    """Forget and remember keys. Raises OSError.

    INVARIANT: where a key cannot be forgotten, the whole file is: nothing stays that should be gone.
    """
    changes = changes if session.id else changes.replace(remembered={})
    place = _place(state, session)
    if not changes.remembered and not os.path.lexists(place):
        return
    try:
        with _Locked(state):
            found = _read(place, now)
            then = changed(found, changes, now)
            if then != found:
                _write(state, session, then)
    except OSError:
        if changes.forgotten:
            _remove(place)
        raise


def changed(found: Mapping[str, Any], changes: MemoryChanges, now: float) -> dict[str, Any]:
    """Return a file's content with these keys forgotten and remembered, and without those whose time is over."""
    keys = {key: kept for key, kept in found["keys"].items() if key not in changes.forgotten and _holds(kept, now)}
    for key, lasts in changes.remembered.items():
        keys[key] = [now, now + min(lasts or KEY_LASTS, KEY_LASTS)]
    return {**found, "keys": keys}


def count(state: str, session: Session, counters: Iterable[Counter], call: str, now: float) -> bool:
    """Count a call with each of these counters, unless one of them is full; tell whether it was. Raises OSError.

    A call that has been counted is not counted again; "" is one that has no identifier.
    """
    with _Locked(state):
        found = _read(_place(state, session), now)
        then = counted(found, counters, call, now)
        if then is not None and then != found:
            _write(state, session, then)
        return then is not None


def counted(found: Mapping[str, Any], counters: Iterable[Counter], call: str, now: float) -> dict[str, Any] | None:
    """Return a file's content with a call counted; None where a counter is full."""
    counts = {name: calls for name, calls in found["counts"].items() if calls}
    for one in counters:
        calls = _within(counts.get(one.name, []), one, now)
        if call and any(called == call for _time, called in calls):
            continue
        if len(calls) >= one.most:
            return None
        counts[one.name] = [*calls, [now, call]]
    return {**found, "counts": counts}


def full(memory: Memory, counters: Iterable[Counter], call: str, now: float) -> bool:
    """Tell whether a call would be one too many for one of these counters."""
    for one in counters:
        calls = _within(memory.counts.get(one.name, ()), one, now)
        if len(calls) >= one.most and not (call and any(called == call for _time, called in calls)):
            return True
    return False


def sessions(state: str, now: float) -> Iterator[tuple[str, Session, Memory | None]]:
    """Yield each session that something is remembered of, with the path of its file; None for what cannot be read."""
    directory = os.path.join(state, DIRECTORY)
    try:
        names = sorted(name for name in os.listdir(directory) if name.endswith(_WHOLE))
    except OSError:
        return
    for name in names:
        path = os.path.join(directory, name)
        try:
            found = _read(path, now)
            if "platform" in found:  # Not in what is too old.
                told = {key: str(found.get(key, "")) for key in ("platform", "id", "project")}
                yield path, Session(**told), memory_of(found, now)
        except OSError:
            yield path, Session(platform="", id="", project=""), None


def forget(state: str, path: str) -> None:
    """Delete the file of a session. Raises OSError."""
    with _Locked(state):
        os.unlink(path)


class _Locked:
    """The lock on all sessions, for the length of a `with` block. Raises OSError where it is not to be had."""

    def __init__(self, state: str) -> None:
        self._directory = os.path.join(state, DIRECTORY)
        self._descriptor = -1

    def __enter__(self) -> None:
        private_directory(self._directory)
        if why := why_not_private(os.lstat(self._directory)):
            raise Unusable(f"{self._directory} {why}")
        until = time.monotonic() + PATIENCE
        while (descriptor := try_lock(os.path.join(self._directory, _LOCK))) is None:
            if time.monotonic() >= until:
                raise Unusable(f"another process has held {self._directory} for {PATIENCE:g} s")
            time.sleep(0.005)
        self._descriptor = descriptor

    def __exit__(self, *_error: object) -> None:
        os.close(self._descriptor)


def _place(state: str, session: Session) -> str:
    told = jsontext.dumps([session.platform, session.id, session.project]).encode("utf-8", "replace")
    return os.path.join(state, DIRECTORY, str(sha256(told).hexdigest())[:32] + _WHOLE)


def _read(place: str, now: float) -> dict[str, Any]:
    """Return what a file holds, or what one would that is not there or too old. Raises OSError."""
    try:
        with open(open_own(place, now), "rb") as file:
            data = file.read(LARGEST + 1)
    except FileNotFoundError:
        return dict(NOTHING)
    if len(data) > LARGEST:
        raise Unusable(f"{place} is larger than {LARGEST} bytes")
    if not data.endswith(b"\n"):
        raise _Begun(f"{place} is damaged")
    try:
        found = jsontext.loads(data[data.rfind(b"\n", 0, -1) + 1 :])
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.get("version") != _VERSION or not _is_whole(found):
        raise Unusable(f"{place} is damaged")
    return found


def _is_whole(found: Mapping[str, Any]) -> bool:
    keys, counts = found.get("keys"), found.get("counts")
    return (
        isinstance(keys, dict)
        and isinstance(counts, dict)
        and all(isinstance(kept, list) and len(kept) == 2 and _are_times(kept) for kept in keys.values())
        and all(isinstance(calls, list) and all(map(_is_counted, calls)) for calls in counts.values())
    )


def _is_counted(call: object) -> bool:
    return isinstance(call, list) and len(call) == 2 and _are_times(call[:1]) and isinstance(call[1], str)


def _are_times(found: Iterable[object]) -> bool:
    return all(isinstance(one, (int, float)) for one in found)


def _write(state: str, session: Session, found: Mapping[str, Any]) -> None:
    """Write what is remembered of a session, whole or not at all. Raises OSError."""
    place = _place(state, session)
    if len(found["keys"]) > MOST_KEYS or len(found["counts"]) > MOST_COUNTERS:
        raise Unusable(f"{place} would hold too much")
    told = {"platform": session.platform, "id": session.id, "project": session.project}
    data = jsontext.dumps({**found, **told}).encode() + b"\n"
    if len(data) > LARGEST:
        raise Unusable(f"{place} would be larger than {LARGEST} bytes")
    if not _appended(place, data):
        _replace(place, data)


def _appended(place: str, data: bytes) -> bool:
    """Append a line to a session's file; tell whether that was possible. Raises OSError.

    INVARIANT: a line that is not there in full leaves no file: what it would have forgotten does not stay.
    """
    try:
        descriptor = open_regular(place, os.O_WRONLY | os.O_APPEND | NO_SYMLINK)
    except FileNotFoundError:
        return False
    with open(descriptor, "wb", buffering=0) as file:
        status = os.fstat(descriptor)
        if why_not_private(status) or status.st_size + len(data) > LONG:
            return False
        if file.write(data) != len(data):
            _remove(place)
            raise Unusable(f"{place} could not be written to its end")
    return True


def _replace(place: str, data: bytes) -> None:
    """Write a session's file anew. Raises OSError."""
    if not os.path.lexists(place):
        forget_old(os.path.dirname(place), time.time())
    passing = f"{place}.{os.getpid()}"
    try:
        descriptor = open_regular(passing, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | NO_SYMLINK)
        with open(descriptor, "wb") as file:
            file.write(data)
        os.replace(passing, place)
    except OSError:
        _remove(passing)
        raise


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return


def memory_of(found: Mapping[str, Any], now: float) -> Memory:
    """Return what a file's content says at a time."""
    keys = {key: Remembered(since=kept[0], until=kept[1]) for key, kept in found["keys"].items() if _holds(kept, now)}
    return Memory(keys=keys, counts={name: tuple(map(tuple, calls)) for name, calls in found["counts"].items()})


def _holds(kept: tuple[float, float], now: float) -> bool:
    return kept[0] <= now < kept[1]


def _within(calls: Iterable[Any], counter: Counter, now: float) -> list[Any]:
    """Return the calls that still count: those of the session, or of its last so many seconds."""
    return [one for one in calls if not counter.seconds or one[0] > now - counter.seconds]
