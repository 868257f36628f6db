"""`rulez packs`: what ships, and what is in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulez_py.cli import cli
from rulez_py.policy import packs
from rulez_py.trust import content_digest


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["packs", *arguments], catch_exceptions=False)


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three packs: one of its own rules, one that extends it, and the self-protection."""
    put(
        tmp_path,
        "git",
        "# Git can\n# throw work away. More about it.\nversion: 1\n",
        [
            {"name": "no-push", "description": "Why", "suggestion": "What instead.", "actions": {"block": True}},
            {"name": "ask-tag", "actions": {"ask": "really?"}},
        ],
    )
    put(tmp_path, "recommended", "# All that is good for most.\nversion: 1\n", [], extends=["builtin:git"])
    put(
        tmp_path,
        "self-protection",
        "version: 1\n# Not the beginning.\n",
        [{"name": "guard", "actions": {"block": True}}],
    )
    monkeypatch.setattr(packs, "DIRECTORY", str(tmp_path))
    return tmp_path


def put(place: Path, name: str, text: str, rules: list[dict[str, object]], **more: object) -> None:
    (place / f"{name}.yaml").write_text(text)
    written = [{"matchers": {}, **rule} for rule in rules]
    checked = {
        "made_from": content_digest(text.encode()),
        "data": {"version": "1.0", **more, "rules": written},
        "rule_lines": list(range(len(rules))),
    }
    (place / f"{name}.json").write_text(json.dumps(checked))


def test_list(shelf: Path) -> None:
    result = run("list")
    assert result.output.splitlines() == [
        "git                2 rules  Git can throw work away",
        "recommended        2 rules  All that is good for most",
        "self-protection     1 rule   (always holds)",
    ]
    assert result.exit_code == 0


def test_list_json(shelf: Path) -> None:
    assert json.loads(run("list", "--json").output) == [
        {"name": "git", "rules": 2, "about": "Git can throw work away", "extendable": True},
        {"name": "recommended", "rules": 2, "about": "All that is good for most", "extendable": True},
        {"name": "self-protection", "rules": 1, "about": "", "extendable": False},
    ]


def test_show(shelf: Path) -> None:
    assert run("show", "git").output.splitlines() == [
        "builtin:git: 2 rules",
        "Git can throw work away",
        "",
        "no-push: deny",
        "  Why",
        "  What instead.",
        "",
        "ask-tag: ask",
    ]


def test_show_says_where_a_rule_of_another_rule_set_comes_from(shelf: Path) -> None:
    assert "no-push: deny  (builtin:git)" in run("show", "builtin:recommended").output.splitlines()


def test_show_json(shelf: Path) -> None:
    assert json.loads(run("show", "recommended", "--json").output) == {
        "name": "recommended",
        "about": "All that is good for most",
        "extends": ["git"],
        "rules": [
            {
                "name": "no-push",
                "pack": "git",
                "decision": "deny",
                "description": "Why",
                "suggestion": "What instead.",
            },
            {"name": "ask-tag", "pack": "git", "decision": "ask", "description": "", "suggestion": ""},
        ],
    }


@pytest.mark.parametrize("name", packs.names())
def test_yaml_is_the_file_itself_with_what_it_says_of_platforms_written_out(name: str) -> None:
    shown = run("show", name, "--yaml").output
    assert shown == packs.text_of(name)
    written = Path(packs.path_of(name)).read_text("utf-8")
    assert shown == written or "{platforms: " in written or "{shapes: " in written
    said = [line for line in shown.splitlines() if not line.startswith("#")]
    assert not any("{platforms: " in line or "{shapes: " in line for line in said)


def test_an_unknown_name_is_told_with_the_nearest(shelf: Path) -> None:
    result = run("show", "recomended")
    assert 'there is no rule set "recomended"; did you mean "recommended"?' in result.output
    assert result.exit_code == 2


def test_a_name_like_no_other_is_told_with_all_there_are(shelf: Path) -> None:
    assert "there are git, recommended, self-protection" in run("show", "zzzz").output


def test_a_damaged_rule_set_is_told(shelf: Path) -> None:
    (shelf / "git.json").write_text("{")
    result = run("show", "recommended")
    assert result.output.startswith("Error: builtin:git:1:1: the rule set cannot be read: ")
    assert result.exit_code == 1


@pytest.mark.parametrize("name", packs.names())
def test_every_rule_set_says_what_it_is_for(name: str) -> None:
    about = packs.about(name)
    assert 20 < len(about) <= 160, about


# What fits a project.


@pytest.fixture
def project(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a cloud and a container; nobody has a policy."""
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    (root / "main.tf").write_text('provider "aws" {}')
    (root / "Dockerfile").write_text("")
    monkeypatch.chdir(root)
    return root


def extends(root: Path, *names: str) -> None:
    (root / ".rulez").mkdir(exist_ok=True)
    (root / ".rulez/rules.yaml").write_text(f'version: "1.0"\nextends: [{", ".join(names)}]\n')


@pytest.mark.parametrize(
    ("extended", "suggested"),
    [
        ([], ["terraform", "containers", "cloud-aws", "recommended"]),
        (["builtin:recommended"], ["terraform", "containers", "cloud-aws"]),
        (["builtin:containers", "builtin:terraform"], ["cloud-aws", "recommended"]),
        (["builtin:recommended", "builtin:containers", "builtin:cloud-aws", "builtin:terraform"], []),
    ],
)
def test_sets_that_fit_and_are_not_in_force_are_suggested(
    project: Path, extended: list[str], suggested: list[str]
) -> None:
    if extended:
        extends(project, *extended)
    result = run("suggest", "--json")
    found = json.loads(result.output)
    assert (result.exit_code, [one["name"] for one in found["suggested"]]) == (0, suggested)
    assert found["file"] == (".rulez/rules.yaml" if extended else "")


def test_sets_of_ones_own_policy_are_in_force(project: Path, home: Path) -> None:
    (home / ".config/rulez").mkdir(parents=True)
    (home / ".config/rulez/rules.yaml").write_text('version: "1.0"\nextends: [builtin:terraform]\n')
    found = json.loads(run("suggest", "--json").output)
    assert "terraform" not in [one["name"] for one in found["suggested"]]
    assert found["file"] == ""


def test_suggest_says_why_and_what_to_write(project: Path) -> None:
    extends(project, "builtin:recommended", "builtin:cloud-aws")
    assert run("suggest").output.splitlines() == [
        "terraform: main.tf",
        f"  {packs.about('terraform')}",
        "containers: Dockerfile",
        f"  {packs.about('containers')}",
        "",
        "What takes them, below `extends:` in .rulez/rules.yaml:",
        "  - builtin:terraform",
        "  - builtin:containers",
    ]


def test_suggest_json(project: Path) -> None:
    extends(project, "builtin:recommended", "builtin:cloud-aws", "builtin:containers")
    about = packs.about("terraform")
    assert json.loads(run("suggest", "--json").output)["suggested"] == [
        {"name": "terraform", "why": ["main.tf"], "about": about, "line": "- builtin:terraform"}
    ]


def test_suggest_without_a_policy_names_what_writes_one(project: Path) -> None:
    assert "`rulez init`" in run("suggest").output


def test_suggest_says_that_nothing_is_missing(project: Path) -> None:
    extends(project, "builtin:recommended", "builtin:cloud-aws", "builtin:containers", "builtin:terraform")
    assert run("suggest").output == "Every rule set that fits this project is in force.\n"


def test_suggest_says_nothing_by_a_policy_that_is_not_in_order(project: Path) -> None:
    extends(project, "builtin:teraform")
    result = run("suggest")
    assert (result.exit_code, "`rulez validate` shows why" in result.output) == (1, True)
