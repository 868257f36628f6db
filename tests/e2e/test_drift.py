"""Two shapes of what an agent sends, and what is said of the difference."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.log.audit import OWN_SESSION
from tests.e2e.drift import Fields, Shape, differences, fields, listed_events, paths, payloads

NAMES = st.frozensets(st.sampled_from("abcd"))
SHAPES = st.builds(
    Shape,
    st.just("1"),
    NAMES,
    NAMES,
    st.dictionaries(
        st.sampled_from("xyz"), st.builds(lambda always, more: Fields(always, more - always), NAMES, NAMES)
    ),
)


def shape(**changed: Any) -> Shape:
    fields_ = {"PreToolUse Bash": Fields(frozenset({"cwd", "tool_input"}), frozenset({"agent_id"}))}
    return Shape(**{"version": "1", "tools": frozenset({"Bash"}), "fields": fields_, **changed})


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        (shape(), []),
        (shape(version="2"), []),
        (shape(unknown_events=frozenset({"PreSleep"})), ["new event `PreSleep` in the program"]),
        (shape(tools=frozenset({"Bash", "Fly"})), ["new tool `Fly`"]),
        (shape(tools=frozenset()), ["tool `Bash` is gone"]),
        (shape(fields={}), ["PreToolUse Bash: never sent"]),
        (
            shape(fields={**shape().fields, "PreToolUse Fly": Fields(frozenset())}),
            ["PreToolUse Fly: a new kind of payload"],
        ),
        (
            shape(fields={"PreToolUse Bash": Fields(frozenset({"cwd", "tool_input", "mood"}))}),
            ["PreToolUse Bash: new field `mood`"],
        ),
        (
            shape(fields={"PreToolUse Bash": Fields(frozenset({"tool_input", "agent_id"}))}),
            ["PreToolUse Bash: field `cwd` is gone"],
        ),
    ],
    ids=["the same", "a version", "event", "tool", "tool gone", "kind gone", "kind", "field", "field gone"],
)
def test_what_changed_is_said(seen: Shape, said: list[str]) -> None:
    assert differences(shape(), seen) == said


@given(SHAPES)
def test_nothing_changed_from_a_shape_to_itself(one: Shape) -> None:
    assert differences(one, one) == []


@given(SHAPES, SHAPES)
def test_a_second_run_of_a_version_adds_to_the_first(one: Shape, two: Shape) -> None:
    """What one of the runs happened not to send is not gone, and what either sent is not new."""
    both = one.merged(two)
    said = [line for run in (one, two) for line in differences(both, run)]
    assert not [line for line in said if "new" in line or "field" in line]


def test_what_doctor_sends_is_not_what_the_agent_sends(tmp_path: Path) -> None:
    for session in (OWN_SESSION, "of-the-agent"):
        call = tmp_path / "claude-case" / "calls" / session
        call.mkdir(parents=True)
        (call / "arguments").write_text("hook\nclaude\n")
        (call / "stdin").write_text(json.dumps({"session_id": session}))
    assert list(payloads("claude", tmp_path)) == [{"session_id": "of-the-agent"}]


def test_fields_are_paths_of_keys() -> None:
    assert list(paths({"a": {"b": 1}, "c": [{"d": 1}, 2]})) == ["a", "a.b", "c", "c[].d"]


def test_fields_are_told_apart_by_event_and_tool() -> None:
    sent = [
        {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "x"}},
        {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "x"}, "agent_id": "1"},
        {"hook_event_name": "Stop"},
    ]
    found = fields("claude", sent)
    assert set(found) == {"PreToolUse Bash", "Stop"}
    assert found["PreToolUse Bash"].sometimes == {"agent_id"}
    assert "tool_input.command" in found["PreToolUse Bash"].always


@pytest.mark.parametrize(
    ("program", "known", "unknown"),
    [
        ('x=["PreToolUse","PostToolUse","PreSleep"]', {"PreToolUse", "PostToolUse"}, {"PreSleep"}),
        ('x=["PreToolUse", "PostToolUse", "Stop"]', {"PreToolUse", "PostToolUse", "Stop"}, set()),
        ('x=["PreToolUse","apple","pear"]', set(), set()),
        ("no list", set(), set()),
    ],
)
def test_events_are_told_by_their_company(program: str, known: set[str], unknown: set[str]) -> None:
    assert listed_events("claude", program) == (known, unknown)


def test_a_program_in_which_nothing_is_found_any_more_is_no_good_news() -> None:
    assert differences(shape(lists_events=True), shape()) == [
        "the program's event names are not found any more: look how it lists them now"
    ]
