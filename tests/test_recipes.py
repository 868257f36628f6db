"""docs/recipes.md: rules that teams ask for, each short, and each tried."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from rulez_py.documents.diagnostics import errors
from rulez_py.policy.format.cases import run_cases
from rulez_py.policy.format.check import check

PAGE = (Path(__file__).parents[1] / "docs" / "recipes.md").read_text("utf-8")
BLOCKS = [part.partition("```")[0] for part in PAGE.split("```yaml\n")[1:]]
LONGEST = 12
"""Lines of one rule, with its tests."""
UNTRIED = {"ask-before-the-production-context", "tests-pass", "dump-made", "planned"}
"""What runs a script, and what only remembers: the rule behind it is tried."""


def rules(block: str) -> list[str]:
    """The rules of a block, as they are written."""
    return ["- name:" + part for part in ("\n" + block).split("\n- name:")[1:]]


def name(rule: str) -> str:
    loaded: list[dict[str, Any]] = YAML(typ="safe").load(rule)
    return str(loaded[0]["name"])


RULES = [rule for block in BLOCKS for rule in rules(block)]


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: name(rules(block)[0]))
def test_it_holds(block: str) -> None:
    text = f'version: "1.0"\nrules:\n{block}'.encode()
    assert errors(check(text, "recipes.md").problems) == ()
    tested = run_cases(text, "recipes.md")
    assert [str(one.problem) for one in tested.failures] == []
    named = {name(rule) for rule in rules(block)}
    skipped = {one.message.split('"')[1] for one in tested.skipped}
    assert {*tested.untested, *skipped} == named & UNTRIED
    assert tested.held >= 1


@pytest.mark.parametrize("rule", RULES, ids=name)
def test_it_is_short(rule: str) -> None:
    assert len(rule.strip().splitlines()) <= LONGEST


def test_there_are_those_that_are_asked_for_and_more() -> None:
    assert len(BLOCKS) >= 20
