"""Tools that an agent has on a platform, and those it must not have, so that a tool is taken away by every name.

A tool may go by several names there (Copilot's `execute`, `shell` and `bash`), a name may give several tools (`write`
gives `edit` as well), a glob fits names, and another agent that it starts may have what it must not have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache

from rulez_py.definitions.agents.definition import AgentDefinition
from rulez_py.definitions.base.mapping import ToolMap, map_tools, to_platform
from rulez_py.definitions.base.platforms import AGENT_FILES
from rulez_py.definitions.base.tool import AnyTool, Platform, Tool
from rulez_py.platforms.tool_table import AGENT_FILE_NAMES, INBOUND, REQUIRED, rule_names

Say = Callable[[str], None]


@dataclass(frozen=True)
class Held:
    """Allowed and forbidden tools in a platform's own names. Only `wide` names also fit tools that are gone."""

    has: tuple[str, ...]
    gone: tuple[str, ...]
    wide: tuple[str, ...]


def held(agent: AgentDefinition, platform: Platform, tools: ToolMap, say: Say) -> Held:
    """Return `tools` without everything that must not be there.

    `say` is called with what is removed besides.
    """
    file = AGENT_FILES[platform]
    gone = list(dict.fromkeys((*tools.disabled, *_written_names(agent, platform))))
    for name in _sent_names(agent, platform):
        if not any(within(platform, name, one) for one in gone):
            gone.append(name)
    has = []
    for name in tools.enabled:
        cause = next((one for one in gone if within(platform, name, one)), None)
        if cause is None:
            has.append(name)
        elif name not in gone and not fnmatchcase(name, cause):
            gone.append(name)
            say(f"{name} goes too, which is one tool with {cause} there")
    for name, tool, other in _shared(agent, platform):
        if name not in tools.enabled and name not in has:
            say(f"{name} goes too, which is {tool} as well as {other} there")
    if agent.tools and not has:
        say("no tool is left for it")
    starters = [name for name in has if any(within(platform, name, one) for one in file.spawners)]
    if starters and (agent.tools is not None or gone):
        say(f"{starters[0]} lets it start agents that have every tool")
    if gone and agent.tools is None and file.can_take_away:
        for name in file.spawners:
            if name not in has and not any(within(platform, name, one) for one in gone):
                say(f"{name} goes too: the agents it starts would have what this one must not have")
                gone.append(name)
    wide = tuple(name for name in has if any(_fits(platform, one, name) for one in gone))
    return Held(tuple(has), tuple(gone), wide)


def _is_known(tool: AnyTool) -> bool:
    """Tell whether each platform has its own names for a tool."""
    return isinstance(tool, Tool) or tool.further


def _shared(agent: AgentDefinition, platform: Platform) -> Iterator[tuple[str, AnyTool, AnyTool]]:
    """(name, tool, other): what it would have by a tool that is not disallowed, but for another one that is."""
    disallowed = [tool for tool in agent.disallowed_tools if _is_known(tool)]
    for tool in dict.fromkeys(agent.tools if agent.tools is not None else Tool):
        if _is_known(tool) and tool not in disallowed:
            for name in to_platform(tool, platform):
                for other in disallowed:
                    if any(within(platform, name, one) for one in to_platform(other, platform)):
                        yield name, tool, other
                        break


def _written_names(agent: AgentDefinition, platform: Platform) -> Iterator[str]:
    """Yield what is disallowed by its names in definition files, and those of the matrix that a glob fits."""
    for name in map_tools(agent.disallowed_tools, platform):
        yield name
        if is_glob(name) and name != "*":
            yield from (one for one in _written(platform) if fnmatchcase(one, name))


def _sent_names(agent: AgentDefinition, platform: Platform) -> Iterator[str]:
    """Yield the same by its names in hook payloads."""
    variants = {str(tool) for tool in agent.disallowed_tools if _is_known(tool)}
    for row in INBOUND[platform].values():
        if row.evidence != REQUIRED and variants.intersection(rule_names(platform, row.name)):
            yield row.name


def is_glob(name: str) -> bool:
    """Tell whether a name fits others as well."""
    return "*" in name or "?" in name


def within(platform: Platform, name: str, other: str) -> bool:
    """Tell whether all that a name gives is given by the other one, or they are one tool there."""
    return _fits(platform, name, other) or bool(_gives(platform, name) & _gives(platform, other))


def _fits(platform: Platform, name: str, glob: str) -> bool:
    name, glob = _folded(platform, name), _folded(platform, glob)
    return name == glob or fnmatchcase(name, glob)


def _folded(platform: Platform, name: str) -> str:
    """Return the name as the platform compares it."""
    file = AGENT_FILES[platform]
    if not file.ignores_case:
        return name
    name = name.lower()
    server, slash, _ = name.partition("/")
    if slash and server in _written(platform):
        return server
    return file.aliases.get(name, name.replace("/", "-"))


def _gives(platform: Platform, name: str) -> frozenset[str]:
    """Return the meaning of a name, as far as another name may mean it as well: tool variants and canonical
    names.
    """
    file, name = AGENT_FILES[platform], _folded(platform, name)
    known = _known(platform)
    found = [gives for one, gives in known.items() if one == name or (is_glob(name) and fnmatchcase(one, name))]
    gives = frozenset[str]().union(*found)
    switched = file.one_switch if gives & file.one_switch else frozenset()
    return gives | switched if file.names_overlap else switched


@cache
def _written(platform: Platform) -> tuple[str, ...]:
    return tuple(map_tools(Tool, platform))


@cache
def _known(platform: Platform) -> Mapping[str, frozenset[str]]:
    """A name of the tool table, as the platform compares it -> the variants and canonical names it answers to."""
    known: dict[str, frozenset[str]] = {}
    rows = [(name, {variant}) for variant, names in AGENT_FILE_NAMES[platform].items() for name in names]
    rows += [(name, {*rule_names(platform, name)}) for name in INBOUND[platform]]
    for name, gives in rows:
        folded = _folded(platform, name)
        known[folded] = known.get(folded, frozenset()) | gives
    return known
