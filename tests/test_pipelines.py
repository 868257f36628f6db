"""What other tools read in this repository: pre-commit's hooks and GitHub's action, each step of which is played."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from ruamel.yaml import YAML

from rulez_py.cli import cli
from rulez_py.policy.store.search import PROJECT_FILES
from tests.programs import ROOT

PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")
GOOD = """\
version: "1.0"
extends: [builtin:essentials]
rules:
  - name: no-push
    description: The pipeline pushes.
    matchers: {command: {program: git, subcommand: push}}
    actions: {block: true}
    tests: {deny: [git push], allow: [git status]}
"""
NEVER = GOOD.replace("matchers: {", "matchers: {tools: [Read], ")
FAILS = GOOD.replace("deny: [git push]", "deny: [git pull]")


def read(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(text)


# pre-commit.

HOOKS: list[dict[str, Any]] = read((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_of_pre_commit_has_what_it_needs(hook: dict[str, Any]) -> None:
    assert {"id", "name", "entry", "language"} <= set(hook)
    assert hook["language"] == "python"
    assert hook["entry"].split()[1] in cli.commands


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_of_pre_commit_is_given_the_policies_of_a_project(hook: dict[str, Any]) -> None:
    for name in PROJECT_FILES:
        path = name.replace(os.sep, "/")
        assert re.search(hook["files"], path)
        assert re.search(hook["files"], f"services/api/{path}")
    for other in ("rules.yaml", "my.rulez/rules.yaml", ".rulez/rules.yaml.orig", ".claude/settings.json"):
        assert not re.search(hook["files"], other)


@pytest.mark.parametrize(("policy", "codes"), [(GOOD, [0, 0]), (NEVER, [1, 1]), (FAILS, [0, 1])])
def test_what_a_hook_of_pre_commit_runs_fails_where_it_should(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, policy: str, codes: list[int]
) -> None:
    (tmp_path / ".rulez").mkdir()
    (tmp_path / ".rulez" / "rules.yaml").write_text(policy, "utf-8")
    monkeypatch.chdir(tmp_path)
    runs = [[*shlex.split(hook["entry"])[1:], ".rulez/rules.yaml"] for hook in HOOKS]
    assert [CliRunner().invoke(cli, arguments).exit_code for arguments in runs] == codes


# GitHub's action.

ACTION: dict[str, Any] = read((ROOT / "action.yml").read_text("utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="the action is for Linux and macOS")


def played(step: dict[str, Any], project: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """A step of the action, run as GitHub runs it."""
    temporary = project.parent / "temporary"
    program = temporary / "rulez" / "bin" / "rulez"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m rulez_py "$@"\n', "utf-8")
    program.chmod(0o755)
    home = project.parent / "home"
    home.mkdir(exist_ok=True)
    given = {name: one["default"] for name, one in ACTION["inputs"].items()} | inputs
    environ = {
        name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: given[found[1]], value)
        for name, value in step["env"].items()
    }
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=project,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "PYTHONPATH": str(ROOT),
            "RUNNER_TEMP": str(temporary),
            "GITHUB_OUTPUT": str(project.parent / "outputs"),
            **environ,
        },
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    directory = tmp_path / "project"
    (directory / ".git").mkdir(parents=True)
    (directory / ".rulez").mkdir()
    (directory / ".rulez" / "rules.yaml").write_text(GOOD, "utf-8")
    return directory


def test_the_action_has_what_github_wants_of_a_composite_one() -> None:
    assert ACTION["runs"]["using"] == "composite"
    assert {"name", "description", "inputs", "runs"} <= set(ACTION)
    for step in STEPS:
        assert step["shell"] == "bash"
    for one in ACTION["inputs"].values():
        assert one["description"]
        assert isinstance(one["default"], str)


def test_no_input_of_the_action_is_put_into_a_script() -> None:
    """What a pull request names becomes a word of a program, never a part of what the shell reads."""
    assert [step["name"] for step in STEPS if "${{" in step["run"]] == []


@posix_only
def test_the_action_passes_a_policy_in_order(project: Path) -> None:
    lint, test = played(STEPS[1], project), played(STEPS[2], project)
    assert (lint.stdout, lint.stderr, lint.returncode) == ("", "", 0)
    assert (test.stdout, test.returncode) == ("2 tests hold, 0 fail\n", 0)
    assert ElementTree.parse(project / "rulez-junit.xml").getroot().get("tests") == "2"
    assert (project.parent / "outputs").read_text() == "junit=rulez-junit.xml\n"


@posix_only
def test_the_action_says_at_which_line_a_rule_never_matches(project: Path) -> None:
    (project / "a rule.yaml").write_text(NEVER, "utf-8")
    ended = played(STEPS[1], project, files="a rule.yaml\n")
    assert ended.stdout.startswith("::warning file=a rule.yaml,line=6,col=")
    assert ended.returncode == 1


@posix_only
def test_the_action_is_strict_where_it_is_asked_to_be(project: Path) -> None:
    (project / "untested.yaml").write_text(GOOD.partition("    tests")[0], "utf-8")
    assert played(STEPS[1], project, files="untested.yaml").returncode == 0
    assert played(STEPS[1], project, files="untested.yaml", strict="true").returncode == 1


@posix_only
def test_the_action_fails_where_a_test_does(project: Path) -> None:
    (project / "policies").mkdir()
    (project / "policies" / "one.yaml").write_text(FAILS, "utf-8")
    ended = played(STEPS[2], project, files="policies\n.rulez/rules.yaml\n", junit="out/results.xml")
    assert 'rule "no-push": "git pull" must be denied, and is not' in ended.stdout
    assert ended.returncode == 1
    assert ElementTree.parse(project / "out" / "results.xml").getroot().get("failures") == "1"


# The page.


def test_the_page_shows_inputs_that_there_are() -> None:
    workflow = read(PAGE.partition("```yaml\n# .github/workflows/rulez.yml\n")[2].partition("```")[0])
    (job,) = workflow["jobs"].values()
    (step,) = [one for one in job["steps"] if one.get("id") == "rulez"]
    assert set(step["with"]) <= set(ACTION["inputs"])
    listed = re.findall(r"^\| `(\w+)` \| `", PAGE, re.MULTILINE)
    assert listed == list(ACTION["inputs"])


def test_the_page_shows_hooks_that_there_are() -> None:
    config = read(PAGE.partition("```yaml\n# .pre-commit-config.yaml\n")[2].partition("```")[0])
    (repository,) = config["repos"]
    assert [hook["id"] for hook in repository["hooks"]] == [hook["id"] for hook in HOOKS]
