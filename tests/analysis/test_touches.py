"""What programs do to files and hosts; examples stand beside the programs (`test_programs.py`)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulez_py.analysis.programs import store
from rulez_py.analysis.programs.read import read
from rulez_py.analysis.programs.touches import effects
from rulez_py.analysis.values import READ, SEND, WRITE, Impact, Touch, Word

PROGRAMS = store.rows().names()
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


def done(words: list[Word]) -> Impact:
    program = words[0].text
    return effects(program, words, read(program, words[1:]))


def shown(touch: Touch) -> str:
    base = f" @{touch.base.text}" if touch.base is not None else ""
    return f"{''.join(one[0] for one in touch.access)}{'+' if touch.deep else ''} {touch.path.text}{base}"


@UNTIMED
@given(st.sampled_from(sorted(PROGRAMS)), words_of)
def test_a_touch_stands_where_its_word_does(key: str, given: list[Word]) -> None:
    program, *path = key.split(" ")
    found = done([Word(text=program), *(Word(text=text) for text in path), *given])
    for touch in found.touches:
        assert touch.access
        assert touch.path.at == (3, 9) or touch.path.text == "." or touch.path.text in key


def test_a_text_of_code_is_no_variable() -> None:
    words = [Word(text="awk"), Word(text="{print $1}"), Word(text="a"), Word(text="n=1")]
    assert [shown(touch) for touch in done(words).touches] == ["r a"]


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


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("a/b", "a/b"),
        ("--file=a b", "a b"),
        ("-fa", "a"),
        ("if=a", "if=a a if"),
        ("@a", "@a a"),
        ("src:a", "src:a a src"),
        ("id=x,src=a", "id=x,src=a x,src=a id x src a"),
        ("--exclude a b", "b"),
        ("--exclude=a b", "b"),
        ("--exclude --x a", "a"),
        ("- -- -v --verbose", ""),
    ],
)
def test_what_a_program_that_nobody_described_is_given(words: str, named: str) -> None:
    impact = done([Word(text="zork"), *(Word(text=one) for one in words.split())])
    assert [touch.path.text for touch in impact.named] == named.split()
    assert {touch.access for touch in impact.named} <= {(READ, WRITE)}


def test_text_is_no_file() -> None:
    assert not done([Word(text="zork"), Word(text="see .env, please"), Word(text="a\nb")]).named
    assert done([Word(text="zork"), Word(text="/a b")]).named


def test_what_is_given_together_with_an_address_may_be_sent() -> None:
    sent = [SEND in touch.access for touch in done([Word(text="zork"), Word(text="a"), Word(text="https://h")]).named]
    assert sent[0]


def test_a_part_of_a_pattern_is_a_pattern() -> None:
    impact = done([Word(text="zork"), Word(text="--x=.e*,a", glob="--x=.e*,a")])
    assert ".e*" in [touch.path.glob for touch in impact.named]
