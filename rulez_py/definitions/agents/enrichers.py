"""Enrichers: what changes the tools of an agent for one platform while its file is written."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from typing import NamedTuple

from rulez_py.definitions.agents.definition import AgentDefinition
from rulez_py.definitions.base.mapping import ToolMap
from rulez_py.definitions.base.tool import CustomTool, Platform
from rulez_py.definitions.output.errors import AgentError

GROUP = "rulez.enrichers"
"""The entry-point group of enrichers that packages bring along."""

ToolEnricher = Callable[[Platform, AgentDefinition, ToolMap], Mapping[str, bool]]
"""(platform, agent, its tools there) -> its tools there. Pure: the map it is given cannot be changed."""
LONGEST = 10.0
"""Seconds that an enricher may take."""


class EnricherError(AgentError):
    """An enricher cannot be loaded, or did what an enricher must not do."""


def identity(_platform: Platform, _agent: AgentDefinition, tools: ToolMap) -> ToolMap:
    """Return the enricher that changes nothing."""
    return tools


def compose(enrichers: Sequence[ToolEnricher | None]) -> ToolEnricher:
    """Return one enricher that applies these from left to right, each to what the one before it returned.

    None adds nothing.
    """
    steps = tuple(one for one in enrichers if one is not None)
    if not steps:
        return identity

    def composed(platform: Platform, agent: AgentDefinition, tools: ToolMap) -> ToolMap:
        for step in steps:
            tools = enriched(step, platform, agent, tools)
        return tools

    return composed


def enriched(enricher: ToolEnricher | None, platform: Platform, agent: AgentDefinition, tools: ToolMap) -> ToolMap:
    """Return what an enricher makes of a map of tools; what it prints goes to standard error.

    Raises EnricherError where it fails, takes more than `LONGEST` seconds, or returns anything but names of tools.
    """
    if enricher is None:
        return tools

    def fail(why: str, error: BaseException | None = None) -> EnricherError:
        found = EnricherError(f"enricher {_name(enricher)} failed on agent {agent.name} for {platform}: {why}")
        found.__cause__ = error
        return found

    ended: list[object] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            ended.append(enricher(platform, agent, tools))
        except BaseException as error:
            raised.append(error)

    # A thread cannot be ended, but it ends with the program, which then says why.
    thread = threading.Thread(target=run, daemon=True, name=f"enricher {_name(enricher)}")
    with contextlib.redirect_stdout(sys.stderr):
        thread.start()
        thread.join(LONGEST)
    if thread.is_alive():
        raise fail(f"it is not done after {LONGEST:g} seconds")
    if raised:
        if isinstance(raised[0], EnricherError):
            raise raised[0]
        raise fail(f"{type(raised[0]).__name__}: {raised[0]}", raised[0])
    return _checked(ended[0], fail)


def _checked(result: object, fail: Callable[[str], EnricherError]) -> ToolMap:
    """Return what an enricher returned, as a map of tools."""
    if result is None:
        raise fail("it returned nothing, and must return the tools: enable() and disable() make another map")
    if isinstance(result, Coroutine):
        result.close()
    if not isinstance(result, Mapping):
        raise fail(f"it returned a {type(result).__name__}, and must return a map: name -> True or False")
    try:
        made = result if isinstance(result, ToolMap) else ToolMap(result)
        for name in made:
            CustomTool(name)
    except AgentError as error:
        raise fail(str(error)) from None
    return made


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
    """Return the enrichers of packages installed beside rulez, by name.

    Raises EnricherError for one that does not load.
    """
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
    """Return the enricher that `module:function` names; `directory` is searched for the module first.

    Raises EnricherError.
    """
    module_name, colon, path = written.rpartition(":")
    folder, module_name = os.path.split(module_name)
    module_name = module_name.removesuffix(".py")
    if not colon or not module_name or not path:
        raise EnricherError(f'"{written}" names no enricher: write module:function, like my_enrichers:add_database')
    directory = os.path.join(directory, folder) if folder else directory
    try:
        with _importing_from(directory), contextlib.redirect_stdout(sys.stderr):
            found: object = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:
        raise EnricherError(f'enricher "{written}": {type(error).__name__}: {error}') from error
    for attribute in path.split("."):
        if not hasattr(found, attribute):
            raise EnricherError(f'enricher "{written}": there is no {path} in {module_name} ({_place(module_name)})')
        found = getattr(found, attribute)
    return _Beside(_callable(found, written), directory)


@contextlib.contextmanager
def _importing_from(directory: str) -> Iterator[None]:
    sys.path.insert(0, directory)
    try:
        yield
    finally:
        sys.path.remove(directory)


class _Beside:
    """An enricher that can import what lies beside its file, while it runs as well."""

    def __init__(self, enricher: ToolEnricher, directory: str) -> None:
        self.__wrapped__ = enricher
        self._directory = directory
        function = enricher if hasattr(enricher, "__qualname__") else type(enricher)
        self.__module__, self.__qualname__ = function.__module__, function.__qualname__

    def __call__(self, platform: Platform, agent: AgentDefinition, tools: ToolMap) -> Mapping[str, bool]:
        with _importing_from(self._directory):
            return self.__wrapped__(platform, agent, tools)


def _place(module_name: str) -> str:
    """Return where a module came from: not always the directory that was meant."""
    return getattr(sys.modules.get(module_name), "__file__", None) or "built in"


def _callable(found: object, written: str) -> ToolEnricher:
    if not callable(found):
        raise EnricherError(f'enricher "{written}" is no function but {type(found).__name__}')
    return found
