"""A file -> an agent definition: YAML, or Markdown with front matter. Every problem at once, with its place."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from rulez_py.definitions.agents.definition import AgentDefinition, meant_key
from rulez_py.definitions.agents.format import FILE
from rulez_py.definitions.base import prompt
from rulez_py.definitions.base.composing import CannotTake, Files, no_files
from rulez_py.definitions.base.names import why_no_name
from rulez_py.definitions.base.platforms import AGENT_FILES
from rulez_py.definitions.base.prompt import Section, Style
from rulez_py.definitions.base.source import (
    Body,
    Report,
    check_body,
    check_numbers,
    check_words,
    filled,
    read_whole,
    tools_of,
)
from rulez_py.definitions.base.tool import CustomTool, Platform
from rulez_py.definitions.output.errors import WrongType
from rulez_py.documents import types
from rulez_py.documents.diagnostics import WARNING, Diagnostic, closest, diagnostic, errors
from rulez_py.documents.document import Path, Position
from rulez_py.documents.types import Refusal

_MARKDOWN, _YAML = (".md",), (".yaml", ".yml")
_WELL_KNOWN = frozenset(key for file in AGENT_FILES.values() for key in file.known)


@dataclass(frozen=True)
class Read:
    """A file, read: the agent, None where an error is among the `problems`."""

    agent: AgentDefinition | None
    problems: tuple[Diagnostic, ...]


def read(
    content: bytes, path: str, *, files: Files = no_files, variables: Mapping[str, str] = MappingProxyType({})
) -> Read:
    """Return the agent that a file's bytes define. `path` is its name in the problems; its ending says what it is.

    `files` gives the texts of the files that its sections come from, `variables` values for `{{var:NAME}}` that win
    over its own. Raises WrongType for content that is no bytes.
    """
    if not isinstance(content, bytes | bytearray | memoryview):
        raise WrongType(f"the content of a file is bytes, not {type(content).__name__}")
    content = bytes(content)
    ending = os.path.splitext(path)[1].lower()
    if ending not in (*_MARKDOWN, *_YAML):
        said = f'"{ending}" is no ending of an agent definition' if ending else "the file's name has no ending"
        return Read(None, (diagnostic(path, (1, 1), said, f"it is one of {', '.join((*_MARKDOWN, *_YAML))}"),))
    parts = _Parts(files, variables)
    agent, problems = read_whole(
        content,
        Report(path, "the agent"),
        lambda report, body: _agent(report, body, parts),
        if_empty="write at least a description and a prompt",
        markdown=ending in _MARKDOWN,
    )
    return Read(agent, problems)


@dataclass(frozen=True)
class _Parts:
    """Inputs of a definition beside itself: files, and values that win over its own."""

    files: Files
    values: Mapping[str, str]


def _agent(report: Report, body: Body | None, parts: _Parts) -> AgentDefinition | None:
    data = report.document.data
    if not isinstance(data, dict):
        report.add((1, 1), f"an agent definition is a map with a description, not {types.described(data)}")
        return None
    known = {key: value for key, value in data.items() if key in FILE.fields}
    extra = {key: value for key, value in data.items() if key not in FILE.fields}
    stem = os.path.basename(report.path).split(".")[0]
    if "name" not in known:
        if why := why_no_name(stem):
            report.add((1, 1), f'"{stem}", the name of this file, {why}', "rename it, or give the agent a name")
        known["name"] = stem if not why else "nameless"
    refusals: list[Refusal] = []
    done = types.read(FILE, known, (), refusals)
    for refusal in refusals:
        report.refusal(refusal)
    for key in extra:
        _check_extra(key, report)
    check_numbers(extra, (), report)
    parts = replace(parts, values={**((done or {}).get("vars") or {}), **parts.values})
    for platform, more in done.get("platforms", {}).items() if done else ():
        for key in more or ():
            if meant := meant_key(key):
                at = report.document.key_position(("platforms", platform, key))
                said = f'"platforms.{platform}.{key}" says in other words what "{meant}" says'
                report.add(at, said, "write that")
    sections = _sections(data, done, body, parts, report)
    description = _text((done or {}).get("description"), ("description",), parts, report)
    tools = {key: tools_of(data, key, report) for key in ("tools", "disallowedTools")}
    if errors(tuple(report.problems)):
        return None
    model = done.get("model")
    servers = done.get("mcp", ())
    if servers and tools["tools"] is None:
        help = "write `tools: []` for an agent that has nothing else, or leave `mcp` out"
        at = report.document.key_position(("mcp",))
        report.add(at, '"mcp" adds to "tools", without which it has every tool', help, severity=WARNING)
    return AgentDefinition(
        name=done["name"],
        description=description,
        model={Platform(key): value for key, value in model.items()} if isinstance(model, dict) else model,
        temperature=done.get("temperature"),
        max_tokens=done.get("maxTokens"),
        tools=None if tools["tools"] is None else (*tools["tools"], *_mcp(servers)),
        disallowed_tools=tools["disallowedTools"] or (),
        front_matter=extra,
        platforms={Platform(key): value for key, value in done.get("platforms", {}).items()},
        sections=sections,
        policy=done.get("policy", ()),
        section_style=_style(done.get("sectionStyle", Style.Markdown)),
    )


def _mcp(servers: Iterable[dict[str, Any]]) -> Iterator[CustomTool]:
    """Yield the tools that `mcp` names; a server alone is all of its tools."""
    for one in servers:
        tools = one.get("tools", [""])
        for tool in tools:
            yield CustomTool("__".join(filter(None, ("mcp", one["server"], tool))))


def _check_extra(key: str, report: Report) -> None:
    """Report keys of free front matter that are misspelled keys of rulez."""
    meant = meant_key(key) or (None if key in _WELL_KNOWN else closest(key, FILE.fields))
    if meant is not None:
        at = report.document.key_position((key,))
        report.add(at, f'unknown key "{key}"', f'did you mean "{meant}"?')


def _style(written: Any) -> Any:
    """As definitions take it."""
    return {Platform(key): Style(one) for key, one in written.items()} if isinstance(written, dict) else Style(written)


def _sections(data: dict[str, Any], done: Any, body: Body | None, parts: _Parts, report: Report) -> tuple[Section, ...]:
    given = [key for key in ("prompt", "sections") if key in data]
    if body is not None and given:
        at = report.document.key_position((given[0],))
        report.add(at, f'"{given[0]}" is written in a Markdown file', "its text below the front matter is the prompt")
    elif len(given) == 2:
        report.add(report.document.key_position(("sections",)), '"prompt" and "sections" are both there', "keep one")
    if body is not None:
        check_body(body, report)
        return prompt.split(filled(body.text, parts.values, body.at, report))
    written = (done or {}).get("sections")
    if isinstance(written, list):
        return tuple(_each_section(written, ("sections",), parts, report))
    return prompt.split(_text((done or {}).get("prompt"), ("prompt",), parts, report))


def _text(written: str | None, path: Path, parts: _Parts, report: Report) -> str:
    """Return a text of YAML; only the place of its beginning is known."""
    at = partial(_one_place, report.document.position(path))
    check_words(written or "", at, report)
    return filled(written or "", parts.values, at, report)


def _each_section(written: list[Any], path: Path, parts: _Parts, report: Report) -> Iterator[Section]:
    """Yield the sections of a list; one that comes from a file alone may be several."""
    for index, one in enumerate(written):
        here = (*path, index)
        if not isinstance(one, dict):
            continue
        if not one.keys() & {"text", "from", "sections"}:
            report.add(report.document.position(here), f"{report.subject(here)}has no text", "add one")
            continue

        title, text = (_text(one.get(key), (*here, key), parts, report) for key in ("title", "text"))
        taken = _taken(one, here, parts, report)
        inner = tuple(_each_section(one.get("sections") or [], (*here, "sections"), parts, report))
        if "sections" in one and "title" not in one:
            report.add(
                report.document.position(here), f"{report.subject(here)}has sections and no title", "give it one"
            )
        elif "sections" in one and len(here) > _DEEPEST_PATH:
            report.add(report.document.position(here), f"{report.subject(here)}is deeper than headings go", "")
        if title or inner:
            yield Section(title, "\n\n".join(filter(None, (text, taken))), inner)
        else:
            yield from (Section("", text),) if "text" in one else ()
            yield from prompt.split(taken)


_DEEPEST_PATH = 2 * (prompt.DEEPEST - 2)
"""Segments of the path of a section that may have sections in it: ("sections", 0, "sections", 2, ...)."""


def _taken(one: dict[str, Any], here: Path, parts: _Parts, report: Report) -> str:
    """Return the text of the file that a section comes from."""
    name = one.get("from")
    if not isinstance(name, str):
        return ""
    try:
        text = parts.files(name)
    except CannotTake as error:
        report.add(report.document.position((*here, "from")), f'"{name}" {error}')
        return ""
    part = Report(os.path.join(os.path.dirname(report.path), name), report.what)
    body = Body(text, 1)
    check_body(body, part)
    text = filled(text, parts.values, body.at, part)
    report.problems += part.problems
    return text


def _one_place(at: Position, _offset: int) -> Position:
    """Return the same for each offset: of a text in YAML only its beginning is known."""
    return at
