"""`rulez agents import` of a skill that a platform has."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulez_py.cli import cli
from rulez_py.definitions.skills import Skill, load, platform_at


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["agents", "import", *arguments])


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    theirs = tmp_path / ".claude" / "skills" / "notes"
    theirs.mkdir(parents=True)
    (theirs / "SKILL.md").write_text("---\nname: notes\ndescription: x\nallowed-tools: Bash\n---\nIt costs \\$5.\n")
    (theirs / "log.sh").write_text("git log\n")
    return tmp_path


@pytest.mark.parametrize("named", [".claude/skills/notes", ".claude/skills/notes/", ".claude/skills/notes/SKILL.md"])
def test_it_becomes_a_skill_of_ours(place: Path, named: str) -> None:
    done = run(named)
    assert (done.exit_code, done.output) == (0, "wrote skills/notes/SKILL.md\nwrote skills/notes/log.sh\n")
    assert load("skills/notes") == load(".claude/skills/notes", of="claude")
    again = run(named)
    assert again.exit_code == 1
    assert "skills/notes is there already" in again.output


def test_it_can_be_printed(place: Path) -> None:
    done = run(".claude/skills/notes", "--out", "-")
    assert done.output == "---\nname: notes\ndescription: x\ntools: [Shell]\n---\n\nIt costs $5.\n"
    assert not (place / "skills").exists()


def test_whose_it_is_must_be_known(place: Path) -> None:
    (place / ".claude").rename(place / "mine")
    assert "say whose it is with --platform" in run("mine/skills/notes").output
    assert run("mine/skills/notes", "--platform", "claude", "--out", "kept").exit_code == 0
    assert (place / "kept/notes/SKILL.md").is_file()


def test_what_rulez_wrote_is_no_source(place: Path) -> None:
    Skill(name="other", description="d").write("codex", place)
    done = run(".codex/skills/other")
    assert done.exit_code == 1
    assert "it was written by rulez from Python" in done.output


def test_codex_has_skills_and_no_agent_files(place: Path) -> None:
    (place / "agent.md").write_text("---\ndescription: x\n---\n")
    done = run("agent.md", "--platform", "codex")
    assert done.exit_code == 1
    assert "no platform 'codex' with agent files" in done.output
    assert run(".claude/skills/notes", "--platform", "codex").exit_code == 0


@pytest.mark.parametrize(
    ("directory", "platform"),
    [
        (".claude/skills/x", "claude"),
        ("a/.github/skills/x", "copilot"),
        (".copilot/skills/x/", "copilot"),
        (".config/opencode/skills/x", "opencode"),
        ("skills/x", ""),
        (".claude/skills", ""),
    ],
)
def test_whose_it_is_follows_from_its_directory(directory: str, platform: str) -> None:
    assert platform_at(directory) == platform
