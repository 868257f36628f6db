"""The entries for people, and the tests beside them: a command line, and what the table makes of it."""

from __future__ import annotations

import shlex
from functools import cache

from rulez_py.analysis.powershell import analyse, cmdlets
from rulez_py.analysis.programs import environment, parts, read, runs, store, touches
from rulez_py.analysis.programs.compile import load, replaced
from rulez_py.analysis.programs.people import Added
from rulez_py.analysis.record import Value
from rulez_py.analysis.values import DECODE, DOWNLOAD, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from rulez_py.analysis.programs.notation import Described, Example, Mistake
    from rulez_py.analysis.programs.people import Given
    from rulez_py.analysis.values import Command, File, Impact, Option, Touch

_ORIGINS = {DECODE: "decoded", DOWNLOAD: "downloads"}
_TOGETHER = ("files", "hosts", "prints", "sends")
"""Where a test has one of these keys, the others default to nothing (`_NONE`)."""
_NONE: Mapping[str, Any] = {"files": [], "hosts": [], "prints": "", "sends": False}
_STEP = 1000


class OfPeople(Value):
    """What people describe: the `table` for `describe`, and the tests of their files.

    A file with one of the `mistakes` does not count.
    """

    table: str = ""
    tests: tuple[Example, ...] = ()
    mistakes: tuple[Mistake, ...] = ()


def of_people(files: Sequence[Given]) -> OfPeople:
    """Return what these files add to rulez' own entries, or have in place of them; nothing in them raises."""
    found = Added(_own(), files)
    return OfPeople(
        table=store.further(found.held).decode(),
        tests=tuple(found.tests),
        mistakes=tuple(found.mistakes),
    )


def described(dialect: str = "", files: Sequence[Given] = ()) -> dict[str, Described]:
    """Return rulez' entries of programs, or of a dialect's commands, by all their names, with those of these files."""
    entries = Added(_own(), files).held
    return {name: entry for entry in entries if entry.dialect == dialect for name in entry.names}


@cache
def _own() -> tuple[Described, ...]:
    """Return rulez' entries; reading them takes most of a second, and a linter asks once for each row."""
    own, _ = load(store.sources())
    return tuple(own)


def tried(files: Sequence[str] = ()) -> tuple[int, list[str]]:
    """Return how many tests are in files that describe programs (without any, in those of rulez), and what fails:
    for people.

    What a file describes replaces what rulez knows under that name. Raises `Broken`.
    """
    own, tests = load(store.sources())
    if files:
        own, tests = replaced(own, files)
    store.replace(store.compiled(own))
    _forget()
    try:
        return len(tests), failing(tests)
    finally:
        store.replace(None)
        _forget()


def failing(tests: Sequence[Example]) -> list[str]:
    """Return what fails of these tests, by the table that is read now: for people."""
    return [line for one in tests for line in _failures(one)]


def _forget() -> None:
    read.forget()
    cmdlets.forget()


def _failures(example: Example) -> Iterator[str]:
    found = differences(example)
    if found:
        yield f"{example.file}:{example.at}: {example.line}\n    " + "\n    ".join(found)


def word(text: str, at: int = 0) -> Word:
    """Return a word; one with a dollar sign is not known."""
    return Word(text=text, known="$" not in text, at=(at, at + len(text)) if at else (0, 0))


def words(line: str) -> list[Word]:
    """Return the words of a command line, each at a place of its own."""
    return [word(text, _STEP * number) for number, text in enumerate(shlex.split(line), 1)]


def differences(test: Example) -> list[str]:
    """Return what is not as the test says, a line for each; empty where all is."""
    if test.dialect:
        return _cmdlet_differences(test)
    expected = dict(test.expected)
    if any(key in expected for key in _TOGETHER):
        expected = {**_NONE, **expected}
    given = words(test.line)
    variables = {name: word(text) for name, text in expected.pop("environment", {}).items()}
    found = []
    for key, wanted in expected.items():
        is_so = _OF[key](given, variables)
        if is_so != _plain(key, wanted):
            found.append(f"{key} = {is_so!r}, and not {wanted!r}")
    return found


def _plain(key: str, wanted: object) -> object:
    """Return what a test expects, as it is compared: in any order where the order says nothing."""
    if key == "runs" and isinstance(wanted, list):
        return [{"words": shlex.split(one)} if isinstance(one, str) else one for one in wanted]
    return sorted(wanted) if key in ("options", "files", "hosts") and isinstance(wanted, list) else wanted


def _options(given: Sequence[Word], _variables: Mapping[str, Word]) -> list[str]:
    return sorted(map(_option, read.read(parts.name(given[0]), given[1:]).options))


def _option(option: Option) -> str:
    value = "" if option.value is None else f"={option.value.text}"
    return f"{'' if option.certain else '?'}{option.names[0]}{value}"


def _operands(given: Sequence[Word], _variables: Mapping[str, Word]) -> list[str]:
    reading = read.read(parts.name(given[0]), given[1:])
    return [("?" if one.doubtful else "") + one.word.text for one in reading.operands]


def _runs(given: Sequence[Word], variables: Mapping[str, Word]) -> list[dict[str, Any]]:
    name = parts.name(given[0])
    found = environment.commands(name, given, variables) if variables else runs.inner(name, given)
    return [written(one) for one in found]


def written(one: Inner) -> dict[str, Any]:
    """Return the parts of a command that matter: all that is not as in an empty one."""
    found: dict[str, Any] = {}
    for field, value in one.as_dict().items():
        if value == getattr(Inner, field):
            continue
        if isinstance(value, Word):
            found[field] = value.text
            if field in ("code", "file") and not value.known:
                found["known"] = False
        elif field == "environment":
            found[field] = {key: held.text for key, held in value}
        elif isinstance(value, tuple):
            found[field] = [held.text for held in value]
        else:
            found[field] = value
    return found


def _impact(given: Sequence[Word]) -> Impact:
    name = parts.name(given[0])
    return touches.effects(name, given, read.read(name, given[1:]))


def _files(given: Sequence[Word], _variables: Mapping[str, Word]) -> list[str]:
    return sorted(map(_file, _impact(given).touches))


def _file(touch: Touch) -> str:
    base = f" in {touch.base.text}" if touch.base is not None else ""
    how = f"{' all' if touch.deep else ''}{' within' if touch.within else ''}"
    return f"{' '.join(touch.access)}{how} {touch.path.text}{base}"


def _named(given: Sequence[Word], _variables: Mapping[str, Word]) -> list[str]:
    return [touch.path.text for touch in _impact(given).named]


def _hosts(given: Sequence[Word], _variables: Mapping[str, Word]) -> list[str]:
    return sorted(_impact(given).hosts)


def _prints(given: Sequence[Word], _variables: Mapping[str, Word]) -> str:
    impact = _impact(given)
    parts_of = [_ORIGINS.get(impact.origin, impact.origin), "nothing" if impact.silent else ""]
    return ", ".join(filter(None, parts_of))


def _sends(given: Sequence[Word], _variables: Mapping[str, Word]) -> bool:
    return _impact(given).sends


_OF: Mapping[str, Callable[[Sequence[Word], Mapping[str, Word]], object]] = {
    "options": _options,
    "operands": _operands,
    "runs": _runs,
    "files": _files,
    "named": _named,
    "hosts": _hosts,
    "prints": _prints,
    "sends": _sends,
}


def _cmdlet_differences(test: Example) -> list[str]:
    """Return the same of a PowerShell line with one cmdlet."""
    command, *others = analyse(test.line, cwd="/work", home="/home/me", environ={})
    if others:
        return [f"a line of one cmdlet; this runs {others[0].program!r}, too"]
    expected = dict(test.expected)
    if "files" in expected or "hosts" in expected:
        expected = {"files": [], "hosts": [], **expected}
    found = _cmdlet_parts(command)
    return [
        f"{key} = {found[key]!r}, and not {sorted(wanted)!r}"
        for key, wanted in expected.items()
        if found[key] != (wanted if key == "operands" else sorted(wanted))
    ]


def _cmdlet_parts(command: Command) -> dict[str, list[str]]:
    reading = cmdlets.reading(command.program, command.words[1:])
    return {
        "options": sorted(map(_option, reading.options)),
        "operands": [("?" if one.doubtful else "") + one.word.text for one in reading.operands],
        "files": sorted(map(_touched, command.files)),
        "hosts": sorted(command.hosts),
    }


def _touched(file: File) -> str:
    return f"{' '.join(file.access)}{' all' if file.deep else ''} {file.path}"
