"""Tool variants: what can be written, and what it means."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path
from typing import assert_never

import pytest
from hypothesis import given

from rulez_py.definitions.base.tool import (
    ALIASES,
    AnyTool,
    CustomTool,
    Platform,
    Tool,
    UnknownTool,
    old_name,
    parse_tool,
    spelled,
)
from rulez_py.platforms import PLATFORMS, tool_table
from tests.definitions.agents.made import any_tools

REQUIRED = (
    *("Write", "Edit", "Shell", "Read", "Glob", "List", "LSP", "Skill"),
    *("TodoWrite", "TodoRead", "WebFetch", "WebSearch", "Question"),
)


def test_the_variants_are_those_of_the_tool_table() -> None:
    assert tuple(tool.value for tool in Tool) == REQUIRED == tool_table.VARIANTS


def test_the_platforms_are_those_of_the_tool_table() -> None:
    assert {platform.value for platform in Platform} == set(tool_table.AGENT_FILE_NAMES) <= set(PLATFORMS)


def test_bash_is_shell_and_says_so() -> None:
    with pytest.warns(DeprecationWarning, match=r"Tool\.Bash is an old name: write Tool\.Shell") as told:
        assert Tool.Bash is Tool.Shell
    assert told[0].filename == __file__


def test_todo_is_todo_write_and_todo_read_and_says_so() -> None:
    with pytest.warns(DeprecationWarning, match=r"Tool\.Todo is an old name: write Tool\.TodoWrite, Tool\.TodoRead"):
        assert Tool.Todo == (Tool.TodoWrite, Tool.TodoRead)


def test_the_new_names_warn_of_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [Tool(name) for name in REQUIRED] == list(Tool)


def describe(tool: AnyTool) -> str:
    """Type checkers see that no variant is missing here."""
    match tool:
        case Tool.Write | Tool.Edit | Tool.Shell:
            return "changes"
        case Tool.Read | Tool.Glob | Tool.List | Tool.LSP | Tool.TodoRead | Tool.WebFetch | Tool.WebSearch:
            return "reads"
        case Tool.Skill | Tool.TodoWrite | Tool.Question:
            return "works"
        case Tool.Custom(name=name):
            return name
        case _:
            assert_never(tool)


def test_a_match_over_all_variants_is_exhaustive() -> None:
    assert [describe(tool) for tool in (Tool.Shell, Tool.Read, Tool.Skill, Tool.Custom("mine"))] == [
        *("changes", "reads", "works", "mine")
    ]


def test_a_type_checker_sees_a_variant_that_is_missing(tmp_path: Path) -> None:
    source = Path(__file__).read_text().replace("case Tool.Skill | Tool.TodoWrite | Tool.Question", "case Tool.Skill")
    start, end = source.index("def describe"), source.index("def test_a_match_over")
    head = "from typing import assert_never\nfrom rulez_py.definitions.base.tool import AnyTool, Tool\n"
    (tmp_path / "missing.py").write_text(head + source[start:end])
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", str(tmp_path / "missing.py")],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent.parent.parent.parent,
    )
    assert checked.returncode == 1
    assert 'incompatible type "Literal[Tool.TodoWrite, Tool.Question]"; expected "Never"' in checked.stdout


# As words in files and on the command line.


@given(any_tools)
def test_a_tool_s_word_means_that_tool(tool: AnyTool) -> None:
    assert parse_tool(spelled(tool)) == (tool,)


@pytest.mark.parametrize(
    ("word", "meaning", "told"),
    [
        ("Bash", (Tool.Shell,), '"Bash" is an old name: write Shell'),
        ("Todo", (Tool.TodoWrite, Tool.TodoRead), '"Todo" is an old name: write TodoWrite and TodoRead'),
        ("Shell", (Tool.Shell,), ""),
        ("Custom:mcp_database", (CustomTool("mcp_database"),), ""),
        ("Custom:Custom:x", (CustomTool("Custom:x"),), ""),
        ("Custom:Bash", (CustomTool("Bash"),), ""),
    ],
)
def test_what_a_word_means(word: str, meaning: tuple[AnyTool, ...], told: str) -> None:
    assert (parse_tool(word), old_name(word)) == (meaning, told)


@pytest.mark.parametrize(
    ("word", "advice"),
    [
        ("shell", 'did you mean "Shell"? a tool of your own is written "Custom:shell"'),
        ("Shel", 'did you mean "Shell"?'),
        ("mcp_database", "there are Write, Edit, Shell,"),
        ("", "there are Write, Edit, Shell,"),
        ("Custom:", "is no tool's name"),
        ("Custom:a,b", "is no tool's name"),
        ("Custom: a", "is no tool's name"),
        ("Custom:a\nb", "is no tool's name"),
        ("Custom:a\x1b[2J", "is no tool's name"),
        ("Custom", "a tool of your own is written"),
    ],
)
def test_a_word_that_means_no_tool_is_refused_with_advice(word: str, advice: str) -> None:
    with pytest.raises(UnknownTool) as refused:
        parse_tool(word)
    assert advice in refused.value.help


def test_old_names_are_listed_once() -> None:
    assert set(ALIASES) == {"Bash", "Todo"}


def test_a_custom_tool_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        CustomTool("mine").name = "yours"  # type: ignore[misc]
