"""Grok Build cuts long calls, says those of MCP tools in its own tool's, and runs Claude Code's and Cursor's hooks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulez_py.event import UnreadableEvent
from rulez_py.platforms import adapter, caller
from rulez_py.verdict import ASK, Verdict
from tests.facts import inside
from tests.recordings import PAYLOADS, RECORDINGS

GROK = adapter("grok")
ASKED = Verdict(decision=ASK, reason="because")


def recorded(name: str, **changes: object) -> dict[str, Any]:
    payload: dict[str, Any] = json.loads((PAYLOADS / "grok" / f"{name}.json").read_text())
    return {**payload, **changes}


def mcp(**given: object) -> dict[str, Any]:
    outer = {"tool_name": "demo__make_file", **given}
    return recorded("PreToolUse__mcp", toolInput=outer, tool_input=outer)


CUT = '{"file_path":"/home/user/project/big","content":"' + "x" * 200 + "[truncated]"


@pytest.mark.parametrize("tool", ["write", "run_terminal_command", "demo__make_file", "of_the_future"])
def test_a_call_that_is_cut_is_denied_with_what_to_do_instead(tool: str) -> None:
    cut = recorded("PreToolUse__write", tool_name=tool, toolInputTruncated=True, tool_input=CUT, toolInput=CUT)
    with pytest.raises(UnreadableEvent, match=f"128 KiB of a call.*`{tool}`.*Instead: make the call in smaller parts"):
        GROK.parse(cut, None)


def test_the_output_of_a_call_that_is_cut_is_still_read() -> None:
    event = GROK.parse(recorded("PostToolUse__write", toolInputTruncated=True, tool_input=CUT, toolInput=CUT), None)
    assert event.type == "PostToolUse"


@pytest.mark.parametrize("given", [{"path": "x", "tool_name": "other"}, '{"path": "x", "tool_name": "other"}'])
def test_rules_see_the_arguments_of_the_mcp_tool(given: object) -> None:
    event = GROK.parse(mcp(tool_input=given), None)
    assert event.own_input == {"path": "x", "tool_name": "other"}
    assert event.tool_input["file_path"] == "x"
    assert event.mcp == (("demo", "make_file"),)


@pytest.mark.parametrize("given", [{}, {"tool_input": None}])
def test_an_mcp_tool_may_have_no_arguments(given: dict[str, object]) -> None:
    assert GROK.parse(mcp(**given), None).own_input == {}


def test_an_mcp_tool_called_by_its_own_name_has_its_own_arguments() -> None:
    given = {"path": "x", "file": "y", "tool_input": {"command": "ls"}}
    event = GROK.parse(recorded("PreToolUse__mcp", tool_input=given, toolInput=given), None)
    assert event.own_input == given


def test_the_project_is_its_workspace() -> None:
    event = GROK.parse(recorded("PreToolUse__write", workspaceRoot="/home/user/other/"), None)
    assert event.project_dir == "/home/user/other"
    assert GROK.parse(recorded("PreToolUse__write", workspaceRoot="/"), None).project_dir == "/"


@pytest.mark.parametrize(
    ("mode", "decision"),
    [("default", "ask"), ("auto", "ask"), ("plan", "ask"), ("ofTheFuture", "ask"), ("bypassPermissions", "deny")],
)
def test_it_asks_unless_every_question_is_answered_with_yes(mode: str, decision: str) -> None:
    event = GROK.parse(recorded("PreToolUse__write", permission_mode=mode, permissionMode=mode), None)
    assert inside(GROK.answer(ASKED, event))["permissionDecision"] == decision


@pytest.mark.parametrize("recording", [one for one in RECORDINGS if one.platform == "grok"], ids=lambda one: one.name)
@pytest.mark.parametrize("platform", ["claude", "cursor"])
def test_what_it_sends_to_another_s_hook_is_answered_in_its_own_words(recording: Any, platform: str) -> None:
    assert caller(platform, recording.payload, {}) == "grok"
    assert caller("grok", recording.payload, {}) == "grok"


@pytest.mark.parametrize("recording", [one for one in RECORDINGS if one.platform != "grok"], ids=lambda one: one.name)
def test_nothing_of_another_agent_is_taken_for_its(recording: Any) -> None:
    assert not any(GROK.sends_to(platform, recording.payload, {}) for platform in ("claude", "cursor", "codex"))
