"""Scenarios that a whole policy judges (`data/scenarios.yaml`), and the format of their files."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from rulez_py import platforms
from rulez_py.cli import cli
from rulez_py.documents.diagnostics import errors
from rulez_py.platforms import AUTO, PLATFORMS
from rulez_py.policy.format.scenarios import json_schema, read_scenarios
from rulez_py.scenarios.policy import PolicyOf
from rulez_py.scenarios.run import Ran, run_scenarios
from rulez_py.system import jsontext
from rulez_py.system.places import places
from rulez_py.verdict import DENY
from tests.recordings import SHELL, Recording

DATA = Path(__file__).with_name("data")
ROWS: list[dict[str, Any]] = YAML(typ="safe").load(DATA / "scenarios.yaml")
PROBLEMS: list[dict[str, Any]] = YAML(typ="safe").load(DATA / "scenario_problems.yaml")
VALIDATOR = Draft202012Validator(json_schema())


def file_of(row: dict[str, Any]) -> dict[str, Any]:
    """The scenario file of a row."""
    scenario = {"name": "s", "events": row["events"], **({"given": row["given"]} if "given" in row else {})}
    beside = {"essentials": row["essentials"]} if "essentials" in row else {}
    policy = "../.rulez/rules.yaml"
    return {"policy": {row["layer"]: policy} if "layer" in row else policy, "scenarios": [scenario], **beside}


def run(project: Path, row: dict[str, Any]) -> Ran:
    """Write a row's policy and scenarios, and run these."""
    for name, content in (
        (".rulez/rules.yaml", {"version": "1.0", **row["policy"]}),
        ("tests/a.rulez.yaml", file_of(row)),
    ):
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(jsontext.dumps(content), encoding="utf-8")
    path = project / "tests" / "a.rulez.yaml"
    file = read_scenarios(path.read_bytes(), "tests/a.rulez.yaml")
    assert [str(one) for one in file.problems] == []
    return run_scenarios(file, PolicyOf(file, str(path), places(os.environ)))


@pytest.fixture
def project(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    directory = home / "somewhere" / "else"
    (directory / ".git").mkdir(parents=True)
    monkeypatch.chdir(directory)
    return directory


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["title"])
def test_scenarios(project: Path, row: dict[str, Any]) -> None:
    suite = run(project, row).suite
    assert [str(one) for one in suite.wrong] == []
    said = [one.problem.text.removeprefix('scenario "s", ') for one in suite.failures if one.problem]
    assert said == [one.replace("NAMES", ", ".join(PLATFORMS)) for one in row.get("fails", [])]
    why = [line for one in suite.failures for line in one.why]
    assert [line for line in row.get("why", ()) if line not in why] == []
    expecting = [one for one in row["events"] if isinstance(one, dict) and {"expect", "rule"} & one.keys()]
    assert suite.held + len(suite.failures) == len(expecting)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["title"])
def test_editors_take_them(row: dict[str, Any]) -> None:
    assert [error.message for error in VALIDATOR.iter_errors(file_of(row))] == []


def decided(project: Path, platforms: list[str], payload: dict[str, Any]) -> str | None:
    """What a rule that is for these platforms alone makes of a payload whose agent is to be found."""
    rule = {"name": "x", "matchers": {"operations": ["PreToolUse"], "platforms": platforms}, "actions": {"block": True}}
    event = {"platform": AUTO, "payload": payload, "expect": DENY}
    (found,) = run(project, {"policy": {"rules": [rule]}, "essentials": False, "events": [event]}).suite.results
    decision: str | None = (found.fields or {})["decision"]
    return decision


@pytest.mark.parametrize("one", SHELL, ids=lambda one: one.name)
def test_the_agent_of_every_payload_is_found(project: Path, one: Recording) -> None:
    assert decided(project, [one.platform], one.payload) == DENY
    assert decided(project, [name for name in PLATFORMS if name != one.platform], one.payload) is None


def test_a_payload_of_several_agents_is_judged_as_from_each(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platforms, "senders", lambda _payload, _environ: ("claude", "gemini", "codex"))
    payload = {"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}}
    for platform, expected in (("claude", DENY), ("gemini", DENY), ("codex", DENY), ("copilot", None)):
        assert decided(project, [platform], payload) == expected


@pytest.mark.parametrize("row", PROBLEMS, ids=lambda row: row["title"])
def test_problems(row: dict[str, Any]) -> None:
    file = read_scenarios(row["file"].encode(), "f")
    assert [str(one).removeprefix("f:") for one in file.problems] == row["says"]
    assert file.scenarios == () and errors(file.problems) == file.problems


@pytest.mark.parametrize("row", [row for row in PROBLEMS if row.get("schema")], ids=lambda row: row["title"])
def test_editors_refuse_them(row: dict[str, Any]) -> None:
    assert list(VALIDATOR.iter_errors(YAML(typ="safe").load(row["file"])))


_KEYS = st.sampled_from(
    (
        "policy",
        "scenarios",
        "name",
        "events",
        "given",
        "command",
        "payload",
        "expect",
        "git",
        "env",
        "tool",
        "rule",
        "x",
    )
)
_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9) | st.text("ab./", max_size=4),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(_KEYS, inside, max_size=4),
    max_leaves=12,
)


@given(anything=_ANYTHING | _ANYTHING.map(lambda one: {"scenarios": [{"name": "a", "events": [one]}]}))
def test_no_file_is_too_odd_to_be_read(anything: Any) -> None:
    file = read_scenarios(jsontext.dumps(anything).encode(), "f")
    assert bool(file.scenarios) != bool(file.problems)


def test_the_schema_is_in_order() -> None:
    Draft202012Validator.check_schema(json_schema())


# Coverage.

COVERAGE: list[dict[str, Any]] = YAML(typ="safe").load(DATA / "coverage.yaml")


@pytest.mark.parametrize("row", COVERAGE, ids=lambda row: row["title"])
def test_coverage(project: Path, row: dict[str, Any]) -> None:
    policy = project / ".rulez" / "rules.yaml"
    policy.parent.mkdir()
    policy.write_text(jsontext.dumps({"version": "1.0", "rules": [row["rule"]]}), encoding="utf-8")
    if "events" in row:
        file = project / "tests" / "deep" / "a.rulez.yaml"
        file.parent.mkdir(parents=True)
        file.write_text(jsontext.dumps({"scenarios": [{"name": "s", "events": row["events"]}]}), encoding="utf-8")
    result = CliRunner().invoke(cli, ["test", "--coverage", "--json"], catch_exceptions=False)
    told = json.loads(result.output)
    assert [one["failures"] for one in told["files"] if one["failures"]] == []
    (covered,) = told["coverage"]
    assert covered["matched"] == (row["gaps"] != ['no test makes rule "x" match'])
    shown = CliRunner().invoke(cli, ["test", "--coverage"], catch_exceptions=False).output.splitlines()
    gaps = [line.partition(": ")[2] for line in shown if 'rule "x"' in line and ": note:" not in line]
    assert gaps == row["gaps"]
    required = CliRunner().invoke(cli, ["test", "--require-coverage"], catch_exceptions=False)
    assert required.exit_code == (0 if covered["matched"] else 1)


def test_gaps_have_the_place_of_the_part(project: Path) -> None:
    policy = project / ".rulez" / "rules.yaml"
    policy.parent.mkdir()
    policy.write_text(
        'version: "1.0"\n'
        "rules:\n"
        "  - name: pushes\n"
        "    matchers:\n"
        "      command: {program: git, subcommand: push}\n"
        "    except:\n"
        "      - command: {any_flag: --dry-run}\n"
        "    actions: {block: true}\n"
        "    tests: {deny: [git push], allow: [git pull]}\n"
        "  - name: other\n"
        "    matchers: {command: {program: npm}}\n"
        "    actions: {block: true}\n",
        encoding="utf-8",
    )
    result = CliRunner().invoke(cli, ["test", "--coverage"], catch_exceptions=False)
    assert result.output.splitlines() == [
        '.rulez/rules.yaml:7:9: `except` in rule "pushes" fits in no test',
        '.rulez/rules.yaml:5:17: `command.program` in rule "pushes" fits in every test',
        '.rulez/rules.yaml:10:5: no test makes rule "other" match',
        "2 tests hold, 0 fail; 1 rule has no tests",
        "coverage: tests make 1 of 2 rules match; 1 of their 3 conditions tried both ways",
    ]
    github = CliRunner().invoke(cli, ["test", "--require-coverage", "--format", "github"], catch_exceptions=False)
    assert (github.output, github.exit_code) == (
        '::error file=.rulez/rules.yaml,line=10,col=5,title=coverage::no test makes rule "other" match\n'
        "2 tests hold, 0 fail; 1 rule has no tests\n"
        "coverage: tests make 1 of 2 rules match; 1 of their 3 conditions tried both ways\n",
        1,
    )


# Which files, and in which format.

PUSH = """\
version: "1.0"
rules:
  - name: no-push
    matchers: {command: {program: git, subcommand: push}}
    actions: {block: true}
    tests: {deny: [git push]}
"""
TRIED = """\
policy: {policy}
scenarios:
  - name: pushes
    events:
      - {{command: git push, expect: {expect}}}
"""


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_the_scenarios_of_a_project_are_found(project: Path) -> None:
    write(project / ".rulez" / "rules.yaml", PUSH)
    write(project / ".rulez" / "tests" / "a.rulez.yaml", TRIED.format(policy="../rules.yaml", expect="deny"))
    write(project / "tests" / "agents" / "b.rulez.yaml", TRIED.format(policy="../../.rulez/rules.yaml", expect="deny"))
    write(project / "docs" / "c.rulez.yaml", TRIED.format(policy="../.rulez/rules.yaml", expect="ask"))
    result = CliRunner().invoke(cli, ["test"], catch_exceptions=False)
    assert (result.output, result.exit_code) == ("3 tests hold, 0 fail\n", 0)
    assert CliRunner().invoke(cli, ["test", "tests"], catch_exceptions=False).output == "1 test holds, 0 fail\n"
    result = CliRunner().invoke(cli, ["test", "docs"], catch_exceptions=False)
    assert result.exit_code == 1
    result = CliRunner().invoke(cli, ["test", "."], catch_exceptions=False)
    assert result.output.splitlines()[-1] == "3 tests hold, 1 fails"


@pytest.mark.parametrize(
    ("policy", "says"),
    [
        ("gone.yaml", "tests/gone.yaml:1:1: error: the file cannot be read: there is no such file; check the name"),
        (
            "/etc/passwd",
            'tests/a.rulez.yaml:1:9: error: "policy" names /etc/passwd: no .yaml file of this project, nor in force',
        ),
        (
            "../../team.yaml",
            'tests/a.rulez.yaml:1:9: error: "policy" names ~/somewhere/team.yaml: no .yaml file of this project, nor in'
            " force",
        ),
        ("wrong.yaml", 'tests/wrong.yaml:3:13: error: unknown matcher "tolls" in rule "x"; did you mean "tools"?'),
    ],
)
def test_a_policy_that_cannot_be_used_is_an_error(project: Path, policy: str, says: str) -> None:
    write(
        project / "tests" / "wrong.yaml",
        'version: "1.0"\nrules: [{name: x, matchers: {\n            tolls: [Bash]}}]\n',
    )
    file = write(project / "tests" / "a.rulez.yaml", TRIED.format(policy=policy, expect="deny"))
    result = CliRunner().invoke(cli, ["test", str(file.relative_to(project))], catch_exceptions=False)
    assert (result.output.splitlines(), result.exit_code) == ([says], 1)


def test_each_format_has_the_place(project: Path) -> None:
    write(project / ".rulez" / "rules.yaml", PUSH.replace("git push]", "git pull]"))
    write(project / "tests" / "a.rulez.yaml", TRIED.format(policy="../.rulez/rules.yaml", expect="ask"))
    text = '{"command":"git push"} must be asked about, and is denied'
    result = CliRunner().invoke(cli, ["test", "--format", "github"], catch_exceptions=False)
    first, second, last = result.output.splitlines()
    assert last == "0 tests hold, 2 fail"
    assert first == (
        '::error file=.rulez/rules.yaml,line=6,col=20,title=no-push::rule "no-push": "git pull" must be denied, and is'
        " not%0Acommand.subcommand wants push; here pull"
    )
    assert second.startswith(
        f'::error file=tests/a.rulez.yaml,line=5,col=9,title=pushes::scenario "pushes", event 1: {text}%0Arule'
    )
    result = CliRunner().invoke(cli, ["test", "--format", "junit"], catch_exceptions=False)
    cases = list(ElementTree.fromstring(result.output).iter("testcase"))
    assert [(one.get("classname"), one.get("file"), one.get("line")) for one in cases] == [
        ("no-push", ".rulez/rules.yaml", "6"),
        ("pushes", "tests/a.rulez.yaml", "5"),
    ]
    result = CliRunner().invoke(cli, ["test", "--format", "json"], catch_exceptions=False)
    (failure,) = json.loads(result.output)["files"][1]["failures"]
    assert {key: failure[key] for key in ("scenario", "event", "line", "column", "test", "expected", "decision")} == {
        "scenario": "pushes",
        "event": 1,
        "line": 5,
        "column": 9,
        "test": {"command": "git push"},
        "expected": "ask",
        "decision": "deny",
    }
    assert result.output == CliRunner().invoke(cli, ["test", "--json"], catch_exceptions=False).output
