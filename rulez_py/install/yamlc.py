"""Edit YAML of agents' settings in place: comments, order and blanks are kept.

Libraries write YAML anew and lose what people wrote beside the values. This one finds the places of a text's values and
adds or removes whole lines there, so that every other byte stays what it was.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from rulez_py.documents import events
from rulez_py.install import jsonc, lines
from rulez_py.install.jsonc import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable

_DEEPEST = 100
_INDENT = 2
_INTEGER = re.compile(r"[-+]?[0-9]+", re.ASCII)
# As YAML 1.1 has them, which agents in Python read.
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"), True),
    **dict.fromkeys(("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"), False),
}


class Node(NamedTuple):
    """A value and its place: `text[start:end]`. `parts` are those of a list or a map, in their order.

    `plain` says that lines can be added to it: it is written in lines, without brackets, or is empty.
    """

    start: int
    end: int
    value: Any
    parts: tuple[Part, ...] = ()
    plain: bool = True

    def part(self, name: object) -> Part | None:
        """Return the last part of this name: of two keys YAML's readers take that one."""
        return next((part for part in reversed(self.parts) if part.name == name), None)


class Part(NamedTuple):
    """An item of a list, or an entry of a map, which starts with its key."""

    name: Any
    start: int
    node: Node


def value(text: str) -> Any:
    """Return what the settings say; {} where nothing does. Raises Unreadable."""
    read = parse(text).value
    return {} if read is None else read


def line(text: str, path: jsonc.Path) -> int:
    """Return the number of the line on which the value at this path starts. Raises Unreadable, KeyError."""
    return jsonc.place(text, _steps(text, path)[-1].node.start)[0]


def span(text: str, path: jsonc.Path) -> tuple[int, int] | None:
    """Return where the value at a path starts and ends; None where none is. Raises Unreadable."""
    try:
        node = _own_steps(text, path)[-1].node
    except KeyError:
        return None
    # A text in lines of its own has the end of its last line with it.
    return node.start, node.start + len(text[node.start : node.end].rstrip())


@lru_cache(maxsize=8)
def parse(text: str) -> Node:
    """Return the one value of a text. Raises Unreadable."""
    try:
        return _Reader(text).document()
    except events.BadSyntax as error:
        mark = error.problem_mark or error.context_mark
        said = error.problem or error.context or "it cannot be read"
        at = mark.index + text.startswith("\ufeff") if mark else 0
        raise Unreadable(text, at, f"this is no YAML: {said}") from None
    except events.BadCharacter as error:
        raise Unreadable(text, max(text.find(chr(error.character)), 0), "YAML does not allow this character") from None


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.mark = len(text) - len(text.removeprefix("\ufeff"))
        """libyaml takes a byte order mark in a text for a column."""
        self.next: Callable[[], Any] = events.reader(text[self.mark :])
        self.anchors: dict[str, Node] = {}

    def at(self, mark: Any) -> int:
        place: int = mark.index
        return place + self.mark

    def document(self) -> Node:
        root: Node | None = None
        while (event := self.next()) is not None:
            if isinstance(event, (events.Alias, events.Scalar, events.MappingStart, events.SequenceStart)):
                if root is not None:
                    raise Unreadable(self.text, self.at(event.start_mark), "a second document begins here")
                root = self.node(event, 0)
        return root or Node(len(self.text), len(self.text), None)

    def node(self, event: Any, depth: int) -> Node:
        start = self.at(event.start_mark)
        if depth > _DEEPEST:
            raise Unreadable(self.text, start, "this is nested too deeply")
        if isinstance(event, events.Alias):
            known = self.anchors.get(event.anchor)
            if known is None:
                raise Unreadable(self.text, start, f"nothing is called &{event.anchor}")
            return known._replace(start=start, end=self.at(event.end_mark), plain=False)
        if isinstance(event, events.Scalar):
            said = _scalar(event)
            node = Node(start, self.at(event.end_mark), said, plain=said is None)
        else:
            node = self.collection(event, depth)
        if event.anchor:
            self.anchors[event.anchor] = node
        return node

    def collection(self, event: Any, depth: int) -> Node:
        is_map = isinstance(event, events.MappingStart)
        parts: list[Part] = []
        while not isinstance(inner := self.next(), (events.MappingEnd, events.SequenceEnd)):
            first = self.node(inner, depth + 1)
            if is_map:
                name = repr(first.value) if isinstance(first.value, (dict, list)) else first.value
                parts.append(Part(name, first.start, self.node(self.next(), depth + 1)))
            else:
                parts.append(Part(len(parts), first.start, first))
        flow = bool(event.flow_style)
        end = self.at(inner.end_mark) if flow or not parts else parts[-1].node.end
        content: Any = {part.name: part.node.value for part in parts} if is_map else [part.node.value for part in parts]
        return Node(self.at(event.start_mark), end, content, tuple(parts), plain=not flow or not parts)


def _scalar(event: Any) -> Any:
    text: str = event.value
    if not event.implicit[0]:
        return text
    return _WORDS[text] if text in _WORDS else int(text) if _INTEGER.fullmatch(text) else text


# Changes.


def formatted(content: dict[str, Any]) -> str:
    """Return the lines of a file with this content alone."""
    return "".join(_entry(name, item, 0) for name, item in content.items())


def added(text: str, path: jsonc.Path, name: str, content: Any) -> str:
    """Return the text with a further entry in the map at this path. Raises Unreadable."""
    return _with(text, path, lambda indent: _entry(name, content, indent))


def appended(text: str, path: jsonc.Path, content: Any) -> str:
    """Return the text with a further item in the list at this path. Raises Unreadable."""
    return _with(text, path, lambda indent: _item(content, indent))


def removed(text: str, path: jsonc.Path) -> str:
    """Return the text without the lines of this entry or item. Raises Unreadable."""
    *_, above, part = _own_steps(text, path)
    if not above.node.plain:
        return _without_part(text, above.node, part)
    start = _start(text, part)
    begin = lines.start(text, start)
    if text[begin:start].strip(" "):
        raise Unreadable(text, start, "this does not stand on lines of its own")
    return lines.without(text, begin, _behind(text, part.node))


def _without_part(text: str, node: Node, part: Part) -> str:
    """Return the text without a part that is between brackets."""
    index = max(number for number, one in enumerate(node.parts) if one.name == part.name)
    if index:
        return text[: node.parts[index - 1].node.end] + text[part.node.end :]
    return text[: part.start] + text[node.parts[1].start if len(node.parts) > 1 else part.node.end :]


def written(text: str, path: jsonc.Path, content: str | list[str]) -> str:
    """Return a value as the one at this path is written: in one line, or an item a line. Raises Unreadable."""
    node = _own_steps(text, path)[-1].node
    if not isinstance(content, list) or not node.plain or not node.parts:
        return _quoted(content)
    between = f"{lines.end(text)}{' ' * _column(text, node.start)}"
    return between.join(f"- {_quoted(item)}" for item in content)


def added_beside(text: str, path: jsonc.Path, key: str, content: list[str]) -> str:
    """Return the text with a further entry behind the one at this path, in the same map. Raises Unreadable."""
    *_, above, part = _own_steps(text, path)
    if not above.node.plain:
        return f"{text[: part.node.end]}, {key}: {_quoted(content)}{text[part.node.end :]}"
    line = f"{' ' * _column(text, part.start)}{key}: {_quoted(content)}"
    return lines.with_line(text, _behind(text, part.node), line)


def _quoted(content: str | list[str]) -> str:
    if isinstance(content, list):
        return f"[{', '.join(map(_quoted, content))}]"
    # Not JSON's escapes: of a character beyond U+FFFF those are two, which YAML does not allow.
    return "".join(map(_visible, json.dumps(content, ensure_ascii=False)))


def _visible(character: str) -> str:
    return character if character.isprintable() else f"\\U{ord(character):08x}"


def emptied(text: str, path: jsonc.Path) -> str:
    """Return the text with `{}` as the value at this path, which has none."""
    at = _steps(text, path)[-1].node.end
    return f"{text[:at]} {{}}{text[at:]}"


def takes_lines(text: str, path: jsonc.Path) -> None:
    """Raise Unreadable where lines cannot be added to the value at this path."""
    node = _steps(text, path)[-1].node
    if not node.plain or isinstance(node.value, (str, int)):
        name = f"`{'.'.join(map(str, path))}`" if path else "the file"
        message = f"{name} is not written as lines of its own, so none can be added: put rulez' there by hand"
        raise Unreadable(text, node.start, message)


def _steps(text: str, path: jsonc.Path) -> list[Part]:
    node = parse(text)
    steps = [Part("", -_INDENT, node)]
    for name in path:
        part = node.part(name)
        if part is None:
            raise KeyError(name)
        steps.append(part)
        node = part.node
    return steps


def _own_steps(text: str, path: jsonc.Path) -> list[Part]:
    """Return the steps to a value that is written there; raise Unreadable where an alias is on the way."""
    steps = _steps(text, path)
    for above, part in pairwise(steps):
        if not above.node.start <= part.start <= above.node.end:
            raise Unreadable(text, above.node.start, "this is an alias: write here what it means, or change it by hand")
    return steps


def _with(text: str, path: jsonc.Path, written: Callable[[int], str]) -> str:
    """Return the text with lines below the last of a value, as deep as its others are or two columns below its key."""
    takes_lines(text, path)
    part = _steps(text, path)[-1]
    node = part.node
    if node.parts:
        indent = _column(text, _start(text, node.parts[0]))
    else:
        indent = _column(text, part.start) + _INDENT if path else 0
        text, node = _without_brackets(text, node)
    at = _behind(text, node)
    end = lines.end(text)
    new = written(indent).replace("\n", end)
    return text[:at] + ("" if not text[:at].strip("\ufeff") or text[:at].endswith("\n") else end) + new + text[at:]


def _without_brackets(text: str, node: Node) -> tuple[str, Node]:
    """Return the text without the brackets, or the word, of an empty value, and the value as it then is."""
    if node.end > node.start:
        rest = text[node.end : text.find("\n", node.end) if "\n" in text[node.end :] else len(text)]
        before = text[: node.start].rstrip(" ") + (" " if rest.strip() and not rest.startswith(" ") else "")
        return before + text[node.end :], Node(len(before), len(before), None)
    return text, node


def _start(text: str, part: Part) -> int:
    """Return where an entry starts; an item starts with its dash."""
    is_item = isinstance(part.name, int) and part.start == part.node.start
    return text.rfind("-", 0, part.start) if is_item else part.start


def _column(text: str, at: int) -> int:
    begin = text.rfind("\n", 0, at) + 1
    return at - begin - (begin == 0 and text.startswith("\ufeff"))


def _behind(text: str, node: Node) -> int:
    """Return where the line behind a value starts."""
    if node.end and node.end > node.start and text[node.end - 1] == "\n":
        return node.end
    return lines.behind(text, node.end)


def _entry(name: str, content: Any, indent: int) -> str:
    blank = " " * indent
    if isinstance(content, dict) and content:
        return f"{blank}{name}:\n" + "".join(_entry(key, item, indent + _INDENT) for key, item in content.items())
    if isinstance(content, list) and content:
        return f"{blank}{name}:\n" + "".join(_item(item, indent + _INDENT) for item in content)
    return f"{blank}{name}: {json.dumps(content, ensure_ascii=False)}\n"


def _item(content: dict[str, Any], indent: int) -> str:
    entries = "".join(_entry(key, item, indent + _INDENT) for key, item in content.items())
    return f"{' ' * indent}- {entries.lstrip()}"
