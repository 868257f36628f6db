"""`rulez init`: a policy that holds as it is, and becomes more by taking bars away."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from ruamel.yaml import YAML

from rulez_py.cli import cli, person
from rulez_py.policy.format.starter import EXAMPLE
from rulez_py.policy.store.load import load
from rulez_py.system.places import places


@pytest.fixture(autouse=True)
def place(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (project / "below").mkdir()
    monkeypatch.chdir(project)
    monkeypatch.setattr(person, "ancestors", lambda _pid: [])
    return project


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(cli, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.mark.parametrize("scope", ["--user", "--project"])
def test_what_is_written_is_in_order(scope: str, place: Path, home: Path) -> None:
    path = home / ".config/rulez/rules.yaml" if scope == "--user" else place / ".rulez/rules.yaml"
    result = run("init", scope)
    assert result.exit_code == 0, result.output
    assert path.read_text().startswith("# yaml-language-server: $schema=schema.json\n")
    assert json.loads((path.parent / "schema.json").read_text())["properties"]["rules"]
    checked = json.loads(run("validate", "--json").stdout)
    assert (checked["ok"], [file["problems"] for file in checked["files"]]) == (True, [[]])
    assert [file["rules"] > 100 for file in checked["files"]] == [True]


@pytest.mark.parametrize("scope", ["--user", "--project"])
def test_the_examples_hold_when_the_bars_are_taken_away(scope: str, place: Path, home: Path) -> None:
    run("init", scope)
    path = home / ".config/rulez/rules.yaml" if scope == "--user" else place / ".rulez/rules.yaml"
    text = path.read_text().replace("\nrules: []\n", "\n").replace("# disable: ", "disable: ")
    path.write_text(text.replace(EXAMPLE, "").replace(EXAMPLE.rstrip(), ""))
    assert json.loads(run("validate", "--json").stdout)["ok"]
    tried = run("test", str(path))
    assert (tried.exit_code, tried.stdout.splitlines()[-1]) == (0, "10 tests hold, 0 fail"), tried.output


@pytest.mark.parametrize("packs", [[], ["--pack", "git"], ["--pack", "terraform", "--pack", "secrets"]])
def test_the_scenarios_hold(packs: list[str], place: Path) -> None:
    said = run("init", *packs)
    path = os.path.join(".rulez", "tests", "agents.rulez.yaml")
    assert f"wrote {path}" in said.output
    tried = run("test", path)
    assert (tried.exit_code, "fail" in tried.stdout.replace("0 fail", "")) == (0, False), tried.output
    policy = place / ".rulez" / "rules.yaml"
    policy.write_text('version: "1.0"\nrules: [{name: r, matchers: {tools: Read}, actions: {block: true}}]\n')
    assert run("test", path).exit_code == 1


def test_scenarios_that_are_there_are_not_written_over(place: Path) -> None:
    own = place / ".rulez" / "tests" / "agents.rulez.yaml"
    own.parent.mkdir(parents=True)
    own.write_text("own")
    assert run("init").exit_code == 0
    assert own.read_text() == "own"


def test_a_persons_policy_has_no_scenarios(home: Path) -> None:
    assert run("init", "--user").exit_code == 0
    assert not (home / ".config" / "rulez" / "tests").exists()


def test_the_sets_that_are_named_are_taken(place: Path) -> None:
    assert run("init", "--pack", "git", "--pack", "builtin:secrets").exit_code == 0
    assert "extends:\n  - builtin:git\n  - builtin:secrets\n" in (place / ".rulez/rules.yaml").read_text()


# What fits the project.


@pytest.fixture
def infrastructure(place: Path) -> Path:
    """A project with a cloud, a container and a workflow."""
    for name, text in {"main.tf": 'provider "aws" {}', "api/Dockerfile": "", ".github/workflows/ci.yml": ""}.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    return place


PROPOSED = """\
extends:
  - builtin:recommended
  # By its files these fit this project, too; each counts once the `# ` before it is gone.
  # - builtin:terraform   # main.tf
  # - builtin:containers  # api/Dockerfile
  # - builtin:ci-cd       # .github/workflows/ci.yml
  # - builtin:cloud-aws   # main.tf

"""


def extended(place: Path) -> list[str]:
    read = YAML(typ="safe").load(place / ".rulez/rules.yaml")
    return [name.removeprefix("builtin:") for name in read["extends"]]


def test_sets_that_fit_are_proposed_as_comments(infrastructure: Path) -> None:
    said = run("init").output
    path = infrastructure / ".rulez/rules.yaml"
    assert PROPOSED in path.read_text()
    assert extended(infrastructure) == ["recommended"]
    assert "terraform (main.tf), containers (api/Dockerfile), ci-cd (.github/workflows/ci.yml), cloud-aws" in said
    path.write_text(path.read_text().replace("  # - builtin", "  - builtin"))
    assert extended(infrastructure) == ["recommended", "terraform", "containers", "ci-cd", "cloud-aws"]
    assert json.loads(run("validate", "--json").stdout)["ok"]


@pytest.mark.parametrize(
    ("options", "taken"),
    [
        (["--suggested"], ["recommended", "terraform", "containers", "ci-cd", "cloud-aws"]),
        (["--suggested", "--pack", "git"], ["git", "terraform", "containers", "ci-cd", "cloud-aws"]),
        (["--suggested", "--pack", "ci-cd", "--pack", "terraform"], ["ci-cd", "terraform", "containers", "cloud-aws"]),
    ],
)
def test_they_are_taken_where_that_is_said(infrastructure: Path, options: list[str], taken: list[str]) -> None:
    said = run("init", *options)
    assert (said.exit_code, extended(infrastructure)) == (0, taken), said.output
    assert "# - builtin" not in (infrastructure / ".rulez/rules.yaml").read_text()
    assert json.loads(run("validate", "--json").stdout)["ok"]


def test_what_is_taken_is_not_proposed(infrastructure: Path) -> None:
    run("init", "--pack", "terraform", "--pack", "cloud-aws")
    text = (infrastructure / ".rulez/rules.yaml").read_text()
    assert "  # - builtin:containers  # api/Dockerfile\n" in text
    assert "# - builtin:terraform" not in text


@pytest.mark.parametrize("options", [[], ["--suggested"]])
def test_a_name_writes_nothing_into_the_policy(place: Path, options: list[str]) -> None:
    (place / "a\n  - builtin:git\nrules: [] #.tf").write_text("")
    assert run("init", "--pack", "secrets", *options).exit_code == 0
    assert extended(place) == ["secrets", *(["terraform"] if options else [])]


def test_a_policy_for_all_projects_is_about_none(infrastructure: Path, home: Path) -> None:
    assert run("init", "--user").exit_code == 0
    assert "# - builtin" not in (home / ".config/rulez/rules.yaml").read_text()
    refused = run("init", "--user", "--suggested")
    assert (refused.exit_code, "--suggested is about one project" in refused.output) == (2, True)


@pytest.mark.parametrize("name", ["gti", "self-protection"])
def test_a_set_that_cannot_be_taken_is_refused(name: str, place: Path) -> None:
    assert run("init", "--pack", name).exit_code == 2
    assert not (place / ".rulez").exists()


@pytest.mark.parametrize("name", [".rulez/rules.yaml", ".claude/hooks.yaml"])
def test_a_policy_that_is_there_is_left_alone(name: str, place: Path) -> None:
    (place / name).parent.mkdir()
    (place / name).write_text("mine")
    result = run("init")
    assert (result.exit_code, result.stderr) == (1, f"error: {name} is there already, and is left as it is\n")
    assert (place / name).read_text() == "mine"
    assert list(place.rglob("schema.json")) == []


def test_a_schema_that_is_there_is_left_alone(place: Path) -> None:
    (place / ".rulez").mkdir()
    (place / ".rulez/schema.json").write_text("mine")
    assert run("init").exit_code == 0
    assert (place / ".rulez/schema.json").read_text() == "mine"


def test_a_project_is_that_around_the_current_directory(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place / "below")
    assert run("init").exit_code == 0
    assert (place / ".rulez/rules.yaml").exists()


@pytest.mark.parametrize("scope", ["--user", "--project"])
def test_a_first_policy_takes_no_protection_away(scope: str) -> None:
    assert run("init", scope, "--pack", "kubernetes").exit_code == 0
    policy = load(places(os.environ), os.getcwd(), trusted=lambda _path, _digest: True)
    assert (policy.floor.holds, policy.floor.changed) == (True, ())
    assert "no-force-push" in {rule["name"] for rule in policy.rules}


def test_an_agent_writes_no_policy(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_CLI", "1")
    result = run("init")
    assert (result.exit_code, "a coding agent cannot do this" in result.stderr) == (1, True)
    assert not (place / ".rulez").exists()
