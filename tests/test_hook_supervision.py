"""Compiled code cannot be interrupted: what an untrusted policy makes hang or crash there is answered from outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rulez_py import hook
from rulez_py.hook import HookCall, Options
from rulez_py.verdict import Answer
from tests.programs import ROOT

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="only where processes can fork")

PROGRAM = """
import os, sys
import rulez_py.policy.match as match
from rulez_py.hook import main
def decide(*_arguments):
    {what}
match.decide = decide
sys.exit(main(["--platform", "{platform}", "--timeout", "0.5"]))
"""
HANGS = "sum(range(10 ** 12))"
CRASHES = "os.kill(os.getpid(), 11)"
EVENTS = {"claude": ("PreToolUse", "Bash"), "gemini": ("BeforeTool", "run_shell_command")}


@pytest.mark.parametrize("platform", EVENTS)
@pytest.mark.parametrize("what", [HANGS, CRASHES], ids=["hangs", "crashes"])
def test_a_policy_nobody_trusted_cannot_keep_the_answer(platform: str, what: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".rulez").mkdir()
    (tmp_path / ".rulez" / "rules.yaml").write_text(
        'version: "1.0"\nrules:\n  - {name: any, matchers: {}, actions: {inject_inline: x}}\n'
    )
    event, tool = EVENTS[platform]
    payload = {"session_id": "s", "hook_event_name": event, "tool_name": tool, "tool_input": {"command": "ls"}}
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(what=what, platform=platform)],
        input=json.dumps({**payload, "cwd": str(tmp_path)}).encode(),
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
        timeout=60,
    )
    said = json.loads(ended.stdout) if ended.stdout else {}
    if platform == "gemini":
        assert (ended.returncode, said["decision"], ended.stderr) == (0, "deny", b"")
    else:
        assert ended.returncode == 2
        assert ended.stderr.startswith(b"Blocked: ")


def test_a_supervised_call_answers_like_any_other(tmp_path: Path) -> None:
    (tmp_path / ".rulez").mkdir()
    rules = 'version: "1.0"\nrules:\n  - {name: no, matchers: {tools: [Bash]}, actions: {block: true}}\n'
    (tmp_path / ".rulez" / "rules.yaml").write_text(rules)
    payload = {"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}}
    ended = subprocess.run(
        [sys.executable, "-m", "rulez_py", "hook", "--platform", "claude"],
        input=json.dumps({**payload, "cwd": str(tmp_path)}).encode(),
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert ended.returncode == 2
    assert json.loads(ended.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert ended.stderr == b'Blocked by rule "no".\n'


def test_no_alarm_is_left_at_the_end_of_the_process() -> None:
    program = (
        "import signal, sys; from rulez_py.hook import main; main(['--platform', 'claude']); "
        "sys.exit(int(signal.getitimer(signal.ITIMER_REAL)[0] * 1000))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program],
        input=b'{"session_id": "s", "hook_event_name": "Stop"}',
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_a_call_is_answered_once_whoever_has_an_answer_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows the alarm is a thread, and may strike while the answer is being given out."""
    said: list[Answer] = []
    monkeypatch.setattr(os, "_exit", lambda _code: None)

    class Kept(hook.Outlet):
        def put(self, answer: Answer) -> None:
            said.append(answer)

    call = HookCall(Options(platform="claude"), os.environ, time.monotonic())
    first = hook.answer_in_time(call, lambda: b'{"session_id": "s", "hook_event_name": "Stop"}', Kept())
    hook._time_is_up(call, Kept())
    hook.clear_alarm()
    assert said == [first]
