"""Plan skills as one kind of definitions."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from rulez_py.definitions import skills
from rulez_py.definitions.base.files import source_name
from rulez_py.definitions.base.notes import Note
from rulez_py.definitions.base.plan import Entry, Everything, Imported, Left, Where
from rulez_py.definitions.base.refused_names import check_name
from rulez_py.definitions.output.errors import InvalidAgent
from rulez_py.definitions.skills.files import saved, why_no_place
from rulez_py.definitions.skills.platforms import SKILL_FILES
from rulez_py.documents.diagnostics import errors, warnings
from rulez_py.platforms import PLATFORMS

KEY = "skills"
"""Their key in rulez.agents.yaml."""
NAME = "skill"
"""The word for one in messages."""
SEVERAL = "skills"
"""The word for several in messages."""
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
    loading = [one for one in platforms if one in skills.PLATFORMS]
    without = {one: why for one in loading if (why := why_no_place(one, where.scope))}
    chosen = [one for one in loading if one not in without]
    entries: list[Entry] = []
    # Who asks for every platform there is has not asked for these.
    notes = [Note(why, always=set(platforms) != set(PLATFORMS)) for why in without.values() if paths]
    removed: list[str] = []
    for path in paths:
        skill = skills.load(where.file(path), variables=values, warn=notes.append)
        source = source_name(where.file(path), where.place)
        check_name(NAME, skill.name, path, {one: SKILL_FILES[one].name for one in chosen})
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


def is_one(path: str) -> bool:
    """Tell whether `path` is the directory of a skill, or its SKILL.md."""
    return os.path.isdir(path) or os.path.basename(path) == INSIDE


def imported(path: str, platform: str | None, directory: str) -> Imported:
    """Return the skill in `directory` that says what a platform's does.

    Raises InvalidAgent where it cannot be read or its platform is not known.
    """
    place = path if os.path.isdir(path) else os.path.dirname(path) or os.curdir
    whose = platform or skills.platform_at(place)
    if not whose:
        raise InvalidAgent(f"{path} lies where no platform loads skills from; say whose it is with --platform")
    done = skills.read_directory(place, of=whose)
    if done.skill is None:
        raise InvalidAgent("\n".join(one.labelled for one in errors(done.problems)))
    target = os.path.join(directory, done.skill.name)
    told = tuple(one.labelled for one in warnings(done.problems))
    return Imported(target, tuple(saved(done.skill, target)), skills.source(done.skill), warnings=told)
