"""What a shell knows while it runs: variables, functions, directory, descriptors. And what flows through it."""

from __future__ import annotations

import posixpath

from rulez_py.shell.values import Data, Word
from rulez_py.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeAlias

    from rulez_py.shell.syntax import Node
    from rulez_py.shell.values import Names

    Variable: TypeAlias = Data | dict[str, Data] | None
    """A text, a list (its indices are digits) or a map; None where it is known to be unset."""

NOTHING = Data(text="")
UNKNOWN = Data()
PRINTED = "printed"
"""The origin of what a program here prints, where the text is not known."""
MOST_ALTERNATIVES = 4
_LONGEST = 1_000_000
_MOST_SHOWN = 50_000
_MOST_NAMES = 64
_MOST_REFERENCES = 8
_LISTS_OF_PATHS = ("PATH", "LD_PRELOAD")
"""Variables of whose values a part is enough to know."""
_REFERENCE = "\0reference"


class Target(Value):
    """Where a descriptor's output goes: a file, a `host`, the commands of a `>( )`, or with `dropped` nowhere."""

    path: str = ""
    host: str = ""
    sink: str = ""
    dropped: bool = False


class State:
    """One shell's state, or a subshell's copy of it. Files are shared: what a subshell writes stays written.

    A variable or a file holds alternatives where it depends on a condition, the latest first.
    """

    def __init__(self, cwd: str, home: str, environ: Mapping[str, str]) -> None:
        self.variables: dict[str, tuple[Variable, ...]] = {}
        self.functions: dict[str, Node] = {}
        self.programs: dict[str, str] = {}
        self.files: dict[str, tuple[Data, ...]] = {}
        self.environ = environ
        self.start = cwd
        self.way = ""
        self.home = home
        self.known_cwd = True
        self.arguments: tuple[Word, ...] = ()
        self.inputs: dict[str, Data] = {}
        self.outputs: dict[str, Target] = {}
        self.via: tuple[str, ...] = ()
        self.user = ""
        self.mounts: tuple[tuple[str, str], ...] = ()
        self.frames: tuple[str, ...] = ()
        self.locals: dict[str, tuple[Variable, ...]] | None = None
        self.conditional = False
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
        return other

    def elsewhere(self) -> State:
        """The state of a program of its own: nothing of this shell but its files and what it exports.

        A variable that is not exported here may be so from before: its value is possible, and not certain.
        """
        other = self.copy()
        other.functions = {name: body for name, body in self.functions.items() if f"{name}()" in self.exported}
        for name, alternatives in self.variables.items():
            if name not in self.exported and UNKNOWN not in alternatives:
                other.variables[name] = (*alternatives[: MOST_ALTERNATIVES - 1], UNKNOWN)
        other.frames = ()
        other.arguments = ()
        other.locals = None
        other.conditional = False
        return other

    @property
    def cwd(self) -> str:
        """The directory it is in: `way`, as it was gone, from where the command line starts."""
        return posixpath.normpath(posixpath.join(self.start, self.way))

    @cwd.setter
    def cwd(self, directory: str) -> None:
        self.way = "" if directory == self.start else directory

    # Variables.

    def get(self, name: str) -> Variable:
        """A variable's value; unknown where nothing here has set it and the environment given has it not."""
        name = self.referred(name)
        alternatives = self.variables.get(name)
        if alternatives is not None:
            if len(alternatives) > 1:
                self.open_choices[name] = len(alternatives)
                return alternatives[min(self.choice.get(name, 0), len(alternatives) - 1)]
            return alternatives[0]
        if name == "PWD":
            return Data(text=self.cwd) if self.known_cwd else UNKNOWN
        if name == "HOME":
            return Data(text=self.home)
        if name in self.environ:
            return Data(text=self.environ[name])
        return UNKNOWN

    def refer(self, name: str, target: Data) -> None:
        """Make a variable another name for one (`declare -n`)."""
        self.variables[name] = ({_REFERENCE: target},)

    def referred(self, name: str) -> str:
        """The variable that a name stands for."""
        for _ in range(_MOST_REFERENCES):
            value = self.variables.get(name, (None,))[0]
            if not isinstance(value, dict) or _REFERENCE not in value:
                break
            name = value[_REFERENCE].text or name
        return name

    def is_set(self, name: str) -> bool:
        """Whether something here has set the variable."""
        return self.referred(name) in self.variables

    def set(self, name: str, value: Variable) -> None:
        """Set a variable; the old value stays possible where this depends on a condition."""
        name = self.referred(name)
        if isinstance(value, Data):
            if value.text is not None and len(value.text) > _LONGEST:
                value = UNKNOWN
            elif value.shown and name not in _LISTS_OF_PATHS:
                value = value.replace(shown="")
        # What was not set before may still not be.
        old: Iterable[Variable] = self.variables.get(name, (None,)) if self.conditional else ()
        kept = [one for one in old if one != value]
        self.variables[name] = (value, *kept)[:MOST_ALTERNATIVES]

    def merge(self, other: State) -> None:
        """Make what a copy's variables have become possible here too."""
        for name, alternatives in other.variables.items():
            old = self.variables.get(name)
            if old is not alternatives:
                kept = [one for one in old or (UNKNOWN,) if one not in alternatives]
                self.variables[name] = (*alternatives, *kept)[:MOST_ALTERNATIVES]

    # Streams.

    def rest(self, data: Data) -> Data:
        """What of a stream nobody has read yet."""
        at = self.taken.get(id(data), (data, 0))[1]
        return data.replace(text=data.text[at:]) if at and data.text is not None else data

    def take(self, data: Data, count: int) -> None:
        """Read so much of a stream: who shares it gets what is behind."""
        at = self.taken.get(id(data), (data, 0))[1]
        self.taken[id(data)] = (data, at + count)

    # Files.

    def write(self, path: str, data: Data, *, adds: bool = False) -> None:
        """What is written to a file, in the place of what was there or behind it."""
        old = self.files.get(path, ())
        if adds and old:
            data = joined((old[0], data))
        kept = [one for one in old if one not in (data, NOTHING)] if self.conditional else []
        self.files[path] = (data, *kept)[:MOST_ALTERNATIVES]

    def written(self, path: str) -> tuple[Data, ...]:
        """What this command line has written to a file, in every alternative; nothing where it has not."""
        return self.files.get(path, ())


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
