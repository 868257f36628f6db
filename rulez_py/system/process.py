"""One child process under a time limit, its input and output moved without waiting for either side.

On POSIX the work is done with system calls: importing `subprocess` takes longer than starting rulez. The process leads
a session of its own, so that everything it started can be ended with it.
"""

from __future__ import annotations

import os
import sys
import time

from rulez_py.analysis import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

KILL_GRACE = 0.2
"""Seconds between asking a process group to end and ending it."""
LINGER = 0.1
"""Seconds that output left in the pipes is read after the process itself has ended."""
OUTPUT_LIMIT = 1024 * 1024
"""Bytes kept of stdout and of stderr, each; the rest is read and forgotten."""

_TICK = 0.05
_PIECE = 1 << 16


class CannotStart(Exception):
    """The program cannot be started; the message says why."""


class Ended(Value):
    """The end of a process. `exit_code` is negative for a signal, None where it did not end by itself; see `error`."""

    exit_code: int | None = None
    stdout: bytes = b""
    stderr: bytes = b""
    error: str = ""


def run_process(
    command: tuple[str, ...],
    *,
    program: str,
    cwd: str,
    environ: Mapping[str, str],
    data: bytes | bytearray,
    seconds: float,
    limit: int = OUTPUT_LIMIT,
) -> Ended:
    """Run `program` (an absolute path) with the arguments `command` and `data` on its stdin, for at most `seconds`.

    Of each of its outputs `limit` bytes are kept.

    What the process leaves running in the background is not waited for; when time runs out it is ended too.
    Raises CannotStart, and ValueError for strings no process can be given.
    """
    if sys.platform == "win32":
        return _run_windows(command, program, cwd, environ, bytes(data), seconds, limit)
    with _Interruptions() as interrupted:
        child = _Child(_Pipes(data, limit))
        try:
            child.start(command, program, cwd, environ)
            return child.supervise(seconds, interrupted)
        finally:
            child.abandon()


class _Pipes:
    """Both ends of a process's stdin, stdout and stderr."""

    def __init__(self, data: bytes | bytearray, limit: int) -> None:
        self._limit = limit
        self.stdout, self.stderr = bytearray(), bytearray()
        self.theirs: list[int] = []
        self._input = memoryview(data)
        self._stdin: int | None = None
        self._outputs: dict[int, bytearray] = {}
        read, self._stdin = os.pipe()
        self.theirs.append(read)
        os.set_blocking(self._stdin, False)
        for kept in (self.stdout, self.stderr):
            read, write = os.pipe()
            self.theirs.append(write)
            self._outputs[read] = kept
        if not data:
            self._close_stdin()

    @property
    def drained(self) -> bool:
        """True if no process can write to this one any more."""
        return not self._outputs

    def transfer(self, seconds: float) -> None:
        """Move what can be moved now, waiting at most `seconds` for something to move."""
        import select

        poll = select.poll()
        if self._stdin is not None:
            poll.register(self._stdin, select.POLLOUT)
        for descriptor in self._outputs:
            poll.register(descriptor, select.POLLIN)
        for descriptor, _events in poll.poll(seconds * 1000):
            if descriptor == self._stdin:
                self._write(descriptor)
            else:
                self._read(descriptor)

    def hand_over(self) -> None:
        """Close the process's ends, which it has its own copies of."""
        while self.theirs:
            os.close(self.theirs.pop())

    def close(self) -> None:
        self.hand_over()
        self._close_stdin()
        while self._outputs:
            os.close(self._outputs.popitem()[0])

    def _write(self, descriptor: int) -> None:
        try:
            self._input = self._input[os.write(descriptor, self._input[:_PIECE]) :]
        except BlockingIOError:
            return
        except OSError:
            self._input = self._input[:0]  # The script may leave its input unread.
        if not self._input:
            self._close_stdin()

    def _read(self, descriptor: int) -> None:
        piece = os.read(descriptor, _PIECE)
        if piece:
            kept = self._outputs[descriptor]
            kept += piece[: self._limit - len(kept)]
        else:
            del self._outputs[descriptor]
            os.close(descriptor)

    def _close_stdin(self) -> None:
        if self._stdin is not None:
            os.close(self._stdin)
            self._stdin = None


class _Child:
    """A process, from its start to its end."""

    def __init__(self, pipes: _Pipes) -> None:
        self._pipes = pipes
        self._pid: int | None = None
        self._exit_code: int | None = None

    def start(self, command: tuple[str, ...], program: str, cwd: str, environ: Mapping[str, str]) -> None:
        signals = __import__("_signal")
        actions = [(os.POSIX_SPAWN_DUP2, end, number) for number, end in enumerate(self._pipes.theirs)]
        with _Directory(cwd):
            try:
                # Python ignores SIGPIPE; programs expect to die of it.
                self._pid = os.posix_spawn(
                    program,
                    (program, *command[1:]),
                    environ,
                    file_actions=actions,
                    setsid=True,
                    setsigdef=[signals.SIGPIPE],
                )
            except OSError as error:
                raise CannotStart(_why_not(command[0], program, error)) from None
        self._pipes.hand_over()

    def supervise(self, seconds: float, interrupted: Sequence[int]) -> Ended:
        end = time.monotonic() + seconds
        pause = 0.0005
        while not self._has_ended():
            left = end - time.monotonic()
            if interrupted or left <= 0:
                return self._outcome("interrupted" if interrupted else f"timed out after {round(seconds, 1):g} s")
            if self._pipes.drained:
                time.sleep(min(pause, left))
                pause = min(pause * 2, _TICK)
            else:
                self._pipes.transfer(min(_TICK, left))
        leave = time.monotonic() + LINGER
        while not self._pipes.drained and (left := leave - time.monotonic()) > 0:
            self._pipes.transfer(left)
        return self._outcome("" if self._exit_code is not None else "how it ended is unknown")

    def abandon(self) -> None:
        """End what is still running and let go of the pipes."""
        if self._pid is not None:
            self._kill(self._pid)
        self._pipes.close()

    def _outcome(self, error: str) -> Ended:
        return Ended(
            exit_code=None if error else self._exit_code,
            stdout=bytes(self._pipes.stdout),
            stderr=bytes(self._pipes.stderr),
            error=error,
        )

    def _has_ended(self) -> bool:
        if self._pid is None:
            return True
        try:
            pid, status = os.waitpid(self._pid, os.WNOHANG)
        except ChildProcessError:
            pid, status = self._pid, None  # Other code has waited for it.
        if pid == 0:
            return False
        self._pid = None
        self._exit_code = None if status is None else os.waitstatus_to_exitcode(status)
        return True

    def _kill(self, group: int) -> None:
        """End the whole process group: politely, then not."""
        signals = __import__("_signal")
        for number in (signals.SIGTERM, signals.SIGKILL):
            try:
                os.killpg(group, number)
            except OSError:
                pass  # already gone
            until = time.monotonic() + KILL_GRACE
            while not self._has_ended() and time.monotonic() < until:
                time.sleep(0.005)


def _why_not(name: str, program: str, error: OSError) -> str:
    import errno

    if error.errno == errno.ENOEXEC:
        return f"`{name}` names no interpreter; its first line should, as `#!/bin/sh` does"
    if error.errno == errno.ENOENT and os.path.exists(program):
        return f"the interpreter that the first line of `{name}` names does not exist"
    return f"`{name}` could not be started: {error.strerror}"


class _Directory:
    """This process in another directory for the length of a `with` block: a child started there inherits it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._before: int | None = None

    def __enter__(self) -> None:
        try:
            self._before = os.open(".", os.O_RDONLY)
        except OSError:
            self._before = None  # the directory we were started in is gone: nothing to come back to
        try:
            os.chdir(self._path)
        except OSError as error:
            self.__exit__()
            raise CannotStart(f"its working directory `{self._path}` cannot be entered: {error.strerror}") from None

    def __exit__(self, *_error: object) -> None:
        if self._before is not None:
            os.fchdir(self._before)
            os.close(self._before)


class _Interruptions:
    """Signals that ask this process to end, held back for the length of a `with` block: the child has to end first."""

    def __init__(self) -> None:
        self._caught: list[int] = []
        self._handlers: dict[int, Callable[..., object] | int] = {}

    def __enter__(self) -> list[int]:
        signals = __import__("_signal")
        for number in (signals.SIGTERM, signals.SIGINT, signals.SIGHUP):
            handler = signals.getsignal(number)
            if handler is None or handler == signals.SIG_IGN:
                continue
            try:
                signals.signal(number, lambda number, _frame: self._caught.append(number))
            except ValueError:
                break  # only the main thread may
            self._handlers[number] = handler
        return self._caught

    def __exit__(self, *_error: object) -> None:
        signals = __import__("_signal")
        for number, handler in self._handlers.items():
            signals.signal(number, handler)
        for number in self._caught:
            os.kill(os.getpid(), number)


def _run_windows(
    command: tuple[str, ...],
    program: str,
    cwd: str,
    environ: Mapping[str, str],
    data: bytes,
    seconds: float,
    limit: int,
) -> Ended:
    import subprocess

    pipe = subprocess.PIPE
    group = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    try:
        process = subprocess.Popen(
            [program, *command[1:]],
            cwd=cwd,
            env=dict(environ),
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            creationflags=group,
        )
    except OSError as error:
        raise CannotStart(f"`{command[0]}` could not be started: {error.strerror}") from None
    try:
        stdout, stderr = process.communicate(data, timeout=seconds)
    except subprocess.TimeoutExpired:
        subprocess.run(["taskkill", "/T", "/F", "/PID", str(process.pid)], capture_output=True, check=False)
        process.kill()
        return Ended(error=f"timed out after {round(seconds, 1):g} s")
    return Ended(exit_code=process.returncode, stdout=stdout[:limit], stderr=stderr[:limit])
