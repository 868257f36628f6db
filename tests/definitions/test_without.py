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
WITHOUT = [(kind, name) for kind, row in TABLE.items() for name in row["without"]]
WITH = [(kind, name) for kind, row in TABLE.items() for name in PLATFORMS if name not in row["without"]]


@pytest.mark.parametrize(("kind", "name"), WITHOUT)
def test_who_has_none_is_named_with_those_that_have_some(kind: str, name: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidAgent) as refused:
        WRITERS[kind](name, tmp_path)
    assert f"there is no platform '{name}'" in str(refused.value)
    assert TABLE[kind]["said"] in str(refused.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("kind", "name"), [*WITH, *WITHOUT])
def test_a_project_writes_for_it_what_it_has(
    kind: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, text = PROJECT[kind]
    entry = path.removesuffix("/SKILL.md")
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text(text)
    (tmp_path / "rulez.agents.yaml").write_text(f"platforms: [{name}]\n{kind}: [{entry}]\n")
    monkeypatch.chdir(tmp_path)
    before = {*tmp_path.rglob("*")}
    done = CliRunner().invoke(cli, ["agents", "write"])
    assert done.exit_code == 0, done.output
    written = [one for one in tmp_path.rglob("*") if one.is_file() and one not in before]
    assert bool(written) is ((kind, name) in WITH), done.output
