"""Every recorded tool call, through the whole hook: a rule for Bash denies exactly the shell calls of all agents."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from rulez_py.hook.call import respond as respond_to
from rulez_py.hook.values import HookCall, Options
from rulez_py.verdict import Answer
from tests.platforms import PLATFORMS, denies, is_neutral
from tests.programs import PROGRAMS, run_hook
from tests.recordings import BEFORE_TOOL, PAYLOADS, RECORDINGS, Recording

BLOCK_BASH = """\
version: "1.0"
settings: {self_protection: false}
rules:
  - name: no-shell
    description: no shell here
    matchers: {tools: [Bash], operations: [PreToolUse]}
    actions: {block: true}
"""
EXPECTED = {name: json.loads((PAYLOADS / name / "expected.json").read_text()) for name in PLATFORMS}


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "no-shell.yaml"
    path.write_text(BLOCK_BASH)
    return path


def respond(recording: Recording, rules: Path | None) -> Answer:
    options = Options(platform=recording.platform, rules=str(rules) if rules else None)
    call = HookCall(options, dict(os.environ), time.monotonic())
    return respond_to(call, recording.data).answer


@pytest.mark.parametrize("recording", BEFORE_TOOL, ids=lambda r: r.name)
def test_a_rule_for_bash_denies_exactly_the_shell_calls(recording: Recording, rules: Path) -> None:
    answer = respond(recording, rules)
    platform, _, name = recording.name.partition("/")
    if EXPECTED[platform][name]["tool"] == "Bash":
        assert denies(answer, recording.platform)
        assert "no-shell" in answer.stdout + answer.stderr
    else:
        assert is_neutral(answer, recording.platform)


# What its subagents do reaches no hook, so self-protection denies starting one.
UNSEEN = "openhands/PreToolUse__task.json"


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda r: r.name)
def test_the_built_in_policy_has_nothing_against_any_recording(recording: Recording) -> None:
    answer = respond(recording, None)
    assert (denies if recording.name == UNSEEN else is_neutral)(answer, recording.platform)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_force_push_in_the_flat_form_is_denied_by_the_built_in_policy(
    program: tuple[str, ...], platform: str, tmp_path: Path
) -> None:
    facts = PLATFORMS[platform]
    payload = {"session_id": "s", "hook_event_name": facts.before_tool, "tool_name": facts.shell}
    ended = run_hook(program, platform, {**payload, "tool_input": {"command": "git push --force"}}, tmp_path)
    answer = Answer(stdout=ended.stdout.rstrip("\n"), stderr=ended.stderr, exit_code=ended.returncode)
    assert denies(answer, platform)
    assert "no-force-push" in answer.stdout + answer.stderr


@pytest.mark.parametrize("program", PROGRAMS[1:])
@pytest.mark.parametrize("recording", BEFORE_TOOL, ids=lambda r: r.name)
def test_the_frozen_program_answers_like_the_source(
    program: tuple[str, ...], recording: Recording, rules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # reasons name a file as seen from where the hook runs
    expected = respond(recording, rules)
    ended = run_hook(program, recording.platform, recording.data, tmp_path, "--rules", str(rules))
    assert (ended.stdout.rstrip("\n"), ended.stderr.rstrip("\n"), ended.returncode) == (
        expected.stdout,
        expected.stderr,
        expected.exit_code,
    )
