"""Diagnostics: what is wrong with a file that people write, where, and what would be right."""

from __future__ import annotations

from rulez_py.analysis import Value
from rulez_py.verdict import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ERROR, WARNING = "error", "warning"

_LONGEST = 1000
_FEW = 19


class Diagnostic(Value):
    """One finding about one file.

    `path` is the file as shown to people; `line` and `column` count from 1. `message` says what is wrong, `help`
    what would be right, "" where that is plain. An error makes the whole file invalid, a warning does not.
    """

    severity: str
    path: str
    line: int
    column: int
    message: str
    help: str = ""

    @property
    def text(self) -> str:
        """Message and help on one line."""
        return f"{self.message}; {self.help}" if self.help else self.message

    @property
    def labelled(self) -> str:
        """Place, severity, message and help on one line."""
        return f"{visible(self.path)}:{self.line}:{self.column}: {self.severity}: {self.text}"

    def __str__(self) -> str:
        return f"{visible(self.path)}:{self.line}:{self.column}: {self.text}"


def diagnostic(path: str, at: tuple[int, int], message: str, help: str = "", *, severity: str = ERROR) -> Diagnostic:
    """Return a diagnostic at a line and column. What it quotes from the file is put on one line and cut to a bound."""
    message, help = _on_one_line(message), _on_one_line(help)
    return Diagnostic(severity=severity, path=path, line=at[0], column=at[1], message=message, help=help)


def _on_one_line(text: str) -> str:
    return visible(text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "...")


def in_order(problems: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics by position, each once."""
    return tuple(sorted(dict.fromkeys(problems), key=lambda one: (one.line, one.column)))


def errors(problems: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics that make a file invalid."""
    return tuple(one for one in problems if one.severity == ERROR)


def warnings(problems: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics that leave a file valid."""
    return tuple(one for one in problems if one.severity == WARNING)


# Advice.


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word most like `word`, None where none is close."""
    from difflib import get_close_matches

    by_lower = {name.lower(): name for name in known}
    found = get_close_matches(word.lower(), list(by_lower), n=1)
    return by_lower[found[0]] if found else None


def choice_help(value: str, choices: Sequence[str]) -> str:
    """Return what to write instead of `value`, which is not a choice."""
    close = closest(value, choices)
    listed = f"it is one of {', '.join(choices)}"
    if close is None:
        return listed
    return f'did you mean "{close}"? {listed}' if 1 < len(choices) <= _FEW else f'did you mean "{close}"?'
