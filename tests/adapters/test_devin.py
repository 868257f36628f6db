"""Devin CLI's calls have no directory, and come to Claude Code's hook as well: all by its documentation."""

from __future__ import annotations

import json
import os
import time
from typing import Any

import pytest

from rulez_py.hook.call import respond
from rulez_py.hook.values import HookCall, Options
from rulez_py.platforms import adapter, caller, senders
from rulez_py.verdict import Answer
from tests.recordings import RECORDINGS

OWN = [one for one in RECORDINGS if one.platform == "devin" and "prompt_id" in one.payload]
IN_DEVIN = {"DEVIN_PROJECT_DIR": "/home/user/project"}


def call(tool: str, **told: Any) -> dict[str, Any]:
    known = {"hook_event_name": "PreToolUse", "session_id": "s", "prompt_id": "p"}
    return {**known, "tool_name": tool, "tool_input": told}


def answered(payload: dict[str, Any], platform: str) -> Answer:
    hook = HookCall(Options(platform=platform), {**os.environ, **IN_DEVIN}, time.monotonic())
    return respond(hook, json.dumps(payload).encode()).answer


@pytest.mark.parametrize("platform", ["devin", "claude"])
@pytest.mark.parametrize(
    ("payload", "rule"),
    [
        (call("exec", command="git push --force"), "no-force-push"),
        # An ask, which Devin does not know: Claude Code's word for it would let the call run.
        (call("write", file_path="/home/user/project/.env", content="A=1"), "ask-before-env-files"),
    ],
)
def test_it_is_denied_in_its_own_words_in_claude_code_s_hook_too(
    platform: str, payload: dict[str, Any], rule: str
) -> None:
    answer = answered(payload, platform)
    said = json.loads(answer.stdout)
    assert (answer.exit_code, said["decision"], said["reason"]) == (2, "block", answer.stderr)
    assert rule in answer.stderr


@pytest.mark.parametrize("recording", OWN, ids=lambda one: one.name)
def test_it_is_known_by_its_payload(recording: Any) -> None:
    assert senders(recording.payload, {}) == ("devin",)
    assert caller("claude", recording.payload, IN_DEVIN) == "devin"


@pytest.mark.parametrize(
    ("payload", "environ"),
    [
        ({**call("Bash", command="ls"), "cwd": "/home/user/project", "transcript_path": "/t"}, IN_DEVIN),
        (call("exec", command="ls"), {}),
    ],
)
def test_claude_code_that_devin_has_started_stays_claude_code(payload: dict[str, Any], environ: dict[str, str]) -> None:
    assert caller("claude", payload, environ) == "claude"


def test_the_project_is_the_one_of_the_variable() -> None:
    assert adapter("devin").PROJECT_VARIABLES == ("DEVIN_PROJECT_DIR",)
    assert adapter("devin").parse(call("exec", command="ls"), None).cwd is None
