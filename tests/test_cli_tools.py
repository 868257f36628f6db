"""`rulez tools`: the tool table for people, for programs and as TOOL-MAPPING.md."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from rulez_py.cli import cli
from rulez_py.cli.tool_mapping import markdown
from rulez_py.platforms import PLATFORMS, titled
from rulez_py.platforms.tool_table import AGENT_FILE_NAMES, INBOUND, VARIANTS
from tests.platforms import PROVEN


def tools(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["tools", *arguments])


def test_the_table_shows_every_agent_and_every_name() -> None:
    result = tools()
    assert result.exit_code == 0
    lines = result.output.splitlines()
    named = [name if name in PROVEN else f"{name} (unproven)" for name in PLATFORMS]
    assert [line for line in lines if not line.startswith(" ")] == named
    assert len(lines) == len(PLATFORMS) + sum(len(rows) for rows in INBOUND.values())


@pytest.mark.parametrize(
    ("platform", "words"),
    [
        ("gemini", ["run_shell_command", "Bash", "seen"]),
        ("gemini", ["google_web_search", "(unchanged)", "seen", "WebSearch"]),
        ("copilot", ["create", "Write", "seen"]),
        ("opencode", ["patch", "(unchanged)", "required", "Edit"]),
        ("claude", ["TaskUpdate", "(unchanged)", "seen", "TodoWrite", "TodoRead"]),
    ],
)
def test_a_row_says_name_canonical_evidence_and_variants(platform: str, words: list[str]) -> None:
    rows = [line.replace(",", " ").split() for line in tools("--platform", platform).output.splitlines()]
    assert words in rows


@pytest.mark.parametrize("platform", PLATFORMS)
def test_one_agent_alone(platform: str) -> None:
    lines = tools("--platform", platform).output.splitlines()
    assert lines[0] == platform + ("" if platform in PROVEN else " (unproven)")
    assert [line.split()[0] for line in lines[1:]] == list(INBOUND[platform])


def test_json_is_one_object_with_both_directions_of_every_agent() -> None:
    result = tools("--json")
    assert (result.exit_code, result.output.count("\n")) == (0, 1)
    table = json.loads(result.output)
    assert list(table) == list(PLATFORMS)
    for platform, directions in table.items():
        assert [row["name"] for row in directions["inbound"]] == list(INBOUND[platform])
        names = {variant: list(names) for variant, names in AGENT_FILE_NAMES.get(platform, {}).items()}
        assert directions["agent_file"] == names


def test_json_of_one_agent() -> None:
    table = json.loads(tools("--json", "--platform", "gemini").output)
    assert list(table) == ["gemini"]
    [row] = [row for row in table["gemini"]["inbound"] if row["name"] == "replace"]
    assert row == {"name": "replace", "canonical": "Edit", "variants": [], "evidence": "seen"}
    [unchanged] = [row for row in table["gemini"]["inbound"] if row["name"] == "write_todos"]
    assert unchanged == {
        "name": "write_todos",
        "canonical": "write_todos",
        "variants": ["TodoWrite"],
        "evidence": "seen",
    }


def test_markdown_is_the_whole_page() -> None:
    assert tools("--markdown").output == markdown()


def test_the_page_shows_every_name_in_the_section_of_its_agent() -> None:
    page = markdown()
    for platform in PLATFORMS:
        section = page.partition(f"### {titled(platform)}\n")[2].partition("\n### ")[0]
        for name, row in INBOUND[platform].items():
            assert f"| `{name}` | {row.canonical or 'unchanged'} |" in section


def test_the_page_shows_the_agent_definition_names_of_every_variant() -> None:
    section = markdown().partition("## Agent definition files")[2].partition("\n## ")[0]
    for variant in VARIANTS:
        [line] = [line for line in section.splitlines() if line.startswith(f"| **{variant}** |")]
        cells = [cell.strip() for cell in line.strip("|").split("|")[1:]]
        wanted = [AGENT_FILE_NAMES[platform][variant] for platform in PLATFORMS if platform in AGENT_FILE_NAMES]
        assert cells == [", ".join(f"`{name}`" for name in names) or "-" for names in wanted]


def test_no_cell_of_the_page_breaks_its_table() -> None:
    for block in markdown().split("\n\n"):
        rows = [line for line in block.splitlines() if line.startswith("|")]
        assert len({line.count("|") for line in rows}) <= 1, block


@pytest.mark.parametrize(
    ("platform", "names", "output"),
    [
        ("gemini", ["run_shell_command", "replace", "glob"], "Bash\nEdit\nGlob\n"),
        ("gemini", ["google_web_search", "mcp_a_b", "no_such_tool"], "google_web_search\nmcp_a_b\nno_such_tool\n"),
        ("copilot", ["shell", "bash", "view", "create"], "Bash\nBash\nRead\nWrite\n"),
        ("opencode", ["webfetch", "fetch", "list"], "WebFetch\nWebFetch\nlist\n"),
        ("claude", ["Bash", "bash", "Agent"], "Bash\nbash\nTask\n"),
    ],
)
def test_canonical_prints_one_name_a_line(platform: str, names: list[str], output: str) -> None:
    result = tools("canonical", "--platform", platform, *names)
    assert (result.exit_code, result.output) == (0, output)


@pytest.mark.parametrize(
    ("platform", "words", "output"),
    [
        ("claude", ["Shell", "Write"], "Bash\nWrite\n"),
        ("claude", ["TodoWrite", "TodoRead"], "TaskCreate\nTaskUpdate\nTaskList\nTaskGet\n"),
        ("copilot", ["Write", "Glob", "List"], "write\nsearch\n"),
        ("opencode", ["WebSearch", "Shell", "Custom:mcp_database"], "bash\nmcp_database\n"),
        ("gemini", ["Shell", "Custom:github_api"], "run_shell_command\ngithub_api\n"),
        ("copilot", ["LSP", "Question"], ""),
    ],
)
def test_map_prints_one_name_a_line(platform: str, words: list[str], output: str) -> None:
    result = tools("map", "--platform", platform, *words)
    assert (result.exit_code, result.stdout, result.stderr) == (0, output, "")


def test_map_as_json_is_one_list() -> None:
    assert (
        tools("map", "--platform", "claude", "--json", "TodoWrite", "LSP").stdout
        == '["TaskCreate","TaskUpdate","LSP"]\n'
    )
    assert tools("map", "--platform", "copilot", "--json", "LSP").stdout == "[]\n"


def test_map_says_what_an_agent_lacks_on_request() -> None:
    result = tools("map", "--platform", "copilot", "--warn", "LSP", "Read", "LSP")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "read\n", "Copilot has no LSP\n")


def test_map_takes_old_names_and_says_the_new_ones() -> None:
    result = tools("map", "--platform", "opencode", "Bash", "Todo")
    assert (result.exit_code, result.stdout) == (0, "bash\ntodowrite\ntodoread\n")
    assert result.stderr.splitlines() == [
        '"Bash" is an old name: write Shell',
        '"Todo" is an old name: write TodoWrite and TodoRead',
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["map", "--platform", "claude", "Shel"], 'there is no tool "Shel"; did you mean "Shell"?'),
        (["map", "--platform", "claude", "mcp_x"], 'a tool of your own is written "Custom:mcp_x"'),
        (["map", "--platform", "codex", "Shell"], "'codex' is not one of"),
        (["map", "Shell"], "Missing option '--platform'"),
        (["--platform", "claude", "map", "Shell"], "write the options behind map"),
        (["map", "--platform", "claude"], "Missing argument 'TOOL...'"),
        (["--json", "--markdown"], "choose one of --json and --markdown"),
        (["--markdown", "--platform", "gemini"], "--markdown shows all agents; leave out --platform"),
        (["--platform", "zed"], "'zed' is not one of"),
        (["canonical", "--platform", "gemini"], "Missing argument 'NAME...'"),
        (["canonical", "Bash"], "Missing option '--platform'"),
        (["nonsense"], "No such command 'nonsense'"),
    ],
)
def test_what_cannot_be_done_is_a_usage_error(arguments: list[str], message: str) -> None:
    result = tools(*arguments)
    assert result.exit_code == 2
    assert message in result.output


@pytest.mark.parametrize("arguments", [["--help"], ["tools", "--help"], ["tools", "canonical", "-h"]])
def test_help_is_there(arguments: list[str]) -> None:
    result = CliRunner().invoke(cli, arguments)
    assert (result.exit_code, "Usage:" in result.output) == (0, True)
