"""A file -> an agent definition: YAML, or Markdown with front matter. Every problem at once, with its place."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from rulez_py.agents import prompt
from rulez_py.agents.definition import AgentDefinition, meant_key, why_no_name
from rulez_py.agents.format import FILE
from rulez_py.agents.harnesses import HARNESS_FILES
from rulez_py.agents.prompt import Section, placeholders, wrong_placeholders
from rulez_py.agents.tool import AnyTool, CustomTool, Harness, UnknownTool, old_name, parse_tool
from rulez_py.generating.errors import WrongType
from rulez_py.platforms.agent_files import LARGEST_FILE
from rulez_py.written import kinds
from rulez_py.written.document import Document, Path, Position, parse
from rulez_py.written.kinds import Refusal
from rulez_py.written.problems import ERROR, WARNING, Problem, choice_help, closest, errors, in_order, problem

_MARKDOWN, _YAML = (".md",), (".yaml", ".yml")
_FENCE = "---"
_WELL_KNOWN = frozenset(key for file in HARNESS_FILES.values() for key in file.known)


@dataclass(frozen=True)
class Read:
    """A file, read: the agent, None where an error is among the `problems`."""

    agent: AgentDefinition | None
    problems: tuple[Problem, ...]


def read(content: bytes, path: str) -> Read:
    """The agent that a file's bytes define. `path` is its name in the problems; its ending says what it is.

    Raises WrongType for content that is no bytes.
    """
    if not isinstance(content, bytes | bytearray | memoryview):
        raise WrongType(f"the content of a file is bytes, not {type(content).__name__}")
    content = bytes(content)
    ending = os.path.splitext(path)[1].lower()
    if ending not in (*_MARKDOWN, *_YAML):
        said = f'"{ending}" is no ending of an agent definition' if ending else "the file's name has no ending"
        return Read(None, (problem(path, (1, 1), said, f"it is one of {', '.join((*_MARKDOWN, *_YAML))}"),))
    report = _Report(path)
    body: _Body | None = None
    if len(content) > LARGEST_FILE:
        report.add((1, 1), f"the file has more than {LARGEST_FILE:,} bytes")
        return Read(None, in_order(report.problems))
    if ending in _MARKDOWN:
        content, body = _front_matter(content, report)
        if body is None:
            return Read(None, in_order(report.problems))
    report.document = parse(content, path, if_empty="write at least a description and a prompt")
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


@dataclass
class _Report:
    """The problems of one file, found so far."""

    path: str
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
            help = choice_help(str(path[-2]), refusal.choices) if refusal.choices else refusal.help
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
    for harness, more in done.get("platforms", {}).items() if done else ():
        for key in more or ():
            if meant := meant_key(key):
                at = report.document.key_position(("platforms", harness, key))
                said = f'"platforms.{harness}.{key}" says in other words what "{meant}" says'
                report.add(at, said, "write that")
    sections = _sections(data, done, body, report)
    if body is None:
        _check_texts(data, report)
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
        description=done["description"],
        model={Harness(key): value for key, value in model.items()} if isinstance(model, dict) else model,
        temperature=done.get("temperature"),
        max_tokens=done.get("maxTokens"),
        tools=None if tools["tools"] is None else (*tools["tools"], *_mcp(servers)),
        disallowed_tools=tools["disallowedTools"] or (),
        front_matter=extra,
        platforms={Harness(key): value for key, value in done.get("platforms", {}).items()},
        sections=sections,
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


def _sections(data: dict[str, Any], done: Any, body: _Body | None, report: _Report) -> tuple[Section, ...]:
    given = [key for key in ("prompt", "sections") if key in data]
    if body is not None and given:
        at = report.document.key_position((given[0],))
        report.add(at, f'"{given[0]}" stands in a Markdown file', "its text below the front matter is the prompt")
    elif len(given) == 2:
        report.add(report.document.key_position(("sections",)), '"prompt" and "sections" are both there', "keep one")
    if body is not None:
        _check_body(body, report)
        return prompt.split(body.text)
    done = done or {}
    if isinstance(done.get("sections"), list):
        return tuple(Section(one.get("title", ""), one.get("text", "")) for one in done["sections"] if one)
    return prompt.split(done.get("prompt") or "")


def _check_texts(data: dict[str, Any], report: _Report) -> None:
    """The prompt of a YAML file. What names no tool, the format has refused."""
    texts: list[tuple[Path, Any]] = [(("prompt",), data.get("prompt"))]
    sections = data.get("sections")
    for index, one in enumerate(sections if isinstance(sections, list) else []):
        texts += [(("sections", index, key), value) for key, value in one.items()] if isinstance(one, dict) else []
    for path, text in texts:
        if isinstance(text, str):
            _check_words(text, partial(_one_place, report.document.position(path)), report)


def _one_place(at: Position, _offset: int) -> Position:
    """The same for each offset: of a text in YAML only its beginning is known."""
    return at


def _check_body(body: _Body, report: _Report) -> None:
    def at(offset: int) -> Position:
        before = body.text[:offset]
        return body.line + before.count("\n"), len(before) - before.rfind("\n")

    for placeholder, unknown in wrong_placeholders(body.text):
        report.add(at(placeholder.offset), f"{{{{tool:{placeholder.word}}}}} is no tool", unknown.help)
    _check_words(body.text, at, report)


def _check_words(text: str, at: Callable[[int], Position], report: _Report) -> None:
    """Warns of old names, and of what is no placeholder but looks like one. `at` says where an offset stands."""
    for placeholder in placeholders(text):
        if told := old_name(placeholder.word.strip()):
            report.add(at(placeholder.offset), told, severity=WARNING)
    for found in prompt.nearly_placeholders(text):
        report.add(at(found.offset), f"{found.word} stays as it is", "write {{tool:Shell}}", severity=WARNING)
