"""No file gives an agent a tool that it must not have: by any name, by a glob, by a switch it shares with another.

What a file gives is reckoned here from the contracts alone (docs/contracts, "Agent definition files").
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulez_py.definitions.agents.definition import AgentDefinition
from rulez_py.definitions.agents.writers import render
from rulez_py.definitions.base.mapping import ToolMap, to_harness
from rulez_py.definitions.base.notes import CannotSay
from rulez_py.definitions.base.prompt import Section
from rulez_py.definitions.base.tool import AnyTool, Harness, Tool

MCP = {"make", "drop"}


def row(names: str, tools: str) -> dict[str, set[str]]:
    return {name: set(tools.split()) for name in names.split()}


# What one name in a list gives the model, for lists. Copilot takes them in any case.
GIVES: dict[Harness, dict[str, set[str]]] = {
    Harness.Copilot: {
        **row("execute shell bash runcommands execute/runinterminal", "bash"),
        **row("write edit multiedit notebookedit", "create edit"),
        **row("create createfile edit/createfile", "create"),
        **row("editfiles edit/editfiles", "edit"),
        **row("read view notebookread read/readfile", "view"),
        **row("search codebase search/codebase", "glob grep"),
        **row("glob search/filesearch", "glob"),
        **row("grep search/textsearch", "grep"),
        "skill": {"skill"},
        **row("todo todos todowrite update_todo", "update_todo"),
        **row("web webfetch web_fetch web/fetch", "web_fetch"),
        **row("agent task custom-agent runsubagent", "task"),
        "demo/*": MCP,
        **row("demo/make demo-make", "make"),
        **row("demo/drop demo-drop", "drop"),
    },
    Harness.Gemini: {
        **{
            name: {name}
            for name in (
                *("read_file", "list_directory", "glob", "grep_search", "write_file", "replace", "run_shell_command"),
                *("web_fetch", "google_web_search", "activate_skill", "write_todos", "ask_user"),
            )
        },
        "search_file_content": {"grep_search"},
        **row("mcp_* mcp_demo_*", "make drop"),
        "mcp_demo_make": {"make"},
        "mcp_demo_drop": {"drop"},
    },
    Harness.Claude: {
        **{
            name: {name}
            for name in (
                *("Read", "Write", "Edit", "NotebookEdit", "Bash", "Monitor", "PowerShell", "Glob", "Grep", "Skill"),
                *("WebFetch", "WebSearch", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "Workflow"),
            )
        },
        **row("Agent Task", "Agent"),
        **row("mcp__demo mcp__demo__*", "make drop"),
        "mcp__demo__make": {"make"},
        "mcp__demo__drop": {"drop"},
    },
}
# OpenCode goes by permissions: tool -> the permission it is a matter of.
PERMISSIONS = {
    **{
        name: name
        for name in (
            *("bash", "read", "glob", "grep", "skill", "task", "todowrite", "webfetch", "websearch", "lsp"),
            *("question", "demo_make", "demo_drop"),
        )
    },
    **dict.fromkeys(("write", "edit"), "edit"),
}


def given_by(harness: Harness, name: str) -> set[str]:
    """What a name stands for."""
    if harness is Harness.OpenCode:
        permission = "edit" if name in ("write", "edit", "patch") else name
        return {tool for tool, needed in PERMISSIONS.items() if fnmatchcase(needed, permission)}
    table = GIVES[harness]
    return table.get(name.lower() if harness is Harness.Copilot else name, set())


def offered(harness: Harness, head: dict[str, Any]) -> set[str]:
    """What an agent with this front matter has."""
    if harness is Harness.OpenCode:
        has = set(PERMISSIONS)
        for name, on in head.get("tools", {}).items():
            has = has | given_by(harness, name) if on else has - given_by(harness, name)
        return has
    everything = {tool for tools in GIVES[harness].values() for tool in tools}
    has = union(harness, head["tools"]) if "tools" in head else everything
    gone = union(harness, head.get("disallowedTools", ()))
    return has - gone - ({"Monitor"} if "Bash" in gone else set())


def union(harness: Harness, names: Iterable[str]) -> set[str]:
    return {tool for name in names for tool in given_by(harness, name)}


NAMES = {harness: [*table] for harness, table in GIVES.items()} | {
    Harness.OpenCode: [*PERMISSIONS, "patch", "demo_*", "*_make", "wri*", "wri?e", "e*", "?ask", "nothing"]
}


def tools(harness: Harness) -> st.SearchStrategy[list[AnyTool]]:
    custom = st.sampled_from(NAMES[harness]).map(Tool.Custom)
    if harness is Harness.Copilot:
        custom = st.one_of(custom, st.sampled_from([name.title() for name in NAMES[harness]]).map(Tool.Custom))
    return st.lists(st.one_of(st.sampled_from(list(Tool)), custom), max_size=4)


@st.composite
def definitions(draw: st.DrawFn) -> tuple[Harness, AgentDefinition]:
    harness = draw(st.sampled_from(list(Harness)))
    has, gone = draw(st.one_of(st.none(), tools(harness).map(tuple))), draw(tools(harness).map(tuple))
    sections = (Section("", "x"),)
    return harness, AgentDefinition(name="x", description="d", tools=has, disallowed_tools=gone, sections=sections)


def names_of(harness: Harness, some: Iterable[AnyTool]) -> list[str]:
    return [name for tool in some for name in to_harness(tool, harness)]


@settings(max_examples=600)
@given(definitions(), st.booleans())
def test_what_is_taken_away_is_gone_and_nothing_is_added(made: tuple[Harness, AgentDefinition], enriches: bool) -> None:
    harness, agent = made
    again = ToolMap(dict.fromkeys(names_of(harness, agent.disallowed_tools), True))
    try:
        text = render(agent, harness, enricher=lambda *given: {**given[2], **again} if enriches else {**given[2]})
    except CannotSay:
        return
    has = offered(harness, YAML(typ="safe", pure=True).load(text[4:].partition("---\n")[0]))
    assert has & union(harness, names_of(harness, agent.disallowed_tools)) == set()
    if agent.tools is not None:
        assert has <= union(harness, names_of(harness, agent.tools))


@pytest.mark.parametrize("harness", Harness)
def test_an_enricher_that_says_nothing_takes_no_restriction_away(harness: Harness) -> None:
    agent = AgentDefinition(name="x", description="d", disallowed_tools=(Tool.Shell,), sections=(Section("", "x"),))
    text = render(agent, harness, enricher=lambda *_: {})
    has = offered(harness, YAML(typ="safe", pure=True).load(text[4:].partition("---\n")[0]))
    assert has & {"Bash", "Monitor", "bash", "run_shell_command", "execute"} == set()


@pytest.mark.parametrize("harness", Harness)
def test_what_is_not_taken_away_stays(harness: Harness) -> None:
    """Besides what starts other agents, and on Copilot the tools of MCP servers, which only a name gives."""
    agent = AgentDefinition(name="x", description="d", disallowed_tools=(Tool.Shell,), sections=(Section("", "x"),))
    has = offered(harness, YAML(typ="safe", pure=True).load(render(agent, harness)[4:].partition("---\n")[0]))
    everything = offered(harness, {})
    shells = {"Bash", "Monitor", "PowerShell", "bash", "run_shell_command", "execute"}
    starters = {"task", "Agent", "Workflow"}
    assert everything - has - shells - starters == (MCP if harness is Harness.Copilot else set())
