"""The payload of one event: bytes from a file descriptor, as a JSON object of bounded size."""

from __future__ import annotations

import os
import time

from rulez_py.event import UnreadableEvent

LARGEST_EVENT = 64 * 1024 * 1024
MOST_VALUES = 500_000
"""Texts, numbers, lists and so on in one event. The content of a file is one, however long."""


def read_stdin() -> bytes:
    """Everything on standard input, up to one byte more than an event may have; nothing where there is no input."""
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
    """What can be read next, waited for also where the descriptor does not wait; nothing at the end. Raises OSError."""
    while True:
        try:
            return os.read(descriptor, 1 << 16)
        except BlockingIOError:
            time.sleep(0.001)


def read_payload(data: bytes) -> dict[str, object]:
    """The payload's JSON object. Raises UnreadableEvent."""
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
