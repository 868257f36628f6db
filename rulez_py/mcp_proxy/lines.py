"""Messages of JSON-RPC 2.0 as lines, read and written by both proxies (MCP, ACP). Pure."""

from __future__ import annotations

import json
import math
from typing import Any


def parsed(line: bytes) -> object:
    """Return the message, or the messages, of a line. Raises ValueError and RecursionError where it is not JSON."""
    return json.loads(line, parse_constant=_refuse, parse_float=_number)


def as_line(message: object) -> bytes:
    """Return a message as a line."""
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no number")


def _number(text: str) -> float:
    """Return a number that can be written again. Raises ValueError."""
    number = float(text)
    return _refuse(text) if math.isinf(number) else number
