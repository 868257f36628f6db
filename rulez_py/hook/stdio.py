"""Input and output of a call: bytes to a JSON object of bounded size, an answer to bytes.

INVARIANT: an answer is given out whole, or so that the exit code alone says enough.
"""

from __future__ import annotations

import os
import time

from rulez_py.event import UnreadableEvent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.verdict import Answer

LARGEST_EVENT = 64 * 1024 * 1024
MOST_VALUES = 500_000
"""Texts, numbers, lists and so on in one event. The content of a file is one, however long."""


def read_stdin() -> bytes:
    """Return everything on standard input, up to one byte more than an event may have.

    Nothing where there is no input.
    """
    pieces: list[bytes] = []
    size = 0
    try:
        while size <= LARGEST_EVENT and (piece := read_piece(0)):
            pieces.append(piece)
            size += len(piece)
    except OSError:
        return b""
    return b"".join(pieces)


def read_piece(descriptor: int) -> bytes:
    """Return what can be read next, waited for also where the descriptor does not wait; nothing at the end.

    Raises OSError.
    """
    while True:
        try:
            return os.read(descriptor, 1 << 16)
        except BlockingIOError:
            time.sleep(0.001)


def read_payload(data: bytes) -> dict[str, object]:
    """Return the payload's JSON object. Raises UnreadableEvent."""
    from rulez_py.system import jsontext

    data = data.removeprefix(b"\xef\xbb\xbf")
    if not data.strip():
        raise UnreadableEvent("standard input is empty; the agent should send the event as one JSON object")
    if len(data) > LARGEST_EVENT:
        raise UnreadableEvent(f"it is larger than {LARGEST_EVENT // 1024 // 1024} MiB")
    if jsontext.has_more_values(data, MOST_VALUES):
        raise UnreadableEvent(f"it holds more than {MOST_VALUES:,} values")
    try:
        payload = jsontext.loads(data)
    except ValueError as error:
        raise UnreadableEvent(f"it is not JSON: {error}") from None
    if not isinstance(payload, dict):
        raise UnreadableEvent(f"it is a JSON {_kind(payload)}, not an object")
    return payload


def _kind(value: object) -> str:
    if isinstance(value, list):
        return "array"
    if isinstance(value, bool):
        return "boolean"
    return "null" if value is None else "string" if isinstance(value, str) else "number"


class Outlet:
    """The destination of one answer: the output and the exit code of this process."""

    exit_code: int = 2
    """The exit code of a process that has to end now."""

    def put(self, answer: Answer, alone: int) -> bool:
        """Write the answer; return False where it is not read, and the exit code `alone` has to do.

        INVARIANT: what an agent cannot read whole does not let a call pass.
        """
        self.exit_code = alone
        if write(1, printed(answer.stdout)):
            write(2, printed(answer.stderr))
            self.exit_code = answer.exit_code
            return True
        self.complain()
        return False

    def complain(self) -> None:
        """Say, where that takes no time, that the answer could not be given out."""
        try:
            os.set_blocking(2, False)
            os.write(2, b"Blocked: the answer of rulez was not read in time. Instead: call it again.\n")
        except (OSError, AttributeError):
            return


def emit(answer: Answer) -> None:
    """Print an answer; a reader that has gone away changes nothing."""
    write(1, printed(answer.stdout))
    write(2, printed(answer.stderr))


def printed(text: str) -> str:
    """Return the text as it is printed: whole lines, or nothing."""
    return text if not text or text.endswith("\n") else text + "\n"


def write(descriptor: int, text: str) -> bool:
    """Write a text to a file descriptor, whole; return False where its reader is gone."""
    data = text.encode("utf-8", "replace")
    while data:
        try:
            data = data[os.write(descriptor, data) :]
        except BlockingIOError:
            time.sleep(0.001)
        except OSError:
            return False
    return True
