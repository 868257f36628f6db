"""Kiro's calls come flat, from two generations of its CLI: all by its documentation and what others measured."""

from __future__ import annotations

import json
import os
import time
from typing import Any

import pytest

from rulez_py.hook.call import respond
from rulez_py.hook.values import HookCall, Options
from rulez_py.platforms import adapter, senders
from rulez_py.verdict import Answer
from tests.recordings import RECORDINGS

KIRO = adapter("kiro")
PUSH = "git push --force"
OWN = [one for one in RECORDINGS if one.platform == "kiro"]


def sent(event: str, tool: str, told: Any) -> dict[str, Any]:
    return {"hook_event_name": event, "cwd": "/home/user/project", "tool_name": tool, "tool_input": told}


def answered(payload: dict[str, Any]) -> Answer:
    call = HookCall(Options(platform="kiro"), dict(os.environ), time.monotonic())
    return respond(call, json.dumps(payload).encode()).answer


@pytest.mark.parametrize("event", ["PreToolUse", "preToolUse", "preFly"])
@pytest.mark.parametrize("tool", ["execute_bash", "execute_pwsh", "shell", "run_it"])
def test_a_forced_push_is_denied_in_both_generations_and_before_what_the_future_brings(event: str, tool: str) -> None:
    answer = answered(sent(event, tool, {"command": PUSH}))
    assert (answer.exit_code, bool(answer.stdout)) == (2, event == "preFly")
    assert "no-force-push" in answer.stderr


@pytest.mark.parametrize(
    ("told", "paths"),
    [
        ({"operations": [{"mode": "Line", "path": "a"}, {"mode": "Search", "path": "b"}]}, ["a", "b"]),
        ({"operations": [{"mode": "Image", "image_paths": ["c", 7]}, "odd", {"path": None}]}, ["c"]),
        ({"operations": [{"path": "a"}], "paths": ["b"]}, ["b"]),
        ({"operations": "a"}, None),
        ({"path": "a"}, None),
    ],
)
def test_the_files_of_a_read_in_several_operations_are_seen(told: dict[str, Any], paths: list[str] | None) -> None:
    event = KIRO.parse(sent("preToolUse", "fs_read", told), None)
    assert event.tool_input.get("paths") == paths
    assert event.own_input == told


@pytest.mark.parametrize(
    ("tool", "mcp"),
    [
        ("@github/push", (("github", "push"),)),
        ("@github/a/b", (("github", "a/b"),)),
        ("@github", ()),
        ("@/push", ()),
        ("github/push", ()),
    ],
)
def test_a_server_s_tool_is_named_with_its_server(tool: str, mcp: tuple[tuple[str, str], ...]) -> None:
    assert KIRO.parse(sent("preToolUse", tool, {}), None).mcp == mcp


@pytest.mark.parametrize("recording", OWN, ids=lambda one: one.name)
def test_it_is_among_those_that_may_have_sent_its_payloads(recording: Any) -> None:
    assert "kiro" in senders(recording.payload, {})


HALVES = [
    sent("PreToolUse", "execute_bash", [1]),
    sent("PreToolUse", "fs_write", PUSH),
    sent("PreToolUse", "execute_bash", {}),
    sent("preToolUse", "fs_read", None),
]


@pytest.mark.parametrize("payload", HALVES)
def test_a_call_told_by_halves_is_denied_with_a_reason(payload: dict[str, Any]) -> None:
    answer = answered(payload)
    assert answer.exit_code == 2
    assert answer.stderr.strip()
