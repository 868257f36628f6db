"""What RuleZ does, case by case (behaviours.yaml), through a whole hook call: bytes in, the agent's answer out.

A behaviour has a `number`, a `title` and `cases`; every other key of it holds for all its cases, unless a case says
otherwise. `{project}`, `{elsewhere}`, `{home}` and `{large}` (a megabyte of text) are filled in everywhere.

What is there: `policy` (the project's .claude/hooks.yaml), `files` and `scripts` (executable) in the project,
`home_files`, `links` (link: target), `trust` (a person has trusted the policy file), `env`, `process_directory`.

What the agent sends: `bash` (a command or several), `prompt`, `event` (laid over a session, a PreToolUse and the
project's directory), `payload` (as it is) or `stdin` (not even JSON); `platform`, claude unless it says otherwise;
`process` runs the case as a program of its own.

What comes of it, in `expect`: `outcome`, one of OUTCOMES, alone or with

- of the answer: `exit`, `stdout` (exact text, or a part of its JSON), `stdout_without` (keys), `stderr` (parts),
  `reason` and `reason_without` (parts of the reason the agent reads), `context` and `context_without` (parts of the
  text its model reads), `dropped` (parts of what it could not be told);
- of the verdict: `fired` (all rules that matched, in order), `failed`, `notes` (parts), `verdict_context` (parts);
- of the event: `sees` (`type`, `types` among others, `tool_name`, part of `tool_input`, `tool_input_without`);
- of the log: `logged` (`rules` and `modes`); of the project: `not_made` (files); of the policy file: `valid: false`
  where `rulez validate` refuses it too, for the same reasons.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from ruamel.yaml import YAML

from rulez_py.cli.validate import validate
from rulez_py.hook.call import log, respond
from rulez_py.hook.values import HookCall, Options, Outcome
from rulez_py.policy.store.load import load
from rulez_py.system.places import places
from rulez_py.trust import digest, scripts_of, trust
from rulez_py.verdict import Answer, Verdict
from tests.platforms import PLATFORMS
from tests.programs import ROOT, SOURCE_COMMAND, run_hook

BEHAVIOURS = 107
MIGRATION = ROOT / "docs" / "migration.md"

OUTCOMES = {
    "open": "the call goes on, and the answer is neutral but for the context or stdout the case names",
    "told": "the call goes on, and somebody is told something",
    "blocked": "the call is denied, and the agent reads why",
}
SCENERY = {"policy", "files", "scripts", "home_files", "links", "trust", "env", "process_directory"}
SENT = {"bash", "prompt", "event", "payload", "stdin", "platform", "process"}
PARTS = {"reason", "reason_without", "context", "context_without", "dropped", "stderr"}
ANSWER = {"exit", "stdout", "stdout_without", *PARTS}
VERDICT = {"fired", "failed", "notes", "verdict_context"}
EXPECTED = {"outcome", "sees", "logged", "not_made", "valid", *ANSWER, *VERDICT}
SEEN = {"type", "types", "tool_name", "tool_input", "tool_input_without"}

Behaviour = dict[str, Any]
Case = dict[str, Any]


def _only(mapping: dict[str, Any], known: set[str], where: str) -> dict[str, Any]:
    assert not mapping.keys() - known, f"{where}: unknown keys {sorted(mapping.keys() - known)}"
    return mapping


def _behaviours() -> list[Behaviour]:
    text = (Path(__file__).parent / "behaviours.yaml").read_text(encoding="utf-8")
    behaviours: list[Behaviour] = YAML(typ="safe").load(text)["behaviours"]
    return behaviours


def _cases(behaviours: list[Behaviour]) -> Iterator[Case]:
    for behaviour in behaviours:
        number = behaviour["number"]
        shared = {key: value for key, value in behaviour.items() if key not in ("number", "title", "cases")}
        _only(shared, {*SCENERY, "platform"}, f"behaviour {number}")
        assert behaviour["cases"], f"behaviour {number} has no case"
        for position, own in enumerate(behaviour["cases"], 1):
            where = f"behaviour {number}, case {position}"
            _only(own, {"title", "differs", "expect", *SCENERY, *SENT}, where)
            expect = own["expect"] if isinstance(own["expect"], dict) else {"outcome": own["expect"]}
            _only(expect, EXPECTED, where)
            _only(expect.get("sees", {}), SEEN, where)
            assert expect["outcome"] in OUTCOMES, where
            commands = own["bash"] if isinstance(own.get("bash"), list) else [own.get("bash")]
            for command in commands:
                title = own.get("title") or (command if len(commands) > 1 else behaviour["title"])
                case = {"platform": "claude", **shared, **own, "bash": command, "expect": expect}
                yield {**case, "id": f"{number}.{position} {title}"}


BEHAVIOUR_LIST = _behaviours()
CASES = list(_cases(BEHAVIOUR_LIST))


@dataclass(frozen=True)
class Scene:
    """The machine a case happens on."""

    project: Path
    elsewhere: Path
    home: Path
    environ: dict[str, str]

    @property
    def policy(self) -> Path:
        """The project's policy file, in RuleZ's place."""
        return self.project / ".claude" / "hooks.yaml"

    def filled(self, value: Any) -> Any:
        """The value with its placeholders filled in."""
        if isinstance(value, str):
            for name in ("project", "elsewhere", "home"):
                value = value.replace(f"{{{name}}}", str(getattr(self, name)))
            return value.replace("{large}", "x" * 1_000_000)
        if isinstance(value, dict):
            return {self.filled(key): self.filled(item) for key, item in value.items()}
        return [self.filled(item) for item in value] if isinstance(value, list) else value


@dataclass(frozen=True)
class Judged:
    """What came of a case; all but the answer is None where it ran as a program of its own."""

    answer: Answer
    verdict: Verdict | None = None
    call: HookCall | None = None

    @property
    def said(self) -> dict[str, Any]:
        """The answer's JSON object, {} where nothing is printed."""
        said = json.loads(self.answer.stdout) if self.answer.stdout else {}
        assert isinstance(said, dict)
        return said

    def words(self, *keys: str) -> list[Any]:
        """What the answer says under any of these keys, at the top, in hookSpecificOutput or in its decision."""
        specific = self.said.get("hookSpecificOutput", {})
        decision = specific.get("decision")
        levels = [self.said, specific, decision if isinstance(decision, dict) else {}]
        return [level[key] for level in levels for key in keys if key in level]

    @property
    def denied(self) -> bool:
        """Whether the agent would stop."""
        words = self.words("permissionDecision", "decision", "behavior")
        return self.answer.exit_code == 2 or "deny" in words or "block" in words or self.said.get("continue") is False

    @property
    def reason(self) -> str:
        """Why, as the agent reads it."""
        told = [*self.words("permissionDecisionReason", "message", "reason"), self.answer.stderr]
        return str(told[0])

    @property
    def context(self) -> str:
        """The text the model reads."""
        return str([*self.words("additionalContext", "context"), ""][0])


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    for name in ("project/.git", "elsewhere", "home", "tmp"):
        (tmp_path / name).mkdir(parents=True)
    environ = {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"], "TMPDIR": str(tmp_path / "tmp")}
    return Scene(tmp_path / "project", tmp_path / "elsewhere", tmp_path / "home", environ)


def prepare(case: Case, scene: Scene) -> None:
    """Write the case's files, and trust its policy where a person has."""
    written = [
        *((scene.project / name, text, 0o644) for name, text in case.get("files", {}).items()),
        *((scene.project / name, text, 0o755) for name, text in case.get("scripts", {}).items()),
        *((scene.home / name, text, 0o644) for name, text in case.get("home_files", {}).items()),
    ]
    if "policy" in case:
        written.append((scene.policy, case["policy"], 0o644))
    for path, text, mode in written:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(mode)
    for link, target in case.get("links", {}).items():
        Path(link).symlink_to(target)
    if case.get("trust"):
        scripts = scripts_of(YAML(typ="safe").load(case["policy"]), str(scene.project))
        mine = digest(str(scene.policy), scene.policy.read_bytes(), scripts)
        trust(places(scene.environ), str(scene.policy), mine, time.time())


def sent(case: Case, scene: Scene) -> bytes:
    """What the agent writes to the hook's stdin."""
    if "stdin" in case:
        return str(case["stdin"]).encode()
    if "payload" in case:
        return json.dumps(case["payload"]).encode()
    usual = {"session_id": "s", "hook_event_name": "PreToolUse", "cwd": str(scene.project)}
    if "prompt" in case:
        own = {"hook_event_name": "UserPromptSubmit", "prompt": case["prompt"]}
    elif case["bash"] is not None:
        own = {"tool_name": "Bash", "tool_input": {"command": case["bash"]}}
    else:
        own = case["event"]
    return json.dumps({**usual, **own}).encode()


def judge(case: Case, scene: Scene, monkeypatch: pytest.MonkeyPatch) -> Judged:
    """Carry out the case."""
    environ = {**scene.environ, **case.get("env", {})}
    directory = Path(case.get("process_directory", scene.project))
    data = sent(case, scene)
    if case.get("process"):
        for name in os.environ.keys() - environ.keys():
            monkeypatch.delenv(name)
        for name, value in environ.items():
            monkeypatch.setenv(name, value)
        ended = run_hook(SOURCE_COMMAND, case["platform"], data, directory)
        return Judged(Answer(stdout=ended.stdout, stderr=ended.stderr, exit_code=ended.returncode))
    monkeypatch.chdir(directory)
    call = HookCall(Options(platform=case["platform"]), environ, time.monotonic())
    outcome = respond(call, data)
    return Judged(outcome.answer, outcome.verdict, call)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_behaviour(case: Case, scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    case = scene.filled(case)
    prepare(case, scene)
    judged = judge(case, scene, monkeypatch)
    expect = case["expect"]
    check_outcome(expect, judged, case["platform"])
    check_answer(expect, judged)
    assert not [name for name in expect.get("not_made", []) if (scene.project / name).exists()]
    if judged.call is None or judged.verdict is None:
        assert not expect.keys() & {"sees", "logged", *VERDICT}, "a program of its own shows only its answer"
        return
    check_verdict(expect, judged.verdict)
    check_event(expect.get("sees", {}), judged.call)
    if "logged" in expect:
        log(judged.call, Outcome(verdict=judged.verdict, answer=judged.answer))
        check_log(expect["logged"], scene)
    if "valid" in expect:
        refused = CliRunner().invoke(validate, [str(scene.policy)])
        assert refused.exit_code == 1
        every([*expect.get("reason", []), *expect.get("stderr", [])], refused.output)


def check_outcome(expect: dict[str, Any], judged: Judged, platform: str) -> None:
    answer = judged.answer
    decision = judged.verdict.decision if judged.verdict is not None else None
    if expect["outcome"] == "blocked":
        assert judged.denied, judged
        assert decision in ("deny", None)
        assert answer.exit_code == expect.get("exit", PLATFORMS[platform].exit_of_a_deny)
        assert "Blocked" in judged.reason
        return
    assert not judged.denied, judged
    assert answer.exit_code == 0
    assert answer.stderr == ""
    assert "allow" not in judged.words("permissionDecision", "decision", "behavior"), "nobody may be talked past"
    if expect["outcome"] == "open":
        assert decision == ""
        if not expect.keys() & {"context", "stdout"}:
            assert answer.stdout == PLATFORMS[platform].neutral
    else:
        assert answer.stdout != PLATFORMS[platform].neutral


def check_answer(expect: dict[str, Any], judged: Judged) -> None:
    answer = judged.answer
    assert answer.exit_code == expect.get("exit", answer.exit_code)
    wanted = expect.get("stdout", {})
    if isinstance(wanted, str):
        assert answer.stdout == wanted
    else:
        assert common_part(wanted, judged.said) == wanted
    assert not judged.said.keys() & set(expect.get("stdout_without", []))
    every(expect.get("stderr", []), answer.stderr)
    every(expect.get("reason", []), judged.reason)
    none(expect.get("reason_without", []), judged.reason)
    every(expect.get("context", []), judged.context)
    none(expect.get("context_without", []), judged.context)
    every(expect.get("dropped", []), "\n".join(answer.dropped))


def check_verdict(expect: dict[str, Any], verdict: Verdict) -> None:
    assert verdict.failed is expect.get("failed", False), verdict.reason
    names = [hit.rule for hit in verdict.hits]
    assert names == expect.get("fired", names)
    every(expect.get("notes", []), "\n".join(verdict.notes))
    every(expect.get("verdict_context", []), "\n\n".join(verdict.context))


def check_event(sees: dict[str, Any], call: HookCall) -> None:
    if not sees:
        return
    event = call.known.event
    assert event is not None
    assert event.type == sees.get("type", event.type)
    assert set(sees.get("types", [])) <= set(event.types)
    assert event.tool_name == sees.get("tool_name", event.tool_name)
    wanted = sees.get("tool_input", {})
    assert common_part(wanted, dict(event.tool_input)) == wanted
    assert not event.tool_input.keys() & set(sees.get("tool_input_without", []))


def check_log(logged: dict[str, list[str]], scene: Scene) -> None:
    path = Path(places(scene.environ).state) / "audit.jsonl"
    [line] = path.read_text(encoding="utf-8").splitlines()
    rules = json.loads(line)["rules"]
    assert [hit["rule"] for hit in rules] == logged.get("rules", [hit["rule"] for hit in rules])
    assert [hit["mode"] for hit in rules] == logged.get("modes", [hit["mode"] for hit in rules])


def common_part(wanted: Any, found: Any) -> Any:
    """What of `wanted` is in `found`: keys of objects, at any depth."""
    if not isinstance(wanted, dict) or not isinstance(found, dict):
        return found
    return {key: common_part(value, found[key]) for key, value in wanted.items() if key in found}


def every(parts: list[str], text: str) -> None:
    missing = [part for part in parts if part not in text]
    assert not missing, f"not in {text!r}: {missing}"


def none(parts: list[str], text: str) -> None:
    present = [part for part in parts if part in text]
    assert not present, f"in {text!r}: {present}"


def test_every_behaviour_is_there_once_and_in_order() -> None:
    assert [behaviour["number"] for behaviour in BEHAVIOUR_LIST] == list(range(1, BEHAVIOURS + 1))


def differences() -> list[tuple[str, str]]:
    """Each deliberate difference: the letter of its section in the migration page, and the reason."""
    named = [case["differs"].partition(": ") for case in CASES if "differs" in case]
    return [(letter, reason) for letter, _, reason in named]


def test_every_difference_has_a_section_of_the_migration_page_and_a_reason() -> None:
    sections = re.findall(r"^## ([a-z])\. \S", MIGRATION.read_text(encoding="utf-8"), re.MULTILINE)
    assert sections == sorted(set(sections))
    for letter, reason in differences():
        assert letter in sections, f"docs/migration.md has no section {letter}"
        assert reason


def test_every_policy_of_the_migration_page_can_be_used(scene: Scene) -> None:
    page = MIGRATION.read_text(encoding="utf-8")
    policies = re.findall(r"^```yaml\n(# rulez\b.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(policies) >= 5
    for text in policies:
        path = scene.project / "page.yaml"
        path.write_text(f'version: "1.0"\n{text}', encoding="utf-8")
        policy = load(
            places(scene.environ), str(scene.project), rules_file=str(path), trusted=lambda _path, _digest: False
        )
        assert not policy.problems, text
