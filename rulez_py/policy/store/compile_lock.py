"""One process at a time compiles a policy, and what it has no time for it finishes after its answer.

INVARIANT: no process depends on another here. Where the lock cannot be taken, or is not given back in time, a call
compiles for itself; a lock is the kernel's and ends with its holder. None of it raises, but what compiling raises.
"""

from __future__ import annotations

import os
import stat
import sys
import time

from rulez_py.system.files import private_directory, try_lock, why_not_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol, Self, TypeVar

    class Policy(Protocol):
        """The value to keep: `cache.InForce`."""

        @property
        def keep(self) -> Callable[[], None]: ...

        def replace(self, **changes: Any) -> Self: ...

    _P = TypeVar("_P", bound=Policy)

LOCK = ".policy-lock"
PATIENCE = 0.6
"""The part of a call's time that it waits for another to compile; the rest is for compiling by itself."""
LONGEST = 600
"""Seconds that a process may go on compiling after its answer."""
_PAUSE = 0.02


class StillCompiling(Exception):
    """The policy was asked for while it was being compiled: an alarm has come between."""


class _State:
    """The work of this process."""

    compiling: bool = False
    """Or waiting for another to do it."""
    lock: int | None = None
    afterwards: bool = False
    """The call has been answered, by the process that this one was made of."""


def compiling() -> bool:
    """Tell whether this process waits for a policy just now."""
    return _State.compiling


def once(path: str, patience: float, kept: Callable[[], _P | None], compiled: Callable[[], _P]) -> _P:
    """Return what is `compiled`, and kept at this path where this process had the lock.

    Or what another has `kept` meanwhile.

    Waits for at most `patience` seconds for another that is compiling the same.
    """
    if _State.compiling:
        raise StillCompiling
    _State.compiling = True
    try:
        _State.lock = _lock(path, time.monotonic() + patience)
        return kept() or _kept_as_well(compiled())
    finally:
        _release(path)
        _State.compiling = False
        if _State.afterwards:
            os._exit(0)


def _kept_as_well(policy: _P) -> _P:
    if _State.lock is None:
        return policy
    try:
        policy.keep()
    except BaseException:
        return policy
    return policy.replace(keep=lambda: None)


def finish_afterwards() -> bool:
    """Return where this process was compiling, and was to: make another that goes on with it.

    True in that one. It has nothing to do with the agent any more, and ends when the policy is kept.
    """
    if not _State.compiling or _State.lock is None or _State.afterwards or not hasattr(os, "fork"):
        return False
    try:
        if os.fork():
            return False
    except OSError:
        return False
    _State.afterwards = True
    try:
        leave_the_agent()
    except BaseException:
        os._exit(0)
    return True


def leave_the_agent() -> None:
    """Let go of the agent's streams and session; this process ends after `LONGEST` seconds."""
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    alarm = __import__("_signal")
    alarm.signal(alarm.SIGALRM, alarm.SIG_DFL)
    alarm.setitimer(alarm.ITIMER_REAL, LONGEST)


def _lock(path: str, until: float) -> int | None:
    """Return the lock beside this path; None where there can be none, or another holds it `until` (monotonic) then.

    Also None as soon as another has kept something here: who has waited need not queue for the lock to read it.
    """
    try:
        directory = os.path.dirname(path)
        private_directory(directory)
        status = os.stat(directory)
        if not stat.S_ISDIR(status.st_mode) or why_not_private(status):
            return None
        before = _which(path)
        while (lock := try_lock(path + LOCK)) is None and time.monotonic() < until and _which(path) == before:
            time.sleep(_PAUSE)
        return lock
    except Exception:
        return None


def _which(path: str) -> tuple[int, int] | None:
    """Return the file that is at this path now; it is always replaced whole."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def _release(path: str) -> None:
    """Gives the lock back; a process made of this one may have it as well."""
    lock, _State.lock = _State.lock, None
    if lock is None:
        return
    try:
        os.unlink(path + LOCK)
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_UN)
    except OSError:
        pass  # ... on Windows what is open cannot be removed
    os.close(lock)
