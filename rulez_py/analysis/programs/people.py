"""What people describe of programs, beside rulez' own entries or in place of them: which of it counts."""

from __future__ import annotations

from rulez_py.analysis.programs.compile import without
from rulez_py.analysis.programs.notation import Described, Example, Mistake, line_of, parse, together
from rulez_py.analysis.record import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_MISTAKES = 5
"""Mistakes of one file: an entry in place of another may break each of its subcommands."""


class Given(Value):
    """The text of a file in which people describe programs, and its name for them.

    Of two files of one `origin` the first describes a program, of two origins the later one.
    """

    shown: str
    text: str
    origin: str


class Added:
    """rulez' `own` entries with those of people: all that are `held`, the tests in the files that count, why files do
    not count (`mistakes`), and why entries of the others do not (`passed`)."""

    def __init__(self, own: Sequence[Described], files: Sequence[Given]) -> None:
        self.held = list(own)
        self.tests: list[Example] = []
        self.mistakes: list[Mistake] = []
        self._origins: dict[tuple[str, str], Given] = {}
        self._theirs: list[Described] = []
        # INVARIANT: those that count for more come first, so that no file of another origin can break one of them.
        for origin in reversed(dict.fromkeys(given.origin for given in files)):
            above = tuple(self._theirs)
            for given in files:
                if given.origin == origin:
                    self._add(given, above)

    def _add(self, given: Given, above: Sequence[Described]) -> None:
        """Add the entries of a file, without names that those `above` describe."""
        entries, tests, wrong = _parsed(given)
        wrong += [_about_code(entry, given.text) for entry in entries if entry.text("code")]
        names = [(entry.dialect, name) for entry in entries for name in entry.names]
        before = ((name, self._origins[name]) for name in names if name in self._origins)
        wrong += [_twice(name, other, given) for (_, name), other in before if other.origin == given.origin]
        counting = without(entries, above)
        candidate = [*without(self.held, counting), *counting]
        wrong = wrong or [_of_file(one, given) for one in together([candidate])]
        if wrong:
            self.mistakes += wrong[:_MOST_MISTAKES]
            return
        self.held = candidate
        self._theirs += counting
        self.tests += tests
        self._origins.update(dict.fromkeys(names, given))


def _parsed(given: Given) -> tuple[list[Described], list[Example], list[Mistake]]:
    """Parse a file of people's; return a mistake where `parse`, which expects the form of rulez' own files, raises."""
    try:
        return parse(given.text, given.shown)
    except (TypeError, ValueError, AttributeError, LookupError, RecursionError) as error:
        problem = f"this is not how programs are described ({error}): `rulez programs new NAME` prints an entry"
        return [], [], [Mistake(file=given.shown, line=1, text=problem)]


def _about_code(entry: Described, text: str) -> Mistake:
    problem = f"`code` of {entry.name!r} names a function of rulez: leave it out, only rulez' own entries have it"
    return Mistake(file=entry.file, line=line_of(text, entry.name, "code"), text=problem)


def _twice(name: str, other: Given, given: Given) -> Mistake:
    problem = f"{name!r} is described twice, in {other.shown} too: keep one of them"
    return Mistake(file=given.shown, line=line_of(given.text, name), text=problem)


def _of_file(mistake: Mistake, given: Given) -> Mistake:
    """Return a mistake between entries as one of the file that causes it."""
    line = line_of(given.text, mistake.name)
    if mistake.file == given.shown:
        return mistake.replace(line=line)
    return mistake.replace(file=given.shown, line=line, text=f"with this file, {mistake.text} ({mistake.file})")
