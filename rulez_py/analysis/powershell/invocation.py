"""What is handed on of one command: how it is written, and, of a cmdlet, what its parameters are bound to."""

from __future__ import annotations

from rulez_py.analysis.record import Value
from rulez_py.analysis.values import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from rulez_py.analysis.powershell.flow import Argument, Known
    from rulez_py.analysis.values import File, Word


class Line(Value):
    """A command as it is written: the word that names it, and all that it is given.

    `fed` comes through the pipe; `redirected` are the files that its output goes to; `operator` is `&`, `.` or "".
    """

    word: Word
    arguments: Sequence[Argument]
    shown: str
    fed: Known | None = None
    redirected: tuple[File, ...] = ()
    operator: str = ""

    @property
    def words(self) -> tuple[Word, ...]:
        return (self.word, *(one for argument in self.arguments for one in argument.words))


class Invocation(Value):
    """One invocation of a cmdlet.

    `bound` has the value of each parameter, by its documented name in lower case; `files` and `hosts` are what its
    parameters and redirections touch.
    """

    program: str
    words: tuple[Word, ...]
    bound: dict[str, Known]
    shown: str
    fed: Known | None = None
    files: tuple[File, ...] = ()
    hosts: tuple[str, ...] = ()

    def noted(self, **more: Any) -> Command:
        """Return the command that is found, with its files; its hosts only where they are said."""
        return Command(**{"words": self.words, "program": self.program, "files": self.files, **more})
