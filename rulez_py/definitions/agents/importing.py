"""The file of a platform -> a definition, and the parts of the file that a definition cannot say."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rulez_py.definitions.agents.definition import AgentDefinition, meant_key
from rulez_py.definitions.agents.reading import read
from rulez_py.definitions.agents.writers import render
from rulez_py.definitions.base import prompt
from rulez_py.definitions.base.composing import kept
from rulez_py.definitions.base.names import why_no_name
from rulez_py.definitions.base.notes import CannotSay, Note
from rulez_py.definitions.base.platforms import AGENT_FILES
from rulez_py.definitions.base.source import Report, front_matter
from rulez_py.definitions.base.tool import Platform, Tool, spelled
from rulez_py.definitions.base.variants import variants
from rulez_py.definitions.output import yamltext
from rulez_py.definitions.output.errors import AgentError, InvalidAgent
from rulez_py.definitions.output.marks import marked, origin, source_of
from rulez_py.documents.diagnostics import errors, in_order
from rulez_py.documents.document import parse
from rulez_py.platforms import adapter
from rulez_py.platforms.agent_files import EVERY_TOOL, LARGEST_FILE, NOTHING
from rulez_py.platforms.tool_table import AGENT_FILE_NAMES, INBOUND, REQUIRED, rule_names
from rulez_py.renamed import takes

_ALL = "*"


@dataclass(frozen=True)
class Imported:
    """A definition as it is to be kept: `text` is a Markdown file. `notes` are what it says otherwise than the file."""

    agent: AgentDefinition
    text: str
    notes: tuple[Note, ...]


def platform_at(path: str) -> Platform | None:
    """Return the platform that loads a file there; None where none does."""
    directory = os.path.dirname(path.replace(os.sep, "/"))
    for platform, file in AGENT_FILES.items():
        places = (file.directory, file.user_directory)
        if path.endswith(file.ending) and any(f"/{directory}".endswith(f"/{place}") for place in places):
            return platform
    return None


@takes(harness="platform")
def imported(content: bytes, path: str, platform: Platform) -> Imported:
    """Return the definition that makes what a platform's Markdown file says. `path` is its name in errors.

    Raises InvalidAgent with every problem and its place, for what is no such file, or was written by rulez.
    """
    if marked(content):
        raise InvalidAgent(f"{path} was written by rulez from {source_of(content) or 'Python'}: that is the definition")
    head, body = _parts(content, path)
    file, title = AGENT_FILES[platform], adapter(platform).AGENT
    notes: list[Note] = []
    name = head.get(file.keys.get("name", ""), os.path.basename(path).removesuffix(file.ending))
    if not isinstance(name, str) or why_no_name(name):
        raise InvalidAgent(f'{path}: the name "{name}" {why_no_name(str(name)) or "is no text"}')
    data: dict[str, Any] = {"name": name, **_said(head, platform)}
    own = {key: value for key, value in head.items() if key not in file.keys.values()}
    for key in [key for key in own if meant_key(str(key))]:
        notes.append(_note(name, title, f"{key} is left out: {title} knows no such key, and a definition no other use"))
        del own[key]
    if own:
        data["platforms"] = {platform.value: own}
    text = kept(prompt.escaped(body))
    written = f"---\n{origin(content, path)}{yamltext.mapping(data)}---\n" + (f"\n{text}" if text.strip() else "")
    done = read(written.encode(), f"{name}.md")
    if done.agent is None:
        listed = "; ".join(one.text for one in errors(done.problems))
        raise InvalidAgent(f"{path}: no definition can say this: {listed}")
    return Imported(done.agent, written, (*notes, *_differences(done.agent, head, body, platform)))


def _note(name: str, title: str, text: str) -> Note:
    return Note(f"{name}, {title}: {text}", grave=True)


def _parts(content: bytes, path: str) -> tuple[dict[str, Any], str]:
    """Return the front matter as data, and what follows it. Raises InvalidAgent."""
    report = Report(path, "the agent")
    if len(content) > LARGEST_FILE:
        report.add((1, 1), f"the file has more than {LARGEST_FILE:,} bytes")
    else:
        head, body = front_matter(content, report)
        if body is not None:
            report.document = parse(head, path, if_empty="there is nothing between the lines of ---")
            report.problems += report.document.problems
            if isinstance(report.document.data, dict) and not errors(tuple(report.problems)):
                return report.document.data, body.text
            if not report.problems:
                report.add((1, 1), "the front matter is no map")
    raise InvalidAgent("\n".join(one.labelled for one in in_order(report.problems)))


def _said(head: Mapping[str, Any], platform: Platform) -> dict[str, Any]:
    """Return the values of a platform's keys under rulez' keys."""
    file = AGENT_FILES[platform]
    data: dict[str, Any] = {}
    for field, key in file.keys.items():
        if field == "name" or key not in head:
            continue
        value = head[key]
        if field == "tools":
            data.update(_tools(value, platform))
        elif field == "disallowed_tools":
            data["disallowedTools"] = [spelled(tool) for tool in variants(_listed(value), platform)]
        elif field == "model":
            if value not in (None, "", "inherit"):
                data["model"] = {platform.value: value}
        else:
            data["maxTokens" if field == "max_tokens" else field] = value
    return data


def _tools(value: Any, platform: Platform) -> dict[str, Any]:
    if isinstance(value, dict):
        on = [str(name) for name, state in value.items() if state is True and name != _ALL]
        off = [str(name) for name, state in value.items() if state is False and name != _ALL]
        data = {}
        if value.get(_ALL) is False:
            data["tools"] = [spelled(tool) for tool in variants(on, platform)]
        if off:
            data["disallowedTools"] = [spelled(tool) for tool in _taken_away(off, platform)]
        return data
    names, no_tool = _listed(value), AGENT_FILES[platform].no_tool
    if _is_every_tool(value, platform) or (no_tool and not names):
        return {}
    # INVARIANT: an agent gets no tool by being imported. `*` that gives nothing is left out here.
    return {
        "tools": [spelled(tool) for tool in variants([one for one in names if one not in (no_tool, _ALL)], platform)]
    }


def _is_every_tool(value: Any, platform: Platform) -> bool:
    """Tell whether a list of tools gives a platform's agent every tool."""
    star = AGENT_FILES[platform].star
    if value is None or star == NOTHING:
        return value is None
    alone = _listed(value) == [_ALL]
    return alone or (star == EVERY_TOOL and isinstance(value, list) and _ALL in value)


def _listed(value: Any) -> list[str]:
    """Return a list of names, also where it is written as one text."""
    words = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
    return [str(word).strip() for word in words if str(word).strip()]


def _taken_away(names: list[str], platform: Platform) -> list[Any]:
    """Return the tools that an agent must not have: of two of one name the one that goes by no name that stays."""
    shared = {name for known in AGENT_FILES[platform].further.values() for name in known}

    def stays(tool: Any) -> bool:
        if not isinstance(tool, Tool) or shared.isdisjoint(AGENT_FILE_NAMES[platform][tool.value]):
            return False
        sent = (row for row in INBOUND[platform].values() if row.evidence != REQUIRED)
        return any(tool.value in rule_names(platform, row.name) and row.name not in names for row in sent)

    return [tool for tool in variants(names, platform) if not stays(tool)]


def _differences(agent: AgentDefinition, head: Mapping[str, Any], body: str, platform: Platform) -> Iterator[Note]:
    """Yield what the platform's file would say otherwise, written from the definition."""
    title = adapter(platform).AGENT
    try:
        text = render(agent, platform, warn=lambda _note: None)
    except (CannotSay, AgentError) as error:
        yield _note(agent.name, title, str(error))
        return
    again, prompt_again = _parts(text.encode(), agent.name)
    tools = AGENT_FILES[platform].keys.get("tools")
    for key in dict.fromkeys((*head, *again)):
        before, after = head.get(key), again.get(key)
        if key == tools and after is None and _is_every_tool(before, platform):
            continue
        if isinstance(before, str) and isinstance(after, list):
            before = _listed(before)
        if isinstance(before, list) and isinstance(after, list) and sorted(map(str, before)) == sorted(map(str, after)):
            continue  # The order of tools means nothing.
        if before != after and not (key == "name" and before is None):
            yield _note(agent.name, title, f"{key} was {_shown(before)} and becomes {_shown(after)}")
    if prompt_again.strip() != body.strip().replace("\r\n", "\n"):
        yield _note(agent.name, title, "blank lines around headings change in its prompt")


def _shown(value: Any) -> str:
    text = "nothing" if value is None else yamltext.value(value)
    return text if len(text) <= 100 else text[:97] + "..."
