"""Plan agents as one kind of definitions."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from rulez_py.definitions.agents import files as agent_files
from rulez_py.definitions.agents import importing, planning
from rulez_py.definitions.agents.enrichers import ToolEnricher
from rulez_py.definitions.base.files import content_of
from rulez_py.definitions.base.notes import Note
from rulez_py.definitions.base.plan import Entry, Everything, Imported, Where, old_files
from rulez_py.definitions.base.platforms import AGENT_FILES
from rulez_py.definitions.base.tool import Platform, platform_of
from rulez_py.definitions.output.errors import InvalidAgent
from rulez_py.definitions.output.targets import WholeFile

KEY = "agents"
"""Their key in rulez.agents.yaml."""
NAME = "agent"
"""The word for one in messages."""
SEVERAL = "agents"
"""The word for several in messages."""
ABOUT = "Agent definitions, by their paths from here; `*` is any text but `/`."
INSIDE = ""
"""The file in its directory by which one is read; "" where one is a file."""


def planned(
    paths: Sequence[str],
    platforms: Sequence[str],
    where: Where,
    values: Mapping[str, str],
    enricher: ToolEnricher | None = None,
) -> Everything:
    """Plan the files of these definitions. `values` are those of variables; an enricher changes tools of agents."""
    with_files = [platform for platform in Platform if platform.value in platforms]
    doubts: list[Note] = []
    named = [(path, agent_files.load(where.file(path), variables=values, warn=doubts.append)) for path in paths]
    planned, notes = planning.plan(
        [(where.file(path), agent) for path, agent in named],
        with_files,
        where.place,
        scope=where.scope,
        enricher=enricher,
    )
    sources = {id(agent): path for path, agent in named}
    entries = tuple(
        Entry(NAME, one.agent.name, sources[id(one.agent)], one.platform.value, (one.target,)) for one in planned
    )
    now = {os.path.realpath(one.target.path) for one in planned}
    left = tuple(old_files({one.value: kind for one, kind in AGENT_FILES.items()}, where, now, where.sources(paths)))
    return Everything(entries, (*doubts, *notes), left)


def is_one(path: str) -> bool:
    """Tell whether a platform loads a file at `path` as one of these."""
    return importing.platform_at(os.path.abspath(path)) is not None


def imported(path: str, platform: str | None, directory: str) -> Imported:
    """Return the definition in `directory` that says what a platform's file does.

    Raises InvalidAgent where it cannot be read, or its platform is not known.
    """
    whose = platform_of(platform) if platform else importing.platform_at(os.path.abspath(path))
    if whose is None:
        raise InvalidAgent(f"{path} lies where nothing is loaded from; say whose agent it is with --platform")
    done = importing.imported(content_of(path), path, whose)
    target = os.path.join(directory, f"{done.agent.name}.md")
    return Imported(target, (WholeFile(target, os.path.normpath(target), done.text),), done.text, done.notes)
