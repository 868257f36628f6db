"""Plan instructions as one kind of definitions."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from rulez_py.definitions import instructions
from rulez_py.definitions.base.files import source_name
from rulez_py.definitions.base.notes import Note
from rulez_py.definitions.base.plan import Entry, Everything, Imported, Left, Where
from rulez_py.definitions.instructions import importing
from rulez_py.definitions.output.targets import WholeFile
from rulez_py.platforms.instruction_files import SHARED

KEY = "instructions"
"""Their key in rulez.agents.yaml."""
NAME = "instructions"
"""The word for one in messages."""
SEVERAL = "files of instructions"
"""The word for several in messages."""
ABOUT = "Markdown files with what every agent has to know, in this order."
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
    notes: list[Note] = []
    given = [
        instructions.load(file, source=source_name(file, where.place), variables=values)
        for file in map(where.file, paths)
    ]
    platforms = [one for one in platforms if one in instructions.PLATFORMS]
    targets = instructions.plan(given, platforms, where.place, scope=where.scope, warn=notes.append)
    readers = " ".join(platforms)
    entries = tuple(
        Entry(NAME, target.shown, ", ".join(source for source, _ in target.parts), readers, (target,))
        for target in targets
    )
    sources = (*where.sources(paths), SHARED)
    left = tuple(
        Left(one.path, one.source, one.edited, _taking_out(one), platforms=one.readers)
        for one in instructions.left_over(where.place, targets, scope=where.scope)
        if where.is_old(one.source, sources)
    )
    return Everything(entries, tuple(notes), left)


def _taking_out(left: instructions.LeftOver) -> Callable[[], None]:
    return lambda: instructions.take_out([left])


def is_one(path: str) -> bool:
    """Tell whether a platform loads a file at `path` as one of these."""
    return os.path.basename(path) in importing.NAMES


def imported(path: str, platform: str | None, directory: str) -> Imported:
    """Return the definition in `directory` that says what a platform's file does.

    Raises InvalidAgent where nothing in it is its own.
    """
    done = importing.load(path)
    target = os.path.join(directory, done.name)
    return Imported(target, (WholeFile(target, os.path.normpath(target), done.text),), done.text, done.notes)
