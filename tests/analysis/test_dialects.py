"""Code of other shells, written as bash would have it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.analysis.bash.dialects import translated
from rulez_py.analysis.values import DIALECTS


@pytest.mark.parametrize(
    ("language", "text", "bash"),
    [
        ("fish", "a (b c); and d", "a $(b c); d"),
        ("fish", r"a \x2db", r"a $'\U0000002d'b"),
        ("fish", "begin; a; end", ":; a; :"),
        ("fish", "set -l x 'a b'", "set-variable x 'a b'"),
        ("csh", "set x = (a b); c", "set-variable x a b; c"),
        ("csh", "if ($x == 1) a", " a"),
        ("nu", "if $x { ^a b }", "$x \na b \n"),
        ("nu", "let x = a", "set-variable x a"),
        ("elvish", "e:a b", "a b"),
        ("xonsh", "x = $[a b]", "x = \na b\n"),
        ("xonsh", "for x in f(1): a", "\n a"),
        ("zsh", "for x (a b) c $x", "set-variable x a b\nc $x"),
        ("zsh", "for x in a b; do c; done", "for x in a b; do c; done"),
        ("zsh", "a *(e:'b c':)", "a * $(b c)"),
        ("zsh", "a 'for x (y)' # for x (y)", "a 'for x (y)' "),
    ],
)
def test_code_is_written_as_bash_has_it(language: str, text: str, bash: str) -> None:
    assert translated(language, text) == bash


@given(language=st.sampled_from(DIALECTS), text=st.text("ab{}()[]|;&'\"\\$!^#=:@ \n", max_size=60))
def test_any_text_is_read_to_its_end(language: str, text: str) -> None:
    assert isinstance(translated(language, text), str)


@pytest.mark.parametrize("language", DIALECTS)
@pytest.mark.parametrize("part", ["a(", "{", "![", "for ", "(e:", "'", "set x = (", "if (", "{|", "\\x41", "for x:"])
def test_time_is_linear(language: str, part: str) -> None:
    start = time.process_time()
    translated(language, part * (50_000 // len(part)))
    assert time.process_time() - start < 2
