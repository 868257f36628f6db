"""The tables of calls, out of `languages/data/*.toml`: a module of `languages/tables/` is made of each.

Not on the hook path. docs/programs.md ("Calls of languages") says how a file is written.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulez_py.analysis.languages.actions import VERBS, grouped, parted
from rulez_py.analysis.programs.notation import Example, Mistake, Wrong, line_of_error
from rulez_py.analysis.record import Value

HERE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "languages")
DATA = os.path.join(HERE, "data")
MADE = os.path.join(HERE, "tables")
KEYS = ("language", "calls", "of", "within", "likely", "tests")
TEST_KEYS = ("code", "does")
ALL = "*"
"""In place of names: every call of another language's table."""
_AS = "as "
_OPTIONAL = re.compile(r"^([^\[\]]+)\[([^\[\]]+)\]$")
_ARGUMENT = re.compile(r"^(?:\d+\+?|[A-Za-z_]\w*)(?:\|(?:\d+|[A-Za-z_]\w*))*$")
_WORD = re.compile(r"[^{}]*\{(?:--|(?:\d+\+?|[A-Za-z_]\w*)(?:\|(?:\d+|[A-Za-z_]\w*))*(?:\?[^{}]+)?|of)\}[^{}]*")
"""A word of a command that is made of the call."""
_NAMING = {"made": 1, "prints decoded": 1}
"""Verbs whose first word says a name, and is no argument."""
_WITHOUT = frozenset(("make", "home", "here"))
"""Verbs without an argument."""
_HEAD = '''\
# ruff: noqa
# fmt: off
"""What calls in {language} do, out of ../data/{language}.toml (`programs/calls.py`): not to be changed here."""

from __future__ import annotations

'''


class Table(Value):
    """The calls of a language with what they do, the methods that are likely ones, and the tests beside them.

    `within` has by owner the methods of all that is reached from it.
    `others` are owners of all calls of another language: (owner, language).
    """

    language: str
    calls: Mapping[str, str]
    within: Mapping[str, Mapping[str, str]]
    likely: Mapping[str, str]
    others: tuple[tuple[str, str], ...]
    tests: tuple[Example, ...]


class Broken(ValueError):
    """The data have mistakes."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        super().__init__("\n".join(map(str, mistakes)))
        self.mistakes = mistakes


def parse(text: str, file: str) -> tuple[Table | None, list[Mistake]]:
    """Return the table in one file's text, and its mistakes; None where it is no table at all."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return None, [Mistake(file=file, line=line_of_error(error), text=f"this is no TOML: {error}")]
    language = document.get("language")
    if not isinstance(language, str) or not re.fullmatch(r"[a-z]+", language):
        return None, [Mistake(file=file, line=1, text='a file begins with its language: `language = "python"`')]
    mistakes = [
        _mistake(text, file, f"[{key}", f"{key!r} is no key of a language; there are: {', '.join(KEYS)}")
        for key in document
        if key not in KEYS
    ]
    calls, likely = _Read(text, file, mistakes), _Read(text, file, mistakes)
    others: list[tuple[str, str]] = []
    for names, does in document.get("calls", {}).items():
        calls.add("", names, does)
    for owners, given in document.get("of", {}).items():
        if not isinstance(given, dict):
            mistakes.append(_mistake(text, file, owners, f"`{owners}` is the head of a table: `[of.{owners}]`"))
            continue
        for names, does in given.items():
            if names == ALL:
                others += [(owner, str(does).removeprefix(_AS)) for owner in owners.split()]
            else:
                calls.add(owners, names, does)
    within: dict[str, dict[str, str]] = {}
    for owners, given in document.get("within", {}).items():
        if not isinstance(given, dict):
            mistakes.append(_mistake(text, file, owners, f"`{owners}` is the head of a table: `[within.{owners}]`"))
            continue
        methods = _Read(text, file, mistakes)
        for names, does in given.items():
            methods.add("", names, does)
        for owner in owners.split():
            within.setdefault(owner, {}).update(methods.found)
    for key, value in document.get("likely", {}).items():
        likely.add("", key, value)
    tests = list(_tests(document.get("tests", []), text, file, mistakes))
    table = Table(
        language=language,
        calls={**dict.fromkeys(within, "make"), **calls.found},
        within=within,
        likely=likely.found,
        others=tuple(others),
        tests=tuple(tests),
    )
    return table, mistakes


class _Read:
    """Reads lines of a file: names with what they do."""

    def __init__(self, text: str, file: str, mistakes: list[Mistake]) -> None:
        self.text, self.file, self.mistakes = text, file, mistakes
        self.found: dict[str, str] = {}

    def add(self, owners: str, names: str, does: object) -> None:
        """Add these calls, or the mistake in them."""
        try:
            if not isinstance(does, str) or not does:
                raise Wrong(names, f'what {names} does is a text of verbs: `"{names}" = "write 0"`')
            _check(does)
            for name in _names(owners, names):
                if name in self.found:
                    raise Wrong(names, f"{name!r} is described twice")
                self.found[name] = does
        except Wrong as wrong:
            self.mistakes.append(_mistake(self.text, self.file, names, wrong.text))


def _names(owners: str, names: str) -> Iterator[str]:
    """Yield each name that a line is about: of each owner, with and without the part in brackets."""
    for owner in owners.split() or [""]:
        for name in names.split():
            optional = _OPTIONAL.match(name)
            if optional is None and ("[" in name or "]" in name):
                raise Wrong(name, f"{name!r}: what may be left out comes last, in brackets, `rm[Sync]`")
            start = f"{owner}." if owner else ""
            yield start + (optional[1] if optional else name)
            if optional:
                yield start + optional[1] + optional[2]


def _check(does: str) -> None:
    """Raise Wrong where what a call does is not written as it must be."""
    for action in does.split(";"):
        words = action.split()
        if not words:
            raise Wrong(does, f"{does!r} has a `;` with nothing on one side")
        verb, arguments = parted(words)
        if verb not in VERBS:
            raise Wrong(does, f"{verb!r} is no verb of a call; there are: {', '.join(sorted(VERBS))}")
        if verb == "made" and arguments[1:]:
            _check(" ".join(arguments[1:]))
            continue
        if verb == "runs command":
            _check_command(does, arguments)
            continue
        given = arguments[_NAMING.get(verb, 0) :]
        if not given and verb not in _WITHOUT:
            raise Wrong(does, f"{verb!r} needs an argument: an index (`0`, `0|path`, `1+`), a keyword or `self`")
        for one in given:
            if not _ARGUMENT.match(one):
                raise Wrong(does, f"{one!r} is no argument: an index (`0`, `0|path`, `1+`), a keyword or `self`")


def _check_command(does: str, words: list[str]) -> None:
    """Raise Wrong where the words of a command are not written as they must be."""
    if not words or "{" in words[0]:
        raise Wrong(does, f"{does!r} begins with the name of a program")
    for one in grouped(words):
        if ("{" in one or "}" in one) and not _WORD.fullmatch(one):
            raise Wrong(does, f"{one!r} is no word of a command: `{{0|name}}`, `{{of}}`, `{{--}}`, `{{force?--force}}`")


def _tests(given: Sequence[Mapping[str, Any]], text: str, file: str, mistakes: list[Mistake]) -> Iterator[Example]:
    places = [number for number, line in enumerate(text.split("\n"), 1) if line.strip() == "[[tests]]"]
    for table, at in zip(given, places, strict=False):
        if set(table) != set(TEST_KEYS):
            mistakes.append(Mistake(file=file, line=at, text=f"a test has: {', '.join(TEST_KEYS)}"))
        else:
            yield Example(line=table["code"], expected={"does": table["does"]}, file=file, at=at)


def _mistake(text: str, file: str, part: str, problem: str) -> Mistake:
    """Return a mistake at the line that holds a part of the file."""
    starts = tuple(mark + part for mark in ("", '"', "'"))
    lines = [number for number, one in enumerate(text.split("\n"), 1) if one.startswith(starts)]
    line = lines[-1] if lines else 1
    return Mistake(file=file, line=line, text=problem)


def tables() -> dict[str, Table]:
    """Return the table of each language. Raises Broken, OSError."""
    found: dict[str, Table] = {}
    mistakes: list[Mistake] = []
    for name in sorted(os.listdir(DATA)):
        if name.endswith(".toml"):
            with open(os.path.join(DATA, name), encoding="utf-8") as file:
                table, wrong = parse(file.read(), name)
            mistakes += wrong
            if table is not None:
                found[table.language] = table
    for table in found.values():
        mistakes += [
            Mistake(
                file=f"{table.language}.toml", line=1, text=f"{owner!r} has all calls of {other!r}: no such language"
            )
            for owner, other in table.others
            if other not in found
        ]
    if mistakes:
        raise Broken(mistakes)
    return found


def calls(table: Table, among: Mapping[str, Table]) -> dict[str, str]:
    """Return all calls of a table, with those that it has of another's."""
    others = {f"{owner}.{name}": does for owner, other in table.others for name, does in among[other].calls.items()}
    return {**others, **table.calls}


def module_of_calls(language: str) -> bytes:
    """Return the module with a language's table. Raises Broken, OSError."""
    found = tables()
    table = found[language]
    lines = [_HEAD.format(language=language)]
    for name, held in (("CALLS", calls(table, found)), ("LIKELY", table.likely)):
        lines.append(f"{name}: dict[str, str] = {{\n")
        lines += [f"    {key!r}: {does!r},\n" for key, does in sorted(held.items())]
        lines.append("}\n")
    lines.append("WITHIN: dict[str, dict[str, str]] = {\n")
    for owner, methods in sorted(table.within.items()):
        lines.append(f"    {owner!r}: {{\n")
        lines += [f"        {key!r}: {does!r},\n" for key, does in sorted(methods.items())]
        lines.append("    },\n")
    lines.append("}\n")
    return "".join(lines).encode()


def modules_of_calls() -> Iterator[tuple[str, str]]:
    """Yield the path of each module that is made, and its language."""
    for name in sorted(os.listdir(DATA)):
        language, ending = os.path.splitext(name)
        if ending == ".toml":
            yield os.path.join(MADE, f"{language}.py"), language
