"""Cursor asks in two events alone; it runs Claude Code's hooks as well."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from rulez_py.hook.call import respond
from rulez_py.hook.values import HookCall, Options
from rulez_py.platforms import adapter, caller
from rulez_py.verdict import ASK, Verdict
from tests.facts import said

ASKED = Verdict(decision=ASK, reason="because")
OURS = {"version": 1, "hooks": {"beforeShellExecution": [{"command": "/opt/rulez hook --platform cursor"}]}}
BEFORE_ALONE = {"version": 1, "hooks": {"preToolUse": [{"command": "rulez hook --platform cursor"}]}}
SOME_COMMANDS = {
    "hooks": {"beforeShellExecution": [{"matcher": "curl", "command": "rulez hook --platform cursor"}]},
}
POLICY = """\
version: "1.0"
rules:
  - {name: ask-first, matchers: {operations: [PreToolUse]}, actions: {ask: because}}
"""
ANOTHER = {"hooks": {"beforeShellExecution": [{"command": "./mine"}]}}


def call(project: Path, tool: str = "Shell") -> dict[str, Any]:
    return {
        "hook_event_name": "preToolUse",
        "cursor_version": "1.0.32",
        "workspace_roots": [str(project)],
        "tool_name": tool,
        "tool_input": {"command": "ls"},
    }


def answered(payload: dict[str, Any]) -> dict[str, Any]:
    """The answer to a payload under a policy that asks about every call."""
    put(Path(payload["workspace_roots"][0]) / ".rulez/rules.yaml", POLICY)
    hook = HookCall(Options(platform="cursor"), dict(os.environ), time.monotonic())
    return said(respond(hook, json.dumps(payload).encode()).answer)


def put(file: Path, settings: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(settings if isinstance(settings, str) else json.dumps(settings))


@pytest.mark.parametrize(
    ("person", "project", "later"),
    [
        (None, None, False),
        (OURS, None, True),
        (None, OURS, True),
        (BEFORE_ALONE, None, False),
        # A repository cannot say that the person's hook asks later.
        (BEFORE_ALONE, OURS, False),
        (ANOTHER, OURS, True),
        (SOME_COMMANDS, None, False),
        ("{", OURS, True),
        ("[]", None, False),
        ({"hooks": {"beforeShellExecution": {"command": "rulez hook --platform cursor"}}}, None, False),
        ({"hooks": {"beforeShellExecution": [{"command": "rulez hook --platform auto"}]}}, None, True),
        ({"hooks": {"beforeShellExecution": [{"command": "rulez hook --platform claude"}]}}, None, False),
    ],
)
def test_an_ask_before_a_tool_is_left_to_the_hook_that_asks(
    person: object, project: object, later: bool, home: Path, tmp_path: Path
) -> None:
    if person is not None:
        put(home / ".cursor/hooks.json", person)
    if project is not None:
        put(tmp_path / ".cursor/hooks.json", project)
    answer = answered(call(tmp_path))
    assert answer == {} if later else answer["permission"] == "deny"


@pytest.mark.parametrize("tool", ["Write", "Read", "Task", "Fetch", "Unheard"])
def test_an_ask_about_any_other_tool_is_a_deny(tool: str, home: Path, tmp_path: Path) -> None:
    put(home / ".cursor/hooks.json", OURS)
    assert answered(call(tmp_path, tool))["permission"] == "deny"


def test_an_mcp_tool_is_asked_about_where_its_server_is_named(home: Path, tmp_path: Path) -> None:
    assert answered(call(tmp_path, "MCP:poke"))["permission"] == "deny"
    put(home / ".cursor/hooks.json", {"hooks": {"beforeMCPExecution": [{"command": "rulez hook --platform cursor"}]}})
    assert answered(call(tmp_path, "MCP:poke")) == {}


def test_an_error_is_not_left_to_another_hook(home: Path, tmp_path: Path) -> None:
    event = adapter("cursor").parse(call(tmp_path), None).replace(asked_later=True)
    assert said(adapter("cursor").answer(ASKED.replace(failed=True), event))["permission"] == "deny"


def test_what_it_sends_to_claude_codes_hook_is_answered_in_its_own_words(tmp_path: Path) -> None:
    assert caller("claude", call(tmp_path), {}) == "cursor"
    assert caller("codex", call(tmp_path), {}) == "codex"


def test_the_command_of_an_mcp_server_is_no_command_of_the_call(tmp_path: Path) -> None:
    payload = {
        "hook_event_name": "beforeMCPExecution",
        "workspace_roots": [str(tmp_path)],
        "tool_name": "poke",
        "tool_input": '{"path": "x"}',
        "mcp_server_name": "my server",
        "command": "python server.py",
    }
    event = adapter("cursor").parse(payload, None)
    assert "command" not in event.tool_input
    assert event.own_input == {"path": "x"}
    assert event.mcp == (("my server", "poke"), ("my_server", "poke"))


def test_the_project_is_the_first_of_its_workspace_s_roots(tmp_path: Path) -> None:
    event = adapter("cursor").parse({**call(tmp_path), "workspace_roots": [str(tmp_path), "/other"]}, None)
    assert (event.project_dir, event.cwd) == (str(tmp_path), str(tmp_path))
