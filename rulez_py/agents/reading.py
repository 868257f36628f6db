"""A file -> an agent definition: YAML, or Markdown with front matter. Every problem at once, with its place."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from rulez_py.agents import prompt
from rulez_py.agents.definition import AgentDefinition, meant_key, why_no_name
from rulez_py.agents.format import FILE
from rulez_py.agents.harnesses import HARNESS_FILES
from rulez_py.agents.prompt import Section
from rulez_py.agents.source import Body, Report, check_body, check_words, front_matter, tools_of
from rulez_py.agents.tool import CustomTool, Harness
from rulez_py.generating.errors import WrongType
from rulez_py.platforms.agent_files import LARGEST_FILE
from rulez_py.written import kinds
from rulez_py.written.document import Path, Position, parse
from rulez_py.written.kinds import Refusal
from rulez_py.written.problems import WARNING, Problem, closest, errors, in_order, problem

_MARKDOWN, _YAML = (".md",), (".yaml", ".yml")
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
    report = Report(path, "the agent")
    body: Body | None = None
    if len(content) > LARGEST_FILE:
        report.add((1, 1), f"the file has more than {LARGEST_FILE:,} bytes")
        return Read(None, in_order(report.problems))
    if ending in _MARKDOWN:
        content, body = front_matter(content, report)
        if body is None:
            return Read(None, in_order(report.problems))
    report.document = parse(content, path, if_empty="write at least a description and a prompt")
    report.problems += report.document.problems
    if report.document.data is None:
        return Read(None, in_order(report.problems))
    agent = _agent(report, body)
    problems = in_order(report.problems)
    return Read(None if errors(problems) else agent, problems)


def _agent(report: Report, body: Body | None) -> AgentDefinition | None:
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


def _check_extra(key: str, report: Report) -> None:
    """Free front matter may have any key but one that was meant to be one of ours."""
    meant = meant_key(key) or (None if key in _WELL_KNOWN else closest(key, FILE.fields))
    if meant is not None:
        at = report.document.key_position((key,))
        report.add(at, f'unknown key "{key}"', f'did you mean "{meant}"?')


def _sections(data: dict[str, Any], done: Any, body: Body | None, report: Report) -> tuple[Section, ...]:
    given = [key for key in ("prompt", "sections") if key in data]
    if body is not None and given:
        at = report.document.key_position((given[0],))
        report.add(at, f'"{given[0]}" stands in a Markdown file', "its text below the front matter is the prompt")
    elif len(given) == 2:
        report.add(report.document.key_position(("sections",)), '"prompt" and "sections" are both there', "keep one")
    if body is not None:
        check_body(body, report)
        return prompt.split(body.text)
    done = done or {}
    if isinstance(done.get("sections"), list):
        return tuple(Section(one.get("title", ""), one.get("text", "")) for one in done["sections"] if one)
    return prompt.split(done.get("prompt") or "")


def _check_texts(data: dict[str, Any], report: Report) -> None:
    """The prompt of a YAML file. What names no tool, the format has refused."""
    texts: list[tuple[Path, Any]] = [(("prompt",), data.get("prompt"))]
    sections = data.get("sections")
    for index, one in enumerate(sections if isinstance(sections, list) else []):
        texts += [(("sections", index, key), value) for key, value in one.items()] if isinstance(one, dict) else []
    for path, text in texts:
        if isinstance(text, str):
            check_words(text, partial(_one_place, report.document.position(path)), report)


def _one_place(at: Position, _offset: int) -> Position:
    """The same for each offset: of a text in YAML only its beginning is known."""
    return at
