"""The three kinds of glob, from the table in globs.yaml, and what must hold for any glob."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.policy.matchers import directories, paths
from rulez_py.policy.patterns import globs, regex

ROOT, HOME = "/home/user/project", "/home/user"
TABLE: dict[str, list[dict[str, Any]]] = YAML(typ="safe").load(Path(__file__).with_name("globs.yaml"))


def cases(kind: str, key: str = "pattern") -> list[Any]:
    return [
        pytest.param(
            row[key], text, answer == "fits", id=f"{row[key]} {'fits' if answer == 'fits' else 'not'} {text!r}"
        )
        for row in TABLE[kind]
        for answer in ("fits", "not")
        for text in row[answer]
    ]


@pytest.mark.parametrize(("pattern", "text", "fits"), cases("plain"))
def test_a_plain_glob_fits_the_whole_text(pattern: str, text: str, fits: bool) -> None:
    assert globs.plain(pattern, text) is fits


@pytest.mark.parametrize(("pattern", "text", "fits"), cases("directory"))
def test_a_directories_glob_is_anchored_and_crosses_slashes(pattern: str, text: str, fits: bool) -> None:
    assert directories.is_inside(pattern, text) is fits


@pytest.mark.parametrize(("pattern", "text", "fits"), cases("path"))
def test_a_paths_glob_reads_like_gitignore(pattern: str, text: str, fits: bool) -> None:
    assert paths.fits_path(pattern, text, ROOT, HOME) is fits


@pytest.mark.parametrize(("patterns", "text", "fits"), cases("list", "patterns"))
def test_the_last_pattern_that_fits_decides(patterns: list[str], text: str, fits: bool) -> None:
    assert paths.any_path(patterns, text, ROOT, HOME) is fits


@pytest.mark.parametrize(
    ("home", "absolute"),
    [("/", "/.ssh/id"), ("/home/user/", "/home/user/.ssh/id"), ("/home/a[b]{c}*", "/home/a[b]{c}*/.ssh/id")],
)
def test_a_home_of_any_name_is_taken_literally(home: str, absolute: str) -> None:
    assert paths.fits_path("~/.ssh", absolute, ROOT, home)
    assert not paths.fits_path("~/.ssh", "/home/ab/.ssh/id", ROOT, home)


def test_the_root_of_the_disk_can_be_the_project() -> None:
    assert paths.fits_path("src/a", "/src/a", "/", HOME)
    assert not paths.fits_path("src/a", "/x/src/a", "/", HOME)


def test_the_project_root_itself_is_named_by_a_dot() -> None:
    assert paths.fits_path("*", ROOT, ROOT, HOME)
    assert paths.fits_path(".", ROOT, ROOT, HOME)
    assert not paths.fits_path("project", ROOT, ROOT, HOME)


@pytest.mark.parametrize(
    "pattern", ["a", "**/*.py", "!x", "[a-z]", "{a,b}", "[", "]", "{", "}", "\\", "[!]", "[]", "!"]
)
def test_a_readable_glob_has_no_problem(pattern: str) -> None:
    assert globs.problem(pattern) is None


def test_a_range_that_runs_backwards_is_a_problem() -> None:
    assert "z-a" in (globs.problem("[z-a]") or "")


texts = st.text(alphabet=st.sampled_from("ab/.*?[]{}!^,\\-\n é"), max_size=12)


@given(pattern=texts, text=texts)
def test_a_glob_without_a_problem_never_fails_to_match(pattern: str, text: str) -> None:
    if globs.problem(pattern) is None:
        globs.plain(pattern, text)
        directories.is_inside(pattern, text)
        paths.any_path([pattern], "/" + text, ROOT, HOME)


@given(st.text(alphabet=st.characters(exclude_characters="*?[{\\"), max_size=20))
def test_a_text_without_special_characters_fits_itself_alone(text: str) -> None:
    assert globs.plain(text, text)
    assert not globs.plain(text, text + "x")


@given(st.text(max_size=20))
def test_an_escaped_text_fits_itself(text: str) -> None:
    escaped = "".join("\\" + character for character in text) + "*"
    assert globs.plain(escaped, text)


@given(pattern=texts | st.text(alphabet="ab/*?{},[!-]", max_size=12), text=texts, crosses=st.booleans())
def test_a_short_text_fits_what_the_regex_says(pattern: str, text: str, crosses: bool) -> None:
    if globs.problem(pattern) is None:
        pieces = (*(globs.crossing if crosses else globs.segments)(pattern), (globs.BELOW, None))
        searched = regex.search(rf"(?s)\A(?:{globs.expression(pieces)})\z", text) is not None
        assert globs.fits(pieces, text) is searched


@pytest.mark.parametrize("text", ["x" * 5000 + "/b", "\ud800/b", "a/" * 400 + "b"])
def test_a_text_of_any_length_or_kind_is_held_against_a_glob(text: str) -> None:
    assert globs.fits(globs.crossing("*/b"), text)
    assert not globs.fits(globs.crossing("*/c"), text)


def test_a_glob_nested_too_deep_to_be_followed_here_is_held_against_a_text() -> None:
    pattern = "{" * 800 + "a" + "}" * 800
    assert globs.fits(globs.crossing(pattern), "a")
    assert not globs.fits(globs.crossing(pattern), "b")


names = st.text(alphabet="abc.", min_size=1, max_size=6).filter(lambda name: name not in (".", ".."))


@given(st.lists(names, min_size=1, max_size=4))
def test_what_is_below_a_directory_that_fits_fits_as_well(parts: list[str]) -> None:
    pattern = "/".join(parts)
    for below in ("", "/x", "/x/y"):
        assert paths.fits_path(pattern, f"{ROOT}/{pattern}{below}", ROOT, HOME)
    assert not paths.fits_path(pattern, f"{ROOT}/{pattern}x", ROOT, HOME)


@given(st.lists(texts.filter(lambda pattern: globs.problem(pattern) is None), max_size=4), names)
def test_a_negated_pattern_at_the_end_only_takes_away(patterns: list[str], name: str) -> None:
    path = f"{ROOT}/{name}"
    assert not paths.any_path([*patterns, "!" + name], path, ROOT, HOME)
    assert paths.any_path([*patterns, name], path, ROOT, HOME)


def test_a_bad_pattern_is_told_apart_from_one_that_does_not_fit() -> None:
    with pytest.raises(regex.BadPattern):
        globs.plain("[z-a]", "a")
