"""cases.yaml, case by case, on the real agents. `make e2e` runs this; see tests/e2e/README.md."""

from __future__ import annotations

import pytest

from tests.e2e import checks
from tests.e2e.agents import NO_PROJECT
from tests.e2e.conftest import Play
from tests.e2e.session import Session, to_play
from tests.e2e.table import CHECKS, Case, plans

pytestmark = pytest.mark.e2e

CASES = [
    pytest.param(session, case, id=f"{session.platform}-{session.form}-{case.slug}")
    for session, case in to_play(controls=False)
]
CONTROLS = [
    pytest.param(session, case, id=f"{session.platform}-{case.slug}") for session, case in to_play(controls=True)
]


@pytest.mark.parametrize(("session", "case"), CASES)
def test_case(session: Session, case: Case, play: Play, request: pytest.FixtureRequest) -> None:
    tell(request, session, case)
    _skip_without_tool(session, case)
    run = play(session)
    # Not an assertion: also where a case is known not to hold, it must have been played.
    if lifeless := checks.lifeless(session, case, run):
        raise RuntimeError("\n".join(lifeless))
    why_not = case.cannot.get(session.platform)
    if why_not:
        request.node.add_marker(pytest.mark.xfail(reason=why_not, strict=True, raises=AssertionError))
    failures = checks.failures(session, case, run)
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize(("session", "case"), CONTROLS)
def test_control(session: Session, case: Case, play: Play, request: pytest.FixtureRequest) -> None:
    """The same session with a hook that always passes: what rulez denies happens, what it lets alone happens too."""
    tell(request, session, case)
    _skip_without_tool(session, case)
    if session.platform in case.uncontrolled:
        pytest.skip(case.uncontrolled[session.platform])
    run = play(session)
    about = set(checks.EFFECTS) & set(case.checks_on(session.platform)) or CHECKS
    held = not checks.failures(session, case, run, about)
    assert held is case.anyway, f"{'holds' if held else 'does not hold'} without rulez: see {run.place.root}"


def tell(request: pytest.FixtureRequest, session: Session, case: Case) -> None:
    """Keeps what this test is about for the page."""
    about = {"platform": session.platform, "form": session.form, "case": case.title, "control": bool(session.hook)}
    request.node.user_properties.extend(about.items())


def _skip_without_tool(session: Session, case: Case) -> None:
    lacks = session.agent.LACKS
    if plans()[session.plan].scope == "project" and NO_PROJECT in lacks:
        pytest.skip(lacks[NO_PROJECT])
    for tool in plans()[session.plan].tools_of(case):
        if tool in lacks:
            pytest.skip(lacks[tool])
