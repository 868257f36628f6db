"""`rulez_py.Policy`: the policy asked in the process of a Python program."""

from __future__ import annotations

import asyncio
import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rulez_py
from rulez_py import Call, Decision, InvalidPolicy, Policy, Prompt
from tests.programs import ROOT


def bash(command: object) -> dict[str, Any]:
    return {"tool_name": "Bash", "tool_input": {"command": command}}


@pytest.mark.parametrize(
    ("event", "decision", "rule"),
    [
        (bash("git status"), "", None),
        (bash("git push --force"), "deny", "no-force-push"),
        (bash("deploy now"), "deny", "no-deploy"),
        (bash("mail x"), "ask", "ask-before-mail"),
        ({"tool_name": "run_shell", "tool_input": {"command": "deploy"}}, "deny", "no-deploy"),
        ({"tool_name": "Read", "tool_input": {"file_path": Path("notes.md")}}, "", None),
        ({"tool_name": "mcp__x__y", "tool_input": {"command": ("git", "push", "--force")}}, "deny", "no-force-push"),
        ({"hook_event_name": "UserPromptSubmit", "prompt": "hello"}, "", None),
    ],
)
def test_a_call_is_judged_as_a_hook_judges_it(policy: Policy, event: Any, decision: str, rule: str | None) -> None:
    found = policy.decide(event)
    assert (found.decision, found.rule, found.failed) == (decision, rule, False)
    assert (found.denied, found.asks, found.passes) == (decision == "deny", decision == "ask", decision == "")
    assert bool(found.reason) is bool(decision)


@pytest.mark.parametrize("command", ["git status", "git push --force", "mail x"])
def test_a_decision_is_neither_true_nor_false(policy: Policy, command: str) -> None:
    """`if policy.decide(call): run(call)` would run what is denied."""
    with pytest.raises(TypeError, match="`passes`, `denied` or `asks`"):
        bool(policy.decide(bash(command)))


def test_what_is_rewritten_comes_under_the_tools_own_names(policy: Policy) -> None:
    found = policy.decide({"tool_name": "run_shell", "tool_input": {"cmd": "release", "timeout": 5}})
    assert (found.decision, found.tool_input) == ("", {"cmd": "release --dry-run", "timeout": 5})


@pytest.mark.parametrize(
    ("response", "left"),
    [("a k-1", "a [redacted:ids]"), ({"rows": ["k-1", 2]}, {"rows": ["[redacted:ids]", 2]}), ("a", None)],
)
def test_what_a_tool_gave_back_comes_redacted(policy: Policy, response: object, left: object) -> None:
    found = policy.decide({**bash("cat a"), "hook_event_name": "PostToolUse", "tool_response": response})
    assert (found.decision, found.result) == ("", left)


def test_context_for_the_model_is_handed_on(policy: Policy) -> None:
    found = policy.decide({"tool_name": "Write", "tool_input": {"file_path": "a.txt", "content": "x"}})
    assert (found.decision, found.context) == ("", ("Lines end at 80.",))


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({}, "`tool_name` and `tool_input`"),
        ({"tool_input": {"command": "ls"}}, "`tool_name` and `tool_input`"),
        ({"tool_name": 3, "tool_input": {}}, "tool_name"),
        ({"tool_name": "Bash", "tool_input": {"command": object()}}, "no JSON value"),
        ({"tool_name": "Bash", "tool_input": {"command": float("nan")}}, "JSON"),
        ({"tool_name": "Bash", "tool_input": {"command": "ls \ud800"}}, "JSON"),
        ({"tool_name": "Bash", "input": {"command": "ls"}}, "`tool_name` and `tool_input`"),
    ],
)
def test_what_cannot_be_judged_is_denied(policy: Policy, event: Any, said: str) -> None:
    found = policy.decide(event)
    assert (found.decision, found.failed) == ("deny", True)
    assert said in found.reason
    assert "check what is handed to `decide`" in found.reason and "hook" not in found.reason


def test_a_bug_denies_and_raises_nothing(policy: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_arguments: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("rulez_py.policy.judging.decide.decide", fails)
    found = policy.decide(bash("git push --force"))
    assert (found.decision, found.failed) == ("deny", True)


@pytest.mark.parametrize("ends", [KeyboardInterrupt, SystemExit])
def test_who_ends_the_program_ends_it(policy: Policy, ends: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(*_arguments: object) -> None:
        raise ends

    monkeypatch.setattr("rulez_py.policy.judging.decide.decide", ended)
    with pytest.raises(ends):
        policy.decide(bash("git push --force"))


def test_a_policy_that_changes_counts_at_once(policy: Policy, tmp_path: Path) -> None:
    file = tmp_path / "home" / ".config" / "rulez" / "rules.yaml"
    assert policy.decide(bash("make")).passes
    file.write_text('version: "1.0"\nrules:\n- {name: a, matchers: {command_match: make}, actions: {block: true}}\n')
    assert policy.decide(bash("make")).denied
    file.write_text("nonsense")
    assert policy.decide(bash("ls")).denied


def test_a_file_of_its_own_stands_in(place: Path, environ: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text('version: "1.0"\nrules:\n- {name: a, matchers: {command_match: make}, actions: {block: true}}\n')
    policy = Policy.load(place, rules=file, environ=environ)
    assert [policy.decide(bash(line)).rule for line in ("make", "deploy")] == ["a", None]


def test_a_policy_with_mistakes_is_told_where(place: Path, environ: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text('version: "1.0"\nrules:\n- {name: a, matchers: {tool: Bash}, actions: {block: true}}\n')
    with pytest.raises(InvalidPolicy, match=r"wrong\.yaml:3:") as raised:
        Policy.load(place, rules=file, environ=environ)
    assert len(raised.value.problems) == 1
    assert pickle.loads(pickle.dumps(raised.value)).problems == raised.value.problems


def test_a_home_in_the_project_is_refused(place: Path, environ: dict[str, str]) -> None:
    (place / "home").mkdir()
    with pytest.raises(InvalidPolicy, match="which lies in the project"):
        Policy.load(place, environ={**environ, "HOME": str(place / "home")})


def test_a_project_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(NotADirectoryError, match="is not a directory"):
        Policy.load(tmp_path / "gone")


def test_another_agent_around_it_changes_nothing(place: Path, environ: dict[str, str], tmp_path: Path) -> None:
    """The program may run in a shell of Claude Code, which names another project."""
    other = tmp_path / "other" / ".rulez"
    other.mkdir(parents=True)
    policy = Policy.load(place, environ={**environ, "CLAUDE_PROJECT_DIR": str(other.parent), "CLAUDECODE": "1"})
    assert policy.decide(bash("deploy")).denied
    assert policy.decide({**bash("deploy"), "cwd": str(other.parent)}).denied


def test_decisions_go_to_the_log(policy: Policy, place: Path, environ: dict[str, str], tmp_path: Path) -> None:
    log = tmp_path / "home" / ".local" / "state" / "rulez" / "audit.jsonl"
    Policy.load(place, environ=environ, log=False).decide(bash("deploy"))
    assert not log.exists()
    policy.decide({**bash("deploy"), "session_id": "s1"})
    [entry] = map(json.loads, log.read_text().splitlines())
    assert (entry["platform"], entry["session"], entry["verdict"], entry["rule"]) == (
        "python",
        "s1",
        "deny",
        "no-deploy",
    )


def test_tasks_share_it(policy: Policy) -> None:
    async def all_at_once() -> list[Decision]:
        lines = (f"deploy {number}" if number % 3 else f"ls {number}" for number in range(60))
        return await asyncio.gather(*(policy.adecide(bash(line)) for line in lines))

    found = asyncio.run(all_at_once())
    assert [one.decision for one in found] == ["deny" if number % 3 else "" for number in range(60)]


def test_a_hook_call_pays_nothing_for_it() -> None:
    code = "import sys, rulez_py.hook.main; print('rulez_py.integrations' in sys.modules, 'asyncio' in sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "False False\n"


def test_what_the_package_offers() -> None:
    assert set(rulez_py.__all__) == {"Call", "Decision", "InvalidPolicy", "Policy", "Prompt", "__version__"}
    assert all(getattr(rulez_py, name) is not None for name in rulez_py.__all__)
    with pytest.raises(AttributeError, match="nothing"):
        rulez_py.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_a_call_and_a_prompt_are_typed(policy: Policy) -> None:
    """mypy reads this: what each must have can be asked for, and what it may have need not be there."""
    call: Call = {"tool_name": "Bash", "tool_input": {"command": "deploy now"}, "session_id": "s1"}
    prompt: Prompt = {"hook_event_name": "UserPromptSubmit", "prompt": "hello"}
    given: list[Call | Prompt] = [call, prompt]
    assert [policy.decide(one).decision for one in given] == ["deny", ""]
    assert (call["tool_name"], call["tool_input"]["command"], prompt["prompt"]) == ("Bash", "deploy now", "hello")
    assert set(Call.__required_keys__) == {"tool_name", "tool_input"}
    assert set(Prompt.__required_keys__) == {"hook_event_name", "prompt"}
    assert set(Call.__optional_keys__) == {*Prompt.__optional_keys__, "hook_event_name"}
    assert set(Prompt.__optional_keys__) == {"cwd", "session_id", "agent_type"}


def test_what_the_log_remembers_of_it_can_be_explained_and_judged_again(
    policy: Policy, place: Path, environ: dict[str, str]
) -> None:
    policy.decide(bash("deploy now"))
    log = [sys.executable, "-m", "rulez_py"]
    for arguments, said in ((["explain", "--last"], "no-deploy"), (["replay"], "1 call judged again: 1 as before")):
        ended = subprocess.run(
            [*log, *arguments],
            cwd=place,
            env={**environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert said in ended.stdout, ended.stderr
