"""Claude Code's hooks beside an agent's own, in an agent that runs both: one question, and the harmless runs.

`make e2e` runs this; see tests/e2e/README.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tests.e2e.conftest import begun
from tests.e2e.place import FORMS, Place
from tests.e2e.script import Call, call_id
from tests.e2e.session import Run, Session, run
from tests.e2e.table import Plan, Step

pytestmark = pytest.mark.e2e

POLICY = """\
version: "1.0"
rules:
  - name: asks
    matchers: {operations: [PreToolUse], tools: [Bash], command_match: asked}
    actions: {ask: A person decides about this.}
  - name: no-shell
    matchers: {operations: [PreToolUse], tools: [Bash], command_match: made-by-shell}
    actions: {block: true}
"""


@dataclass(frozen=True)
class Both(Session):
    """A harmless call, one that is asked about, one that is denied; Claude Code's hooks are there as well.

    They are the project's, or of the `claudes` scope; `alone` says that the agent has none of its own.
    """

    person: str = field(default="yes", kw_only=True)
    claudes: str = field(default="project", kw_only=True)
    alone: bool = field(default=False, kw_only=True)

    @property
    def played(self) -> Plan:
        lines = ("touch fine.txt", "touch asked.txt", "touch made-by-shell.txt")
        turns = tuple((Step(Call("Shell", {"command": line})),) for line in lines)
        return Plan(self.plan, person=self.person, files={".rulez/rules.yaml": POLICY}, turns=turns)

    def settle(self, place: Place) -> None:
        """Sets rulez up for Claude Code too."""
        if self.alone:
            place.uninstall_hook(FORMS[self.form])
        replace(place, platform="claude", scope=self.claudes).install_hook(FORMS[self.form])


BOTH = [
    *(Both(name, "both-hooks", "frozen", "rulez") for name in ("copilot", "cursor", "grok")),
    *(Both(name, "both-hooks-of-user", "frozen", "rulez", claudes="user") for name in ("cursor", "grok")),
]
ALONE = [
    Both(name, "claudes-of-user", "frozen", "rulez", person="", claudes="user", alone=True)
    for name in ("cursor", "grok")
]
"""Agents that start the hooks of a person's Claude Code, which are then about the project that the agent is in."""

Play = Callable[[Both], Run]


@pytest.fixture(scope="module")
def play(request: pytest.FixtureRequest) -> Iterator[Play]:
    """What a session left behind."""
    yield from begun(request.session.items, Both, run)


def ids(session: Both) -> str:
    return f"{session.platform} {session.plan}"


@pytest.mark.parametrize("session", BOTH, ids=ids)
def test_both_hooks_are_called(session: Both, play: Play) -> None:
    named = {call.arguments[call.arguments.index("--platform") + 1] for call in play(session).calls}
    assert named == {"claude", session.platform}


@pytest.mark.parametrize("session", BOTH, ids=ids)
def test_the_person_is_asked_as_often_as_the_agent_asks(session: Both, play: Play) -> None:
    found = play(session)
    # Copilot CLI asks for each hook that wants it.
    assert len(found.asked) == (2 if session.platform == "copilot" else 1)
    assert all("A person decides about this." in question for question in found.asked)
    assert (found.place.project / "asked.txt").exists()


@pytest.mark.parametrize("session", [*BOTH, *ALONE], ids=ids)
def test_the_rest_is_as_with_one_hook(session: Both, play: Play) -> None:
    found = play(session)
    assert (found.place.project / "fine.txt").exists()
    assert not (found.place.project / "made-by-shell.txt").exists()
    assert "no-shell" in found.results[call_id("main", 2, 0)]


@pytest.mark.parametrize("session", [*BOTH, *ALONE], ids=ids)
def test_doctor_says_so(session: Both, play: Play) -> None:
    trusted = "GROK_FOLDER_TRUST=0"  # As tests/e2e/agents/grok.py has it.
    words = (trusted, str(FORMS["console"]), "doctor", "--json", session.platform)
    ended = play(session).place.rulez(Path("env"), *words)
    (agent,) = json.loads(ended.stdout)["agents"]
    told = {one["state"] for one in agent["findings"]} & {"no-hook", "only-anothers", "twice-by-another"}
    assert told == {"only-anothers" if session.alone else "twice-by-another"}


@pytest.mark.parametrize("session", ALONE, ids=ids)
def test_the_hooks_are_claude_code_s(session: Both, play: Play) -> None:
    calls = play(session).calls
    assert {call.arguments[call.arguments.index("--platform") + 1] for call in calls} == {"claude"}
    assert not (play(session).place.project / "asked.txt").exists()
