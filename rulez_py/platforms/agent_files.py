"""Facts about the agent definition files that a platform loads, given in `platforms/NAME/agents.py`.

Measured on the real CLIs: contract.md, "Agent definition files". What tools are called there is in `tools.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulez_py.platforms.tool_table import SEEN

Check = Callable[[Any], bool]

LARGEST_FILE = 10_000_000
"""Bytes of a file that is read or written here."""


def anything(_value: Any) -> bool:
    return True


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_switch(value: Any) -> bool:
    return isinstance(value, bool)


def is_map(value: Any) -> bool:
    return isinstance(value, Mapping)


def is_list(value: Any) -> bool:
    return isinstance(value, tuple)


def is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def one_of(*words: str) -> Check:
    return lambda value: value in words


def are_texts(value: Any) -> bool:
    return is_list(value) and all(map(is_text, value))


def is_text_or_texts(value: Any) -> bool:
    return is_text(value) or are_texts(value)


EVERY_TOOL, ALONE_EVERY_TOOL, NOTHING = "every tool", "every tool where it is the only name", "nothing"


@dataclass(frozen=True, kw_only=True)
class AgentFile:
    """The agent file of one platform: its place and its fields."""

    directory: str
    """The directory of a project's agents, relative to the project."""
    user_directory: str
    """The directory of a person's own, relative to the home directory."""
    ending: str = ".md"
    keys: Mapping[str, str]
    """A field of rulez' definitions -> the platform's key. A field that is not here has none."""
    known: Mapping[str, Check]
    """Further keys it knows -> what their value must be; another one loses the whole file."""
    ignores_unknown: bool
    """Other keys do no harm. Else they lose the file, or are sent to the model's provider."""
    refuses_unknown: bool = False
    """Other keys lose the file."""
    own_agents: frozenset[str]
    """Names of its own agents, which a file of the same name does not give a new one."""
    agent_name: re.Pattern[str] = re.compile(r".*")
    """The regex of names that it loads an agent by."""
    widening: Mapping[str, str] = field(default_factory=dict)
    """Key -> what it gives an agent whatever `tools` says."""
    overruling: frozenset[str] = frozenset()
    """Those that give back what is taken away."""

    tools_as_map: bool = False
    """`tools` is a map of name to true or false; else a list of the names that the agent has."""
    one_switch: frozenset[str] = frozenset()
    """Tool variants that are given together, by each of their names."""
    names_overlap: bool = False
    """A tool goes by several names, and any of them gives it."""
    ignores_case: bool = False
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Further names of its tools -> those of the matrix."""
    spawners: tuple[str, ...] = ()
    """The tools that hand work to another agent, which has every tool."""
    always: tuple[str, ...] = ()
    """Tools that every agent has, whatever its file says."""
    besides: tuple[str, ...] = ()
    """Tools beside the tool variants, where a tool can only be taken away by a list of all others."""
    further: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """A tool that is no variant (`agents.tool.FURTHER`) -> its names in the file; by default its own."""
    tool_name: re.Pattern[str] = re.compile(r"(?![*?]+$).*", re.S)
    """The regex of valid names."""
    other_tool_names_lose_the_file: bool = False
    gives_nothing: re.Pattern[str] | None = None
    """Names that take tools away, but give none in a list of tools."""
    star: str = NOTHING
    """What `*` in a list of tools gives: EVERY_TOOL, ALONE_EVERY_TOOL, or NOTHING, as a name that no tool has."""
    no_tool: str = ""
    """The one entry of a list that gives no tool, where an empty list gives every one; it is no tool's name."""

    mcp: tuple[str, str]
    """The name of the tool `{tool}` of an MCP server `{server}`, and the name for all of its tools."""
    mcp_letter: re.Pattern[str] = re.compile(r".", re.S)
    """The regex of characters in them; any other becomes `_`."""

    model: re.Pattern[str]
    """The regex of its own models' names."""
    sizes: Mapping[str, str] = field(default_factory=dict)
    """SMALL and LARGE -> its own name for its fast and its able model."""
    needs_model_like_that: bool = False
    largest: int = LARGEST_FILE
    """Bytes of a file that it loads."""
    breaks_prompt: re.Pattern[str] | None = None
    """A text that makes every call of the agent fail."""
    changes_prompt: re.Pattern[str] | None = None
    """Text that is replaced in a prompt, with no way to write it literally."""
    replaced: re.Pattern[str] | None = None
    """Text that is replaced anywhere in the file, or that loses it, with no way to write it literally."""
    least_prompt: int = 0
    """Characters that a prompt must have, without white space around it; a shorter one loses the file or the call."""
    description_on_one_line: bool = False
    """A second line would be another entry of the list that the model reads."""
    changes_description: re.Pattern[str] | None = None
    """Text that becomes a line end in a description, however it is written."""
    changes_json: re.Pattern[str] | None = None
    """Text that is replaced in its JSON, before it is read; its first character is written as an escape."""
    json_path: tuple[str, ...] = ()
    """The keys of an agent in the platform's own JSON; `{name}` is its name. () where it reads none."""
    loaded_instead: tuple[str, ...] = ()
    """Files that win over this one or are merged into it, by their paths from the project's directory or from `~`."""
    named_inside: bool = False
    """The name in the file is the agent's, whatever the file is called."""
    reads_files_of: tuple[str, ...] = ()
    """Platforms whose files it loads as well, and does not know there what an agent must not have."""
    names_callers: bool = True
    """Its hooks say which agent makes a call."""
    headless: str = ""
    """Tools that no agent has in a session without a terminal, whatever its file says; a sentence."""
    afterwards: str = ""
    """The steps left for a person."""

    def mcp_name(self, server: str, tool: str) -> str:
        """Return what a tool of an MCP server is called; without a tool all of them."""

        def plain(name: str) -> str:
            return "".join(letter if self.mcp_letter.fullmatch(letter) else "_" for letter in name)

        return self.mcp[not tool].format(server=plain(server), tool=plain(tool))

    @property
    def can_take_away(self) -> bool:
        """True if the file can take tools away; else it only lists tools."""
        return self.tools_as_map or "disallowed_tools" in self.keys


SMALL, LARGE = "small", "large"
"""The value of a model that each platform chooses itself."""
WRITING = frozenset(("Write", "Edit"))
NO_SLASH = re.compile(r"[^/]+")


@dataclass(frozen=True, slots=True)
class Offered:
    """The tools that the model is offered, by the names it sees; `remark` says when not, or what would be right."""

    names: tuple[str, ...]
    remark: str = ""
    evidence: str = SEEN


def same(*names: str) -> dict[str, Offered]:
    return {name: Offered((name,)) for name in names}
