"""State of a PowerShell session in one possible course of its script, and the merging of courses.

A part that follows a script takes worlds and returns worlds, as in `bash.world`. A condition returns those of all its
branches, so values set in the same branch stay together.
"""

from __future__ import annotations

from rulez_py.analysis.powershell.flow import MOST, Flow, Listed, parts_of, text_of, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from rulez_py.analysis.powershell.flow import Closure, Known

MOST_WORLDS = 8
"""Number of worlds kept apart; further ones are merged into the last, in which what differs is unknown."""
_LONGEST_PATH = 1_000
_MOST_PATHS = 20


class World:
    """One possible state of a session. It belongs to the part that follows it and may change it.

    `cwd` is None where it is unknown; `stack` has the directories of Push-Location. An alias or a function with an
    unknown body is None. `written` has the origins of the content of written files, by path in lower case.
    """

    def __init__(self, cwd: str | None) -> None:
        self.cwd = cwd
        self.stack: tuple[str | None, ...] = ()
        self.variables: dict[str, Known] = {}
        self.aliases: dict[str, str | None] = {}
        self.functions: dict[str, Closure | None] = {}
        self.written: dict[str, tuple[str, ...]] = {}

    def copy(self) -> World:
        """Return a copy, to follow other statements."""
        other = World(self.cwd)
        other.stack = self.stack
        other.variables = self.variables.copy()
        other.aliases = self.aliases.copy()
        other.functions = self.functions.copy()
        other.written = self.written.copy()
        return other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, World) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]


if TYPE_CHECKING:
    Course: TypeAlias = "tuple[World, Known | None]"
    """A world, and the value returned in it so far."""


def forked(courses: Sequence[Course]) -> list[Course]:
    """Return copies of courses, to follow other statements."""
    return [(world.copy(), value) for world, value in courses]


def united(courses: Sequence[Course]) -> list[Course]:
    """Return courses without duplicates, the likeliest first; at most `MOST_WORLDS`."""
    if len(courses) < 2:
        return list(courses)
    kept: list[Course] = []
    for course in courses:
        if course not in kept:
            kept.append(course)
    if len(kept) > MOST_WORLDS:
        kept[MOST_WORLDS - 1 :] = [merged(kept[MOST_WORLDS - 1 :])]
    return kept


def merged(courses: Sequence[Course]) -> Course:
    """Return one course in the place of several: what differs between them is unknown.

    INVARIANT: the course knows only what holds in each of them.
    """
    (world, value), *others = courses
    if not others:
        return world, value
    world = world.copy()
    for other, returned in others:
        _join(world, other)
        value = either(value, returned)
    return world, value


def either(value: Known | None, other: Known | None, shown: str = "") -> Known | None:
    """Return a value that may be either: the common value, or an unknown one with the files of both."""
    if other is value or other == value:
        return value
    texts = [text for text in (text_of(value), text_of(other)) if text is not None]
    flows = [
        path for each in (value, other) for part in parts_of(each) if isinstance(part, Flow) for path in part.paths
    ]
    listed = (*flows, *(Listed(path=text) for text in texts if text and len(text) < _LONGEST_PATH))
    return unknown(shown, value, other).replace(paths=tuple(dict.fromkeys(listed))[:_MOST_PATHS])


def both(before: Known | None, value: Known | None) -> Known | None:
    """Return the values returned one after the other, as one value."""
    if value is None or before is None:
        return before if value is None else value
    if isinstance(before, tuple) and len(before) >= MOST:
        return before
    return (*parts_of(before), *parts_of(value))[:MOST]


def _join(world: World, other: World) -> None:
    """Merge another world into a world."""
    if world.cwd != other.cwd:
        world.cwd = None
    if world.stack != other.stack:
        world.stack = ()
    for name in dict.fromkeys((*world.variables, *other.variables)):
        value, second = world.variables.get(name), other.variables.get(name)
        if value is not second:
            unset = Flow(shown=f"${name}")
            value = either(unset if value is None else value, unset if second is None else second, f"${name}")
            world.variables[name] = "" if value is None else value
    world.aliases = {
        name: world.aliases.get(name) if world.aliases.get(name) == other.aliases.get(name) else None
        for name in (*world.aliases, *other.aliases)
    }
    world.functions = {
        name: world.functions.get(name) if world.functions.get(name) == other.functions.get(name) else None
        for name in (*world.functions, *other.functions)
    }
    for path, origins in other.written.items():
        world.written[path] = tuple(dict.fromkeys((*world.written.get(path, ()), *origins)))
