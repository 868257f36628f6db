"""cases.yaml is what the harness takes it for, and the page about it is about it. Drives no agent."""

from __future__ import annotations

import datetime
import re
from dataclasses import replace
from pathlib import Path

import pytest

from rulez_py.platforms import PLATFORMS, adapter, part
from tests.e2e import checks, drift
from tests.e2e.__main__ import BEGIN, END, PAGE, README, in_turn
from tests.e2e.agents import AGENTS, PINNED, agent
from tests.e2e.place import FORMS, STAND_INS, HookCall, Place, guide
from tests.e2e.script import MCP_SERVER, TOOLS, Call
from tests.e2e.session import Run, Session
from tests.e2e.table import CHECKS, Case, Plan, plans, said
from tests.platforms import PROVEN

PLANS = list(plans().values())
CASES = [case for plan in PLANS for case in plan.cases]


def test_every_platform_is_driven() -> None:
    assert set(AGENTS) == set(PROVEN)


def test_every_platform_has_a_pinned_version() -> None:
    assert set(PINNED) == set(PROVEN)


def test_every_platform_has_a_place_in_the_guide_for_each_scope_that_it_reads_hooks_of() -> None:
    assert {platform: set(places) for platform, (_, places) in guide().items()} == {
        platform: {"user", "project"} if part(platform, "settings").HOOKS.project else {"user"}
        for platform in PLATFORMS
    }


@pytest.mark.parametrize("platform", AGENTS)
@pytest.mark.parametrize("kind", ["CANNOT", "UNCONTROLLED", "BUT"])
def test_an_agent_speaks_of_cases_that_there_are(platform: str, kind: str) -> None:
    assert set(said(kind, platform)) <= {case.title for case in CASES}


def test_no_two_cases_have_the_same_title() -> None:
    titles = [case.title for case in CASES]
    assert sorted(titles) == sorted(set(titles))


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.name)
def test_a_session_is_one_that_can_be_played(plan: Plan) -> None:
    assert plan.cases
    assert set(plan.forms) <= set(FORMS)
    assert plan.scope in ("user", "project")
    assert plan.hook in ("rulez", *STAND_INS)


# Sessions that are not also played with a hook that always passes, and why.
UNCONTROLLED = {
    "harmless": "nothing is denied",
    "help": "what rulez adds is not there without it",
    "silence": "it is about rulez adding nothing",
    "asking-somebody-who-agrees": "the person counts the questions",
    "asking-somebody-who-refuses": "the person counts the questions",
    "crash": "the same call as when rulez is not there",
    "hang": "the same call as when rulez is not there",
    "killed": "what ends rulez ends a hook that passes, too",
    "killed-with-its-shell": "what ends rulez ends a hook that passes, too",
    "stopped": "what stops rulez stops a hook that passes, too",
}


def test_every_session_is_controlled_but_those_that_cannot_be() -> None:
    assert {plan.name for plan in PLANS if not plan.control} == set(UNCONTROLLED)


def test_every_tool_is_denied_somewhere() -> None:
    denials = (step for plan in PLANS if plan.control for step in plan.steps if step.case and not step.case.anyway)
    assert {step.call.tool for step in denials if step.case and "told" in step.case.checks} == set(TOOLS)


def nothing(place: Place) -> Run:
    """What a session leaves behind in which nothing happened."""
    return Run(
        place=place,
        exit_code=1,
        seconds=0.0,
        printed="",
        asked=(),
        requests=0,
        results={},
        heard="",
        visits=(),
        calls=(),
    )


@pytest.mark.parametrize("platform", AGENTS)
@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.name)
def test_no_case_holds_where_an_agent_did_nothing(plan: Plan, platform: str, tmp_path: Path) -> None:
    """INVARIANT: what is absent because nothing was played is not taken for denied."""
    session = Session(platform, plan.name, "frozen")
    run = nothing(Place(tmp_path, platform, plan.scope))
    assert [case.title for case in plan.cases if not checks.lifeless(session, case, run)] == []


def test_a_case_that_had_to_be_ended_does_not_hold(tmp_path: Path) -> None:
    """An agent that hangs has done nothing either."""
    call = HookCall(arguments=("hook",), payload={}, stdout="", stderr="", exit_code=0)
    alive = replace(
        nothing(Place(tmp_path, "claude", "user")), exit_code=0, results={"call_main_0_0": "x"}, calls=(call,)
    )
    (case,) = plans()["hang"].cases
    session = Session("claude", "hang", "frozen")
    assert checks.lifeless(session, case, replace(alive, exit_code=None))
    assert not checks.lifeless(session, case, alive)


def test_every_check_of_the_table_can_be_made() -> None:
    assert set(checks.BY_NAME) == set(CHECKS)
    assert set(checks.EFFECTS) < set(CHECKS)
    used = {check for case in CASES for check in (*case.checks, *(c for other in case.but.values() for c in other))}
    assert used == set(CHECKS)


@pytest.mark.parametrize("platform", AGENTS)
@pytest.mark.parametrize("tool", TOOLS)
def test_an_agent_spells_a_tool_or_says_why_it_lacks_it(platform: str, tool: str) -> None:
    module, call = agent(platform), Call(tool, dict.fromkeys(TOOLS[tool], "x"))
    if tool in module.LACKS:
        assert re.fullmatch(r"[A-Z].+\.", module.LACKS[tool])
    else:
        spelled = module.spell(call, Place(PAGE.parent, platform, "user"))
        assert spelled.name
        assert tool != "Mcp" or MCP_SERVER in spelled.name + spelled.namespace + str(spelled.arguments)


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
    named = f"{adapter(platform).AGENT} {PINNED[platform]}"
    assert f"- {named}, on " in PAGE.read_text()
    summary = README.read_text().partition(BEGIN)[2].partition(END)[0]
    assert f"| {adapter(platform).AGENT} | {PINNED[platform]} |" in summary
    kept = drift.kept(platform)
    assert kept is not None
    assert kept.version == PINNED[platform]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.slug)
def test_the_page_says_why_a_case_does_not_hold(case: Case) -> None:
    assert all(why in PAGE.read_text() for why in case.cannot.values())


def test_the_page_hides_no_failure() -> None:
    assert "FAILED" not in PAGE.read_text()


def test_every_agent_has_its_turn_within_days() -> None:
    day = datetime.date(2026, 11, 27)
    turns = [in_turn(2, day + datetime.timedelta(days=number)) for number in range(len(AGENTS))]
    assert {len(turn) for turn in turns} == {2}
    assert set(turns[0]).isdisjoint(turns[1])
    assert set().union(*turns[:8]) == set(AGENTS)
