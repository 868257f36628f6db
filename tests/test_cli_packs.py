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
    assert shown == written or "{platforms: " in written
    assert not any("{platforms: " in line for line in shown.splitlines() if not line.startswith("#"))


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
