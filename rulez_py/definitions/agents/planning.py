"""Definitions -> the files of several platforms, and what people have to know of them. Nothing is written."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulez_py.definitions.agents.definition import AgentDefinition
from rulez_py.definitions.agents.enrichers import ToolEnricher
from rulez_py.definitions.agents.writers import OutputType, file_path, render
from rulez_py.definitions.base.files import origin_at, source_name
from rulez_py.definitions.base.notes import CannotSay, Note
from rulez_py.definitions.base.platforms import AGENT_FILES
from rulez_py.definitions.base.refused_names import check_name
from rulez_py.definitions.base.tool import Platform
from rulez_py.definitions.output.marks import mark
from rulez_py.definitions.output.store import names_in
from rulez_py.definitions.output.targets import WholeFile
from rulez_py.definitions.output.written import Scope
from rulez_py.platforms import adapter


@dataclass(frozen=True)
class Planned:
    """The file of one agent for one platform."""

    agent: AgentDefinition
    platform: Platform
    target: WholeFile


def plan(
    agents: Sequence[tuple[str, AgentDefinition]],
    platforms: Sequence[Platform],
    directory: str,
    *,
    scope: Scope = "project",
    output: OutputType = OutputType.Markdown,
    enricher: ToolEnricher | None = None,
) -> tuple[list[Planned], list[Note]]:
    """Return the files for (definition's path, agent) in a project's, or in the scope `user` a home directory.

    Raises CannotSay, also for two agents in one file; EnricherError; CannotWrite where a file is a definition itself.
    """
    planned: dict[str, Planned] = {}
    notes: list[Note] = []
    for file, agent in agents:
        origin = origin_at(file)
        check_name("agent", agent.name, file, {one.value: AGENT_FILES[one].agent_name for one in platforms})
        for platform in platforms:
            text = render(agent, platform, output, enricher=enricher, warn=notes.append)
            if output is not OutputType.JSON:
                text = mark(text, source_name(file, directory), after_first_line=output is OutputType.Markdown)
            path = os.path.join(directory, *_path(agent, platform, output, scope).split("/"))
            place = os.path.normcase(os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path)))
            if place in planned:
                raise CannotSay(f"{planned[place].target.shown} would hold two agents called {agent.name}")
            planned[place] = Planned(agent, platform, WholeFile(path, os.path.normpath(path), text, origin))
        if output is OutputType.Markdown:
            notes += _who_reads_it_too(agent, platforms)
    if output is OutputType.Markdown and scope == "project":
        names = [agent.name for _, agent in agents]
        notes += [note for platform in platforms for note in _what_wins(names, platform, directory)]
    return list(planned.values()), notes


def _path(agent: AgentDefinition, platform: Platform, output: OutputType, scope: Scope) -> str:
    if scope == "user":
        file = AGENT_FILES[platform]
        return f"{file.user_directory}/{agent.name}{file.ending}"
    return file_path(agent, platform, output)


def _what_wins(names: Sequence[str], platform: Platform, directory: str) -> Iterator[Note]:
    """Another file of the same agent would be loaded in its place, or as a part of it, with whatever tools it has."""
    file = AGENT_FILES[platform]
    place = os.path.join(directory, file.directory)
    inside = list(names_in(place)) if file.named_inside else []
    for name in names:
        own = os.path.join(place, name + file.ending)
        places = [os.path.join(directory, os.path.expanduser(path.format(name=name))) for path in file.loaded_instead]
        others = [path for path in places if os.path.lexists(path)]
        others += [path for path, said in inside if said == name and path != own]
        for other in others:
            told = f"{os.path.normpath(other)} is an agent called {name} as well, and may take its place: remove it"
            yield Note(told, grave=True)


def _who_reads_it_too(agent: AgentDefinition, platforms: Sequence[Platform]) -> Iterator[Note]:
    """Yield an agent that loads another's files, and does not know what they take away.

    Its own file of the name wins.
    """
    if agent.tools is not None or not agent.disallowed_tools:
        return
    for reader, file in AGENT_FILES.items():
        for read in platforms if reader not in platforms else ():
            if read in file.reads_files_of:
                yield Note(
                    f"{agent.name}: {adapter(reader).AGENT} reads {adapter(read).AGENT}'s file as well, "
                    f"and gives it every tool; write it with --platform {reader} too",
                    grave=True,
                )
