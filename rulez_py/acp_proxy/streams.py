"""An agent as a child process of an editor's, with the policy between them; what is no JSON goes to standard error."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from rulez_py.mcp_proxy.streams import exit_code, watched

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import IO, NoReturn

    from rulez_py.acp_proxy.acp import Mediator, Passed


def serve(command: Sequence[str], mediator: Mediator, editor: IO[bytes], out: IO[bytes], log: IO[bytes]) -> NoReturn:
    """Run the agent until it or the editor ends, and end with its exit code. Raises OSError where it cannot start."""
    agent = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert agent.stdin is not None and agent.stdout is not None
    told = watched(agent)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: agent.terminate())
    sides = _Sides(agent.stdin, out, log)
    said = threading.Thread(target=sides.pass_on, args=(agent.stdout, mediator.from_agent), daemon=True)
    said.start()
    threading.Thread(target=_listen, args=(sides, editor, mediator, agent.stdin), daemon=True).start()
    said.join()
    if agent.poll() is None:
        # It has closed its output, or there was a bug here: nothing that it does now would be judged.
        with suppress(subprocess.TimeoutExpired):
            agent.wait(_GRACE)
        agent.terminate()
    code = exit_code(agent.wait())
    if told is not None:
        os.write(told, b".")
    os._exit(code)


_GRACE = 2.0
"""Seconds that an agent without output has to end."""


class _Sides:
    """The streams that lines are passed on to, each written by one thread at a time."""

    def __init__(self, agent: IO[bytes], editor: IO[bytes], log: IO[bytes]) -> None:
        self._agent, self._editor, self._log = ((stream, threading.Lock()) for stream in (agent, editor, log))

    def pass_on(self, lines: IO[bytes], judged: Callable[[bytes], Passed]) -> None:
        """Pass on what is judged of each line, until there are no more or the editor reads them no more."""
        with suppress(OSError, ValueError):
            for line in lines:
                passed = judged(line)
                self._write(self._editor, passed.to_editor)
                with suppress(OSError, ValueError):  # It may still say something when it reads no more.
                    self._write(self._agent, passed.to_agent)
                self._write(self._log, passed.dropped)

    def _write(self, place: tuple[IO[bytes], threading.Lock], lines: tuple[bytes, ...]) -> None:
        stream, turn = place
        if lines:
            with turn:
                stream.writelines(lines)
                stream.flush()


def _listen(sides: _Sides, editor: IO[bytes], mediator: Mediator, agent: IO[bytes]) -> None:
    try:
        sides.pass_on(editor, mediator.from_editor)
    finally:  # After a bug as well: without this the agent would wait for ever.
        with suppress(OSError, ValueError):
            agent.close()  # As an editor ends an agent.
