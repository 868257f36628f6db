"""Slash commands: what is read, what each platform's file says, and what is refused."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.definitions.agents import AgentError, Platform, Tool
from rulez_py.definitions.base.notes import CannotSay
from rulez_py.definitions.commands import COMMAND_FILES, PLATFORMS, SlashCommand, file_path, load, plan, read, render
from rulez_py.definitions.output.errors import InvalidAgent

CASES: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).with_name("writing.yaml"))


def made(**given: Any) -> SlashCommand:
    given["tools"] = [Tool(name) for name in given.get("tools", ())]
    return SlashCommand(**{"name": "fix", "description": "d", "text": "x", **given})


@pytest.mark.parametrize(
    ("case", "platform"),
    [
        pytest.param(case, platform, id=f"{platform}: {case['title']}")
        for case in CASES
        for platform in PLATFORMS
        if platform in case
    ],
)
def test_what_is_written(case: dict[str, Any], platform: str) -> None:
    command, wanted = made(**case["command"]), case[platform]
    notes: list[Any] = []
    if isinstance(wanted, dict):
        with pytest.raises(CannotSay) as error:
            render(command, platform)
        assert wanted["refused"] in str(error.value)
        return
    assert render(command, platform, warn=notes.append) == wanted
    told = [str(note).partition(": ")[2] for note in notes]
    assert told == case.get("told", {}).get(platform, [])


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60).filter(str.strip))
def test_toml_says_every_text(text: str) -> None:
    command = made(text=text.replace("\r", ""), description=text) if text.replace("\r", "").strip() else made()
    try:
        data = tomllib.loads(render(command, "gemini"))
    except CannotSay:
        return
    assert data["prompt"] == command.text.strip("\n") + "\n"
    assert data["description"] == " ".join(command.description.split())


@pytest.mark.parametrize(
    ("platform", "project", "user"),
    [
        ("claude", ".claude/commands/fix.md", ".claude/commands/fix.md"),
        ("opencode", ".opencode/command/fix.md", ".config/opencode/command/fix.md"),
        ("gemini", ".gemini/commands/fix.toml", ".gemini/commands/fix.toml"),
        ("kilo", ".kilo/command/fix.md", ".config/kilo/command/fix.md"),
        ("qwen", ".qwen/commands/fix.md", ".qwen/commands/fix.md"),
        ("droid", ".factory/commands/fix.md", ".factory/commands/fix.md"),
    ],
)
def test_where_a_command_stands(platform: str, project: str, user: str) -> None:
    assert file_path(made(), platform) == project
    assert file_path(made(), platform, user=True) == user


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("x", "commands/fix.md:1:1: there is no front matter"),
        ("---\n# x\n---\nx\n", "commands/fix.md:1:1: the file is empty"),
        ("---\narguments: a\n---\nx\n", "commands/fix.md:2:1: the command has no description"),
        ("---\ndescription: d\n---\n\n", "commands/fix.md:4:1: the command has no text"),
        ("---\ndescription: d\ntool: Read\n---\nx\n", 'commands/fix.md:3:1: unknown key "tool"'),
        (
            "---\ndescription: d\ntools: [Shel]\n---\nx\n",
            'commands/fix.md:3:9: "tools.1" holds "Shel", which is no tool',
        ),
        ("---\ndescription: d\nplatforms: {copilot: {a: b}}\n---\nx\n", "for which no slash commands are written"),
        ("---\ndescription: d\n---\nx {{tool:Shel}}\n", "commands/fix.md:4:3: {{tool:Shel}} is no tool"),
        ("---\ndescription: d\n---\n{{var:x}}\n", "commands/fix.md:4:1: {{var:x}} has no value"),
        ("---\ndescription: d\n---\n{{arg:0}}\n", "a place for an argument that is not between 1 and 20"),
        ("- a\n", "commands/fix.md:1:1: there is no front matter"),
        ("---\n- a\n---\nx\n", "must be a map"),
    ],
)
def test_what_people_are_told(content: str, said: str) -> None:
    done = read(content.encode(), "commands/fix.md")
    assert done.command is None
    assert any(said in str(one) for one in done.problems), [str(one) for one in done.problems]


@given(st.binary(max_size=200) | st.text("-\n: []{}#desc\"'argtools{}&*|>", max_size=80).map(str.encode))
def test_no_bytes_raise(content: bytes) -> None:
    done = read(b"---\ndescription: d\n---\n" + content, "fix.md")
    assert done.command is not None or done.problems
    assert read(content, "fix.md").problems is not None


def test_a_file_is_read_with_its_values(tmp_path: Path) -> None:
    (tmp_path / "fix.md").write_text(
        "---\ndescription: For {{var:a}}\nvars: {a: x, b: y}\n---\n\n{{var:a}} {{var:b}}\n"
    )
    command = load(tmp_path / "fix.md", variables={"b": "z"})
    assert (command.name, command.description, command.text.strip()) == ("fix", "For x", "x z")
    with pytest.raises(AgentError, match="No such file"):
        load(tmp_path / "gone.md")
    (tmp_path / "A B.md").write_text("---\ndescription: d\n---\nx\n")
    with pytest.raises(InvalidAgent, match="must be made of a-z and 0-9"):
        load(tmp_path / "A B.md")


@pytest.mark.parametrize(
    "given",
    [
        {"name": "../x"},
        {"name": "con"},
        {"description": " "},
        {"text": ""},
        {"text": 3},
        {"text": "{{tool:Shel}}"},
        {"arguments": "a\nb"},
        {"text": "\ud800"},
        {"text": "{{arg:99}}"},
    ],
)
def test_what_no_command_may_be(given: dict[str, Any]) -> None:
    with pytest.raises((AgentError, ValueError)):
        made(**given)


@pytest.mark.parametrize(
    ("agent", "place"),
    [("Claude Code", ".claude/commands"), ("Kilo Code", ".kilo/command"), ("Kilo Code", ".kilocode/commands")],
)
def test_another_of_the_name_that_may_win_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agent: str, place: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / place).mkdir(parents=True)
    (tmp_path / place / "fix.md").write_text("x")
    _, notes = plan(made(), ["claude", "opencode", "kilo", "qwen"], tmp_path / "project")
    told = f"fix, {agent}: ~/{place}/fix.md is a command of that name as well, and may take its place"
    assert [str(note) for note in notes] == [told]


def test_a_platform_without_slash_commands() -> None:
    with pytest.raises(
        InvalidAgent, match="there is no platform 'codex' with slash commands; there are claude, droid, gemini, kilo"
    ):
        render(made(), "codex")


def test_the_models_of_a_command_are_known_by_the_facts_of_agent_files() -> None:
    with_models = {platform for platform, files in COMMAND_FILES.items() if "model" in files.keys}
    assert with_models <= {platform.value for platform in Platform}
