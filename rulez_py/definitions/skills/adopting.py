"""A skill of one platform -> a skill for all, and its SKILL.md for every platform."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from typing import Any

from rulez_py.definitions.base import composing, prompt
from rulez_py.definitions.base.mapping import tool_names
from rulez_py.definitions.base.names import why_no_name
from rulez_py.definitions.base.source import Body, Report, front_matter
from rulez_py.definitions.base.tool import AnyTool, CustomTool, Tool, spelled
from rulez_py.definitions.output import yamltext
from rulez_py.definitions.output.errors import InvalidAgent
from rulez_py.definitions.output.marks import marked, source_of
from rulez_py.definitions.skills.definition import SKILL_MD, Expands, Skill, SkillFile, meant_key, why_no_description
from rulez_py.definitions.skills.platforms import SKILL_FILES, platform_named
from rulez_py.definitions.skills.reading import Read
from rulez_py.documents import types
from rulez_py.documents.diagnostics import WARNING, errors, in_order
from rulez_py.documents.document import parse
from rulez_py.platforms import adapter

_TOOL_WORD = re.compile(r"[^\s,()]+(?:\([^()]*\))?")


def adopt(content: bytes, directory: str, platform: str, files: Sequence[SkillFile] = ()) -> Read:
    """Return the skill that a platform makes of a SKILL.md and the files beside it; `directory` as in `reading.read`.

    Written for it again, it is the same skill.

    Raises InvalidAgent for an unknown platform.
    """
    platform = platform_named(platform)
    directory = directory.replace("\\", "/").rstrip("/") or directory
    report = Report(posixpath.join(directory, SKILL_MD), "the skill")
    if marked(content):
        whose = source_of(content) or "Python"
        report.add((1, 1), f"it was written by rulez from {whose}", "that is the skill to keep")
    head, body = front_matter(content, report)
    if body is not None:
        report.document = parse(head, report.path, if_empty="write at least a description")
        report.problems += report.document.problems
    data = report.document.data
    if body is not None and data is not None and not isinstance(data, dict):
        report.add((1, 1), f"the front matter of a skill is a map with a description, not {types.described(data)}")
    skill = None
    if body is not None and isinstance(data, dict):
        skill = _skill(data, body, posixpath.basename(directory), platform, tuple(files), report)
    problems = in_order(report.problems)
    return Read(None if errors(problems) else skill, problems)


def _skill(
    data: dict[str, Any], body: Body, directory: str, platform: str, files: tuple[SkillFile, ...], report: Report
) -> Skill | None:
    name, description = data.pop("name", directory), data.pop("description", "")
    if not isinstance(name, str) or (why := why_no_name(name)):
        report.add((1, 1), f'the name "{name}" {why if isinstance(name, str) else "is no text"}', "rename it")
    if not isinstance(description, str) or (why := why_no_description(description)):
        said = why if isinstance(description, str) else "is no text"
        report.add(report.document.position(("description",)), f"its description {said}")
    tools = _tools(data, platform)
    for key in [key for key in data if meant_key(key)]:
        said = f'"{key}" does nothing with {adapter(platform).AGENT}, so it is left out'
        report.add(report.document.key_position((key,)), said, severity=WARNING)
        del data[key]
    text, expands = _text(body.text, platform)
    if errors(tuple(report.problems)):
        return None
    try:
        return Skill(
            name=name,
            description=description,
            tools=tools,
            expands=expands,
            front_matter=data,
            text=text,
            files=files,
        )
    except InvalidAgent as refused:
        report.add((1, 1), str(refused))
        return None


def _tools(data: dict[str, Any], platform: str) -> tuple[AnyTool, ...] | None:
    """Return the tools that need no question. Takes their key out of the data where it says no more than that."""
    permits = SKILL_FILES[platform].permits
    value = data.get(permits)
    words = _TOOL_WORD.findall(value) if isinstance(value, str) else value
    if not isinstance(words, list):
        return None
    try:
        tools = tuple(_tool(word, platform) for word in words)
    except (TypeError, ValueError):
        return None
    data.pop(permits, None)
    return tools or None


def _tool(word: str, platform: str) -> AnyTool:
    """Return the universal tool of that name, a tool of its own without one. Raises ValueError, TypeError."""
    return next((tool for tool in Tool if tool_names([tool], platform) == [word]), None) or CustomTool(word)


def _text(text: str, platform: str) -> tuple[str, tuple[Expands, ...]]:
    """Return the text with rulez' placeholders escaped, and the parts that the platform would replace."""
    files = SKILL_FILES[platform]
    expands: list[Expands] = ["commands"] if files.commands and files.commands.search(text) else []
    keeps = files.keeps_arguments
    arguments = files.arguments.finditer(text) if files.arguments else ()
    live = any(not keeps or len(found["slashes"]) != 1 for found in arguments)
    if live or (files.values and files.values.search(text)):
        expands.append("arguments")
    elif files.arguments and keeps:
        text = files.arguments.sub(lambda found: found[0][1:], text)
    return prompt.escaped(text), tuple(expands)


def source(skill: Skill) -> str:
    """Return the SKILL.md that says a skill for every platform: read again it is the same.

    But for what one of them would run while it loads the text: a person has to confirm that.
    """
    head: dict[str, Any] = {"name": skill.name, "description": skill.description}
    if skill.tools is not None:
        head["tools"] = [spelled(tool) for tool in skill.tools]
    if skill.expands:
        head["expands"] = list(skill.expands)
    if skill.platforms:
        head["platforms"] = dict(skill.platforms)
    head |= dict(skill.front_matter)
    text = composing.kept(skill.text)
    return f"---\n{yamltext.mapping(head)}---\n" + (f"\n{text}" if text else "")
