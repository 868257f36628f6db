"""Windsurf's calls are in `tool_info`, and its events name no tool: all by its documentation."""

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
from rulez_py.verdict import Answer
from tests.recordings import RECORDINGS

WINDSURF = adapter("windsurf")
PUSH = "git push --force"
OWN = [one for one in RECORDINGS if one.platform == "windsurf"]


def sent(action: object, **rest: Any) -> dict[str, Any]:
    return {"agent_action_name": action, "trajectory_id": "s", **rest}


def answered(payload: dict[str, Any], platform: str = "windsurf") -> Answer:
    call = HookCall(Options(platform=platform), dict(os.environ), time.monotonic())
    return respond(call, json.dumps(payload).encode()).answer


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        (sent("pre_run_command"), "`tool_info` must be an object that says the call"),
        (sent("pre_run_command", tool_info={}), "`tool_info` must be an object that says the call"),
        (sent("pre_run_command", tool_info=PUSH), "`tool_info` must be an object that says the call"),
        (sent("pre_write_code", tool_info=[PUSH]), "`tool_info` must be an object that says the call"),
        (sent("pre_mcp_tool_use", tool_info={"mcp_server_name": "x"}), "`tool_info` must name the MCP tool"),
        (sent("pre_mcp_tool_use", tool_info={"mcp_tool_name": "x", "mcp_tool_arguments": [1]}), "must be an object"),
        (sent(7, tool_info={"command_line": PUSH}), "must be a non-empty string"),
    ],
)
def test_a_call_told_by_halves_is_denied(payload: dict[str, Any], message: str) -> None:
    with pytest.raises(UnreadableEvent, match=message):
        WINDSURF.parse(payload, None)
    assert answered(payload).exit_code == 2


@pytest.mark.parametrize("action", ["pre_run_command", "pre_fly"])
@pytest.mark.parametrize("key", ["command_line", "command"])
def test_a_forced_push_is_denied_before_a_command_and_before_what_the_future_brings(action: str, key: str) -> None:
    answer = answered(sent(action, tool_info={key: PUSH}))
    assert (answer.exit_code, bool(answer.stdout)) == (2, action == "pre_fly")
    assert "no-force-push" in answer.stderr


@pytest.mark.parametrize(
    ("told", "mcp"),
    [
        ({"mcp_server_name": "github", "mcp_tool_name": "push"}, (("github", "push"),)),
        ({"mcp_server_name": "my hub", "mcp_tool_name": "push"}, (("my hub", "push"), ("my_hub", "push"))),
        ({"mcp_tool_name": "push"}, (("", "push"),)),
    ],
)
def test_a_server_s_tool_is_named_with_its_server(told: dict[str, Any], mcp: tuple[tuple[str, str], ...]) -> None:
    event = WINDSURF.parse(sent("pre_mcp_tool_use", tool_info={**told, "mcp_tool_arguments": {"a": 1}}), None)
    assert (event.mcp, event.own_input, event.known_tool) == (mcp, {"a": 1}, False)


@pytest.mark.parametrize("recording", OWN, ids=lambda one: one.name)
def test_it_is_known_by_its_payload_in_a_hook_set_up_for_claude_code(recording: Any) -> None:
    assert caller("windsurf", recording.payload, {}) == "windsurf"
    assert answered(recording.payload, "claude") == answered(recording.payload)
