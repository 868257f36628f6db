"""Old names of this package go on to work, and say what the new one is."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

MOVED = {
    "rulez_py.agents": ("rulez_py.definitions.agents", "AgentDefinition"),
    "rulez_py.agents.tool": ("rulez_py.definitions.base.tool", "parse_tool"),
    "rulez_py.skills": ("rulez_py.definitions.skills", "Skill"),
    "rulez_py.slash_commands": ("rulez_py.definitions.commands", "SlashCommand"),
    "rulez_py.instructions": ("rulez_py.definitions.instructions", "Instructions"),
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
