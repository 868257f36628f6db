"""`rulez explain` takes the circumstances of a test (`data/explained.yaml`), and says of each what the test says."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from ruamel.yaml import YAML

from rulez_py.cli import cli
from rulez_py.explain.calls import of_case
from rulez_py.explain.explain import explain
from rulez_py.system import jsontext
from tests.policy.format.test_cases import ROWS as CASES

ROWS: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).parent / "data" / "explained.yaml")
PAGE = Path(__file__).parents[1] / "docs" / "cli.md"


@pytest.fixture(autouse=True)
def project(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    directory = home / "project"
    (directory / ".git").mkdir(parents=True)
    (directory / "src").mkdir()
    for name in (".env", "a.py", "src/a.py"):
        (directory / name).write_text("A = 1\n", "utf-8")
    monkeypatch.chdir(directory)
    return directory


def policy_of(rule: dict[str, Any]) -> str:
    whole = {"version": "1.0", "settings": {"essentials": False}, "rules": [{"name": "r", **rule}]}
    return jsontext.dumps(whole)


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["explain", *arguments], input=stdin, catch_exceptions=False)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["title"])
def test_explained(row: dict[str, Any]) -> None:
    Path("rules.yaml").write_text(policy_of(row.get("rule", {"matchers": {}, "actions": {}})), "utf-8")
    case = jsontext.dumps(row["case"]) if "case" in row else ""
    Path("case.yaml").write_text(case, "utf-8")
    result = run("--rules", "rules.yaml", "--json", *row["typed"], stdin=case if "-" in row["typed"] else None)
    if "said" in row:
        assert row["said"] in result.output
        assert result.exit_code in (1, 2)
        return
    assert result.exit_code == 0, result.output
    assert jsontext.loads(result.output)["verdict"]["decision"] == row["decision"]


def is_of_the_place(row: dict[str, Any], case: dict[str, Any]) -> bool:
    """Tell whether a case or its rule names the tests' own project and home."""
    said = jsontext.dumps([row["rule"], case])
    return "project" in case or "HOME" in case.get("env", {}) or "/home/user" in said


SAME = [
    (row, expected, case)
    for row in CASES
    for expected in ("stops", "asks", "passes")
    for case in row.get(expected, ())
    if isinstance(case, dict) and not is_of_the_place(row, case)
]


@pytest.mark.parametrize(("row", "expected", "case"), SAME, ids=[f"{row['title']}: {case}" for row, _, case in SAME])
def test_a_case_is_explained_as_its_test_holds(
    row: dict[str, Any], expected: str, case: dict[str, Any], project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI", raising=False)
    (project / "rules.yaml").write_text(policy_of(row["rule"]), "utf-8")
    found = explain(of_case(case, str(project)), os.environ, rules_file="rules.yaml", others=())
    stops = "ask" if "ask" in row["rule"]["actions"] or expected == "asks" else "deny"
    decided = [one.decision for one in found.rules if one.rule["name"] == "r"]
    assert decided == ["" if expected == "passes" else stops]


def test_the_example_of_the_docs() -> None:
    example = PAGE.read_text("utf-8").split("# case.yaml\n", 1)[1].split("```", 1)[0]
    Path("case.yaml").write_text(example, "utf-8")
    rule = {
        "matchers": {"agent_types": ["reviewer"], "paths": {"globs": ["packages/web/deploy.sh"], "existing": True}},
        "enabled_when": 'env_CI == "true" && git.branch == "main"',
        "actions": {"block": True},
    }
    Path("rules.yaml").write_text(policy_of(rule), "utf-8")
    result = run("--rules", "rules.yaml", "--case", "case.yaml")
    assert "DENIED by rule r" in result.output
    line = PAGE.read_text("utf-8").split("rulez explain --env CI=true", 1)[1].split("\n", 1)[0]
    assert line == " --git branch=main --git dirty=src/a.py 'npm publish'"
    typed = run("--env", "CI=true", "--git", "branch=main", "--git", "dirty=src/a.py", "npm publish")
    assert 'note: judged as if: env {"CI":"true"}, git {"branch":"main","dirty":["src/a.py"]}' in " ".join(
        typed.output.split()
    )
