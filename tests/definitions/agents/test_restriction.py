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
from rulez_py.definitions.base.mapping import ToolMap, to_platform
from rulez_py.definitions.base.notes import CannotSay
from rulez_py.definitions.base.prompt import Section
from rulez_py.definitions.base.tool import AnyTool, Platform, Tool

MCP = {"make", "drop"}
SHELLS = {
    *(
        "Bash",
        "Execute",
        "Monitor",
        "PowerShell",
        "bash",
        "background_process",
        "run_shell_command",
        "monitor",
        "execute",
    ),
}
"""What runs command lines, by each platform's names."""


def row(names: str, tools: str) -> dict[str, set[str]]:
    return {name: set(tools.split()) for name in names.split()}


# What one name in a list gives the model, for lists. Copilot takes them in any case.
GIVES: dict[Platform, dict[str, set[str]]] = {
    Platform.Copilot: {
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
    Platform.Gemini: {
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
    Platform.Qwen: {
        **{
            name: {name}
            for name in (
                *("read_file", "write_file", "edit", "notebook_edit", "run_shell_command", "monitor", "glob"),
                *("grep_search", "skill", "web_fetch", "agent"),
            )
        },
        "mcp__demo__make": {"make"},
        "mcp__demo__drop": {"drop"},
    },
    Platform.Droid: {
        **{
            name: {name}
            for name in (
                *("Create", "Edit", "Execute", "Glob", "Grep", "LS", "Read", "Skill", "FetchUrl", "WebSearch"),
                *("AskUser", "ApplyPatch"),
            )
        },
        "MultiEdit": {"Edit"},
        "demo___make": {"make"},
        "demo___drop": {"drop"},
    },
    Platform.Kimi: {
        **{
            name: {name}
            for name in (
                *("Agent", "AgentSwarm", "AskUserQuestion", "Bash", "Edit", "FetchURL", "Glob", "Grep", "Read"),
                *("Skill", "TodoList", "TowerInit", "TowerSpawn", "WebSearch", "Write"),
            )
        },
        **row("mcp__* mcp__demo__*", "make drop"),
        "mcp__demo__make": {"make"},
        "mcp__demo__drop": {"drop"},
        # As a glob is one for MCP servers alone.
        "Ba*": set(),
    },
    Platform.Claude: {
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
ALWAYS = {Platform.Droid: {"Skill"}}
"""What every agent has, whatever its file says; a note says so."""
# OpenCode and Kilo Code go by permissions: tool -> the permission it is a matter of.
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

BY_PERMISSION = {
    Platform.OpenCode: PERMISSIONS,
    Platform.Kilo: {**PERMISSIONS, "background_process": "background_process"},
}


def given_by(platform: Platform, name: str) -> set[str]:
    """What a name stands for."""
    if platform in BY_PERMISSION:
        permission = "edit" if name in ("write", "edit", "patch") else name
        return {tool for tool, needed in BY_PERMISSION[platform].items() if fnmatchcase(needed, permission)}
    table = GIVES[platform]
    return table.get(name.lower() if platform is Platform.Copilot else name, set())


def offered(platform: Platform, head: dict[str, Any]) -> set[str]:
    """What an agent with this front matter has."""
    if platform in BY_PERMISSION:
        has = set(BY_PERMISSION[platform])
        for name, on in head.get("tools", {}).items():
            has = has | given_by(platform, name) if on else has - given_by(platform, name)
        return has
    everything = {tool for tools in GIVES[platform].values() for tool in tools}
    has = union(platform, head["tools"]) if "tools" in head else everything
    gone = union(platform, head.get("disallowedTools", ()))
    return (has - gone - ({"Monitor"} if "Bash" in gone else set())) | ALWAYS.get(platform, set())


def union(platform: Platform, names: Iterable[str]) -> set[str]:
    return {tool for name in names for tool in given_by(platform, name)}


NAMES = {platform: [*table] for platform, table in GIVES.items()} | {
    platform: [*names, "patch", "demo_*", "*_make", "wri*", "wri?e", "e*", "?ask", "nothing"]
    for platform, names in BY_PERMISSION.items()
}


def tools(platform: Platform) -> st.SearchStrategy[list[AnyTool]]:
    custom = st.sampled_from(NAMES[platform]).map(Tool.Custom)
    if platform is Platform.Copilot:
        custom = st.one_of(custom, st.sampled_from([name.title() for name in NAMES[platform]]).map(Tool.Custom))
    return st.lists(st.one_of(st.sampled_from(list(Tool)), custom), max_size=4)


@st.composite
def definitions(draw: st.DrawFn) -> tuple[Platform, AgentDefinition]:
    platform = draw(st.sampled_from(list(Platform)))
    has, gone = draw(st.one_of(st.none(), tools(platform).map(tuple))), draw(tools(platform).map(tuple))
    sections = (Section("", "You review."),)
    return platform, AgentDefinition(
        name="reviewer", description="d", tools=has, disallowed_tools=gone, sections=sections
    )


def names_of(platform: Platform, some: Iterable[AnyTool]) -> list[str]:
    return [name for tool in some for name in to_platform(tool, platform)]


@settings(max_examples=600)
@given(definitions(), st.booleans())
def test_what_is_taken_away_is_gone_and_nothing_is_added(
    made: tuple[Platform, AgentDefinition], enriches: bool
) -> None:
    platform, agent = made
    again = ToolMap(dict.fromkeys(names_of(platform, agent.disallowed_tools), True))
    try:
        text = render(agent, platform, enricher=lambda *given: {**given[2], **again} if enriches else {**given[2]})
    except CannotSay:
        return
    has = offered(platform, YAML(typ="safe", pure=True).load(text[4:].partition("---\n")[0]))
    assert has & union(platform, names_of(platform, agent.disallowed_tools)) <= ALWAYS.get(platform, set())
    if agent.tools is not None:
        assert has <= union(platform, names_of(platform, agent.tools)) | ALWAYS.get(platform, set())


@pytest.mark.parametrize("platform", Platform)
def test_an_enricher_that_says_nothing_takes_no_restriction_away(platform: Platform) -> None:
    agent = AgentDefinition(
        name="reviewer", description="d", disallowed_tools=(Tool.Shell,), sections=(Section("", "You review."),)
    )
    text = render(agent, platform, enricher=lambda *_: {})
    has = offered(platform, YAML(typ="safe", pure=True).load(text[4:].partition("---\n")[0]))
    assert has & SHELLS == set()


@pytest.mark.parametrize("platform", Platform)
def test_what_is_not_taken_away_stays(platform: Platform) -> None:
    """Besides what starts other agents, and where only a name gives them the tools of MCP servers."""
    agent = AgentDefinition(
        name="reviewer", description="d", disallowed_tools=(Tool.Shell,), sections=(Section("", "You review."),)
    )
    has = offered(platform, YAML(typ="safe", pure=True).load(render(agent, platform)[4:].partition("---\n")[0]))
    everything = offered(platform, {})
    besides = {"task", "Agent", "AgentSwarm", "TowerInit", "TowerSpawn", "Workflow", "agent", "ApplyPatch"}
    by_name = (Platform.Copilot, Platform.Droid)
    assert everything - has - SHELLS - besides == (MCP if platform in by_name else set())
