"""docs/agents.md says what `rulez agents write` does: its examples are tried."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from rulez_py.cli import cli
from rulez_py.definitions.agents.definition import AgentDefinition
from rulez_py.definitions.agents.enrichers import enriched
from rulez_py.definitions.agents.format import FILE
from rulez_py.definitions.agents.reading import read
from rulez_py.definitions.base.tool import Platform, Tool
from rulez_py.documents.diagnostics import errors

PAGE = (Path(__file__).parents[3] / "docs" / "agents.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return [part.split("```", 1)[0] for part in PAGE.split(f"```{language}\n")[1:]]


def test_the_first_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "reviewer.yaml").write_text(blocks("yaml")[0])
    command, _, said = blocks("console")[0].partition("\n")
    result = CliRunner().invoke(cli, command.removeprefix("$ rulez ").split())
    assert result.exit_code == 0
    assert sorted(result.output.splitlines()) == sorted(said.splitlines())
    written = (tmp_path / ".opencode/agent/reviewer.md").read_text()
    assert written == blocks("markdown")[0]


def rows() -> list[tuple[str, str]]:
    table = PAGE.split("| key | example |", 1)[1].split("\n\n", 1)[0]
    cells = [line.split("|") for line in table.splitlines() if line.startswith("| `")]
    return [(row[1].strip(" `"), row[2].strip().strip("`")) for row in cells]


def test_the_page_has_every_key() -> None:
    assert [key for key, _ in rows()] == list(FILE.fields)


@pytest.mark.parametrize(("key", "example"), rows())
def test_its_examples_are_right(key: str, example: str) -> None:
    more = "" if key == "description" else "description: d\n"
    done = read(f"{more}{example}\n".encode(), "x.yaml")
    assert not errors(done.problems), done.problems
    assert example.startswith(f"{key}: ")


def test_the_page_names_every_tool() -> None:
    listed = PAGE.split("Tools are ", 1)[1].split(";", 1)[0].replace("\n", " ")
    assert listed.split(", ") == [tool.value for tool in Tool]


@pytest.fixture(scope="module")
def examples() -> ModuleType:
    module = ModuleType("my_enrichers")
    exec(blocks("python")[0], module.__dict__)
    return module


@pytest.mark.parametrize(
    ("enricher", "platform", "name", "tags", "before", "after"),
    [
        ("database", "claude", "dba", [], ["Read"], ["Read", "mcp__db__query"]),
        ("database", "claude", "other", [], ["Read"], ["Read"]),
        ("no_mcp_on_copilot", "copilot", "x", [], ["read", "mcp_a", "mcp_b"], ["read"]),
        ("no_mcp_on_copilot", "opencode", "x", [], ["read", "mcp_a"], ["read", "mcp_a"]),
        ("by_tags", "gemini", "x", ["slack"], ["glob"], ["glob", "mcp_slack_post"]),
        ("by_tags", "gemini", "x", ["db"], ["glob"], ["glob"]),
        ("everything", "opencode", "dba", ["slack"], [], ["db_query", "mcp_slack_post"]),
        ("everything", "copilot", "dba", ["slack"], ["mcp_x", "read"], ["read", "db/query"]),
    ],
)
def test_the_four_patterns_of_enrichers(
    examples: ModuleType, enricher: str, platform: str, name: str, tags: list[str], before: list[str], after: list[str]
) -> None:
    custom = tuple(Tool.Custom(tool) for tool in before)
    agent = AgentDefinition(name=name, description="d", tools=custom, front_matter={"tags": tags})
    where = Platform(platform)
    made = enriched(getattr(examples, enricher), where, agent, agent.tool_map(where))
    assert list(made.enabled) == after


def test_the_example_in_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(blocks("python")[1], {"__name__": "example"})
    assert capsys.readouterr().out.startswith('---\nname: dba\ndescription: "Looks after the database."\ntools: [')
    assert "# Written by `rulez agents write`" in (tmp_path / "my-project/.claude/agents/dba.md").read_text()


def test_the_example_of_a_match() -> None:
    exec(blocks("python")[2], {"__name__": "example"})
