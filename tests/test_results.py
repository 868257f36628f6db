"""Secrets out of what a tool gave back: what is left, what each agent is answered, and what is said of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from rulez_py.event import WITHHELD, Event
from rulez_py.hook import call as hook_call
from rulez_py.hook.call import log, respond
from rulez_py.hook.values import HookCall, Options, Outcome
from rulez_py.log import results
from rulez_py.log.results import with_result
from rulez_py.platforms import PLATFORMS, adapter
from rulez_py.platforms.withholding import beside, warning
from rulez_py.verdict import Redacted, Redaction, Verdict
from tests.programs import ROOT

DATA: dict[str, Any] = YAML(typ="safe").load(Path(__file__).parent / "data" / "results.yaml")
ROWS: list[dict[str, Any]] = DATA["redacted"]
ANSWERS: dict[str, dict[str, Any]] = DATA["answers"]
SECRET, MARK = "glpat-" + "a1b2c3d4e5f6g7h8i9j0", "[redacted:gitlab-token]"
RULE = """\
version: "1.0"
settings: {essentials: false, self_protection: false}
rules:
  - name: it
    description: It has a token
    suggestion: Use its name.
    matchers: {operations: [PostToolUse, PostToolUseFailure]}
    actions: {redact: {shapes: tokens}}
"""


def filled(value: Any, replaced: dict[str, str]) -> Any:
    """The value with words in its strings replaced."""
    text = json.dumps(value)
    for old, new in replaced.items():
        text = text.replace(old, json.dumps(new)[1:-1])
    return json.loads(text)


def event(response: object, *kinds: str) -> Event:
    return Event(platform="claude", types=kinds or ("PostToolUse",), native_event="PostToolUse", tool_response=response)


def asked(mode: str = "enforce", **of: Any) -> Redaction:
    return Redaction(rule="it", mode=mode, shapes=tuple(of.get("shapes", ())), regexes=tuple(of.get("regexes", ())))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_what_is_left_of_a_result(row: dict[str, Any]) -> None:
    row = filled(row, {"{20}": "a1b2c3d4e5f6g7h8i9j0"})
    before = json.dumps(row["result"])
    verdict = with_result(Verdict(redact=(asked(**row["redact"]),)), event(row["result"]))
    assert json.dumps(row["result"]) == before
    assert verdict.redact == ()
    if "left" not in row:
        assert verdict.result is None
        return
    assert verdict.result is not None
    assert (verdict.result.value, dict(verdict.result.found)) == (row["left"], row["found"])
    assert json.dumps(verdict.result.value) == json.dumps(row["left"])


def test_a_rule_that_only_logs_or_warns_changes_nothing() -> None:
    result = {"stdout": f"T={SECRET}"}
    for mode in ("audit", "warn"):
        verdict = with_result(Verdict(redact=(asked(mode, shapes=["tokens"]),)), event(result))
        assert verdict.result is None
        assert verdict.notes == (f'rule "it" would redact 1 gitlab-token (mode: {mode})',)
        assert ("1 gitlab-token: do not use" in "".join(verdict.context)) is (mode == "warn")


@pytest.mark.parametrize(
    "result",
    ["x" * (results.LARGEST + 1), ["x"] * (results.MOST_STRINGS + 1), json.loads("[" * 300 + '"x"' + "]" * 300)],
    ids=["long", "many", "deep"],
)
def test_what_is_too_large_is_withheld_and_said(result: object) -> None:
    verdict = with_result(Verdict(redact=(asked(shapes=["tokens"]),)), event(result))
    assert verdict.result is not None
    assert verdict.result.withheld.endswith("so rulez did not look for secrets in it")
    assert verdict.notes == (f'rule "it": {verdict.result.withheld}',)
    answer = adapter("claude").answer(verdict, event(result))
    said = json.loads(answer.stdout)
    assert "withheld by rulez" in json.dumps(said["hookSpecificOutput"]["updatedToolOutput"])
    assert len(answer.stdout) < 10_000
    assert "did not look" in said["systemMessage"]
    only = with_result(Verdict(redact=(asked("audit", shapes=["tokens"]),)), event(result))
    assert (only.result, len(only.notes)) == (None, 1)


class Machine:
    """A project with the rule, and calls of the hook there."""

    def __init__(self, folder: Path, home: Path, monkeypatch: pytest.MonkeyPatch, rules: str = RULE) -> None:
        (folder / ".git").mkdir()
        monkeypatch.chdir(folder)
        self.project, self.rules = folder, home / ".config" / "rulez" / "rules.yaml"
        self.rules.parent.mkdir(parents=True, exist_ok=True)
        self.rules.write_text(rules)
        self.entries = home / ".local" / "state" / "rulez" / "audit.jsonl"

    def judge(self, platform: str, payload: dict[str, Any]) -> Outcome:
        call = HookCall(Options(platform=platform), dict(os.environ), time.monotonic())
        outcome = respond(call, json.dumps({"cwd": str(self.project), **payload}).encode())
        log(call, outcome)
        return outcome

    @property
    def entry(self) -> dict[str, Any]:
        """The log's last line."""
        found: dict[str, Any] = json.loads(self.entries.read_text().splitlines()[-1])
        return found


@pytest.fixture
def machine(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, home, monkeypatch)


def of_row(name: str, *, count: int) -> tuple[str, dict[str, Any], dict[str, str]]:
    """The platform of a row, its payload, and the words that its answers name."""
    found = Redacted(found=(("gitlab-token", count),), rules=("it",), why="It has a token. Use its name.")
    words = {"MARK": MARK, "TOLD": beside(found), "WARNED": warning(found)}
    return name.partition(",")[0], filled(ANSWERS[name]["payload"], {"SECRET": SECRET}), words


@pytest.mark.parametrize("name", ANSWERS)
def test_what_an_agent_is_answered(name: str, machine: Machine) -> None:
    row = ANSWERS[name]
    platform, payload, words = of_row(name, count=2 if name == "gemini" else 1)
    outcome = machine.judge(platform, payload)
    answer = outcome.answer
    assert json.loads(answer.stdout or "{}") == filled(row["answer"], words)
    assert answer.exit_code == row.get("exit", 0)
    assert answer.dropped == ((row["dropped"],) if "dropped" in row else ())
    assert machine.entry["redacted"] == [{"kind": "gitlab-token", "count": 2 if name == "gemini" else 1}]
    assert SECRET not in answer.stdout + answer.stderr + machine.entries.read_text()


@pytest.mark.parametrize("name", [name for name, row in ANSWERS.items() if "withheld" in row])
def test_what_fails_is_withheld(name: str, machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> Verdict:
        raise RuntimeError("a bug")

    monkeypatch.setattr(hook_call, "by_its_rules", fail)
    machine.rules.write_text(RULE.replace("{essentials", "{on_error: allow, essentials"))
    platform, payload, _ = of_row(name, count=1)
    answer = machine.judge(platform, payload).answer
    gone = "[withheld by rulez] rulez failed while it looked for secrets in this result (rule it). Tell the person."
    expected = filled(ANSWERS[name]["withheld"], {"GONE": gone})
    said = json.loads(answer.stdout)
    assert {key: value for key, value in said.items() if key != "systemMessage"} == expected
    assert SECRET not in answer.stdout + answer.stderr + machine.entries.read_text()


@pytest.mark.parametrize("name", ANSWERS)
def test_nothing_is_withheld_where_no_rule_redacts(
    name: str, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> Verdict:
        raise RuntimeError("a bug")

    machine.rules.write_text(RULE.replace("redact: {shapes: tokens}", "inject_inline: x"))
    monkeypatch.setattr(hook_call, "by_its_rules", fail)
    platform, payload, _ = of_row(name, count=1)
    assert "withheld by rulez" not in machine.judge(platform, payload).answer.stdout


def test_every_agent_has_a_row() -> None:
    assert {name.partition(",")[0] for name in ANSWERS} == set(PLATFORMS)


def test_a_denial_beside_it_leaves_the_secret_out(machine: Machine) -> None:
    block = "  - {name: no, matchers: {operations: [PostToolUse]}, actions: {block: not this}}\n"
    machine.rules.write_text(RULE + block)
    for name in ("claude", "gemini", "codex", "copilot", "opencode", "pi", "qwen"):
        platform, payload, _ = of_row(name, count=1)
        answer = machine.judge(platform, payload).answer
        assert "not this" in answer.stdout, name
        assert SECRET not in answer.stdout, name
        if name == "claude":
            assert json.loads(answer.stdout)["hookSpecificOutput"]["updatedToolOutput"]["stdout"] == f"T={MARK}"
            assert answer.exit_code == 0


def test_before_a_call_it_does_nothing(machine: Machine) -> None:
    machine.rules.write_text(RULE.replace("{operations: [PostToolUse, PostToolUseFailure]}", "{}"))
    payload = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": f"echo {SECRET}"}}
    outcome = machine.judge("claude", payload)
    assert (outcome.answer.stdout, outcome.verdict.redact, outcome.verdict.result) == ("", (), None)


def test_a_rule_that_may_hold_redacts_and_stops_no_call(machine: Machine) -> None:
    doubt = "{}\n    enabled_when: tool_input.nothing == 1"
    machine.rules.write_text(RULE.replace("{operations: [PostToolUse, PostToolUseFailure]}", doubt))
    platform, payload, _ = of_row("claude", count=1)
    assert SECRET not in machine.judge(platform, payload).answer.stdout
    before = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}
    assert machine.judge("claude", before).verdict.decision == ""


def test_where_a_text_takes_the_place_there_is_a_way_to_say_it() -> None:
    for platform in PLATFORMS:
        for spec in adapter(platform).EVENTS.values():
            assert spec.result != WITHHELD or spec.deny


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a child judges only where processes can fork")
def test_a_projects_rule_that_nobody_has_trusted_redacts(machine: Machine) -> None:
    machine.rules.unlink()
    own = machine.project / ".rulez" / "rules.yaml"
    own.parent.mkdir()
    own.write_text(RULE.partition("settings")[0] + RULE[RULE.index("rules:") :])
    platform, payload, words = of_row("claude", count=1)
    ended = subprocess.run(
        [sys.executable, "-m", "rulez_py", "hook", "--platform", platform],
        input=json.dumps({**payload, "cwd": str(machine.project)}),
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
        text=True,
        timeout=60,
    )
    assert json.loads(ended.stdout) == filled(ANSWERS["claude"]["answer"], words)
    assert machine.entry["redacted"] == [{"kind": "gitlab-token", "count": 1}]
    assert SECRET not in machine.entries.read_text()
