"""What the protocols have in common."""

from __future__ import annotations

import json
from typing import Any


def text_of(content: Any) -> str:
    """The text of a message's or a result's content: a string, or a list of parts with `text`."""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content or () if isinstance(part, dict))


def all_strings(value: Any) -> str:
    """Every string value anywhere inside, one per line."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        value = list(value.values())
    return "\n".join(all_strings(item) for item in value) if isinstance(value, list) else ""


def event(data: dict[str, Any], name: str = "") -> bytes:
    """One server-sent event."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data)}\n\n".encode()
