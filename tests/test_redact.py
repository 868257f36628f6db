"""Secrets out of text: what must go, what must stay."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.log import redact as log_redact
from rulez_py.log.redact import redact, redact_each
from rulez_py.log.secret_keywords import KEYWORDS
from rulez_py.log.secret_shapes import SHAPES
from rulez_py.policy.patterns import regex
from rulez_py.policy.patterns.regex import compile_pattern

ROOT = Path(__file__).parent.parent
ALPHABETS = {
    "": "a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ",
    "X": "A2B3C4D5E6F7GHIJKLMNOPQRST",
    "h": "0123456789abcdef",
    "d": "1234567890",
    "l": "a2b3c4d5e6f7g",
}

DATA: dict[str, Any] = YAML(typ="safe").load(Path(__file__).parent / "data" / "secrets.yaml")


def expanded(text: str) -> str:
    """The text with its placeholders for random characters filled in."""
    return re.sub(r"\{([Xhdl]?)(\d+)\}", lambda found: "".join(islice(cycle(ALPHABETS[found[1]]), int(found[2]))), text)


REDACTED = [(name, text) for name, texts in DATA["redacted"].items() for text in texts]


@pytest.mark.parametrize(("name", "text"), REDACTED, ids=[text for _, text in REDACTED])
def test_a_secret_goes_and_nothing_else(name: str, text: str) -> None:
    assert "«" in text
    shown = expanded(text).replace("«", "").replace("»", "")
    assert redact(shown) == re.sub(r"(?s)«.*?»", f"[redacted:{name}]", text)


@pytest.mark.parametrize("text", DATA["kept"])
def test_harmless_text_stays(text: str) -> None:
    text = expanded(text).replace("«", "").replace("»", "")
    assert redact(text) == text


def test_every_shape_is_in_the_table_of_examples() -> None:
    assert {name for name, *_ in SHAPES} == set(DATA["redacted"])


@pytest.mark.parametrize("pattern", [pattern for _, _, pattern, *_ in SHAPES])
def test_every_pattern_is_re2(pattern: str) -> None:
    compile_pattern(pattern, groups=True)


def test_text_around_a_secret_is_kept_whatever_its_language() -> None:
    assert redact("héé 密码 password='пароль' ✓") == "héé 密码 password='[redacted:assignment]' ✓"


def test_secrets_inside_one_another_go_together() -> None:
    text = expanded("curl -H 'Authorization: Bearer ghp_{36} token=abc' x")
    assert redact(text) == "curl -H 'Authorization: Bearer [redacted:github-token]' x"


def test_a_secret_beside_a_redacted_one_goes() -> None:
    assert (
        redact("password=[redacted:assignment] token=abc")
        == "password=[redacted:assignment] token=[redacted:assignment]"
    )


def test_half_a_surrogate_pair_is_no_obstacle() -> None:
    assert redact("\ud83d password=hunter2") == "? password=[redacted:assignment]"
    assert redact("\ud83d nothing") == "\ud83d nothing"


@pytest.mark.parametrize(
    "text", ["2026-11-22T20:11:59.247Z", "123e4567-e89b-12d3-a456-426614174000", "/home/u/.config/rulez/rules.yaml"]
)
def test_what_stands_in_every_line_is_no_keyword(text: str) -> None:
    assert [keyword for keyword in KEYWORDS if keyword in text.lower()] == []


def test_the_regex_engine_is_loaded_only_where_something_may_match() -> None:
    code = (
        "import sys; from rulez_py.log.redact import redact; redact('git push origin main'); "
        "assert not [name for name in sys.modules if 're2' in name]; redact('password=x1'); "
        "assert [name for name in sys.modules if 're2' in name]"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parent.parent)


def test_few_patterns_are_compiled_for_a_commit_id(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text with a long run of letters and digits is looked at for each shape without keywords: 23 once."""
    monkeypatch.setattr(regex, "_compiled", {})
    assert redact("git show --stat da39a3ee5e6b4b0d3255bfef95601890afd80709") == (
        "git show --stat da39a3ee5e6b4b0d3255bfef95601890afd80709"
    )
    assert 0 < len(regex._compiled) < 6


FRAGMENTS = [
    *(expanded(text).replace("«", "").replace("»", "") for _, text in REDACTED),
    *("password", "token", "=", ":", " ", "'", '"', "\\", "\n", "[redacted:jwt]", "[redacted:", "]", "$X", "--", "@"),
    *("://", "Bearer", "Authorization", "-p", "curl", "mysql", "-u ", "a1", "é", "/", "x"),
]


@given(st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=6), max_size=12).map("".join))
def test_a_pattern_that_is_left_out_finds_nothing(text: str) -> None:
    """INVARIANT: what a shape needs (`all_literals`) is in every text in which it finds something."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_redact, "_WORTH_A_LOOK", -1)
        whole = redact(text)
    assert redact(text) == whole


@given(st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=6), max_size=12).map("".join))
def test_a_second_pass_changes_nothing(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


@given(st.text(), st.sampled_from(REDACTED), st.text())
def test_no_surrounding_text_saves_a_token(before: str, case: tuple[str, str], after: str) -> None:
    token = expanded("ghp_{36}")
    assert token not in redact(f"{before} {token} {after}")


@given(st.text())
def test_text_without_any_literal_is_the_same_object(text: str) -> None:
    if not any(keyword in text.lower() for keyword in KEYWORDS) and len(text) < 24:
        assert redact(text) is text
        assert redact_each([text]) == [text]


TEXTS = [expanded(text).replace("«", "").replace("»", "") for _, text in REDACTED] + DATA["kept"]
ENDLESS = "-----BEGIN PRIVATE KEY-----\nMIIE"


@given(st.lists(st.sampled_from([*TEXTS, ENDLESS, "\n\x1f\n", "", "ls"]) | st.text(max_size=9), max_size=6))
def test_texts_that_are_looked_through_together_come_out_as_each_alone(texts: list[str]) -> None:
    assert redact_each(texts) == [redact(text) for text in texts]


@pytest.mark.parametrize("beside", [ENDLESS, "\n\x1f\n", "password: hunter2-hunter2", "ls", ""])
@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_a_text_comes_out_the_same_whatever_stands_beside_it(text: str, beside: str) -> None:
    assert redact_each([beside, text, beside]) == [redact(beside), redact(text), redact(beside)]
