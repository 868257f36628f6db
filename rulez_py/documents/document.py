"""YAML text -> plain data, with the position of each part in the text.

YAML 1.2 core schema (`yes`, `no`, `on` are text), restricted to what our files need: one document, text keys, each key
once, no custom tags, no merge keys, bounded nesting and bounded aliases.
"""

from __future__ import annotations

import gc

from rulez_py.documents import events, syntax
from rulez_py.documents.diagnostics import Diagnostic, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    _Part = tuple[Any, Any, "_Node | None"]
    """A part of a list or map: where its key starts (of a list: itself), where it starts, its node where it has one.

    Places are marks of events, turned into positions on demand. An alias starts where it is written.
    """

Path = tuple[str | int, ...]
Position = tuple[int, int]
"""Line and column, from 1."""

MAX_DEPTH = 40
# A document's weight is its cost once every alias is expanded: a constant per value, plus the length of its text.
WEIGHT_OF_A_VALUE = 50
MAX_WEIGHT = 10_000_000

_CORE_TAG = "tag:yaml.org,2002:"
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_NOT_FINITE = frozenset(
    prefix + word for prefix in ("", "+", "-") for word in (".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN")
)
MOST_TAG_LINES = 1000
# Readers of YAML disagree on whether these end a line, so what the file says would be unknown.
_ODD_LINE_ENDS = "\x85\u2028\u2029\ufeff"
_INFINITE = (float("inf"), float("-inf"))
_TAG_OF_TYPE = {str: "str", int: "int", float: "float", bool: "bool", type(None): "null", dict: "map", list: "seq"}
_CORE_TAGS = frozenset(_CORE_TAG + name for name in _TAG_OF_TYPE.values())


class Document:
    """`data` is dicts with text keys, lists, str, int, float, bool and None; None where nothing could be read."""

    def __init__(self, root: _Node | None, problems: list[Diagnostic]) -> None:
        self.data: Any = None if root is None else root.value
        self.problems = tuple(problems)
        self._root = root

    def present(self, path: Path) -> Path:
        """Return the segments of `path` that are in the document, the others left out.

        A short form (`tools: Bash`) is checked as the long one (`tools: [Bash]`): a path may name more than there is.
        """
        return tuple(segment for segment, _ in self._walk(path))

    def position(self, path: Path) -> Position:
        """Return where the value at `path` starts; segments that are not in the document are skipped."""
        steps = self._walk(path)
        if steps:
            return _position(steps[-1][1][1])
        return (1, 1) if self._root is None else _position(self._root.at)

    def key_position(self, path: Path) -> Position:
        """Return where the key (or, in a list, the item) at `path` starts; absent segments are skipped."""
        steps = self._walk(path)
        return _position(steps[-1][1][0]) if steps else self.position(())

    def _walk(self, path: Path) -> list[tuple[str | int, _Part]]:
        node, steps = self._root, []
        for segment in path:
            part = node.parts.get(segment) if node is not None else None
            if part is not None:
                steps.append((segment, part))
                node = part[2]
        return steps


class _Node:
    """A list, a map, or a scalar that is the whole file or has a name. Aliases share nodes."""

    __slots__ = ("at", "parts", "value", "weight")

    def __init__(self, value: Any, at: Any) -> None:
        self.value = value
        self.at = at
        self.parts: dict[str | int, _Part] = {}
        self.weight = WEIGHT_OF_A_VALUE + (len(value) if isinstance(value, str) else 0)


class _Open:
    """A list or map whose end has not been reached. A map's `key` is None while the next node is a key."""

    __slots__ = ("anchor", "key", "key_at", "node", "usable_key")

    def __init__(self, node: _Node, anchor: str | None) -> None:
        self.node = node
        self.anchor = anchor
        self.key: str | None = None
        self.key_at: Any = None
        self.usable_key = True


class _Stop(Exception):
    """Nothing after this point can be read."""


def parse(content: bytes, path: str, *, if_empty: str = "") -> Document:
    """Return the document in `content`. Its `problems` say what is wrong, with `path` as the file's name.

    `if_empty` says what to write into a file with nothing in it.

    Never raises: where reading had to stop, `data` is None and the last problem says why.
    """
    reader = _Reader(path, if_empty)
    collects = gc.isenabled()
    gc.disable()  # As where a policy is compiled (`policy/store/cache.py`).
    try:
        text = reader.decode(content)
        root = reader.read(text)
    except _Stop:
        root = None
    finally:
        if collects:
            gc.enable()
    return Document(root, reader.problems)


class _Reader:
    def __init__(self, path: str, if_empty: str) -> None:
        self.path = path
        self.if_empty = if_empty
        self.problems: list[Diagnostic] = []
        self.root: _Node | None = None
        self.open: list[_Open] = []
        self.anchors: dict[str, _Node | None] = {}
        """None marks a list or map that is still open: an alias to it would contain itself."""
        self.documents = 0

    def refuse(self, at: Position, message: str, help: str = "") -> None:
        self.problems.append(diagnostic(self.path, at, message, help))

    def decode(self, content: bytes) -> str:
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            self.refuse((1, 1), "the file is UTF-16", "save it as UTF-8")
            raise _Stop
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            # `error.object` lacks the byte order mark that the codec took off.
            at = syntax.place(error.object.decode("utf-8", "replace"), len(error.object[: error.start].decode()))
            self.refuse(at, f"byte 0x{error.object[error.start]:02x} is not UTF-8", "save the file as UTF-8")
            raise _Stop from error

    def read(self, text: str) -> _Node:
        self.refuse_beforehand(text)
        try:
            next_event = events.reader(text)
            while (event := next_event()) is not None:
                self.take(event)
        except events.BadCharacter as error:
            self.refuse(*syntax.bad_character(text, error.character))
            raise _Stop from error
        except events.BadSyntax as error:
            self.refuse(*syntax.refusal(text, error))
            raise _Stop from error
        if self.root is None or self.root.value is None:
            self.refuse((1, 1), "the file is empty", self.if_empty)
            raise _Stop
        return self.root

    def refuse_beforehand(self, text: str) -> None:
        for character in "" if text.isascii() else _ODD_LINE_ENDS:
            if character in text:
                at = syntax.place(text, text.index(character))
                self.refuse(at, f"character U+{ord(character):04X} is not allowed here", "remove it")
                raise _Stop
        if text.count("%TAG") > MOST_TAG_LINES:  # libyaml compares each with all before it, and nothing interrupts it
            at = syntax.place(text, text.index("%TAG"))
            self.refuse(at, f'"%TAG" is written more than {MOST_TAG_LINES} times', "remove it")
            raise _Stop

    def take(self, event: Any) -> None:
        kind = type(event)
        if kind is events.Scalar:
            self.take_scalar(event)
        elif kind is events.MappingStart or kind is events.SequenceStart:
            self.take_start(event, {} if kind is events.MappingStart else [])
        elif kind is events.MappingEnd or kind is events.SequenceEnd:
            done = self.open.pop()
            if done.anchor is not None:
                self.anchors[done.anchor] = done.node
            self.place(done.node.value, done.node.at, done.node)
        elif kind is events.Alias:
            node = self.aliased(event)
            self.place(node.value, event.start_mark, node)
        elif kind is events.DocumentStart:
            self.documents += 1
            if self.documents > 1:
                at = _position(event.start_mark)
                self.refuse(at, "a second YAML document starts here", "one file holds one document: remove the ---")
                raise _Stop

    def take_start(self, event: Any, value: Any) -> None:
        at = event.start_mark
        if len(self.open) >= MAX_DEPTH:
            self.refuse(_position(at), f"lists and maps are nested more than {MAX_DEPTH} deep")
            raise _Stop
        self.check_tag(event.tag, value, at)
        if event.anchor is not None:
            self.anchors[event.anchor] = None
        self.open.append(_Open(_Node(value, at), event.anchor))

    def take_scalar(self, event: Any) -> None:
        at, text = event.start_mark, event.value
        plain = not event.style
        value = text
        if event.tag is not None:
            value = self.tagged(event.tag, text, at, plain=plain)
        elif plain:
            value = self.plain(text, at)
        node = None
        if event.anchor is not None:
            node = self.anchors[event.anchor] = _Node(value, at)
        self.place(value, at, node, absent=plain and not text)

    def aliased(self, event: Any) -> _Node:
        anchor, at = event.anchor, _position(event.start_mark)
        if anchor not in self.anchors:
            self.refuse(at, *syntax.nameless(anchor))
            raise _Stop
        node = self.anchors[anchor]
        if node is None:
            self.refuse(at, f'"*{anchor}" is inside the value it refers to')
            raise _Stop
        return node

    def place(self, value: Any, at: Any, node: _Node | None, *, absent: bool = False) -> None:
        """Add a finished value to the list or map that is open around it."""
        if not self.open:
            self.root = node or _Node(value, at)
            return
        around = self.open[-1]
        if type(around.node.value) is list:
            self.attach(around.node, len(around.node.value), value, node, at, at)
        elif around.key is None:
            around.key, around.key_at = self.key(value, at), at
            around.usable_key = isinstance(value, str) and self.is_new(around, at)
        else:
            if around.usable_key:
                # A value that is not there has no place of its own.
                self.attach(around.node, around.key, value, node, around.key_at, around.key_at if absent else at)
            around.key = None

    def attach(self, parent: _Node, segment: str | int, value: Any, node: _Node | None, key_at: Any, at: Any) -> None:
        if node is not None:
            parent.weight += node.weight
        else:
            parent.weight += WEIGHT_OF_A_VALUE + (len(value) if type(value) is str else 0)
        if parent.weight > MAX_WEIGHT:
            self.refuse(_position(at), "the file is too large once its aliases are written out")
            raise _Stop
        parent.parts[segment] = key_at, at, node
        if type(parent.value) is list:
            parent.value.append(value)
        else:
            parent.value[segment] = value

    def key(self, value: Any, at: Any) -> str:
        if isinstance(value, str):
            return value
        if isinstance(value, (dict, list)):
            refusal = "a key must be text, not a list or map", "put text that starts with [ or { in quotes"
        else:
            written = str(value).lower() if value is not None else "null"
            refusal = f"a key must be text, not {written}", f'quote it: "{written}"'
        self.refuse(_position(at), *refusal)
        return ""

    def is_new(self, around: _Open, at: Any) -> bool:
        first = around.node.parts.get(around.key or "")
        if first is not None:
            line = _position(first[0])[0]
            self.refuse(_position(at), f'"{around.key}" is written twice in this map', f"the first is on line {line}")
        return first is None

    def tagged(self, tag: str, text: str, at: Any, *, plain: bool) -> str | int | float | bool | None:
        if tag in ("!", _CORE_TAG + "str"):
            return text
        value = self.plain(text, at) if plain and tag in _CORE_TAGS else text
        self.check_tag(tag, value, at)
        return value

    def plain(self, text: str, at: Any) -> str | int | float | bool | None:
        """Return what unquoted text means in YAML's core schema."""
        if text in _WORDS:
            return _WORDS[text]
        if text[0] not in "0123456789+-.":
            return text
        number = _number(text)
        if number is None:
            return text
        if number in _INFINITE or (isinstance(number, int) and not -(2**63) <= number < 2**63):
            self.refuse(_position(at), f"the number {text[:40]} is out of range", "quote it if it is meant as text")
            return 0
        return number

    def check_tag(self, tag: str | None, value: object, at: Any) -> None:
        if tag is None or tag == "!" or tag == _CORE_TAG + _TAG_OF_TYPE[type(value)]:
            return
        name = tag.removeprefix(_CORE_TAG)
        if tag in _CORE_TAGS:
            self.refuse(_position(at), f'this is not a value of type "!!{name}"', "remove the tag")
        else:
            written = f"!!{name}" if tag.startswith(_CORE_TAG) else tag
            self.refuse(_position(at), f'tag "{written}" is not supported', "put text that starts with ! in quotes")


def _number(text: str) -> int | float | None:
    """Return the number that unquoted text means, None where it is not a number."""
    unsigned = text[1:] if text[:1] in ("+", "-") else text
    if unsigned.isascii() and unsigned.isdecimal():
        # Anything longer is out of range anyway, and Python refuses to convert thousands of digits.
        return int(text) if len(unsigned) < 40 else float("inf")
    for prefix, digits, base in (("0o", "01234567", 8), ("0x", "0123456789abcdefABCDEF", 16)):
        if text.startswith(prefix) and len(text) > 2 and not text[2:].strip(digits):
            return int(text[2:], base)
    if text in _NOT_FINITE:
        return float("inf")
    if text.strip("0123456789+-.eE"):
        return None
    try:
        return float(text)
    except ValueError:
        return None


def _position(mark: Any) -> Position:
    return (mark.line + 1, mark.column + 1)
