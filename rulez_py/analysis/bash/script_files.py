"""Find the programs, files and code that a line starts, and in which directory: not what these do."""

from __future__ import annotations

from rulez_py.analysis.bash.interpreter import Interpreter
from rulez_py.analysis.bash.machine import Exhausted, Observer
from rulez_py.analysis.bash.world import NOTHING, World
from rulez_py.analysis.record import Value
from rulez_py.analysis.values import REMOTE, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulez_py.analysis.values import Command, Inner


class Started(Value):
    """A program with its `words`; or code in a `language` ("" of a program).

    `program` is the name without directories; `opaque` holds reasons of OPAQUE. Of code, `file` is what holds it,
    `code` its text where that is in the line, and `files` are the paths that the text came from. `cwd` is the
    directory it starts in, a guess where it is not `known_cwd`.
    """

    cwd: str
    known_cwd: bool
    words: tuple[Word, ...] = ()
    program: str = ""
    opaque: tuple[str, ...] = ()
    file: Word | None = None
    code: str | None = None
    language: str = ""
    files: tuple[str, ...] = ()


class Starts(Value):
    """What a line starts, in that order; not all of it where it was not followed to its end (`whole`).

    `steps` are those it took, with those before it.
    """

    started: tuple[Started, ...]
    whole: bool
    steps: int


def follow(text: str, *, cwd: str, home: str, steps: int) -> Starts:
    """Follow a line for `analysis.started`."""
    starts = _Starting()
    interpreter = Interpreter(starts, steps=steps)
    whole = True
    try:
        interpreter.follow(text, World(cwd, home, {}))
    except (Exhausted, RecursionError):
        whole = False
    return Starts(started=tuple(starts.started), whole=whole, steps=interpreter.steps)


class _Starting(Observer):
    """Writes down what is started on this machine."""

    def __init__(self) -> None:
        self.started: list[Started] = []

    def noted(self, command: Command, world: World) -> None:
        """Write down what a command starts."""
        if REMOTE not in world.via:
            self._add(world, words=command.words, program=command.program, opaque=command.opaque)

    def code(self, inner: Inner, world: World) -> None:
        """Write down which code is started."""
        if REMOTE not in world.via:
            data = world.stdin if inner.stdin else inner.code.data if inner.code is not None else NOTHING
            text = None if inner.code is None else inner.code.text
            if inner.file is not None or text is not None or data.files:
                self._add(world, file=inner.file, code=text, language=inner.language, files=data.files)

    def _add(self, world: World, **what: Any) -> None:
        self.started.append(Started(cwd=world.cwd, known_cwd=world.known_cwd, **what))
