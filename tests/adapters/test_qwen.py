"""What Qwen Code alone does (docs/contracts/qwen-code.md)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulez_py.platforms import adapter, caller
from rulez_py.verdict import ALLOW, ASK, DENY, Verdict
from tests.recordings import PAYLOADS

QWEN = adapter("qwen")
PROJECT = "/home/user/project"


def recorded(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((PAYLOADS / "qwen" / f"{name}.json").read_text("utf-8"))
    return found


SHELL = recorded("PreToolUse__run_shell_command")
Json = dict[str, Any]


def said(verdict: Verdict) -> Json:
    answer = QWEN.answer(verdict, QWEN.parse(SHELL, None))
    assert (answer.exit_code, answer.stderr) == (0, "")
    found: Json = json.loads(answer.stdout or "{}")
    return found


def merged(*outputs: Json) -> Json:
    """What Qwen Code makes of the answers of several hooks before a tool, in their order (contract.md, section 3)."""
    whole: Json = {}
    nested: Json = {}
    for one in outputs:
        if one.get("decision") in ("deny", "block"):
            whole["decision"] = "block"
        if one.get("continue") is False:
            whole |= {"continue": False, "stopReason": one["stopReason"]}
        nested |= one.get("hookSpecificOutput", {})
    return {**whole, "hookSpecificOutput": nested}


def outcome(output: Json) -> str:
    """What it then does: the first of these that holds."""
    decision = output["hookSpecificOutput"].get("permissionDecision", output.get("decision"))
    if decision in ("deny", "block"):
        return "denied"
    if decision == "ask":
        return "asked"
    return "denied" if output.get("continue") is False else "runs"


OTHERS: dict[str, Json] = {
    "allow": {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}},
    "old allow": {"decision": "allow"},
    "context": {"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "x"}},
    "nothing": {},
}


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize(("decision", "wanted"), [(DENY, ("denied",)), (ASK, ("asked", "denied"))])
def test_what_another_hook_says_undoes_nothing(decision: str, wanted: tuple[str, ...], other: str) -> None:
    ours = said(Verdict(decision=decision, reason="no"))
    assert outcome(merged(ours, OTHERS[other])) in wanted
    assert outcome(merged(OTHERS[other], ours)) in wanted


def test_a_deny_wins_over_the_ask_of_a_repository_s_hook_which_comes_before_ours() -> None:
    asks: Json = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask"}}
    assert outcome(merged(asks, said(Verdict(decision=DENY, reason="no")))) == "denied"


def test_claude_codes_answer_alone_would_be_undone() -> None:
    answer = adapter("claude").answer(Verdict(decision=DENY, reason="no"), QWEN.parse(SHELL, None))
    assert outcome(merged(json.loads(answer.stdout), OTHERS["allow"])) == "runs"


def test_an_allow_is_said_only_where_a_call_waits_for_it() -> None:
    assert said(Verdict(decision=ALLOW, reason="yes")) == {}


def test_what_comes_after_tools_is_no_prompt() -> None:
    assert QWEN.parse(recorded("UserPromptSubmit__after_tools"), None).prompt is None


def test_a_call_of_a_subagent_names_it() -> None:
    assert QWEN.parse(recorded("PreToolUse__run_shell_command__in_subagent"), None).agent_id


@pytest.mark.parametrize(
    ("platform", "environ", "who"),
    [
        ("claude", {"QWEN_PROJECT_DIR": PROJECT}, "qwen"),
        ("claude", {"QWEN_PROJECT_DIR": "/elsewhere"}, "claude"),
        ("claude", {}, "claude"),
        ("gemini", {"QWEN_PROJECT_DIR": PROJECT}, "gemini"),
        ("qwen", {"QWEN_PROJECT_DIR": PROJECT}, "qwen"),
        ("qwen", {}, "qwen"),
    ],
)
def test_it_is_taken_for_no_other(platform: str, environ: dict[str, str], who: str) -> None:
    assert caller(platform, SHELL, environ) == who


def test_claude_codes_own_payload_is_not_taken_for_its(tmp_path: Path) -> None:
    payload = json.loads((PAYLOADS / "claude" / "PreToolUse__Bash.json").read_text("utf-8"))
    assert caller("claude", payload, {"QWEN_PROJECT_DIR": payload["cwd"]}) == "claude"
