"""What programs do to files and hosts; the table is `touches.yaml`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.analysis.programs.options import read
from rulez_py.analysis.programs.table import PROGRAMS
from rulez_py.analysis.programs.touches import effects
from rulez_py.analysis.values import Effects, Touch, Word

TABLE: dict[str, list[dict[str, Any]]] = YAML(typ="safe").load(Path(__file__).parent / "touches.yaml")
CASES = [pytest.param(case, id=case["line"]) for cases in TABLE.values() for case in cases]
UNTIMED = settings(deadline=None)

texts = st.sampled_from(
    [
        "-",
        "--",
        "-C",
        "-f",
        "-o",
        "-d",
        "@-",
        "@x",
        "x=@y",
        "-d@x",
        "h:x",
        "http://h/x",
        "file:///x",
        "a/",
        "cp",
        "push",
    ]
) | st.text(max_size=6)
words_of = st.lists(st.builds(Word, text=texts, known=st.booleans(), at=st.just((3, 9))), max_size=10)


def done(words: list[Word]) -> Effects:
    program = words[0].text
    return effects(program, words, read(program, words[1:]))


def shown(touch: Touch) -> str:
    base = f" @{touch.base.text}" if touch.base is not None else ""
    return f"{''.join(one[0] for one in touch.access)}{'+' if touch.deep else ''} {touch.path.text}{base}"


@pytest.mark.parametrize("case", CASES)
def test_effects(case: dict[str, Any]) -> None:
    found = done([Word(text=text) for text in shlex.split(case["line"])])
    assert {
        "touches": sorted(map(shown, found.touches)),
        "hosts": sorted(found.hosts),
        "origin": found.origin,
        "sends": found.sends,
        "silent": found.silent,
    } == {
        "touches": sorted(case.get("touches", [])),
        "hosts": sorted(case.get("hosts", [])),
        "origin": case.get("origin", ""),
        "sends": case.get("sends", False),
        "silent": case.get("silent", False),
    }


@UNTIMED
@given(st.sampled_from(sorted(PROGRAMS)), words_of)
def test_a_touch_stands_where_its_word_does(key: str, given: list[Word]) -> None:
    program, *path = key.split(" ")
    found = done([Word(text=program), *(Word(text=text) for text in path), *given])
    for touch in found.touches:
        assert touch.access
        assert touch.path.at == (3, 9) or touch.path.text == "." or touch.path.text in key


def test_what_is_not_known_stays_unknown() -> None:
    (touch,) = done([Word(text="dd"), Word(text="of=$DISK", known=False)]).touches
    assert (touch.path.text, touch.path.known) == ("$DISK", False)


def test_a_pattern_stays_one() -> None:
    (touch,) = done([Word(text="rm"), Word(text="*.log", glob="*.log")]).touches
    assert touch.path.glob == "*.log"


def test_a_pattern_copied_into_a_directory_has_no_known_name() -> None:
    touches = done([Word(text="cp"), Word(text="*.c", glob="*.c"), Word(text="d/")]).touches
    assert [(one.path.text, one.path.known) for one in touches if one.path.text == "d/*.c"] == [("d/*.c", False)]


def test_an_option_belongs_to_the_level_it_stands_at() -> None:
    words = [Word(text=text) for text in ("git", "-C", "repo", "commit", "-C", "HEAD", "-F", "message")]
    assert [shown(touch) for touch in done(words).touches] == ["r message @repo"]
