"""Which files a policy's scripts reach: tests/data/reach.yaml says it line by line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.trust.pins import reach

CASES: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).parent / "data" / "reach.yaml")
ROOT = "/home/u/project"


def of(actions: object) -> tuple[list[str], list[str]]:
    found = reach({"version": "1.0", "rules": [{"name": "a", "actions": actions}]}, ROOT)
    return sorted((*found.words, *("glob:" + glob for glob in found.globs))), list(found.beyond)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] + " " + case.get("line", "") for case in CASES])
def test_what_scripts_reach_is_pinned_or_told(case: dict[str, Any]) -> None:
    actions = case["actions"] if "actions" in case else {"run": {"script": case["line"], "shell": True}}
    assert of(actions) == (sorted(case["pins"]), case["beyond"])


@pytest.mark.parametrize("data", [None, [], {"rules": None}, {"rules": {"a": 1}}, {"rules": [None, {"actions": []}]}])
def test_what_is_no_policy_reaches_nothing(data: object) -> None:
    assert reach(data, ROOT) == reach({}, ROOT)


@given(st.text(), st.text())
def test_whatever_stands_in_a_policy_nothing_is_raised(line: str, words: str) -> None:
    of({"run": {"script": line, "shell": True}, "inject_command": words})
