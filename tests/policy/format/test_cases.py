"""Circumstances of a case (`cases.yaml`): what a rule says where they are so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from rulez_py.documents.diagnostics import errors
from rulez_py.policy import packs
from rulez_py.policy.format import cases
from rulez_py.policy.format.check import check
from rulez_py.policy.format.circumstances import CIRCUMSTANCES
from rulez_py.policy.format.editor_schema import for_editors
from rulez_py.system import jsontext
from tests.test_packs import rules_of

ROWS: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).with_name("cases.yaml"))

VALIDATOR = Draft202012Validator(for_editors())


def policy(row: dict[str, Any]) -> bytes:
    """A policy of a row's rule, whose tests are the row's cases."""
    decision = "ask" if "ask" in row["rule"]["actions"] else "deny"
    tests = {"ask": row.get("asks", []), "allow": row["passes"]} | {decision: row["stops"]}
    rule = {"name": "r", **row["rule"], "tests": tests}
    return jsontext.dumps({"version": "1.0", "rules": [rule]}).encode()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["title"])
def test_circumstances(row: dict[str, Any]) -> None:
    assert [str(one) for one in errors(check(policy(row), "p").problems)] == []
    tried = cases.run_cases(policy(row), "p")
    assert [str(failure.problem) for failure in tried.failures] == []
    assert tried.held == sum(len(row.get(key, ())) for key in ("stops", "asks", "passes"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["title"])
def test_editors_take_them(row: dict[str, Any]) -> None:
    assert [error.message for error in VALIDATOR.iter_errors(jsontext.loads(policy(row)))] == []


WRONG = [
    {"command": "ls", "env": {"CI": True}},
    {"command": "ls", "event": "PreToolUsed"},
    {"command": "ls", "now": "10:00"},
    {"tool": "Write", "file_path": "a", "files": ["a"]},
    {"tool": "mcp__x__y", "loses": "work"},
    {"tool": "mcp__x__y", "tool_input": {}, "evn": {"CI": "1"}},
    {"tool_input": {"command": "ls"}},
]


@pytest.mark.parametrize("case", WRONG, ids=str)
def test_editors_and_rulez_refuse_the_same(case: dict[str, Any]) -> None:
    rule = {"name": "r", "matchers": {}, "actions": {}, "tests": {"deny": [case]}}
    whole = {"version": "1.0", "rules": [rule]}
    assert not VALIDATOR.is_valid(whole)
    assert errors(check(jsontext.dumps(whole).encode(), "p").problems)


def test_every_circumstance_is_tried() -> None:
    tried = {key for row in ROWS for case in (*row["stops"], *row["passes"]) if isinstance(case, dict) for key in case}
    assert CIRCUMSTANCES.keys() <= tried


RULES: dict[str, Any] = {rule["name"]: rule for rule in rules_of(*packs.reach(("recommended",)))}
EXAMPLES: list[tuple[str, Any]] = [
    (rule["name"], example)
    for rule in packs.rules_of(packs.reach(("recommended",)))
    for examples in (rule.get("tests") or {}).values()
    for example in examples or ()
]


@given(one=st.sampled_from(EXAMPLES))
def test_a_case_is_judged_the_same_with_all_its_arguments_under_tool_input(one: tuple[str, Any]) -> None:
    name, example = one
    told = {} if isinstance(example, str) else {key: example[key] for key in ("git", "loses") if key in example}
    given_in = {"command": example} if isinstance(example, str) else example
    if "prompt" in given_in and "tool" not in given_in:
        return
    arguments = {key: value for key, value in given_in.items() if key not in ("tool", *told)}
    whole = {"tool": given_in.get("tool", "Bash"), "tool_input": arguments, **told}
    assert cases.judged(RULES[name], whole) == cases.judged(RULES[name], example)


@given(one=st.sampled_from(EXAMPLES))
def test_circumstances_that_are_so_anyway_change_nothing(one: tuple[str, Any]) -> None:
    name, example = one
    if isinstance(example, dict):
        return
    said = {"env": {"HOME": "/home/user"}, "project": "/home/user/project", "cwd": ".", "platform": "claude"}
    event = {"event": "PreToolUse"}
    assert cases.judged(RULES[name], {"command": example, **said, **event}) == cases.judged(RULES[name], example)
