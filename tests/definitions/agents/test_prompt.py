"""Prompts: Markdown and sections, and the names of tools in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.definitions.base.prompt import Section, fill, join, placeholders, split
from rulez_py.definitions.base.tool import Platform, Tool, UnknownTool

FENCED = "```markdown\n## not a heading\n```"


@pytest.mark.parametrize(
    ("markdown", "sections"),
    [
        ("", []),
        ("\n \n", []),
        ("You review.", [("", "You review.")]),
        ("You review.\n\n## How\n\nStep by step.\n", [("", "You review."), ("How", "Step by step.")]),
        ("## A\n## B\ntext", [("A", ""), ("B", "text")]),
        ("# Title\n\n### Deeper\n\nx", [("", "# Title\n\n### Deeper\n\nx")]),
        ("Title\n-----\nx", [("", "Title\n-----\nx")]),
        ("## A\n\n##\n\nx", [("A", "##\n\nx")]),
        ("## A ##\n\nx", [("A", "x")]),
        (f"## A\n\n{FENCED}\n\n## B", [("A", FENCED), ("B", "")]),
        ("- ## in a list\n\n> ## in a quote", [("", "- ## in a list\n\n> ## in a quote")]),
        ("    ## code\n\n## A", [("", "    ## code"), ("A", "")]),
        ("<!--\n## comment\n-->\n\n## A", [("", "<!--\n## comment\n-->"), ("A", "")]),
        ("one\r\n\r\n## A\r\n\r\ntwo\r\n", [("", "one"), ("A", "two")]),
        ("a\n\n---\n\nb", [("", "a\n\n---\n\nb")]),
    ],
)
def test_a_prompt_is_cut_at_its_second_level_headings(markdown: str, sections: list[tuple[str, str]]) -> None:
    assert split(markdown) == tuple(Section(*one) for one in sections)


@pytest.mark.parametrize(
    ("sections", "markdown"),
    [
        ([], ""),
        ([("", "")], ""),
        ([("", "You review.")], "You review.\n"),
        (
            [("Role", "You review.\n"), ("", "\n\nAlways."), ("How", "")],
            "## Role\n\nYou review.\n\nAlways.\n\n## How\n",
        ),
        ([("", "\n  indented\n")], "  indented\n"),
        ([("", "a\r\nb\rc")], "a\nb\nc\n"),
    ],
)
def test_sections_are_joined_in_their_order(sections: list[tuple[str, str]], markdown: str) -> None:
    assert join(Section(*one) for one in sections) == markdown


@given(st.text(st.sampled_from("## a`~\n->\t*[]<!"), max_size=60))
def test_cutting_and_joining_settles(markdown: str) -> None:
    once = join(split(markdown))
    assert join(split(once)) == once


@given(
    st.lists(st.tuples(st.sampled_from(["Role", "How to", "`x` and *y*"]), st.sampled_from(["one", "a\n\nb", FENCED])))
)
def test_sections_survive(sections: list[tuple[str, str]]) -> None:
    made = tuple(Section(*one) for one in sections)
    assert split(join(made)) == made


# The names of tools.


@pytest.mark.parametrize(
    ("text", "platform", "filled"),
    [
        ("Run {{tool:Shell}}.", Platform.Claude, "Run Bash."),
        ("Run {{tool:Shell}}.", Platform.OpenCode, "Run bash."),
        ("Run {{tool:Shell}}.", Platform.Copilot, "Run execute."),
        ("Run {{tool:Shell}}.", Platform.Gemini, "Run run_shell_command."),
        ("Use {{tool:TodoWrite}}.", Platform.Claude, "Use TaskCreate and TaskUpdate."),
        ("Use {{tool:TodoRead}}.", Platform.Claude, "Use TaskList, TaskGet and TaskUpdate."),
        ("{{tool:Read}}{{tool:Write}}", Platform.Gemini, "read_filewrite_file"),
        ("{{tool: Read }}", Platform.Claude, "Read"),
        ("{{tool:Custom:mcp_db}}", Platform.Claude, "mcp_db"),
        ("{{tool:Bash}} {{tool:Todo}}", Platform.OpenCode, "bash todowrite and todoread"),
        ("{{tool:WebSearch}}", Platform.OpenCode, "WebSearch"),
        ("\\{{tool:Shell}} is a placeholder", Platform.Claude, "{{tool:Shell}} is a placeholder"),
        ("{{ tool:Shell }} {tool:Shell} {{Shell}} {{tools:Shell}}", Platform.Claude, None),
        ("${{ secrets.X }} {{x}} $ARGUMENTS", Platform.Claude, None),
    ],
)
def test_a_placeholder_becomes_the_platform_s_name(text: str, platform: Platform, filled: str | None) -> None:
    assert fill(text, platform) == (text if filled is None else filled)


def test_the_caller_can_be_told_of_a_placeholder_for_what_the_platform_lacks() -> None:
    told: list[tuple[Tool, Platform]] = []
    fill("{{tool:Question}} {{tool:Shell}}", Platform.Copilot, on_missing=lambda *one: told.append(one))
    assert told == [(Tool.Question, Platform.Copilot)]


@pytest.mark.parametrize("text", ["{{tool:Shel}}", "{{tool:}}", "{{tool:mcp_db}}"])
def test_a_placeholder_for_no_tool_is_refused(text: str) -> None:
    with pytest.raises(UnknownTool):
        fill(text, Platform.Claude)


def test_placeholders_are_found_where_they_stand() -> None:
    text = "a {{tool:Read}}\n\\{{tool:Edit}} {{tool:Shel}}"
    assert [(one.offset, one.word) for one in placeholders(text)] == [(2, "Read"), (31, "Shel")]


@given(st.text(), st.sampled_from(list(Platform)))
def test_text_without_placeholders_stays_as_it_is(text: str, platform: Platform) -> None:
    if "{{tool:" not in text:
        assert fill(text, platform) == text
