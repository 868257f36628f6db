"""Platforms that have no file of a kind: each is said to have none, and a project's others are written all the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from ruamel.yaml import YAML

from rulez_py.cli import cli
from rulez_py.definitions import agents, commands, instructions, skills
from rulez_py.definitions.base.notes import CannotSay
from rulez_py.definitions.output.errors import InvalidAgent
from rulez_py.platforms import PLATFORMS

TABLE: dict[str, dict[str, Any]] = YAML(typ="safe").load(Path(__file__).with_name("without.yaml"))
WRITERS: dict[str, Callable[[str, Path], object]] = {
    "agents": lambda name, root: agents.AgentDefinition(name="ab", description="d").write(name, root),
    "skills": lambda name, root: skills.Skill(name="ab", description="d").write(name, root),
    "commands": lambda name, _root: commands.render(commands.SlashCommand(name="ab", description="d", text="x"), name),
    "instructions": lambda name, root: instructions.plan(
        [instructions.Instructions(source="i.md", text="x")], [name], root
    ),
}
PROJECT = {
    "agents": ("agents/ab.yaml", "description: d\nprompt: You read things.\n"),
    "skills": ("skills/ab/SKILL.md", "---\ndescription: d\n---\n\nx\n"),
    "commands": ("commands/ab.md", "---\ndescription: d\n---\n\nx\n"),
    "instructions": ("instructions/ab.md", "x\n"),
}
OWN_ALONE = [(kind, name) for kind, row in TABLE.items() for name in row.get("own_alone", ())]
WITHOUT = [(kind, name) for kind, row in TABLE.items() for name in row["without"]]
WITH = [(kind, name) for kind, row in TABLE.items() for name in PLATFORMS if name not in row["without"]]


@pytest.mark.parametrize(("kind", "name"), WITHOUT)
def test_who_has_none_is_named_with_those_that_have_some(kind: str, name: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidAgent) as refused:
        WRITERS[kind](name, tmp_path)
    assert f"there is no platform '{name}'" in str(refused.value)
    assert TABLE[kind]["said"] in str(refused.value)
    assert not list(tmp_path.iterdir())


def write(kind: str, name: str, root: Path, *options: str) -> tuple[str, list[Path]]:
    """What is said, and the files that are written of a project with one definition."""
    path, text = PROJECT[kind]
    entry = path.removesuffix("/SKILL.md")
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)
    (root / "rulez.agents.yaml").write_text(f"platforms: [{name}]\n{kind}: [{entry}]\n")
    before = {*root.rglob("*")}
    done = CliRunner().invoke(cli, ["agents", "write", *options])
    assert done.exit_code == 0, done.output
    return done.output, [one for one in root.rglob("*") if one.is_file() and one not in before]


@pytest.mark.parametrize(("kind", "name"), [*WITH, *WITHOUT])
def test_a_project_writes_for_it_what_it_has(
    kind: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said, written = write(kind, name, tmp_path)
    assert bool(written) is ((kind, name) in WITH and (kind, name) not in OWN_ALONE), said


@pytest.mark.parametrize(("kind", "name"), OWN_ALONE)
def test_who_has_a_person_s_own_alone_is_told_how_to_write_them(
    kind: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    told = f"it loads no {kind} of a project; `rulez agents write --scope user` writes them to ~/"
    said, _ = write(kind, name, tmp_path)
    assert said.count(told) == 1
    said, written = write(kind, name, tmp_path, "--scope", "user")
    assert told not in said
    assert [one.relative_to(tmp_path).parts[0] for one in written] == ["home"]
    with pytest.raises(CannotSay, match=r"loads no .* of a project"):
        WRITERS[kind](name, tmp_path)


def test_who_asks_for_every_platform_is_not_told_of_those(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said, _ = write("skills", ", ".join(PLATFORMS), tmp_path)
    assert "of a project; `rulez" not in said
    said, _ = write("skills", ", ".join(PLATFORMS), tmp_path, "--warn")
    assert "of a project; `rulez" in said
