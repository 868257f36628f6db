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
from tests.programs import PROGRAMS, run_hook, stream
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
@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_frozen_program_answers_like_the_source(
    program: tuple[str, ...], platform: str, rules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first as a process of its own; a stream answers each line like that (tests/hook/test_stream.py)."""
    monkeypatch.chdir(tmp_path)  # reasons name a file as seen from where the hook runs
    recordings = [one for one in BEFORE_TOOL if one.platform == platform]
    expected = [(one.name, as_printed(respond(one, rules))) for one in recordings]
    ended = run_hook(program, platform, recordings[0].data, tmp_path, "--rules", str(rules))
    first = Answer(stdout=ended.stdout, stderr=ended.stderr, exit_code=ended.returncode)
    assert as_printed(first) == expected[0][1]
    with stream(program, platform, tmp_path, "--rules", str(rules)) as opened:
        lines = b"".join(json.dumps(one.payload).encode() + b"\n" for one in recordings)
        answers, exit_code = opened.end(lines)
    found = [(one.name, as_printed(Answer(**said))) for one, said in zip(recordings, answers, strict=True)]
    assert (found, exit_code) == (expected, 0)


def as_printed(answer: Answer) -> tuple[str, str, int]:
    return answer.stdout.rstrip("\n"), answer.stderr.rstrip("\n"), answer.exit_code
