"""What a shell knows while it runs, in one possible course of events, and merges many of these into few.

A `World` is one of them. Following a part of a command line takes worlds and returns worlds: a condition leaves behind
those of both its sides. So what was set on the same side stays together.
"""

from __future__ import annotations

import posixpath

from rulez_py.analysis.record import Value
from rulez_py.analysis.values import VARIABLE, Data, Word, is_secretive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Protocol, TypeAlias

    from rulez_py.analysis.bash.syntax import Node
    from rulez_py.analysis.values import File, Inner, Names

    Variable: TypeAlias = Data | dict[str, Data] | None
    """A text, a list (its indices are digits) or a map; None where it is known to be unset."""

    class Shell(Protocol):
        """What builtins ask of the interpreter. Each may run what is substituted."""

        def assign(self, world: World, name: str, value: Data, *, adds: bool = False, index: str | None = None) -> None:
            """Assign a value as the variable's attributes have it."""

        def compute(self, word: Word, world: World) -> Data:
            """Return the value of a word that is an arithmetic expression."""

        def evaluate(self, word: Word, world: World) -> None:
            """Evaluate a word that is the name of a variable, with an index or without."""

        def compare(self, word: Word, world: World) -> None:
            """Evaluate a word that zsh reads as an expression."""

        def evaluated(self, text: str, world: World) -> None:
            """Evaluate a text in which bash expands again."""

        def nested(self, word: Word, world: World) -> None:
            """Follow a word that a builtin runs as code, now or later."""

        def beside(self, words: Sequence[Word], world: World) -> None:
            """Follow a command that a builtin starts."""

        def content(self, target: Word, world: World) -> Data:
            """Return what is read from a file."""

        def choose(self, count: int) -> int:
            """Return one of so many possibilities, all of which are tried; UNDECIDED where that would be too many."""


NOTHING = Data(text="")
UNKNOWN = Data()
SECRET = Data(origins=(VARIABLE,))
"""The value of a variable whose name says that it is a secret."""
PRINTED = "printed"
"""The origin of what a program here prints, where the text is not known."""
MOST_WORLDS = 8
"""Worlds that are kept apart; the last is then all others merged, and what differs in these is unknown."""
SETS_UP = "sets-up"
"""The origin of what a program prints for a shell to run (`programs.setup`)."""
UNDECIDED = -1
_LONGEST = 1_000_000
_MOST_SHOWN = 50_000
_MOST_NAMES = 64
_PLACES = ("PWD", "OLDPWD", "BASH_SOURCE")
_MOST_REFERENCES = 8
_LISTS_OF_PATHS = ("PATH", "LD_PRELOAD")
"""Variables of whose values a part is enough to know."""
_MOST_COMPARED = 32
"""Variables, the latest, by whose values worlds are chosen where there are too many."""
_OF_THE_SHELL = ("HOME", "PWD", "OLDPWD", "PATH")
"""Variables that every shell has."""
_REFERENCE = "\0reference"
_MAPS = ("variables", "functions", "programs", "files", "links", "attributes", "taken", "inputs", "outputs")
"""What a world has of its own, and changes in place; all else in it is replaced, never changed."""
ANY_WORDS = (Word(text="sh"), Word(text="$@", known=False))
_NOWHERE = -1
"""The place in a stream where it is unknown how far it was read."""


class Target(Value):
    """Where a descriptor's output goes: a file, a `host`, the commands of a `>( )`, or with `dropped` nowhere."""

    path: str = ""
    host: str = ""
    sink: str = ""
    dropped: bool = False


class World:
    """One possible state of one shell, or of a subshell. Following it changes it in place.

    `way` is the directory as it was reached from `start`; `arguments` are `$0` and the positional parameters, nothing
    where these are unknown; a function with an unknown body is None; `taken` says how far streams were
    read, by their identity. `leaving` is what the shell is about to leave and how often (`("break", 2)`): it runs
    nothing until it has. `printed` is what it has printed since something listens (`heard`). `loaded` is what
    variables were taken from that nothing here shows (`source .env`, `op run`). `missing` are files, absolute, where
    a test here found that there is no file.
    """

    def __init__(self, cwd: str, home: str, environ: Mapping[str, str]) -> None:
        self.variables: dict[str, Variable] = {}
        self.functions: dict[str, Node | None] = {}
        self.programs: dict[str, str] = {}
        self.files: dict[str, Data] = {}
        self.links: dict[str, File | None] = {}
        self.attributes: dict[str, str] = {}
        self.taken: dict[int, tuple[Data, int]] = {}
        self.inputs: dict[str, Data] = {}
        self.outputs: dict[str, Target] = {}
        self.environ = environ
        self.start = cwd
        self.home = home
        self.way = ""
        self.known_cwd = True
        self.left_behind: tuple[tuple[str, bool], ...] = ()
        self.arguments: tuple[Word, ...] = ()
        self.via: tuple[str, ...] = ()
        self.user = ""
        self.mounts: tuple[tuple[str, str], ...] = ()
        self.frames: tuple[str, ...] = ()
        self.locals: tuple[tuple[str, Variable, bool], ...] | None = None
        self.loops = 0
        self.returns = 0
        self.fresh = False
        self.parallel = False
        self.endless = False
        self.exported: frozenset[str] = frozenset()
        self.traps: tuple[Inner, ...] = ()
        self.ended: bool | None = None
        self.leaving: tuple[str, int] | None = None
        self.heard = False
        self.printed = NOTHING
        self.loaded = NOTHING
        self.missing: frozenset[str] = frozenset()

    def copy(self) -> World:
        """Return the same, to go on otherwise."""
        other = World.__new__(World)
        held = other.__dict__
        held.update(self.__dict__)
        for name in _MAPS:
            held[name] = held[name].copy()
        return other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, World) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]

    # Shells in shells.

    def subshell(self, *, heard: bool = False) -> World:
        """Return a subshell: what it sets is its own.

        Files, and how far streams were read, it leaves behind (`after`).
        """
        other = self.copy()
        other.traps = ()
        other.printed = NOTHING
        other.heard = heard or self.heard
        return other

    def elsewhere(self) -> World:
        """Return a program of its own: nothing of this shell but its files and what it exports.

        A variable that is not exported here may be so from before: it is as possible that the program has it.
        """
        other = self.subshell()
        other.functions = {name: body for name, body in self.functions.items() if f"{name}()" in self.exported}
        other.attributes = {}
        other.programs = {}
        other.left_behind = ()
        other.frames = ()
        other.loops = other.returns = 0
        other.arguments = ()
        other.locals = None
        other.fresh = True
        return other

    def begun(self) -> list[World]:
        """Return what a program may find when it begins: also no more than what is exported, which is another world."""
        if not self.fresh or self.exported.issuperset(self.variables):
            return [self]
        self.fresh = False
        other = self.copy()
        other.variables = {name: value if name in self.exported else UNKNOWN for name, value in self.variables.items()}
        # INVARIANT: a variable that is not exported here may have been exported before: both are followed.
        return [self, other]

    def after(self, inner: World) -> None:
        """Go on after a subshell or another program has ended."""
        self.files, self.links, self.taken = inner.files, inner.links, inner.taken

    # Where it is.

    def go(self, way: str, *, known: bool) -> None:
        """Be in a directory."""
        self.way, self.known_cwd = way, known

    @property
    def cwd(self) -> str:
        """The directory it is in: `way`, from where the command line starts."""
        return posixpath.normpath(posixpath.join(self.start, self.way))

    # Variables.

    def get(self, name: str) -> Variable:
        """Return a variable's value; unknown where nothing here has set it and the environment given has it not."""
        name = self.referred(name)
        if name in self.variables:
            value = self.variables[name]
            return UNKNOWN if isinstance(value, dict) and _REFERENCE in value else value
        if name == "PWD":
            return Data(text=self.cwd) if self.known_cwd else UNKNOWN
        if name == "HOME":
            return Data(text=self.home)
        if is_secretive(name):
            return SECRET.replace(text=self.environ.get(name), origins=(*SECRET.origins, *self.loaded.origins))
        return Data(text=self.environ[name]) if name in self.environ else UNKNOWN

    @property
    def given(self) -> tuple[tuple[str, Data], ...]:
        """What a program may be given of what was set here: what is exported, or may be so from before.

        A variable in lower case is not taken to be exported from before. The directory is not listed again.
        """
        return tuple(
            (name, value if isinstance(value, Data) else UNKNOWN)
            for name, value in self.variables.items()
            if (name in self.exported or name.isupper()) and name not in _PLACES
        )

    def refer(self, name: str, target: Data) -> None:
        """Make a variable another name for one (`declare -n`)."""
        self.variables[name] = {_REFERENCE: target}

    def referred(self, name: str) -> str:
        """Return the variable that a name refers to."""
        for _ in range(_MOST_REFERENCES):
            value = self.variables.get(name)
            if not isinstance(value, dict) or _REFERENCE not in value:
                break
            name = value[_REFERENCE].text or name
        return name

    def is_set(self, name: str) -> bool:
        """Tell if something here has set the variable."""
        return self.referred(name) in self.variables

    def set(self, name: str, value: Variable) -> None:
        """Set a variable."""
        name = self.referred(name)
        if isinstance(value, Data):
            if value.text is not None and len(value.text) > _LONGEST:
                value = UNKNOWN
            elif value.shown and name not in _LISTS_OF_PATHS:
                value = value.replace(shown="")
        self.variables[name] = value

    def keep_local(self, name: str) -> None:
        """Note what a variable was before it became the function's own."""
        if self.locals is not None and not any(one == name for one, _, _ in self.locals):
            self.locals = (*self.locals, (name, self.variables.get(name), name in self.variables))

    def drop_locals(self) -> None:
        """Give the function's own variables the values from before."""
        for name, value, was_set in self.locals or ():
            if was_set:
                self.variables[name] = value
            else:
                self.variables.pop(name, None)

    # Streams.

    @property
    def stdin(self) -> Data:
        """What standard input holds, read or not."""
        return self.inputs.get("0", NOTHING)

    def fed(self, data: Data | None) -> World:
        """Return the same, with other data on standard input; with None nothing leads there."""
        if data is None:
            self.inputs.pop("0", None)
        else:
            self.inputs["0"] = data
        return self

    def rest(self, data: Data) -> Data:
        """Return the part of a stream that is not read yet."""
        at = self.taken.get(id(data), (data, 0))[1]
        if at == _NOWHERE:
            return data.replace(text=None, shown=data.text or data.shown)
        return data.replace(text=data.text[at:]) if at and data.text is not None else data

    def take(self, data: Data, count: int) -> None:
        """Read so many characters of a stream: others that share it get the rest."""
        at = self.taken.get(id(data), (data, 0))[1]
        self.taken[id(data)] = (data, at if at == _NOWHERE else at + count)

    # Files.

    def write(self, path: str, data: Data, *, adds: bool = False) -> Data:
        """Write to a file, over what was there or with `adds` after it; return what it holds then."""
        old = self.files.get(path) if adds else None
        self.files[path] = held = data if old is None else joined((old, data))
        return held

    def written(self, path: str) -> Data | None:
        """Return what this command line has written to a file; None where it has not."""
        return self.files.get(path)


# Several worlds.


def united(worlds: Sequence[World]) -> list[World]:
    """Return worlds without equal ones, the likeliest first; at most `MOST_WORLDS` for each `leaving`."""
    if len(worlds) < 2:
        return list(worlds)
    if len(worlds) > _MOST_TOGETHER:
        # Each is compared with few others, however many there are.
        found = _united(worlds[:_MOST_TOGETHER])
        for at in range(_MOST_TOGETHER, len(worlds), _MOST_TOGETHER // 2):
            found = _united([*found, *worlds[at : at + _MOST_TOGETHER // 2]])
        return found
    return _united(worlds)


def _united(worlds: Sequence[World]) -> list[World]:
    kept: list[World] = []
    for world in worlds:
        if not any(world == one for one in kept):
            kept.append(world)
    if len(kept) <= MOST_WORLDS:
        return kept
    found: list[World] = []
    for leaving in dict.fromkeys(world.leaving for world in kept):
        found += _few([world for world in kept if world.leaving == leaving])
    return found


_MOST_TOGETHER = 64
"""So many worlds are compared, each with each."""


def level(worlds: Sequence[World]) -> None:
    """Unset in the other worlds what only some have set since they parted, but where the
    environment
    given has it."""
    if len(worlds) < 2:
        return
    names = dict.fromkeys(name for world in worlds for name in world.variables)
    for world in worlds:
        for name in names:
            if name not in world.variables and name not in world.environ and name not in _OF_THE_SHELL:
                world.variables[name] = None


def _few(worlds: list[World]) -> list[World]:
    """Return the worlds in which most of what is possible is to be found, and the others merged."""
    if len(worlds) <= MOST_WORLDS:
        return worlds
    facts = _facts(worlds)
    chosen = [0]
    seen = set(facts[0])
    while len(chosen) < MOST_WORLDS - 1:
        left = [number for number in range(len(worlds)) if number not in chosen]
        best = max(left, key=lambda number: (len(facts[number] - seen), -number))
        chosen.append(best)
        seen |= facts[best]
    others = [world for number, world in enumerate(worlds) if number not in chosen]
    # INVARIANT: worlds over the bound are merged, never dropped: what differs in them is unknown.
    return [*(worlds[number] for number in sorted(chosen)), merged(others)]


def _facts(worlds: Sequence[World]) -> list[set[tuple[str, int]]]:
    """Return for each world its values that not all worlds have: variable and number of the value."""
    names = dict.fromkeys(name for world in worlds for name in list(world.variables)[-_MOST_COMPARED:])
    facts: list[set[tuple[str, int]]] = [set() for _ in worlds]
    parts: list[tuple[str, list[object]]] = [
        (name, [world.variables.get(name, UNKNOWN) for world in worlds]) for name in names
    ]
    parts += [(f"\0{name}", [getattr(world, name) for world in worlds]) for name in ("way", "arguments", "files")]
    for name, values in parts:
        different: list[object] = []
        for number, value in enumerate(values):
            at = next((at for at, one in enumerate(different) if one is value or one == value), len(different))
            if at == len(different):
                different.append(value)
            facts[number].add((name, at))
    return facts


def merged(worlds: Sequence[World]) -> World:
    """Return one world for several: what is not the same in all of them is not known."""
    world = worlds[0].copy()
    for other in worlds[1:]:
        _merge(world, other)
    return world


def _merge(world: World, other: World) -> None:
    """Merge the second world into the first."""
    for kind, of_two in _OF_TWO.items():
        held = getattr(world, kind)
        for name, one, another in _differing(held, getattr(other, kind)):
            held[name] = of_two(one, another)
    _merge_outputs(world, other)
    if (world.way, world.known_cwd) != (other.way, other.known_cwd):
        world.known_cwd = False
    world.left_behind = world.left_behind if world.left_behind == other.left_behind else ()
    world.arguments = world.arguments if world.arguments == other.arguments else ANY_WORDS
    world.exported |= other.exported
    world.missing &= other.missing
    world.traps += tuple(one for one in other.traps if one not in world.traps)
    if world.loaded != other.loaded:
        world.loaded = joined((world.loaded, other.loaded))
    world.ended = world.ended if world.ended == other.ended else None
    if world.printed != other.printed:
        world.printed = either([world.printed, other.printed])
    if world.locals is not None and world.locals != other.locals:
        own = [name for name, _, _ in world.locals]
        world.locals += tuple(one for one in other.locals or () if one[0] not in own)


def _merge_outputs(world: World, other: World) -> None:
    """Take what may be seen or kept for that."""
    for number, one, another in _differing(world.outputs, other.outputs):
        kept = [target for target in (one, another) if target is not None and not target.dropped]
        if kept:
            world.outputs[number] = kept[0]
        else:
            world.outputs.pop(number, None)


def widened(before: Sequence[World], after: Sequence[World]) -> list[World]:
    """Return the worlds after any number of rounds of a loop: what still changes is unknown.

    Nothing where nothing does.
    """
    new = [world for world in after if not any(world == one for one in before)]
    # INVARIANT: what a loop still changes after two rounds is unknown.
    return [merged([*new, *before])] if new else []


def _either_value(one: Variable, another: Variable) -> Variable:
    """Return one of two values; None is one that is unset, in whatever way."""
    lists = [value for value in (one, another) if isinstance(value, dict)]
    if lists:
        return mixed(data for value in lists for data in value.values())
    return _either_data(*(value if isinstance(value, Data) else None for value in (one, another)))


def _either_data(one: Data | None, another: Data | None) -> Data:
    """Return what a variable, a file or a stream holds, None being nothing that is known."""
    for whole, part in ((one, another), (another, one)):
        # Many worlds are merged one by one: data that covers another already is kept as it is.
        if whole is not None and whole.text is None and (part is None or _covers(whole, part)):
            return whole
    return either([data for data in (one, another) if data is not None], certain=False)


def _covers(whole: Data, part: Data) -> bool:
    seen = part.shown if part.text is None else part.text
    return (
        seen in whole.shown and set(part.origins) <= {*whole.origins} and set(part.files) <= {*whole.files}
    ) and set(part.names) <= {*whole.names}


_OF_TWO: dict[str, Callable[[Any, Any], Any]] = {
    "variables": _either_value,
    "functions": lambda _one, _another: None,
    "programs": lambda _one, _another: "",
    "files": _either_data,
    "links": lambda one, another: one or another,
    "attributes": lambda _one, _another: "?",
    "taken": lambda one, another: ((one or another)[0], _NOWHERE),
    "inputs": _either_data,
}
"""The maps of a world -> the merged value of a name that two worlds hold differently; outputs: `_merge_outputs`."""


def _differing(own: Mapping[Any, Any], other: Mapping[Any, Any]) -> list[tuple[Any, Any, Any]]:
    """Return what two maps do not hold alike: the name, and what each has, None where it has nothing."""
    found = []
    for name in dict.fromkeys((*own, *other)):
        one, another = own.get(name), other.get(name)
        if one is not another and (one != another or (name in own) != (name in other)):
            found.append((name, one, another))
    return found


def joined(parts: Iterable[Data]) -> Data:
    """Join data one after the other; the text is known where all of it is."""
    texts: list[str] = []
    shown = 0
    origins: dict[str, None] = {}
    files: dict[str, None] = {}
    names: tuple[Names, ...] = ()
    known = True
    for part in parts:
        known = known and part.text is not None
        seen = part.shown if part.text is None else part.text
        if known or shown < _MOST_SHOWN:
            texts.append(seen)
            shown += len(seen)
        origins.update(dict.fromkeys(part.origins))
        files.update(dict.fromkeys(part.files))
        if part.names:
            names += tuple(one for one in part.names if one not in names)
    text = "".join(texts)
    if known and text == "" and not origins and not files:
        return NOTHING
    known = known and len(text) <= _LONGEST
    return Data(
        text=text if known else None,
        origins=tuple(origins),
        files=tuple(files),
        shown="" if known else text[:_MOST_SHOWN],
        names=() if known else names[:_MOST_NAMES],
    )


def either(alternatives: Sequence[Data], *, certain: bool = True) -> Data:
    """Return one of several; which is unknown, and all are shown. With `certain` unset it may be yet another."""
    if certain and len({data.text for data in alternatives}) == 1 and alternatives[0].text is not None:
        return mixed(alternatives).replace(text=alternatives[0].text, shown="")
    line_end = Data(text="\n")
    return joined((*(part for data in alternatives for part in (data, line_end)), UNKNOWN))


def mixed(parts: Iterable[Data]) -> Data:
    """Return data made of others in an unknown way: where it came from, and no text."""
    return joined((*parts, UNKNOWN))
