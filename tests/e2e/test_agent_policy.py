"""An agent's own policy, written by `rulez agents write`, holds for it alone: `make e2e` runs this.

The main agent and the subagent make the same call; the definition's policy denies it.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e import install
from tests.e2e.agents import Conditions, Definition, agent, agent_files
from tests.e2e.conftest import begun
from tests.e2e.model import Model
from tests.e2e.place import FORMS, SYSTEM_PATH, Place
from tests.e2e.script import Call
from tests.e2e.session import Script, execute
from tests.e2e.table import Plan, Step

pytestmark = pytest.mark.e2e

NAME = "reviewer"
PLATFORMS = ("claude", "opencode", "copilot", "kilo")
"""Those with agent files whose hooks say which agent calls."""
DEFINITION = """\
description: Reviews changes.
model: {{{platform}: {model}}}
prompt: You review.
policy:
  - name: no-touch
    description: A reviewer makes no files
    matchers: {{command: {{program: touch}}}}
    actions: {{block: true}}
"""


@dataclass(frozen=True)
class PolicySession:
    """A session of one platform with such an agent."""

    platform: str

    def __str__(self) -> str:
        return self.platform


@dataclass(frozen=True)
class PolicyRun:
    """`made` are the files that calls have made, `heard` all that the model was told."""

    made: tuple[str, ...]
    heard: str
    printed: str


def run(session: PolicySession, work: Path) -> PolicyRun:
    """Plays one session in a new directory below `work`."""
    module = agent(session.platform)
    place = Place(work / f"agent-policy-{session}", session.platform, "project")
    place.make()
    model_name = agent_files(session.platform).model
    place.write("agents/reviewer.yaml", DEFINITION.format(platform=session.platform, model=model_name))
    place.write("rulez.agents.yaml", f"platforms: [{session.platform}]\nagents: [agents/*.yaml]\n")
    environ = {"HOME": str(place.home), "PATH": SYSTEM_PATH, "LANG": "C.UTF-8"}
    command = [str(FORMS["frozen"]), "agents", "write"]
    written = subprocess.run(
        ["setsid", *command], cwd=place.project, env=environ, capture_output=True, encoding="utf-8", check=False
    )
    assert written.returncode == 0, written.stderr
    handing_on = Call("Subagent", {"task": "{subagent} Do it.", "agent": NAME})
    turns = ((Step(Call("Shell", {"command": "touch made-by-main.txt"})),), (Step(handing_on),))
    plan = Plan("agent-policy", turns=turns, subagent=((Step(Call("Shell", {"command": "touch made-by-sub.txt"})),),))
    script = Script(module, plan, place, plan.hook)
    with Model(module.WIRE, script.say) as model:
        definition = Definition(NAME)
        conditions = Conditions(place, model.url, plan.prompt, permitted=True, person=False, definition=definition)
        module.prepare(conditions)
        place.put_tools()
        place.put_rulez(FORMS["frozen"])
        place.install_hook(FORMS["frozen"], hasty=False)
        _, _, printed = execute(module, conditions, install.prefix(session.platform), False, script.over)
    made = tuple(sorted(path.name for path in place.project.glob("made-by-*.txt")))
    heard = "\n".join(module.WIRE.heard(request.body) for request in model.requests)
    return PolicyRun(made, heard, f"see {place.root}: {printed}")


Play = Callable[[PolicySession], PolicyRun]
SESSIONS = [PolicySession(platform) for platform in PLATFORMS]


@pytest.fixture(scope="module")
def play(request: pytest.FixtureRequest) -> Iterator[Play]:
    """What a session left behind."""
    yield from begun(request.session.items, PolicySession, run)


@pytest.fixture(autouse=True)
def known(request: pytest.FixtureRequest) -> None:
    """Marks what does not hold yet."""


@pytest.mark.parametrize("session", SESSIONS, ids=str)
def test_the_subagent_is_held_to_its_policy(session: PolicySession, play: Play) -> None:
    assert "made-by-sub.txt" not in play(session).made, play(session).printed
    assert "A reviewer makes no files" in play(session).heard, play(session).printed


@pytest.mark.parametrize("session", SESSIONS, ids=str)
def test_the_main_agent_is_not(session: PolicySession, play: Play) -> None:
    """The control: the same call of another agent is made."""
    assert "made-by-main.txt" in play(session).made, play(session).printed
