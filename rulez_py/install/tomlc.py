"""Edit TOML of agents' settings in place: comments, order, blanks and the way tables are written are kept.

`tomllib` reads the text and says if it is TOML. This finds the places of its values and changes the text there, so that
every byte which is not part of a change stays what it was.
"""

from __future__ import annotations

import json
import re
import tomllib
from functools import lru_cache
from typing import Any, NamedTuple

from rulez_py.install import lines
from rulez_py.install.jsonc import Path, Unreadable

_MARK = "\ufeff"
_PASSED = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_BLANKS = re.compile(r"[ \t]*")
_COMMA = re.compile(r"[ \t]*,?[ \t]*")
_NAME = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""")
_PLAIN = re.compile(
    r'"""(?:[^\\]|\\.)*?"""(?:"{0,2})'
    r"|'''.*?'''(?:'{0,2})"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    # A date and a time may have a space between them.
    r"|\d{4}-\d\d-\d\d \d\d:[^\s,\]}#]+"
    r"|[^\s,\]}#]+",
    re.S,
)
_FIRST_ITEM = re.compile(r"\n([ \t]*)[^ \t\r\n#\]]")


class Entry(NamedTuple):
    """A `key = value` and its place: the value is `text[value:end]`.

    `start` is where the key starts, `name` where its last part does. `inline` says that it is between braces.
    """

    start: int
    name: int
    value: int
    end: int
    inline: bool


@lru_cache(maxsize=8)
def value(text: str) -> dict[str, Any]:
    """Return what the settings say: one value for all who ask, not to be changed. Raises Unreadable."""
    try:
        return tomllib.loads(text.removeprefix(_MARK), parse_float=_number)
    except ValueError as error:  # Also of a number with too many digits, without a place.
        said, _, where = str(error).partition(" (at ")
        raise Unreadable(text, _position(text, where), f"this is no TOML: {said.lower()}") from None
    except RecursionError:
        raise Unreadable(text, 0, "this is nested too deeply") from None


def _number(text: str) -> object:
    """Return a number that can be compared: `nan` equals nothing, itself neither."""
    return ("number", text)


def _position(text: str, where: str) -> int:
    place = re.match(r"line (\d+), column (\d+)", where)
    if not place:
        return len(text)
    before = text.removeprefix(_MARK).split("\n")[: int(place[1]) - 1]
    return text.startswith(_MARK) + sum(len(line) + 1 for line in before) + int(place[2]) - 1


def span(text: str, path: Path) -> tuple[int, int] | None:
    """Return where the value of a key is; None where no key has this path. Raises Unreadable."""
    entry = _entries(text).get(path)
    return (entry.value, entry.end) if entry is not None else None


@lru_cache(maxsize=8)
def _entries(text: str) -> dict[Path, Entry]:
    """Return the place of each key with a value, by its whole path. Raises Unreadable."""
    value(text)
    scanner = _Scanner(text)
    scanner.document()
    return scanner.entries


class _Scanner:
    """Finds the keys of a text that is TOML."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.entries: dict[Path, Entry] = {}
        self.tables: dict[Path, int] = {}
        """How many tables an array of tables has until here."""

    def document(self) -> None:
        at, table = self.passed(len(_MARK) if self.text.startswith(_MARK) else 0), ()  # type: int, Path
        while at < len(self.text):
            table, at = self.header(at) if self.text[at] == "[" else (table, self.pair(at, table, inline=False))
            at = self.passed(at)

    def passed(self, at: int) -> int:
        match = _PASSED.match(self.text, at)
        return match.end() if match else at

    def header(self, at: int) -> tuple[Path, int]:
        brackets = 2 if self.text.startswith("[[", at) else 1
        names, _, end = self.key(at + brackets)
        path: Path = ()
        for name in names[:-1]:
            path = self.last((*path, name))
        path = (*path, names[-1])
        if brackets == 2:
            self.tables[path] = self.tables.get(path, 0) + 1
        return self.last(path), end + brackets

    def last(self, path: Path) -> Path:
        """Return the path of the last table, where this is an array of tables."""
        return (*path, self.tables[path] - 1) if path in self.tables else path

    def pair(self, at: int, table: Path, *, inline: bool) -> int:
        names, name, after = self.key(at)
        path, start = (*table, *names), self.blanks(after + 1)
        end = self.value(start, path)
        self.entries[path] = Entry(at, name, start, end, inline)
        return end

    def blanks(self, at: int) -> int:
        match = _BLANKS.match(self.text, at)
        return match.end() if match else at

    def key(self, at: int) -> tuple[list[str], int, int]:
        """Return the parts of a key, where the last of them is, and what is behind the key and blanks."""
        names: list[str] = []
        while True:
            at = self.blanks(at)
            match = _NAME.match(self.text, at)
            if match is None:
                raise Unreadable(self.text, at, "this key cannot be found")
            names.append(_unquoted(match.group()))
            end = self.blanks(match.end())
            if self.text[end : end + 1] != ".":
                return names, at, end
            at = end + 1

    def value(self, at: int, path: Path) -> int:
        """Return where a value ends."""
        opened = self.text[at : at + 1]
        if opened not in ("[", "{"):
            match = _PLAIN.match(self.text, at)
            if match is None:
                raise Unreadable(self.text, at, "this value cannot be found")
            return match.end()
        closed, number = "]" if opened == "[" else "}", 0
        at = self.passed(at + 1)
        while self.text[at : at + 1] != closed:
            end = self.value(at, (*path, number)) if opened == "[" else self.pair(at, path, inline=True)
            number += 1
            at = self.passed(end)
            if self.text[at : at + 1] == ",":
                at = self.passed(at + 1)
        return at + 1


def _unquoted(name: str) -> str:
    if name[0] not in "\"'":
        return name
    text: str = tomllib.loads(f"text = {name}")["text"]
    return text


# Changes.


def written(text: str, path: Path, content: str | list[str]) -> str:
    """Return a value as the one at this path is written: in one line, or an item a line. Raises Unreadable."""
    entry = _entries(text)[path]
    old = text[entry.value : entry.end]
    first = _FIRST_ITEM.search(old)
    if not isinstance(content, list) or not old.startswith("[") or not first:
        return _plain(content)
    items = "".join(f"{first[1]}{_plain(item)},\n" for item in content)
    last = old[old.rfind("\n") + 1 : -1]
    return f"[\n{items}{last if not last.strip() else ''}]".replace("\n", lines.end(text))


def added_beside(text: str, path: Path, key: str, content: str | list[str]) -> str:
    """Return the text with a further key behind the one at this path, in the same table. Raises Unreadable."""
    entry = _entries(text)[path]
    if entry.inline:
        added = f", {text[entry.start : entry.name]}{key} = {_plain(content)}"
        return text[: entry.end] + added + text[entry.end :]
    before = text[lines.start(text, entry.start) : entry.name]
    return lines.with_line(text, lines.behind(text, entry.end), f"{before}{key} = {_plain(content)}")


def removed(text: str, path: Path) -> str:
    """Return the text without a key that is there. Raises Unreadable."""
    entry = _entries(text)[path]
    if entry.inline:
        before = text[: entry.start].rstrip(" \t")
        if before.endswith(","):
            return before[:-1] + text[entry.end :]
        after = _COMMA.match(text, entry.end)
        return text[: entry.start] + text[after.end() if after else entry.end :]
    behind = lines.behind(text, entry.end)
    if text[entry.end : behind].strip():
        return text[: entry.start] + text[entry.end :].lstrip(" \t")
    return lines.without(text, lines.start(text, entry.start), behind)


def _plain(content: str | list[str]) -> str:
    if isinstance(content, list):
        return f"[{', '.join(map(_plain, content))}]"
    return json.dumps(content, ensure_ascii=False).replace("\x7f", "\\u007f")
