"""Many hook calls in one process, for a host that keeps one: a line of JSON in, a line of JSON out.

A line is answered as a process of its own would answer it. Nothing of it decides about the next:
policy and trust are asked anew each time.
"""

from __future__ import annotations

import gc
import os
import time

from rulez_py.hook.stdio import LARGEST_EVENT, Outlet, printed, read_piece, write
from rulez_py.hook.supervise import answer_in_time, watched
from rulez_py.hook.values import HookCall
from rulez_py.policy.store.cache import made_by
from rulez_py.system import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.hook.values import Options
    from rulez_py.verdict import Answer

_ALLOCATIONS = 10_000
"""Objects made before Python looks for garbage: fewer than for a process that ends after one call."""


def answer_lines(options: Options) -> int:
    """Answer the lines of stdin until it ends; the result is the process's exit code.

    It also ends where the reader of the answers is gone, and, with a line left unanswered, where rulez itself has been
    replaced: the next process answers with the new one.
    """
    _load_what_every_line_needs()
    gc.set_threshold(_ALLOCATIONS)
    program, lines, outlet = made_by(), Lines(0), _Line()
    while not outlet.closed and lines.begin():
        if made_by() != program:
            return 1
        call = HookCall(options, os.environ, time.monotonic())
        answer_in_time(watched(call, outlet), lines.read)
    return 1 if outlet.closed else 0


class _Line(Outlet):
    """Each answer as one line on stdout: what a process of its own would have printed, and ended with."""

    exit_code = 1

    def __init__(self) -> None:
        self.closed = False

    def put(self, answer: Answer, _alone: int) -> bool:
        said = {"exit_code": answer.exit_code, "stdout": printed(answer.stdout), "stderr": printed(answer.stderr)}
        self.closed = not write(1, printed(jsontext.dumps(said)))
        return not self.closed

    def complain(self) -> None:
        """The host sees that the line has no end."""


class Lines:
    """A file descriptor, line by line."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._ahead = b""
        self._within = False

    def begin(self) -> bool:
        """Wait for the beginning of the next line; False at the end of the input."""
        while self._within or not self._ahead:
            if not self._ahead and not self._fetch():
                return False
            if self._within:
                _rest, end, self._ahead = self._ahead.partition(b"\n")
                self._within = not end
        return True

    def read(self) -> bytes:
        """Return the line that has begun, without its end; of one that no event may be as long as, more than that."""
        pieces: list[bytes] = []
        size = 0
        self._within = True
        while self._within and size <= LARGEST_EVENT and (self._ahead or self._fetch()):
            piece, end, self._ahead = self._ahead.partition(b"\n")
            self._within = not end
            pieces.append(piece)
            size += len(piece)
        return b"".join(pieces)

    def _fetch(self) -> bool:
        try:
            self._ahead = read_piece(self._descriptor)
        except (OSError, KeyboardInterrupt):
            self._ahead = b""
        return bool(self._ahead)


def _load_what_every_line_needs() -> None:
    """A child that judges a line starts with what has been loaded here, and what it loads itself is lost with it."""
    from rulez_py.hook import child
    from rulez_py.log import audit
    from rulez_py.policy.judging import decide
    from rulez_py.policy.store import cache
    from rulez_py.system import scripts
    from rulez_py.system.native import extension

    extension("re2", "_re2")
    del audit, child, scripts, cache, decide
