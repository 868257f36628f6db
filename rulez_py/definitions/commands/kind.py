"""Plan slash commands as one kind of definitions."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from rulez_py.definitions import commands as slash_commands
from rulez_py.definitions.base.files import content_of, origin_at, source_name
from rulez_py.definitions.base.notes import CannotSay, Note
from rulez_py.definitions.base.plan import Entry, Everything, Imported, Where, old_files
from rulez_py.definitions.commands import importing
from rulez_py.definitions.output.targets import WholeFile

KEY = "commands"
"""Their key in rulez.agents.yaml."""
NAME = "command"
"""The word for one in messages."""
SEVERAL = "commands"
"""The word for several in messages."""
ABOUT = "Slash commands, each a Markdown file."
INSIDE = ""
"""The file in its directory by which one is read; "" where one is a file."""


def planned(
    paths: Sequence[str],
    platforms: Sequence[str],
    where: Where,
    values: Mapping[str, str],
    enricher: object = None,
) -> Everything:
    """Plan the files of these definitions. `values` are those of variables; an enricher changes tools of agents."""
    entries: list[Entry] = []
    notes: list[Note] = []
    chosen = [one for one in platforms if one in slash_commands.PLATFORMS]
    for path in paths:
        command = slash_commands.load(where.file(path), variables=values)
        source = source_name(where.file(path), where.place)
        origin = origin_at(where.file(path))
        files, told = slash_commands.plan(
            command, chosen, where.place, scope=where.scope, source=source, instead_of=origin
        )
        entries += [Entry(NAME, command.name, path, platform, (target,)) for platform, target in files.items()]
        notes += told
    now = [os.path.realpath(entry.targets[0].path) for entry in entries]
    if len(set(now)) < len(now):
        raise CannotSay("two slash commands have the same name: their files would be one")
    left = tuple(old_files(slash_commands.COMMAND_FILES, where, now, where.sources(paths)))
    return Everything(tuple(entries), tuple(notes), left)


def is_one(path: str) -> bool:
    """Tell whether a platform loads a file at `path` as one of these."""
    return importing.platform_at(os.path.abspath(path)) is not None


def imported(path: str, platform: str | None, directory: str) -> Imported:
    """Return the definition in `directory` that says what a platform's file does.

    The file's place names its platform. Raises InvalidAgent where it cannot be read.
    """
    whose = importing.platform_at(os.path.abspath(path)) or platform or ""
    done = importing.imported(content_of(path), path, whose)
    target = os.path.join(directory, f"{done.command.name}.md")
    return Imported(target, (WholeFile(target, os.path.normpath(target), done.text),), done.text, done.notes)
