"""The workflows of .github/ call what is there: targets of the Makefile, files of the repository."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.programs import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TARGETS = set(re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
SYSTEMS = {"ubuntu-latest", "macos-latest", "windows-latest"}


def read(path: Path) -> dict[str, Any]:
    workflow: dict[str, Any] = YAML(typ="safe").load(path)
    return workflow


def commands(path: Path) -> Iterator[str]:
    """Each command line that a workflow runs."""
    for job in read(path)["jobs"].values():
        for step in job["steps"]:
            yield from step.get("run", "").splitlines()


def test_there_are_workflows() -> None:
    assert [path.name for path in WORKFLOWS] == ["checks.yml"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_what_a_workflow_runs_is_there(path: Path) -> None:
    for line in commands(path):
        program, *words = line.split()
        if program == "make":
            assert {word for word in words if "=" not in word} <= TARGETS, line
        else:
            assert os.access(ROOT / program, os.X_OK), line


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_only_read_and_ends_by_itself(path: Path) -> None:
    workflow = read(path)
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] > 0
        assert set(job) <= {"if", "strategy", "runs-on", "timeout-minutes", "defaults", "steps"}


def test_the_quick_tests_are_played_on_every_version_that_is_named_and_on_three_systems() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [text.rpartition(" :: ")[2] for text in project["classifiers"] if " :: Python :: 3." in text]
    matrix = read(ROOT / ".github" / "workflows" / "checks.yml")["jobs"]["quick"]["strategy"]["matrix"]
    assert matrix["python"] == named
    assert set(matrix["system"]) == SYSTEMS


FORMS = [ROOT / ".github" / "ISSUE_TEMPLATE" / name for name in ("passed.yml", "stopped.yml")]
_REQUIRED = ("name", "description", "body")


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_a_form_has_what_a_form_needs_and_asks_for_the_explanation(path: Path) -> None:
    form = read(path)
    assert [key for key in _REQUIRED if not form.get(key)] == []
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    assert len({field["id"] for field in fields}) == len(fields)
    assert all(field["attributes"]["label"] for field in fields)
    assert "rulez explain --json" in path.read_text(encoding="utf-8")
    assert [field["id"] for field in fields if field.get("validations", {}).get("required")] != []
