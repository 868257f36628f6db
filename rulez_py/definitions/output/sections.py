"""Find, add and remove rulez' sections in a file of other people; every other byte stays.

A section is between two comments. The first says what it was written from, the checksum of what is between them,
and how many line ends were put before it (`new`: into a file that was made for sections). So taking it out gives back
the file from before.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, NamedTuple

from rulez_py.definitions.output.errors import AgentError
from rulez_py.definitions.output.marks import digest
from rulez_py.definitions.output.store import CannotWrite, write
from rulez_py.definitions.output.targets import Target
from rulez_py.definitions.output.written import State
from rulez_py.definitions.output.yamltext import without_dashes


class Comments(NamedTuple):
    """The text before and after a comment on a line."""

    opening: str
    closing: str

    @property
    def begin(self) -> re.Pattern[bytes]:
        """The first comment of a section: what it was written from, the checksum, and the joint."""
        return _begin(self)

    @property
    def end(self) -> re.Pattern[bytes]:
        """The last one: what it was written from."""
        return _end(self)


MARKDOWN, YAML = Comments("<!-- ", " -->"), Comments("# ", "")


@cache
def _begin(comments: Comments) -> re.Pattern[bytes]:
    opening, closing = (re.escape(part.encode()) for part in comments)
    written = rb"Written by `rulez agents write` from ([^\r\n]*); sha256 ([0-9a-f]{16})/((?:new)?\d): "
    return re.compile(opening + written + rb"edit that file, not this part\." + closing)


@cache
def _end(comments: Comments) -> re.Pattern[bytes]:
    opening, closing = (re.escape(part.encode()) for part in comments)
    return re.compile(opening + rb"End of what `rulez agents write` wrote from ([^\r\n]*)\." + closing)


_NEW = "new"
_HELP = ": put the comment back, or remove what is left of the section"
_BOM = b"\xef\xbb\xbf"


class Broken(AgentError):
    """The comments around sections do not fit each other: `line` is where, the message what and what to do."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


@dataclass(frozen=True)
class Section:
    """A section in a file. As offsets: `start` with the line ends that were put before it, `mark`, and `end`.

    `source` is what it was written from, as the comment calls it; `edited` says that it was changed.
    """

    source: str
    start: int
    mark: int
    end: int
    edited: bool
    joint: str


def shown(source: str) -> str:
    """Return what a comment calls a source."""
    return without_dashes("".join(one if one.isprintable() else "?" for one in source))


def is_mark(text: str) -> bool:
    """Tell whether a text has one of the comments in it."""
    lines = text.encode().splitlines()
    return any(one.begin.search(line) or one.end.search(line) for one in (MARKDOWN, YAML) for line in lines)


def sections(content: bytes, comments: Comments = MARKDOWN) -> list[Section]:
    """Return the sections of a file between such comments, in their order. Raises Broken."""
    return list(_sections(content, comments))


def _sections(content: bytes, comments: Comments) -> Iterator[Section]:
    opened: tuple[int, int, re.Match[bytes]] | None = None
    seen: set[bytes] = set()
    at = 0
    for number, line in enumerate(content.splitlines(keepends=True), 1):
        start = at + (len(_BOM) if at == 0 and line.startswith(_BOM) else 0)
        bare = line.removeprefix(_BOM).strip()
        begin, end = comments.begin.fullmatch(bare), comments.end.fullmatch(bare)
        at += len(line)
        if begin and opened:
            raise Broken(opened[0], f"the section from {_name(opened[2])} does not end before line {number}{_HELP}")
        if begin and begin[1] in seen:
            raise Broken(number, f"there is a second section from {_name(begin)}: remove one of them")
        if begin:
            seen.add(begin[1])
            opened = number, start, begin
        elif end and (opened is None or opened[2][1] != end[1]):
            raise Broken(number, f"the section from {_name(end)} ends, and has not begun{_HELP}")
        elif end and opened is not None:
            yield _section(content, opened[1], opened[2], at - len(line), at)
            opened = None
    if opened:
        raise Broken(opened[0], f"the section from {_name(opened[2])} does not end{_HELP}")


def _name(mark: re.Match[bytes]) -> str:
    return mark[1].decode("utf-8", "replace")


def _section(content: bytes, mark: int, begin: re.Match[bytes], stop: int, end: int) -> Section:
    start, joint, line_end = mark, begin[3].decode(), _line_end(content, mark)
    for _ in range(int(joint[-1])):
        start -= len(line_end) if content[:start].endswith(line_end) else 0
    inner = content[content.index(b"\n", mark) + 1 : stop]
    return Section(_name(begin), start, mark, end, digest(inner) != begin[2].decode(), joint)


def _line_end(content: bytes, mark: int) -> bytes:
    """Return how the line of a comment ends."""
    return b"\r\n" if content[: content.index(b"\n", mark) + 1].endswith(b"\r\n") else b"\n"


def section_from(content: bytes, source: str, comments: Comments = MARKDOWN) -> Section | None:
    """Return the section that was written from a source. Raises Broken."""
    return next((one for one in sections(content, comments) if one.source == shown(source)), None)


def put(content: bytes | None, source: str, text: str, comments: Comments = MARKDOWN, *, blank: bool = True) -> bytes:
    """Return the file with the section of a source: in its old place, or at the end. Raises Broken.

    `blank` says that a blank line is before it.
    """
    before = content or b""
    there = section_from(before, source, comments)
    if there is not None:
        same = _line_end(before, there.mark).decode()
        return before[: there.mark] + _written(source, text, there.joint, same, comments) + before[there.end :]
    end = "\r\n" if b"\r\n" in before else "\n"
    made = content is None or any(one.joint.startswith(_NEW) for one in sections(before, comments))
    ends = 0
    if before.removeprefix(_BOM) and not before.endswith((end + end if blank else end).encode()):
        ends = 1 if before.endswith(end.encode()) or not blank else 2
    return before + (end * ends).encode() + _written(source, text, f"{_NEW if made else ''}{ends}", end, comments)


def _written(source: str, text: str, joint: str, end: str, comments: Comments) -> bytes:
    inner = "".join(f"{line}{end}" for line in text.strip("\n").split("\n"))
    checksum = digest(inner.encode())
    written = f"Written by `rulez agents write` from {shown(source)}; sha256 {checksum}/{joint}: "
    begin = f"{written}edit that file, not this part."
    close = f"End of what `rulez agents write` wrote from {shown(source)}."
    opening, closing = comments
    return f"{opening}{begin}{closing}{end}{inner}{opening}{close}{closing}{end}".encode()


def without(content: bytes, source: str, comments: Comments = MARKDOWN) -> bytes | None:
    """Return the file without the section of a source; None where the file was made for it and nothing else is in it.

    `source` is also taken as a comment calls it. Raises Broken.
    """
    every = sections(content, comments)
    there = next((one for one in every if one.source in (shown(source), source)), None)
    if there is None:
        return content
    left = content[: there.start] + content[there.end :]
    return None if there.joint.startswith(_NEW) and not left else left


@dataclass(frozen=True)
class Sections(Target):
    """Our sections of a file: the source and the text of each. What else is in it stays."""

    parts: tuple[tuple[str, str], ...]
    comments: ClassVar[Comments] = MARKDOWN

    def state(self, before: bytes | None) -> State:
        there = [] if before is None else [one for one in self._there(before) if one is not None]
        if any(one.edited for one in there):
            return State.Edited
        if not there:
            return State.Missing
        return State.Same if self.wanted(before) == before else State.Ours

    def wanted(self, before: bytes | None) -> bytes:
        content = before
        try:
            for source, text in self.parts:
                content = put(content, source, text, self.comments)
        except Broken as error:
            raise CannotWrite(f"{self.shown}: {error}") from error
        return content or b""

    def _there(self, content: bytes) -> list[Section | None]:
        try:
            return [section_from(content, source, self.comments) for source, _ in self.parts]
        except Broken as error:
            raise CannotWrite(f"{self.shown}: {error}") from error


@dataclass(frozen=True)
class _Rest(Target):
    """A file without rulez' sections."""

    content: bytes

    def state(self, before: bytes | None) -> State:
        return State.Same if before == self.content else State.Ours

    def wanted(self, before: bytes | None) -> bytes:
        return self.content


def write_rest(path: str, content: bytes) -> None:
    """Write what is left of a file without a section. Raises CannotWrite."""
    write([_Rest(path, os.path.normpath(path), content)])
