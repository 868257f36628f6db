"""Enrichers: pure functions of an immutable map, composed from left to right."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.definitions.agents.definition import AgentDefinition
from rulez_py.definitions.agents.enrichers import EnricherError, ToolEnricher, compose, enriched, identity, load
from rulez_py.definitions.base.mapping import ToolMap
from rulez_py.definitions.base.tool import Platform, Tool
from tests.definitions.agents.made import agents, platforms

AGENT = AgentDefinition(name="dba", description="Looks after the database.", tools=(Tool.Read,))
TOOLS = ToolMap({"read": True})


def adding(name: str) -> ToolEnricher:
    return lambda _platform, _agent, tools: tools.enable(name)


def removing(glob: str) -> ToolEnricher:
    return lambda _platform, _agent, tools: tools.without(glob)


ENRICHERS = st.one_of(
    st.sampled_from("abc").map(adding), st.sampled_from(["a", "*", "[ab]"]).map(removing), st.just(identity)
)
CHAINS = st.lists(ENRICHERS, max_size=5)


def entries(enricher: ToolEnricher, platform: Platform, agent: AgentDefinition) -> list[tuple[str, bool]]:
    return list(enriched(enricher, platform, agent, agent.tool_map(platform)).items())


@given(agents, platforms)
def test_none_means_no_change(agent: AgentDefinition, platform: Platform) -> None:
    assert entries(compose([]), platform, agent) == list(agent.tool_map(platform).items())


@given(ENRICHERS, agents, platforms)
def test_identity_is_neutral_on_both_sides(one: ToolEnricher, agent: AgentDefinition, platform: Platform) -> None:
    alone = entries(one, platform, agent)
    assert entries(compose([identity, one]), platform, agent) == alone
    assert entries(compose([one, identity]), platform, agent) == alone


@given(CHAINS, CHAINS, CHAINS, agents, platforms)
def test_composing_is_associative(
    first: list[ToolEnricher],
    second: list[ToolEnricher],
    third: list[ToolEnricher],
    agent: AgentDefinition,
    platform: Any,
) -> None:
    left = compose([compose([*first, *second]), *third])
    right = compose([*first, compose([*second, *third])])
    assert entries(left, platform, agent) == entries(right, platform, agent)


def test_enrichers_apply_from_left_to_right() -> None:
    add_then_remove = compose([adding("mcp_x"), removing("mcp_*")])
    remove_then_add = compose([removing("mcp_*"), adding("mcp_x")])
    assert dict(enriched(add_then_remove, Platform.Copilot, AGENT, TOOLS)) == {"read": True}
    assert dict(enriched(remove_then_add, Platform.Copilot, AGENT, TOOLS)) == {"read": True, "mcp_x": True}


def test_composing_keeps_a_copy_of_its_list() -> None:
    chain = [adding("a")]
    composed = compose(chain)
    chain.append(adding("b"))
    assert list(enriched(composed, Platform.OpenCode, AGENT, TOOLS)) == ["read", "a"]


def test_an_enricher_gets_the_platform_the_whole_agent_and_the_map() -> None:
    seen: list[tuple[object, ...]] = []

    def looks(platform: Platform, agent: AgentDefinition, tools: ToolMap) -> ToolMap:
        seen.append((platform, agent, tools))
        return tools

    enriched(looks, Platform.Claude, AGENT, TOOLS)
    assert seen == [(Platform.Claude, AGENT, TOOLS)]


@pytest.mark.parametrize(
    "change",
    [
        lambda agent, tools: tools.update({"bash": True}),
        lambda agent, tools: tools.__setitem__("bash", True),
        lambda agent, tools: setattr(agent, "tools", None),
        lambda agent, tools: agent.front_matter.update({"tags": []}),
        lambda agent, tools: agent.front_matter["deep"]["list"].append(1),
        lambda agent, tools: agent.front_matter["deep"].clear(),
    ],
)
def test_an_enricher_can_change_nothing_it_is_given(change: Callable[[Any, Any], None]) -> None:
    agent = AgentDefinition(name="a", description="d", front_matter={"tags": ["db"], "deep": {"list": [1]}})

    def meddles(_platform: Platform, given: AgentDefinition, tools: ToolMap) -> ToolMap:
        change(given, tools)
        return tools

    with pytest.raises(
        EnricherError, match=r"meddles failed on agent a for claude: (Attribute|Type|FrozenInstance)Error"
    ):
        enriched(meddles, Platform.Claude, agent, TOOLS)
    assert agent == AgentDefinition(name="a", description="d", front_matter={"tags": ("db",), "deep": {"list": (1,)}})
    assert dict(TOOLS) == {"read": True}


def test_a_plain_dict_will_do_as_result() -> None:
    made = enriched(lambda *_: {"read": True, "mcp_x": False}, Platform.Claude, AGENT, TOOLS)
    assert (type(made), dict(made)) == (ToolMap, {"read": True, "mcp_x": False})


@pytest.mark.parametrize("result", [None, ["read"], {"read": "yes"}, {1: True}, 7, "read"])
def test_any_other_result_is_an_error_that_names_the_enricher(result: Any) -> None:
    def wrong(_platform: Platform, _agent: AgentDefinition, _tools: ToolMap) -> Any:
        return result

    with pytest.raises(EnricherError, match=r"test_enrichers:.*wrong failed on agent dba for gemini: "):
        enriched(wrong, Platform.Gemini, AGENT, TOOLS)


def test_one_that_wants_to_leave_is_an_error() -> None:
    def leaves(*_: object) -> ToolMap:
        raise SystemExit(0)

    with pytest.raises(EnricherError, match="leaves failed on agent dba for claude: SystemExit: 0"):
        enriched(leaves, Platform.Claude, AGENT, TOOLS)


def test_the_error_in_a_chain_names_the_one_that_failed() -> None:
    def fails(*_: object) -> ToolMap:
        raise KeyError("no such key")

    with pytest.raises(EnricherError, match=r"fails failed on agent dba for claude: KeyError: 'no such key'"):
        enriched(compose([identity, compose([fails])]), Platform.Claude, AGENT, TOOLS)


def test_an_object_that_can_be_called_is_an_enricher() -> None:
    class Adds:
        def __call__(self, _platform: Platform, _agent: AgentDefinition, tools: ToolMap) -> ToolMap:
            return tools.enable("x")

    assert list(enriched(Adds(), Platform.Claude, AGENT, TOOLS)) == ["read", "x"]
    partial = functools.partial(lambda name, *given: given[2].enable(name), "y")
    assert list(enriched(partial, Platform.Claude, AGENT, TOOLS)) == ["read", "y"]


# By name.


@pytest.fixture
def module(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "my_enrichers.py").write_text(
        "NUMBER = 1\n"
        "class Group:\n"
        "    @staticmethod\n"
        "    def add(platform, agent, tools):\n"
        "        return tools.enable('grouped')\n"
        "def add(platform, agent, tools):\n"
        "    return tools.enable('added')\n"
    )
    (tmp_path / "leaving_enrichers.py").write_text("import sys\nsys.exit(0)\n")
    (tmp_path / "json.py").write_text("def add(platform, agent, tools):\n    return tools\n")
    (tmp_path / "broken_enrichers.py").write_text("import no_such_module_of_anybody\n")
    sys.modules.pop("my_enrichers", None)  # others have one of this name as well
    yield tmp_path
    sys.modules.pop("my_enrichers", None)


@pytest.mark.parametrize(("written", "name"), [("my_enrichers:add", "added"), ("my_enrichers:Group.add", "grouped")])
def test_an_enricher_is_found_in_a_directory(module: Path, written: str, name: str) -> None:
    assert list(enriched(load(written, str(module)), Platform.Claude, AGENT, TOOLS)) == ["read", name]


def test_looking_for_one_leaves_the_search_path_as_it_was(module: Path) -> None:
    before = list(sys.path)
    load("my_enrichers:add", str(module))
    with pytest.raises(EnricherError):
        load("my_enrichers:remove", str(module))
    assert sys.path == before


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("my_enrichers", "names no enricher: write module:function"),
        ("my_enrichers:", "names no enricher"),
        (":add", "names no enricher"),
        ("my_enrichers:remove", "there is no remove in my_enrichers"),
        ("my_enrichers:Group.remove", "there is no Group.remove in my_enrichers"),
        ("my_enrichers:NUMBER", "is no function but int"),
        ("no_such_module:add", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("broken_enrichers:add", "No module named 'no_such_module_of_anybody'"),
        ("..x:add", "TypeError"),
        ("leaving_enrichers:add", "SystemExit: 0"),
        ("json:add", "there is no add in json (/"),
    ],
)
def test_one_that_cannot_be_loaded_is_told(module: Path, written: str, message: str) -> None:
    with pytest.raises(EnricherError) as failed:
        load(written, str(module))
    assert message in str(failed.value)
