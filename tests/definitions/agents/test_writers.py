"""Writers: a definition -> the file a platform loads. writing.yaml says what, golden/ has whole files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from ruamel.yaml import YAML

from rulez_py.cli import cli
from rulez_py.definitions.agents import reading
from rulez_py.definitions.agents.definition import AgentDefinition
from rulez_py.definitions.agents.writers import OutputType, file_path, render
from rulez_py.definitions.base.mapping import to_platform
from rulez_py.definitions.base.notes import CannotSay, Note
from rulez_py.definitions.base.platforms import AGENT_FILES
from rulez_py.definitions.base.prompt import Section, fill, join
from rulez_py.definitions.base.tool import CustomTool, Platform, Tool
from tests.definitions.agents.made import agents, platforms

HERE = Path(__file__).parent
GOLDEN, DEFINITIONS = HERE / "golden", sorted((HERE / "definitions").iterdir())
CASES: list[dict[str, Any]] = YAML(typ="safe").load(HERE / "writing.yaml")
AGENT = AgentDefinition(name="reviewer", description="Reviews.", tools=(Tool.Read, Tool.Shell))


def halves(text: str) -> tuple[dict[str, Any], str]:
    """The front matter and the prompt of a Markdown file."""
    assert text.startswith("---\n")
    head, _, body = text[4:].partition("---\n")
    return YAML(typ="safe", pure=True).load(head), body.removeprefix("\n")


def cases() -> Iterator[Any]:
    for case in CASES:
        for platform in Platform:
            if platform.value in case:
                yield pytest.param(case, platform, id=f"{platform}: {case['title']}")


@pytest.mark.parametrize(("case", "platform"), list(cases()))
def test_what_is_written(case: dict[str, Any], platform: Platform) -> None:
    definition = {"name": "worker", "description": "Does it.", "prompt": "Do it.", **case["agent"]}
    read = reading.read(json.dumps(definition).encode(), "worker.yaml")
    assert read.agent is not None, read.problems
    notes: list[Note] = []
    expected = dict(case[platform.value])
    if "refused" in expected:
        with pytest.raises(CannotSay) as refused:
            render(read.agent, platform)
        assert expected["refused"] in str(refused.value)
        return
    head, _ = halves(render(read.agent, platform, warn=notes.append))
    assert {key: value for key, value in head.items() if key not in ("name", "description")} == expected
    if "tools" in expected and isinstance(expected["tools"], dict):
        assert list(head["tools"]) == list(expected["tools"])
    for key, grave in (("warned", True), ("told", False)):
        said = [note.text for note in notes if note.grave is grave]
        wanted = case.get(key, {}).get(platform.value)
        if wanted is not None:
            assert len(said) == len(wanted), said
            assert all(part in text for part, text in zip(wanted, said, strict=True)), said
        elif grave:
            assert said == []


def test_the_defaults_are_opencode_and_markdown() -> None:
    assert render(AGENT) == render(AGENT, Platform.OpenCode, OutputType.Markdown)


@pytest.mark.parametrize(
    ("platform", "path"),
    [
        (Platform.Claude, ".claude/agents/reviewer.md"),
        (Platform.OpenCode, ".opencode/agent/reviewer.md"),
        (Platform.Copilot, ".github/agents/reviewer.agent.md"),
        (Platform.Gemini, ".gemini/agents/reviewer.md"),
        (Platform.Kilo, ".kilo/agent/reviewer.md"),
        (Platform.Qwen, ".qwen/agents/reviewer.md"),
        (Platform.Droid, ".factory/droids/reviewer.md"),
        (Platform.Kimi, ".kimi-code/agents/reviewer.md"),
    ],
)
def test_a_file_stands_where_the_platform_looks(platform: Platform, path: str) -> None:
    assert file_path(AGENT, platform) == path
    assert file_path(AGENT, platform, OutputType.JSON) == path.replace(".agent.md", ".md").replace(".md", ".json")


# Whole files.


@pytest.mark.parametrize("output", OutputType)
def test_the_golden_files_are_what_is_written(output: OutputType) -> None:
    """After a change that is meant: the same command without --check writes them."""
    command = ["agents", "write", *map(str, DEFINITIONS), "--platform", "all", "--out", str(GOLDEN), "--check"]
    result = CliRunner().invoke(cli, [*command, "--format", output.value])
    assert result.exit_code == 0, result.output


def test_there_is_a_golden_file_for_each_definition_platform_and_type() -> None:
    files = {str(path.relative_to(GOLDEN)) for path in GOLDEN.rglob("*") if path.is_file()}
    assert files == {
        file_path(read, platform, output)
        for path in DEFINITIONS
        for read in [reading.read(path.read_bytes(), str(path)).agent]
        if read is not None
        for platform in Platform
        for output in OutputType
    }


@pytest.mark.parametrize("platform", Platform)
@pytest.mark.parametrize("path", DEFINITIONS, ids=lambda path: path.stem)
def test_a_golden_file_read_back_says_the_same_in_each_type(path: Path, platform: Platform) -> None:
    agent = reading.read(path.read_bytes(), str(path)).agent
    assert agent is not None
    texts = {output: (GOLDEN / file_path(agent, platform, output)).read_text() for output in OutputType}
    head, body = halves(texts[OutputType.Markdown])
    data = json.loads(texts[OutputType.JSON])
    assert YAML(typ="safe", pure=True).load(texts[OutputType.YAML]) == data
    for key in AGENT_FILES[platform].json_path:
        data = data[key.format(name=agent.name)]
    assert data.pop("prompt") == body == fill(join(agent.sections), platform)
    head.setdefault("name", agent.name)
    assert {"name": agent.name, **data} == head
    assert " ".join(head["description"].split()) == " ".join(agent.description.split())


@given(agents, platforms)
def test_any_agent_is_written_the_same_each_time_and_can_be_read(agent: AgentDefinition, platform: Platform) -> None:
    try:
        text = render(agent, platform)
    except CannotSay:
        return
    assert render(agent, platform) == text
    head, body = halves(text)
    assert body == fill(join(agent.sections), platform)
    description = agent.description.strip()
    if AGENT_FILES[platform].description_on_one_line:
        description = " ".join(description.split())
    assert head["description"] == description


@given(agents, platforms)
def test_no_agent_has_a_tool_it_must_not_have(agent: AgentDefinition, platform: Platform) -> None:
    try:
        head, _ = halves(render(agent, platform))
    except CannotSay:
        return
    tools = head.get("tools", {})
    enabled = [name for name, on in tools.items() if on] if isinstance(tools, dict) else tools
    for tool in agent.disallowed_tools:
        for name in to_platform(tool, platform):
            assert name not in enabled
            if not AGENT_FILES[platform].tool_name.fullmatch(name):
                continue
            if agent.tools is None:
                assert "tools" in head or name in head["disallowedTools"]
    if agent.tools is not None:
        assert "tools" in head
        named = {name for tool in agent.tools for name in to_platform(tool, platform)}
        assert set(enabled) - {AGENT_FILES[platform].no_tool} <= named


# Refusals that need no table.


@pytest.mark.parametrize(
    ("platform", "name"),
    [(platform, name) for platform in Platform for name in sorted(AGENT_FILES[platform].own_agents)],
)
def test_the_name_of_an_agent_of_its_own_is_refused(platform: Platform, name: str) -> None:
    agent = AgentDefinition(name=name, description="d", sections=(Section("", "You review it."),))
    with pytest.raises(CannotSay, match=f"it has an agent of its own called {name}; choose another name"):
        render(agent, platform)


@pytest.mark.parametrize("name", ["a", "main", "config", "a" * 51])
def test_a_name_that_no_agent_is_loaded_by_is_refused(name: str) -> None:
    agent = AgentDefinition(name=name, description="d", sections=(Section("", "You review it."),))
    with pytest.raises(CannotSay, match=f"it loads no agent called {name}; choose another name"):
        render(agent, Platform.Qwen)
    assert render(agent, Platform.Kilo)


def test_a_file_that_claude_code_would_not_load_is_refused() -> None:
    agent = replace(AGENT, sections=(Section("", "x" * 1_048_000),))
    with pytest.raises(CannotSay, match="it loads no file of more than 1,048,000 bytes"):
        render(agent, Platform.Claude)
    render(agent, Platform.OpenCode)


@pytest.mark.parametrize("blank", ["", "\ufeff"])
def test_a_prompt_that_is_blank_to_gemini_is_none(blank: str) -> None:
    with pytest.raises(CannotSay, match="it has no prompt"):
        render(replace(AGENT, sections=(Section("", blank),)), Platform.Gemini)


def test_a_file_without_a_prompt_ends_with_its_front_matter() -> None:
    assert render(AGENT, Platform.Claude).endswith("\ntools: [Read, Bash]\n---\n")


def test_keys_are_shown_as_they_are_written() -> None:
    notes: list[Note] = []
    render(replace(AGENT, front_matter={"k\x1b[31m": 1}), Platform.OpenCode, warn=notes.append)
    assert notes[0].text == 'reviewer, OpenCode: does not know "k\\u001b[31m", so it is left out'


def test_gemini_needs_a_prompt() -> None:
    with pytest.raises(CannotSay, match="it has no prompt, and every call would fail"):
        render(AGENT, Platform.Gemini)
    render(AGENT, Platform.Claude)


def test_warnings_name_the_agent_and_the_platform() -> None:
    notes: list[Note] = []
    render(replace(AGENT, tools=(Tool.WebSearch, CustomTool("x"))), Platform.OpenCode, warn=notes.append)
    assert [note.text for note in notes] == ["reviewer, OpenCode: has no WebSearch, so it is left out"]
