"""Write a policy for people: short values on one line, texts in the quotes they need, comments beside.

INVARIANT: what is read back of a value's text is the value, whatever characters it has.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rulez_py.migrate.values import Noted
from rulez_py.verdict import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulez_py.migrate.values import Written

_WIDEST = 110
_LONGEST_COMMENT = 200
_PLAIN = re.compile(r"[A-Za-z_/~][\w./@+-]*(?: [\w./@+-]+)*", re.ASCII)
_WORDS = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null", "~"))
_HEADER = """\
# yaml-language-server: $schema={schema}
# Made from {source} by `rulez migrate`; each rule says where it came from.
#
#   rulez validate              is it in order?
#   rulez explain 'COMMAND'     what is decided about a call, and why
version: "1.0"

# The built-in essentials hold beside these rules. In your own or the machine's file `settings: {{essentials: false}}`
# switches them off; `disable: [NAME]` takes single rules out.
extends: [builtin:essentials]
"""
SCHEMA = "schema.json"


def policy(source: str, settings: dict[str, Any], rules: Iterable[Written]) -> str:
    """Return the text of a policy file. `source` is the name of the file that it was made from."""
    parts = [_HEADER.format(schema=SCHEMA, source=comment(source))]
    if settings:
        parts.append("".join(line + "\n" for line in _member("settings", settings, 0)))
    bodies = list(rules)
    if not any(not one.lost for one in bodies):
        parts.append("rules: []\n")
        parts += [_rule(one) for one in bodies]
    else:
        first, *rest = bodies
        parts.append("rules:\n" + _rule(first))
        parts += [_rule(one) for one in rest]
    return "\n".join(parts)


def comment(text: str) -> str:
    """Return a text for a comment: on one line, within bounds, without characters that a terminal or YAML obeys."""
    shown = visible(text)
    return shown if len(shown) <= _LONGEST_COMMENT else shown[: _LONGEST_COMMENT - 3] + "..."


def _rule(rule: Written) -> str:
    lines = [f"# {comment(one)}" if one else "#" for one in rule.comments]
    if rule.lost:
        lines += [f"# Not carried over: {comment(rule.lost)}"]
    body = [line for key, value in rule.data.items() for line in _member(key, value, 2)]
    body = [("- " if number == 0 else "  ") + line[2:] for number, line in enumerate(body)]
    if rule.lost:
        body = [f"# {line}".rstrip() for line in body]
    return "".join(f"  {line}".rstrip() + "\n" if line.strip() else "\n" for line in [*lines, *body])


def _member(key: str, value: Any, indent: int) -> Iterator[str]:
    """Yield a key and its value, a line each."""
    blanks = " " * indent
    named = f"{blanks}{scalar(key)}:"
    if isinstance(value, str) and (block := _block(value)) is not None:
        style, lines = block
        yield f"{named} {style}"
        yield from (f"{blanks}  {line}" if line else "" for line in lines)
        return
    if not isinstance(value, (dict, list)) or not value:
        yield f"{named} {flow(value)}"
        return
    if not _has_notes(value) and not _has_blocks(value):
        line = f"{named} {flow(value)}"
        if len(line) <= _WIDEST and not (isinstance(value, dict) and len(value) > 1 and _is_deep(value)):
            yield line
            return
    yield named
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _member(name, item, indent + 2)
        return
    for item in value:
        note = f"  # {comment(item.note)}" if isinstance(item, Noted) else ""
        yield f"{blanks}  - {flow(item.value if isinstance(item, Noted) else item)}{note}"


def _has_notes(value: Any) -> bool:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return isinstance(value, Noted) or any(map(_has_notes, inside))


def _has_blocks(value: Any) -> bool:
    """Tell whether a map holds a text of several lines that would be easier to read as such."""
    inside = value.values() if isinstance(value, dict) else ()
    return any((isinstance(one, str) and _block(one) is not None) or _has_blocks(one) for one in inside)


def _is_deep(value: dict[str, Any]) -> bool:
    return any(isinstance(one, dict) and one for one in value.values())


def _block(text: str) -> tuple[str, list[str]] | None:
    """Return the block indicator and the lines of a text that needs no quotes; None where it does."""
    body = text.removesuffix("\n")
    if "\n" not in body or body.endswith("\n") or body[0] in " \t\n":
        return None
    lines = body.split("\n")
    if any(
        not (line.isascii() and line.replace("\t", " ").isprintable()) or line.strip() == "" != line for line in lines
    ):
        return None
    return ("|" if text.endswith("\n") else "|-"), lines


def flow(value: Any) -> str:
    """Return a value on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return scalar(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(key)}: {flow(item)}" for key, item in value.items()) + "}"
    return "[" + ", ".join(map(flow, value)) + "]"


def scalar(text: str) -> str:
    """Return a text as a plain word where every reader takes it for one, else in single quotes, else in double ones."""
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    if text.isascii() and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(map(_escaped, text)) + '"'


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    code = ord(character)
    if character.isprintable() and code != 0xFEFF:
        return character
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
