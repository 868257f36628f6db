"""Universal tools -> a harness's own names, and the immutable map of names that a definition's file is made from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Self

from rulez_py.definitions.base.frozen import FrozenMap
from rulez_py.definitions.base.harnesses import HARNESS_FILES
from rulez_py.definitions.base.tool import AnyTool, CustomTool, Harness, Tool, harness_of
from rulez_py.definitions.output.errors import WrongType
from rulez_py.platforms import part
from rulez_py.tools import AGENT_FILE_NAMES

OnMissing = Callable[[Tool, Harness], None]
"""Told of each tool that a harness lacks, once."""
Tools = Sequence[AnyTool | tuple[AnyTool, ...]]
"""A list of tools as people write it; `Tool.Todo` stands for two."""


def to_harness(tool: AnyTool | tuple[AnyTool, ...], harness: Harness | str) -> list[str]:
    """What a harness's agent definition files call a tool: several names, one, or none where it has no such tool.

    Raises InvalidAgent for a harness that there is none of, WrongType for what is no tool.
    """
    if isinstance(tool, tuple):
        return map_tools(tool, harness)
    if isinstance(tool, CustomTool):
        file = HARNESS_FILES[harness_of(harness)]
        return [file.mcp_name(*tool.mcp)] if tool.mcp else list(file.further.get(tool.name, (tool.name,)))
    if not isinstance(tool, Tool):
        raise WrongType(f"{tool!r} is no tool: write Tool.Shell, Tool.Custom(...), or use parse_tool")
    return list(AGENT_FILE_NAMES[harness_of(harness)][tool.value])


def one_by_one(tools: Iterable[AnyTool | tuple[AnyTool, ...]]) -> Iterator[AnyTool]:
    """The tools, with those that `Tool.Todo` stands for in its place."""
    for tool in tools:
        yield from tool if isinstance(tool, tuple) else (tool,)


def map_tools(
    tools: Iterable[AnyTool | tuple[AnyTool, ...]], harness: Harness | str, *, on_missing: OnMissing | None = None
) -> list[str]:
    """The names of tools in their order, each name where it comes first.

    A tool the harness lacks is left out; `on_missing` is told, once for each.
    """
    names: dict[str, None] = {}
    harness = harness_of(harness)
    for tool in dict.fromkeys(one_by_one(tools)):
        found = to_harness(tool, harness)
        if not found and on_missing is not None and isinstance(tool, Tool):
            on_missing(tool, harness)
        names.update(dict.fromkeys(found))
    return list(names)


class ToolMap(FrozenMap, Mapping[str, bool]):
    """Name of a tool on one harness -> whether the agent has it; in order, and never changed.

    Raises WrongType for anything but text and bool.
    """

    __slots__ = ()

    def __new__(cls, entries: Mapping[str, bool] | Iterable[tuple[str, bool]] = ()) -> Self:
        taken = dict(entries)
        for name, enabled in taken.items():
            if isinstance(name, Tool | CustomTool | tuple):
                raise WrongType(
                    f"a tool map has names, which differ from harness to harness, not {name!r}: use to_harness"
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
    """A tool's name on a harness. Raises WrongType."""
    if not isinstance(name, str):
        raise WrongType(f"write a tool's name on the harness, which is text, not {name!r}")
    return name


def means_every_tool(name: str) -> bool:
    """Whether a name fits all others."""
    return not set(name) - set("*?")


def tool_names(
    tools: Iterable[AnyTool], harness: str, *, on_missing: Callable[[AnyTool], None] | None = None
) -> list[str]:
    """What a harness calls tools, in their order; `on_missing` is told of each that it lacks, once."""

    def missing(tool: AnyTool, _harness: object = None) -> None:
        if on_missing is not None:
            on_missing(tool)

    if harness in HARNESS_FILES:
        return map_tools(tools, Harness(harness), on_missing=missing)
    known = part(harness, "tools")
    names: dict[str, None] = {}
    for tool in dict.fromkeys(one_by_one(tools)):
        if isinstance(tool, CustomTool) and not tool.further:
            server, of_it = tool.mcp or ("", "")
            pattern = known.MCP_NAMES[not of_it]
            found = (pattern.format(server=server, tool=of_it) if server else tool.name,)
        else:
            found = known.TEXT_NAMES.get(str(tool), ())
            if not found:
                missing(tool)
        names.update(dict.fromkeys(found))
    return list(names)
