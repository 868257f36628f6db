"""Who compiles a policy: one process at a time, to the end, and nobody is kept waiting by one that does not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from rulez_py.hook.call import WAY_OUT
from rulez_py.policy.judging import index
from rulez_py.policy.store import cache, compile_lock
from rulez_py.policy.store.cache import InForce
from rulez_py.system.files import try_lock
from rulez_py.system.places import places
from tests.programs import ROOT, prepared

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="only where processes can fork")

RULE = 'version: "1.0"\nrules:\n  - {name: mine, matchers: {tools: [Bash]}, actions: {block: true}}\n'
POLICY = InForce(root="/project", on_error="deny", sources=(), packed=index.pack(()))


def nothing() -> InForce | None:
    return None


class Machine:
    """A user's policy that takes its time, and a count of how often it is compiled."""

    def __init__(self, home: Path, tmp_path: Path) -> None:
        self.project = tmp_path / "project"
        (self.project / ".git").mkdir(parents=True)
        user = home / ".config" / "rulez" / "rules.yaml"
        user.parent.mkdir(parents=True)
        user.write_text(RULE)
        self.places = places(dict(os.environ))
        self.begun = tmp_path / "begun"

    def call(self, *options: str, seconds: float) -> subprocess.Popen[str]:
        """A hook call that takes so long to compile."""
        slow = (
            "import rulez_py.policy.store.load as load\n"
            "really = load.load\n"
            "def slow(*arguments, **options):\n"
            f"    with open({str(self.begun)!r}, 'a') as file: file.write('x')\n"
            f"    time.sleep({seconds})\n"
            "    return really(*arguments, **options)\n"
            "load.load = slow"
        )
        process = subprocess.Popen(
            [*prepared(slow), "--platform", "claude", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.project,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        payload = {"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": str(self.project)}
        assert process.stdin
        process.stdin.write(json.dumps({**payload, "tool_input": {"command": "ls"}}))
        process.stdin.close()
        process.stdin = None
        return process

    @property
    def compiled(self) -> int:
        return len(self.begun.read_text()) if self.begun.exists() else 0

    @property
    def kept(self) -> list[Path]:
        return list(Path(self.places.cache).glob("*.policy"))

    def wait_until_kept(self) -> None:
        for _ in range(600):
            if self.kept:
                return
            time.sleep(0.05)
        raise AssertionError("nobody has kept the policy")


@pytest.fixture
def machine(home: Path, tmp_path: Path) -> Machine:
    return Machine(home, tmp_path)


def reason(process: subprocess.Popen[str]) -> str:
    """Why a call was denied; its output comes to an end with it."""
    _stdout, said = process.communicate(timeout=60)
    assert process.returncode == 2
    return said


def test_calls_at_the_same_time_compile_once(machine: Machine) -> None:
    calls = [machine.call(seconds=1) for _ in range(5)]
    assert [reason(call) for call in calls] == [
        f'Blocked by rule "mine". [~/.config/rulez/rules.yaml:3] {WAY_OUT}\n'
    ] * 5
    assert machine.compiled == 1


def test_what_a_call_has_no_time_for_is_finished_after_its_answer(machine: Machine) -> None:
    assert "the policy was still being compiled" in reason(machine.call("--timeout", "1", seconds=3))
    assert machine.kept == []
    machine.wait_until_kept()
    assert (
        reason(machine.call("--timeout", "20", seconds=600))
        == f'Blocked by rule "mine". [~/.config/rulez/rules.yaml:3] {WAY_OUT}\n'
    )
    assert machine.compiled == 1


def test_only_one_process_goes_on(machine: Machine) -> None:
    calls = [machine.call("--timeout", "1.5", seconds=4) for _ in range(4)]
    assert all("the policy was still being compiled" in reason(call) for call in calls)
    machine.wait_until_kept()
    time.sleep(0.2)
    assert list(Path(machine.places.cache).glob("*")) == machine.kept


def hold(path: Path) -> subprocess.Popen[bytes]:
    """Another process that has the lock beside a path."""
    source = (
        "import sys, time; from rulez_py.system.files import try_lock;"
        f"assert try_lock({str(path) + compile_lock.LOCK!r}) is not None; print(1, flush=True); time.sleep(600)"
    )
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, env=environ)
    assert process.stdout and process.stdout.readline() == b"1\n"
    return process


def test_the_lock_of_a_process_that_was_killed_blocks_nobody(tmp_path: Path) -> None:
    with hold(tmp_path / "x.policy") as process:
        process.kill()
    assert compile_lock.once(str(tmp_path / "x.policy"), 60, nothing, lambda: POLICY).root == "/project"


def test_a_process_that_never_gives_the_lock_back_is_not_waited_for_longer_than_it_says(tmp_path: Path) -> None:
    kept: list[str] = []
    policy = POLICY.replace(keep=lambda: kept.append("x"))
    with hold(tmp_path / "x.policy") as process:
        found = compile_lock.once(str(tmp_path / "x.policy"), 0.1, nothing, lambda: policy)
        process.kill()
    assert kept == []
    found.keep()
    assert kept == ["x"]


def test_what_another_has_kept_meanwhile_is_taken(tmp_path: Path) -> None:
    def compiled() -> InForce:
        raise AssertionError("compiled all the same")

    assert compile_lock.once(str(tmp_path / "x.policy"), 1, lambda: POLICY, compiled) == POLICY


def test_who_waits_reads_what_is_kept_as_soon_as_it_is_there(tmp_path: Path) -> None:
    path = tmp_path / "x.policy"

    def compiled() -> InForce:
        raise AssertionError("compiled all the same")

    with hold(path) as process:
        path.with_suffix(".new").write_text("new")
        keeper = threading.Timer(0.2, lambda: path.with_suffix(".new").replace(path))
        keeper.start()
        assert compile_lock.once(str(path), 600, lambda: POLICY if path.exists() else None, compiled) == POLICY
        keeper.join()
        process.kill()


def test_without_a_place_for_a_lock_it_is_compiled(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert compile_lock.once(str(tmp_path / "file" / "x.policy"), 60, nothing, lambda: POLICY) == POLICY
    (tmp_path / f"y.policy{compile_lock.LOCK}").mkdir()
    assert compile_lock.once(str(tmp_path / "y.policy"), 60, nothing, lambda: POLICY) == POLICY


def test_a_lock_where_others_may_write_is_not_taken(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    assert compile_lock.once(str(tmp_path / "x.policy"), 60, nothing, lambda: POLICY) == POLICY
    assert list(tmp_path.iterdir()) == []


def test_after_a_failure_the_lock_is_free(tmp_path: Path) -> None:
    def fails() -> InForce:
        raise ValueError("no policy")

    with pytest.raises(ValueError, match="no policy"):
        compile_lock.once(str(tmp_path / "x.policy"), 60, nothing, fails)
    assert not compile_lock.compiling()
    lock = try_lock(str(tmp_path / f"x.policy{compile_lock.LOCK}"))
    assert lock is not None
    os.close(lock)


def test_who_asks_again_while_it_is_being_compiled_does_not_wait(tmp_path: Path) -> None:
    """An alarm strikes, and the answer to that wants to know `on_error`."""
    path = str(tmp_path / "x.policy")

    def compiled() -> InForce:
        with pytest.raises(compile_lock.StillCompiling):
            compile_lock.once(path, 60, nothing, lambda: POLICY)
        return POLICY

    assert compile_lock.once(path, 60, nothing, compiled).root == "/project"


def test_a_policy_can_be_kept_before_any_call(machine: Machine) -> None:
    cache.warm(machine.places, str(machine.project))
    assert reason(machine.call(seconds=600)) == f'Blocked by rule "mine". [~/.config/rulez/rules.yaml:3] {WAY_OUT}\n'


def test_validate_keeps_what_it_has_found_good(machine: Machine) -> None:
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-m", "rulez_py", "validate"], cwd=machine.project, env=environ, check=True)
    assert reason(machine.call(seconds=600)) == f'Blocked by rule "mine". [~/.config/rulez/rules.yaml:3] {WAY_OUT}\n'
