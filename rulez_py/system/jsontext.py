"""JSON in and out, through orjson.

Importing orjson as it is takes as long as starting the interpreter: to serialise enums, dataclasses, UUIDs and time
zones it imports the modules that define them. JSON has none of these, so it gets stand-ins for their types, which no
value ever is of.
"""

from __future__ import annotations

from rulez_py.system.native import extension

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class JSONDecodeError(ValueError):
    """What orjson derives its own error from: `json.JSONDecodeError`, as far as its message goes."""

    def __init__(self, message: str, text: str, position: int) -> None:
        line = text.count("\n", 0, position) + 1
        column = position - text.rfind("\n", 0, position)
        super().__init__(f"{message}: line {line} column {column} (char {position})")


class _Foreign(type):
    """A type that JSON has no values of."""


_foreign = _Foreign("_foreign", (), {})
_INSTEAD: dict[str, dict[str, object]] = {
    "uuid": {"UUID": _foreign, "NAMESPACE_DNS": _foreign()},
    "enum": {"EnumMeta": _Foreign},
    "dataclasses": {"_FIELD": object()},
    "zoneinfo": {"ZoneInfo": _foreign},
    "json": {"JSONDecodeError": JSONDecodeError},
    "datetime": {"datetime_CAPI": __import__("_datetime").datetime_CAPI},  # orjson would crash without it
}

orjson: Any = extension("orjson", "orjson", _INSTEAD)
_OPTIONS: int = orjson.OPT_NON_STR_KEYS | orjson.OPT_PASSTHROUGH_DATACLASS


def loads(data: bytes | str) -> Any:
    """The JSON value. Raises ValueError for anything that is not exactly one JSON value in UTF-8.

    Half of a surrogate pair is read (agents written in JavaScript send it for text cut inside an emoji), also in a text
    that was JSON's before.
    """
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        try:
            text = data if isinstance(data, str) else data.decode()
        except UnicodeDecodeError:
            raise error from None
        if "\\ud" not in text.lower() and not any("\ud800" <= character <= "\udfff" for character in text):
            raise
        return _with_lone_surrogates(text, error)


def has_more_values(data: bytes, most: int) -> bool:
    """Whether JSON text holds more than so many values, told without reading it; of what is no JSON, perhaps.

    A million values take a hundred times their text in memory and seconds to read, and reading cannot be interrupted.
    """
    if len(data) < 2 * most or _begun_values(data) <= most:
        return False
    bare = data.replace(b"\\\\", b"").replace(b'\\"', b"")  # The quotes that are left begin or end a text.
    if bare.count(b'"') > 4 * most:  # Each value may have a name.
        return True
    return _begun_values(b"".join(bare.split(b'"')[::2])) > most


def _begun_values(data: bytes) -> int:
    """As many as this text without texts could hold: one more behind each comma, and in each list and object."""
    return data.count(b",") + data.count(b"[") + data.count(b"{") + 1


def _with_lone_surrogates(text: str, error: ValueError) -> Any:
    import json

    def refuse(_constant: str) -> None:
        raise error

    try:
        return json.loads(text, parse_constant=refuse)
    except RecursionError:
        raise error from None


def dumps_exactly(value: object) -> bytes:
    """Compact JSON on one line that keeps lone surrogates, but not infinity, nor integers beyond 64 bits.

    Raises TypeError or ValueError for a value JSON does not know.
    """
    try:
        data: bytes = orjson.dumps(value)
        return data
    except TypeError:
        import json

        return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def dumps(value: object) -> str:
    """Compact JSON on one line. A value JSON does not know becomes its text; a lone surrogate becomes `?`."""
    try:
        data: bytes = orjson.dumps(value, default=str, option=_OPTIONS)
        return data.decode()
    except (TypeError, ValueError):
        import json

        return json.dumps(value, default=str, ensure_ascii=False).encode("utf-8", "replace").decode()
