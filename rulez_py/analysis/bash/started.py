"""Which programs, files and code a line starts, and where it stands when it does: not what these do."""

from __future__ import annotations

from rulez_py.analysis.bash.run import Exhausted, Machine
from rulez_py.analysis.bash.state import NOTHING, State
from rulez_py.analysis.record import Value
from rulez_py.analysis.values import REMOTE, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from rulez_py.analysis.values import Command, Data, Inner


class Started(Value):
    """A program with its `words`; or code in a `language` ("" of a program).

    `program` is the name without directories; `opaque` holds reasons of OPAQUE. Of code, `file` is what holds it,
    `code` its text where that stands in the line, and `files` are the paths that the text came from. `cwd` is the
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
    """See `analysis.started`."""
    machine = _Follower(steps)
    try:
        machine.code(text, State(cwd, home, {}), NOTHING)
        machine.finish()
    except (Exhausted, RecursionError):
        return Starts(started=tuple(machine.started), whole=False, steps=machine.taken)
    return Starts(started=tuple(machine.started), whole=True, steps=machine.taken)


class _Follower(Machine):
    """Writes down what is started on this machine."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self.started: list[Started] = []
        self._steps = steps

    @property
    def taken(self) -> int:
        return self._steps

    def _command(self, words: Sequence[Word], name: str, state: State, **more: Any) -> Command:
        if REMOTE not in state.via:
            self._add(state, words=tuple(words), program=name, opaque=tuple(more.get("opaque", ())))
        return super()._command(words, name, state, **more)

    def _one_inner(self, inner: Inner, state: State, stdin: Data, *more: Any) -> Data:
        if REMOTE not in state.via:
            data = stdin if inner.stdin else inner.code.data if inner.code is not None else NOTHING
            text = None if inner.code is None else inner.code.text
            if inner.file is not None or text is not None or data.files:
                self._add(state, file=inner.file, code=text, language=inner.language, files=data.files)
        return super()._one_inner(inner, state, stdin, *more)

    def _add(self, state: State, **what: Any) -> None:
        self.started.append(Started(cwd=state.cwd, known_cwd=state.known_cwd, **what))
