"""JSON in and out.

What is small is read and written by the C part of the standard library's `json`, which the interpreter brings along: to
load orjson costs a call more than that takes. Whatever that finds odd, and what is large, is for orjson to say.

Importing orjson as it is takes as long as starting the interpreter: to serialise enums, dataclasses, UUIDs and time
zones it imports the modules that define them. JSON has none of these, so it gets stand-ins for their types, which no
value ever is of.
"""

from __future__ import annotations

from rulez_py.system.native import Unseen, extension

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class JSONDecodeError(ValueError):
    """The base of orjson's own error: `json.JSONDecodeError`, as far as its message goes."""

    def __init__(self, message: str, text: str, position: int) -> None:
        line = text.count("\n", 0, position) + 1
        column = position - text.rfind("\n", 0, position)
        super().__init__(f"{message}: line {line} column {column} (char {position})")


class _Foreign(type):
    """A type that JSON has no values of."""


_foreign = _Foreign("_foreign", (), {})


def orjson() -> Any:
    """Return the module orjson, loaded by the first who needs it. Raises ImportError."""
    if _loaded:
        return _loaded[0]
    instead: dict[str, dict[str, object]] = {
        "uuid": {"UUID": _foreign, "NAMESPACE_DNS": _foreign()},
        "enum": {"EnumMeta": _Foreign},
        "dataclasses": {"_FIELD": object()},
        "zoneinfo": {"ZoneInfo": _foreign},
        "json": {"JSONDecodeError": JSONDecodeError},
        "datetime": {"datetime_CAPI": __import__("_datetime").datetime_CAPI},  # orjson would crash without it
    }
    _loaded.append(extension("orjson", "orjson", instead))
    return _loaded[0]


_loaded: list[Any] = []


_SMALL = 50_000
"""Bytes or characters up to which nothing is gained by orjson."""
_BLANKS = " \t\n\r"
_SURE_DIGITS = 20
"""Characters that an integer of 64 bits may have; orjson takes others for floats."""


class _Odd(ValueError):
    """Something that orjson may take for another value, or for none."""


class _Reading:
    """The settings that the scanner reads."""

    strict = True
    object_hook = object_pairs_hook = None

    def parse_int(text: str) -> int:  # type: ignore[misc]
        if len(text) > _SURE_DIGITS or not -(2**63) <= (value := int(text)) < 2**64:
            raise _Odd(text)
        return value

    def parse_float(text: str) -> float:  # type: ignore[misc]
        value = float(text)
        if value - value != 0:
            raise _Odd(text)
        return value

    def parse_constant(text: str) -> None:  # type: ignore[misc]
        raise _Odd(text)


class _OwnReading(_Reading):
    """Return rulez' own JSON text as values, with numbers as they are written."""

    parse_int, parse_float = int, float


def _odd(value: object) -> None:
    raise _Odd(type(value).__name__)


def _readers() -> tuple[Any, Any, Any]:
    """Return the scanners and the encoder of the standard library, in C; where there are none, what always fails."""
    try:
        import _json
    except ImportError:
        return _odd, _odd, _odd
    writer = _json.make_encoder(None, _odd, _json.encode_basestring, None, ":", ",", False, False, False)
    scanner: Any = _json.make_scanner
    return scanner(_Reading), scanner(_OwnReading), writer


_scan, _scan_own, _write = _readers()


def loads(data: bytes | str) -> Any:
    """Return the JSON value. Raises ValueError for anything that is not exactly one JSON value in UTF-8.

    Half of a surrogate pair is read (agents written in JavaScript send it for text cut inside an emoji), also in a text
    that was JSON's before.
    """
    if len(data) > _SMALL:
        return _of_any_size(data)
    try:
        return _of_small(data if isinstance(data, str) else data.decode())
    except Exception:
        return _of_any_size(data)  # It reads it, or says what is wrong with it.


def _of_small(text: str) -> Any:
    with Unseen("json.decoder"):  # from where it would take its error
        value, end = _scan(text, len(text) - len(text.lstrip(_BLANKS)))
    if text[end:].strip(_BLANKS):
        raise _Odd(text)
    return value


def loads_own(data: bytes) -> Any:
    """Return the value of what `dumps_exactly` has made, whose numbers are sure.

    Raises ValueError for what is no JSON.
    """
    if len(data) > _SMALL:
        return _of_any_size(data)
    try:
        return _scan_own(data.decode(), 0)[0]
    except Exception:
        return _of_any_size(data)


def _of_any_size(data: bytes | str) -> Any:
    try:
        return orjson().loads(data)
    except ValueError as error:
        try:
            text = data if isinstance(data, str) else data.decode()
        except UnicodeDecodeError:
            raise error from None
        if "\\ud" not in text.lower() and not any("\ud800" <= character <= "\udfff" for character in text):
            raise
        return _with_lone_surrogates(text, error)


def has_more_values(data: bytes, most: int) -> bool:
    """Tell whether JSON text holds more than so many values, without parsing it. For text that is not JSON the answer
    means nothing.

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
        data: bytes = orjson().dumps(value)
        return data
    except TypeError:
        import json

        return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def dumps(value: object) -> str:
    """Compact JSON on one line. A value JSON does not know becomes its text; a lone surrogate becomes `?`."""
    try:
        text = "".join(_write(value, 0))
        return text if text.isascii() else text.encode("utf-8", "replace").decode()
    except Exception:
        return _of_odd(value)


def _of_odd(value: object) -> str:
    """Return the same, where there may be anything in it."""
    known = orjson()
    try:
        data: bytes = known.dumps(value, default=str, option=known.OPT_NON_STR_KEYS | known.OPT_PASSTHROUGH_DATACLASS)
        return data.decode()
    except (TypeError, ValueError):
        import json

        return (
            json.dumps(value, default=str, ensure_ascii=False, separators=(",", ":"))
            .encode("utf-8", "replace")
            .decode()
        )
