"""An agent definition, as a value: what every writer, enricher and test is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from typing import TYPE_CHECKING, Any

from rulez_py.definitions.base.frozen import FrozenMap, check_text, frozen
from rulez_py.definitions.base.mapping import OnMissing, ToolMap, Tools, map_tools, one_by_one
from rulez_py.definitions.base.names import why_no_name
from rulez_py.definitions.base.prompt import DEEPEST, Section, Style, join, split, wrong_placeholders
from rulez_py.definitions.base.tool import AnyTool, CustomTool, Platform, Tool, platform_of
from rulez_py.definitions.output.errors import InvalidAgent, WrongType

if TYPE_CHECKING:
    from os import PathLike

    from rulez_py.definitions.output.written import Scope, Written


@dataclass(frozen=True, kw_only=True)
class AgentDefinition:
    """One agent, in universal terms.

    `name` is also its file's: a-z, 0-9, `-` and `_`. `tools` None means whatever the platform gives an agent, () none
    at all; `disallowed_tools` are taken away from either. `model` is one name, or one for each platform that needs
    one. `front_matter` is what else shall stand in every file; `platforms` what shall stand in one platform's. Values
    in both are JSON's (mappings, sequences, str, int, float, bool, None). Whatever is given is kept frozen, so a
    definition can be hashed, compared, pickled and copied. The prompt is given as `prompt`, Markdown, or as
    `sections`, in which it is kept (`markdown` is the whole of it); `section_style` says how a platform's file writes
    their titles. `policy` are rules as a policy file has them, for this agent alone; no platform's file holds them.

    Raises InvalidAgent for a name that is no file's name, a description without text, an unknown platform,
    a placeholder in the prompt that names no tool, a number out of range; WrongType for values of another type. Both
    are AgentError, the first is a ValueError, the second a TypeError.
    """

    name: str
    description: str
    model: str | Mapping[Platform, str] | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    tools: tuple[AnyTool, ...] | None = None
    disallowed_tools: tuple[AnyTool, ...] = ()
    front_matter: Mapping[str, Any] = field(default_factory=dict)
    platforms: Mapping[Platform, Mapping[str, Any]] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()
    section_style: Style | Mapping[Platform, Style] = Style.Markdown
    policy: tuple[Mapping[str, Any], ...] = ()
    prompt: InitVar[str | None] = None

    if TYPE_CHECKING:
        # The accepted input; the fields hold its one form.
        def __init__(
            self,
            *,
            name: str,
            description: str,
            model: str | Mapping[Platform, str] | Mapping[str, str] | None = None,
            temperature: float | None = None,
            max_tokens: int | None = None,
            tools: Tools | None = None,
            disallowed_tools: Tools = (),
            front_matter: Mapping[str, Any] = ...,
            platforms: Mapping[Platform, Mapping[str, Any]] | Mapping[str, Mapping[str, Any]] = ...,
            sections: Sequence[Section] = (),
            section_style: Style | str | Mapping[Platform, Style] | Mapping[str, str] = Style.Markdown,
            policy: Sequence[Mapping[str, Any]] = (),
            prompt: str | None = None,
        ) -> None: ...

        # files.write_file, put here by that module.
        def write(
            self,
            platform: Platform | str,
            root: str | PathLike[str] | None = None,
            *,
            scope: Scope = "project",
            check: bool = False,
            force: bool = False,
            enricher: Callable[[Platform, AgentDefinition, ToolMap], Mapping[str, bool]] | None = None,
            warn: Callable[[Any], object] | None = None,
        ) -> Written: ...

    def __post_init__(self, prompt: str | None) -> None:
        for key in ("name", "description"):
            if not isinstance(value := getattr(self, key), str):
                raise WrongType(f"the {key} of an agent is text, not {value!r}")
        if why := why_no_name(self.name):
            raise InvalidAgent(f"the agent name {self.name!r} {why}")
        if not self.description.strip():
            raise InvalidAgent(f"agent {self.name} has no description")
        check_text(self.description, "description", f"agent {self.name}")
        self._check_numbers()
        for key in ("tools", "disallowed_tools"):
            if (given := getattr(self, key)) is not None:
                object.__setattr__(self, key, self._tools(given))
        object.__setattr__(self, "sections", self._sections(prompt))
        object.__setattr__(self, "section_style", self._style())
        if isinstance(self.policy, str | Mapping) or not isinstance(self.policy, Iterable):
            raise WrongType(f"the policy of agent {self.name} is a list of rules, not {self.policy!r}")
        object.__setattr__(self, "policy", tuple(self._frozen(rule) for rule in self.policy))
        if not all(isinstance(rule, Mapping) for rule in self.policy):
            raise WrongType(f"a rule in the policy of agent {self.name} is a map")
        for key in ("front_matter", "platforms"):
            if not isinstance(value := getattr(self, key), Mapping):
                raise WrongType(f"{key} of agent {self.name} is a map, not {value!r}")
        object.__setattr__(self, "platforms", self._per_platform("platforms", self.platforms))
        object.__setattr__(self, "front_matter", self._frozen(self.front_matter))
        for more in (self.front_matter, *self.platforms.values()):
            if not isinstance(more, Mapping):
                raise WrongType(
                    f"front matter for one platform's file of agent {self.name} must be a map, not {more!r}"
                )
            for key in more:
                if meant := meant_key(key):
                    raise InvalidAgent(f'agent {self.name} has "{key}" in its front matter: that is {meant}')
        if isinstance(self.model, Mapping):
            object.__setattr__(self, "model", self._per_platform("model", self.model))
        for model in self.model.values() if isinstance(self.model, Mapping) else (self.model,):
            if model is not None and not (isinstance(model, str) and model.strip()):
                raise WrongType(f"the model of agent {self.name} is a name, not {model!r}")

    def _check_numbers(self) -> None:
        temperature, tokens = self.temperature, self.max_tokens
        if temperature is not None and (isinstance(temperature, bool) or not isinstance(temperature, int | float)):
            raise WrongType(f"the temperature of agent {self.name} is a number, not {temperature!r}")
        if temperature is not None and not 0 <= temperature <= 2:
            raise InvalidAgent(f"the temperature of agent {self.name} is {temperature}, and must be from 0 to 2")
        if tokens is not None and (isinstance(tokens, bool) or not isinstance(tokens, int)):
            raise WrongType(f"max_tokens of agent {self.name} is a whole number, not {tokens!r}")
        if tokens is not None and tokens < 1:
            raise InvalidAgent(f"agent {self.name} has {tokens} tokens for an answer")

    def _tools(self, given: Tools) -> tuple[Tool | CustomTool, ...]:
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise WrongType(f"the tools of agent {self.name} are a list, like [Tool.Read], not {given!r}")
        found = tuple(one_by_one(given))
        for one in found:
            if not isinstance(one, (Tool, CustomTool)):
                raise WrongType(f"{one!r} is no tool: write Tool.Shell, Tool.Custom(...), or use parse_tool")
        return found

    def _sections(self, prompt: str | None) -> tuple[Section, ...]:
        if prompt is not None:
            if not isinstance(prompt, str):
                raise WrongType(f"the prompt of agent {self.name} is text, not {prompt!r}")
            if self.sections:
                raise InvalidAgent(f"agent {self.name} has a prompt and sections: keep one")
            check_text(prompt, "prompt", f"agent {self.name}")
            object.__setattr__(self, "sections", split(prompt))
        if isinstance(self.sections, str) or not isinstance(self.sections, Iterable):
            raise WrongType(f"the sections of agent {self.name} are a list of Section, not {self.sections!r}")
        return self._checked(tuple(self.sections), depth=2)

    def _checked(self, found: tuple[Section, ...], *, depth: int) -> tuple[Section, ...]:
        """Sections whose headings have that depth, with all that is in them in tuples."""
        checked = []
        if found and depth > DEEPEST:
            raise InvalidAgent(f"a section of agent {self.name} is deeper than {DEEPEST - 1} in others")
        for one in found:
            if not isinstance(one, Section) or not isinstance(one.title, str) or not isinstance(one.text, str):
                raise WrongType(f"{one!r} is no Section of two texts")
            if isinstance(one.sections, str) or not isinstance(one.sections, Iterable):
                raise WrongType(f"the sections in {one.title!r} are a list of Section, not {one.sections!r}")
            if one.sections and not one.title:
                raise InvalidAgent(f"agent {self.name} has sections in a section that has no title")
            if len(one.title.splitlines()) > 1:
                raise InvalidAgent(f"the title {one.title!r} of a section of agent {self.name} has more than one line")
            for text in (one.title, one.text):
                check_text(text, "prompt", f"agent {self.name}")
                for _, unknown in wrong_placeholders(text):
                    raise unknown
            checked.append(one._replace(sections=self._checked(tuple(one.sections), depth=depth + 1)))
        return tuple(checked)

    def _style(self) -> Style | FrozenMap:
        given: Any = self.section_style
        try:
            if isinstance(given, Mapping):
                return FrozenMap({platform_of(platform): Style(style) for platform, style in given.items()})
            return Style(given)
        except ValueError as error:
            raise InvalidAgent(
                f"the sections of agent {self.name} are written as {', '.join(Style)}: {error}"
            ) from None

    def _per_platform(self, key: str, given: Mapping[Any, Any]) -> FrozenMap:
        return FrozenMap({platform_of(platform): self._frozen(value) for platform, value in given.items()})

    def _frozen(self, value: Any) -> Any:
        return frozen(value, f"agent {self.name}")

    @property
    def markdown(self) -> str:
        """The whole prompt, whichever way it was given."""
        return join(self.sections)

    def style_on(self, platform: Platform | str) -> Style:
        """Return how a platform's file writes the titles of sections."""
        given = self.section_style
        return given.get(platform_of(platform), Style.Markdown) if isinstance(given, Mapping) else given

    def model_on(self, platform: Platform | str) -> str | None:
        """Return the model it shall use on a platform; None where the platform chooses."""
        return self.model.get(platform_of(platform)) if isinstance(self.model, Mapping) else self.model

    def tool_map(self, platform: Platform | str, *, on_missing: OnMissing | None = None) -> ToolMap:
        """Return its tools by the platform's names: True for those it has, then False for those it must not have.

        A name that is both (Glob and List are one tool on Copilot) is not given: what is taken away stays away.
        """
        has = map_tools(self.tools or (), platform, on_missing=on_missing)
        lacks = map_tools(self.disallowed_tools, platform)
        # A name in both lists stays among those it must not have, in their order, so that reading the file again
        # agrees.
        return ToolMap({**{name: True for name in has if name not in lacks}, **dict.fromkeys(lacks, False)})


_MEANT = {
    **{
        name: name
        for name in (
            "name",
            "description",
            "model",
            "temperature",
            "tools",
            "prompt",
            "sections",
            "platforms",
            "vars",
            "policy",
        )
    },
    **dict.fromkeys(("allowedtools", "tool"), "tools"),
    **dict.fromkeys(("disallowedtools", "disallowedtool", "deniedtools", "excludedtools"), "disallowedTools"),
    **dict.fromkeys(("maxtokens", "maxoutputtokens"), "maxTokens"),
    **dict.fromkeys(("systemprompt", "instructions"), "prompt"),
    "sectionstyle": "sectionStyle",
    **dict.fromkeys(("proto", "<<"), "a key that YAML does not have"),
}


def meant_key(key: str) -> str | None:
    """Return the key of rulez that free front matter has in another spelling, None for a free key.

    Platforms do not agree on spellings, and an agent whose `Tools` is not read has every tool.
    """
    return _MEANT.get("".join(one for one in key.lower() if one not in "-_ ."))
