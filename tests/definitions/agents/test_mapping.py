"""Universal tools -> a platform's names: what holds for each of them and for all."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.definitions.base.mapping import ToolMap, map_tools, to_platform
from rulez_py.definitions.base.tool import AnyTool, CustomTool, Platform, Tool
from tests.definitions.agents.made import custom_tools, platforms, tool_lists
from tests.test_tool_table import agent_files

MAPS = st.dictionaries(st.text(max_size=5), st.booleans(), max_size=6).map(ToolMap)


@pytest.mark.parametrize(("platform", "variant", "names"), list(agent_files()))
def test_a_tool_has_the_names_of_the_matrix(platform: str, variant: str, names: tuple[str, ...]) -> None:
    assert to_platform(Tool(variant), Platform(platform)) == list(names)


@pytest.mark.parametrize(
    ("platform", "tools", "names"),
    [
        (Platform.Copilot, [Tool.Glob, Tool.List], ["search"]),
        (Platform.Copilot, [Tool.Write, Tool.Glob, Tool.List], ["write", "search"]),
        (Platform.Claude, [Tool.TodoWrite], ["TaskCreate", "TaskUpdate"]),
        (Platform.Claude, [Tool.TodoRead], ["TaskList", "TaskGet", "TaskUpdate"]),
        (Platform.Claude, [Tool.TodoWrite, Tool.TodoRead], ["TaskCreate", "TaskUpdate", "TaskList", "TaskGet"]),
        (Platform.Claude, [Tool.Glob, Tool.List, Tool.Glob], ["Glob"]),
        (Platform.OpenCode, [Tool.WebSearch, Tool.Read], ["read"]),
        (Platform.Copilot, [Tool.LSP, Tool.Question], []),
        (Platform.Gemini, [Tool.Shell, Tool.LSP, Tool.Custom("mcp_x_y")], ["run_shell_command", "mcp_x_y"]),
        (Platform.Claude, [Tool.Custom("Bash"), Tool.Shell], ["Bash"]),
    ],
)
def test_tools_are_mapped_in_order_and_each_name_once(
    platform: Platform, tools: list[AnyTool], names: list[str]
) -> None:
    assert map_tools(tools, platform) == names


def test_todo_stands_for_its_two_tools() -> None:
    with pytest.warns(DeprecationWarning):
        assert map_tools([Tool.Read, Tool.Todo], Platform.OpenCode) == ["read", "todowrite", "todoread"]


@given(tool_lists, platforms)
def test_order_is_preserved(tools: list[AnyTool], platform: Platform) -> None:
    all_names = [name for tool in tools for name in to_platform(tool, platform)]
    assert map_tools(tools, platform) == sorted(set(all_names), key=all_names.index)


@given(tool_lists, tool_lists, platforms)
def test_more_tools_never_change_what_stands_before(
    tools: list[AnyTool], more: list[AnyTool], platform: Platform
) -> None:
    names = map_tools(tools, platform)
    assert map_tools([*tools, *more], platform)[: len(names)] == names


@given(custom_tools.filter(lambda tool: not tool.name.startswith("mcp__") and not tool.further), platforms)
def test_a_custom_name_passes_unchanged(tool: CustomTool, platform: Platform) -> None:
    """Names of MCP tools are spelled as each platform spells them, and so is Grep."""
    assert to_platform(tool, platform) == [tool.name]


@pytest.mark.parametrize("platform", Platform)
@pytest.mark.parametrize("name", ["mcp_database", "github_api", "slack_api"])
def test_a_custom_tool_is_the_same_everywhere(platform: Platform, name: str) -> None:
    assert map_tools([Tool.Custom(name)], platform) == [name]


# What a platform lacks.


@pytest.mark.parametrize(
    ("platform", "lacks"),
    [
        (Platform.OpenCode, [Tool.WebSearch]),
        (Platform.Copilot, [Tool.LSP, Tool.Question]),
        (Platform.Claude, []),
        (Platform.Gemini, [Tool.LSP, Tool.TodoRead]),
    ],
)
def test_the_caller_can_be_told_what_a_platform_lacks(platform: Platform, lacks: list[Tool]) -> None:
    told: list[tuple[Tool, Platform]] = []
    map_tools([*Tool, *Tool], platform, on_missing=lambda tool, where: told.append((tool, where)))
    assert told == [(tool, platform) for tool in lacks]


# The map.


@given(MAPS)
def test_a_map_is_a_copy_of_what_it_was_made_of(made: ToolMap) -> None:
    source = dict(made)
    other = ToolMap(source)
    source["more"] = True
    assert other == made


@pytest.mark.parametrize(
    "change",
    [
        lambda made: made.__setitem__("Bash", True),
        lambda made: made.__delitem__("Read"),
        lambda made: made.update({"Bash": True}),
        lambda made: made.pop("Read"),
        lambda made: made.clear(),
        lambda made: made.__ior__({"Bash": True}),
        lambda made: setattr(made, "_entries", {}),
        lambda made: setattr(made, "entries", {}),
        lambda made: delattr(made, "_entries"),
        lambda made: made._entries.__setitem__("Bash", True),
    ],
)
def test_a_map_cannot_be_changed(change: Callable[[ToolMap], None]) -> None:
    made = ToolMap({"Read": True})
    with pytest.raises((AttributeError, TypeError)):
        change(made)
    assert dict(made) == {"Read": True}


def test_a_map_cannot_be_made_anew() -> None:
    made = ToolMap({"Read": True})
    made.__init__({"Bash": True})  # type: ignore[misc]
    assert dict(made) == {"Read": True}


@given(MAPS, st.text(max_size=5))
def test_another_map_differs_in_one_name(made: ToolMap, name: str) -> None:
    assert dict(made.enable(name)) == {**made, name: True}
    assert dict(made.disable(name)) == {**made, name: False}
    assert list(made.enable(name))[: len(made)] == list(made)


@given(MAPS)
def test_enabled_and_disabled_are_all_of_it(made: ToolMap) -> None:
    assert ToolMap(dict.fromkeys(made.enabled, True) | dict.fromkeys(made.disabled, False)) == made


def test_names_go_by_globs() -> None:
    made = ToolMap({"read": True, "mcp_db": True, "mcp_web": False, "my_mcp_x": True})
    assert list(made.without("mcp_*")) == ["read", "my_mcp_x"]


@pytest.mark.parametrize("entries", [{"Read": "yes"}, {"Read": 1}, {1: True}, {None: False}])
def test_only_names_and_truth_values_make_a_map(entries: dict[object, object]) -> None:
    with pytest.raises(TypeError, match="a tool map has names and True or False"):
        ToolMap(entries)  # type: ignore[arg-type]


@given(MAPS)
def test_maps_can_be_hashed_copied_and_kept(made: ToolMap) -> None:
    assert hash(copy.copy(made)) == hash(made)
    assert copy.deepcopy(made) == made
    assert pickle.loads(pickle.dumps(made)) == made
