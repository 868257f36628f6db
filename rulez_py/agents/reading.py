"""A file -> an agent definition: YAML, or Markdown with front matter. Every problem at once, with its place."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any

from rulez_py.agents import prompt
from rulez_py.agents.composing import CannotTake, Files, no_files, put_in, variables
from rulez_py.agents.definition import AgentDefinition, meant_key, why_no_name
from rulez_py.agents.format import FILE
from rulez_py.agents.harnesses import HARNESS_FILES
from rulez_py.agents.prompt import Section, Style, placeholders, wrong_placeholders
from rulez_py.agents.tool import AnyTool, CustomTool, Harness, UnknownTool, old_name, parse_tool
from rulez_py.generating.errors import WrongType
from rulez_py.generating.yamltext import value as as_yaml
from rulez_py.platforms.agent_files import LARGEST_FILE
from rulez_py.written import kinds
from rulez_py.written.document import Document, Path, Position, parse
from rulez_py.written.kinds import Refusal
from rulez_py.written.problems import ERROR, WARNING, Problem, choice_help, closest, errors, in_order, problem

_MARKDOWN, _YAML = (".md",), (".yaml", ".yml")
_FENCE = "---"
_SCALAR = re.compile(r"[^\s,\]}#]+")
_NUMBER = re.compile(r"[-+]?[0-9.][0-9.eE+-]*")
_WELL_KNOWN = frozenset(key for file in HARNESS_FILES.values() for key in file.known)


@dataclass(frozen=True)
class Read:
    """A file, read: the agent, None where an error is among the `problems`."""

    agent: AgentDefinition | None
    problems: tuple[Problem, ...]


def read(
    content: bytes, path: str, *, files: Files = no_files, variables: Mapping[str, str] = MappingProxyType({})
) -> Read:
    """The agent that a file's bytes define. `path` is its name in the problems; its ending says what it is.

    `files` gives the texts of the files that its sections come from, `variables` values for `{{var:NAME}}` that win
    over its own. Raises WrongType for content that is no bytes.
    """
    if not isinstance(content, bytes | bytearray | memoryview):
        raise WrongType(f"the content of a file is bytes, not {type(content).__name__}")
    content = bytes(content)
    ending = os.path.splitext(path)[1].lower()
    if ending not in (*_MARKDOWN, *_YAML):
        said = f'"{ending}" is no ending of an agent definition' if ending else "the file's name has no ending"
        return Read(None, (problem(path, (1, 1), said, f"it is one of {', '.join((*_MARKDOWN, *_YAML))}"),))
    report = _Report(path, files, variables)
    body: _Body | None = None
    if len(content) > LARGEST_FILE:
        report.add((1, 1), f"the file has more than {LARGEST_FILE:,} bytes")
        return Read(None, in_order(report.problems))
    if ending in _MARKDOWN:
        content, body = _front_matter(content, report)
        if body is None:
            return Read(None, in_order(report.problems))
    report.document = parse(content, path, if_empty="write at least a description and a prompt")
    report.lines = content.decode("utf-8", "replace").splitlines()
    report.problems += report.document.problems
    if report.document.data is None:
        return Read(None, in_order(report.problems))
    agent = _agent(report, body)
    problems = in_order(report.problems)
    return Read(None if errors(problems) else agent, problems)


@dataclass(frozen=True)
class _Body:
    """What follows the front matter, and the line it begins on."""

    text: str
    line: int

    def at(self, offset: int) -> Position:
        before = self.text[:offset]
        return self.line + before.count("\n"), len(before) - before.rfind("\n")


@dataclass
class _Report:
    """The problems of one file, found so far."""

    path: str
    files: Files
    variables: Mapping[str, str]
    lines: list[str] = field(default_factory=list)
    document: Document = field(default_factory=lambda: Document(None, []))
    problems: list[Problem] = field(default_factory=list)

    def add(self, at: Position, message: str, help: str = "", *, severity: str = ERROR) -> None:
        self.problems.append(problem(self.path, at, message, help, severity=severity))

    def refusal(self, refusal: Refusal) -> None:
        path = refusal.path
        if refusal.kind == kinds.MISSING:
            self.add(self.document.position(path[:-1]), f"{_subject(path[:-1])}has no {path[-1]}", "add one")
        elif refusal.kind == kinds.UNKNOWN:
            self.add(self.document.key_position(path), f'unknown key "{path[-1]}" in {_subject(path[:-1])}'.rstrip())
        elif refusal.value is None:
            self.add(self.document.position(path), f"{_subject(path)}has no value", "give it one, or remove the key")
        else:
            help = choice_help(str(refusal.value), refusal.choices) if refusal.choices else refusal.help
            self.add(self.document.position(path), f"{_subject(self.document.present(path))}{refusal.predicate}", help)


def _subject(path: Path) -> str:
    """`"platforms.claude" `: the keys of a path; "the agent " for the file itself."""
    keys = [str(segment + 1) if isinstance(segment, int) else segment for segment in path if segment != "[key]"]
    return f'"{".".join(keys)}" ' if keys else "the agent "


def _front_matter(content: bytes, report: _Report) -> tuple[bytes, _Body | None]:
    """The front matter, on the lines on which it stands, and the body; None where there is no front matter."""
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
    return b"\n" + b"".join(lines[1 : fences[1]]), _Body(text, fences[1] + 2)


def _agent(report: _Report, body: _Body | None) -> AgentDefinition | None:
    data = report.document.data
    if not isinstance(data, dict):
        report.add((1, 1), f"an agent definition is a map with a description, not {kinds.described(data)}")
        return None
    known = {key: value for key, value in data.items() if key in FILE.fields}
    extra = {key: value for key, value in data.items() if key not in FILE.fields}
    stem = os.path.basename(report.path).split(".")[0]
    if "name" not in known:
        if why := why_no_name(stem):
            report.add((1, 1), f'"{stem}", the name of this file, {why}', "rename it, or give the agent a name")
        known["name"] = stem if not why else "nameless"
    refusals: list[Refusal] = []
    done = kinds.read(FILE, known, (), refusals)
    for refusal in refusals:
        report.refusal(refusal)
    for key in extra:
        _check_extra(key, report)
    _check_numbers(extra, (), report)
    values = {**((done or {}).get("vars") or {}), **report.variables}
    for harness, more in done.get("platforms", {}).items() if done else ():
        for key in more or ():
            if meant := meant_key(key):
                at = report.document.key_position(("platforms", harness, key))
                said = f'"platforms.{harness}.{key}" says in other words what "{meant}" says'
                report.add(at, said, "write that")
    sections = _sections(data, done, body, values, report)
    description = str((done or {}).get("description", ""))
    description = _filled(description, values, partial(_one_place, report.document.position(("description",))), report)
    tools = {key: _tools(data, key, report) for key in ("tools", "disallowedTools")}
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
        model={Harness(key): value for key, value in model.items()} if isinstance(model, dict) else model,
        temperature=done.get("temperature"),
        max_tokens=done.get("maxTokens"),
        tools=None if tools["tools"] is None else (*tools["tools"], *_mcp(servers)),
        disallowed_tools=tools["disallowedTools"] or (),
        front_matter=extra,
        platforms={Harness(key): value for key, value in done.get("platforms", {}).items()},
        sections=sections,
        section_style=_style(done.get("sectionStyle", Style.Markdown)),
    )


def _mcp(servers: Iterable[dict[str, Any]]) -> Iterator[CustomTool]:
    """The tools that `mcp` names; a server alone is all of its tools."""
    for one in servers:
        tools = one.get("tools", [""])
        for tool in tools:
            yield CustomTool("__".join(filter(None, ("mcp", one["server"], tool))))


def _check_extra(key: str, report: _Report) -> None:
    """Free front matter may have any key but one that was meant to be one of ours."""
    meant = meant_key(key) or (None if key in _WELL_KNOWN else closest(key, FILE.fields))
    if meant is not None:
        at = report.document.key_position((key,))
        report.add(at, f'unknown key "{key}"', f'did you mean "{meant}"?')


def _tools(data: dict[str, Any], key: str, report: _Report) -> tuple[AnyTool, ...] | None:
    if key not in data:
        return None
    written = data[key] if isinstance(data[key], list) else [data[key]]
    found: list[AnyTool] = []
    for index, word in enumerate(written):
        if not isinstance(word, str):
            continue
        try:
            found += parse_tool(word)
        except UnknownTool:
            continue  # The format has refused it.
        if told := old_name(word):
            report.add(report.document.position((key, index)), told, severity=WARNING)
    return tuple(found)


def _check_numbers(data: Any, path: Path, report: _Report) -> None:
    """Warns of numbers in free front matter that were meant as text: `version: 1.10` is 1.1."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, item in inner:
        _check_numbers(item, (*path, key), report)
        if isinstance(item, int | float) and not isinstance(item, bool):
            line, column = report.document.position((*path, key))
            written = _SCALAR.match(report.lines[line - 1], column - 1) if line <= len(report.lines) else None
            if written and written[0] != as_yaml(item) and _NUMBER.fullmatch(written[0]):
                said = f"{_subject((*path, key))}is the number {as_yaml(item)}"
                report.add((line, column), said, f'put it in quotes to keep "{written[0]}"', severity=WARNING)


def _style(written: Any) -> Any:
    """As definitions take it."""
    return {Harness(key): Style(one) for key, one in written.items()} if isinstance(written, dict) else Style(written)


def _sections(
    data: dict[str, Any], done: Any, body: _Body | None, values: Mapping[str, str], report: _Report
) -> tuple[Section, ...]:
    given = [key for key in ("prompt", "sections") if key in data]
    if body is not None and given:
        at = report.document.key_position((given[0],))
        report.add(at, f'"{given[0]}" stands in a Markdown file', "its text below the front matter is the prompt")
    elif len(given) == 2:
        report.add(report.document.key_position(("sections",)), '"prompt" and "sections" are both there', "keep one")
    if body is not None:
        for placeholder, unknown in wrong_placeholders(body.text):
            report.add(body.at(placeholder.offset), f"{{{{tool:{placeholder.word}}}}} is no tool", unknown.help)
        return prompt.split(_filled(body.text, values, body.at, report))
    written = (done or {}).get("sections")
    if isinstance(written, list):
        return tuple(_each_section(written, ("sections",), values, report))
    at_prompt = partial(_one_place, report.document.position(("prompt",)))
    return prompt.split(_filled((done or {}).get("prompt") or "", values, at_prompt, report))


def _each_section(written: list[Any], path: Path, values: Mapping[str, str], report: _Report) -> Iterator[Section]:
    """The sections of a list; one that comes from a file alone may be several."""
    for index, one in enumerate(written):
        here = (*path, index)
        if not isinstance(one, dict):
            continue
        if not one.keys() & {"text", "from", "sections"}:
            report.add(report.document.position(here), f"{_subject(here)}has no text", "add one")
            continue

        def filled(key: str, one: dict[str, Any] = one, here: Path = here) -> str:
            return _filled(
                one.get(key) or "", values, partial(_one_place, report.document.position((*here, key))), report
            )

        title, text, taken = filled("title"), filled("text"), _taken(one, here, values, report)
        inner = tuple(_each_section(one.get("sections") or [], (*here, "sections"), values, report))
        if "sections" in one and "title" not in one:
            report.add(report.document.position(here), f"{_subject(here)}has sections and no title", "give it one")
        elif "sections" in one and len(here) > _DEEPEST_PATH:
            report.add(report.document.position(here), f"{_subject(here)}is deeper than headings go", "")
        if title or inner:
            yield Section(title, "\n\n".join(filter(None, (text, taken))), inner)
        else:
            yield from (Section("", text),) if "text" in one else ()
            yield from prompt.split(taken)


_DEEPEST_PATH = 2 * (prompt.DEEPEST - 2)
"""Segments of the path of a section that may have sections in it: ("sections", 0, "sections", 2, ...)."""


def _taken(one: dict[str, Any], here: Path, values: Mapping[str, str], report: _Report) -> str:
    """The text of the file that a section comes from."""
    name = one.get("from")
    if not isinstance(name, str):
        return ""
    try:
        text = report.files(name)
    except CannotTake as error:
        report.add(report.document.position((*here, "from")), f'"{name}" {error}')
        return ""
    part = _Report(os.path.join(os.path.dirname(report.path), name), report.files, values)
    at = _Body(text, 1).at
    for placeholder, unknown in wrong_placeholders(text):
        part.add(at(placeholder.offset), f"{{{{tool:{placeholder.word}}}}} is no tool", unknown.help)
    text = _filled(text, values, at, part)
    report.problems += part.problems
    return text


def _one_place(at: Position, _offset: int) -> Position:
    """The same for each offset: of a text in YAML only its beginning is known."""
    return at


def _filled(text: str, values: Mapping[str, str], at: Callable[[int], Position], report: _Report) -> str:
    """The text with the values of its variables. Warns of old names, and of what is no placeholder but looks like one.

    `at` says where an offset stands.
    """
    for placeholder in placeholders(text):
        if told := old_name(placeholder.word.strip()):
            report.add(at(placeholder.offset), told, severity=WARNING)
    for found in prompt.nearly_placeholders(text):
        report.add(at(found.offset), f"{found.word} stays as it is", "write {{tool:Shell}}", severity=WARNING)
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
