"""CEL over an event, from the table in expressions.yaml."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.event import Event
from rulez_py.event.arguments import field
from rulez_py.event.fields import FIELDS
from rulez_py.policy.patterns.expressions import LONGEST, ExpressionError, check, evaluate

ROOT = Path(__file__).parents[3]
TABLE: dict[str, Any] = YAML(typ="safe").load(Path(__file__).with_name("expressions.yaml"))
EVENT = Event(types=("PreToolUse",), **TABLE["event"])


def named(case: dict[str, Any]) -> str:
    return str(case["expr"])


def repositories(_names: Iterable[str]) -> list[dict[str, object]]:
    """The one repository of the table."""
    return [TABLE["git"]]


@pytest.mark.parametrize("case", [case for case in TABLE["cases"] if isinstance(case["gives"], bool)], ids=named)
def test_an_expression_is_true_or_false(case: dict[str, Any]) -> None:
    assert evaluate(case["expr"], EVENT, TABLE["environ"], repositories=repositories) is case["gives"]


@pytest.mark.parametrize("case", [case for case in TABLE["cases"] if isinstance(case["gives"], str)], ids=named)
def test_an_expression_without_a_truth_says_why(case: dict[str, Any], capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate(case["expr"], EVENT, TABLE["environ"], repositories=repositories)
    assert str(caught.value).startswith(case["gives"])
    assert str(caught.value)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("case", TABLE["cases"], ids=named)
def test_check_finds_what_is_wrong_before_any_event(case: dict[str, Any]) -> None:
    assert check(case["expr"]) == case.get("wrong", [])


def test_every_known_variable_has_a_value() -> None:
    full = EVENT.replace(agent_id="a", agent_type="t")
    for name in (one.variable for one in FIELDS if one.variable):
        assert evaluate(f"type({name}) == {'map' if name == 'tool_input' else 'string'}", full, {})


def test_a_field_the_event_does_not_have_is_an_empty_text() -> None:
    bare = Event(platform="claude", types=("Stop",), native_event="Stop")
    for name in ("tool_name", "platform_tool_name", "cwd", "project_dir", "session_id", "permission_mode"):
        assert evaluate(f'{name} == ""', bare, {})
    named = bare.replace(agent_id="a", agent_type="t")
    assert evaluate('agent_id == "a" && agent_type == "t"', named, {})
    assert evaluate('agent_id == "" && agent_type == ""', bare, {})


def test_without_a_prompt_there_is_no_prompt() -> None:
    with pytest.raises(ExpressionError, match="prompt"):
        evaluate('prompt == ""', EVENT.replace(prompt=None), {})


def test_project_dir_is_the_cwd_where_the_agent_names_no_project() -> None:
    assert evaluate('project_dir == "/c"', EVENT.replace(project_dir=None, cwd="/c"), {})


def test_a_value_cel_cannot_hold_does_not_break_an_expression() -> None:
    event = EVENT.replace(tool_input={"half": "a\ud800", "\udfff": 1, "big": 10**400, "none": None})
    assert evaluate('tool_input.half == "a?" && tool_input_big > 1.0 && has(tool_input.none)', event, {})


def test_a_text_does_not_end_at_a_nul() -> None:
    event = EVENT.replace(tool_input={"command": "ls\0git push", "k\0": 1, "k": 2}, prompt="a\0b")
    assert evaluate('tool_input_command.contains("push") && get_field("command").contains("push")', event, {})
    assert evaluate('tool_input.size() == 3 && prompt == "a\\ufffdb"', event, {})
    assert check('prompt.contains("\\u0000")') == ["no text has a NUL here; write \\ufffd, which replaces it"]


@pytest.mark.parametrize("depth", [50, 1000, 100_000])
def test_deep_nesting_does_not_switch_a_rule_off(depth: int) -> None:
    nested: object = "x"
    for _ in range(depth):
        nested = {"a": [nested]}
    event = EVENT.replace(tool_input={"command": "ls", "junk": nested})
    assert evaluate('tool_input.command == "ls"', event, {})


@pytest.mark.parametrize(
    ("chain", "says"),
    [
        ("true" + "&&true" * 320, []),
        ("!" * 1990 + "true", []),
        ("1" + "+1" * 990 + "==991", ["it is nested too deep"]),
        ("prompt" + ".trim()" * 280 + '!=""', ["it is nested too deep"]),
        ("(" * 990 + "true" + ")" * 990, ["it is nested too deep"]),
    ],
    ids=["and", "signs", "operators", "calls", "parentheses"],
)
def test_the_longest_expressions_do_not_overflow_the_stack(chain: str, says: list[str]) -> None:
    """In a process of its own: an overflow would take the tests with it."""
    assert LONGEST - 100 < len(chain) <= LONGEST
    source = f"from rulez_py.policy.patterns.expressions import check; print(check({chain!r}))"
    ended = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (ended.stdout, ended.returncode) == (f"{says}\n", 0)


def test_loops_within_loops_come_to_an_end() -> None:
    event = EVENT.replace(tool_input={"list": ["x"] * 1000})
    assert evaluate("tool_input.list.all(a, a == 'x')", event, {})
    inner = "true"
    for name in "abcdef":
        inner = f"tool_input.list.all({name}, {inner})"
    with pytest.raises(ExpressionError, match="Iteration budget exceeded"):
        evaluate(inner, event, {})


@pytest.mark.parametrize(
    "expression",
    ["1" + "+1" * 100_000 + "==1", "a" * (LONGEST + 1), '"' + "x" * LONGEST + '" == ""'],
    ids=["operators", "name", "text"],
)
def test_a_longer_expression_never_reaches_the_engine(expression: str) -> None:
    assert check('"' + "x" * (LONGEST - 8) + '" == ""') == []
    assert check(expression) == [f"it is longer than {LONGEST} characters"]
    with pytest.raises(ExpressionError, match="it is longer than"):
        evaluate(expression, EVENT, {})


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("command", "git push"),
        ("options.deep.er", 7),
        ("options.list.0", "x"),
        ("edits.1", {"old": "c"}),
        ("options.list.2", None),
        ("options.list.-1", None),
        ("options.list.x", None),
        ("options.list.٠", None),
        ("command.0", None),
        ("timeout.0", None),
        ("note", None),
        ("note.x", None),
        ("", None),
        (".", None),
        ("command.", None),
        (5, None),
        (None, None),
    ],
)
def test_a_dotted_path_leads_into_objects_and_lists(path: object, found: object) -> None:
    assert field(EVENT.tool_input, path) == found


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=5), json_values, max_size=4), st.text(max_size=8))
def test_no_tool_input_makes_a_total_expression_fail(tool_input: dict[str, object], path: str) -> None:
    event = EVENT.replace(tool_input=tool_input, prompt=path)
    assert evaluate('(has_field(prompt) || get_field(prompt) == "") && size(tool_input) >= 0', event, {})


@given(st.text(max_size=30))
def test_check_and_evaluate_agree_that_any_text_is_no_crash(text: str) -> None:
    problems = check(text)
    try:
        evaluate(text, EVENT, {})
    except ExpressionError:
        return
    assert problems == []


@pytest.mark.parametrize(
    "expression",
    [
        'tool_input_command.contains("git push") && tool_name != "git.branch"',
        "tool_input.command != '''git.dirty''' && r\"\\d\" != 'git'",
        "true // git.dirty",
        'has_field("git") || true',
        "tool_input.git.dirty == 1 || true",
    ],
)
def test_no_repository_is_looked_at_for_what_only_looks_like_it(expression: str) -> None:
    def asked(names: Iterable[str]) -> list[dict[str, object]]:
        raise AssertionError(names)

    assert evaluate(expression, EVENT, {}, repositories=asked)
    with pytest.raises(AssertionError):
        evaluate(f"{expression.partition('//')[0]} && git.branch == 'x'", EVENT, {}, repositories=asked)


@pytest.mark.parametrize(
    ("branches", "every", "found"),
    [
        # of several repositories: whether it must hold for each
        (["main", "main"], True, True),
        (["main", "x"], True, False),
        (["main", "x"], False, True),
        (["x", "y"], False, False),
    ],
)
def test_an_expression_holds_for_each_repository_or_for_one(branches: list[str], every: bool, found: bool) -> None:
    told = [{"branch": one} for one in branches]
    assert evaluate('git.branch == "main"', EVENT, {}, every=every, repositories=lambda _names: told) is found
