"""Edit JSON of agents' settings in place: comments, commas too many, order and blanks are kept.

Libraries that read comments throw them away or write the text anew. This one finds the places of a text's values and
changes the text there, so that every byte which is not part of a change stays what it was.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from rulez_py.install import lines

if TYPE_CHECKING:
    from collections.abc import Iterator

Path = tuple[str | int, ...]
"""Keys and indices from the root to a value."""

BLANKS = " \t\r\n"
_PASSED = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.S)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)\b")
_END_OF_LINE = re.compile(r"[ \t]*(?:/\*[^\r\n]*?\*/[ \t]*)*(?://[^\r\n]*)?(?=[\r\n]|$)")
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.S)
_COMMA_TOO_MANY = re.compile(r",(?=[ \t\r\n]*[}\]])")
_LINE_ENDS = re.compile(r"[ \t]*(?:\r\n|\r|\n)")
_DEEPEST = 200


class Unreadable(Exception):
    """The text is not what it should be; `at` is where, by line and column."""

    def __init__(self, text: str, position: int, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.at = place(text, position)


class Node(NamedTuple):
    """A value and its place: `text[start:end]`. `parts` are those of a list or an object, in their order."""

    start: int
    end: int
    value: Any
    parts: tuple[Part, ...] = ()


class Part(NamedTuple):
    """An item of a list, or a member of an object, which starts with its key. `comma` is where its comma is, or -1."""

    name: str | int
    start: int
    node: Node
    comma: int

    @property
    def end(self) -> int:
        return self.node.end


def place(text: str, position: int) -> tuple[int, int]:
    """Line and column, counted from 1; a byte order mark is no column."""
    line = text.count("\n", 0, position) + 1
    begin = text.rfind("\n", 0, position) + 1
    return line, position - begin + (0 if begin == 0 and text.startswith("\ufeff") else 1)


@lru_cache(maxsize=8)
def parse(text: str) -> Node:
    """Return the one value of a text. Raises Unreadable."""
    start = _skip(text, 1 if text.startswith("\ufeff") else 0)
    root = _value(text, start, 0)
    end = _skip(text, root.end)
    if end < len(text):
        raise Unreadable(text, end, f"this follows the end of the JSON: {_shown(text, end)}")
    return root


def at(root: Node, path: Path) -> Node | None:
    """Return the value at a path; of keys that are there twice the last counts, as for all who read JSON."""
    node = root
    for name in path:
        part = next((part for part in reversed(node.parts) if part.name == name), None)
        if part is None or isinstance(node.value, dict) != isinstance(name, str):
            return None
        node = part.node
    return node


def value(text: str) -> Any:
    """Return what a text says. Raises Unreadable."""
    return parse(text).value


def span(text: str, path: Path) -> tuple[int, int] | None:
    """Return where the value at a path starts and ends; None where none is. Raises Unreadable."""
    node = at(parse(text), path)
    return (node.start, node.end) if node is not None else None


def _skip(text: str, position: int) -> int:
    match = _PASSED.match(text, position)
    end = match.end() if match else position
    if text.startswith("/*", end):
        raise Unreadable(text, end, "this comment has no end")
    return end


def _shown(text: str, position: int) -> str:
    word = re.compile(r"[^\s,\]}]{1,18}|.?", re.S).match(text, position)
    return json.dumps(word.group() if word else "", ensure_ascii=False)


def _value(text: str, start: int, depth: int) -> Node:
    if depth > _DEEPEST:
        raise Unreadable(text, start, f"more than {_DEEPEST} values inside one another")
    first = text[start : start + 1]
    if first in ("{", "["):
        return _container(text, start, depth)
    match = (_STRING if first == '"' else _SCALAR).match(text, start)
    if match is None:
        what = "the text ends here" if not first else f"no JSON value: {_shown(text, start)}"
        raise Unreadable(text, start, "this text has no end on its line" if first == '"' else what)
    try:
        return Node(start, match.end(), json.loads(match.group()))
    except ValueError:
        raise Unreadable(text, start, "this text has an escape that JSON does not know") from None


def _container(text: str, start: int, depth: int) -> Node:
    keyed, close = text[start] == "{", "}" if text[start] == "{" else "]"
    parts: list[Part] = []
    position = _skip(text, start + 1)
    while text[position : position + 1] != close:
        if position >= len(text):
            raise Unreadable(text, position, f'the text ends without "{close}"')
        if parts and parts[-1].comma < 0:
            raise Unreadable(text, position, 'a "," is missing here')
        begin, name = position, len(parts)  # type: int, str | int
        if keyed:
            name, position = _key(text, position)
        node = _value(text, position, depth + 1)
        position = _skip(text, node.end)
        comma = position if text[position : position + 1] == "," else -1
        parts.append(Part(name, begin, node, comma))
        position = _skip(text, comma + 1) if comma >= 0 else position
    value: Any = {part.name: part.node.value for part in parts} if keyed else [part.node.value for part in parts]
    return Node(start, position + 1, value, tuple(parts))


def _key(text: str, position: int) -> tuple[str, int]:
    """Return a key, and where its value begins."""
    if text[position : position + 1] != '"':
        raise Unreadable(text, position, f"a key in double quotes belongs here: {_shown(text, position)}")
    node = _value(text, position, 0)
    after = _skip(text, node.end)
    if text[after : after + 1] != ":":
        raise Unreadable(text, after, 'a ":" is missing here')
    return str(node.value), _skip(text, after + 1)


# Changing it. Each takes the whole text and gives the whole text.


def replaced(text: str, path: Path, value: object) -> str:
    """Return the text with another value at a path that is there."""
    node = _known(parse(text), path)
    return text[: node.start] + written(text, path, value) + text[node.end :]


def written(text: str, path: Path, value: object) -> str:
    """Return a value as the one at this path is written: in one line or in several."""
    node = _known(parse(text), path)
    return _written(text, value, _indent_at(text, node.start), one_line="\n" not in text[node.start : node.end])


def added(text: str, path: Path, value: object, key: str | None = None) -> str:
    """The text with a further item at the end of the list at a path, or with a further member of the object there."""
    root = parse(text)
    container = _known(root, path)
    shaped = container if container.parts else root
    one_line = bool(shaped.parts) and "\n" not in text[shaped.start : shaped.end]
    outer = _indent_at(text, container.start)
    inner = _inner_indent(text, container, outer)
    element = _written(text, value, inner, one_line=one_line)
    if key is not None:
        element = json.dumps(key, ensure_ascii=False) + (":" if one_line and _is_dense(text) else ": ") + element
    newline = lines.end(text)
    if not container.parts:
        kept = text[: container.end - 1].rstrip(BLANKS)
        return kept + (element if one_line else newline + inner + element + newline + outer) + text[container.end - 1 :]
    before = newline + inner if not one_line else "" if _is_dense(text) else " "
    last = container.parts[-1]
    if last.comma >= 0:
        anchor = _line_end(text, last.comma + 1, container.end - 1)
        return text[:anchor] + before + element + "," + text[anchor:]
    anchor = _line_end(text, last.end, container.end - 1)
    return text[: last.end] + "," + text[last.end : anchor] + before + element + text[anchor:]


def added_beside(text: str, path: Path, key: str, content: object) -> str:
    """Return the text with a further member of the object that has the member at this path."""
    return added(text, path[:-1], content, key)


def removed(text: str, path: Path) -> str:
    """Return the text without an item or a member that is there: what `added` has put there goes to the last byte."""
    container = _known(parse(text), path[:-1])
    index = max(number for number, part in enumerate(container.parts) if part.name == path[-1])
    part = container.parts[index]
    before = container.parts[index - 1].comma + 1 if index else container.start + 1
    behind = (part.comma if part.comma >= 0 else part.end - 1) + 1
    begin = len(text[: part.start].rstrip(BLANKS))
    if _ends_in_line_comment(text[before:begin]) and not _LINE_ENDS.match(text, behind):
        end_of_line = _LINE_ENDS.match(text, begin)
        begin = end_of_line.end() if end_of_line else begin
    shorter = text[:begin] + text[behind:]
    return shorter if index == 0 or part.comma >= 0 else shorter[: before - 1] + shorter[before:]


def _ends_in_line_comment(text: str) -> bool:
    """Of text that is nothing but blanks and comments."""
    comments = _COMMENT.findall(text)
    return bool(comments) and comments[-1].startswith("//")


class Beyond(NamedTuple):
    """Return the first extension of JSON in a text, by place; None in plain JSON."""

    comment: tuple[int, int] | None
    comma: tuple[int, int] | None
    mark: tuple[int, int] | None


def beyond(text: str) -> Beyond:
    """Return the parts of a readable text that a reader of plain JSON would refuse."""
    bare = _STRING.sub(lambda match: '"' * len(match.group()), text)
    comment = _COMMENT.search(bare)
    blanked = _COMMENT.sub(lambda match: " " * len(match.group()), bare)
    comma = _COMMA_TOO_MANY.search(blanked)
    return Beyond(
        place(text, comment.start()) if comment else None,
        place(text, comma.start()) if comma else None,
        (1, 1) if text.startswith("\ufeff") else None,
    )


def is_empty(text: str, path: Path) -> bool:
    """Tell whether a list or an object is there that holds nothing."""
    node = at(parse(text), path)
    return node is not None and node.value in ({}, [])


def inside(text: str, path: Path) -> str | None:
    """Return the text between the brackets of a list or an object; None for other values."""
    node = at(parse(text), path)
    return text[node.start + 1 : node.end - 1] if node is not None and isinstance(node.value, (dict, list)) else None


def refilled(text: str, path: Path, between: str) -> str:
    """Return the text with something else between these brackets."""
    node = _known(parse(text), path)
    return text[: node.start + 1] + between + text[node.end - 1 :]


def _known(root: Node, path: Path) -> Node:
    node = at(root, path)
    if node is None:
        raise KeyError(path)
    return node


# How it is written.


def formatted(value: object, newline: str = "\n", unit: str = "  ") -> str:
    """Return the value as the text of a file of its own."""
    return json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", newline) + newline


def _written(text: str, value: object, indent: str, *, one_line: bool) -> str:
    if one_line:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":") if _is_dense(text) else (", ", ": "))
    written = json.dumps(value, indent=_unit(text), ensure_ascii=False)
    return written.replace("\n", lines.end(text) + indent)


def _is_dense(text: str) -> bool:
    return '":' in text and '": ' not in text


def _indent_at(text: str, position: int) -> str:
    """Return the blanks that the line of a position begins with."""
    line = text[text.rfind("\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """Return what one level is indented by: by the first member of the root that begins a line."""
    root = parse(text)
    for part in _begin_lines(text, root):
        return _indent_at(text, part.start)[len(_indent_at(text, root.start)) :] or "  "
    return "  "


def _inner_indent(text: str, container: Node, outer: str) -> str:
    for part in _begin_lines(text, container):
        return _indent_at(text, part.start)
    return outer + _unit(text)


def _begin_lines(text: str, container: Node) -> Iterator[Part]:
    """Yield the parts with only blanks before them on their line, the last one first."""
    for part in reversed(container.parts):
        if not text[text.rfind("\n", 0, part.start) + 1 : part.start].strip(" \t") and "\n" in text[: part.start]:
            yield part


def _line_end(text: str, position: int, limit: int) -> int:
    """Behind the comment that ends this line, if nothing else does; else the position itself."""
    match = _END_OF_LINE.match(text, position, limit)
    return len(text[: match.end()].rstrip(" \t")) if match and match.group().strip() else position
