"""RE2 behind two functions: search in text, spans in bytes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.policy.patterns import regex


def find_spans(pattern: str, data: bytes) -> Iterator[tuple[int, int]]:
    """All matches that do not overlap, each looked for behind the one before."""
    at = 0
    while at <= len(data) and (found := regex.match_from(pattern, data, at)) is not None:
        start, end = found[0]
        yield start, end
        at = end if end > start else end + 1


@pytest.mark.parametrize(
    ("pattern", "text", "span"),
    [
        ("b", "abc", (1, 2)),
        ("", "abc", (0, 0)),
        ("", "", (0, 0)),
        ("x", "", None),
        ("^b", "a\nb", None),
        ("(?m)^b", "a\nb", (2, 3)),
        ("a.b", "a\nb", None),
        ("(?s)a.b", "a\nb", (0, 3)),
        ("b$", "b\n", None),
        ("A", "a", None),
        ("(?i)A", "a", (0, 1)),
        (r"\bgit\b", "a git b", (2, 5)),
        (r"\bgit\b", "agit", None),
        ("é", "xé", (1, 3)),
        ("^.$", "é", (0, 2)),
        (r"\p{Greek}", "aλ", (1, 3)),
        ("\x00", "a\x00b", (1, 2)),
        ("a|b|", "b", (0, 1)),
    ],
)
def test_search_gives_the_first_match_in_utf8_bytes(pattern: str, text: str, span: tuple[int, int] | None) -> None:
    assert regex.search(pattern, text) == span


@pytest.mark.parametrize("pattern", ["(", "a(?=b)", r"(a)\1", "[z-a]", "*", "a{99999}", "(?<n>a", "\\"])
def test_what_re2_does_not_know_is_a_bad_pattern(pattern: str) -> None:
    with pytest.raises(regex.BadPattern) as caught:
        regex.compile_pattern(pattern)
    assert str(caught.value)


def test_a_bad_pattern_stays_bad_the_second_time() -> None:
    for _ in range(2):
        with pytest.raises(regex.BadPattern):
            regex.search("(", "x")


def test_a_bad_pattern_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(regex.BadPattern):
        regex.compile_pattern("(")
    assert capfd.readouterr() == ("", "")


def test_half_a_surrogate_pair_in_the_text_is_read_as_a_question_mark() -> None:
    assert regex.search(r"^a\?b$", "a\ud800b") == (0, 3)


def test_a_pattern_that_would_hang_a_backtracking_engine_answers() -> None:
    assert regex.search("^(a+)+$", "a" * 50_000 + "b") is None


@pytest.mark.parametrize(
    ("pattern", "data", "spans"),
    [
        ("a", b"banana", [(1, 2), (3, 4), (5, 6)]),
        ("an", b"banana", [(1, 3), (3, 5)]),
        ("x", b"banana", []),
        ("x*", b"ab", [(0, 0), (1, 1), (2, 2)]),
        ("a*", b"baa", [(0, 0), (1, 3), (3, 3)]),
        ("^a", b"aa", [(0, 1)]),
        ("", b"", [(0, 0)]),
    ],
)
def test_all_matches_from_left_to_right(pattern: str, data: bytes, spans: list[tuple[int, int]]) -> None:
    assert list(find_spans(pattern, data)) == spans


@given(st.text(max_size=30))
def test_an_escaped_text_matches_itself_and_only_itself(text: str) -> None:
    pattern = rf"\A{regex.escape(text)}\z"
    assert regex.search(pattern, text) is not None
    assert regex.search(pattern, text + "x") is None


@given(st.text(alphabet="ab", min_size=1, max_size=3), st.binary(max_size=40))
def test_spans_do_not_overlap_and_hold_the_literal(needle: str, data: bytes) -> None:
    spans = list(find_spans(regex.escape(needle), data))
    assert all(data[start:end] == needle.encode() for start, end in spans)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    assert len(spans) == data.count(needle.encode())


def test_a_pattern_has_a_longest_length() -> None:
    regex.compile_pattern("a" * regex.LONGEST)
    with pytest.raises(regex.BadPattern, match="longer than"):
        regex.compile_pattern("a" * (regex.LONGEST + 1))


# --- literals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "literals"),
    [
        (r"\bnpm\s+publish\b", "publish"),
        (r"git push --force", "git push --force"),
        ("Git PUSH", "git push"),
        ("(?i)push", "pu"),
        ("push(?:es)?", "push"),
        ("pushe?s", "push"),
        ("pushe*d", "push"),
        ("pushe{0,2}d", "push"),
        ("pushe+d", "pushe"),
        (r"a\.b\*c", "a.b*c"),
        ("(?:sudo )?push", "push"),
        ("(?:git )push", "git "),
        ("(?P<a>git|hub)+ (?:push)", "push"),
        ("git|(?:hub|lab) push", " push|git"),
        ("(?:a(?:bc|def)|xyz)!", "bc|def|xyz"),
        ("(?:a|)push", "push"),
        ("(?i:push)", "pu"),
        ("push|", ""),
        ("(push|pull)?", ""),
        ("(push", ""),
        (r"\bmutation\b(?s:.*)(delete|remove)", "mutation"),
        ("ab(?i:c)sh", "ab"),
        ("(?s)a.push(?-s:.)", "push"),
        ("ab(?i)cd", ""),
        ("(" * 900 + "push" + ")" * 900, ""),
        ("|".join(f"push{n}" for n in range(99)), ""),
        ("[abc]push[]x|y]", "push"),
        ("[a:]push", "push"),
        ("[[:alpha:]|]push", ""),
        ("[a-[:x:]push|a[a]push", ""),
        ("^[[:]|]push", ""),
        (r"[\]|]push", "push"),
        ("a{x|y}push", "push|x"),
        ("push|pull", "pull|push"),
        ("(push|pull)", "pull|push"),
        ("(push|pull) origin", " origin"),
        (r"\Qa|b\E", ""),
        (r"\x41bc", "bc"),
        (r"a\x4push|\x{41}push", ""),
        (r"\pLabc", ""),
        (r"what\?", ""),
        ("push\ud800", "pus"),
        ("(\ud800i)push", "pu"),
        (".*", ""),
        ("", ""),
        ("é", ""),
    ],
)
def test_what_everything_a_pattern_matches_holds(pattern: str, literals: str) -> None:
    """Each of these texts is worth looking for; that one of them is there is the next test."""
    assert regex.literals(pattern) == tuple(filter(None, literals.split("|")))


def test_only_so_many_compiled_patterns_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regex, "_compiled", {})
    monkeypatch.setattr(regex, "_MOST_COMPILED", 3)
    first = regex.compile_pattern("a0")
    assert regex.compile_pattern("a0") is first
    for number in range(10):
        assert regex.search(f"a{number}", f"xa{number}") == (1, 3)
        assert len(regex._compiled) <= 3


SIGNS = "abksSK |.^$?{}\u00e9\u017f\u212a\ud800"
PIECES = r"\. \| \s \b \d \x41 \x6b [ab] [^a] []|] [[:alpha:]:] (ab) (a|b) (?:s) (?i) a? b* k+ s{0,1} s{2} a+? ab?? a|b"
GROUPS = "( (?: (?i: (?s: | ) )? )+ (?P<x>"
ATOMS = st.sampled_from([*SIGNS, *PIECES.split(), *GROUPS.split()])
TEXTS = st.lists(st.sampled_from([*"abksSKAB|. :?1é\u017f\u212a{}\ud800", "ab", "ss"]), max_size=8).map("".join)


@given(st.lists(ATOMS, max_size=7).map("".join), TEXTS)
def test_what_a_pattern_matches_has_one_of_its_literals(pattern: str, text: str) -> None:
    """INVARIANT: a rule filed under its pattern's literals is not missed."""
    try:
        found = regex.search(pattern, text)
    except regex.BadPattern:
        return
    assert found is None or any(piece in text.lower() for piece in regex.literals(pattern) or ("",))
    assert found is None or all(any(piece in text.lower() for piece in one) for one in regex.all_literals(pattern))


@given(st.lists(ATOMS, max_size=7).map("".join), TEXTS)
def test_a_prepared_pattern_fits_what_the_pattern_fits(pattern: str, text: str) -> None:
    try:
        found = regex.search(pattern, text)
    except regex.BadPattern:
        return
    assert regex.any_fits([regex.prepared(pattern)], text) == (found is not None)


def test_re2_is_loaded_only_where_a_text_has_what_a_pattern_needs() -> None:
    code = (
        "import sys; from rulez_py.policy.patterns import regex; one = [regex.prepared('refs/(?:a|b)')]; "
        "assert not regex.any_fits(one, 'git push'); assert not [name for name in sys.modules if 're2' in name]; "
        "assert regex.any_fits(one, 'x refs/b'); assert [name for name in sys.modules if 're2' in name]"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parent.parent.parent.parent)


@pytest.mark.parametrize(
    ("pattern", "groups"),
    [
        ("curl .*(?:-u|--user) .*:", [[" "], ["curl "], ["--user", "-u"], [":"]]),
        ("git|hub push", [["git", "hub push"]]),
        ("[ab]", []),
    ],
)
def test_all_that_a_text_must_have(pattern: str, groups: list[list[str]]) -> None:
    assert regex.all_literals(pattern) == sorted(groups)


@given(st.lists(st.text(alphabet="aKé\ud800", min_size=1, max_size=3), max_size=4), st.lists(TEXTS, max_size=4))
def test_texts_searched_in_turn_do_not_mix(patterns: list[str], texts: list[str]) -> None:
    for text in texts:
        for pattern in patterns:
            assert (regex.search(regex.escape(pattern), text) is not None) == (
                pattern.replace("\ud800", "?") in text.replace("\ud800", "?")
            )


# --- many texts at once ---------------------------------------------------------------------------------------------

WORDS = st.lists(st.text(alphabet="ab.\\", min_size=1, max_size=4), max_size=6)


@given(WORDS, st.lists(st.sampled_from([*"ab.\\ \0é\ud800"]), max_size=12).map("".join))
def test_many_texts_are_found_as_one_by_one(texts: list[str], whole: str) -> None:
    """INVARIANT: how they are looked for changes nothing."""
    wanted = [index for index, text in enumerate(texts) if text in whole]
    assert regex.contained(texts, whole) == wanted
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(regex, "_WORTH_A_SET", 0)
        assert regex.contained(texts, whole) == wanted


@pytest.mark.parametrize("megabytes", [0.1, 1, 3, 64])
def test_texts_are_found_where_there_is_no_memory_for_all_of_them(
    megabytes: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [f"{number:x}-{number * 7919:x}" for number in range(3000)]
    whole = " ".join(texts[::3]) * 3
    monkeypatch.setattr(regex, "_SET_MEMORY", int(megabytes * 1024 * 1024))
    assert len(texts) * len(whole) > regex._WORTH_A_SET
    assert set(range(0, 3000, 3)) <= set(regex.contained(texts, whole))
    assert regex.contained(texts, whole) == [index for index, text in enumerate(texts) if text in whole]
