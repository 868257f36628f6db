"""How several sayings become one."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.verdict import ALLOW, ASK, DENY, NO_OPINION, STRICTNESS, RuleHit, Verdict, merge, printable, visible

DECISIONS = (DENY, ASK, ALLOW, NO_OPINION)


@pytest.mark.parametrize(("first", "second"), [*product(DECISIONS, DECISIONS)])
def test_the_stricter_of_two_decisions_wins_in_any_order(first: str, second: str) -> None:
    expected = DECISIONS[min(DECISIONS.index(first), DECISIONS.index(second))]
    assert merge([Verdict(decision=first), Verdict(decision=second)]).decision == expected


def test_nothing_merged_is_no_opinion() -> None:
    assert merge([]) == Verdict()


def test_the_first_of_equally_strict_verdicts_gives_the_reason() -> None:
    merged = merge(
        [
            Verdict(decision=ASK, reason="may I", rule="z"),
            Verdict(decision=DENY, reason="first", rule="a"),
            Verdict(decision=DENY, reason="second", rule="b"),
        ]
    )
    assert (merged.reason, merged.rule) == ("first", "a")


def test_a_rules_own_deny_is_not_hidden_by_an_error_before_it() -> None:
    """An error binds only events that guard; a deny that came with one must still reach the others."""
    merged = merge(
        [Verdict(decision=DENY, reason="broken", failed=True), Verdict(decision=DENY, reason="no", rule="a")]
    )
    assert (merged.reason, merged.failed) == ("no", False)


def test_an_error_that_denies_is_stricter_than_a_rule_that_asks() -> None:
    merged = merge([Verdict(decision=ASK, reason="may I"), Verdict(decision=DENY, reason="broken", failed=True)])
    assert (merged.decision, merged.reason, merged.failed) == (DENY, "broken", True)


@pytest.mark.parametrize("field", ["context", "notes", "warnings"])
def test_what_all_say_is_kept_once_and_in_order(field: str) -> None:
    said: list[dict[str, Any]] = [{field: ("a", "b", "a")}, {field: ("c", "b")}]
    merged = merge(Verdict(**one) for one in said)
    assert getattr(merged, field) == ("a", "b", "c")


def test_every_hit_is_kept_even_twice() -> None:
    hit = RuleHit(rule="a", layer="user", source="f:1", mode="enforce", decision=DENY)
    assert merge([Verdict(hits=(hit,)), Verdict(hits=(hit,))]).hits == (hit, hit)


def test_the_earlier_rewrite_of_an_argument_wins_and_others_are_added() -> None:
    merged = merge([Verdict(rewrite={"a": 1}), Verdict(rewrite={"a": 2, "b": 3}), Verdict(decision=ASK)])
    assert merged.rewrite == {"a": 1, "b": 3}


@pytest.mark.parametrize("order", [1, -1])
def test_no_rewrite_survives_a_deny(order: int) -> None:
    assert merge([Verdict(rewrite={"a": 1}), Verdict(decision=DENY)][::order]).rewrite is None


def test_an_empty_rewrite_is_none() -> None:
    assert merge([Verdict(rewrite={})]).rewrite is None


words = st.sampled_from(["x", "y", "z"])
hits = st.builds(RuleHit, rule=words, layer=words, source=words, mode=words, decision=st.sampled_from(DECISIONS))


@st.composite
def verdicts(draw: Any) -> Verdict:
    """Any verdict that could come out of a rule: an error always decides something."""
    decision = draw(st.sampled_from(DECISIONS))
    return Verdict(
        decision=decision,
        reason=draw(words) if decision else "",
        rule=draw(words) if decision else None,
        hits=tuple(draw(st.lists(hits, max_size=2))),
        context=tuple(draw(st.lists(words, max_size=3))),
        notes=tuple(draw(st.lists(words, max_size=3))),
        warnings=tuple(draw(st.lists(words, max_size=3, unique=True))),
        rewrite=draw(st.none() | st.dictionaries(words, st.integers(0, 3), min_size=1)) if decision != DENY else None,
        failed=draw(st.booleans()) if decision in (DENY, ASK) else False,
    )


@given(verdicts(), verdicts(), verdicts())
def test_grouping_does_not_matter(first: Verdict, second: Verdict, third: Verdict) -> None:
    at_once = merge([first, second, third])
    assert merge([merge([first, second]), third]) == at_once
    assert merge([first, merge([second, third])]) == at_once


@given(st.lists(verdicts(), max_size=5))
def test_saying_it_twice_changes_nothing_but_the_hits(said: list[Verdict]) -> None:
    once = merge(said)
    assert merge([once, once]).replace(hits=()) == once.replace(hits=())


@given(st.lists(verdicts(), max_size=5), verdicts())
def test_one_more_verdict_never_weakens(said: list[Verdict], more: Verdict) -> None:
    before, after = merge(said), merge([*said, more])
    assert STRICTNESS[after.decision] >= STRICTNESS[before.decision]
    if before.decision == DENY and not before.failed:
        assert (after.reason, after.failed) == (before.reason, False)


@given(st.lists(verdicts(), max_size=4).flatmap(lambda said: st.tuples(st.just(said), st.permutations(said))))
def test_order_does_not_change_the_decision(both: tuple[list[Verdict], list[Verdict]]) -> None:
    said, shuffled = both
    assert merge(said).decision == merge(shuffled).decision
    assert merge(said).failed == merge(shuffled).failed


@given(verdicts())
def test_merging_with_nothing_keeps_the_verdict(verdict: Verdict) -> None:
    merged = merge([Verdict(), verdict])
    same = ("decision", "reason", "rule", "failed", "hits", "rewrite", "warnings")
    assert [getattr(merged, name) for name in same] == [getattr(verdict, name) for name in same]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 漢 👩\u200d💻\tx\ny", "plain é 漢 👩💻\tx\ny"),
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("a\x9b31mb\x85c", "a31mbc"),
        ("\x00\x07\x08\r\x7f", ""),
    ],
)
def test_printable_takes_out_what_would_drive_a_terminal(text: str, shown: str) -> None:
    assert printable(text) == shown


HIDING = (
    *(chr(code) for code in (*range(0x20), 0x7F, *range(0x80, 0xA0)) if chr(code) not in "\n\t"),
    *"\xad\u061c\u115f\u1160\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e",
    *"\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u206a\u206f\u3164\ufe00\ufe0f\ufeff\ufff9\ufffa\ufffb",
    *"\U000e0000\U000e0001\U000e0041\U000e007f\U000e0100\U000e01ef",
)


@pytest.mark.parametrize("character", HIDING, ids=ascii)
def test_no_control_or_invisible_character_is_shown(character: str) -> None:
    assert printable(f"a{character}b") == "ab"
    assert visible(f"a{character}b") == "a" + character.encode("unicode_escape").decode() + "b"


@pytest.mark.parametrize("text", ["", "plain", "é 漢 ✓ 👩", "a\u00a0b\u3000c"])
def test_what_shows_something_stays(text: str) -> None:
    assert printable(text) == text
