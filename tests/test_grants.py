"""`rulez allow`, `rulez pause`, `rulez resume`: what a person lets pass, and what no agent can."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

import rulez_py.system.places
from rulez_py.cli import person as sitting
from rulez_py.cli import proof
from rulez_py.cli.proof import is_the_systems
from rulez_py.hook.call import as_granted, case_of, finish, judged
from rulez_py.hook.values import HookCall, Options
from rulez_py.trust import grants
from rulez_py.verdict import Verdict
from tests.desk import DEPLOY, WRITE, Desk


def files(desk: Desk) -> list[Path]:
    """The files of what is granted there."""
    where = Path(grants.directory(desk.places))
    return sorted(where.iterdir()) if where.is_dir() else []


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path, monkeypatch)


# Once.


def test_a_call_passes_once(desk: Desk) -> None:
    assert desk.call(DEPLOY) == "deny"
    said = desk.says("allow", "--once", "deploy --now site")
    assert said.exit_code == 0, said.output
    assert [desk.call(DEPLOY), desk.call(DEPLOY)] == ["pass", "deny"]


def test_the_call_that_was_stopped_last_passes_once(desk: Desk) -> None:
    desk.call(WRITE)
    said = desk.says("allow", "--last")
    assert "notes.md" in said.output, said.output
    assert desk.call(DEPLOY) == "deny"
    assert [desk.call(WRITE), desk.call(WRITE)] == ["pass", "deny"]


def test_two_hooks_that_judge_the_same_call_both_let_it_pass(desk: Desk) -> None:
    desk.says("allow", "--once", "deploy --now site")
    twice = [desk.call(DEPLOY, tool_use_id="t1"), desk.call(DEPLOY, tool_use_id="t1")]
    assert [*twice, desk.call(DEPLOY, tool_use_id="t2")] == ["pass", "pass", "deny"]


@pytest.mark.parametrize(
    "other",
    [
        {"tool_name": "Bash", "tool_input": {"command": "deploy --now site "}},
        {"tool_name": "Bash", "tool_input": {"command": "deploy --now site", "cmd": "deploy --now shop"}},
        {"tool_name": "Bash", "tool_input": {"command": "deploy --now site; deploy shop"}},
    ],
    ids=["a blank more", "another command beside it", "more behind it"],
)
def test_nothing_else_passes_in_its_place(desk: Desk, other: dict[str, Any]) -> None:
    desk.says("allow", "--once", "deploy --now site")
    assert [desk.call(other), desk.call(DEPLOY)] == ["deny", "pass"]


def test_it_passes_in_its_project_alone(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    other = desk.home / "other"
    (other / ".git").mkdir(parents=True)
    monkeypatch.chdir(other)
    assert desk.says("allow", "--once", "deploy --now site").exit_code == 0
    monkeypatch.chdir(desk.project)
    assert desk.call(DEPLOY) == "deny"


def test_what_protects_rulez_is_not_let_pass(desk: Desk) -> None:
    protected = {"tool_name": "Write", "tool_input": {"file_path": ".rulez/rules.yaml", "content": ""}}
    assert desk.call(protected) == "deny"
    said = desk.says("allow", "--last")
    assert (said.exit_code, "protects rulez itself" in said.output) == (1, True)
    desk.says("pause", "1h")
    assert [desk.call(protected), desk.call(DEPLOY)] == ["deny", "pass"]


# A pause.


def test_a_pause_has_the_rules_only_log_until_it_is_ended(desk: Desk) -> None:
    said = desk.says("pause", "15m")
    assert said.exit_code == 0, said.output
    assert [desk.call(DEPLOY), desk.call(WRITE)] == ["pass", "pass"]
    assert any("paused by a person" in note for note in desk.log[-1]["notes"])
    assert desk.says("resume").exit_code == 0
    assert desk.call(DEPLOY) == "deny"
    assert desk.says("resume").exit_code == 1


def test_a_pause_of_one_project_is_about_that_project(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    other = desk.home / "other"
    (other / ".git").mkdir(parents=True)
    monkeypatch.chdir(other)
    desk.says("pause", "15m", "--project")
    monkeypatch.chdir(desk.project)
    assert desk.call(DEPLOY) == "deny"
    desk.says("pause", "15m", "--project")
    assert desk.call(DEPLOY) == "pass"


@pytest.mark.parametrize("words", [("25h",), ("0m",), ("soon",), ("-1h",)])
def test_a_pause_has_an_end(desk: Desk, words: tuple[str, ...]) -> None:
    assert desk.says("pause", *words).exit_code == 2
    assert not files(desk)


def test_what_a_person_does_is_logged(desk: Desk) -> None:
    desk.says("pause", "15m")
    desk.says("resume")
    desk.says("allow", "--once", "deploy x")
    notes = [note for entry in desk.log for note in entry["notes"]]
    assert [note.partition(" for ")[0].partition(" in ")[0] for note in notes] == [
        "a person paused the rules everywhere",
        "a person ended what was paused or let pass",
        "a person lets this pass once",
    ]


# Nobody but a person.


@pytest.mark.parametrize("words", [("pause", "1h"), ("resume",), ("allow", "--last"), ("allow", "--once", "x")])
def test_without_a_person_nothing_is_granted(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setattr(sitting, "why_no_person", lambda: "this needs a person at a terminal")
    said = desk.says(*words)
    assert (said.exit_code, "needs a person" in said.output) == (1, True)
    assert not files(desk)


# Where the machine's policy lets nobody make exceptions.


@pytest.fixture
def managed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The machine's policy file, in which that can be said."""
    path = desk.home / "managed" / "rules.yaml"
    path.parent.mkdir()
    made = rulez_py.system.places.Places
    monkeypatch.setattr(rulez_py.system.places, "Places", lambda **told: made(**{**told, "managed_policy": str(path)}))
    return path


FORBIDDEN = 'version: "1.0"\nsettings:\n  script_timeout: 5\n  exceptions: false\n'


@pytest.mark.parametrize("words", [("pause", "15m"), ("allow", "--once", "ls"), ("allow", "--last")])
def test_where_the_machines_policy_says_so_nobody_makes_exceptions(
    desk: Desk, managed: Path, words: tuple[str, ...]
) -> None:
    managed.write_text(FORBIDDEN)
    said = desk.says(*words)
    assert (said.exit_code, files(desk)) == (1, [])
    assert f"this machine's policy forbids it ({managed}:4: exceptions: false)" in said.output


def test_it_says_nothing_against_ending_them(desk: Desk, managed: Path) -> None:
    desk.says("pause", "15m")
    managed.write_text(FORBIDDEN)
    assert (desk.says("resume").exit_code, files(desk)) == (0, [])


@pytest.mark.parametrize("said", ['version: "1.0"\nsettings: {exceptions: true}\n', 'version: "1.0"\n', None])
def test_where_it_does_not_people_may(desk: Desk, managed: Path, said: str | None) -> None:
    if said is not None:
        managed.write_text(said)
    assert desk.says("pause", "15m").exit_code == 0


# Where the machine's policy wants more of people than a terminal.


def asker(directory: Path, monkeypatch: pytest.MonkeyPatch, how: str, script: str) -> Path:
    """A program in place of the system's, and the file in which it writes how it was called."""
    program, called = directory / how, directory / "called"
    program.write_text(f'#!/bin/sh\necho "$@" >> {called}\n{script}\n')
    program.chmod(0o755)
    monkeypatch.setitem(proof.PLACES, how, (str(program),))
    monkeypatch.setattr(proof, "is_the_systems", os.path.exists)
    return called


# What stands in for sudo: whether it lets through without a password (-n), and whether with one.
@pytest.mark.parametrize("words", [("pause", "15m"), ("allow", "--once", "ls"), ("trust", "--yes")])
@pytest.mark.parametrize(
    ("how", "script", "code", "said"),
    [
        ("sudo", '[ "$2" != -n ]', 0, ""),
        ("sudo", "exit 1", 1, "sudo did not let you through"),
        ("sudo", "exit 0", 1, "sudo asks you for none, which proves nothing"),
        ("polkit", "exit 0", 0, ""),
        ("polkit", "exit 126", 1, "polkit did not let you through"),
    ],
)
def test_where_the_machines_policy_wants_a_password_it_is_asked_for(
    desk: Desk,
    managed: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    how: str,
    script: str,
    code: int,
    said: str,
) -> None:
    called = asker(desk.home, monkeypatch, how, script)
    managed.write_text(f'version: "1.0"\nsettings: {{exceptions: {how}, trust: {how}}}\n')
    done = desk.says(*words)
    assert (done.exit_code, said in done.output) == (code, True), done.output
    assert all(
        line in ("-k -n -- /usr/bin/true", "-k -- /usr/bin/true", "/usr/bin/true")
        for line in called.read_text().splitlines()
    )
    assert bool(files(desk)) is (code == 0 and words[0] != "trust")


def test_a_password_program_that_is_not_the_systems_is_not_asked(
    desk: Desk, managed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = asker(desk.home, monkeypatch, "sudo", "exit 0")
    monkeypatch.setattr(proof, "is_the_systems", is_the_systems)
    managed.write_text('version: "1.0"\nsettings: {exceptions: sudo}\n')
    done = desk.says("pause", "15m")
    assert (done.exit_code, "of root's" in done.output, called.exists()) == (1, True, False)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('version: "1.0"\nsettings: {trust: false}\n', ":2: trust: false)"),
        ('version: "1.0"\nsettings: {trust: pam}\n', "cannot be used"),
        ("{", "cannot be used"),
    ],
)
def test_the_machines_policy_may_forbid_trust(desk: Desk, managed: Path, text: str, said: str) -> None:
    managed.write_text(text)
    done = desk.says("trust", "--yes")
    assert (done.exit_code, said in done.output) == (1, True), done.output


def judged_here(desk: Desk, call: dict[str, Any]) -> Verdict:
    """The verdict on a call of the agent, in this process and so by this machine's policy."""
    payload = {"session_id": "s", "hook_event_name": "PreToolUse", "cwd": str(desk.project), **call}
    hook = HookCall(Options(platform="claude"), os.environ, time.monotonic())
    case = as_granted(hook, case_of(hook, json.dumps(payload).encode()))
    verdict = judged(hook, case).verdict
    finish(hook)
    return verdict


def test_what_was_let_pass_before_passes_no_more(desk: Desk, managed: Path) -> None:
    desk.says("pause", "15m")
    assert judged_here(desk, DEPLOY).decision == ""
    managed.write_text(FORBIDDEN)
    for _ in ("compiled", "kept"):
        verdict = judged_here(desk, DEPLOY)
        assert (verdict.decision, "rulez allow" in verdict.reason) == ("deny", False)
    decision, granted = explained(desk, "deploy --now site")
    assert (decision, granted) == ("deny", [])
    assert "rulez allow" not in desk.says("explain", "deploy --now site").output
    assert "paused" not in desk.says("status").output


# What `rulez explain` says of it.


def explained(desk: Desk, line: str) -> tuple[str, list[dict[str, Any]]]:
    """The verdict of the rules on a command line, and what a person lets pass beside it."""
    said = json.loads(desk.says("explain", "--json", line).output)
    return said["verdict"]["decision"], said["granted"]


def test_explain_says_what_a_running_pause_makes_of_a_call(desk: Desk) -> None:
    assert explained(desk, "deploy --now site") == ("deny", [])
    desk.says("pause", "1h")
    decision, (pause,) = explained(desk, "deploy --now site")
    assert (decision, pause["kind"], pause["project"], pause["decision"]) == ("deny", "pause", None, "pass")
    assert pause["until"] > desk.log[-1]["time"]
    shown = " ".join(desk.says("explain", "deploy --now site").output.split())
    assert "DENIED by rule no-deploy" in shown
    assert "But now it passes: rules are paused everywhere, until" in shown
    assert "would be told, if no person let it pass" in shown


def test_explain_uses_up_nothing(desk: Desk) -> None:
    desk.says("allow", "--once", "deploy --now site")
    decision, (once,) = explained(desk, "deploy --now site")
    assert (decision, once["kind"], once["command"]) == ("deny", "once", "deploy --now site")
    assert (once["decision"], once["project"]) == ("pass", str(desk.project))
    assert [desk.call(DEPLOY), desk.call(DEPLOY)] == ["pass", "deny"]


def test_explain_tells_a_call_that_is_let_pass_from_another(desk: Desk) -> None:
    desk.says("allow", "--once", "deploy --now site")
    assert explained(desk, "deploy --now shop")[1][0]["decision"] is None
    shown = " ".join(desk.says("explain", "deploy --now shop").output.split())
    assert "note: `deploy --now site` may pass once in" in shown
    assert "and this is another call" in shown
    assert "But now it" not in shown


def test_explain_knows_what_no_pause_is_about(desk: Desk) -> None:
    desk.says("pause", "1h")
    protected = ("explain", "--tool", "Write", "--arg", "file_path=.rulez/rules.yaml", "--arg", "content=")
    shown = " ".join(desk.says(*protected).output.split())
    assert "DENIED by rule rulez-protects-itself" in shown
    assert "note: rules are paused everywhere, until" in shown
    assert "But now it" not in shown


def test_explain_leaves_out_what_is_let_pass_in_another_project(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    other = desk.home / "other"
    (other / ".git").mkdir(parents=True)
    monkeypatch.chdir(other)
    desk.says("pause", "1h", "--project")
    monkeypatch.chdir(desk.project)
    assert explained(desk, "deploy --now site") == ("deny", [])


# Its end, and what is broken.


@pytest.mark.parametrize(
    ("now", "ticks", "holds"),
    [(0, 0, True), (59, 59, True), (60, 60, False), (-1, 30, False), (30, -1, False), (5, 61, False), (61, 5, False)],
)
def test_neither_clock_set_back_makes_it_last_longer(now: float, ticks: float, holds: bool) -> None:
    grant = grants.Grant(kind=grants.PAUSE, root="", made=1000.0, clock=500.0, seconds=60.0)
    assert grant.holds(1000.0 + now, 500.0 + ticks) is holds


def test_what_has_ended_is_removed(desk: Desk) -> None:
    old = grants.Grant(kind=grants.PAUSE, root="", made=time.time() - 90, clock=grants.clock() - 90, seconds=60)
    grants.add(desk.places, old)
    assert desk.call(DEPLOY) == "deny"
    assert not os.path.exists(grants.directory(desk.places))


BROKEN: dict[str, Any] = {
    "no JSON": lambda path: path.write_text("{"),
    "nothing": lambda path: path.write_text(""),
    "a list": lambda path: path.write_text("[]"),
    "longer than may be": lambda path: path.write_text(path.read_text().replace('"seconds":900', '"seconds":9000000')),
    "no number": lambda path: path.write_text(path.read_text().replace('"seconds":900', '"seconds":NaN')),
    "another version": lambda path: path.write_text(path.read_text().replace('"version":1', '"version":2')),
    "another kind": lambda path: path.write_text(path.read_text().replace('"pause"', '"always"')),
    "others may write it": lambda path: path.chmod(0o666),
    "others may write the directory": lambda path: path.parent.chmod(0o777),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_file_grants_nothing_and_that_is_said(desk: Desk, how: str) -> None:
    desk.says("pause", "15m")
    (path,) = files(desk)
    before = path.read_text(), path.stat().st_mode, path.parent.stat().st_mode
    BROKEN[how](path)
    assert (path.read_text(), path.stat().st_mode, path.parent.stat().st_mode) != before
    assert desk.call(DEPLOY) == "deny"
    assert any("lets nothing pass" in note for note in desk.log[-1]["notes"])


def test_a_link_grants_nothing(desk: Desk) -> None:
    desk.says("pause", "15m")
    (path,) = files(desk)
    moved = desk.home / "moved.json"
    path.rename(moved)
    path.symlink_to(moved)
    assert desk.call(DEPLOY) == "deny"


def test_only_its_owner_reads_and_writes_it(desk: Desk) -> None:
    desk.says("pause", "15m")
    (path,) = files(desk)
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
