"""cases.yaml, case by case, on the real agents. `make e2e` runs this; see tests/e2e/README.md."""

from __future__ import annotations

import pytest

from tests.e2e import checks
from tests.e2e.agents import AGENTS
from tests.e2e.conftest import Play
from tests.e2e.session import Sitting
from tests.e2e.table import Case, plans

pytestmark = pytest.mark.e2e

CASES = [
    pytest.param(Sitting(platform, plan.name, form), case, id=f"{platform}-{form}-{case.slug}")
    for platform in AGENTS
    for plan in plans().values()
    for form in plan.forms
    for case in plan.cases
]
CONTROLS = [
    pytest.param(Sitting(platform, plan.name, "frozen", hook="passes"), case, id=f"{platform}-{case.slug}")
    for platform in AGENTS
    for plan in plans().values()
    if plan.control
    for case in plan.cases
    if not case.harmless
]


@pytest.mark.parametrize(("sitting", "case"), CASES)
def test_case(sitting: Sitting, case: Case, play: Play, request: pytest.FixtureRequest) -> None:
    properties = {"platform": sitting.platform, "form": sitting.form, "case": case.title}
    request.node.user_properties.extend(properties.items())
    _skip_without_tool(sitting, case)
    why_not = case.cannot.get(sitting.platform)
    if why_not:
        request.node.add_marker(pytest.mark.xfail(reason=why_not, strict=True, raises=AssertionError))
    failures = checks.failures(sitting, case, play(sitting))
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize(("sitting", "case"), CONTROLS)
def test_without_rulez_what_it_denies_happens(sitting: Sitting, case: Case, play: Play) -> None:
    """The same session with a hook that always passes: every deny must be missed, by what happens."""
    _skip_without_tool(sitting, case)
    if sitting.platform in case.uncontrolled:
        pytest.skip(case.uncontrolled[sitting.platform])
    run = play(sitting)
    assert checks.failures(sitting, case, run, checks.EFFECTS), f"this case cannot fail: see {run.place.root}"


def _skip_without_tool(sitting: Sitting, case: Case) -> None:
    tool = plans()[sitting.plan].tool_of(case)
    lacks = sitting.agent.LACKS
    if tool is not None and tool in lacks:
        pytest.skip(lacks[tool])
