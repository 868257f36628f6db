"""Compiled code cannot be interrupted: what an untrusted policy makes hang or crash there is answered from outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from rulez_py.event import Event
from rulez_py.hook import supervise
from rulez_py.hook.call import WAY_OUT, Case
from rulez_py.hook.child import judged_by_child
from rulez_py.hook.failing import exit_code_alone
from rulez_py.hook.stdio import Outlet
from rulez_py.hook.values import HookCall, Options
from rulez_py.policy.judging.index import pack
from rulez_py.policy.store.cache import InForce
from rulez_py.verdict import Answer
from tests.events import facts_of
from tests.programs import ROOT, prepared

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="only where processes can fork")

PROGRAM = """
import os, sys
import rulez_py.policy.judging.decide as judging
from rulez_py.hook.main import main
def decide(*_arguments):
    {what}
judging.decide = decide
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
    assert ended.stderr == f'Blocked by rule "no". [.rulez/rules.yaml:3] {WAY_OUT}\n'.encode()


def test_no_alarm_is_left_at_the_end_of_the_process() -> None:
    program = (
        "import signal, sys; from rulez_py.hook.main import main; main(['--platform', 'claude']); "
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

    class Kept(Outlet):
        def put(self, answer: Answer, _alone: int) -> bool:
            said.append(answer)
            return True

    call = HookCall(Options(platform="claude"), os.environ, time.monotonic())
    watch = supervise.watched(call, Kept())
    supervise.answer_in_time(watch, lambda: b'{"session_id": "s", "hook_event_name": "Stop"}')
    supervise.time_is_up(watch)
    supervise.clear_alarm()
    assert said == [Answer()]


# An answer that is not read whole.

LONG = 'version: "1.0"\nrules:\n  - {{name: no, description: {}, matchers: {{}}, actions: {{block: true}}}}\n'


def payload(project: Path, platform: str = "claude", command: str = "ls") -> bytes:
    event, tool = EVENTS[platform]
    sent = {"session_id": "s", "hook_event_name": event, "cwd": str(project), "tool_name": tool}
    return json.dumps({**sent, "tool_input": {"command": command}}).encode()


def run_prepared(project: Path, preparation: str, data: bytes, *options: str, **streams: Any) -> Any:
    """A hook call in a process that has done something else before."""
    return subprocess.run(
        [*prepared(preparation), *options],
        input=data,
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
        timeout=60,
        **(streams or {"capture_output": True}),
    )


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize("platform", EVENTS)
def test_an_answer_that_cannot_be_printed_blocks(platform: str, tmp_path: Path) -> None:
    write_policy(tmp_path, LONG.format("x"))
    with open("/dev/full", "wb") as full:
        ended = run_prepared(
            tmp_path, "", payload(tmp_path, platform), "--platform", platform, stdout=full, stderr=subprocess.PIPE
        )
    assert (ended.returncode, ended.stderr[:8]) == (2, b"Blocked:")


@pytest.mark.parametrize("platform", EVENTS)
def test_an_answer_that_is_read_too_late_blocks(platform: str, tmp_path: Path) -> None:
    """It is longer than a pipe holds, and nobody reads."""
    write_policy(tmp_path, LONG.format("x" * 300_000))
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb"), os.fdopen(writing, "wb") as pipe:
        preparation = "from rulez_py.hook import supervise; supervise.LAST_CALL = 0.2"
        options = ("--platform", platform, "--timeout", "2")
        data = payload(tmp_path, platform)
        ended = run_prepared(tmp_path, preparation, data, *options, stdout=pipe, stderr=subprocess.PIPE)
    assert (ended.returncode, ended.stderr[:8]) == (2, b"Blocked:")


@pytest.mark.parametrize(("event", "exit_code"), [("PreToolUse", 2), ("Stop", 0), ("SessionStart", 0), ("New", 2)])
def test_only_what_can_be_blocked_is(event: str, exit_code: int) -> None:
    """Claude Code goes on where a Stop hook ends with 2."""
    call = HookCall(Options(platform="claude", event=event), os.environ, time.monotonic())
    assert exit_code_alone(call.known) == exit_code


def case(on_error: str) -> Case:
    """One that nobody may judge."""
    policy = InForce(root="/", on_error=on_error, sources=(), packed=pack(()))
    event = Event(platform="claude", types=("PreToolUse",), native_event="PreToolUse")
    return Case(facts=facts_of(event), policy=policy, rules=())


def write_policy(project: Path, text: str) -> None:
    (project / ".git").mkdir(exist_ok=True)
    (project / ".rulez").mkdir(exist_ok=True)
    (project / ".rulez" / "rules.yaml").write_text(text)


# The log.


def logged(home: Path, name: str = "audit.jsonl") -> list[dict[str, Any]]:
    """The lines of a log file; one that is torn raises."""
    path = home / ".local" / "state" / "rulez" / name
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_a_log_that_is_slow_has_the_time_that_the_answer_left(home: Path, tmp_path: Path) -> None:
    slow = (
        "from rulez_py.log import audit; from rulez_py.hook import supervise;"
        "supervise.LOG_BUDGET = 0.1; record = audit.record;"
        "audit.record = lambda *a: (time.sleep(1), record(*a))"
    )
    assert run_prepared(tmp_path, slow, payload(tmp_path), "--platform", "claude").returncode == 0
    assert [line["input"] for line in logged(home)] == ["ls"]


def test_a_log_that_hangs_ends_with_the_time_for_the_answer(tmp_path: Path) -> None:
    hanging = (
        "from rulez_py.hook import supervise; from rulez_py.log import audit;"
        "supervise.LOG_BUDGET = 0.1; audit.record = lambda *_: time.sleep(600)"
    )
    ended = run_prepared(tmp_path, hanging, payload(tmp_path), "--platform", "claude", "--timeout", "1")
    assert ended.returncode == 0


@pytest.mark.parametrize("platform", EVENTS)
def test_the_last_words_are_logged_as_the_denial_they_are(platform: str, home: Path, tmp_path: Path) -> None:
    hanging = (
        "import rulez_py.policy.store.load as load; load.load = lambda *a, **k: time.sleep(600);"
        "from rulez_py.hook import supervise; supervise.LAST_CALL = 0.2"
    )
    options = ("--platform", platform, "--timeout", "0.3")
    ended = run_prepared(tmp_path, hanging, payload(tmp_path, platform), *options)
    [line] = logged(home)
    assert (line["verdict"], line["failed"], line["exit_code"]) == ("deny", True, ended.returncode)
    assert "no verdict within 0.3 s" in line["reason"]
    assert logged(home, "denied.jsonl") == [line]


@pytest.mark.parametrize("platform", EVENTS)
def test_an_answer_nobody_reads_is_logged_as_the_denial_it_is(platform: str, home: Path, tmp_path: Path) -> None:
    write_policy(tmp_path, LONG.format("x" * 300_000))
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb"), os.fdopen(writing, "wb") as pipe:
        preparation = "from rulez_py.hook import supervise; supervise.LAST_CALL = 0.2"
        options = ("--platform", platform, "--timeout", "2")
        data = payload(tmp_path, platform)
        run_prepared(tmp_path, preparation, data, *options, stdout=pipe, stderr=subprocess.PIPE)
    [line] = logged(home)
    assert (line["verdict"], line["failed"], line["exit_code"]) == ("deny", True, 2)
    assert line["notes"][-1] == "the answer was not read"


def test_no_line_is_lost_when_many_hooks_run_at_once(home: Path, tmp_path: Path) -> None:
    """More than the machine has cores for: each of them waits for the others most of its time."""
    many = 80
    command = [sys.executable, "-m", "rulez_py", "hook", "--platform", "claude"]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    numbers = [f"echo {number}" for number in range(many)]

    def start(text: str) -> subprocess.Popen[bytes]:
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process: subprocess.Popen[bytes] = subprocess.Popen(command, cwd=tmp_path, env=environ, **pipes)
        assert process.stdin
        process.stdin.write(payload(tmp_path, command=text))
        return process

    start("warm").communicate()
    running = [start(text) for text in numbers]
    for process in running:
        assert process.stdin
        process.stdin.close()
    assert [process.wait() for process in running] == [0] * many
    assert sorted(line["input"] for line in logged(home)) == sorted(["warm", *numbers])


# The child.

OWN = """
version: "1.0"
settings: {{on_error: {on_error}}}
rules:
  - {{name: no-danger, matchers: {{command_match: danger}}, actions: {{block: true}}}}
"""
FOREIGN = 'version: "1.0"\nrules:\n  - {name: foreign, matchers: {tools: [Bash]}, actions: {block: true}}\n'
FAILING = """
import rulez_py.policy.judging.decide as judging
really = judging.decide
def decide(rules, *more):
    if any(not rule["trusted"] for rule in rules): WORK
    return really(rules, *more)
judging.decide = decide
"""


@pytest.mark.parametrize("on_error", ["allow", "ask", "deny"])
@pytest.mark.parametrize("work", ["os._exit(0)", "sum(range(10 ** 12))"], ids=["crash", "hang"])
@pytest.mark.parametrize("command", ["danger", "ls"])
def test_what_a_repository_breaks_are_its_own_rules_alone(
    on_error: str, work: str, command: str, home: Path, tmp_path: Path
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    write_policy(project, FOREIGN)
    user = home / ".config" / "rulez" / "rules.yaml"
    user.parent.mkdir(parents=True)
    user.write_text(OWN.format(on_error=on_error))
    data = payload(project, command=command)
    preparation = FAILING.replace("WORK", work)
    ended = run_prepared(project, preparation, data, "--platform", "claude", "--timeout", "2")
    decision = json.loads(ended.stdout)["hookSpecificOutput"]["permissionDecision"] if ended.stdout else ""
    mildly = {"allow": "", "ask": "ask", "deny": "deny"}[on_error]
    assert decision == ("deny" if command == "danger" else mildly)


def test_where_a_failure_denies_nothing_else_is_judged() -> None:
    """The scripts of trusted rules would run once more, for nothing."""
    call = HookCall(Options(platform="claude"), os.environ, time.monotonic())
    assert supervise.stricter_than_failure(call, case(on_error="deny")) is None


STRANGE = {
    "a signal at its start": "child._judge_for_parent = lambda *_: os.kill(os.getpid(), 2)",
    "an error at its start": "child._judge_for_parent = lambda *_: 1 / 0",
    "no time left": "supervise.LAST_CALL = -30.0",
}


@pytest.mark.parametrize("preparation", STRANGE.values(), ids=STRANGE)
def test_a_child_never_answers_itself(preparation: str, tmp_path: Path) -> None:
    write_policy(tmp_path, FOREIGN)
    ended = run_prepared(
        tmp_path,
        f"from rulez_py.hook import child, supervise; {preparation}",
        payload(tmp_path),
        "--platform",
        "claude",
    )
    assert ended.returncode == 2
    assert json.loads(ended.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_a_parent_that_ignores_the_end_of_children_changes_nothing(tmp_path: Path) -> None:
    write_policy(tmp_path, FOREIGN)
    ignoring = "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)"
    ended = run_prepared(tmp_path, ignoring, payload(tmp_path), "--platform", "claude")
    assert b'Blocked by rule "foreign"' in ended.stderr


def test_a_parent_that_blocks_the_alarm_changes_nothing(tmp_path: Path) -> None:
    hanging = (
        "import signal, time; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])\n"
        "import rulez_py.policy.store.load as load; load.load = lambda *a, **k: time.sleep(30)"
    )
    ended = run_prepared(tmp_path, hanging, payload(tmp_path), "--platform", "claude", "--timeout", "0.5")
    assert b"no verdict within 0.5 s" in ended.stderr


def test_a_fork_that_fails_leaves_nothing_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> int:
        raise OSError("no more processes")

    monkeypatch.setattr(os, "fork", fail)
    call = HookCall(Options(platform="claude"), os.environ, time.monotonic())
    before = os.dup(0)
    os.close(before)
    with pytest.raises(OSError, match="no more processes"):
        judged_by_child(call, case(on_error="deny"), 1.0)
    after = os.dup(0)
    os.close(after)
    assert after == before
