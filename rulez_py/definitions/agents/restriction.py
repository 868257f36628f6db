"""What an agent has on a harness, and what it must not have: so that what is taken away is gone by every name.

A tool may go by several names there (Copilot's `execute`, `shell` and `bash`), a name may give several tools (`write`
gives `edit` as well), a glob fits names, and another agent that it starts may have what it must not have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache

from rulez_py.definitions.agents.definition import AgentDefinition
from rulez_py.definitions.base.harnesses import HARNESS_FILES
from rulez_py.definitions.base.mapping import ToolMap, map_tools, to_harness
from rulez_py.definitions.base.tool import AnyTool, Harness, Tool
from rulez_py.tools import AGENT_FILE_NAMES, INBOUND, REQUIRED, rule_names

Say = Callable[[str], None]


@dataclass(frozen=True)
class Held:
    """What it has, and what it must not have, in a harness's own names. Only `wide` names fit what is gone as well."""

    has: tuple[str, ...]
    gone: tuple[str, ...]
    wide: tuple[str, ...]


def held(agent: AgentDefinition, harness: Harness, tools: ToolMap, say: Say) -> Held:
    """What `tools` come to once everything that must not be there is taken away; `say` is told what goes beside it."""
    file = HARNESS_FILES[harness]
    gone = list(dict.fromkeys((*tools.disabled, *_written_names(agent, harness))))
    for name in _sent_names(agent, harness):
        if not any(within(harness, name, one) for one in gone):
            gone.append(name)
    has = []
    for name in tools.enabled:
        cause = next((one for one in gone if within(harness, name, one)), None)
        if cause is None:
            has.append(name)
        elif name not in gone and not fnmatchcase(name, cause):
            gone.append(name)
            say(f"{name} goes too, which is one tool with {cause} there")
    for name, tool, other in _shared(agent, harness):
        if name not in tools.enabled and name not in has:
            say(f"{name} goes too, which is {tool} as well as {other} there")
    if agent.tools and not has:
        say("no tool is left for it")
    starters = [name for name in has if any(within(harness, name, one) for one in file.spawners)]
    if starters and (agent.tools is not None or gone):
        say(f"{starters[0]} lets it start agents that have every tool")
    if gone and agent.tools is None and file.can_take_away:
        for name in file.spawners:
            if name not in has and not any(within(harness, name, one) for one in gone):
                say(f"{name} goes too: the agents it starts would have what this one must not have")
                gone.append(name)
    wide = tuple(name for name in has if any(_fits(harness, one, name) for one in gone))
    return Held(tuple(has), tuple(gone), wide)


def _is_known(tool: AnyTool) -> bool:
    """Whether each harness has its own names for a tool."""
    return isinstance(tool, Tool) or tool.further


def _shared(agent: AgentDefinition, harness: Harness) -> Iterator[tuple[str, AnyTool, AnyTool]]:
    """(name, tool, other): what it would have by a tool that is not disallowed, but for another one that is."""
    disallowed = [tool for tool in agent.disallowed_tools if _is_known(tool)]
    for tool in dict.fromkeys(agent.tools if agent.tools is not None else Tool):
        if _is_known(tool) and tool not in disallowed:
            for name in to_harness(tool, harness):
                for other in disallowed:
                    if any(within(harness, name, one) for one in to_harness(other, harness)):
                        yield name, tool, other
                        break


def _written_names(agent: AgentDefinition, harness: Harness) -> Iterator[str]:
    """What is disallowed by its names in definition files, and those of the matrix that a glob fits."""
    for name in map_tools(agent.disallowed_tools, harness):
        yield name
        if is_glob(name) and name != "*":
            yield from (one for one in _written(harness) if fnmatchcase(one, name))


def _sent_names(agent: AgentDefinition, harness: Harness) -> Iterator[str]:
    """The same by its names in hook payloads."""
    variants = {str(tool) for tool in agent.disallowed_tools if _is_known(tool)}
    for row in INBOUND[harness].values():
        if row.evidence != REQUIRED and variants.intersection(rule_names(harness, row.name)):
            yield row.name


def is_glob(name: str) -> bool:
    """Whether a name fits others as well."""
    return "*" in name or "?" in name


def within(harness: Harness, name: str, other: str) -> bool:
    """Whether all that a name gives is given by the other one, or they are one tool there."""
    return _fits(harness, name, other) or bool(_gives(harness, name) & _gives(harness, other))


def _fits(harness: Harness, name: str, glob: str) -> bool:
    name, glob = _folded(harness, name), _folded(harness, glob)
    return name == glob or fnmatchcase(name, glob)


def _folded(harness: Harness, name: str) -> str:
    """The name as the harness compares it."""
    file = HARNESS_FILES[harness]
    if not file.ignores_case:
        return name
    name = name.lower()
    server, slash, _ = name.partition("/")
    if slash and server in _written(harness):
        return server
    return file.aliases.get(name, name.replace("/", "-"))


def _gives(harness: Harness, name: str) -> frozenset[str]:
    """What a name stands for, as far as another name may stand for it as well: tool variants and canonical names."""
    file, name = HARNESS_FILES[harness], _folded(harness, name)
    known = _known(harness)
    found = [gives for one, gives in known.items() if one == name or (is_glob(name) and fnmatchcase(one, name))]
    gives = frozenset[str]().union(*found)
    switched = file.one_switch if gives & file.one_switch else frozenset()
    return gives | switched if file.names_overlap else switched


@cache
def _written(harness: Harness) -> tuple[str, ...]:
    return tuple(map_tools(Tool, harness))


@cache
def _known(harness: Harness) -> Mapping[str, frozenset[str]]:
    """A name of the tool table, as the harness compares it -> the variants and canonical names it answers to."""
    known: dict[str, frozenset[str]] = {}
    rows = [(name, {variant}) for variant, names in AGENT_FILE_NAMES[harness].items() for name in names]
    rows += [(name, {*rule_names(harness, name)}) for name in INBOUND[harness]]
    for name, gives in rows:
        folded = _folded(harness, name)
        known[folded] = known.get(folded, frozenset()) | gives
    return known
