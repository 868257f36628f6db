"""YAML text -> plain data that knows where in the text each part of it stands.

YAML 1.2 core schema (`yes`, `no`, `on` are text), restricted to what our files need: one document, text keys, each key
once, no tags of one's own, no merge keys, bounded nesting and bounded aliases.
"""

from __future__ import annotations

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
)
from ruamel.yaml.parser import Parser
from ruamel.yaml.reader import ReaderError
from ruamel.yaml.scanner import Scanner

from rulez_py.written.problems import Problem, problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

Path = tuple[str | int, ...]
Position = tuple[int, int]
"""Line and column, from 1."""

MAX_DEPTH = 40
# A document's weight is what it costs once every alias stands for its own copy: so much per value, plus its text.
WEIGHT_OF_A_VALUE = 50
MAX_WEIGHT = 10_000_000

_CORE_TAG = "tag:yaml.org,2002:"
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_NOT_FINITE = frozenset(
    sign + word for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN")
)
_INFINITE = (float("inf"), float("-inf"))
_TAG_OF_TYPE = {str: "str", int: "int", float: "float", bool: "bool", type(None): "null", dict: "map", list: "seq"}
_CORE_TAGS = frozenset(_CORE_TAG + name for name in _TAG_OF_TYPE.values())


class Document:
    """`data` is dicts with text keys, lists, str, int, float, bool and None; None where nothing could be read."""

    def __init__(self, root: _Node | None, problems: list[Problem]) -> None:
        self.data: Any = None if root is None else root.value
        self.problems = tuple(problems)
        self._root = root

    def present(self, path: Path) -> Path:
        """The segments of `path` that stand in the document, the others left out.

        A short form (`tools: Bash`) is checked as the long one (`tools: [Bash]`): a path may name more than there is.
        """
        return tuple(segment for segment, _ in self._walk(path))

    def position(self, path: Path) -> Position:
        """Where the value at `path` starts; segments that do not stand in the document are skipped."""
        steps = self._walk(path)
        if steps:
            return steps[-1][1].at
        return (1, 1) if self._root is None else self._root.at

    def key_position(self, path: Path) -> Position:
        """Where the key (or, for a list's item, the item) at `path` starts; segments are skipped likewise."""
        steps = self._walk(path)
        return steps[-1][1].key_at if steps else self.position(())

    def _walk(self, path: Path) -> list[tuple[str | int, _Child]]:
        node, steps = self._root, []
        for segment in path:
            child = node.children.get(segment) if node is not None else None
            if child is not None:
                steps.append((segment, child))
                node = child.node
        return steps


class _Node:
    """A value, where it starts, and its parts. Aliases share nodes."""

    __slots__ = ("absent", "at", "children", "value", "weight")

    def __init__(self, value: Any, at: Position, *, absent: bool = False) -> None:
        self.value = value
        self.absent = absent
        self.at = at
        self.children: dict[str | int, _Child] = {}
        self.weight = WEIGHT_OF_A_VALUE + (len(value) if isinstance(value, str) else 0)


class _Child:
    """A value as part of a list or map: `at` is where it starts; for an alias, the alias and not what it stands for."""

    __slots__ = ("at", "key_at", "node")

    def __init__(self, node: _Node, key_at: Position, at: Position) -> None:
        self.node = node
        self.key_at = key_at
        self.at = at


class _Open:
    """A list or map whose end has not been reached. A map's `key` is None while the next node is a key."""

    __slots__ = ("anchor", "key", "key_at", "node", "usable_key")

    def __init__(self, node: _Node, anchor: str | None) -> None:
        self.node = node
        self.anchor = anchor
        self.key: str | None = None
        self.key_at: Position = (0, 0)
        self.usable_key = True


class _Stop(Exception):
    """Nothing after this point can be read."""


def parse(content: bytes, path: str, *, if_empty: str = "") -> Document:
    """The document in `content`; what is wrong with it is in its `problems`, with `path` as the file's name.

    `if_empty` says what to write into a file with nothing in it.

    Never raises: where reading had to stop, `data` is None and the last problem says why.
    """
    reader = _Reader(path, if_empty)
    try:
        text = reader.decode(content)
        root = reader.read(text)
    except _Stop:
        root = None
    return Document(root, reader.problems)


class _Scanner(Scanner):
    """Looks its reader up once, and not through properties for every character."""

    reader: Any = None

    def __init__(self, loader: YAML) -> None:
        self.reader = loader.reader
        super().__init__(loader)


class _Parser(Parser):
    """Does the same with its scanner and resolver, for every token."""

    scanner: Any = None
    resolver: Any = None

    def __init__(self, loader: YAML) -> None:
        self.scanner = loader.scanner
        self.resolver = loader.resolver
        super().__init__(loader)


def _events(text: str) -> Iterator[Any]:
    yaml = YAML(typ="safe", pure=True)
    yaml.Scanner, yaml.Parser = _Scanner, _Parser
    events: Iterator[Any] = yaml.parse(text)
    return events


class _Reader:
    def __init__(self, path: str, if_empty: str) -> None:
        self.path = path
        self.if_empty = if_empty
        self.problems: list[Problem] = []
        self.root: _Node | None = None
        self.open: list[_Open] = []
        self.anchors: dict[str, _Node | None] = {}
        """None marks a list or map that is still open: an alias to it would contain itself."""
        self.documents = 0
        self.last: Any = None
        """The mark behind what was read last."""

    def problem(self, at: Position, message: str, help: str = "") -> None:
        self.problems.append(problem(self.path, at, message, help))

    def decode(self, content: bytes) -> str:
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            self.problem((1, 1), "the file is UTF-16", "save it as UTF-8")
            raise _Stop
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            # `error.object` lacks the byte order mark that the codec took off.
            before = error.object[: error.start].decode()
            at = (before.count("\n") + 1, len(before) - before.rfind("\n"))
            self.problem(at, f"byte 0x{error.object[error.start]:02x} is not UTF-8", "save the file as UTF-8")
            raise _Stop from error

    def read(self, text: str) -> _Node:
        try:
            for event in _events(text):
                self.last = event.end_mark
                self.take(event)
        except MarkedYAMLError as error:
            self.problem(*_syntax_error(error))
            raise _Stop from error
        except ReaderError as error:
            before = text[: error.position]
            at = (before.count("\n") + 1, len(before) - before.rfind("\n"))
            self.problem(at, f"character U+{error.character:04X} is not allowed in YAML", "remove it")
            raise _Stop from error
        except AssertionError as error:
            # Raised for a %YAML line that asks for 1.3 and later.
            self.problem((1, 1), "the %YAML line asks for another YAML", "remove it")
            raise _Stop from error
        except (YAMLError, ValueError, OverflowError) as error:
            at = (1, 1) if self.last is None else _position(self.last)
            self.problem(at, "what follows cannot be read as YAML", "look for an escape like \\U00110000")
            raise _Stop from error
        if self.root is None or self.root.value is None:
            self.problem((1, 1), "the file is empty", self.if_empty)
            raise _Stop
        return self.root

    def take(self, event: Any) -> None:
        if isinstance(event, NodeEvent):
            self.take_node(event)
        elif isinstance(event, CollectionEndEvent):
            done = self.open.pop()
            if done.anchor is not None:
                self.anchors[done.anchor] = done.node
            self.place(done.node, done.node.at)
        elif isinstance(event, DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                at = _position(event.start_mark)
                self.problem(at, "a second YAML document starts here", "one file holds one document: remove the ---")
                raise _Stop

    def take_node(self, event: Any) -> None:
        at = _position(event.start_mark)
        if isinstance(event, AliasEvent):
            self.place(self.aliased(event.anchor, at), at)
        elif isinstance(event, CollectionStartEvent):
            if len(self.open) >= MAX_DEPTH:
                self.problem(at, f"lists and maps are nested more than {MAX_DEPTH} deep")
                raise _Stop
            value: Any = {} if isinstance(event, MappingStartEvent) else []
            self.check_tag(event, value, at)
            if event.anchor is not None:
                self.anchors[event.anchor] = None
            self.open.append(_Open(_Node(value, at), event.anchor))
        elif isinstance(event, ScalarEvent):
            node = _Node(self.scalar(event, at), at, absent=event.value == "" and event.style is None)
            if event.anchor is not None:
                self.anchors[event.anchor] = node
            self.place(node, at)

    def aliased(self, anchor: str, at: Position) -> _Node:
        if anchor not in self.anchors:
            self.problem(
                at, f'"*{anchor}" is read as a YAML alias, and nothing is called "&{anchor}"', "put it in quotes"
            )
            raise _Stop
        node = self.anchors[anchor]
        if node is None:
            self.problem(at, f'"*{anchor}" stands inside what it stands for')
            raise _Stop
        return node

    def place(self, node: _Node, at: Position) -> None:
        """Make a finished node part of what is open around it."""
        if not self.open:
            self.root = node
            return
        around = self.open[-1]
        if isinstance(around.node.value, list):
            self.attach(around.node, len(around.node.value), node, at, at)
        elif around.key is None:
            around.key, around.key_at = self.key(node, at), at
            around.usable_key = isinstance(node.value, str) and self.is_new(around, at)
        else:
            if around.usable_key:
                # A value that is not there has no place of its own.
                at = around.key_at if node.absent else at
                self.attach(around.node, around.key, node, around.key_at, at)
            around.key = None

    def attach(self, parent: _Node, segment: str | int, node: _Node, key_at: Position, at: Position) -> None:
        parent.weight += node.weight
        if parent.weight > MAX_WEIGHT:
            self.problem(at, "the file is too large once its aliases are written out")
            raise _Stop
        parent.children[segment] = _Child(node, key_at, at)
        if isinstance(parent.value, list):
            parent.value.append(node.value)
        else:
            parent.value[segment] = node.value

    def key(self, node: _Node, at: Position) -> str:
        if isinstance(node.value, str):
            return node.value
        if isinstance(node.value, (dict, list)):
            self.problem(at, "a key must be text, not a list or map", "put text that starts with [ or { in quotes")
        else:
            shown = str(node.value).lower() if node.value is not None else "null"
            self.problem(at, f"a key must be text, not {shown}", f'quote it: "{shown}"')
        return ""

    def is_new(self, around: _Open, at: Position) -> bool:
        first = around.node.children.get(around.key or "")
        if first is not None:
            self.problem(at, f'"{around.key}" stands twice in this map', f"the first is on line {first.key_at[0]}")
        return first is None

    def scalar(self, event: Any, at: Position) -> str | int | float | bool | None:
        text: str = event.value
        if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
            self.problem(at, "half of a surrogate pair is not a character", "write the character itself")
            return ""
        tag = event.tag
        if tag in ("!", _CORE_TAG + "str"):
            return text
        plain = event.style is None and (tag is None or tag in _CORE_TAGS)
        value = self.plain(text, at) if plain else text
        self.check_tag(event, value, at)
        return value

    def plain(self, text: str, at: Position) -> str | int | float | bool | None:
        """What unquoted text means in YAML's core schema."""
        if text in _WORDS:
            return _WORDS[text]
        number = _number(text)
        if number is None:
            return text
        if number in _INFINITE or (isinstance(number, int) and not -(2**63) <= number < 2**63):
            self.problem(at, f"the number {text[:40]} is out of range", "quote it if it is meant as text")
            return 0
        return number

    def check_tag(self, event: Any, value: object, at: Position) -> None:
        tag: str | None = event.tag
        if tag is None or tag == "!" or tag == _CORE_TAG + _TAG_OF_TYPE[type(value)]:
            return
        if tag.startswith(_CORE_TAG) and tag.removeprefix(_CORE_TAG) in _TAG_OF_TYPE.values():
            self.problem(at, f'this is not a value of type "!!{tag.removeprefix(_CORE_TAG)}"', "remove the tag")
        else:
            shown = "!!" + tag.removeprefix(_CORE_TAG) if tag.startswith(_CORE_TAG) else tag
            self.problem(at, f'tag "{shown}" is not supported', "put text that starts with ! in quotes")


def _number(text: str) -> int | float | None:
    """The number unquoted text stands for, None where it stands for none."""
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


# What the scanner and parser say -> what we say. `{start}` is the line on which the thing began; a row marked "start"
# points there. First row that fits wins.
_SYNTAX: tuple[tuple[str, str, str, str], ...] = (
    ("found character '\\t'", "a tab stands where YAML wants spaces", "use spaces", "here"),
    ("that cannot start any token", "unquoted text cannot start with this character", "put it in quotes", "here"),
    (
        "mapping values are not allowed here",
        'a ": " does not fit here',
        'quote text that contains ": ", or check the indentation',
        "here",
    ),
    ("could not find expected ':'", 'this line is neither "key: value" nor a list item', "add the colon", "start"),
    (
        "found unknown escape character",
        "double-quoted text has no such backslash escape",
        "use single quotes: there a backslash is just a backslash",
        "here",
    ),
    ("expected escape sequence of", "the backslash escape is incomplete", "use single quotes", "here"),
    ("found unexpected end of stream", "the quote that opens here is never closed", "close it", "start"),
    ("found unexpected document separator", "the quote that opens here is never closed", "close it", "start"),
    (
        "expected ',' or ']'",
        'the list that opens with "[" on line {start} needs a comma or "]" here',
        "quote text that starts with [",
        "here",
    ),
    (
        "expected ',' or '}'",
        'the map that opens with "{" on line {start} needs a comma or "}" here',
        "quote text that starts with {",
        "here",
    ),
    (
        "expected <block end>, but found '<scalar>'",
        "nothing may follow a quoted text or a closed bracket",
        "put the whole text in quotes",
        "here",
    ),
    (
        "expected <block end>",
        "this does not line up with what is around it",
        "check the indentation",
        "here",
    ),
    ("sequence entries are not allowed here", 'a list item ("- ") cannot start here', "put it on its own line", "here"),
    ("mapping keys are not allowed here", 'text that starts with "? " is read as a key', "put it in quotes", "here"),
    (
        "expected '<document start>'",
        "the list, map or text that is the whole file has ended before this",
        "check indentation and brackets",
        "here",
    ),
    ("incompatible YAML document", "the %YAML line asks for another YAML", "remove it", "here"),
    ("undefined tag handle", "the tag is not supported", "put text that starts with ! in quotes", "here"),
    ("expected the node content", "a value is missing here", "give it one, in quotes if it is punctuation", "here"),
)
# The same by what was being read when it went wrong.
_SYNTAX_CONTEXT: tuple[tuple[str, str, str], ...] = (
    ("scanning a block scalar", 'nothing may follow the "|" or ">"', "start the text on the next line"),
    ("scanning an alias", 'text that starts with "*" is read as an alias', "put it in quotes"),
    ("scanning an anchor", 'text that starts with "&" is read as an anchor', "put it in quotes"),
    (" tag", 'text that starts with "!" is read as a tag', "put it in quotes"),
    (" directive", 'a line that starts with "%" is read as a directive', "remove it"),
)


def _syntax_error(error: MarkedYAMLError) -> tuple[Position, str, str]:
    said: str = error.problem or ""
    here = error.problem_mark or error.context_mark
    start = error.context_mark or here
    for fragment, message, help, where in _SYNTAX:
        if fragment in said:
            line = str(start.line + 1)
            at = _position(start if where == "start" else here)
            return at, message.replace("{start}", line), help
    for fragment, message, help in _SYNTAX_CONTEXT:
        if fragment in (error.context or ""):
            return _position(start), message, help
    return _position(here), f"not valid YAML: {said}", ""
