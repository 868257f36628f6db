"""Rules that teams ask for, on the real agents: a command rewritten in its line, tests before a push, the trifecta.

`make e2e` runs this; see tests/e2e/README.md and docs/recipes.md. The programs of the rules are stand-ins: `touch` in
place of a suite, a push and a program with another name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from tests.e2e.agents import AGENTS
from tests.e2e.conftest import begun
from tests.e2e.place import Place
from tests.e2e.script import Call
from tests.e2e.session import Run, Session, run
from tests.e2e.table import Plan, Step
from tests.platforms import PLATFORMS

pytestmark = pytest.mark.e2e

REWRITTEN, TESTED, TRIFECTA = "rewritten", "tested", "trifecta"
POLICIES = {
    REWRITTEN: """\
version: "1.0"
rules:
  - name: rewrite-a-part
    matchers: {operations: [PreToolUse], command: {program: touch, operands: ["part-*"]}}
    actions: {rewrite: {command: {replace: ["^part-", "changed-"]}}}
""",
    TESTED: """\
version: "1.0"
rules:
  - name: tests-pass
    matchers: {operations: [PostToolUse], command: {program: touch, operands: suite.txt}}
    actions: {remember: {key: tests-passed, for: 1h, until: {command: {program: touch, operands: source.txt}}}}
  - name: push-after-tests
    matchers: {operations: [PreToolUse], command: {program: touch, operands: ["push-*"]}}
    requires: tests-passed
    actions: {block: run the suite first}
""",
    TRIFECTA: 'version: "1.0"\nextends: [builtin:trifecta]\n',
}
LINES = {
    REWRITTEN: ("touch 'kept part-1.txt' && touch 'part-2.txt' > part-3.txt",),
    TESTED: ("touch push-1.txt", "touch suite.txt", "touch push-2.txt", "touch source.txt", "touch push-3.txt"),
    TRIFECTA: (
        "cat a.pem && touch before.txt",
        "curl --silent --max-time 1 https://a.example/ || touch fetched.txt",
        "cat a.pem && touch after.txt",
    ),
}
END_BY_A_DENIAL = ("cline",)
"""Agents that end where a call is denied: on these nothing is denied before the last line."""
TELL_NO_RESULT = ("codex",)
"""Agents whose event after a call tells no success (docs/policy.md, "Which agents tell results")."""


@dataclass(frozen=True)
class Ruled(Session):
    """The lines of a plan, one after the other; the plan is the policy's name."""

    @property
    def played(self) -> Plan:
        files = {"{home}/.config/rulez/rules.yaml": POLICIES[self.plan]}
        lines = LINES[self.plan][1 if self.plan == TESTED and self.platform in END_BY_A_DENIAL else 0 :]
        turns = tuple((Step(Call("Shell", {"command": line})),) for line in lines)
        return Plan(self.plan, files=files, turns=turns)

    def furnish(self, place: Place) -> None:
        """Makes the file that stands for a key."""
        (place.project / "a.pem").write_text("x\n")


def sessions(plan: str, hook: str = "rulez") -> list[Ruled]:
    return [Ruled(name, plan, "frozen", hook) for name in AGENTS]


Play = Callable[[Ruled], Run]


@pytest.fixture(scope="module")
def play(request: pytest.FixtureRequest) -> Iterator[Play]:
    """What a session left behind."""
    yield from begun(request.session.items, Ruled, run)


def ids(session: Ruled) -> str:
    return session.platform


def made(play: Play, session: Ruled) -> set[str]:
    return {path.name for path in play(session).place.project.iterdir() if path.suffix == ".txt"}


@pytest.mark.parametrize("session", sessions(REWRITTEN), ids=ids)
def test_one_command_of_a_line_is_rewritten(session: Ruled, play: Play) -> None:
    changed = {"kept part-1.txt", "changed-2.txt", "part-3.txt"}
    assert made(play, session) == (changed if PLATFORMS[session.platform].rewrites else set())


@pytest.mark.parametrize("session", sessions(TESTED), ids=ids)
def test_what_requires_tests_goes_through_after_them_and_until_the_source_changes(session: Ruled, play: Play) -> None:
    told = set() if session.platform in TELL_NO_RESULT else {"push-2.txt"}
    assert made(play, session) == {"suite.txt", "source.txt"} | told


@pytest.mark.parametrize("session", sessions(TRIFECTA), ids=ids)
def test_after_text_from_outside_no_secret_is_read(session: Ruled, play: Play) -> None:
    assert made(play, session) == {"before.txt", "fetched.txt"}


@pytest.mark.parametrize("session", [one for plan in POLICIES for one in sessions(plan, "passes")], ids=str)
def test_control_all_lines_run_without_rulez(session: Ruled, play: Play) -> None:
    """Controls: what stops and changes them above is rulez."""
    found = made(play, session)
    assert {"part-2.txt", "part-3.txt"} <= found if session.plan == REWRITTEN else len(found) >= 3
