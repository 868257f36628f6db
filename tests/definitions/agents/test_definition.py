"""The definition as a value: what it refuses, and that nothing in it can be changed."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from rulez_py.definitions.agents.definition import AgentDefinition
from rulez_py.definitions.base.names import LONGEST_NAME
from rulez_py.definitions.base.prompt import Section
from rulez_py.definitions.base.tool import Platform, Tool


def made(**fields: Any) -> AgentDefinition:
    return AgentDefinition(**{"name": "x", "description": "d", **fields})


@pytest.mark.parametrize("name", ["x", "code-reviewer", "a_b", "0", "a--b", "x" * LONGEST_NAME])
def test_names_that_every_platform_takes(name: str) -> None:
    assert made(name=name).name == name


@pytest.mark.parametrize(
    "name",
    ["", "-x", "x-", "_x", "Reviewer", "a b", "a.b", "a/b", "..", "a\\b", "a:b", "é", "a\n", "x" * (LONGEST_NAME + 1)],
)
def test_names_that_some_platform_does_not_take(name: str) -> None:
    with pytest.raises(ValueError, match="the agent name "):
        made(name=name)


@pytest.mark.parametrize(
    ("fields", "error", "message"),
    [
        ({"description": "  "}, ValueError, "has no description"),
        ({"tools": ("Bash",)}, TypeError, "'Bash' is no tool: write Tool.Shell, Tool.Custom"),
        ({"disallowed_tools": (None,)}, TypeError, "None is no tool"),
        ({"sections": (Section("", "{{tool:Shel}}"),)}, ValueError, 'there is no tool "Shel"; did you mean "Shell"?'),
        ({"sections": (Section("{{tool:Shel}}", ""),)}, ValueError, 'there is no tool "Shel"'),
        ({"temperature": float("nan")}, ValueError, "the temperature of agent x is nan"),
        ({"temperature": 3}, ValueError, "and must be from 0 to 2"),
        ({"max_tokens": 0}, ValueError, "agent x has 0 tokens"),
        ({"description": "\ud800"}, ValueError, "half of a surrogate pair"),
        ({"sections": (Section("", "\ud800"),)}, ValueError, "half of a surrogate pair"),
        ({"front_matter": {"k" * 201: 1}}, ValueError, "has a key of 201 characters"),
        ({"platforms": {Platform.Claude: {"disallowed tool": []}}}, ValueError, "that is disallowedTools"),
        ({"front_matter": {"Tools": ["x"]}}, ValueError, 'has "Tools" in its front matter: that is tools'),
        ({"platforms": {Platform.Claude: {"allowed-tools": []}}}, ValueError, "that is tools"),
        ({"front_matter": {"__proto__": 1}}, ValueError, '"__proto__" in its front matter'),
        ({"front_matter": {"x": {1}}}, TypeError, "front matter cannot hold {1}"),
        ({"front_matter": {"x": b"y"}}, TypeError, "front matter cannot hold b'y'"),
        ({"front_matter": {"x": float("nan")}}, TypeError, "front matter cannot hold nan"),
        ({"front_matter": {"x": {1: 2}}}, TypeError, "a key of front matter is text, not 1"),
        ({"front_matter": {"x": "\ud800"}}, ValueError, "half of a surrogate pair"),
    ],
)
def test_what_no_file_can_say_is_refused(fields: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as refused:
        made(**fields)
    assert message in str(refused.value)


def test_what_it_was_made_of_can_change_without_it() -> None:
    tags, deep = ["db"], {"list": [1]}
    agent = made(front_matter={"tags": tags, "deep": deep})
    tags.append("sql")
    deep["list"].append(2)
    assert agent.front_matter["tags"] == ("db",)
    assert agent.front_matter["deep"]["list"] == (1,)


def test_lists_become_tuples_and_todo_its_two_tools() -> None:
    some = [Tool.Read]
    with pytest.warns(DeprecationWarning):
        agent = made(tools=[Tool.Write, Tool.Todo], disallowed_tools=some, sections=[Section("", "x")])
    some.append(Tool.Shell)
    assert agent.tools == (Tool.Write, Tool.TodoWrite, Tool.TodoRead)
    assert (agent.disallowed_tools, agent.sections) == ((Tool.Read,), (Section("", "x"),))


def test_another_one_is_made_with_replace() -> None:
    agent = made(tools=(Tool.Read,), front_matter={"tags": ["db"]})
    other = dataclasses.replace(agent, name="y")
    assert (other.name, other.tools, other.front_matter) == ("y", (Tool.Read,), agent.front_matter)


@pytest.mark.parametrize(
    ("platform", "tools"),
    [
        (Platform.OpenCode, {"write": True, "edit": True, "bash": False}),
        (Platform.Copilot, {"write": True, "edit": True, "execute": False}),
        (Platform.Claude, {"Write": True, "Edit": True, "Bash": False}),
        (Platform.Gemini, {"write_file": True, "replace": True, "run_shell_command": False}),
    ],
)
def test_tools_add_and_disallowed_tools_remove(platform: Platform, tools: dict[str, bool]) -> None:
    agent = made(tools=(Tool.Write, Tool.Edit, Tool.Shell), disallowed_tools=(Tool.Shell,))
    assert dict(agent.tool_map(platform)) == tools


def test_a_model_is_for_all_or_for_each() -> None:
    assert made(model="sonnet").model_on(Platform.Gemini) == "sonnet"
    each = made(model={Platform.Claude: "sonnet"})
    assert (each.model_on(Platform.Claude), each.model_on(Platform.Gemini)) == ("sonnet", None)
