"""What the essentials say to each agent's own calls, in the form that this agent obeys."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from typing import Any

import pytest

from rulez_py.hook.call import finish, respond
from rulez_py.hook.values import HookCall, Options
from rulez_py.platforms import adapter
from rulez_py.verdict import Answer
from tests.platforms import PLATFORMS, denies, is_neutral
from tests.recordings import BEFORE_TOOL, SHELL, Recording, environ_of, with_command, with_path

READ = [one for one in BEFORE_TOOL if adapter(one.platform).parse(one.payload, None).tool_name == "Read"]


def answered(payload: Mapping[str, Any], platform: str) -> Answer:
    environ = {**os.environ, **environ_of(platform, payload)}
    call = HookCall(Options(platform=platform), environ, time.monotonic())
    if "cwd" not in payload:
        # Wherever these tests run.
        payload = {"directory": "/home/user/project", "cwd": "/home/user/project", **payload}
    try:
        return respond(call, json.dumps(payload).encode()).answer
    finally:
        finish(call)


def does_not_run(answer: Answer, platform: str) -> bool:
    """Tell if the agent denies the call, or asks the person about it."""
    return denies(answer, platform) or (PLATFORMS[platform].asks and PLATFORMS[platform].asked(answer))


def test_a_shell_and_a_read_of_each_agent_are_recorded() -> None:
    assert {one.platform for one in SHELL} == set(PLATFORMS)
    # Codex CLI has no tool that reads a file, but one that shows a picture.
    assert {one.platform for one in READ} == set(PLATFORMS)


@pytest.mark.parametrize("recording", SHELL, ids=lambda one: one.name)
def test_a_forced_push_is_denied(recording: Recording) -> None:
    answer = answered(with_command(recording.payload, "git push --force"), recording.platform)
    assert denies(answer, recording.platform)
    assert "no-force-push" in answer.stdout + answer.stderr


@pytest.mark.parametrize("recording", SHELL, ids=lambda one: one.name)
def test_a_secret_that_the_shell_reads_is_asked_about_or_denied(recording: Recording) -> None:
    answer = answered(with_command(recording.payload, "cat .env"), recording.platform)
    assert does_not_run(answer, recording.platform)
    assert "ask-before-env-files" in answer.stdout + answer.stderr


@pytest.mark.parametrize("recording", READ, ids=lambda one: one.name)
def test_a_secret_that_a_tool_reads_is_asked_about_or_denied(recording: Recording) -> None:
    answer = answered(with_path(recording.payload, "/home/user/project/.env"), recording.platform)
    assert does_not_run(answer, recording.platform)
    assert "ask-before-env-files" in answer.stdout + answer.stderr


@pytest.mark.parametrize("recording", SHELL, ids=lambda one: one.name)
def test_a_harmless_command_is_left_alone(recording: Recording) -> None:
    assert is_neutral(answered(with_command(recording.payload, "ls"), recording.platform), recording.platform)


@pytest.mark.parametrize("recording", READ, ids=lambda one: one.name)
def test_a_harmless_read_is_left_alone(recording: Recording) -> None:
    answer = answered(with_path(recording.payload, "/home/user/project/notes.txt"), recording.platform)
    assert is_neutral(answer, recording.platform)
