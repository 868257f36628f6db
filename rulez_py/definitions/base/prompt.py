"""The text of a prompt: Markdown <-> sections, and the names of tools in it."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from rulez_py.definitions.base.mapping import OnMissing, map_tools
from rulez_py.definitions.base.tool import AnyTool, Platform, UnknownTool, parse_tool

_PLACEHOLDER = re.compile(r"(?P<escape>\\?)\{\{tool:(?P<word>[^{}\n]*)\}\}")
_NEARLY = re.compile(
    r"(?<!\\)(?:\{\{\{\s*tools?\s*(?:[:\s][^{}\n]*)?\}\}\}|\{\{\s*tools?\s*(?:[:\s][^{}\n]*)?\}\})", re.I
)
_HEADING = "##"


class Section(NamedTuple):
    """A part of a prompt: Markdown below a heading (`## title`), or without one where the title is "".

    `sections` follow its text, a heading deeper each.
    """

    title: str = ""
    text: str = ""
    sections: tuple[Section, ...] = ()


class Style(enum.StrEnum):
    """The form of a section's title."""

    Markdown = "markdown"
    XML = "xml"
    """`<title>` before its text, and `</title>` behind it."""


DEEPEST = 6
"""Markdown's deepest heading."""


def split(markdown: str) -> tuple[Section, ...]:
    """A prompt's sections: it is cut at its second-level headings, not at what only looks like one inside of code."""
    lines = _unix(markdown).split("\n")
    tokens = MarkdownIt("commonmark").parse("\n".join(lines))
    title, start, sections = "", 0, []
    for heading, content in pairwise(tokens):
        if _is_cut(heading) and content.content and heading.map:
            sections.append(Section(title, "\n".join(lines[start : heading.map[0]])))
            title, start = content.content, heading.map[1]
    sections.append(Section(title, "\n".join(lines[start:])))
    trimmed = (Section(one.title, _trimmed(one.text)) for one in sections)
    return tuple(one for one in trimmed if one.title or one.text)


def _is_cut(token: Token) -> bool:
    return token.type == "heading_open" and token.markup == _HEADING and token.level == 0


def join(sections: Iterable[Section], style: Style = Style.Markdown) -> str:
    """Return the text of a whole prompt, ending in a line end; "" where there is no section."""
    parts = list(_parts(sections, len(_HEADING), style))
    return "\n\n".join(parts) + "\n" if parts else ""


def _parts(sections: Iterable[Section], level: int, style: Style) -> Iterator[str]:
    """Headings and texts; with tags, each section that has a title as one text."""
    for one in sections:
        text = _trimmed(one.text)
        parts = [*([text] if text else ()), *_parts(one.sections, level + 1, style)]
        if not one.title:
            yield from parts
        elif style is Style.XML:
            name = tag(one.title)
            yield f"<{name}>\n" + "".join(f"{part}\n" for part in ["\n\n".join(parts)] if part) + f"</{name}>"
        else:
            yield f"{'#' * min(level, DEEPEST)} {one.title}"
            yield from parts


def tag(title: str) -> str:
    """Return a title as the name of an XML tag."""
    name = "_".join(filter(None, re.split(r"[^a-z0-9]+", title.lower())))
    return name if name[:1].isalpha() else f"section_{name}".rstrip("_")


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _trimmed(text: str) -> str:
    """Return the text without blank lines at its ends; the spaces a first line begins with may mean something."""
    lines = _unix(text).rstrip().split("\n")
    while lines and not lines[0].strip():
        del lines[0]
    return "\n".join(lines)


class Placeholder(NamedTuple):
    """`{{tool:WORD}}` in a prompt; `offset` is its place."""

    offset: int
    word: str

    @property
    def tools(self) -> tuple[AnyTool, ...]:
        """Its tool. Raises UnknownTool."""
        return parse_tool(self.word.strip())


def placeholders(text: str) -> Iterator[Placeholder]:
    """Yield those of a text; one with a backslash before it is literal text, written without the backslash."""
    for found in _PLACEHOLDER.finditer(text):
        if not found["escape"]:
            yield Placeholder(found.start(), found["word"])


def wrong_placeholders(text: str) -> Iterator[tuple[Placeholder, UnknownTool]]:
    """Yield those that name no tool, and why."""
    for placeholder in placeholders(text):
        try:
            parse_tool(placeholder.word.strip())
        except UnknownTool as unknown:
            yield placeholder, unknown


def nearly_placeholders(text: str) -> Iterator[Placeholder]:
    """Yield what was meant to be one, and stays as it is: `{{ tool:Shell }}`, `{{Tool:Shell}}`, `{{tool}}`."""
    for found in _NEARLY.finditer(text):
        if not _PLACEHOLDER.fullmatch(found[0]):
            yield Placeholder(found.start(), found[0])


def escaped(text: str) -> str:
    """Text that `fill` gives back as it is."""
    return _PLACEHOLDER.sub(lambda found: "\\" + found[0], text)


def fill(text: str, platform: Platform, *, on_missing: OnMissing | None = None) -> str:
    """Return the text with each `{{tool:Shell}}` replaced by the platform's names for that tool.

    Of a tool the platform lacks the universal name stays, and `on_missing` is called. Raises UnknownTool.
    """
    return filled(text, lambda tools: map_tools(tools, platform, on_missing=on_missing))


def filled(text: str, names_of: Callable[[tuple[AnyTool, ...]], list[str]]) -> str:
    """Return the text with each `{{tool:Shell}}` replaced by what `names_of` calls it.

    By the word where that is nothing.
    """

    def names(found: re.Match[str]) -> str:
        if found["escape"]:
            return found[0][1:]
        placeholder = Placeholder(found.start(), found["word"])
        return _listed(names_of(placeholder.tools)) or placeholder.word.strip()

    return _PLACEHOLDER.sub(names, text)


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""
