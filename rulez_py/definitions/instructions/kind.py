"""Plan instructions as one kind of definitions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rulez_py.definitions import instructions
from rulez_py.definitions.base.files import source_name
from rulez_py.definitions.base.notes import Note
from rulez_py.definitions.base.plan import Entry, Everything, Left, Where
from rulez_py.platforms.instruction_files import SHARED

KEY = "instructions"
"""What rulez.agents.yaml calls them."""
NAME = "instructions"
"""What people call one."""
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
