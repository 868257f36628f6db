"""Plan skills as one kind of definitions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rulez_py.definitions import skills
from rulez_py.definitions.base.files import source_name
from rulez_py.definitions.base.notes import Note
from rulez_py.definitions.base.plan import Entry, Everything, Left, Where

KEY = "skills"
"""What rulez.agents.yaml calls them."""
NAME = "skill"
"""What people call one."""
ABOUT = "Directories of skills, each with a SKILL.md; `skills/*` is all there."
INSIDE = "SKILL.md"
"""The file in its directory by which one is read; "" where one is a file."""


def planned(
    paths: Sequence[str],
    platforms: Sequence[str],
    where: Where,
    values: Mapping[str, str],
    enricher: object = None,
) -> Everything:
    """Plan the files of these definitions. `values` are those of variables; an enricher changes tools of agents."""
    chosen = [one for one in platforms if one in skills.PLATFORMS]
    entries: list[Entry] = []
    notes: list[Note] = []
    removed: list[str] = []
    for path in paths:
        skill = skills.load(where.file(path), variables=values, warn=notes.append)
        source = source_name(where.file(path), where.place)
        for platform in chosen:
            plan = skills.plan(skill, platform, where.place, scope=where.scope, source=source, beside=chosen)
            entries.append(Entry(NAME, skill.name, path, platform, plan.targets))
            notes += plan.notes
            removed += plan.left_over
    written = [entry.targets[0].path for entry in entries]
    left = [
        Left(one.path, one.source, one.edited, _removing(one), platforms=frozenset({platform}))
        for platform in skills.PLATFORMS
        for one in skills.left_over(
            where.place, platform, scope=where.scope, sources=where.sources(paths), written=written
        )
    ]
    return Everything(tuple(entries), tuple(notes), tuple(left), tuple(removed))


def _removing(left: skills.LeftOver) -> Callable[[], None]:
    return lambda: skills.remove((left.path, *left.files))
