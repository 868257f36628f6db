"""JSON in and out, through orjson."""

from __future__ import annotations

import orjson

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def loads(data: bytes | str) -> Any:
    """The JSON value. Raises ValueError for anything that is not exactly one JSON value in UTF-8.

    Half of a surrogate pair is read (agents written in JavaScript send it for text cut inside an emoji).
    """
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        text = data if isinstance(data, str) else data.decode("utf-8", "ignore")
        if "\\ud" not in text.lower():
            raise
        return _with_lone_surrogates(data, error)


def _with_lone_surrogates(data: bytes | str, error: ValueError) -> Any:
    import json

    def refuse(_constant: str) -> None:
        raise error

    try:
        return json.loads(data, parse_constant=refuse)
    except RecursionError:
        raise error from None


def dumps_exactly(value: object) -> bytes:
    """Compact JSON on one line that keeps lone surrogates, but not infinity, nor integers beyond 64 bits.

    Raises TypeError or ValueError for a value JSON does not know.
    """
    try:
        return orjson.dumps(value)
    except TypeError:
        import json

        return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def dumps(value: object) -> str:
    """Compact JSON on one line. A value JSON does not know becomes its text; a lone surrogate becomes `?`."""
    try:
        return orjson.dumps(value, default=str, option=orjson.OPT_NON_STR_KEYS).decode()
    except (TypeError, ValueError):
        import json

        return json.dumps(value, default=str, ensure_ascii=False).encode("utf-8", "replace").decode()
