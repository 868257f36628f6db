"""Old names of this package go on to work, and say what the new one is."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import pytest

from rulez_py.definitions.agents import AgentDefinition, Tool, render

MOVED = {
    "rulez_py.agents": ("rulez_py.definitions.agents", "AgentDefinition"),
    "rulez_py.agents.tool": ("rulez_py.definitions.base.tool", "parse_tool"),
    "rulez_py.skills": ("rulez_py.definitions.skills", "Skill"),
    "rulez_py.slash_commands": ("rulez_py.definitions.commands", "SlashCommand"),
    "rulez_py.instructions": ("rulez_py.definitions.instructions", "Instructions"),
    "rulez_py.guards": ("rulez_py.integrations", "Policy"),
    "rulez_py.guards.claude_agent_sdk": ("rulez_py.integrations.claude_agent_sdk", "hooks"),
    "rulez_py.guards.google_adk": ("rulez_py.integrations.google_adk", "before_tool"),
    "rulez_py.guards.langgraph": ("rulez_py.integrations.langgraph", "wrapper"),
    "rulez_py.guards.openai_agents": ("rulez_py.integrations.openai_agents", "guardrail"),
    "rulez_py.guards.pydantic_ai": ("rulez_py.integrations.pydantic_ai", "guarded"),
}


@pytest.mark.parametrize("old", MOVED)
def test_a_package_that_has_moved_is_found_by_its_old_name(old: str) -> None:
    new, name = MOVED[old]
    with pytest.warns(DeprecationWarning, match=f"^{old} is now {new}$") as told:
        found = getattr(import_module(old), name)
    assert found is getattr(import_module(new), name)
    assert told[0].filename == __file__


@pytest.mark.parametrize("old", MOVED)
def test_everything_that_a_moved_package_offered_is_there(old: str) -> None:
    new = import_module(MOVED[old][0])
    for name in getattr(new, "__all__", ()):
        with pytest.warns(DeprecationWarning):
            assert getattr(import_module(old), name) is getattr(new, name)


@pytest.mark.parametrize("old", MOVED)
def test_no_name_is_made_up(old: str) -> None:
    with pytest.raises(AttributeError, match="no attribute"):
        import_module(old).nothing_of_this_name  # noqa: B018


def test_rulez_itself_uses_no_old_name() -> None:
    for name in MOVED:
        sys.modules.pop(name, None)
    import_module("rulez_py.cli.agents_project")
    import_module("rulez_py.definitions.project")
    assert not MOVED.keys() & sys.modules.keys()


NAMES = [
    ("rulez_py.definitions.agents", "Harness", "Platform"),
    ("rulez_py.definitions.agents", "to_harness", "to_platform"),
    ("rulez_py.definitions.base.tool", "Harness", "Platform"),
    ("rulez_py.definitions.base.tool", "harness_of", "platform_of"),
    ("rulez_py.definitions.skills", "HARNESSES", "PLATFORMS"),
    ("rulez_py.definitions.skills", "harness_at", "platform_at"),
]


@pytest.mark.parametrize(("module", "old", "new"), NAMES)
def test_what_was_called_a_harness_is_found_by_its_old_name(module: str, old: str, new: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"^{module}.{old} is now {new}$") as told:
        found = getattr(import_module(module), old)
    assert found is getattr(import_module(module), new)
    assert told[0].filename == __file__


def test_old_packages_have_their_old_names() -> None:
    with pytest.warns(DeprecationWarning):
        from rulez_py.agents import Harness, to_harness
        from rulez_py.skills import HARNESSES
    assert to_harness(Tool.Read, Harness.Claude) == ["Read"]
    assert "claude" in HARNESSES


def test_an_argument_goes_by_its_old_name_too() -> None:
    agent = AgentDefinition(name="a", description="d")
    old: dict[str, Any] = {"harness": "claude"}
    with pytest.warns(DeprecationWarning, match="^the argument harness of render is now platform$") as told:
        assert render(agent, **old) == render(agent, "claude")
    assert told[0].filename == __file__
