"""A call that goes through under `checkpoint: true`, and `rulez undo` after it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from rulez_py.cli import person as sitting
from rulez_py.system.checkpoints import records
from tests.desk import Desk

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

POLICY = """\
version: "1.0"
settings: {checkpoints: {max_mb: 1}}
rules:
  - name: keep
    matchers: {loses: [uncommitted, untracked, files]}
    actions: {checkpoint: "work would be gone"}
"""


class Work(Desk):
    """The desk, with a repository that has a change and a new file."""

    def __init__(self, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(directory, monkeypatch)
        shutil.rmtree(self.project / ".git")
        shutil.rmtree(self.project / ".rulez")
        (self.home / ".config/rulez").mkdir(parents=True)
        self.policy = self.home / ".config/rulez/rules.yaml"
        self.policy.write_text(POLICY)
        self.git("init", "-q", "-b", "main")
        (self.project / "a").write_text("committed\n")
        self.git("add", "-A")
        self.git("-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", "x")
        (self.project / "a").write_text("changed\n")
        (self.project / "new").write_text("new\n")

    def git(self, *words: str) -> None:
        environ = {"HOME": str(self.home), "PATH": os.environ["PATH"]}
        subprocess.run(["git", *words], cwd=self.project, env=environ, check=True, stdin=subprocess.DEVNULL)

    def runs(self, command: str) -> str:
        return self.call({"tool_name": "Bash", "tool_input": {"command": command}})

    @property
    def checkpoints(self) -> tuple[records.Checkpoint, ...]:
        return records.read_all(self.places.state)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Work:
    return Work(tmp_path, monkeypatch)


def test_a_call_goes_through_and_comes_back(desk: Work) -> None:
    assert desk.runs("git checkout -- .") == "pass"
    kept = desk.checkpoints[-1]
    said = [note for note in desk.log[-1]["notes"] if "rulez kept 1 file" in note]
    assert said and f"rulez undo --id {kept.id}" in said[0]
    assert (kept.agent, kept.session, kept.project) == ("claude", "s", str(desk.project))
    (logged,) = desk.log[-1]["checkpoints"]
    until = logged.pop("until")
    assert logged == {"id": kept.id, "rule": "keep", "what": "1 file", "names": ["a"], "count": 1}
    assert until[:10] == time.strftime("%Y-%m-%d", time.gmtime(kept.until))
    clause = f"kept 1 file: a; `rulez undo --id {kept.id}` gives it back"
    for words in ("log",), ("explain", "--last"):
        assert clause in " ".join(desk.says(*words).output.split())
    desk.git("checkout", "--", ".")
    done = desk.says("undo")
    assert done.exit_code == 0, done.output
    assert (desk.project / "a").read_text() == "changed\n"
    assert "checkpoint" in desk.log[-1]["notes"][0]


def test_what_loses_nothing_keeps_nothing(desk: Work) -> None:
    assert desk.runs("git status && ls") == "pass"
    assert not desk.checkpoints


ASKED: dict[str, Any] = {
    "it is too much": lambda desk: (desk.project / "new").write_bytes(os.urandom(1_100_000)),
    "it is not known": "git --git-dir=x clean -fd",
    "history goes": "rm -rf .git new",
}


@pytest.mark.parametrize("why", ASKED)
def test_where_it_cannot_be_kept_it_asks(desk: Work, why: str) -> None:
    line = ASKED[why]
    if not isinstance(line, str):
        line(desk)
        line = "git clean -fd"
    assert desk.runs(line) == "ask"
    assert "work would be gone" in desk.log[-1]["reason"]
    assert not desk.checkpoints


LOST: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).parent / "data/lost.yaml")


@pytest.mark.parametrize("case", LOST, ids=lambda case: case["id"])
def test_a_rule_is_about_what_its_parts_lose(desk: Work, case: dict[str, Any]) -> None:
    if "make" in case:
        (desk.project / case["make"]).write_text("x")
    rule = {"name": "r", "matchers": case["matchers"], "actions": {"ask": "x"}}
    desk.policy.write_text(json.dumps({"version": "1.0", "rules": [rule]}))
    assert desk.runs(case["line"]) == "ask"
    assert f": x; {case['says']}. [" in desk.log[-1]["reason"]
    desk.policy.write_text(json.dumps({"version": "1.0", "rules": [{**rule, "actions": {"checkpoint": True}}]}))
    assert desk.runs(case["line"]) == "pass", desk.log[-1]["reason"]
    (kept,) = desk.checkpoints
    found = {os.path.relpath(file.path, desk.project) for file in kept.files if not file.in_index}
    assert found == {*case["keeps"]}


INSTEAD: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).parent / "data/kept_instead.yaml")


@pytest.mark.parametrize("case", INSTEAD, ids=lambda case: case["id"])
def test_rules_of_sets_keep_instead(desk: Work, case: dict[str, Any]) -> None:
    desk.policy.write_text(json.dumps({"version": "1.0", **case.get("user", {})}))
    if "project" in case:
        (desk.project / ".rulez").mkdir()
        (desk.project / ".rulez/rules.yaml").write_text(json.dumps({"version": "1.0", **case["project"]}))
    if case.get("trusted"):
        assert desk.says("trust", "--yes").exit_code == 0
    said = case.get("says", "")
    if case["decision"] == "pass" and said:
        assert said in " ".join(desk.says("explain", case["line"]).output.split())
    assert desk.runs(case["line"]) == case["decision"], desk.log[-1]["reason"]
    if case["decision"] != "pass":
        assert said in desk.log[-1]["reason"]
    found = {os.path.relpath(file.path, desk.project) for kept in desk.checkpoints for file in kept.files}
    assert found == {*case.get("keeps", ())}


def test_a_denied_call_and_one_that_is_only_warned_of_keep_nothing(desk: Work) -> None:
    desk.policy.write_text(POLICY.replace("    actions:", "    mode: warn\n    actions:"))
    assert desk.runs("git checkout .") == "pass"
    assert not desk.checkpoints
    desk.policy.write_text(
        f"{POLICY}  - {{name: no, matchers: {{command: {{program: git}}}}, actions: {{block: true}}}}\n"
    )
    assert desk.runs("git checkout .") == "deny"
    assert not desk.checkpoints


def test_a_policy_that_nobody_has_trusted_asks(desk: Work) -> None:
    desk.policy.write_text('version: "1.0"\n')
    (desk.project / ".rulez").mkdir()
    (desk.project / ".rulez/rules.yaml").write_text(POLICY)
    assert desk.runs("git checkout .") == "ask"
    assert not desk.checkpoints


def test_explaining_a_call_keeps_nothing(desk: Work) -> None:
    done = desk.says("explain", "git checkout .")
    assert "would keep" in done.output, done.output
    assert not desk.checkpoints


def test_newer_work_is_left_and_that_is_said_loudly(desk: Work) -> None:
    desk.runs("git checkout .")
    desk.git("checkout", ".")
    (desk.project / "a").write_text("newer\n")
    done = desk.says("undo", "a")
    assert (done.exit_code, "ATTENTION" in done.output) == (0, True), done.output
    assert (desk.project / "a").read_text() == "newer\n"
    assert (desk.project / "a.rulez-undo").read_text() == "changed\n"


def test_it_lists_compares_and_tries(desk: Work) -> None:
    assert "no checkpoints" in desk.says("undo", "--list").output
    desk.runs("git checkout .")
    desk.runs("rm new")
    desk.git("checkout", ".")
    listed = desk.says("undo", "--list").output
    assert [one.id for one in desk.checkpoints[::-1]] == [line.split()[0] for line in listed.splitlines()[::2]]
    assert "git checkout ." in listed and "claude" in listed and "1 file" in listed
    first = desk.checkpoints[0].id
    assert "+changed" in desk.says("undo", "--diff", "--id", first).output
    assert "would be given back" in desk.says("undo", "--dry-run", "a").output
    assert (desk.project / "a").read_text() == "committed\n"
    assert "given back" in desk.says("undo", "--since", "1h").output
    assert (desk.project / "a").read_text() == "changed\n"
    assert desk.says("undo", "--id", "none").exit_code == 1
    assert desk.says("undo", "nothing-of-this-name").exit_code == 1


def test_what_several_rules_kept_of_one_call_comes_back_together(desk: Work) -> None:
    rules = [
        {"name": kind, "matchers": {"loses": kind}, "actions": {"checkpoint": True}}
        for kind in ("uncommitted", "untracked")
    ]
    desk.policy.write_text(json.dumps({"version": "1.0", "rules": rules}))
    desk.runs("git stash drop; rm -f a")  # another call before
    desk.runs("rm a new")
    assert len(desk.checkpoints) == 3
    for name in ("a", "new"):
        (desk.project / name).unlink()
    assert desk.says("undo").exit_code == 0
    assert [(desk.project / name).read_text() for name in ("a", "new")] == ["changed\n", "new\n"]
    done = desk.says("undo", "--dry-run").output
    assert desk.checkpoints[0].id not in done and all(one.id in done for one in desk.checkpoints[1:])


def test_giving_back_needs_a_person(desk: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.runs("git checkout .")
    desk.git("checkout", ".")
    monkeypatch.setattr(sitting, "why_no_person", lambda: "this needs a person at a terminal")
    assert desk.says("undo").exit_code == 1
    assert (desk.project / "a").read_text() == "committed\n"
    for words in ("--list",), ("--diff",), ("--dry-run",):
        assert desk.says("undo", *words).exit_code == 0


def test_old_checkpoints_go_after_a_later_call(desk: Work) -> None:
    desk.policy.write_text(POLICY.replace("max_mb: 1", "max_mb: 1, keep_days: 0.000001"))
    desk.runs("git checkout .")
    swept = Path(records.directory(desk.places.state)) / "swept"
    for _ in range(2):
        swept.unlink(missing_ok=True)
        desk.runs("ls")
        for _ in range(600):
            if swept.exists():
                break
            time.sleep(0.05)
    assert swept.exists() and not desk.checkpoints
    assert not records.is_due(desk.places.state, time.time())
    assert records.is_due(desk.places.state, time.time() + 2 * 24 * 3600)
