"""A definition's file, as far as all kinds of definitions read it alike: its problems, its front matter, its text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from rulez_py.definitions.base import prompt
from rulez_py.definitions.base.composing import put_in, variables
from rulez_py.definitions.base.prompt import placeholders, wrong_placeholders
from rulez_py.definitions.base.tool import AnyTool, UnknownTool, old_name, parse_tool
from rulez_py.definitions.output.yamltext import value as as_yaml
from rulez_py.documents import types
from rulez_py.documents.diagnostics import (
    ERROR,
    WARNING,
    Diagnostic,
    choice_help,
    closest,
    diagnostic,
    errors,
    in_order,
)
from rulez_py.documents.document import Document, Path, Position, parse
from rulez_py.documents.types import Refusal
from rulez_py.platforms.agent_files import LARGEST_FILE

_FENCE = "---"
_T = TypeVar("_T")


@dataclass(frozen=True)
class Body:
    """The text after the front matter, and the line it begins on."""

    text: str
    line: int

    def at(self, offset: int) -> Position:
        """Return the place of an offset of the text in the file."""
        before = self.text[:offset]
        return self.line + before.count("\n"), len(before) - before.rfind("\n")


@dataclass
class Report:
    """The problems of one file, found so far. `what` is what the file defines: "the agent"."""

    path: str
    what: str
    lines: list[str] = field(default_factory=list)
    document: Document = field(default_factory=lambda: Document(None, []))
    problems: list[Diagnostic] = field(default_factory=list)

    def add(self, at: Position, message: str, help: str = "", *, severity: str = ERROR) -> None:
        self.problems.append(diagnostic(self.path, at, message, help, severity=severity))

    def refusal(self, refusal: Refusal) -> None:
        """A problem of what `types.read` refuses."""
        path = refusal.path
        if refusal.kind == types.MISSING:
            self.add(self.document.position(path[:-1]), f"{self.subject(path[:-1])}has no {path[-1]}", "add one")
        elif refusal.kind == types.UNKNOWN:
            said = f'unknown key "{path[-1]}" in {self.subject(path[:-1])}'.rstrip()
            self.add(self.document.key_position(path), said)
        elif refusal.value is None:
            said = f"{self.subject(path)}has no value"
            self.add(self.document.position(path), said, "give it one, or remove the key")
        else:
            help = choice_help(str(refusal.value), refusal.choices) if refusal.choices else refusal.help
            said = f"{self.subject(self.document.present(path))}{refusal.predicate}"
            self.add(self.document.position(path), said, help)

    def subject(self, path: Path) -> str:
        """`"platforms.claude" `: the keys of a path; `what` for the file itself."""
        keys = [str(segment + 1) if isinstance(segment, int) else segment for segment in path if segment != "[key]"]
        return f'"{".".join(keys)}" ' if keys else f"{self.what} "


def front_matter(content: bytes, report: Report) -> tuple[bytes, Body | None]:
    """Return the front matter, on its own lines, and the body; None without front matter."""
    lines = content.removeprefix(b"\xef\xbb\xbf").splitlines(keepends=True)
    fences = [number for number, line in enumerate(lines) if line.rstrip() == _FENCE.encode()]
    if fences[:1] != [0] or len(fences) < 2:
        said = "there is no front matter" if fences[:1] != [0] else "the front matter does not end"
        report.add((1, 1), said, f"put description and tools between two lines of {_FENCE}, at the top of the file")
        return b"", None
    body = b"".join(lines[fences[1] + 1 :])
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        line = fences[1] + 2 + body[: error.start].count(b"\n")
        report.add((line, 1), f"byte 0x{body[error.start]:02x} is not UTF-8", "save the file as UTF-8")
        text = ""
    return b"\n" + b"".join(lines[1 : fences[1]]), Body(text, fences[1] + 2)


def read_whole(
    content: bytes,
    report: Report,
    make: Callable[[Report, Body | None], _T | None],
    *,
    if_empty: str,
    markdown: bool = True,
) -> tuple[_T | None, tuple[Diagnostic, ...]]:
    """Read a file's bytes as what `make` makes of its data; None where an error is among the problems.

    `markdown` says that the data is front matter, and that the text below it is a body. `if_empty` is what to do where
    there is no data.
    """
    done = None
    body: Body | None = None
    if len(content) > LARGEST_FILE:
        report.add((1, 1), f"the file has more than {LARGEST_FILE:,} bytes")
        return None, in_order(report.problems)
    if markdown:
        content, body = front_matter(content, report)
        if body is None:
            return None, in_order(report.problems)
    report.document = parse(content, report.path, if_empty=if_empty)
    report.lines = content.decode("utf-8", "replace").splitlines()
    report.problems += report.document.problems
    if report.document.data is not None:
        done = make(report, body)
    problems = in_order(report.problems)
    return None if errors(problems) else done, problems


def tools_of(data: dict[str, object], key: str, report: Report) -> tuple[AnyTool, ...] | None:
    """Return the tools that a key lists, without what its format has refused; None where it is not there."""
    if key not in data:
        return None
    value = data[key]
    found: list[AnyTool] = []
    for index, word in enumerate(value if isinstance(value, list) else [value]):
        if not isinstance(word, str):
            continue
        try:
            found += parse_tool(word)
        except UnknownTool:
            continue  # The format has refused it.
        if told := old_name(word):
            report.add(report.document.position((key, index)), told, severity=WARNING)
    return tuple(found)


def check_body(body: Body, report: Report) -> None:
    """Report every wrong or misspelled `{{tool:...}}` of a text."""
    for placeholder, unknown in wrong_placeholders(body.text):
        report.add(body.at(placeholder.offset), f"{{{{tool:{placeholder.word}}}}} is no tool", unknown.help)
    check_words(body.text, body.at, report)


def check_words(text: str, at: Callable[[int], Position], report: Report) -> None:
    """Warn of old names, and of text that only looks like a placeholder. `at` gives the place of an offset."""
    for placeholder in placeholders(text):
        if told := old_name(placeholder.word.strip()):
            report.add(at(placeholder.offset), told, severity=WARNING)
    for found in prompt.nearly_placeholders(text):
        report.add(at(found.offset), f"{found.word} stays as it is", "write {{tool:Shell}}", severity=WARNING)


def filled(text: str, values: Mapping[str, str], at: Callable[[int], Position], report: Report) -> str:
    """Return the text with the values of its variables. Every variable without one is a problem."""
    unknown = [one for one in variables(text) if one.word.strip() not in values]
    for one in unknown:
        name = one.word.strip()
        meant = closest(name, values)
        help = f'did you mean "{meant}"?' if meant else 'write it under "vars", or give it with --var'
        report.add(at(one.offset), f"{{{{var:{name}}}}} has no value", help)
    if unknown:
        return text
    done = put_in(text, values)
    for placeholder, wrong in wrong_placeholders(done) if done != text else ():
        report.add(at(0), f"{{{{tool:{placeholder.word}}}}} is no tool", wrong.help)
    return done


_SCALAR = re.compile(r"[^\s,\]}#]+")

_NUMBER = re.compile(r"[-+]?[0-9.][0-9.eE+-]*")


def check_numbers(data: Any, path: Path, report: Report) -> None:
    """Warns of numbers in free front matter that were meant as text: `version: 1.10` is 1.1."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, item in inner:
        check_numbers(item, (*path, key), report)
        if isinstance(item, int | float) and not isinstance(item, bool):
            line, column = report.document.position((*path, key))
            written = _SCALAR.match(report.lines[line - 1], column - 1) if line <= len(report.lines) else None
            if written and written[0] != as_yaml(item) and _NUMBER.fullmatch(written[0]):
                said = f"{report.subject((*path, key))}is the number {as_yaml(item)}"
                report.add((line, column), said, f'put it in quotes to keep "{written[0]}"', severity=WARNING)
