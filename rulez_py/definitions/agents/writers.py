"""An agent definition -> the file that a platform loads, as text."""

from __future__ import annotations

import enum
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulez_py.definitions.agents.definition import AgentDefinition
from rulez_py.definitions.agents.enrichers import ToolEnricher, enriched
from rulez_py.definitions.agents.restriction import Held, held, within
from rulez_py.definitions.base import prompt
from rulez_py.definitions.base.mapping import ToolMap, map_tools, means_every_tool, to_platform
from rulez_py.definitions.base.notes import CannotSay, Note, Warn, short
from rulez_py.definitions.base.platforms import AGENT_FILES, OFFERED
from rulez_py.definitions.base.tool import ALIASES, Platform, Tool, platform_of
from rulez_py.definitions.output import yamltext
from rulez_py.definitions.output.errors import InvalidAgent
from rulez_py.platforms import adapter
from rulez_py.platforms.agent_files import LARGE, SMALL, AgentFile
from rulez_py.platforms.tool_table import rule_names
from rulez_py.renamed import takes

_ALL = "*"


class OutputType(enum.StrEnum):
    """Output formats of a definition. Platforms load Markdown files."""

    Markdown = "markdown"
    JSON = "json"
    YAML = "yaml"


@takes(harness="platform")
def file_path(agent: AgentDefinition, platform: Platform | str, output: OutputType | str = OutputType.Markdown) -> str:
    """Return where the file belongs, from the project's directory, with `/` between its parts. Raises InvalidAgent."""
    file, output = AGENT_FILES[platform_of(platform)], _output(output)
    ending = file.ending if output is OutputType.Markdown else f".{output}"
    return f"{file.directory}/{agent.name}{ending}"


@takes(harness="platform")
def render(
    agent: AgentDefinition,
    platform: Platform | str = Platform.OpenCode,
    output: OutputType | str = OutputType.Markdown,
    *,
    enricher: ToolEnricher | None = None,
    warn: Warn | None = None,
) -> str:
    """Return the text of the file.

    JSON and YAML are the same data with the prompt as `prompt`; for a platform that reads agents from JSON of its own
    (`opencode.json`, `claude --agents`), in that form. Raises CannotSay; EnricherError where the enricher fails;
    InvalidAgent for an unknown platform or output.
    """
    output = _output(output)
    writer = _Writer(agent, platform_of(platform), warn or (lambda _note: None))
    head = writer.front_matter(enricher)
    body = writer.prompt()
    writer.check_replaced(head, body)
    if output is not OutputType.Markdown:
        return _as_data(writer.file, agent, {**head, "prompt": body}, output)
    text = f"---\n{yamltext.mapping(head)}---\n" + (f"\n{body}" if body else "")
    if len(text.encode()) > writer.file.largest:
        raise writer.refuse(f"it loads no file of more than {writer.file.largest:,} bytes")
    return text


def _output(output: OutputType | str) -> OutputType:
    try:
        return OutputType(output)
    except ValueError:
        raise InvalidAgent(f"there is no output {output!r}; there are {', '.join(OutputType)}") from None


def _as_data(file: AgentFile, agent: AgentDefinition, data: dict[str, Any], output: OutputType) -> str:
    if file.json_path:
        data.pop("name", None)
    else:
        data = {"name": agent.name, **data}
    for key in reversed(file.json_path):
        data = {key.format(name=agent.name): data}
    if output is OutputType.YAML:
        return yamltext.mapping(data)
    text = json.dumps(data, indent=2, ensure_ascii=False, default=_plain) + "\n"
    return file.changes_json.sub(lambda found: f"\\u{ord(found[0]):04x}", text) if file.changes_json else text


def _plain(value: object) -> object:
    """Frozen data as `json` knows it."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is nothing that JSON has")


def _is_variant(variant: Tool, platform: Platform, name: str) -> bool:
    """Tell whether a tool that the model is offered is what a variant means."""
    meant = {variant.value, *(old for old, new in ALIASES.items() if new == (variant,))}
    return not meant.isdisjoint(rule_names(platform.value, name))


class _Writer:
    """One agent for one platform."""

    def __init__(self, agent: AgentDefinition, platform: Platform, warn: Warn) -> None:
        self.agent = agent
        self.platform = platform
        self.file = AGENT_FILES[platform]
        self.title = adapter(platform).AGENT
        self._warn = warn

    def note(self, text: str, *, grave: bool = False, always: bool = False) -> None:
        self._warn(Note(f"{self.agent.name}, {self.title}: {text}", grave=grave, always=always))

    def refuse(self, why: str) -> CannotSay:
        return CannotSay(f"agent {self.agent.name} cannot be written for {self.title}: {why}")

    def missing(self, tool: Tool, _platform: Platform) -> None:
        self.note(f"has no {tool.value}, so it is left out", always=True)

    # The head of the file.

    def front_matter(self, enricher: ToolEnricher | None) -> dict[str, Any]:
        """Return its keys and values: first those that limit the agent."""
        agent = self.agent
        if agent.name in self.file.own_agents:
            raise self.refuse(f"it has an agent of its own called {agent.name}; choose another name")
        if not self.file.agent_name.fullmatch(agent.name):
            raise self.refuse(f"it loads no agent called {agent.name}; choose another name")
        tools = enriched(enricher, self.platform, agent, agent.tool_map(self.platform, on_missing=self.missing))
        said = {
            "name": agent.name,
            "description": self._description(),
            **self._tools(tools),
            "model": self._model(),
            "temperature": agent.temperature,
            "max_tokens": agent.max_tokens,
        }
        head: dict[str, Any] = {}
        for field, value in said.items():
            if value is not None and field in self.file.keys:
                head[self.file.keys[field]] = value
            elif value is not None and field != "name":
                self.note(f"cannot set {field.replace('_', ' ')}, so it is left out")
        return {**head, **dict(self._more())}

    def _description(self) -> str:
        text = self.agent.description.strip()
        if self.file.changes_description and (found := self.file.changes_description.search(text)):
            self.note(f"{found[0]} in its description becomes a new line")
        return " ".join(text.split()) if self.file.description_on_one_line else text

    def _model(self) -> str | None:
        model, own = self.agent.model_on(self.platform), isinstance(self.agent.model, Mapping)
        if model is None or (model == "inherit" and (self.file.needs_model_like_that or "model" not in self.file.keys)):
            return None
        if model in (SMALL, LARGE):
            if model not in self.file.sizes:
                self.note(f"has no name for a {model} model, so it chooses itself: write one for it", always=True)
            return self.file.sizes.get(model)
        if model != "inherit" and not self.file.model.fullmatch(model):
            if own and not self.file.needs_model_like_that:
                return model
            if own:
                raise self.refuse(f'it cannot call the model "{model}"; write provider/model')
            said = f'the model "{model}" is not one of its models, so it is left out; write a model for each platform'
            self.note(said, always=True)
            return None
        return model

    # Tools.

    def _tools(self, tools: ToolMap) -> dict[str, Any]:
        now = held(self.agent, self.platform, self._usable(tools), lambda text: self.note(text, grave=True))
        limited = self.agent.tools is not None
        for name in self.file.always:
            kept = any(within(self.platform, name, one) for one in now.gone)
            if kept or (limited and name not in now.has):
                self.note(f"it has {name} as well, as every agent there", grave=kept)
        for name in now.has:
            if (offered := OFFERED[self.platform].get(name)) and not offered.names:
                self.note(f"{name} gives it nothing: {offered.remark}", always=True)
        for variant in dict.fromkeys(one for one in self.agent.tools or () if isinstance(one, Tool)):
            known = OFFERED[self.platform]
            there = [known[name] for name in to_platform(variant, self.platform) if name in now.has and name in known]
            gives = dict.fromkeys(one for each in there for one in each.names)
            if gives and not any(_is_variant(variant, self.platform, one) for one in gives):
                more = next((f": {each.remark}" for each in there if each.remark), "")
                self.note(f"{variant} becomes {' and '.join(gives)}{more}", always=True)
        if self.file.tools_as_map:
            # The last entry that fits a tool decides: everything else comes first, what is taken away last.
            every = {_ALL: False} if limited else {}
            return {"tools": {**every, **dict.fromkeys(now.has, True), **dict.fromkeys(now.gone, False)} or None}
        if self.file.can_take_away:
            self._check_gone(now.gone)
            return {"tools": self._listed(now.has) if limited else None, "disallowed_tools": now.gone or None}
        if limited and now.wide:
            raise self.refuse(f"{now.wide[0]} would give it what it must not have; name its tools one by one")
        if limited:
            return {"tools": self._listed(now.has)}
        return {"tools": self._all_but(now)} if now.gone else {}

    def _listed(self, has: tuple[str, ...]) -> tuple[str, ...]:
        """Return the list of exactly these tools; an empty one may mean every tool."""
        return has or tuple(filter(None, [self.file.no_tool]))

    def _all_but(self, now: Held) -> list[str]:
        """Return every tool that can be named, without those that are taken away and those that would give them."""
        self.note("can take no tool away, so all others are listed; what is not among them is gone too", grave=True)
        every = dict.fromkeys((*map_tools(Tool, self.platform), *self.file.besides, *now.has))
        gone = [
            name
            for name in every
            if any(within(self.platform, name, one) or within(self.platform, one, name) for one in now.gone)
        ]
        return [name for name in every if name not in gone]

    def _usable(self, tools: ToolMap) -> ToolMap:
        """Without names that the platform would take for more than they say, or would not load a file for."""
        unusable = [name for name in tools.enabled if not self.file.tool_name.fullmatch(name)]
        for name in unusable:
            if means_every_tool(name):
                raise self.refuse(f"the tool name {name!r} means every tool; leave tools out to say that")
            if not self.file.other_tool_names_lose_the_file:
                raise self.refuse(f"it would take {name!r} for another tool; name the tool as a whole")
            self.note(f"knows no tool {name}, and loads no file that names it: it is left out", grave=True)
        useless = [
            name for name in tools.enabled if self.file.gives_nothing and self.file.gives_nothing.fullmatch(name)
        ]
        for name in useless:
            self.note(f"gives no tool for {name}, so it is left out: name its tools one by one", grave=True)
        return ToolMap((name, on) for name, on in tools.items() if name not in (*unusable, *useless))

    def _check_gone(self, gone: Sequence[str]) -> None:
        for name in gone:
            if not self.file.tool_name.fullmatch(name):
                advice = "write tools: [] for none" if means_every_tool(name) else "name the tool as a whole"
                raise self.refuse(f"it cannot take away {name!r}; {advice}")

    # Everything else.

    def _more(self) -> Iterator[tuple[str, Any]]:
        own = self.agent.platforms.get(self.platform, {})
        for key, value in self.agent.front_matter.items():
            if key in own:
                continue
            if key in self.file.known and not self.file.known[key](value):
                self.note(f"does not take {short(key)}: {short(value)}, so it is left out")
            elif key in self.file.known or self.file.ignores_unknown:
                yield self._widening(key), value
            else:
                self.note(f"does not know {short(key)}, so it is left out")
        for key, value in own.items():
            check = self.file.known.get(key)
            if check is None and self.file.refuses_unknown:
                raise self.refuse(f"it loads no file with the key {short(key)}; it knows {', '.join(self.file.known)}")
            if check is not None and not check(value):
                raise self.refuse(f"it loads no file with {short(key)}: {short(value)}")
            yield self._widening(key), value

    def _widening(self, key: str) -> str:
        if key in self.file.overruling and self.agent.disallowed_tools:
            raise self.refuse(f"{key} {self.file.widening[key]}, and could give back what is disallowed; keep one")
        if key in self.file.widening and self.agent.tools is not None:
            self.note(f"{key} {self.file.widening[key]}, whatever its tools are", grave=True)
        return key

    def check_replaced(self, *parts: object) -> None:
        """Raise CannotSay where a part of the file has text that is replaced there."""
        if self.file.replaced and (found := self.file.replaced.search(json.dumps(parts, default=_plain))):
            raise self.refuse(f"it replaces {found[0]}, or loads no file with it, and there is no way to write that")

    # The prompt.

    def prompt(self) -> str:
        text = prompt.fill(self._joined(), self.platform, on_missing=self._unnamed)
        if len(blank := text.strip("\ufeff \n")) < self.file.least_prompt:
            short = f"its prompt has less than {self.file.least_prompt} characters" if blank else "it has no prompt"
            raise self.refuse(f"{short}, and every call would fail")
        if self.file.breaks_prompt and (found := self.file.breaks_prompt.search(text)):
            raise self.refuse(
                f"{found[0]} in its prompt makes every call fail; write it with spaces inside, or without $"
            )
        if self.file.changes_prompt and (found := self.file.changes_prompt.search(text)):
            self.note(f"{found[0]} in its prompt is replaced; with spaces inside it stays as it is", grave=True)
        return text

    def _joined(self) -> str:
        return prompt.join(self.agent.sections, self.agent.style_on(self.platform))

    def _unnamed(self, tool: Tool, _platform: Platform) -> None:
        self.note(f"has no {tool.value}, and the prompt speaks of it")
