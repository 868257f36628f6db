"""An agent definition, as a value: what every writer, enricher and test is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from types import MappingProxyType
from typing import Any

from rulez_py.agents.mapping import OnMissing, ToolMap, map_tools, one_by_one
from rulez_py.agents.prompt import Section, wrong_placeholders
from rulez_py.agents.tool import AnyTool, CustomTool, Harness, Tool

NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_")
LONGEST_NAME = 64
LONGEST_KEY = 200


@dataclass(frozen=True, kw_only=True)
class AgentDefinition:
    """One agent, in universal terms.

    `name` is also its file's: a-z, 0-9, `-` and `_`. `tools` None means whatever the harness gives an agent, () none at
    all; `disallowed_tools` are taken away from either. `model` is one name, or one for each harness that needs one.
    `front_matter` is what else shall stand in every file; `platforms` what shall stand in one harness's. Values in both
    are JSON's (mappings, sequences, str, int, float, bool, None) and frozen.

    Raises ValueError for a name that is no file's name, a description without text, a placeholder in the prompt that
    names no tool, a number out of range; TypeError for tools that are not of `Tool`.
    """

    name: str
    description: str
    model: str | Mapping[Harness, str] | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    tools: tuple[AnyTool, ...] | None = None
    disallowed_tools: tuple[AnyTool, ...] = ()
    front_matter: Mapping[str, Any] = field(default_factory=dict)
    platforms: Mapping[Harness, Mapping[str, Any]] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()

    def __post_init__(self) -> None:
        if why := why_no_name(self.name):
            raise ValueError(f"the agent name {self.name!r} {why}")
        if not self.description.strip():
            raise ValueError(f"agent {self.name} has no description")
        self.description.encode()  # Half of a surrogate pair is no text.
        if self.temperature is not None and not 0 <= self.temperature <= 2:
            raise ValueError(f"the temperature of agent {self.name} is {self.temperature}, and must be from 0 to 2")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise ValueError(f"agent {self.name} has {self.max_tokens} tokens for an answer")
        object.__setattr__(self, "sections", tuple(self.sections))
        object.__setattr__(self, "disallowed_tools", tuple(one_by_one(self.disallowed_tools)))
        if self.tools is not None:
            object.__setattr__(self, "tools", tuple(one_by_one(self.tools)))
        for one in (*(self.tools or ()), *self.disallowed_tools):
            if not isinstance(one, (Tool, CustomTool)):
                raise TypeError(f"{one!r} is no tool: write Tool.Shell, Tool.Custom(...), or use parse_tool")
        if wrong := [one for one in self.sections if not isinstance(one, Section)]:
            raise TypeError(f"{wrong[0]!r} is no Section")
        for text in (text for section in self.sections for text in section):
            text.encode()
            for _, unknown in wrong_placeholders(text):
                raise unknown
        for key in (*self.front_matter, *(key for more in self.platforms.values() for key in more)):
            if len(key) > LONGEST_KEY:
                raise ValueError(f"agent {self.name} has a key of {len(key)} characters in its front matter")
            if meant := meant_key(key):
                raise ValueError(f'agent {self.name} has "{key}" in its front matter: that is {meant}')
        for key in ("front_matter", "platforms"):
            object.__setattr__(self, key, _frozen(getattr(self, key)))
        if isinstance(self.model, Mapping):
            object.__setattr__(self, "model", _frozen(self.model))

    def model_on(self, harness: Harness) -> str | None:
        """The model it shall use on a harness; None where the harness chooses."""
        return self.model.get(harness) if isinstance(self.model, Mapping) else self.model

    def tool_map(self, harness: Harness, *, on_missing: OnMissing | None = None) -> ToolMap:
        """Its tools by the harness's names: True for those it has, then False for those it must not have.

        A name that is both (Glob and List are one tool on Copilot) is not given: what is taken away stays away.
        """
        has = map_tools(self.tools or (), harness, on_missing=on_missing)
        lacks = map_tools(self.disallowed_tools, harness)
        return ToolMap(dict.fromkeys(has, True) | dict.fromkeys(lacks, False))


def why_no_name(name: str) -> str:
    """Why an agent cannot have this name, as the end of a sentence; "" where it can."""
    if not name:
        return "is empty"
    if not set(name) <= NAME_CHARACTERS or not name[0].isalnum() or not name[-1].isalnum():
        return "must be made of a-z and 0-9, with - and _ in between: every harness takes it for a file's name"
    return f"is longer than {LONGEST_NAME} characters" if len(name) > LONGEST_NAME else ""


_MEANT = {
    **{
        name: name
        for name in ("name", "description", "model", "temperature", "tools", "prompt", "sections", "platforms")
    },
    **dict.fromkeys(("allowedtools", "tool"), "tools"),
    **dict.fromkeys(("disallowedtools", "disallowedtool", "deniedtools", "excludedtools"), "disallowedTools"),
    **dict.fromkeys(("maxtokens", "maxoutputtokens"), "maxTokens"),
    **dict.fromkeys(("systemprompt", "instructions"), "prompt"),
    **dict.fromkeys(("proto", "<<"), "a key that is none of YAML's own"),
}


def meant_key(key: str) -> str | None:
    """The key of ours that one of free front matter says in another spelling, None for a free one.

    Harnesses do not agree on spellings, and an agent whose `Tools` nobody reads has every tool.
    """
    return _MEANT.get("".join(sign for sign in key.lower() if sign not in "-_ ."))


def _frozen(value: Any) -> Any:
    """The same data, all the way down in types that cannot be changed. Raises TypeError for what is not JSON's."""
    if isinstance(value, Mapping):
        if strangers := [key for key in value if not isinstance(key, str)]:
            raise TypeError(f"a key of front matter is text, not {strangers[0]!r}")
        return MappingProxyType({key: _frozen(item) for key, item in value.items()})
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return tuple(_frozen(item) for item in value)
    if isinstance(value, str):
        value.encode()  # Half of a surrogate pair is no text.
    if (
        value is not None
        and not isinstance(value, (str, bool, int))
        and not (isinstance(value, float) and isfinite(value))
    ):
        raise TypeError(f"front matter cannot hold {value!r}")
    return value
