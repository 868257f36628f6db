"""Records for one command: its source text, and the bound parameters of a cmdlet."""

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
    """A command as it is written: the word that names it, and its arguments.

    `fed` is its input from the pipe; `redirected` are the files of its redirections; `operator` is `&`, `.` or "".
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

    `bound` has the value of each parameter, by its documented name in lower case; `files` and `hosts` are those of its
    parameters and redirections.
    """

    program: str
    words: tuple[Word, ...]
    bound: dict[str, Known]
    shown: str
    fed: Known | None = None
    files: tuple[File, ...] = ()
    hosts: tuple[str, ...] = ()

    def noted(self, **more: Any) -> Command:
        """Return the command with its files, and with other fields such as its hosts if they are given."""
        return Command(**{"words": self.words, "program": self.program, "files": self.files, **more})
