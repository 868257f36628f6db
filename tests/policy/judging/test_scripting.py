"""What rulez tells a script about the event, and what it makes of the script's answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.event import Event
from rulez_py.policy.judging.scripting import Report, event_json, read_report
from rulez_py.system import jsontext
from rulez_py.system.effects import ScriptResult
from rulez_py.verdict import ASK, DENY, NO_OPINION, STRICTNESS

NOTHING = Report()


def report(stdout: str, exit_code: int = 0, stderr: str = "") -> Report:
    return read_report(ScriptResult(exit_code=exit_code, stdout=stdout, stderr=stderr))


DENIALS: dict[str, tuple[str, str]] = {
    "RuleZ": ('{"continue": false, "reason": "r"}', "r"),
    "claude old": ('{"decision": "block", "reason": "r"}', "r"),
    "gemini": ('{"decision": "deny", "reason": "r"}', "r"),
    "copilot": ('{"permissionDecision": "deny", "permissionDecisionReason": "r"}', "r"),
    "claude nested": (
        '{"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "r"}}',
        "r",
    ),
    "claude permission request": (
        '{"hookSpecificOutput": {"decision": {"behavior": "deny", "message": "r"}}}',
        "r",
    ),
    "copilot permission request": ('{"behavior": "deny", "message": "r"}', "r"),
    "stop reason": ('{"continue": false, "stopReason": "r"}', "r"),
    "no reason": ('{"decision": "deny"}', ""),
    "reason of the wrong type": ('{"decision": "deny", "reason": 5}', ""),
    "the first reason that says something": ('{"decision": "deny", "reason": "", "message": "r"}', "r"),
    "capitals": ('{"decision": "DENY"}', ""),
    "allowed outside, denied inside": (
        '{"permissionDecision": "allow", "hookSpecificOutput": {"permissionDecision": "deny"}}',
        "",
    ),
    "null outside, denied inside": ('{"decision": null, "hookSpecificOutput": {"decision": "deny"}}', ""),
    "continue true but denied": ('{"continue": true, "decision": "deny"}', ""),
    "asks and denies": ('{"permissionDecision": "ask", "continue": false}', ""),
    "with a byte order mark": ('\ufeff{"decision": "deny", "reason": "r"}', "r"),
    "with blanks around": ('\n  {"decision": "deny", "reason": "r"}\n\n', "r"),
    "after a byte order mark and a blank": ('\r\n\ufeff{"decision": "deny"}\r\n', ""),
    "half a surrogate pair": ('{"decision": "deny", "reason": "\\ud800"}', "\ud800"),
}


@pytest.mark.parametrize(("stdout", "reason"), DENIALS.values(), ids=DENIALS)
def test_a_json_answer_denies_though_the_script_succeeded(stdout: str, reason: str) -> None:
    assert report(stdout) == Report(decision=DENY, reason=reason)


@pytest.mark.parametrize(
    "stdout",
    [
        '{"decision": "deny",}',
        '{"decision": "deny"',
        '{"continue": false} {}',
        '{"ok": 1}\n{"permissionDecision": "deny"}',
    ],
)
def test_an_answer_of_broken_json_denies(stdout: str) -> None:
    assert report(stdout) == Report(decision=DENY, reason="its answer is not valid JSON")
    assert report(stdout, stderr="a trace\n") == Report(decision=DENY, reason="a trace")


ASKS = {
    "copilot": '{"permissionDecision": "ask", "permissionDecisionReason": "r", "additionalContext": "c"}',
    "nested": '{"hookSpecificOutput": {"permissionDecision": "ask", "reason": "r", "additionalContext": "c"}}',
    "plain": '{"decision": "Ask", "reason": "r", "context": "c"}',
}


@pytest.mark.parametrize("stdout", ASKS.values(), ids=ASKS)
def test_a_json_answer_can_ask(stdout: str) -> None:
    assert report(stdout) == Report(decision=ASK, reason="r", context="c")


SILENT = {
    "nothing": "",
    "blanks": " \n\t",
    "byte order mark": "\ufeff",
    "empty object": "{}",
    "continue": '{"continue": true}',
    "approve": '{"decision": "approve"}',
    "allow": '{"permissionDecision": "allow"}',
    "continue is not false": '{"continue": 0}',
    "continue is a word": '{"continue": "false"}',
    "message to the user": '{"systemMessage": "hello"}',
    "a decision somewhere else": '{"continue": true, "detail": {"decision": "deny", "context": "c"}}',
    "a decision nobody knows": '{"decision": "maybe"}',
    "a decision of another type": '{"decision": ["deny"]}',
}


@pytest.mark.parametrize("stdout", SILENT.values(), ids=SILENT)
def test_a_script_that_has_nothing_against_it_says_nothing(stdout: str) -> None:
    found = report(stdout)
    assert (found.decision, found.context) == (NO_OPINION, "")


TEXTS = {
    "text": ("remember the tests\n", "remember the tests"),
    "context": ('{"context": "c"}', "c"),
    "additional context": ('{"hookSpecificOutput": {"additionalContext": "c"}}', "c"),
    "an array": ('["deny"]', '["deny"]'),
    "a string": ('"deny"', '"deny"'),
    "an object of its own": ('{"result": {"decision": "deny"}}', '{"result": {"decision": "deny"}}'),
    "a brace": ("{ see the manual }", "{ see the manual }"),
    "log lines first": ('checking\n{"decision": "deny"}', 'checking\n{"decision": "deny"}'),
}


@pytest.mark.parametrize(("stdout", "context"), TEXTS.values(), ids=TEXTS)
def test_other_output_is_text_for_the_model(stdout: str, context: str) -> None:
    assert report(stdout) == Report(context=context)


@pytest.mark.parametrize("exit_code", [1, 2, 3, 127, 255, -9, -15])
def test_any_exit_code_but_zero_denies(exit_code: int) -> None:
    assert report("", exit_code, " no \n") == Report(decision=DENY, reason="no")
    assert report('{"decision": "allow", "reason": "fine"}', exit_code, "no") == Report(decision=DENY, reason="fine")
    assert report("some text", exit_code) == Report(decision=DENY, reason="")
    assert report('{"decision": "deny"', exit_code, "no") == Report(decision=DENY, reason="no")


@given(st.text(max_size=60), st.integers(-20, 300))
def test_any_output_is_read_and_a_failure_is_never_less_than_a_deny(stdout: str, exit_code: int) -> None:
    found = report(stdout, exit_code)
    assert STRICTNESS[found.decision] >= (STRICTNESS[DENY] if exit_code else 0)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.sampled_from(["deny", "ask", "allow"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["continue", "decision", "permissionDecision", "hookSpecificOutput", "reason", "x"]), inner
        )
    ),
    max_leaves=8,
)


@given(json_values)
def test_any_json_is_read(answer: Any) -> None:
    assert report(json.dumps(answer)).decision in (DENY, ASK, NO_OPINION)


@given(st.dictionaries(st.text(max_size=5), json_values, max_size=3))
def test_a_deny_counts_whatever_stands_beside_it(others: dict[str, Any]) -> None:
    assert report(json.dumps({**others, "permissionDecision": "deny"})).decision == DENY


def test_a_script_reads_the_event_in_canonical_words() -> None:
    event = Event(
        platform="gemini",
        types=("PreToolUse",),
        native_event="BeforeTool",
        session_id="s",
        tool_name="Bash",
        platform_tool_name="run_shell_command",
        tool_input={"command": "ls", "platform_tool_name": "run_shell_command"},
        cwd="/p",
        permission_mode="default",
        agent_id="a",
        agent_type="t",
        prompt="p",
        tool_response={"ok": True},
    )
    assert jsontext.loads(event_json(event)) == {
        "hook_event_name": "PreToolUse",
        "event_types": ["PreToolUse"],
        "session_id": "s",
        "platform": "gemini",
        "platform_event_name": "BeforeTool",
        "tool_name": "Bash",
        "tool_input": {"command": "ls", "platform_tool_name": "run_shell_command"},
        "tool_response": {"ok": True},
        "prompt": "p",
        "permission_mode": "default",
        "cwd": "/p",
        "agent_id": "a",
        "agent_type": "t",
    }


def test_absent_fields_are_left_out_of_the_event() -> None:
    event = Event(platform="claude", types=("Stop",), native_event="Stop")
    assert jsontext.loads(event_json(event)) == {
        "hook_event_name": "Stop",
        "event_types": ["Stop"],
        "session_id": "",
        "platform": "claude",
        "platform_event_name": "Stop",
    }


@pytest.mark.parametrize("depth", [200, 300, 900])
def test_a_deeply_nested_event_is_still_one_line_of_json(depth: int) -> None:
    nested: object = "x"
    for _ in range(depth):
        nested = [nested]
    text = event_json(Event(platform="claude", types=("Stop",), native_event="Stop", tool_input={"deep": nested}))
    assert "\n" not in text
    assert text.count("[") == depth + 1


@given(st.dictionaries(st.text(max_size=4), json_values, max_size=3))
def test_every_tool_input_reaches_the_script_unchanged(tool_input: dict[str, Any]) -> None:
    event = Event(platform="claude", types=("Stop",), native_event="Stop", tool_input=tool_input)
    assert json.loads(event_json(event)).get("tool_input", {}) == tool_input
