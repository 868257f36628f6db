"""`platforms/NAME/skills.py`: the facts that skills are written by."""

from __future__ import annotations

import os

import pytest

from rulez_py.definitions.base.mapping import tool_names
from rulez_py.definitions.base.tool import AnyTool, CustomTool, Tool
from rulez_py.definitions.skills.platforms import PLATFORMS as WITH_SKILLS
from rulez_py.definitions.skills.platforms import SKILL_FILES
from rulez_py.platforms import PLATFORMS, part
from rulez_py.platforms.skill_files import BESIDE, CHANCE, NEITHER, WINS


def test_these_agents_load_skills() -> None:
    assert (
        {
            *("claude", "codex", "copilot", "droid", "gemini", "grok", "hermes", "kilo", "kimi", "opencode"),
            *("openhands", "pi", "qwen", "vibe"),
        }
        <= set(WITH_SKILLS)
        <= set(PLATFORMS)
    )


@pytest.mark.parametrize("platform", WITH_SKILLS)
def test_the_contract_has_a_part_about_them(platform: str) -> None:
    place = os.path.join(os.path.dirname(part(platform, "skills").__file__), "contract.md")
    with open(place, encoding="utf-8") as contract:
        told = contract.read().split("\n## Skills\n")[1]
    facts = SKILL_FILES[platform]
    place = facts.directory or f"~/{facts.user_directory}"
    assert f"{place}/" in told or f"`{place}`" in told
    assert all(key in told for key in (*facts.acts_on, *facts.must_be, facts.permits) if key != "shell")


@pytest.mark.parametrize("platform", WITH_SKILLS)
def test_a_rival_is_another_directory(platform: str) -> None:
    facts = SKILL_FILES[platform]
    for own, rivals in ((facts.directory, facts.rivals), (f"~/{facts.user_directory}", facts.user_rivals)):
        assert all(one.path.endswith("/{name}") and one.outcome in (WINS, CHANCE, BESIDE, NEITHER) for one in rivals)
        assert f"{own}/{{name}}" not in [one.path for one in rivals]


def test_no_two_write_to_one_directory() -> None:
    projects = [facts.directory for facts in SKILL_FILES.values() if facts.directory]
    assert len(set(projects)) == len(projects)
    assert len({facts.user_directory for facts in SKILL_FILES.values()}) == len(SKILL_FILES)


@pytest.mark.parametrize("platform", WITH_SKILLS)
def test_every_tool_has_its_names_or_is_told(platform: str) -> None:
    for tool in (*Tool, CustomTool("Grep")):
        missing: list[AnyTool] = []
        names = tool_names([tool, tool], platform, on_missing=missing.append)
        assert bool(names) is not bool(missing)
        assert missing in ([], [tool])
    assert tool_names([CustomTool("own")], platform) == ["own"]


RUN = ("!`a`", "x !`a`", "x\n!`a\nb`", "```!\na\n```", "- ```!sh\na\n```", "text ```! a ```", "````!\na")
NOT_RUN = ("x!`a`", "\\!`a`", "(!`a`)", '"!`a`"', "`!`a`", "! `a`", "``` !\na", "~~~!\na", "!a", "!``")


@pytest.mark.parametrize("text", RUN)
def test_what_claude_code_runs_while_it_loads_a_text(text: str) -> None:
    assert SKILL_FILES["claude"].commands.search(text)  # type: ignore[union-attr]


@pytest.mark.parametrize("text", NOT_RUN)
def test_what_it_does_not_run(text: str) -> None:
    assert not SKILL_FILES["claude"].commands.search(text)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "text", ["$ARGUMENTS", "$$ARGUMENTS", "x$ARGUMENTSX", "$0", "a$10", "$1.5", "$1-", "$ARGUMENTS[0]"]
)
def test_what_it_replaces(text: str) -> None:
    assert SKILL_FILES["claude"].arguments.search(text)  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["$1x", "$0_", "$HOME", "${ARGUMENTS}", "$-0", "ARGUMENTS", "$arguments"])
def test_what_it_does_not_replace(text: str) -> None:
    assert not SKILL_FILES["claude"].arguments.search(text)  # type: ignore[union-attr]


OPENHANDS_RUNS = {
    "!`a`": "!`a`",
    "x!`a`": "!`a`",
    "(!`a\nb`)": "!`a\nb`",
    "`b` !`a`": "!`a`",
    "```\n!`b`\n``` !`a`": "!`a`",
    "`b!` !`a`": "!`a`",
}
OPENHANDS_KEEPS = ("\\!`a`", "`!`a`", "```\n!`a`\n```", "``` !`a`", "say `hi!` and `a`", "! `a`", "!``", "!a")


@pytest.mark.parametrize(("text", "command"), OPENHANDS_RUNS.items())
def test_what_openhands_runs_while_it_loads_a_text(text: str, command: str) -> None:
    found = SKILL_FILES["openhands"].commands.search(text)  # type: ignore[union-attr]
    assert found is not None
    assert found["command"] == command


@pytest.mark.parametrize("text", OPENHANDS_KEEPS)
def test_what_openhands_keeps(text: str) -> None:
    assert not SKILL_FILES["openhands"].commands.search(text)  # type: ignore[union-attr]
