"""Agents in a hook set up for another, most of them without an adapter: judged, or denied; never let through."""

from __future__ import annotations

import json
import os
import time
from typing import Any

import pytest

from rulez_py.event import UnreadableEvent
from rulez_py.hook.call import respond
from rulez_py.hook.values import HookCall, Options
from rulez_py.platforms import adapter, caller
from rulez_py.verdict import ALLOW, ASK, DENY, NO_OPINION, Verdict
from tests.platforms import is_neutral, said
from tests.recordings import PAYLOADS, RECORDINGS, Recording

RECORDED: dict[str, dict[str, Any]] = {
    f"{one['agent']}/{one['hook']}": one["payload"] for one in json.loads((PAYLOADS / "foreign.json").read_text())
}
"""Agent and moment -> what it sent; Cursor's, Vibe's and Hermes' event names nobody else has."""
FLAT = ["claude", "codex", "copilot", "gemini"]
PUSH = "git push --force"
EDITS = [{"old_string": "a", "new_string": "b"}]

# Whose payload -> the payload, the event's name where the hook is told it, the tool and the input that are judged.
CALLS: dict[str, tuple[dict[str, Any], str | None, str, object]] = {
    "Antigravity": (
        {"toolCall": {"name": "run_command", "args": {"CommandLine": PUSH}}},
        "PreToolUse",
        "run_command",
        {"CommandLine": PUSH},
    ),
    "Antigravity, the event not named": (
        {"toolCall": {"name": "run_command", "args": {"CommandLine": PUSH}}},
        None,
        "run_command",
        {"CommandLine": PUSH},
    ),
    "Windsurf: a command": (
        {"agent_action_name": "pre_run_command", "tool_info": {"command_line": PUSH, "cwd": "/p"}},
        None,
        "Bash",
        {"command_line": PUSH, "cwd": "/p"},
    ),
    "Windsurf: reading": (
        {"agent_action_name": "pre_read_code", "tool_info": {"file_path": "/p/.env"}},
        "PreToolUse",
        "Read",
        {"file_path": "/p/.env"},
    ),
    "Windsurf: writing": (
        {"agent_action_name": "pre_write_code", "tool_info": {"file_path": "/p/a", "edits": EDITS}},
        None,
        "Edit",
        {"file_path": "/p/a", "edits": EDITS},
    ),
    "Windsurf: a server's tool": (
        {
            "agent_action_name": "pre_mcp_tool_use",
            "tool_info": {"mcp_server_name": "git", "mcp_tool_name": "push", "mcp_tool_arguments": {"force": True}},
        },
        None,
        "mcp__git__push",
        {"force": True},
    ),
    "Windsurf: of the future": (
        {"agent_action_name": "pre_fly", "tool_info": {"to": "x"}},
        None,
        "pre_fly",
        {"to": "x"},
    ),
    "Cursor: a command": (
        {"hook_event_name": "beforeShellExecution", "command": PUSH, "cwd": "/p", "sandbox": False},
        None,
        "Bash",
        {"command": PUSH, "cwd": "/p"},
    ),
    "Cursor: reading": (
        {"hook_event_name": "beforeReadFile", "file_path": "/p/.env", "content": "X=1", "attachments": []},
        None,
        "Read",
        {"file_path": "/p/.env"},
    ),
    "Cursor: writing, of the future": (
        {"hook_event_name": "beforeFileWrite", "file_path": "/p/.env", "content": "X=1"},
        None,
        "beforeFileWrite",
        {"file_path": "/p/.env", "content": "X=1"},
    ),
    "Cline": (RECORDED["cline/pre"], None, "run_commands", {"commands": ["touch effect1"]}),
    "as OpenAI's interface says it": (
        {"tool_call": {"id": "c", "function": {"name": "shell", "arguments": '{"cmd": "ls"}'}}},
        "PreToolUse",
        "shell",
        {"cmd": "ls"},
    ),
    "without an input": ({"toolCall": {"name": "list"}}, "PreToolUse", "list", {}),
}


@pytest.mark.parametrize("platform", FLAT)
@pytest.mark.parametrize("name", CALLS)
def test_a_call_is_found_wherever_the_agent_says_it(name: str, platform: str) -> None:
    payload, event_name, tool, own_input = CALLS[name]
    event = adapter(platform).parse(payload, event_name)
    assert (event.type, event.own_input) == ("PreToolUse", own_input)
    assert tool in (event.platform_tool_name, event.tool_name)


@pytest.mark.parametrize("platform", FLAT)
@pytest.mark.parametrize("key", ["toolCall", "tool_call"])
@pytest.mark.parametrize("half", [{}, "git push", [], {"args": {"CommandLine": PUSH}}])
def test_a_call_told_by_halves_is_unreadable(key: str, half: object, platform: str) -> None:
    with pytest.raises(UnreadableEvent, match=f"`{key}` must name the tool"):
        adapter(platform).parse({key: half}, "PreToolUse")


def answered(platform: str, payload: dict[str, Any], event: str | None = None) -> Any:
    return respond(
        HookCall(Options(platform=platform, event=event), dict(os.environ), time.monotonic()),
        json.dumps(payload).encode(),
    )


@pytest.mark.parametrize(
    ("payload", "event"),
    [
        pytest.param(CALLS[name][0], CALLS[name][1], id=name)
        for name in ("Antigravity", "Windsurf: a command", "Cursor: a command")
    ],
)
@pytest.mark.parametrize("platform", FLAT)
def test_a_forbidden_call_of_theirs_is_denied(platform: str, payload: dict[str, Any], event: str | None) -> None:
    outcome = answered(platform, payload, event)
    assert (outcome.verdict.decision, outcome.verdict.failed) == (DENY, False)
    assert outcome.answer.exit_code == 2 or "deny" in outcome.answer.stdout


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param({"session_id": "s"}, id="no call at all"),
        pytest.param({"tool_name": None, "command": PUSH}, id="a tool that is null"),
        pytest.param({"tool_name": "", "tool_input": {"command": PUSH}}, id="a tool without a name"),
        pytest.param({"steps": [{"run": PUSH}]}, id="a call that nobody can find"),
    ],
)
@pytest.mark.parametrize("platform", FLAT)
def test_an_event_before_a_tool_whose_call_cannot_be_found_is_denied(platform: str, payload: dict[str, Any]) -> None:
    outcome = answered(platform, {"hook_event_name": "PreToolUse", **payload})
    assert (outcome.verdict.decision, outcome.verdict.failed) == (DENY, True)
    assert "`PreToolUse` comes before a call of a tool, but the payload names no tool" in outcome.verdict.reason


NEUTRAL: dict[str, dict[str, Any]] = {
    **{
        f"{event} of Codex": {"hook_event_name": event, "cwd": "/p"}
        for event in ("PreModelRequest", "PostModelRequest")
    },
    "afterShellExecution of Cursor": {"hook_event_name": "afterShellExecution", "command": PUSH, "output": ""},
    "afterFileEdit of Cursor": {"hook_event_name": "afterFileEdit", "file_path": "/p/.env", "edits": EDITS},
    "beforeSubmitPrompt of Cursor": {"hook_event_name": "beforeSubmitPrompt", "prompt": "do it", "attachments": []},
    "preCompact of Cursor": {"hook_event_name": "preCompact", "trigger": "auto"},
    "pre_user_prompt of Windsurf": {"agent_action_name": "pre_user_prompt", "tool_info": {"user_prompt": PUSH}},
    "post_run_command of Windsurf": {"agent_action_name": "post_run_command", "tool_info": {"command_line": PUSH}},
    "a file that changed": {"hook_event_name": "FileChanged", "file_path": "/p/.env"},
    "compaction with a word that is none of a call": {"hook_event_name": "PreCompact", "command": PUSH},
    **{name: RECORDED[name] for name in RECORDED if name.endswith(("/start", "/prompt", "/stop"))},
}


@pytest.mark.parametrize("name", NEUTRAL)
def test_what_is_no_call_and_what_has_happened_says_nothing(name: str) -> None:
    outcome = answered("claude", NEUTRAL[name])
    assert (outcome.verdict.decision, outcome.answer.exit_code) == (NO_OPINION, 0)


# --- asks -----------------------------------------------------------------------------------------------------------

ASKED = Verdict(decision=ASK, reason="because")
PRE = [name for name in CALLS if caller("claude", CALLS[name][0], {}) == "claude" and CALLS[name][1] is None]
"""Calls of agents without an adapter, whose event is not named to the hook."""


@pytest.mark.parametrize("name", PRE)
def test_at_an_event_that_nobody_knows_an_ask_is_a_deny(name: str) -> None:
    event = adapter("claude").parse(CALLS[name][0], None)
    answer = adapter("claude").answer(ASKED, event)
    assert said(answer)["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert answer.exit_code == 2


@pytest.mark.parametrize("name", PRE)
def test_what_is_allowed_stays_so(name: str) -> None:
    event = adapter("claude").parse(CALLS[name][0], None)
    for decision in (ALLOW, NO_OPINION):
        assert adapter("claude").answer(Verdict(decision=decision), event).exit_code == 0


def test_a_hook_file_of_cline_may_call_the_hook_for_claude_code() -> None:
    assert caller("claude", RECORDED["cline/pre"], {}) == "cline"


@pytest.mark.parametrize("recording", [one for one in RECORDINGS if one.before_tool], ids=lambda one: one.name)
def test_the_call_of_every_recorded_payload_is_found(recording: Recording) -> None:
    outcome = answered(recording.platform, recording.payload)
    assert not outcome.verdict.failed


@pytest.mark.parametrize("platform", FLAT)
def test_an_unknown_event_without_a_call_stays_neutral(platform: str) -> None:
    event = adapter(platform).parse({"hook_event_name": "before.the.Future"}, None)
    assert event.types == ("Notification",)
    assert is_neutral(adapter(platform).answer(Verdict(), event), platform)
