"""Enrichers: what changes the tools of an agent for one harness while its file is written."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from rulez_py.agents.definition import AgentDefinition
from rulez_py.agents.mapping import ToolMap
from rulez_py.agents.tool import Harness

GROUP = "rulez.enrichers"
"""The entry-point group of enrichers that packages bring along."""

ToolEnricher = Callable[[Harness, AgentDefinition, ToolMap], Mapping[str, bool]]
"""(harness, agent, its tools there) -> its tools there. Pure: the map it is given cannot be changed."""


class EnricherError(Exception):
    """An enricher cannot be loaded, or did what an enricher must not do."""


def identity(_harness: Harness, _agent: AgentDefinition, tools: ToolMap) -> ToolMap:
    """The enricher that changes nothing."""
    return tools


def compose(enrichers: Sequence[ToolEnricher]) -> ToolEnricher:
    """One enricher that applies these from left to right, each to what the one before it returned."""
    if not enrichers:
        return identity
    steps = tuple(enrichers)

    def composed(harness: Harness, agent: AgentDefinition, tools: ToolMap) -> ToolMap:
        for step in steps:
            tools = enriched(step, harness, agent, tools)
        return tools

    return composed


def enriched(enricher: ToolEnricher, harness: Harness, agent: AgentDefinition, tools: ToolMap) -> ToolMap:
    """What an enricher makes of a map of tools. Raises EnricherError where it fails or returns something else."""
    try:
        result = enricher(harness, agent, tools)
        if result is None:
            raise TypeError("it returned nothing, and must return the tools: enable() and disable() make another map")
        return result if isinstance(result, ToolMap) else ToolMap(result)
    except EnricherError:
        raise
    except (Exception, SystemExit) as error:
        raise EnricherError(
            f"enricher {_name(enricher)} failed on agent {agent.name} for {harness}: {type(error).__name__}: {error}"
        ) from error


def _name(enricher: ToolEnricher) -> str:
    function = enricher if hasattr(enricher, "__qualname__") else type(enricher)
    return f"{function.__module__}:{function.__qualname__}"


# Finding them.


class Plugin(NamedTuple):
    """An enricher that an installed package brings along."""

    name: str
    package: str
    enricher: ToolEnricher


def installed() -> tuple[Plugin, ...]:
    """The enrichers of packages installed beside rulez, by name. Raises EnricherError for one that does not load."""
    if getattr(sys, "frozen", False):
        return ()  # The built program has no packages beside it.
    from importlib.metadata import entry_points

    found = []
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        package = f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else "?"
        try:
            enricher = entry.load()
        except (Exception, SystemExit) as error:
            raise EnricherError(
                f"enricher {entry.name} of package {package} cannot be loaded: {type(error).__name__}: {error}"
            ) from error
        found.append(Plugin(entry.name, package, _callable(enricher, entry.name)))
    return tuple(found)


def load(written: str, directory: str) -> ToolEnricher:
    """The enricher that `module:function` names; `directory` is searched for the module first. Raises EnricherError."""
    module_name, colon, path = written.partition(":")
    module_name = module_name.removesuffix(".py")
    if not colon or not module_name or not path:
        raise EnricherError(f'"{written}" names no enricher: write module:function, like my_enrichers:add_database')
    sys.path.insert(0, directory)
    try:
        found: object = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:
        raise EnricherError(f'enricher "{written}": {type(error).__name__}: {error}') from error
    finally:
        sys.path.remove(directory)
    for attribute in path.split("."):
        if not hasattr(found, attribute):
            raise EnricherError(f'enricher "{written}": there is no {path} in {module_name} ({_place(module_name)})')
        found = getattr(found, attribute)
    return _callable(found, written)


def _place(module_name: str) -> str:
    """Where a module came from: not always the directory that was meant."""
    return getattr(sys.modules.get(module_name), "__file__", None) or "built in"


def _callable(found: object, written: str) -> ToolEnricher:
    if not callable(found):
        raise EnricherError(f'enricher "{written}" is no function but {type(found).__name__}')
    return found
