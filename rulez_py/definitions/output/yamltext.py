"""YAML that every platform's parser reads as the same data: YAML 1.1 and 1.2, JavaScript's, and hand-written ones.

Only plain words, numbers and double-quoted text on one line are used. Claude Code ends the front matter at the first
`---`, inside of a value too (contracts/claude-code.md), so no text we write has two dashes in a row.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*", re.ASCII)
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
_NOT_A_WORD = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"))


def mapping(data: Mapping[str, Any], indent: str = "") -> str:
    """Return a map, a key a line, and the same for a map in it.

    Lists, and what is in them, on the line of their key.
    """
    lines = []
    for key, item in data.items():
        below = isinstance(item, Mapping) and len(item) > 0
        lines.append(f"{indent}{_text(key)}:" + ("\n" + mapping(item, indent + "  ") if below else f" {value(item)}\n"))
    return "".join(lines)


def value(data: Any) -> str:
    """Return one value on one line: lists and maps in brackets.

    Raises TypeError for what YAML and JSON have no words for.
    """
    match data:
        case None:
            return "null"
        case bool():
            return "true" if data else "false"
        case str():
            return _text(data)
        case int():
            return str(data)
        case float():
            return _number(data)
        case Mapping():
            return "{" + ", ".join(f"{_text(key)}: {value(item)}" for key, item in data.items()) + "}"
        case Sequence() if not isinstance(data, bytes):
            return "[" + ", ".join(value(item) for item in data) + "]"
    raise TypeError(f"{type(data).__name__} is nothing that front matter can hold")


def without_dashes(text: str) -> str:
    """Return the text with all but the last of dashes in a row as escapes, as in double quotes."""
    return re.sub("-(?=-)", r"\\u002d", text)


def _text(text: str) -> str:
    """Text as a plain word where all parsers take it for one, else in double quotes."""
    if _WORD.fullmatch(text) and text.lower() not in _NOT_A_WORD:
        return text
    return '"' + without_dashes("".join(map(_escaped, text))) + '"'


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    return f"\\u{ord(character):04x}" if ord(character) < 0x10000 and not character.isprintable() else character


def _number(number: float) -> str:
    """With a point: YAML 1.1 takes 1e-07 for text."""
    mantissa, exponent, power = repr(number).partition("e")
    return mantissa + ("" if "." in mantissa else ".0") + exponent + power
