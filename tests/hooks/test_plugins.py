"""The plugins that rulez ships, as files: one core in all of them, and each with its agent's names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from dev.plugins import plugins, written
from rulez_py.install import entries
from rulez_py.platforms import PLATFORMS, adapter, part

if TYPE_CHECKING:
    from pathlib import Path

FILES = sorted(plugins())
OF_AGENTS = [
    platform
    for platform in PLATFORMS
    if entries.is_plugin(platform)
    and not (part(platform, "settings").HOOKS.scripts or part(platform, "settings").HOOKS.ends)
]


def platform_of(path: Path) -> str:
    return path.parent.parent.name


@pytest.mark.parametrize("path", FILES, ids=platform_of)
def test_what_plugins_share_is_as_in_its_source(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "// From dev/plugin_core.js" in text
    assert written(text) == text, "`make plugins` writes it"


def test_a_part_that_was_changed_in_a_plugin_is_written_again() -> None:
    text = FILES[0].read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith("function kill("))
    assert written(text.replace(line, line + " // changed")) == text


@pytest.mark.parametrize("mark", ["// From dev/plugin_core.js (`make plugins`):", "// Here ends dev/plugin_core.js."])
def test_a_mark_that_is_missing_is_no_plugin_without_a_core(mark: str) -> None:
    text = FILES[0].read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="begins or ends alone"):
        written(text.replace(mark + "\n", ""))


def test_every_agent_that_takes_code_has_its_plugin() -> None:
    assert OF_AGENTS
    assert sorted(OF_AGENTS) == sorted({platform_of(path) for path in FILES})


@pytest.mark.parametrize("platform", OF_AGENTS)
def test_a_plugin_has_the_names_of_its_agent(platform: str) -> None:
    text = entries.snippet(platform)
    assert re.findall(r'^const (?:PLATFORM|AGENT) = "(.*)"$', text, re.M) == [platform, adapter(platform).AGENT]
    assert text.startswith(f"{part(platform, 'settings').HOOKS.begins}: ")


@pytest.mark.parametrize("platform", OF_AGENTS)
def test_a_plugin_is_known_as_its_own_agents_alone(platform: str) -> None:
    text = entries.snippet(platform)
    called = entries.program(("/my programs/rulez",))
    assert [name for name in PLATFORMS if entries.plugin_words(name, text)] == [platform]
    assert entries.plugin_words(platform, "\ufeff" + entries.plugin(text, called)) == called.words
    begins = part(platform, "settings").HOOKS.begins
    for other in (f"{begins}s: a thing of its own", f" {text}", f"//\n{text}", text.lower(), ""):
        assert entries.plugin_words(platform, other) == ()


def test_the_plugin_of_a_fork_is_opencodes_with_its_names() -> None:
    """What tests/hooks/test_opencode_plugin.py plays is so proven for both."""
    forks = entries.snippet("kilo").replace("Kilo Code", "OpenCode").replace("kilo", "opencode")
    assert forks == entries.snippet("opencode")
