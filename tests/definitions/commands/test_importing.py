"""Slash commands and instruction files that people have -> definitions; what these cannot say is told by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import assume, given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.cli import cli
from rulez_py.definitions.base.notes import CannotSay
from rulez_py.definitions.commands import COMMAND_FILES, PLATFORMS, SlashCommand, render
from rulez_py.definitions.commands.importing import imported, platform_at
from rulez_py.definitions.output.errors import InvalidAgent
from rulez_py.definitions.output.marks import origin

CASES: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).with_name("importing.yaml"))


def run(*line: str) -> Result:
    return CliRunner().invoke(cli, ["agents", *line])


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(project: Path, path: str, text: str) -> Path:
    (project / path).parent.mkdir(parents=True, exist_ok=True)
    (project / path).write_text(text)
    return project / path


@pytest.mark.parametrize("case", [pytest.param(case, id=case["title"]) for case in CASES])
def test_what_is_made_of_a_command(case: dict[str, Any]) -> None:
    content, path = case["file"].encode(), case["path"]
    platform = platform_at(f"/p/{path}")
    assert platform is not None
    done = imported(content, path, platform)
    assert done.text.replace(origin(content, path), "") == case["definition"]
    assert [note.text.split(": ", 1)[1] for note in done.notes] == case["told"]
    if platform in COMMAND_FILES and case.get("again", True):
        text = render(done.command, platform)
        assert imported(text.encode(), path, platform).command == done.command


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40), st.sampled_from(PLATFORMS))
def test_write_import_write_is_a_fixed_point(text: str, platform: str) -> None:
    assume(text.strip())
    command = SlashCommand(name="fix", description="d", text=f"{text} {{{{args}}}}")
    try:
        file = render(command, platform)
    except CannotSay:
        return
    done = imported(file.encode(), f"fix{COMMAND_FILES[platform].ending}", platform)
    assert (render(done.command, platform), done.notes) == (file, ())


@pytest.mark.parametrize(
    ("content", "path", "said"),
    [
        (b"prompt = 1\n", ".gemini/commands/x.toml", "its prompt is no text"),
        (b"prompt\n", ".gemini/commands/x.toml", "it is no TOML"),
        (b"\xff", ".claude/commands/x.md", "is not UTF-8"),
        (b"---\ndescription: d\n---\n", ".claude/commands/x.md", "no definition can say this: the command has no text"),
    ],
)
def test_what_is_no_command_is_refused(content: bytes, path: str, said: str) -> None:
    with pytest.raises(InvalidAgent, match=said):
        imported(content, path, platform_at(f"/p/{path}") or "")


def test_from_import_to_write(project: Path) -> None:
    case = CASES[0]
    written(project, case["path"], case["file"])
    done = run("import", case["path"])
    assert (done.exit_code, done.stdout) == (0, "wrote commands/fix.md\n")
    assert "note: write `commands: [commands/*]` into rulez.agents.yaml, then `rulez agents write`" in done.stderr
    written(project, "rulez.agents.yaml", "platforms: [claude, gemini]\ncommands: [commands/*]\n")
    again = run("write")
    assert "wrote .claude/commands/fix.md (what was there is .claude/commands/fix.md.bak)\n" in again.stdout
    assert 'argument-hint: "[file] [what is wrong]"\n' in (project / case["path"]).read_text()
    assert (project / ".gemini/commands/fix.toml").exists()
    assert "was written by rulez from commands/fix.md" in run("import", case["path"]).stderr


@pytest.mark.parametrize(
    ("path", "definition"),
    [
        ("CLAUDE.md", "instructions/claude.md"),
        ("AGENTS.md", "instructions/agents.md"),
        ("GEMINI.md", "instructions/gemini.md"),
        (".github/copilot-instructions.md", "instructions/copilot-instructions.md"),
        (".claude/CLAUDE.md", "instructions/claude.md"),
    ],
)
def test_instruction_files_become_instructions(project: Path, path: str, definition: str) -> None:
    text = "# How we work\n\nRun {{tool:Shell}}, see @docs/style.md and `@code`.\n"
    written(project, path, text)
    done = run("import", path)
    assert (done.exit_code, done.stdout) == (0, f"wrote {definition}\n")
    assert (project / definition).read_text() == text.replace("{{tool", "\\{{tool")
    assert f"warning: {path}: @docs/style.md takes a file in, which not every agent does" in done.stderr
    assert f"warning: {path}: it stays as it is: take out what is in the definition now" in done.stderr
    assert "note: write `instructions: [instructions/*]` into rulez.agents.yaml" in done.stderr
    assert "@code takes" not in done.stderr


def test_what_rulez_wrote_into_an_instruction_file_is_no_source(project: Path) -> None:
    written(project, "instructions/main.md", "Ours.\n")
    written(project, "rulez.agents.yaml", "platforms: [codex]\ninstructions: [instructions/main.md]\n")
    assert run("write").exit_code == 0
    assert "it holds only what rulez wrote" in run("import", "AGENTS.md").stderr
    (project / "AGENTS.md").write_text("Theirs.\n\n" + (project / "AGENTS.md").read_text())
    assert run("import", "AGENTS.md").exit_code == 0
    assert (project / "instructions/agents.md").read_text().strip() == "Theirs."


def test_two_of_one_name_are_refused(project: Path) -> None:
    for path in ("CLAUDE.md", ".claude/CLAUDE.md"):
        written(project, path, "x\n")
    refused = run("import", "CLAUDE.md", ".claude/CLAUDE.md")
    assert (refused.exit_code, list(project.glob("instructions/*"))) == (1, [])
    assert "there are two files of instructions called claude" in refused.stderr
