"""The universal tools an agent definition names, and the platforms it is written for."""

from __future__ import annotations

import enum
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulez_py.definitions.output.errors import AgentError, InvalidAgent, WrongType
from rulez_py.documents.diagnostics import closest
from rulez_py.platforms import part
from rulez_py.platforms.tool_table import AGENT_FILE_NAMES
from rulez_py.renamed import renamed

_CUSTOM = "Custom:"
_MCP = "mcp__"
FURTHER: tuple[str, ...] = ("Grep",)
"""Tools that are no variant, and that each platform has by a name of its own: `AgentFile.further` says which."""
LONGEST_TOOL = 200
"""Characters of a tool's name; YAML takes no key of more than 1,024."""


class _Found(enum.EnumMeta):
    """Says to type checkers that an enumeration has members which only its making shows."""

    if TYPE_CHECKING:

        def __getattr__(cls, name: str) -> Platform: ...


class Platform(enum.StrEnum, metaclass=_Found):
    """A platform with agent definition files: `Platform.Claude`. Its value is the platform's name."""

    _ignore_ = ["platform"]  # noqa: RUF012
    for platform in AGENT_FILE_NAMES:
        vars()[part(platform, "agents").MEMBER] = platform


def platform_of(platform: Platform | str) -> Platform:
    """Return a platform by its name. Raises InvalidAgent for an unknown one."""
    try:
        return Platform(platform)
    except ValueError:
        names = [one.value for one in Platform]
        close = closest(str(platform), names)
        guess = f'did you mean "{close}"?' if close else f"there are {', '.join(names)}"
        raise InvalidAgent(f"there is no platform {platform!r} with agent files; {guess}") from None


@dataclass(frozen=True, slots=True)
class CustomTool:
    """`Tool.Custom(name)`: a tool of one's own. Every platform gets the name unchanged, but for a tool of an MCP
    server.

    That is written `mcp__SERVER__TOOL`, all tools of a server `mcp__SERVER`; each platform gets its own spelling of it.
    So does `Grep`, by its own name for searching in files.

    Raises ValueError for a name that a list of tools could not hold: empty, or with a comma, a line end, another
    control character, or spaces around it.
    """

    name: str

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise WrongType(f"{self.name!r} is no tool's name, which is text")
        if not self.name or self.name != self.name.strip() or "," in self.name or not self.name.isprintable():
            raise InvalidAgent(
                f"{self.name!r} is no tool's name: it must be printable text, without commas and spaces around it"
            )
        if len(self.name) > LONGEST_TOOL:
            raise InvalidAgent(f"{self.name[:30]!r}... is no tool's name: it has more than {LONGEST_TOOL} characters")

    def __str__(self) -> str:
        return self.name if self.further else _CUSTOM + self.name

    @property
    def further(self) -> bool:
        """True if each platform has it by a name of its own, without its being a variant."""
        return self.name in FURTHER

    @property
    def mcp(self) -> tuple[str, str] | None:
        """The MCP server and its tool, "" for all of its tools; None for a tool of no server."""
        if not self.name.startswith(_MCP):
            return None
        server, _, tool = self.name.removeprefix(_MCP).partition("__")
        return (server, "" if tool == "*" else tool) if server and set(server) != {"*"} else None


class _WithAliases(enum.EnumMeta):
    """Old names of variants."""

    def __dir__(cls) -> list[str]:
        return [*super().__dir__(), "Custom", *ALIASES]

    @property
    def Bash(cls) -> Tool:
        """Deprecated: the old name of Shell."""
        _deprecated("Bash")
        return Tool.Shell

    @property
    def Todo(cls) -> tuple[Tool, Tool]:
        """Deprecated: TodoWrite and TodoRead in one."""
        _deprecated("Todo")
        return Tool.TodoWrite, Tool.TodoRead


def _deprecated(alias: str) -> None:
    new = ", ".join(f"Tool.{tool.value}" for tool in ALIASES[alias])
    warnings.warn(f"Tool.{alias} is an old name: write {new}", DeprecationWarning, stacklevel=3)


class Tool(enum.Enum, metaclass=_WithAliases):
    """A tool variant; what each platform calls it is in `rulez_py.platforms.tool_table.AGENT_FILE_NAMES`.

    `Tool.Bash` and `Tool.Todo` keep working, with a DeprecationWarning.
    """

    Write = "Write"
    Edit = "Edit"
    Shell = "Shell"
    Read = "Read"
    Glob = "Glob"
    List = "List"
    LSP = "LSP"
    Skill = "Skill"
    TodoWrite = "TodoWrite"
    TodoRead = "TodoRead"
    WebFetch = "WebFetch"
    WebSearch = "WebSearch"
    Question = "Question"
    Custom = enum.nonmember(CustomTool)

    def __str__(self) -> str:
        """Return the variant's name, which no platform decides: `Shell`."""
        return self.value


AnyTool = Tool | CustomTool

ALIASES: Mapping[str, tuple[Tool, ...]] = {"Bash": (Tool.Shell,), "Todo": (Tool.TodoWrite, Tool.TodoRead)}
"""Old name -> its variants."""


class UnknownTool(AgentError, ValueError):
    """No tool is written like that; `help` says what to write instead."""

    def __init__(self, name: str, help: str) -> None:
        super().__init__(f'there is no tool "{name}"; {help}')
        self.name = name
        self.help = help


def parse_tool(written: str) -> tuple[AnyTool, ...]:
    """Return the tools that a word in a file or on the command line means: one, or for an old name its variants.

    A custom tool is written `Custom:NAME`, one of FURTHER as it is. Raises UnknownTool: a mistyped name must not pass
    for a tool of one's own.
    """
    if written in FURTHER:
        return (CustomTool(written),)
    if written.startswith(_CUSTOM):
        try:
            return (CustomTool(written.removeprefix(_CUSTOM)),)
        except ValueError as error:
            raise UnknownTool(written, str(error)) from None
    if written in ALIASES:
        return ALIASES[written]
    try:
        return (Tool(written),)
    except ValueError:
        close = _meant(written) or closest(written, [tool.value for tool in Tool])
        guess = f'did you mean "{close}"? ' if close else f"there are {', '.join(tool.value for tool in Tool)}; "
        raise UnknownTool(written, f'{guess}a tool of your own is written "{_CUSTOM}{written}"') from None


def _meant(written: str) -> str:
    """Return the variant that some platform calls by this name, in whatever case; "" for none."""
    for names in AGENT_FILE_NAMES.values():
        for variant, called in names.items():
            if written.lower() in (name.lower() for name in (*called, variant)):
                return variant
    return ""


def old_name(written: str) -> str:
    """Return what to write instead of an old name, for a message; "" where `written` is not old."""
    new = " and ".join(tool.value for tool in ALIASES.get(written, ()))
    return f'"{written}" is an old name: write {new}' if new else ""


def spelled(tool: AnyTool) -> str:
    """Return the word for a tool that `parse_tool` reads."""
    return str(tool)


if TYPE_CHECKING:
    # Old names, which go on to work.
    Harness = Platform
    harness_of = platform_of
else:
    __getattr__ = renamed(__name__, {"Harness": "Platform", "harness_of": "platform_of"})
