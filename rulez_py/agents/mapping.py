"""Universal tools -> a harness's own names, and the immutable map of names that a definition's file is made from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from types import MappingProxyType

from rulez_py.agents.tool import AnyTool, CustomTool, Harness, Tool
from rulez_py.tools import AGENT_FILE_NAMES

OnMissing = Callable[[Tool, Harness], None]
"""Told of each tool that a harness lacks, once."""


def to_harness(tool: AnyTool, harness: Harness) -> list[str]:
    """What a harness's agent definition files call a tool: several names, one, or none where it has no such tool."""
    if isinstance(tool, CustomTool):
        return [tool.name]
    return list(AGENT_FILE_NAMES[Harness(harness)][tool.value])


def one_by_one(tools: Iterable[AnyTool | tuple[AnyTool, ...]]) -> Iterator[AnyTool]:
    """The tools, with those that `Tool.Todo` stands for in its place."""
    for tool in tools:
        yield from tool if isinstance(tool, tuple) else (tool,)


def map_tools(
    tools: Iterable[AnyTool | tuple[AnyTool, ...]], harness: Harness, *, on_missing: OnMissing | None = None
) -> list[str]:
    """The names of tools in their order, each name where it comes first.

    A tool the harness lacks is left out; `on_missing` is told, once for each.
    """
    names: dict[str, None] = {}
    for tool in dict.fromkeys(one_by_one(tools)):
        found = to_harness(tool, harness)
        if not found and on_missing is not None and isinstance(tool, Tool):
            on_missing(tool, harness)
        names.update(dict.fromkeys(found))
    return list(names)


class ToolMap(Mapping[str, bool]):
    """Name of a tool on one harness -> whether the agent has it; in order, and never changed.

    Raises TypeError for anything but text and bool.
    """

    __slots__ = ("_entries",)
    _entries: Mapping[str, bool]

    def __new__(cls, entries: Mapping[str, bool] | Iterable[tuple[str, bool]] = ()) -> ToolMap:
        taken = dict(entries)
        for name, enabled in taken.items():
            if not isinstance(name, str) or not isinstance(enabled, bool):
                raise TypeError(f"a tool map has names and True or False, not {name!r}: {enabled!r}")
        made = super().__new__(cls)
        object.__setattr__(made, "_entries", MappingProxyType(taken))
        return made

    def __reduce__(self) -> tuple[type[ToolMap], tuple[dict[str, bool]]]:
        return ToolMap, (dict(self),)

    def __setattr__(self, name: str, _value: object) -> None:
        raise AttributeError(f"a tool map cannot be changed ({name}); enable(), disable() and without() return another")

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    def __getitem__(self, name: str) -> bool:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __hash__(self) -> int:
        return hash(frozenset(self._entries.items()))

    def __repr__(self) -> str:
        return f"ToolMap({dict(self)!r})"

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
        return ToolMap({**self._entries, **dict.fromkeys(names, True)})

    def disable(self, *names: str) -> ToolMap:
        """Another map, in which it must not have these."""
        return ToolMap({**self._entries, **dict.fromkeys(names, False)})

    def without(self, *globs: str) -> ToolMap:
        """Another map that says nothing of the names these globs fit (`mcp_*`)."""
        kept = [(name, on) for name, on in self._entries.items() if not any(fnmatchcase(name, g) for g in globs)]
        return ToolMap(kept)
