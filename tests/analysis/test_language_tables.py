"""The tables of calls of languages: their notation, and the tests beside them (`languages/data/*.toml`)."""

from __future__ import annotations

import importlib

import pytest

from rulez_py.analysis.languages import find
from rulez_py.analysis.programs import calls as build
from rulez_py.analysis.programs.notation import Example
from tests.analysis.test_code import does

TABLES = build.tables()
TESTS = [(table.language, test) for table in TABLES.values() for test in table.tests]


@pytest.mark.parametrize(("language", "test"), [pytest.param(*one, id=f"{one[1].file}:{one[1].at}") for one in TESTS])
def test_what_stands_beside_a_call_is_so(language: str, test: Example) -> None:
    assert does(find(language, test.line)) == test.expected["does"]


@pytest.mark.parametrize("language", sorted(set(TABLES) - {"c"}))
def test_a_language_reads_the_table_that_was_made_of_its_file(language: str) -> None:
    module = importlib.import_module(f"rulez_py.analysis.languages.{language}")
    assert module.DIALECT.calls == build.calls(TABLES[language], TABLES)
    assert module.DIALECT.likely == TABLES[language].likely


def parsed(text: str) -> build.Table:
    table, mistakes = build.parse(f'language = "perl"\n{text}', "own.toml")
    assert mistakes == []
    assert table is not None
    return table


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ('[calls]\n"a b.c" = "write 0"\n', {"a": "write 0", "b.c": "write 0"}),
        ('[of."a b.c"]\n"d e" = "here"\n', {f"{one}.{two}": "here" for one in ("a", "b.c") for two in "de"}),
        ('[of.fs]\n"rm[Sync]" = "delete 0"\n', {"fs.rm": "delete 0", "fs.rmSync": "delete 0"}),
        (
            '[calls]\na = "url 0|url; made A join self 0+"\n',
            {"a": "url 0|url; made A join self 0+"},
        ),
    ],
    ids=["names in full", "names of owners", "a part that may be left out", "several verbs"],
)
def test_a_line_describes_calls(text: str, calls: dict[str, str]) -> None:
    assert parsed(text).calls == calls


def test_what_a_library_makes_has_the_methods_of_all_that_is_reached_from_it() -> None:
    table = parsed('[within."a b.c"]\n"d e.f" = "runs command g {0}"\n')
    assert table.within == {one: dict.fromkeys(("d", "e.f"), "runs command g {0}") for one in ("a", "b.c")}
    assert table.calls == {"a": "make", "b.c": "make"}


def test_an_owner_may_have_all_calls_of_another_language() -> None:
    table = parsed('[of."ffi.a ffi.b"]\n"*" = "as c"\n')
    assert build.calls(table, TABLES).keys() == {f"ffi.{one}.{name}" for one in "ab" for name in TABLES["c"].calls}


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("x = (", 2, "no TOML"),
        ("[call]\na = 'write 0'", 2, "'call' is no key of a language; there are: language, calls, of, within, likely"),
        ("[calls]\na = 'wriet 0'", 3, "'wriet' is no verb of a call; there are: chars, content"),
        ("[calls]\na = 'write 0'\nb = 'made A wriet 0'", 4, "'wriet' is no verb of a call"),
        ("[calls]\na = 'write'", 3, "'write' needs an argument: an index"),
        ("[calls]\na = 'write 0;'", 3, "a `;` with nothing on one side"),
        ("[calls]\na = 'write 0+1'", 3, "'0+1' is no argument: an index"),
        ("[calls]\na = 1", 3, "is a text of verbs"),
        ("[calls]\na = 'runs command {0}'", 3, "begins with the name of a program"),
        ("[calls]\na = 'runs command b {0+'", 3, "'{0+' is no word of a command: `{0|name}`"),
        ("[within]\na = 'runs command b'", 3, "`a` is the head of a table: `[within.a]`"),
        ("[calls]\na = 'here'\n'b a' = 'home'", 4, "'a' is described twice"),
        ("[calls]\n'a[x]b' = 'here'", 3, "what may be left out comes last"),
        ("[of]\nfs = 'here'", 3, "`fs` is the head of a table: `[of.fs]`"),
        ("[likely]\na = 'runs 0'", 3, "'runs' is no verb of a call"),
        ("[calls]\na = 'here'\n\n[[tests]]\ncod = 'a'", 5, "a test has: code, does"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_what_would_be_right(text: str, line: int, said: str) -> None:
    _, (mistake, *_) = build.parse(f'language = "perl"\n{text}', "own.toml")
    assert said in mistake.text
    assert str(mistake).startswith(f"own.toml:{line}: ")


def test_a_file_says_its_language() -> None:
    _, (mistake,) = build.parse("[calls]\n", "own.toml")
    assert str(mistake) == 'own.toml:1: a file begins with its language: `language = "python"`'
