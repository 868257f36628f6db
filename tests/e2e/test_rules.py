"""Rules that teams ask for, on the real agents: a command rewritten in its line, tests before a push, the trifecta,
secrets in results.

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
from tests.e2e.script import Call, call_id
from tests.e2e.session import Run, Session, run
from tests.e2e.table import Plan, Step
from tests.platforms import PLATFORMS

pytestmark = pytest.mark.e2e

REWRITTEN, TESTED, TRIFECTA, REDACTED = "rewritten", "tested", "trifecta", "redacted"
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
    REDACTED: 'version: "1.0"\nextends: [builtin:secrets-in-results]\n',
}
TOKEN = "glpat-" + "a1b2c3d4e5f6g7h8i9j0"
"""A token that nobody has issued."""
MARK = "[redacted:gitlab-token]"
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
READING = {
    "shell": Call("Shell", {"command": "cat token.txt"}),
    "file": Call("Read", {"path": "token.txt"}),
    "server": Call("Mcp", {"path": f"{TOKEN}.txt"}),
    "failure": Call("Shell", {"command": "cat token.txt; (exit 3)"}),
}
"""Calls whose results have the token; the last one fails."""
STAYS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("cline", "cursor", "grok", "hermes", "kimi", "openhands"), tuple(READING)),
    **dict.fromkeys(("claude", "qwen"), ("failure",)),
    "droid": ("server",),
}
"""Agent -> the calls of these whose result a hook cannot change."""
MASKED: dict[str, tuple[str, ...]] = {"droid": ("shell", "file", "failure")}
"""Agent -> the calls of these in whose result it masks such a token by itself."""
UNWARNED = ("hermes", "kimi", "openhands")
"""Agents that read nothing of what a hook says of a result."""
TELL_NO_RESULT = ("codex",)
"""Agents whose event after a call tells no success (docs/policy.md, "Which agents tell results")."""


@dataclass(frozen=True)
class Ruled(Session):
    """The lines of a plan, one after the other; the plan is the policy's name."""

    @property
    def played(self) -> Plan:
        files = {"{home}/.config/rulez/rules.yaml": POLICIES[self.plan]}
        if self.plan == REDACTED:
            return Plan(self.plan, files=files, turns=tuple((Step(call),) for call in self.reading.values()))
        lines = LINES[self.plan][1 if self.plan == TESTED and self.platform in END_BY_A_DENIAL else 0 :]
        turns = tuple((Step(Call("Shell", {"command": line})),) for line in lines)
        return Plan(self.plan, files=files, turns=turns)

    @property
    def reading(self) -> dict[str, Call]:
        """Those of `READING` that the agent has a tool for."""
        return {name: call for name, call in READING.items() if call.tool not in self.agent.LACKS}

    def furnish(self, place: Place) -> None:
        """Makes the file that stands for a key."""
        (place.project / "a.pem").write_text("x\n")
        (place.project / "token.txt").write_text(f"before {TOKEN} behind\n")


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
    """Return the texts that a session has written; `token.txt` was there before."""
    return {path.name for path in play(session).place.project.iterdir() if path.suffix == ".txt"} - {"token.txt"}


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


@pytest.mark.parametrize("session", sessions(REDACTED), ids=ids)
def test_the_model_reads_no_token_of_a_result_or_is_warned(session: Ruled, play: Play) -> None:
    found = play(session)
    results = {name: found.results.get(call_id("main", turn, 0), "") for turn, name in enumerate(session.reading)}
    stays, masked = STAYS.get(session.platform, ()), MASKED.get(session.platform, ())
    changed = {name: text for name, text in results.items() if name not in (*stays, *masked)}
    assert {name for name in masked if TOKEN in results[name]} == set()
    assert {name: text for name, text in changed.items() if MARK not in text or TOKEN in text} == {}
    assert {name for name in stays if TOKEN not in results[name]} == set()
    assert ("do not use, repeat or store" in found.heard) is (bool(stays) and session.platform not in UNWARNED)


CONTROLS = [one for plan in POLICIES for one in sessions(plan, "passes")]


@pytest.mark.parametrize("session", [one for one in CONTROLS if one.plan == REDACTED], ids=str)
def test_control_the_model_reads_the_token_without_rulez(session: Ruled, play: Play) -> None:
    found, masked = play(session).results, MASKED.get(session.platform, ())
    results = {name: found.get(call_id("main", turn, 0), "") for turn, name in enumerate(session.reading)}
    assert {name for name, text in results.items() if (TOKEN in text) is (name in masked)} == set()


@pytest.mark.parametrize("session", [one for one in CONTROLS if one.plan != REDACTED], ids=str)
def test_control_all_lines_run_without_rulez(session: Ruled, play: Play) -> None:
    """Controls: what stops and changes them above is rulez."""
    found = made(play, session)
    assert {"part-2.txt", "part-3.txt"} <= found if session.plan == REWRITTEN else len(found) >= 3
