"""cases.yaml is what the harness takes it for, and the page about it is about it. Drives no agent."""

from __future__ import annotations

import re

import pytest

from rulez_py.adapters import PLATFORMS, adapter
from tests.e2e import drift, install
from tests.e2e.__main__ import BEGIN, END, PAGE, README
from tests.e2e.agents import AGENTS, agent
from tests.e2e.place import FORMS, STAND_INS, Place, guide
from tests.e2e.script import MCP_SERVER, TOOLS, Call
from tests.e2e.table import Case, plans

PLANS = list(plans().values())
CASES = [case for plan in PLANS for case in plan.cases]


def test_every_platform_is_driven() -> None:
    assert set(AGENTS) == set(PLATFORMS)


def test_every_platform_has_a_pinned_version() -> None:
    assert set(install.PINNED) == set(PLATFORMS)


def test_every_platform_has_a_place_in_the_guide_for_both_scopes() -> None:
    assert {platform: set(places) for platform, (_, places) in guide().items()} == {
        platform: {"user", "project"} for platform in PLATFORMS
    }


def test_no_two_cases_have_the_same_title() -> None:
    titles = [case.title for case in CASES]
    assert sorted(titles) == sorted(set(titles))


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.name)
def test_a_session_is_one_that_can_be_played(plan) -> None:  # type: ignore[no-untyped-def]
    assert plan.cases
    assert set(plan.forms) <= set(FORMS)
    assert plan.scope in ("user", "project")
    assert plan.hook in ("rulez", *STAND_INS)


def test_every_tool_is_denied_somewhere_and_every_deny_is_controlled() -> None:
    denied = {
        step.call.tool
        for plan in PLANS
        if plan.control
        for step in plan.steps
        if step.case and "told" in step.case.checks
    }
    assert denied == set(TOOLS)


@pytest.mark.parametrize("platform", AGENTS)
@pytest.mark.parametrize("tool", TOOLS)
def test_an_agent_spells_a_tool_or_says_why_it_lacks_it(platform: str, tool: str) -> None:
    module, call = agent(platform), Call(tool, dict.fromkeys(TOOLS[tool], "x"))
    if tool in module.LACKS:
        assert re.fullmatch(r"[A-Z].+\.", module.LACKS[tool])
    else:
        spelled = module.spell(call, Place(PAGE.parent, platform, "user"))
        assert spelled.name
        assert tool != "Mcp" or MCP_SERVER in spelled.name + spelled.namespace


@pytest.mark.parametrize("platform", AGENTS)
def test_the_spelling_of_the_shell_is_a_shell_to_rulez(platform: str) -> None:
    """What the model calls it need not be what the hook is told: Codex's exec_command arrives as Bash."""
    kept = drift.kept(platform)
    assert kept is not None
    spelled = agent(platform).spell(Call("Shell", {"command": "x"}), Place(PAGE.parent, platform, "user"))
    assert spelled.name in kept.tools


def test_calls_of_tools_an_agent_lacks_are_left_out_with_their_place_in_the_order() -> None:
    plan = plans()["editing"]
    assert plan.without({"Write": ""}) == plan
    assert not plan.without({"Shell": ""}).turns
    assert [change.before_turn for change in plan.changes] == [1, 2]
    assert [change.before_turn for change in plan.without({"Shell": ""}).changes] == [0, 0]


# --- docs/conformance.md --------------------------------------------------------------------------------------------


def test_the_page_is_about_the_cases_there_are() -> None:
    rows = re.findall(r"^\| ([^|]+) \| (?:frozen|console)", PAGE.read_text(), re.MULTILINE)
    assert rows == [case.title for case in CASES]


@pytest.mark.parametrize("platform", AGENTS)
def test_the_page_the_summary_and_the_shapes_are_about_the_pinned_versions(platform: str) -> None:
    named = f"{adapter(platform).AGENT} {install.PINNED[platform]}"
    assert f"- {named}\n" in PAGE.read_text()
    summary = README.read_text().partition(BEGIN)[2].partition(END)[0]
    assert f"| {adapter(platform).AGENT} | {install.PINNED[platform]} |" in summary
    kept = drift.kept(platform)
    assert kept is not None
    assert kept.version == install.PINNED[platform]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.slug)
def test_the_page_says_why_a_case_does_not_hold(case: Case) -> None:
    assert all(why in PAGE.read_text() for why in case.cannot.values())


def test_the_page_hides_no_failure() -> None:
    assert "FAILED" not in PAGE.read_text()
