"""The files that an agent's session has read or written, as they were then.

Each session has a file below `seen` in the person's state directory: a line for each time, with the time of the last
change in nanoseconds, the size in bytes and the path. It is written only where a rule asks (`loses: unread`), and
deleted a day after the session's last call. Of a long one the last `MOST_BYTES` count; what stood before is unknown.
"""

from __future__ import annotations

import os
import stat
import time

from rulez_py.system.files import NO_SYMLINK
from rulez_py.system.sessions import forget_old, open_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_BYTES = 1_000_000
_LONGEST_NAME = 100


def note(state: str, session: str, paths: Iterable[str]) -> None:
    """Note these files as they are now; those that are not there are left out. Raises OSError."""
    lines = b"".join(line for path in paths if (line := _line(path)))
    place = _place(state, session)
    if not lines or not place:
        return
    os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
    descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_APPEND | NO_SYMLINK, 0o600)
    with open(descriptor, "wb") as file:
        file.write(lines)


def has_seen(state: str, session: str, path: str) -> bool | None:
    """Tell whether a session has seen a file as it is now; None where that is unknown.

    Of a file that is not there, or that is empty, it has seen all there is.
    """
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode) or not status.st_size:
        return True
    place, wanted = _place(state, session), _noted(path, status)
    if not place or not wanted:
        return None
    try:
        with open(open_own(place, time.time()), "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - MOST_BYTES))
            lines = file.read(MOST_BYTES).split(b"\n")
    except FileNotFoundError:
        return False
    except OSError:
        return None
    name = os.fsencode(path)
    return next((line for line in reversed(lines) if line.split(b" ", 2)[2:] == [name]), b"") == wanted


def forget(state: str, now: float) -> None:
    """Delete what old sessions have seen; raises nothing. `now` is in seconds since the epoch."""
    forget_old(os.path.join(state, "seen"), now)


def _place(state: str, session: str) -> str:
    """Return the file of a session; "" for one without a name."""
    return os.path.join(state, "seen", session.encode("utf-8", "replace").hex()[:_LONGEST_NAME]) if session else ""


def _line(path: str) -> bytes:
    """Return what is noted of a file as it is now, with the end of the line; nothing where that is not possible."""
    try:
        noted = _noted(path, os.stat(path))
    except (OSError, ValueError):
        return b""
    return noted + b"\n" if noted else b""


def _noted(path: str, status: os.stat_result) -> bytes:
    """Return what is noted of a file with this status; nothing where no line can hold its name."""
    name = os.fsencode(path)
    return b"" if b"\n" in name else b"%d %d %s" % (status.st_mtime_ns, status.st_size, name)
