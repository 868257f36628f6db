"""Agent files that people have already -> definitions: written again they say the same; what they cannot is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from rulez_py.cli import cli
from rulez_py.definitions.agents import AgentDefinition, AgentError, AnyTool, Platform, Tool, imported, load, render
from rulez_py.definitions.agents.importing import platform_at
from rulez_py.definitions.output.marks import origin
from tests.definitions.agents.made import agents

GREP = Tool.Custom("Grep")
CLAUDE = """\
---
name: reviewer
description: Reviews changes.
tools: Read, Grep, Bash, mcp__db__query
model: sonnet
color: red
tags: [x]
---

You review {{tool:Shell}} and {{var:x}} as they stand.

## How

Slowly.
"""


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@example(
    AgentDefinition(name="a", description="d", tools=(Tool.TodoWrite,), disallowed_tools=(Tool.TodoRead,), prompt=""),
    Platform.Claude,
)
@given(agents, st.sampled_from(Platform))
def test_write_import_write_is_a_fixed_point(agent: AgentDefinition, platform: Platform) -> None:
    try:
        written = render(agent, platform)
    except AgentError:
        assume(False)
    done = imported(written.encode(), f"{agent.name}.md", platform)
    assert render(done.agent, platform) == written
    assert done.notes == ()


@pytest.mark.parametrize(
    "tools",
    [
        [Tool.TodoWrite, Tool.Write, Tool.TodoRead],
        [Tool.TodoRead, Tool.Write, Tool.TodoWrite],
        [Tool.Write, Tool.TodoRead, Tool.TodoWrite],
    ],
)
def test_tools_that_share_a_name_keep_their_places(tools: list[AnyTool]) -> None:
    written = render(AgentDefinition(name="a", description="d", tools=tools), "claude")
    done = imported(written.encode(), "a.md", Platform.Claude)
    assert (done.agent.tools, render(done.agent, "claude")) == (tuple(tools), written)


@pytest.mark.parametrize("platform", Platform)
@pytest.mark.parametrize("disallowed", [(), (GREP,), (Tool.Glob,), (Tool.Glob, GREP), (GREP, Tool.List)])
@pytest.mark.parametrize("tools", [None, (GREP,), (Tool.Glob, GREP, Tool.Read)])
def test_searching_in_files_is_a_fixed_point(
    platform: Platform, tools: tuple[AnyTool, ...] | None, disallowed: tuple[AnyTool, ...]
) -> None:
    prompt = "You look for things.\n"
    agent = AgentDefinition(name="ab", description="d", tools=tools, disallowed_tools=disallowed, prompt=prompt)
    written = render(agent, platform)
    done = imported(written.encode(), "ab.md", platform)
    assert (render(done.agent, platform), done.notes) == (written, ())


@pytest.mark.parametrize(
    ("platform", "written", "tools"),
    [
        *((one, "['*']", None) for one in ("claude", "copilot", "gemini", "qwen", "kimi")),
        *((one, '"*"', None) for one in ("claude", "kimi")),
        ("claude", "['*', Read]", None),
        ("copilot", "[read, '*']", None),
        ("gemini", "['*', read_file]", None),
        ("qwen", "['*', read_file]", None),
        ("kimi", "['*', Read]", (Tool.Read,)),
        ("kimi", '"Read, *"', (Tool.Read,)),
        ("kimi", "['*', '*']", ()),
        ("droid", "['*', Read]", (Tool.Read,)),
        ("droid", "['*']", ()),
        ("droid", '"*"', ()),
    ],
)
def test_a_star_gives_an_agent_no_tool_that_it_does_not_have(
    platform: str, written: str, tools: tuple[AnyTool, ...] | None
) -> None:
    text = f"---\nname: ab\ndescription: d\ntools: {written}\n---\nYou read what is there.\n"
    done = imported(text.encode(), "ab.md", Platform(platform))
    assert done.agent.tools == tools
    said = [str(note) for note in done.notes if "tools was" in str(note)]
    assert bool(said) is (tools is not None), said


def test_a_file_of_claude_code() -> None:
    done = imported(CLAUDE.encode(), ".claude/agents/reviewer.md", Platform.Claude)
    assert done.notes == ()
    assert done.text.replace(origin(CLAUDE.encode(), ".claude/agents/reviewer.md"), "").startswith(
        '---\nname: reviewer\ndescription: "Reviews changes."\n'
        'tools: [Read, Grep, Shell, "Custom:mcp__db__query"]\n'
        "model:\n  claude: sonnet\nplatforms:\n  claude:\n    color: red\n    tags: [x]\n---\n\n"
    )
    again = render(done.agent, "claude")
    assert "You review {{tool:Shell}} and {{var:x}} as they stand." in again
    assert "color: red" in again


@pytest.mark.parametrize(
    ("platform", "line"),
    [
        ("claude", "tools: [Read, Grep, Glob, Bash]"),
        ("copilot", "tools: [read, search, execute]"),
        ("gemini", "tools: [read_file, grep_search, glob, list_directory, run_shell_command]"),
        ("opencode", "grep: true"),
        ("kilo", "  read: true\n  grep: true\n  glob: true\n  bash: true\n"),
        ("qwen", "tools: [read_file, grep_search, glob, list_directory, run_shell_command]"),
    ],
)
def test_claude_code_s_commonest_tools_have_each_agent_s_own_names(platform: str, line: str) -> None:
    text = "---\nname: ab\ndescription: d\ntools: Read, Grep, Glob, Bash\n---\nYou read, with {{tool:Grep}}.\n"
    done = imported(text.encode(), "ab.md", Platform.Claude)
    assert done.agent.tools == (Tool.Read, Tool.Custom("Grep"), Tool.Glob, Tool.List, Tool.Shell)
    assert "tools: [Read, Grep, Glob, List, Shell]" in done.text
    assert line in render(done.agent, platform)


@pytest.mark.parametrize(
    ("platform", "given", "gone"),
    [
        ("claude", "tools: [Read]", "Grep"),
        ("copilot", "tools: [read]", "search"),
        ("gemini", "tools: [read_file]", "grep_search"),
        ("opencode", "grep: false", "grep: true"),
        ("kilo", "grep: false", "grep: true"),
        ("qwen", "tools: [read_file]", "tools: [read_file, grep_search]"),
    ],
)
def test_searching_is_taken_away_by_each_agent_s_own_name(platform: str, given: str, gone: str) -> None:
    agent = AgentDefinition(
        name="ab",
        description="d",
        tools=[Tool.Read, Tool.Custom("Grep")],
        disallowed_tools=[Tool.Custom("Grep")],
        prompt="You look for things.",
    )
    text = render(agent, platform)
    assert given in text
    assert gone not in text.replace("disallowedTools: [Grep]", "")


@pytest.mark.parametrize(
    ("platform", "text", "said"),
    [
        (
            "opencode",
            "---\ndescription: d\ntools: {write: false, x: true}\n---\nx\n",
            "a, OpenCode: tools was {write: false, x: true} and becomes {write: false, task: false}",
        ),
        ("gemini", "---\nname: a\ndescription: |\n  One\n  two\n---\nx\n", "a, Gemini CLI: description was"),
        ("claude", "---\nname: a\ndescription: d\nTools: Read\n---\nx\n", "a, Claude Code: Tools is left out"),
    ],
)
def test_what_it_says_otherwise_is_told(platform: str, text: str, said: str) -> None:
    notes = [str(note) for note in imported(text.encode(), "a.md", Platform(platform)).notes]
    assert any(note.startswith(said) for note in notes), notes


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"no front matter", "a.md:1:1: error: there is no front matter"),
        (b"---\ndescription: [\n---\n", "a.md:"),
        (b"---\n- x\n---\n", "a.md:1:1: error: the front matter is no map"),
        (b"---\nname: A B\ndescription: d\n---\n", 'a.md: the name "A B" must be made of a-z and 0-9'),
        (b"---\nname: a\n---\n", "a.md: no definition can say this: the agent has no description"),
        (b"---\nname: a\ndescription: d\n---\n\xff", "is not UTF-8"),
    ],
)
def test_what_is_no_agent_s_file_is_refused(content: bytes, said: str) -> None:
    with pytest.raises(AgentError) as error:
        imported(content, "a.md", Platform.Claude)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("path", "platform"),
    [
        ("/p/.claude/agents/a.md", "claude"),
        ("/home/u/.config/opencode/agent/a.md", "opencode"),
        ("/p/.github/agents/a.agent.md", "copilot"),
        ("/p/.github/agents/a.md", None),
        ("/p/.gemini/agents/a.md", "gemini"),
        ("/p/agents/a.md", None),
        ("/p/x.claude/agents/a.md", None),
    ],
)
def test_whose_file_it_is(path: str, platform: str | None) -> None:
    assert platform_at(path) == platform


def test_the_command_makes_definitions_and_writes_none_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".claude/agents").mkdir(parents=True)
    (tmp_path / ".claude/agents/reviewer.md").write_text(CLAUDE)
    run = CliRunner().invoke
    result = run(cli, ["agents", "import", ".claude/agents/reviewer.md"])
    assert (result.exit_code, result.stdout) == (0, "wrote agents/reviewer.md\n")
    assert load("agents/reviewer.md").model == {Platform.Claude: "sonnet"}
    (tmp_path / "agents/reviewer.md").write_text("mine\n")
    assert run(cli, ["agents", "import", ".claude/agents/reviewer.md"]).exit_code == 1
    assert (tmp_path / "agents/reviewer.md").read_text() == "mine\n"
    other = run(cli, ["agents", "import", "agents/reviewer.md"])
    assert "lies where nothing is loaded from; say whose agent it is with --platform" in other.stderr
    printed = run(cli, ["agents", "import", ".claude/agents/reviewer.md", "--out", "-"])
    assert "\nname: reviewer\n" in printed.stdout


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with an agent of Claude Code, and the manifest that docs/project-files.md begins with."""
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parents[3] / "docs/project-files.md").read_text()
    line = next(line for line in page.splitlines() if line.startswith("agents: "))
    (tmp_path / "rulez.agents.yaml").write_text(f"platforms: [claude, gemini]\n{line}\n")
    (tmp_path / ".claude/agents").mkdir(parents=True)
    (tmp_path / ".claude/agents/reviewer.md").write_text(CLAUDE)
    return tmp_path


def run(*line: str) -> Result:
    return CliRunner().invoke(cli, ["agents", *line])


@pytest.mark.parametrize("edit", ["", "tags: [db]\n"])
def test_from_import_to_write_nothing_is_forced_and_nothing_lost(project: Path, edit: str) -> None:
    done = run("import", ".claude/agents/reviewer.md")
    assert "note: `rulez agents write` writes them for every agent; what they were imported from is kept" in done.stderr
    definition = project / "agents/reviewer.md"
    definition.write_text(definition.read_text().replace("name: reviewer\n", f"name: reviewer\n{edit}"))
    assert "reviewer.md: what its definition was imported from\n" in run("write", "--check").stdout
    written = run("write")
    assert written.exit_code == 0, written.output
    assert "wrote .claude/agents/reviewer.md (what was there is .claude/agents/reviewer.md.bak)" in written.stdout
    assert (project / ".claude/agents/reviewer.md.bak").read_text() == CLAUDE
    assert (
        "Written by `rulez agents write` from agents/reviewer.md"
        in (project / ".gemini/agents/reviewer.md").read_text()
    )
    assert run("write").stdout == "unchanged .claude/agents/reviewer.md\nunchanged .gemini/agents/reviewer.md\n"


def test_what_was_edited_since_the_import_is_not_written_over(project: Path) -> None:
    run("import", ".claude/agents/reviewer.md")
    (project / ".claude/agents/reviewer.md").write_text(CLAUDE + "\nOne more.\n")
    refused = run("write")
    assert refused.exit_code == 1
    assert "edited by hand, or not written by rulez; nothing is written" in refused.stderr
    assert "One more." in (project / ".claude/agents/reviewer.md").read_text()


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        (
            "agents: [agents/*.yaml]\n",
            "note: write `agents: [agents/*]` into rulez.agents.yaml, then `rulez agents write` writes them",
        ),
        (None, "note: `rulez agents write agents/reviewer.md --platform all` writes them for every agent; "),
    ],
)
def test_import_says_how_its_definitions_are_written(project: Path, manifest: str | None, said: str) -> None:
    (project / "rulez.agents.yaml").unlink()
    if manifest is not None:
        (project / "rulez.agents.yaml").write_text(manifest)
    assert said in run("import", ".claude/agents/reviewer.md").stderr


def test_a_definition_that_was_kept_is_none(project: Path) -> None:
    run("import", ".claude/agents/reviewer.md")
    (project / "agents/reviewer.md").write_text("---\ndescription: d\n---\nx\n")
    assert run("import", ".claude/agents/reviewer.md", "--force").exit_code == 0
    assert (project / "agents/reviewer.md.bak").exists()
    assert run("write").exit_code == 0


def test_what_rulez_wrote_is_no_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text("description: d\nprompt: x\n")
    run = CliRunner().invoke
    run(cli, ["agents", "write", "a.yaml", "--platform", "claude"])
    result = run(cli, ["agents", "import", ".claude/agents/a.md"])
    assert "was written by rulez from a.yaml: that is the definition" in result.stderr
