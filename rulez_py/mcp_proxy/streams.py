"""An MCP server as a child process: its output is passed on by lines, its input is what the policy lets through."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from rulez_py.mcp_proxy.mcp import Mediator

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import BinaryIO, NoReturn


def serve(command: Sequence[str], mediator: Mediator, client: BinaryIO, out: BinaryIO) -> NoReturn:
    """Run the server until it or the client ends, and end with its exit code. Raises OSError where it cannot start."""
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    told = watched(server)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: server.terminate())
    turn = threading.Lock()
    pump = threading.Thread(target=_hand_on, args=(server, out, turn), daemon=True)
    pump.start()
    threading.Thread(target=_listen, args=(server, mediator, client, out, turn), daemon=True).start()
    pump.join()
    # The client may still hold our input open; nothing that it says would be heard.
    code = exit_code(server.wait())
    if told is not None:
        os.write(told, b".")
    os._exit(code)


def watched(server: subprocess.Popen[bytes]) -> int | None:
    """End the server even when this process is killed. A write to the returned descriptor cancels that.

    A child process waits until this end of a pipe closes. Linux has a signal for it (PR_SET_PDEATHSIG), which takes
    ctypes, and that is not in the built program.
    """
    if not hasattr(os, "fork"):
        return None
    assert server.stdin is not None and server.stdout is not None
    reading, writing = os.pipe()
    if os.fork():
        os.close(reading)
        return writing
    try:
        for kept in (writing, 0, 1, 2, server.stdin.fileno(), server.stdout.fileno()):
            os.close(kept)  # A reader that waits for the end of these must not wait for this process.
        if not os.read(reading, 1):
            os.kill(server.pid, signal.SIGTERM)
    finally:
        os._exit(0)


def _hand_on(server: subprocess.Popen[bytes], out: BinaryIO, turn: threading.Lock) -> None:
    """Hand on what the server says, byte for byte, in whole lines: other lines go to the client as well."""
    assert server.stdout is not None
    with suppress(OSError, ValueError):
        for line in server.stdout:
            with turn:
                out.write(line)
                out.flush()


def _listen(
    server: subprocess.Popen[bytes], mediator: Mediator, client: BinaryIO, out: BinaryIO, turn: threading.Lock
) -> None:
    assert server.stdin is not None
    try:
        with suppress(OSError, ValueError):
            for line in client:
                passed = mediator.from_client(line)
                with turn:
                    out.writelines(passed.to_client)
                    out.flush()
                server.stdin.writelines(passed.to_server)
                server.stdin.flush()
    finally:  # After a bug as well: without this the client would get no answer any more.
        with suppress(OSError):
            server.stdin.close()  # As a client ends a server.


def exit_code(ended: int) -> int:
    """Return what a shell would say of it."""
    return 128 - ended if ended < 0 else ended
