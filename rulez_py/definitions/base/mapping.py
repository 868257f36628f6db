"""Universal tools -> a platform's own names, and the immutable map of names that a definition's file is made from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Self

from rulez_py.definitions.base.frozen import FrozenMap
from rulez_py.definitions.base.platforms import AGENT_FILES
from rulez_py.definitions.base.tool import AnyTool, CustomTool, Platform, Tool, platform_of
from rulez_py.definitions.output.errors import WrongType
from rulez_py.platforms import part
from rulez_py.platforms.tool_table import AGENT_FILE_NAMES
from rulez_py.renamed import takes

OnMissing = Callable[[Tool, Platform], None]
"""Told of each tool that a platform lacks, once."""
Tools = Sequence[AnyTool | tuple[AnyTool, ...]]
"""A list of tools as people write it; `Tool.Todo` means two."""


@takes(harness="platform")
def to_platform(tool: AnyTool | tuple[AnyTool, ...], platform: Platform | str) -> list[str]:
    """Return what a platform's agent definition files call a tool: several names, one, or none where it has no such
    tool.

    Raises InvalidAgent for an unknown platform, WrongType for a value that is no tool.
    """
    if isinstance(tool, tuple):
        return map_tools(tool, platform)
    if isinstance(tool, CustomTool):
        file = AGENT_FILES[platform_of(platform)]
        return [file.mcp_name(*tool.mcp)] if tool.mcp else list(file.further.get(tool.name, (tool.name,)))
    if not isinstance(tool, Tool):
        raise WrongType(f"{tool!r} is no tool: write Tool.Shell, Tool.Custom(...), or use parse_tool")
    return list(AGENT_FILE_NAMES[platform_of(platform)][tool.value])


def one_by_one(tools: Iterable[AnyTool | tuple[AnyTool, ...]]) -> Iterator[AnyTool]:
    """Yield the tools, with `Tool.Todo` replaced by its two."""
    for tool in tools:
        yield from tool if isinstance(tool, tuple) else (tool,)


@takes(harness="platform")
def map_tools(
    tools: Iterable[AnyTool | tuple[AnyTool, ...]], platform: Platform | str, *, on_missing: OnMissing | None = None
) -> list[str]:
    """Return the names of tools in their order, each name where it comes first.

    A tool the platform lacks is left out; `on_missing` is called once for each.
    """
    names: dict[str, None] = {}
    platform = platform_of(platform)
    for tool in dict.fromkeys(one_by_one(tools)):
        found = to_platform(tool, platform)
        if not found and on_missing is not None and isinstance(tool, Tool):
            on_missing(tool, platform)
        names.update(dict.fromkeys(found))
    return list(names)


class ToolMap(FrozenMap, Mapping[str, bool]):
    """Name of a tool on one platform -> whether the agent has it; in order, and never changed.

    Raises WrongType for anything but text and bool.
    """

    __slots__ = ()

    def __new__(cls, entries: Mapping[str, bool] | Iterable[tuple[str, bool]] = ()) -> Self:
        taken = dict(entries)
        for name, enabled in taken.items():
            if isinstance(name, Tool | CustomTool | tuple):
                raise WrongType(
                    f"a tool map has names, which differ from platform to platform, not {name!r}: use to_platform"
                )
            if not isinstance(name, str) or not isinstance(enabled, bool):
                raise WrongType(f"a tool map has names and True or False, not {name!r}: {enabled!r}")
        return super().__new__(cls, taken)

    def __setattr__(self, name: str, _value: object) -> None:
        raise AttributeError(f"a tool map cannot be changed ({name}); enable(), disable() and without() return another")

    def __or__(self, other: Mapping[str, bool]) -> ToolMap:
        """Another map, in which the other's entries count where both have one."""
        return ToolMap({**self._entries, **other}) if isinstance(other, Mapping) else NotImplemented

    def __ror__(self, other: Mapping[str, bool]) -> ToolMap:
        return ToolMap({**other, **self._entries}) if isinstance(other, Mapping) else NotImplemented

    @property
    def enabled(self) -> tuple[str, ...]:
        """The names the agent has."""
        return tuple(name for name, enabled in self._entries.items() if enabled)

    @property
    def disabled(self) -> tuple[str, ...]:
        """The names it was given and must not have."""
        return tuple(name for name, enabled in self._entries.items() if not enabled)

    def enable(self, *names: str) -> ToolMap:
        """Another map, in which the agent has these as well."""
        return ToolMap({**self._entries, **dict.fromkeys(map(_name, names), True)})

    def disable(self, *names: str) -> ToolMap:
        """Another map, in which it must not have these."""
        return ToolMap({**self._entries, **dict.fromkeys(map(_name, names), False)})

    def without(self, *globs: str) -> ToolMap:
        """Another map that says nothing of the names these globs fit (`mcp_*`)."""
        kept = [(name, on) for name, on in self._entries.items() if not any(fnmatchcase(name, g) for g in globs)]
        return ToolMap(kept)


def _name(name: str) -> str:
    """Return a tool's name on a platform. Raises WrongType."""
    if not isinstance(name, str):
        raise WrongType(f"write a tool's name on the platform, which is text, not {name!r}")
    return name


def means_every_tool(name: str) -> bool:
    """Tell whether a name fits all others."""
    return not set(name) - set("*?")


def tool_names(
    tools: Iterable[AnyTool], platform: str, *, on_missing: Callable[[AnyTool], None] | None = None
) -> list[str]:
    """Return a platform's names of tools, in their order; `on_missing` is called once for each that it lacks."""

    def missing(tool: AnyTool, _platform: object = None) -> None:
        if on_missing is not None:
            on_missing(tool)

    if platform in AGENT_FILES:
        return map_tools(tools, Platform(platform), on_missing=missing)
    known = part(platform, "tools")
    names: dict[str, None] = {}
    for tool in dict.fromkeys(one_by_one(tools)):
        if isinstance(tool, CustomTool) and not tool.further:
            server, of_it = tool.mcp or ("", "")
            # Who has no name for all tools of a server, or for none of them, is told the universal one.
            patterns = known.MCP_NAMES[not of_it :] if server else ()
            found = (patterns[0].format(server=server, tool=of_it) if patterns else tool.name,)
        else:
            found = known.TEXT_NAMES.get(str(tool), ())
            if not found:
                missing(tool)
        names.update(dict.fromkeys(found))
    return list(names)
