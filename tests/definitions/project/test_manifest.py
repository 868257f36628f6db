"""`rulez.agents.yaml`: what is read of it, and `rulez agents write|list|show|diff|clean` with it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from ruamel.yaml import YAML

from rulez_py.cli import cli
from rulez_py.definitions.project import Manifest, everything, load, read
from rulez_py.platforms import PLATFORMS

CASES: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).with_name("problems.yaml"))
WHOLE = """\
agents: [agents/*.yaml]
skills: [skills/*]
commands: [commands/*.md]
instructions: [instructions/*.md]
vars: {team: core}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with two agents, a skill and two texts, and the current directory in it."""
    root = tmp_path / "project"
    files = {
        "rulez.agents.yaml": WHOLE,
        "agents/aa.yaml": "description: For {{var:team}}\ntools: [Read]\nprompt: You read things.\n",
        "agents/bb.yaml": "description: b\nprompt: Use {{tool:Shell}}.\n",
        "skills/notes/SKILL.md": "---\ndescription: Takes notes.\n---\n\nOf {{var:team}}.\n",
        "skills/notes/scripts/x.sh": "echo x\n",
        "skills/README.md": "No skill.\n",
        "commands/fix.md": "---\ndescription: Fixes.\n---\n\nFix {{arg:1}} for {{var:team}}.\n",
        "instructions/1-main.md": "Run `make test`.\n",
        "instructions/2-style.md": "Be short.\n",
        "CLAUDE.md": "People wrote this.\n",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(root)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return root


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["agents", *arguments])


def files(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["title"])
def test_what_people_are_told(project: Path, case: dict[str, Any]) -> None:
    done = read(case["file"].encode(), "rulez.agents.yaml")
    assert [f"{one.line}:{one.column}: {one.text}" for one in done.problems] == case["problems"]
    assert done.manifest is None


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
@pytest.mark.parametrize("name", ["agents/c.yaml", "skills/c", "commands/c.md", "instructions/c.md"])
def test_nothing_is_taken_from_outside_of_the_project(project: Path, name: str) -> None:
    outside = project.parent / "outside"
    outside.mkdir()
    (outside / "SKILL.md").write_text("---\ndescription: a secret\n---\nx\n")
    (project / name).symlink_to(outside if name == "skills/c" else outside / "SKILL.md")
    result = run("write")
    assert result.exit_code == 1
    assert f'"{name}" leads out of the project; put the file itself there' in result.stderr
    assert not (project / ".claude").exists()


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
@pytest.mark.parametrize("outside", [True, False], ids=["out of the project", "inside of it"])
@pytest.mark.parametrize(
    "directory",
    [
        *(".claude", ".claude/agents", ".claude/skills", ".claude/commands", ".gemini", ".gemini/commands"),
        *(".opencode", ".opencode/agent", ".github", ".github/agents", ".codex"),
    ],
)
def test_nothing_is_written_behind_a_link(project: Path, directory: str, outside: bool) -> None:
    elsewhere = (project.parent if outside else project) / "elsewhere"
    elsewhere.mkdir()
    (project / directory).parent.mkdir(exist_ok=True)
    (project / directory).symlink_to(elsewhere)
    before = files(project)
    result = run("write")
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"Error: {directory} is a symbolic link; put a directory in its place, or remove it\n" in result.stderr
    assert (files(project), list(elsewhere.iterdir())) == (before, [])


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
@pytest.mark.parametrize("directory", ["agents", "skills", "commands", "instructions"])
def test_nothing_is_read_behind_a_link(project: Path, directory: str) -> None:
    (project / directory).rename(project / "elsewhere")
    (project / directory).symlink_to("elsewhere")
    result = run("write")
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"Error: {directory} is a symbolic link; " in result.stderr


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
@pytest.mark.parametrize("directory", [".claude", ".claude/agents", "agents", "skills"])
def test_nothing_is_imported_from_or_to_behind_a_link(project: Path, directory: str) -> None:
    for path, text in {
        ".claude/agents/mine.md": "---\nname: mine\ndescription: d\n---\n\nx\n",
        ".claude/skills/own/SKILL.md": "---\nname: own\ndescription: d\n---\n\nx\n",
    }.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(text)
    (project / directory).rename(project / "elsewhere")
    (project / directory).symlink_to("elsewhere")
    before = files(project)
    result = run("import", ".claude/agents/mine.md", ".claude/skills/own")
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"Error: {directory} is a symbolic link; " in result.stderr
    assert files(project) == before


def test_what_a_file_says(project: Path) -> None:
    assert load(project) == Manifest(
        agents=("agents/aa.yaml", "agents/bb.yaml"),
        skills=("skills/notes",),
        commands=("commands/fix.md",),
        instructions=("instructions/1-main.md", "instructions/2-style.md"),
        variables={"team": "core"},  # type: ignore[arg-type]
    )
    assert load(project).platforms == PLATFORMS


def test_one_command_writes_all_of_it(project: Path) -> None:
    before = files(project)
    result = run("write")
    assert result.exit_code == 0, result.output
    there = set(files(project)) - set(before)
    assert there == {
        *(f".claude/agents/{name}.md" for name in ("aa", "bb")),
        *(f".gemini/agents/{name}.md" for name in ("aa", "bb")),
        *(
            f"{place}/{name}.md"
            for place in (".opencode/agent", ".kilo/agent", ".qwen/agents", ".factory/droids", ".kimi-code/agents")
            for name in ("aa", "bb")
        ),
        *(f".github/agents/{name}.agent.md" for name in ("aa", "bb")),
        *(f"{place}/notes/{name}" for place in skill_places() for name in ("SKILL.md", "scripts/x.sh")),
        *("AGENTS.md", "GEMINI.md", ".claude/CLAUDE.md"),
        *(".claude/commands/fix.md", ".opencode/command/fix.md", ".gemini/commands/fix.toml"),
        *(".kilo/command/fix.md", ".qwen/commands/fix.md", ".factory/commands/fix.md"),
    }
    assert b"For core" in files(project)[".claude/agents/aa.md"]
    assert b"Of core." in files(project)[".claude/skills/notes/SKILL.md"]
    assert files(project)["CLAUDE.md"] == before["CLAUDE.md"]
    again = run("write")
    assert again.exit_code == 0
    assert "wrote" not in again.stdout
    assert run("write", "--check").exit_code == 0
    assert run("diff").exit_code == 0


def skill_places() -> set[str]:
    from rulez_py.definitions.skills.platforms import SKILL_FILES

    return {facts.directory for facts in SKILL_FILES.values() if facts.directory}


@pytest.mark.parametrize(
    ("platforms", "path", "said"),
    [
        (
            "claude, droid, openhands, vibe",
            "skills/my_notes",
            "skills/my_notes: Factory Droid, OpenHands and Mistral Vibe load no skill called my_notes; "
            "call it my-notes, or leave them out: ",
        ),
        (
            "claude, kimi",
            "agents/my__notes.yaml",
            "agents/my__notes.yaml: Kimi Code loads no agent called my__notes; call it my-notes, or leave it out: ",
        ),
        ("claude, qwen", "agents/system.yaml", "agents/system.yaml: Qwen Code loads no agent called system; choose "),
    ],
)
def test_a_name_that_some_load_nothing_by_is_refused_once(project: Path, platforms: str, path: str, said: str) -> None:
    place = project / path
    if path.startswith("skills"):
        place.mkdir()
        (place / "SKILL.md").write_text("---\ndescription: d\n---\nx\n")
    else:
        place.write_text("description: d\nprompt: You read things.\n")
    kind = path.partition("/")[0]
    (project / "rulez.agents.yaml").write_text(f"platforms: [{platforms}]\n{kind}: [{path}]\n")
    before = files(project)
    result = run("write")
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {said}")
    assert result.stderr.count("load") == 1
    assert result.stderr.endswith("Nothing is written\n")
    assert files(project) == before
    assert run("write", "--platform", "claude").exit_code == 0


def test_a_person_s_own_go_into_the_home_directory(project: Path) -> None:
    before = files(project)
    assert run("write", "--scope", "user").exit_code == 0
    assert files(project) == before
    there = files(project.parent / "home")
    assert ".claude/agents/aa.md" in there
    assert ".codex/AGENTS.md" in there
    assert ".config/opencode/agent/aa.md" in there
    assert run("write", "--scope", "user", "--check").exit_code == 0


def test_platforms_and_values_of_the_command_line_win(project: Path) -> None:
    assert run("write", "--platform", "claude", "--var", "team=web").exit_code == 0
    there = files(project)
    assert b"For web" in there[".claude/agents/aa.md"]
    assert b"make test" in there["CLAUDE.md"]
    assert not [name for name in there if name.startswith((".opencode", ".gemini", "AGENTS"))]


def test_what_is_not_as_it_would_be_is_shown_and_fails(project: Path) -> None:
    run("write")
    (project / "instructions/2-style.md").write_text("Be shorter.\n")
    (project / "agents/bb.yaml").unlink()
    for command in (["write", "--check"], ["diff"]):
        result = run(*command)
        assert result.exit_code == 1
        assert "-Be short." in result.stdout
        assert "+Be shorter." in result.stdout
        assert "error: .claude/agents/bb.md is still loaded, but agents/bb.yaml no longer makes it" in result.stderr


def test_what_is_not_asked_for_any_more_is_cleaned_and_people_s_text_stays(project: Path) -> None:
    before = files(project)
    run("write")
    (project / "agents/bb.yaml").unlink()
    (project / "skills/notes/scripts/x.sh").unlink()
    assert "removed .claude/skills/notes/scripts/x.sh" in run("write").stdout
    assert "would remove .claude/agents/bb.md" in run("clean", "--dry-run").stdout
    assert "removed .claude/agents/bb.md (from agents/bb.yaml)" in run("clean").stdout
    assert not (project / ".claude/agents/bb.md").exists()
    assert run("clean").stdout == "nothing is left over\n"
    assert run("clean", "--all").exit_code == 0
    gone = {"agents/bb.yaml", "skills/notes/scripts/x.sh"}
    assert files(project) == {name: content for name, content in before.items() if name not in gone}


OF_CLAUDE = (".claude/", "CLAUDE.md")
"""What Claude Code alone loads. The project's CLAUDE.md is a person's."""


def written(project: Path) -> tuple[set[str], set[str]]:
    """What rulez wrote of Claude Code's, and all else that is there."""
    there = {name for name, content in files(project).items() if content != b"People wrote this.\n"}
    ours = {name for name in there if name.startswith(OF_CLAUDE)}
    return ours, there - ours


@pytest.mark.parametrize("named", ["", "platforms: [claude, gemini, opencode]\n", "platforms: [claude]\n"])
def test_all_of_one_platform_is_cleaned_and_nothing_of_the_others(project: Path, named: str) -> None:
    (project / "rulez.agents.yaml").write_text(WHOLE + named)
    before = files(project)
    run("write")
    whole = files(project)
    ours, others = written(project)
    assert ours
    assert "would remove .claude/agents/aa.md" in run("clean", "--all", "--dry-run", "--platform", "claude").stdout
    assert files(project) == whole
    assert run("clean", "--all", "--platform", "claude").exit_code == 0
    assert written(project) == (set(), others)
    assert files(project)["CLAUDE.md"] == before["CLAUDE.md"]
    assert run("clean", "--all", "--platform", "claude").stdout == "nothing is left over\n"
    assert run("write").exit_code == 0
    assert files(project) == whole
    assert run("clean", "--all").exit_code == 0
    assert files(project) == before


def test_what_is_left_over_of_one_platform_is_cleaned_and_what_is_made_stays(project: Path) -> None:
    run("write")
    (project / "agents/bb.yaml").unlink()
    whole = files(project)
    cleaned = run("clean", "--platform", "claude")
    assert cleaned.stdout == "removed .claude/agents/bb.md (from agents/bb.yaml)\n"
    assert files(project) == {name: content for name, content in whole.items() if name != ".claude/agents/bb.md"}
    assert run("clean", "--platform", "claude").stdout == "nothing is left over\n"
    assert ".gemini/agents/bb.md" in run("clean").stdout
    assert run("write", "--check").exit_code == 0


def test_a_platform_that_is_no_longer_named_is_cleaned(project: Path) -> None:
    run("write")
    _, others = written(project)
    (project / "rulez.agents.yaml").write_text(
        WHOLE + "platforms: [gemini, opencode, codex, copilot, kilo, qwen, pi, grok, droid, kimi, openhands, vibe]\n"
    )
    assert run("clean", "--platform", "claude").exit_code == 0
    assert written(project) == (set(), others)
    assert run("write", "--check").exit_code == 0


def test_what_was_written_for_one_platform_is_not_left_over_of_it(project: Path) -> None:
    run("write", "--platform", "claude")
    assert run("clean", "--platform", "claude").stdout == "nothing is left over\n"
    assert run("clean", "--platform", "gemini").stdout == "nothing is left over\n"
    assert run("write", "--platform", "claude", "--check").exit_code == 0


def test_for_one_platform_the_others_files_are_not_left_over(project: Path) -> None:
    (project / "rulez.agents.yaml").write_text("agents: [agents/*.yaml]\ncommands: [commands/*.md]\nvars: {team: x}\n")
    run("write")
    for command in (["write"], ["diff"], ["list"]):
        told = run(*command, "--platform", "claude")
        assert told.exit_code == 0
        assert "left over" not in told.output
        assert "still loaded" not in told.output


def test_what_somebody_edited_is_neither_written_over_nor_cleaned(project: Path) -> None:
    run("write")
    for name in (".claude/agents/aa.md", "AGENTS.md"):
        path = project / name
        path.write_text(path.read_text().replace("You read", "You write").replace("make test", "make all"))
    result = run("write", "--var", "team=x")
    assert result.exit_code == 1
    assert "edited by hand" in result.stderr
    cleaned = run("clean", "--all")
    assert cleaned.exit_code == 1
    assert "kept .claude/agents/aa.md (from agents/aa.yaml): somebody edited it; --force removes it" in cleaned.stderr
    assert (project / ".claude/agents/aa.md").exists()
    assert run("clean", "--all", "--force").exit_code == 0
    assert not (project / ".claude/agents").exists() or not list((project / ".claude/agents").iterdir())


def test_where_one_thing_is_wrong_nothing_is_written(project: Path) -> None:
    (project / "skills/notes/SKILL.md").write_text("---\ndescription: {{\n---\n")
    before = files(project)
    result = run("write")
    assert result.exit_code == 1
    assert result.stderr.startswith("skills/notes/SKILL.md:")
    assert files(project) == before


def test_all_that_there_is_is_listed(project: Path) -> None:
    run("write", "--platform", "claude")
    assert run("list").stdout.splitlines()[0] == (
        "agent         aa                 differs  "
        "agents/aa.yaml -> claude, copilot, droid, gemini, kilo, kimi, opencode, qwen"
    )
    rows = json.loads(run("list", "--json").stdout)
    assert [(row["kind"], row["name"], row["state"]) for row in rows][:3] == [
        ("agent", "aa", "differs"),
        ("agent", "bb", "differs"),
        ("skill", "notes", "differs"),
    ]
    assert ".claude/agents/aa.md" in rows[0]["files"]
    run("write")
    assert {row["state"] for row in json.loads(run("list", "--json").stdout)} == {"written"}


def test_one_thing_is_shown_as_it_is_to_be(project: Path) -> None:
    shown = run("show", "bb", "--platform", "gemini")
    assert shown.exit_code == 0
    assert shown.stdout.startswith("== .gemini/agents/bb.md\n---\n")
    assert "Use run_shell_command.\n" in shown.stdout
    assert "Be short." in run("show", "AGENTS.md").stdout
    assert run("show", "skills/notes", "--platform", "codex").exit_code == 0
    gone = run("show", "c")
    assert gone.exit_code == 1
    assert gone.stderr.startswith("Error: there is no c; there are aa, bb, notes, fix, AGENTS.md, ")


def test_what_is_doubtful_is_told(project: Path) -> None:
    (project / "agents/aa.yaml").write_text("description: d\ntools: [Bash]\nprompt: You read things.\n")
    (project / "skills/notes/SKILL.md").write_text("---\ndescription: d\nversion: 1.10\n---\n\nx\n")
    told = run("write").stderr
    assert "warning: agents/aa.yaml:2:9: " in told
    assert 'warning: skills/notes/SKILL.md:3:10: "version" is the number 1.1' in told


def test_without_the_file_people_are_told_what_to_write(project: Path) -> None:
    (project / "rulez.agents.yaml").unlink()
    result = run("write")
    assert (result.exit_code, result.stderr) == (
        1,
        "Error: there is no rulez.agents.yaml; write one with `agents: [agents/*]` in it, or name the AGENTs to "
        "write\n",
    )


def test_nothing_of_it_is_run(project: Path) -> None:
    (project / "rulez.agents.yaml").write_text(WHOLE + "enrichers: [x.py:f]\n")
    result = run("write")
    assert result.exit_code == 1
    assert 'unknown key "enrichers"' in result.stderr


def test_from_python_the_same_is_planned(project: Path) -> None:
    found = everything(load(project), str(project))
    assert {entry.kind for entry in found.entries} == {"agent", "skill", "command", "instructions"}
    assert not any(os.path.exists(target.path) for target in found.targets)
