"""Lasting exceptions: `rulez allow --last --project`, `--this`, `--everywhere`, `--list`, `--remove`."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from rulez_py.cli import person as sitting
from rulez_py.trust import exceptions
from rulez_py.trust.exceptions import Excepted
from tests.desk import Desk
from tests.sitting import says_at_a_terminal

DATA = Path(__file__).parent / "data" / "exceptions.yaml"
CASES = {case["name"]: case for case in YAML(typ="safe").load(DATA)}
STOPPED = ("deny", "ask")
PUSH = {"command": "git push --force origin main"}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A desk whose project has no policy of its own."""
    made = Desk(tmp_path, monkeypatch)
    (made.project / ".rulez" / "rules.yaml").unlink()
    for name in (".env", ".env.test", ".env.local"):
        (made.project / name).write_text("KEY=1\n")
    return made


def judged(desk: Desk, call: dict[str, Any], *, where: Path | None = None, platform: str = "claude") -> str:
    given = {key: value for key, value in call.items() if key != "tool"}
    told = {"tool_name": call.get("tool", "Bash"), "tool_input": given}
    return desk.call(told, platform, cwd=str(where or desk.project))


def set_up(desk: Desk, case: dict[str, Any]) -> None:
    for key, path in (("user", Path(desk.places.user_policy)), ("project", desk.project / ".rulez" / "rules.yaml")):
        if key in case:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(case[key])
    if "project" in case and not case.get("untrusted"):
        assert desk.says("trust", "--yes").exit_code == 0


def kept(desk: Desk) -> list[Excepted]:
    there, problem = exceptions.read(desk.places)
    assert not problem
    return list(there)


@pytest.mark.parametrize("name", CASES)
def test_what_is_excepted_passes_and_its_siblings_do_not(desk: Desk, name: str) -> None:
    case = CASES[name]
    set_up(desk, case)
    written = {path: path.read_bytes() for path in desk.home.rglob("*.yaml")}
    assert judged(desk, case["call"]) in STOPPED
    said = desk.says("allow", *case["says"])
    assert said.exit_code == 0, said.output
    assert {json.dumps(call): judged(desk, call) for call in case["passes"]} == {
        json.dumps(call): "pass" for call in case["passes"]
    }
    assert {json.dumps(call) for call in case.get("stopped", ()) if judged(desk, call) not in STOPPED} == set()
    other = desk.home / "other"
    (other / ".git").mkdir(parents=True)
    if "elsewhere" in case:
        assert (judged(desk, case["call"], where=other) in STOPPED) == (case["elsewhere"] == "stopped")
    assert {path: path.read_bytes() for path in desk.home.rglob("*.yaml")} == written, "no file of a person's changes"
    for one in kept(desk):
        assert desk.says("allow", "--remove", str(one.number)).exit_code == 0
    assert judged(desk, case["call"]) in STOPPED


@pytest.mark.skipif(os.name == "nt", reason="POSIX terminals")
@pytest.mark.parametrize("name", CASES)
def test_a_person_says_it_at_a_terminal_to_two_agents(desk: Desk, name: str) -> None:
    """What was stopped for one agent passes for another too; what is like it does not, until it is taken back."""
    case = CASES[name]
    set_up(desk, case)
    agents = ("claude", "codex") if case["call"].get("tool", "Bash") == "Bash" else ("claude",)
    for agent in agents:
        assert judged(desk, case["call"], platform=agent) in STOPPED
    code, shown = says_at_a_terminal("", "allow", *case["says"])
    assert code == 0, shown
    for agent in agents:
        passes = {json.dumps(call): judged(desk, call, platform=agent) for call in case["passes"]}
        assert set(passes.values()) == {"pass"}, passes
        assert all(judged(desk, call, platform=agent) in STOPPED for call in case.get("stopped", ()))
    for one in kept(desk):
        assert says_at_a_terminal("", "allow", "--remove", str(one.number))[0] == 0
    assert judged(desk, case["call"], platform=agents[-1]) in STOPPED


def test_the_second_project_gets_an_exception_of_its_own(desk: Desk) -> None:
    other = desk.home / "other"
    (other / ".git").mkdir(parents=True)
    for where in (desk.project, other):
        assert judged(desk, PUSH, where=where) == "deny"
        assert desk.says("allow", "--last", "--project").exit_code == 0
        assert judged(desk, PUSH, where=where) == "pass"
    assert [(one.number, one.root) for one in kept(desk)] == [(1, str(desk.project)), (2, str(other))]


def test_what_is_excepted_already_is_not_excepted_twice(desk: Desk) -> None:
    judged(desk, PUSH)
    assert desk.says("allow", "--last", "--project").exit_code == 0
    for words in (("--project",), ("--project", "--this")):
        said = desk.says("allow", "--last", *words)
        assert (said.exit_code, said.output.startswith("exception 1: ")) == (0, True), said.output
        assert len(kept(desk)) == 1


def test_what_is_excepted_narrowly_can_be_excepted_widely(desk: Desk) -> None:
    judged(desk, PUSH)
    assert desk.says("allow", "--last", "--this").exit_code == 0
    assert judged(desk, {"command": "git push --force"}) == "deny"
    assert desk.says("explain", PUSH["command"]).exit_code == 0
    judged(desk, PUSH)
    assert desk.says("allow", "--last", "--project").exit_code == 0
    assert judged(desk, {"command": "git push --force"}) == "pass"


def test_a_call_that_nothing_stops_any_more_needs_no_exception(desk: Desk) -> None:
    judged(desk, PUSH)
    policy = Path(desk.places.user_policy)
    policy.parent.mkdir(parents=True)
    policy.write_text('version: "1.0"\ndisable: [no-force-push]\n')
    said = desk.says("allow", "--last", "--project")
    assert (said.exit_code, "no rule stops that call any more" in said.output, kept(desk)) == (1, True, [])


def test_the_list_says_what_where_until_when_by_whom_and_why(desk: Desk) -> None:
    assert desk.says("allow", "--list").output == "There are no exceptions.\n"
    judged(desk, PUSH)
    desk.says("allow", "--last", "--project", "--for", "7d", "--why", "the migration")
    (line,) = desk.says("allow", "--list").output.splitlines()
    assert line.startswith("1: `no-force-push` (builtin:essentials) only logs in ")
    assert f"in {desk.project}, until 20" in line
    assert line.endswith(": the migration")


def test_an_exception_ends(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time()
    one = Excepted(number=0, rule="no-force-push", of="builtin:essentials", made=now - 60, until=now - 1)
    exceptions.add(desk.places, [one])
    assert judged(desk, PUSH) == "deny"
    assert "(over)" in desk.says("allow", "--list").output


def test_what_would_be_stopped_all_the_same_is_left_as_it_is(desk: Desk) -> None:
    """A rule that protects rulez stops the same line: an exception from the other would be of no use."""
    judged(desk, {"command": "git push --force && rm .rulez/rules.yaml && rulez pause 1h"})
    said = desk.says("allow", "--last", "--project")
    assert (said.exit_code, "protects rulez itself" in said.output) == (1, True)
    assert kept(desk) == []


def test_a_broken_policy_is_no_rule_to_make_exceptions_from(desk: Desk) -> None:
    judged(desk, PUSH)
    (desk.project / ".rulez" / "rules.yaml").write_text("rules: [")
    said = desk.says("allow", "--last", "--project")
    assert said.exit_code == 1
    assert "it would be stopped all the same, so nothing was changed" in said.output
    assert kept(desk) == []


def test_what_the_log_does_not_keep_whole_has_no_exception_for_this_alone(desk: Desk) -> None:
    judged(desk, {"command": f"git push --force origin {'x' * 3000}"})
    said = desk.says("allow", "--last", "--this")
    assert (said.exit_code, kept(desk)) == (1, [])
    assert "cut or redacted" in said.output


def test_who_manages_the_machine_can_forbid_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    import rulez_py.system.places

    managed = desk.home / "managed.yaml"
    managed.write_text('version: "1.0"\nsettings:\n  exceptions: false\n')
    judged(desk, PUSH)
    assert desk.says("allow", "--last", "--project").exit_code == 0
    made = rulez_py.system.places.Places
    monkeypatch.setattr(
        rulez_py.system.places, "Places", lambda **told: made(**{**told, "managed_policy": str(managed)})
    )
    said = desk.says("allow", "--last", "--project")
    assert (said.exit_code, "forbids it" in said.output) == (1, True)
    explained = json.loads(desk.says("explain", "--json", PUSH["command"]).output)
    assert (explained["verdict"]["decision"], explained["exceptions"]) == ("deny", [])


@pytest.mark.parametrize("words", [("--last", "--project"), ("--last", "--this"), ("--remove", "1")])
def test_nobody_but_a_person_makes_or_ends_one(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    judged(desk, PUSH)
    assert desk.says("allow", "--last", "--project").exit_code == 0
    monkeypatch.setattr(sitting, "why_no_person", lambda: "this needs a person at a terminal")
    assert desk.says("allow", *words).exit_code == 1
    assert len(kept(desk)) == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "say which call"),
        (("--last", "--list"), "say which call"),
        (("--project",), "say which call"),
        (("--once", "ls", "--project"), "go with --last"),
        (("--once", "ls", "--this"), "go with --last"),
        (("--last", "--project", "--everywhere"), "two places"),
        (("--last", "--for", "2h"), "1h at most"),
        (("--last", "--this", "--for", "400d"), "too long"),
        (("--remove", "0"), "0"),
    ],
)
def test_what_is_asked_for_has_to_make_sense(desk: Desk, words: tuple[str, ...], why: str) -> None:
    said = desk.says("allow", *words)
    assert (said.exit_code, why in said.output) == (2, True), said.output


def test_an_exception_that_is_not_there_cannot_be_taken_back(desk: Desk) -> None:
    said = desk.says("allow", "--remove", "7")
    assert (said.exit_code, "no exception 7" in said.output) == (1, True)


# An agent.


@pytest.mark.parametrize(
    "call",
    [
        {"tool": "Write", "file_path": "{}", "content": "{}"},
        {"tool": "Edit", "file_path": "{}", "old_string": "a", "new_string": "b"},
        {"command": "cp x {}"},
        {"command": "rulez allow --last --project"},
        {"command": "rulez allow --remove 1"},
    ],
)
def test_no_agent_writes_one(desk: Desk, call: dict[str, str]) -> None:
    path = exceptions.path_of(desk.places)
    spelled = {key: value.replace("{}", path) if key != "content" else value for key, value in call.items()}
    assert judged(desk, spelled) == "deny"


@pytest.mark.parametrize("platform", ["claude", "gemini", "codex", "opencode", "copilot"])
def test_an_exception_is_for_every_agent(desk: Desk, platform: str) -> None:
    judged(desk, PUSH)
    assert desk.says("allow", "--last", "--project").exit_code == 0
    explained = [
        json.loads(desk.says("explain", "--json", "--platform", platform, PUSH["command"]).output)["verdict"][
            "decision"
        ]
    ]
    assert explained == ["pass"]


# What is broken excepts nothing.

BROKEN: dict[str, Any] = {
    "no JSON": lambda path: path.write_text("{"),
    "nothing": lambda path: path.write_text(""),
    "a list": lambda path: path.write_text("[]"),
    "another version": lambda path: path.write_text(path.read_text().replace('"version":1', '"version":2')),
    "a rule that is none": lambda path: path.write_text(path.read_text().replace('"rule":"', '"rule":1,"x":"')),
    "others may write it": lambda path: path.chmod(0o666),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_file_excepts_nothing_and_that_is_said(desk: Desk, how: str) -> None:
    judged(desk, PUSH)
    desk.says("allow", "--last", "--project")
    path = Path(exceptions.path_of(desk.places))
    BROKEN[how](path)
    assert judged(desk, PUSH) == "deny"
    assert any("excepts nothing" in note for note in desk.log[-1]["notes"])
    said = desk.says("allow", "--last", "--project")
    assert (said.exit_code, "excepts nothing" in said.output) == (1, True)
    assert "excepts nothing" in desk.says("status").output


def test_a_matcher_that_nobody_knows_excepts_nothing(desk: Desk) -> None:
    one = Excepted(number=0, rule="no-force-push", of="builtin:essentials", only={"weather": "rain"}, made=1.0)
    exceptions.add(desk.places, [one])
    assert judged(desk, PUSH) == "deny"


def test_only_its_owner_reads_and_writes_it(desk: Desk) -> None:
    judged(desk, PUSH)
    desk.says("allow", "--last", "--project")
    assert os.stat(exceptions.path_of(desk.places)).st_mode & 0o777 == 0o600


# What is told of it.


def test_the_log_says_what_passed_because_of_it(desk: Desk) -> None:
    judged(desk, PUSH)
    desk.says("allow", "--last", "--project")
    judged(desk, PUSH)
    entry = desk.log[-1]
    assert (entry["verdict"], entry["let_pass"]) == ("pass", "exception 1")
    assert [(hit["rule"], hit["mode"], hit["would"]) for hit in entry["rules"]] == [("no-force-push", "audit", "deny")]
    judged(desk, {"command": "ls"})
    assert desk.log[-1]["let_pass"] is None


def test_explain_names_the_exception(desk: Desk) -> None:
    judged(desk, PUSH)
    desk.says("allow", "--last", "--project")
    shown = " ".join(desk.says("explain", PUSH["command"]).output.split())
    assert "PASSES" in shown
    assert "note: by exception 1: `no-force-push` (builtin:essentials) only logs in" in shown
    (one,) = json.loads(desk.says("explain", "--json", PUSH["command"]).output)["exceptions"]
    assert (one["number"], one["rule"], one["project"]) == (1, "no-force-push", str(desk.project))


def test_status_and_doctor_list_it(desk: Desk) -> None:
    judged(desk, PUSH)
    desk.says("allow", "--last", "--project")
    for command in ("status", "doctor"):
        assert "exception 1: `no-force-push`" in " ".join(desk.says(command).output.split())


def test_the_log_the_summary_and_the_report_show_exceptions_pauses_and_what_passed(desk: Desk) -> None:
    judged(desk, PUSH)
    desk.says("allow", "--last", "--project", "--why", "the migration")
    judged(desk, PUSH)
    desk.says("pause", "15m")
    judged(desk, {"command": "git reset --hard HEAD~1"})
    shown = desk.says("log").output
    assert "a person made exception 1: `no-force-push`" in shown
    assert "the migration" in shown
    assert "(let pass by exception 1)" in shown
    assert "a person paused the rules everywhere" in shown
    assert "(let pass by pause)" in shown
    assert "(only logs: no-hard-reset would deny)" in shown
    summary = json.loads(desk.says("log", "--summary", "--json").output)
    assert summary["let_pass"] == [{"by": "exception 1", "calls": 1}, {"by": "pause", "calls": 1}]
    assert summary["would"] == [
        {"rule": "no-force-push", "would": "deny", "calls": 1},
        {"rule": "no-hard-reset", "would": "deny", "calls": 1},
    ]
    assert [one["what"].partition(" ")[2][:15] for one in summary["person"]] == ["person made exc", "person paused t"]
    text = desk.says("log", "--summary").output
    for part in ("Rules that only log", "Passed by a person's word", "What a person did"):
        assert part in text
    page = desk.home / "report.html"
    assert desk.says("report", "--html", str(page)).exit_code == 0
    assert "exception 1" in page.read_text()


def test_shadow_mode_can_be_read(desk: Desk) -> None:
    """Every rule only logs: the summary says what each would have done."""
    policy = Path(desk.places.user_policy)
    policy.parent.mkdir(parents=True)
    policy.write_text('version: "1.0"\nextends: [builtin:git]\noverrides:\n  "*": {action: log}\n')
    assert [judged(desk, PUSH), judged(desk, {"command": "git branch -D x"})] == ["pass", "pass"]
    would = json.loads(desk.says("log", "--summary", "--json").output)["would"]
    assert {"rule": "no-force-push", "would": "deny", "calls": 1} in would
    assert {one["would"] for one in would} == {"deny", "ask"}
    assert "more calls would be stopped: " in desk.says("log", "--summary").output
    assert json.loads(desk.says("log", "--summary", "--json").output)["let_pass"] == []
