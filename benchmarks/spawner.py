"""Starts the measured processes. A script of its own, for `python -I -S`: it must stay small.

The kernel counts the memory a process had before it became another program as that program's: a child of a large
process never shows a peak below its parent's. So this one imports next to nothing and keeps no payload, and its own
size, that of a bare interpreter, is the least it can measure. The clocks run here too, next to the process.

A request on stdin is a marshalled tuple, the arguments of `call` or, with a number of calls more, of `stream`; the
reply is their result.
"""

import marshal
import os
import select
import sys
import time

_PIECE = 1 << 16
_MOST_KEPT = 1 << 20
_SIGPIPE, _SIGKILL = 13, 9
_MEMORY_UNIT = 1 if sys.platform == "darwin" else 1024

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

    Reply = tuple[int, bytes, bytes, float, float, float, int]
    """Exit code, stdout, stderr, the clock at its start, wall seconds, CPU seconds, peak memory in bytes."""


class Child:
    """A process with pipes for stdin, stdout and stderr."""

    def __init__(self, command: "list[str]", environ: "dict[str, str]", limit: float) -> None:
        ends = [os.pipe() for _ in range(3)]
        theirs = (ends[0][0], ends[1][1], ends[2][1])
        self.stdin = ends[0][1]
        self.kept = {ends[1][0]: bytearray(), ends[2][0]: bytearray()}
        self.stdout, self.stderr = self.kept.values()
        self.open = {self.stdin, *self.kept}
        self._poll = select.poll()
        for descriptor in self.kept:
            self._poll.register(descriptor, select.POLLIN)
        os.set_blocking(self.stdin, False)
        self.started = time.monotonic()
        self._until = self.started + limit
        self._pid = os.posix_spawn(
            command[0],
            command,
            environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, end, number) for number, end in enumerate(theirs)],
            setpgroup=0,
            setsigdef=[_SIGPIPE],  # Python ignores it; programs expect to die of it.
        )
        for end in theirs:
            os.close(end)

    def write(self, data: bytes) -> None:
        """All of `data`, as the child takes it; reads what it says meanwhile."""
        while data and self.stdin in self.open:
            try:
                data = data[os.write(self.stdin, data) :]
            except BlockingIOError:
                self._poll.register(self.stdin, select.POLLOUT)
                self.move()
                if self.stdin in self.open:
                    self._poll.unregister(self.stdin)
            except OSError:
                self.close_stdin()  # It needs no more.

    def close_stdin(self) -> None:
        if self.stdin in self.open:
            self._close(self.stdin)

    def move(self) -> None:
        """Waits until something can be read or written, and reads it. Ends a child that takes too long."""
        ready = self._poll.poll(max(self._until - time.monotonic(), 0) * 1000)
        if not ready:
            os.killpg(self._pid, _SIGKILL)
            self._until += 10
        for descriptor, _events in ready:
            if descriptor == self.stdin:
                continue
            piece = os.read(descriptor, _PIECE)
            kept = self.kept[descriptor]
            kept += piece[: _MOST_KEPT - len(kept)]
            if not piece:
                self._poll.unregister(descriptor)
                self._close(descriptor)

    def end(self) -> "Reply":
        """Return what came of it, once it has closed its output and ended."""
        while self.open - {self.stdin}:
            self.move()
        _pid, status, usage = os.wait4(self._pid, 0)
        wall = time.monotonic() - self.started
        self.close_stdin()
        return (
            os.waitstatus_to_exitcode(status),
            bytes(self.stdout),
            bytes(self.stderr),
            self.started,
            wall,
            usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss * _MEMORY_UNIT,
        )

    def _close(self, descriptor: int) -> None:
        os.close(descriptor)
        self.open.discard(descriptor)


def call(command: "list[str]", cwd: str, environ: "dict[str, str]", payload: str, limit: float) -> "Reply":
    """One process with the file `payload` on its stdin: from its start until it has ended and its output is read."""
    os.chdir(cwd)
    with open(payload, "rb", buffering=0) as source:
        child = Child(command, environ, limit)
        while piece := source.read(_PIECE):
            child.write(piece)
        child.close_stdin()
        return child.end()


def stream(
    command: "list[str]", cwd: str, environ: "dict[str, str]", payload: str, limit: float, calls: int
) -> "Reply":
    """Return one process that answers each line with a line: the time of one call, the first one left out.

    CPU seconds are the whole process's; stdout has all answers.
    """
    os.chdir(cwd)
    with open(payload, "rb") as source:
        line = source.read()
    child = Child(command, environ, limit)
    begun = 0.0
    for number in range(calls + 1):
        if number == 1:
            begun = time.monotonic()
        child.write(line)
        while child.stdout.count(b"\n") <= number and len(child.open) == 3:
            child.move()
    wall = (time.monotonic() - begun) / calls
    child.close_stdin()
    exit_code, stdout, stderr, started, _all, cpu, memory = child.end()
    return exit_code, stdout, stderr, started, wall, cpu, memory


def serve(requests: "BinaryIO", replies: "BinaryIO") -> None:
    """Answers requests until there are no more."""
    while True:
        try:
            request = marshal.load(requests)
        except EOFError:
            return
        marshal.dump(call(*request) if len(request) == 5 else stream(*request), replies)
        replies.flush()


if __name__ == "__main__":
    serve(os.fdopen(0, "rb"), os.fdopen(1, "wb"))
