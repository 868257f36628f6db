"""What a shell knows while it runs: variables, functions, directory, descriptors. And what flows through it."""

from __future__ import annotations

import posixpath

from rulez_py.analysis.record import Value
from rulez_py.analysis.values import Data, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, TypeAlias, TypeVar

    from rulez_py.analysis.bash.syntax import Node
    from rulez_py.analysis.values import Names

    Variable: TypeAlias = Data | dict[str, Data] | None
    """A text, a list (its indices are digits) or a map; None where it is known to be unset."""
    Way: TypeAlias = tuple[str, bool]
    """A directory, as it was gone from where the command line starts, and whether it is known."""
    World: TypeAlias = Mapping[str, Any]
    """What a state holds at one time, in one course of things."""
    _T = TypeVar("_T")

NOTHING = Data(text="")
UNKNOWN = Data()
PRINTED = "printed"
"""The origin of what a program here prints, where the text is not known."""
MOST_ALTERNATIVES = 8
"""Beside which stands what is not known, where there are more."""
_LONGEST = 1_000_000
_MOST_SHOWN = 50_000
_MOST_NAMES = 64
_MOST_REFERENCES = 8
_LISTS_OF_PATHS = ("PATH", "LD_PRELOAD")
"""Variables of whose values a part is enough to know."""
_REFERENCE = "\0reference"
DIRECTORY = "\0directory"
PARAMETERS = "\0parameters"
"""What the choices of a directory and of positional parameters go by."""
MAPS = ("variables", "functions", "programs", "files", "attributes", "taken", "inputs", "outputs")
_SCALARS = ("ways", "given", "exported", "ended", "left_behind")
_ANY_WORDS = (Word(text="sh"), Word(text="$@", known=False))
UNDECIDED = -1
_NOWHERE = -1
"""The place in a stream of which nobody knows how far it was read."""


class Target(Value):
    """Where a descriptor's output goes: a file, a `host`, the commands of a `>( )`, or with `dropped` nowhere."""

    path: str = ""
    host: str = ""
    sink: str = ""
    dropped: bool = False


class State:
    """One shell's state, or a subshell's copy of it. Files are shared: what a subshell writes stays written.

    Where things may have taken several courses (`unite`), each of these holds alternatives, the latest first: a
    variable, a function, a file, the directory, the positional parameters. Who asks for one gets the first, and
    `open_choices` notes that there are others; `choose` leaves but one.
    """

    def __init__(self, cwd: str, home: str, environ: Mapping[str, str]) -> None:
        self.variables: dict[str, tuple[Variable, ...]] = {}
        self.functions: dict[str, tuple[Node | None, ...]] = {}
        self.programs: dict[str, str] = {}
        self.files: dict[str, tuple[Data, ...]] = {}
        self.environ = environ
        self.start = cwd
        self.ways: tuple[Way, ...] = (("", True),)
        self.left_behind: tuple[Way, ...] = ()
        self.home = home
        self.given: tuple[tuple[Word, ...], ...] = ((),)
        self.inputs: dict[str, Data] = {}
        self.outputs: dict[str, Target] = {}
        self.via: tuple[str, ...] = ()
        self.user = ""
        self.mounts: tuple[tuple[str, str], ...] = ()
        self.frames: tuple[str, ...] = ()
        self.locals: dict[str, tuple[Variable, ...]] | None = None
        self.leaving: list[tuple[str, int, World]] = []
        self.parallel = False
        self.endless = False
        self.exported: frozenset[str] = frozenset()
        self.attributes: dict[str, str] = {}
        self.taken: dict[int, tuple[Data, int]] = {}
        self.ended: bool | None = None
        self.choice: dict[str, int] = {}
        self.open_choices: dict[str, int] = {}

    def copy(self) -> State:
        """A subshell's state."""
        other = State.__new__(State)
        other.__dict__.update(self.__dict__)
        other.variables = dict(self.variables)
        other.functions = dict(self.functions)
        other.programs = dict(self.programs)
        other.attributes = dict(self.attributes)
        other.inputs = dict(self.inputs)
        other.outputs = dict(self.outputs)
        other.leaving = []
        return other

    def elsewhere(self) -> State:
        """The state of a program of its own: nothing of this shell but its files and what it exports.

        A variable that is not exported here may be so from before: its value is possible, and not certain.
        """
        other = self.copy()
        other.functions = {name: bodies for name, bodies in self.functions.items() if f"{name}()" in self.exported}
        for name, alternatives in self.variables.items():
            if name not in self.exported and UNKNOWN not in alternatives:
                other.variables[name] = capped((*alternatives, UNKNOWN), UNKNOWN)
        other.attributes = {}
        other.programs = {}
        other.left_behind = ()
        other.frames = ()
        other.arguments = ()
        other.locals = None
        return other

    # Courses of things.

    def world(self) -> World:
        """What this state holds now; what it becomes later does not change that."""
        world = {name: self.__dict__[name] for name in _SCALARS}
        for name in MAPS:
            world[name] = dict(self.__dict__[name])
        return world

    def enter(self, world: World) -> None:
        """Hold what was held then. Whoever shares a map with this state shares it still."""
        for name in MAPS:
            own: dict[object, object] = self.__dict__[name]
            own.clear()
            own.update(world[name])
        for name in _SCALARS:
            self.__dict__[name] = world[name]

    def unite(self, worlds: Sequence[World], *, unset: Variable = None) -> None:
        """Hold what each of several worlds holds, nobody knows which of them it is; the likeliest stands first.

        What only some of them have set is `unset` in the others, as far as it is known.
        """
        if not worlds:
            return
        first, *others = worlds
        self.enter(first)
        for other in others:
            self._join(other, unset)

    def _join(self, other: World, unset: Variable) -> None:
        for name, values in _differing(self.variables, other["variables"]):
            before = self._before(name, unset)
            self.variables[name] = capped(_both(*(one or (before,) for one in values)), UNKNOWN)
        for function, bodies in _differing(self.functions, other["functions"]):
            self.functions[function] = () if () in bodies else _both(*(one or (None,) for one in bodies))
        for path, contents in _differing(self.files, other["files"]):
            held = [data for data in _both(*(one or () for one in contents)) if data != NOTHING]
            self.files[path] = capped(tuple(held) or (NOTHING,), UNKNOWN)
        for program, places in _differing(self.programs, other["programs"]):
            self.programs[program] = (places[0] or "") if places[0] == places[1] else ""
        for name, _ in _differing(self.attributes, other["attributes"]):
            self.attributes[name] = "?"
        for stream, offsets in _differing(self.taken, other["taken"]):
            places_in = {one[1] if one is not None else 0 for one in offsets}
            data = next(one[0] for one in offsets if one is not None)
            self.taken[stream] = (data, places_in.pop() if len(places_in) == 1 else _NOWHERE)
        for number, inputs in _differing(self.inputs, other["inputs"]):
            self.inputs[number] = either([one for one in inputs if one is not None])
        for number, targets in _differing(self.outputs, other["outputs"]):
            # What may be seen or kept is taken for that.
            kept = [one for one in targets if one is not None and not one.dropped]
            if kept:
                self.outputs[number] = kept[0]
            else:
                self.outputs.pop(number, None)
        self.ways = capped(_both(self.ways, other["ways"]), (self.ways[0][0], False))
        self.left_behind = self.left_behind if self.left_behind == other["left_behind"] else ()
        self.given = capped(_both(self.given, other["given"]), _ANY_WORDS)
        self.exported |= other["exported"]
        self.ended = self.ended if self.ended == other["ended"] else None

    def _before(self, name: str, unset: Variable) -> Variable:
        """A variable's value where nothing here has set it."""
        if name == "HOME":
            return Data(text=self.home)
        return Data(text=self.environ[name]) if name in self.environ else unset

    def moves(self, before: World) -> bool:
        """Make unknown, beside what it is, whatever is not what it was before; whether anything is."""
        moved = False
        for name, alternatives in tuple(self.variables.items()):
            if before["variables"].get(name) != alternatives:
                moved = True
                self.variables[name] = capped((*alternatives, UNKNOWN), UNKNOWN)
        for path, contents in tuple(self.files.items()):
            if before["files"].get(path) != contents:
                moved = True
                self.files[path] = capped((*contents, UNKNOWN), UNKNOWN)
        if self.ways != before["ways"]:
            moved = True
            self.ways = capped((*self.ways, (self.ways[0][0], False)), (self.ways[0][0], False))
        if self.given != before["given"]:
            moved = True
            self.given = capped((*self.given, _ANY_WORDS), _ANY_WORDS)
        return moved

    def _one(self, name: str, alternatives: tuple[_T, ...]) -> _T:
        if len(alternatives) == 1:
            return alternatives[0]
        self.open_choices[name] = len(alternatives)
        return alternatives[0]

    def choose(self, name: str, number: int) -> None:
        """Leave of what is open under a name only one alternative."""
        if name == DIRECTORY:
            self.ways = _picked(self.ways, number)
        elif name == PARAMETERS:
            self.given = _picked(self.given, number)
        elif name.endswith("()"):
            self.functions[name[:-2]] = _picked(self.functions.get(name[:-2], ()), number)
        elif name in self.variables:
            self.variables[name] = _picked(self.variables[name], number)
        else:
            self.choice[name] = number

    def leave_open(self, name: str) -> None:
        """Leave of what is open under a name nothing that is known."""
        if name == DIRECTORY:
            self.ways = ((self.ways[0][0], False),)
        elif name == PARAMETERS:
            self.given = (_ANY_WORDS,)
        elif name.endswith("()"):
            self.functions[name[:-2]] = ()
        elif name in self.variables:
            self.variables[name] = (UNKNOWN,)
        else:
            self.choice[name] = UNDECIDED

    def leave(self, how: str, count: int) -> None:
        """Note what is held where `break`, `continue` or `return` leaves a loop or a function."""
        self.leaving.append((how, count, self.world()))

    # Where it is.

    @property
    def way(self) -> str:
        """The directory it is in, as it was gone from where the command line starts."""
        return self._one(DIRECTORY, self.ways)[0]

    @property
    def known_cwd(self) -> bool:
        """Whether it is known which directory it is in."""
        return self._one(DIRECTORY, self.ways)[1]

    def go(self, way: str, *, known: bool) -> None:
        """Be in a directory."""
        self.ways = ((way, known),)

    @property
    def cwd(self) -> str:
        """The directory it is in: `way`, from where the command line starts."""
        return posixpath.normpath(posixpath.join(self.start, self.way))

    @property
    def arguments(self) -> tuple[Word, ...]:
        """`$0` and the positional parameters; nothing where these are not known."""
        return self._one(PARAMETERS, self.given)

    @arguments.setter
    def arguments(self, words: tuple[Word, ...]) -> None:
        self.given = (words,)

    def function(self, name: str) -> Node | None:
        """The body of a function; None where none of that name is there."""
        return self._one(f"{name}()", self.functions[name]) if self.functions.get(name) else None

    # Variables.

    def get(self, name: str) -> Variable:
        """A variable's value; unknown where nothing here has set it and the environment given has it not."""
        name = self.referred(name)
        alternatives = self.variables.get(name)
        if alternatives is not None:
            value = self._one(name, alternatives)
            return UNKNOWN if isinstance(value, dict) and _REFERENCE in value else value
        if name == "PWD":
            return Data(text=self.cwd) if self.known_cwd else UNKNOWN
        return self._before(name, UNKNOWN)

    def refer(self, name: str, target: Data) -> None:
        """Make a variable another name for one (`declare -n`)."""
        self.variables[name] = ({_REFERENCE: target},)

    def referred(self, name: str) -> str:
        """The variable that a name stands for."""
        for _ in range(_MOST_REFERENCES):
            alternatives = self.variables.get(name, ())
            if not any(isinstance(one, dict) and _REFERENCE in one for one in alternatives):
                break
            value = self._one(name, alternatives)
            if not isinstance(value, dict) or _REFERENCE not in value:
                break
            name = value[_REFERENCE].text or name
        return name

    def is_set(self, name: str) -> bool:
        """Whether something here has set the variable."""
        return self.referred(name) in self.variables

    def set(self, name: str, value: Variable) -> None:
        """Set a variable."""
        name = self.referred(name)
        if isinstance(value, Data):
            if value.text is not None and len(value.text) > _LONGEST:
                value = UNKNOWN
            elif value.shown and name not in _LISTS_OF_PATHS:
                value = value.replace(shown="")
        self.variables[name] = (value,)

    # Streams.

    def rest(self, data: Data) -> Data:
        """What of a stream nobody has read yet."""
        at = self.taken.get(id(data), (data, 0))[1]
        if at == _NOWHERE:
            return data.replace(text=None, shown=data.text or data.shown)
        return data.replace(text=data.text[at:]) if at and data.text is not None else data

    def take(self, data: Data, count: int) -> None:
        """Read so much of a stream: who shares it gets what is behind."""
        at = self.taken.get(id(data), (data, 0))[1]
        self.taken[id(data)] = (data, at if at == _NOWHERE else at + count)

    # Files.

    def write(self, path: str, data: Data, *, adds: bool = False) -> None:
        """What is written to a file, in the place of what was there or behind it."""
        old = self.files.get(path) if adds else None
        self.files[path] = tuple(joined((one, data)) for one in old) if old else (data,)

    def written(self, path: str) -> tuple[Data, ...]:
        """What this command line has written to a file, in every alternative; nothing where it has not."""
        return self.files.get(path, ())


def capped(alternatives: tuple[_T, ...], unknown: _T) -> tuple[_T, ...]:
    """Alternatives as they are; of too many the first, and what is not known in the place of the others."""
    if len(alternatives) <= MOST_ALTERNATIVES:
        return alternatives
    known = [one for one in alternatives if one != unknown]
    return (*known[:MOST_ALTERNATIVES], unknown)


def _picked(alternatives: tuple[_T, ...], number: int) -> tuple[_T, ...]:
    return alternatives[number : number + 1] or alternatives


def _both(first: tuple[_T, ...], second: tuple[_T, ...]) -> tuple[_T, ...]:
    return first if first is second else (*first, *(one for one in second if one not in first))


def _differing(own: Mapping[Any, _T], other: Mapping[Any, _T]) -> list[tuple[Any, tuple[_T | None, _T | None]]]:
    """What two maps do not hold alike, of each of them."""
    found: list[tuple[Any, tuple[_T | None, _T | None]]] = [
        (name, (value, other.get(name))) for name, value in own.items() if other.get(name) is not value
    ]
    return [*found, *((name, (None, value)) for name, value in other.items() if name not in own)]


def joined(parts: Iterable[Data]) -> Data:
    """Data one behind the other; the text is known where all of it is."""
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


def either(alternatives: Sequence[Data]) -> Data:
    """One of several, nobody knows which; each of them is shown."""
    if len({data.text for data in alternatives}) == 1 and alternatives[0].text is not None:
        return mixed(alternatives).replace(text=alternatives[0].text, shown="")
    line_end = Data(text="\n")
    return joined((*(part for data in alternatives for part in (data, line_end)), UNKNOWN))


def mixed(parts: Iterable[Data]) -> Data:
    """Data made of others in a way nobody knows: where it came from, and no text."""
    return joined((*parts, UNKNOWN))
