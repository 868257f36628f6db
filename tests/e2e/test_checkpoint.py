"""Work that nothing has but the disk: a rule keeps it and the call goes through, or the question names it.

`make e2e` runs this; see tests/e2e/README.md and docs/policy.md, "checkpoint".
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from rulez_py.system.checkpoints.give_back import GIVEN, give_back
from rulez_py.system.checkpoints.records import read_all
from tests.e2e.agents import AGENTS
from tests.e2e.conftest import begun
from tests.e2e.place import SYSTEM_PATH, Place
from tests.e2e.script import Call
from tests.e2e.session import Run, Session, run
from tests.e2e.table import Plan, Step

pytestmark = pytest.mark.e2e

POLICIES = {
    "kept": """\
version: "1.0"
rules:
  - name: keep-work
    matchers: {operations: [PreToolUse], loses: [uncommitted, untracked]}
    actions: {checkpoint: true}
""",
    "asked": 'version: "1.0"\nextends: [builtin:recommended]\n',
}
COMMITTED, WORK = "as committed\n", "a day's work\n"
WHO = ("-c", "user.name=x", "-c", "user.email=x@example.org")


@dataclass(frozen=True)
class Dirty(Session):
    """`git checkout -- .` in a project with work that is not committed; the plan is the policy's name."""

    @property
    def played(self) -> Plan:
        files = {"{home}/.config/rulez/rules.yaml": POLICIES[self.plan]}
        return Plan(self.plan, files=files, turns=((Step(Call("Shell", {"command": "git checkout -- ."})),),))

    def furnish(self, place: Place) -> None:
        """Makes the project a repository in which a file has changed."""
        work = place.project / "work.txt"
        work.write_text(COMMITTED)
        git("init", "--quiet", str(place.project))
        git("-C", str(place.project), "add", "work.txt")
        git("-C", str(place.project), *WHO, "commit", "--quiet", "--message", "x")
        work.write_text(WORK)


def git(*arguments: str) -> None:
    environ = {"PATH": SYSTEM_PATH, "GIT_CONFIG_GLOBAL": "/dev/null"}
    subprocess.run(["git", *arguments], env=environ, check=True, capture_output=True)


KEPT, ASKED = ([Dirty(name, plan, "frozen", "rulez") for name in AGENTS] for plan in POLICIES)
CONTROLS = [Dirty(name, "kept", "frozen", "passes") for name in AGENTS]

Play = Callable[[Dirty], Run]


@pytest.fixture(scope="module")
def play(request: pytest.FixtureRequest) -> Iterator[Play]:
    """What a session left behind."""
    yield from begun(request.session.items, Dirty, run)


def ids(session: Dirty) -> str:
    return session.platform


@pytest.mark.parametrize("session", KEPT, ids=ids)
def test_the_call_goes_through_and_the_work_comes_back(session: Dirty, play: Play) -> None:
    place = play(session).place
    work, state = place.project / "work.txt", str(place.home / ".local/state/rulez")
    assert work.read_text() == COMMITTED
    (checkpoint,) = read_all(state)
    assert [back.what for back in give_back(checkpoint, state) if back.name == str(work)] == [GIVEN]
    assert work.read_text() == WORK


@pytest.mark.parametrize("session", ASKED, ids=ids)
def test_by_default_the_question_names_the_work(session: Dirty, play: Play) -> None:
    place = play(session).place
    assert (place.project / "work.txt").read_text() == WORK
    lines = (place.home / ".local/state/rulez/audit.jsonl").read_text().splitlines()
    assert any("work.txt (+1 -1)" in json.loads(line)["reason"] for line in lines)


@pytest.mark.parametrize("session", CONTROLS, ids=ids)
def test_without_rulez_it_is_gone(session: Dirty, play: Play) -> None:
    """Controls: what keeps it above is rulez."""
    assert (play(session).place.project / "work.txt").read_text() == COMMITTED
