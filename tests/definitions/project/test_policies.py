"""Agents with a policy of their own: rules for them alone, in the project's policy, beside what people wrote there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rulez_py.cli import cli
from rulez_py.definitions.agents import AgentDefinition, AgentError
from rulez_py.definitions.project.policies import Rules, rules_of, target
from rulez_py.documents.diagnostics import errors
from rulez_py.policy.format.check import check
from tests.programs import SOURCE_COMMAND, run_hook

RULE: dict[str, Any] = {
    "name": "no-push",
    "description": "A reviewer pushes nothing",
    "matchers": {"command": {"program": "git", "subcommand": "push"}},
    "actions": {"block": True},
}
OWN = """\
# Mine
version: "1.0"
extends: [builtin:recommended]
rules:
  - name: mine
    matchers: {tools: [WebFetch]}
    actions: {ask: true}
"""
DEFINITION = """\
description: Reviews.
prompt: x
policy:
  - name: no-push
    description: A reviewer pushes nothing
    matchers: {command: {program: git, subcommand: push}}
    actions: {block: true}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents/reviewer.yaml").write_text(DEFINITION)
    (tmp_path / "rulez.agents.yaml").write_text("platforms: [claude]\nagents: [agents/*.yaml]\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("rulez_py.cli.person.why_agent", lambda: "")
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["agents", *arguments])


def agent(**more: Any) -> AgentDefinition:
    return AgentDefinition(name="reviewer", description="d", policy=[{**RULE, **more}])


def test_a_rule_is_for_that_agent_alone_and_named_after_it() -> None:
    assert rules_of(agent()) == (
        "- name: reviewer-no-push\n"
        '  description: "A reviewer pushes nothing"\n'
        "  matchers:\n"
        "    agent_types: [reviewer]\n"
        "    command:\n"
        "      program: git\n"
        "      subcommand: push\n"
        "  actions:\n"
        "    block: true\n"
    )


def test_beside_the_rules_of_people_every_byte_stays(project: Path) -> None:
    (project / ".rulez").mkdir()
    path = project / ".rulez/rules.yaml"
    path.write_text(OWN)
    result = run("write")
    assert result.exit_code == 0, result.output
    assert "note: what .rulez/rules.yaml allows or runs waits until you `rulez trust` it again" in result.stderr
    assert path.read_text().startswith(OWN + "# Written by `rulez agents write` from agents/reviewer.yaml; ")
    checked = check(path.read_bytes(), "rules.yaml")
    assert not errors(checked.problems)
    assert checked.data is not None
    assert [rule["name"] for rule in checked.data["rules"]] == ["mine", "reviewer-no-push"]
    assert run("write", "--check").exit_code == 0
    (project / "agents/reviewer.yaml").write_text("description: Reviews.\nprompt: x\n")
    assert run("write", "--check").exit_code == 1
    assert "removed .rulez/rules.yaml (from agents/reviewer.yaml)" in run("clean").stdout
    assert path.read_text() == OWN


def test_where_there_is_none_a_policy_is_made_that_keeps_the_essentials(project: Path) -> None:
    run("write")
    text = (project / ".rulez/rules.yaml").read_text()
    assert text.startswith('version: "1.0"\nextends: [builtin:essentials]\nrules:\n#')
    run("clean", "--all")
    assert not (project / ".rulez/rules.yaml").exists()


@pytest.mark.parametrize(
    ("who", "denied"),
    [({"agent_id": "a", "agent_type": "reviewer"}, True), ({"agent_id": "a", "agent_type": "x"}, False), ({}, False)],
)
def test_the_hook_holds_that_agent_to_it(project: Path, who: dict[str, str], denied: bool) -> None:
    run("write")
    payload = {
        "session_id": "s",
        "hook_event_name": "PreToolUse",
        "cwd": str(project),
        "tool_name": "Bash",
        **who,
        "tool_input": {"command": "git push origin x"},
    }
    ended = run_hook(SOURCE_COMMAND, "claude", payload, project)
    assert ("A reviewer pushes nothing" in ended.stdout) is denied


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ("rules: []\n", "put `rules:` behind all other keys, with a rule in it"),
        (
            'version: "1.0"\nrules:\n  - {name: a, matchers: {}, actions: {ask: true}}\nextends: []\n',
            "put `rules:` behind",
        ),
        (
            'version: "1.0"\nrules: [{name: a, matchers: {}, actions: {ask: true}}]\n',
            "write the rules as a list with a line",
        ),
        ("version: [\n", ".rulez/rules.yaml:"),
    ],
)
def test_a_policy_that_nothing_can_be_added_to_is_told_and_left_alone(project: Path, policy: str, said: str) -> None:
    (project / ".rulez").mkdir()
    (project / ".rulez/rules.yaml").write_text(policy)
    result = run("write")
    assert result.exit_code == 1
    assert said in result.stderr
    assert (project / ".rulez/rules.yaml").read_text() == policy
    assert not (project / ".claude").exists()


def test_a_rule_that_is_none_is_told_with_its_place_in_the_policy(project: Path) -> None:
    (project / "agents/reviewer.yaml").write_text(DEFINITION.replace("block", "blok"))
    result = run("write")
    assert result.exit_code == 1
    assert '.rulez/rules.yaml:13:7: error: unknown action "blok" in rule "reviewer-no-push"; did you' in result.stderr


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({"name": None}, "needs a name and matchers"),
        ({"matchers": []}, "needs a name and matchers"),
        ({"matchers": {"agent_types": ["x"]}}, "is for that agent alone already"),
    ],
)
def test_what_is_no_rule_of_an_agent(rule: dict[str, Any], said: str) -> None:
    with pytest.raises(AgentError, match=said):
        rules_of(agent(**rule))


@pytest.mark.parametrize(
    "actions",
    [
        {"allow": True},
        {"run": "x.sh"},
        {"inline_script": "exit 0"},
        {"inject_command": "date"},
        {"inject": "notes.md"},
        {"rewrite": {"command": "true"}},
        {"block": True, "allow": True},
    ],
)
def test_what_approves_changes_or_runs_is_no_rule_of_an_agent(actions: dict[str, Any]) -> None:
    with pytest.raises(AgentError, match="the policy of an agent only denies, asks and tells; write that rule into"):
        rules_of(agent(actions=actions))


@pytest.mark.parametrize("source", ["a.yaml", "bots/a.yaml", "../agents.yaml", "node_modules/x/agents/a.yaml"])
def test_a_definition_with_rules_lies_where_no_agent_may_change_it(source: str) -> None:
    with pytest.raises(AgentError, match="a definition with a policy lies in the project, in a directory"):
        target(".", [(source, agent())])


def test_a_repository_with_a_link_writes_no_rule_into_the_person_s_own_policy(project: Path, tmp_path: Path) -> None:
    own = tmp_path / "home/.config/rulez"
    own.mkdir(parents=True)
    (own / "rules.yaml").write_text(OWN)
    (project / ".rulez").symlink_to(own)
    for command in (["write"], ["write", "--check"], ["clean", "--all", "--force"]):
        result = run(*command)
        if command[0] == "write":
            said = ".rulez is a symbolic link; put a directory in its place, or remove it"
            assert (result.exit_code, result.stderr) == (1, f"Error: {said}\n")
        assert (own / "rules.yaml").read_text() == OWN
        assert not (project / ".claude").exists()


def test_no_rule_is_taken_out_of_a_policy_behind_a_link(project: Path, tmp_path: Path) -> None:
    run("write")
    before = (project / ".rulez/rules.yaml").read_bytes()
    (project / ".rulez").rename(tmp_path / "elsewhere")
    (project / ".rulez").symlink_to("elsewhere")
    result = run("clean", "--all", "--force")
    assert (result.exit_code, ".rulez is a symbolic link; " in result.stderr) == (1, True)
    assert (project / ".rulez/rules.yaml").read_bytes() == before


def test_no_agent_writes_or_removes_rules(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("write")
    before = (project / ".rulez/rules.yaml").read_bytes()
    monkeypatch.setattr("rulez_py.cli.person.why_agent", lambda: "a coding agent cannot do this")
    (project / "agents/reviewer.yaml").write_text(DEFINITION.replace("git", "jj"))
    for command in (["write"], ["clean", "--all"]):
        result = run(*command)
        assert result.exit_code == 1
        assert "a coding agent cannot do this; the rules of an agent's policy are a person's to write" in result.stderr
    assert (project / ".rulez/rules.yaml").read_bytes() == before


def test_where_an_agent_does_not_say_who_calls_that_is_told(project: Path) -> None:
    result = run("write", "--platform", "gemini")
    told = "warning: reviewer, Gemini CLI: does not say which agent makes a call, so its policy does not hold there\n"
    assert told in result.stderr


def test_for_one_definition_alone_people_are_told_that_no_rule_is_written(project: Path) -> None:
    result = run("write", "agents/reviewer.yaml", "--platform", "claude")
    assert "its policy is written with all that rulez.agents.yaml names alone" in result.stderr
    assert not (project / ".rulez").exists()


def test_without_rules_there_is_nothing_to_write(tmp_path: Path) -> None:
    assert target(str(tmp_path), [("agents/a.yaml", AgentDefinition(name="a", description="d"))]) is None
    assert isinstance(target(str(tmp_path), [("agents/a.yaml", agent())]), Rules)
