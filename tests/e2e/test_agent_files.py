"""`rulez agents write`, and what the real agents make of its files. `make e2e` runs this; see tests/e2e/README.md.

One agent is written for each platform: with tools listed and without, with its shell and with the shell taken away.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rulez_py.definitions.base.tool import Platform, Tool
from tests.e2e import install
from tests.e2e.agents import AgentFiles, Conditions, Definition, agent, agent_files, scope_of, writable
from tests.e2e.conftest import begun
from tests.e2e.model import Model, Request
from tests.e2e.place import FORMS, SYSTEM_PATH, Place
from tests.e2e.script import Call
from tests.e2e.session import Script, execute
from tests.e2e.table import Plan, Step
from tests.e2e.wires import common

pytestmark = pytest.mark.e2e

NAME = "reviewer"
DESCRIPTION = """\
Reviews: "all" of 'it' # no comment --- C:\\temp [a, {b}] {{x}} $ARGUMENTS @definition.yaml 🦉 žluť 日本
- other: a second line"""
PROMPT = """\
Review: "all" of 'it' # with {{tool:Shell}}. \\ and \\n stay as they are.

---

## A title: --- 🦉 žluť 日本

Nothing is put in for $ARGUMENTS, $HOME, {{x}}, {env:HOME}, {file:definition.yaml}, @definition.yaml, !`date`, <b>.
"""
MCP = "make-file"
EVERY_TOOL = [*(tool.value for tool in Tool), f"Custom:{MCP}"]
DEFINITIONS: Mapping[str, Mapping[str, Any]] = {
    "listed": {"tools": EVERY_TOOL},
    "listed_without_shell": {"tools": EVERY_TOOL, "disallowedTools": ["Shell"]},
    "everything": {},
    "everything_without_shell": {"disallowedTools": ["Shell"]},
}
ENRICHER = """\
'''What each agent calls our own tool.'''
WORDS = {words}


def spell(platform, agent, tools):
    return {{WORDS[platform] if name == {mcp!r} else name: on for name, on in tools.items()}}
"""
TURNS = (
    Call("Shell", {"command": "touch made-by-shell.txt"}),
    Call("Write", {"path": "made-by-write.txt", "content": "made\n"}),
    Call("Mcp", {"path": "made-by-mcp.txt"}),
)
"""What the model calls as this agent, whatever it is offered."""
COMPLAINT = re.compile(
    "(?i)loading error|failed to load|malformed|is invalid|duplicate|not found|no such agent|to default agent"
)


@dataclass(frozen=True)
class AgentSession:
    """One of DEFINITIONS on a platform, loaded in one of its `ways`."""

    platform: str
    definition: str
    way: str

    def __str__(self) -> str:
        return f"{self.platform}-{self.way}-{self.definition}"

    @property
    def files(self) -> AgentFiles:
        return agent_files(self.platform)


@dataclass(frozen=True)
class AgentRun:
    """What such a session left behind.

    `said` is what each form of rulez said; `first` the first request of all, `own` the first of the agent; `results`
    what its calls came to.
    """

    place: Place
    said: tuple[str, ...]
    exit_code: int | None
    printed: str
    first: Request
    own: Request
    results: Mapping[str, str]


def run(session: AgentSession, work: Path) -> AgentRun:
    """Plays one session in a new directory below `work`, of another name than those tests/e2e/drift.py looks into."""
    module = agent(session.platform)
    name = f"agent-files-{session}"
    place = Place(work / name, session.platform, scope_of(session.platform))
    place.make()
    place.put_tools()
    said = tuple(_written(session, place, program) for program in FORMS.values())
    definition = Definition(NAME, json=said[0] if session.way == "json" else "", leads=session.way == "main")
    turns = tuple((Step(call),) for call in TURNS)
    plan = Plan(name, turns=turns)
    if not definition.leads:
        handing_on = Call("Subagent", {"task": "{subagent} Do it.", "agent": NAME})
        plan = Plan(name, turns=((Step(handing_on),),), subagent=turns)
    script = Script(module, plan, place, plan.hook)
    with Model(module.WIRE, script.say) as model:
        conditions = Conditions(place, model.url, plan.prompt, permitted=True, person=False, definition=definition)
        module.prepare(conditions)
        exit_code, _, printed = execute(module, conditions, install.prefix(session.platform), False, script.over)
    own = [request for request in model.requests if request.conversation == ("main" if definition.leads else "sub")]
    assert own, f"the agent was never asked: see {place.root}: {printed}"
    results = {call: text for request in own for call, text in module.WIRE.results(request.body)}
    return AgentRun(place, said, exit_code, printed, model.requests[0], own[0], results)


def _written(session: AgentSession, place: Place, rulez: Path) -> str:
    """What `rulez` says when it writes the definition into the project, or prints it."""
    definition = {"name": NAME, "description": DESCRIPTION, "model": {session.platform: session.files.model}}
    whole = {**definition, "prompt": writable(session.platform, PROMPT), **DEFINITIONS[session.definition]}
    place.write("definition.yaml", json.dumps(whole, ensure_ascii=False))
    words = {platform.value: agent_files(platform).mcp_word for platform in Platform}
    place.write("own_enrichers.py", ENRICHER.format(words=words, mcp=MCP))
    command = [str(rulez), "agents", "write", "definition.yaml", "--enricher", "own_enrichers:spell"]
    as_json = ["--format", "json", "--out", "-"] if session.way == "json" else []
    ended = subprocess.run(
        [*command, "--platform", session.platform, *as_json],
        cwd=place.project,
        env={"HOME": str(place.home), "PATH": SYSTEM_PATH, "LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


Play = Callable[[AgentSession], AgentRun]


@pytest.fixture(scope="module")
def play(request: pytest.FixtureRequest) -> Iterator[Play]:
    """What a session left behind."""
    yield from begun(request.session.items, AgentSession, run)


@pytest.fixture(autouse=True)
def known(request: pytest.FixtureRequest) -> None:
    """Marks what does not hold yet."""


def sessions(*definitions: str, ways: tuple[str, ...] = ("subagent", "main", "json")) -> list[AgentSession]:
    """Those with these definitions; that JSON is loaded is shown with one."""
    return [
        AgentSession(platform, definition, way)
        for platform in map(str, Platform)
        for way in agent_files(platform).ways
        for definition in definitions
        if way in ways and (way != "json" or definition == "listed")
    ]


def offered(session: AgentSession, run: AgentRun) -> list[str]:
    return sorted(agent(session.platform).WIRE.offered(run.own.body))


@pytest.mark.parametrize("session", sessions(*DEFINITIONS), ids=str)
def test_both_forms_of_rulez_write_the_same(session: AgentSession, play: Play) -> None:
    one, other = play(session).said
    assert other == (one if session.way == "json" else one.replace("wrote", "unchanged"))


@pytest.mark.parametrize("session", sessions(*DEFINITIONS), ids=str)
def test_it_is_loaded_without_a_complaint(session: AgentSession, play: Play) -> None:
    run = play(session)
    assert run.exit_code == 0, f"see {run.place.root}: {run.printed}"
    # Gemini CLI's stop watch of its own start misses a mark now and then.
    said = "\n".join(line for line in run.printed.splitlines() if not line.startswith("[STARTUP]"))
    assert not COMPLAINT.search(said), f"see {run.place.root}: {run.printed}"


@pytest.mark.parametrize("session", sessions(*DEFINITIONS), ids=str)
def test_it_has_the_prompt_as_it_was_written(session: AgentSession, play: Play) -> None:
    wanted = writable(session.platform, PROMPT).replace("{{tool:Shell}}", session.files.shell_word).strip()
    assert wanted in agent(session.platform).WIRE.system(play(session).own.body)


@pytest.mark.parametrize("session", sessions(*DEFINITIONS, ways=("subagent", "json")), ids=str)
def test_who_calls_it_reads_the_description_as_it_was_written(session: AgentSession, play: Play) -> None:
    wanted = " ".join(DESCRIPTION.split()) if session.files.one_line else DESCRIPTION
    assert wanted in common.all_strings(play(session).first.body)


@pytest.mark.parametrize("session", sessions(*DEFINITIONS), ids=str)
def test_the_model_it_names_is_asked(session: AgentSession, play: Play) -> None:
    files, own = session.files, play(session).own
    wanted = files.asked_as_main if session.way == "main" and files.asked_as_main else files.asked
    assert agent(session.platform).WIRE.model(own.path, own.body) == wanted


@pytest.mark.parametrize("session", sessions("listed", "listed_without_shell"), ids=str)
def test_it_is_offered_exactly_the_tools_it_lists(session: AgentSession, play: Play) -> None:
    files = session.files
    wanted = files.others | (files.shell if session.definition == "listed" else files.instead)
    assert offered(session, play(session)) == sorted(wanted | (files.always if session.way == "main" else frozenset()))


@pytest.mark.parametrize("session", sessions("listed", "everything"), ids=str)
def test_a_shell_that_is_not_taken_away_runs(session: AgentSession, play: Play) -> None:
    """The control: what the next test does not find is there otherwise."""
    run = play(session)
    assert session.files.shell <= set(offered(session, run))
    assert (run.place.project / "made-by-shell.txt").exists()


@pytest.mark.parametrize("session", sessions("listed_without_shell", "everything_without_shell"), ids=str)
def test_a_shell_that_is_taken_away_is_not_offered_and_does_not_run(session: AgentSession, play: Play) -> None:
    run = play(session)
    assert not session.files.shell & set(offered(session, run))
    assert len(run.results) == len(TURNS) - session.files.looks_up_mcp, f"not every call was made: {run.results}"
    assert not (run.place.project / "made-by-shell.txt").exists()


@pytest.mark.parametrize("session", sessions("listed_without_shell", "everything_without_shell"), ids=str)
def test_without_the_shell_it_is_offered_nobody_who_has_one(session: AgentSession, play: Play) -> None:
    assert not session.files.handing_on & set(offered(session, play(session)))


@pytest.mark.parametrize("session", sessions("everything_without_shell"), ids=str)
def test_without_the_shell_alone_it_is_offered_the_others(session: AgentSession, play: Play) -> None:
    assert session.files.least <= set(offered(session, play(session)))


@pytest.mark.parametrize("session", sessions(*DEFINITIONS), ids=str)
def test_what_it_is_offered_besides_runs(session: AgentSession, play: Play) -> None:
    run = play(session)
    assert (run.place.project / "made-by-write.txt").exists()
    mcp = agent(session.platform).spell(TURNS[-1], run.place).name
    assert (run.place.project / "made-by-mcp.txt").exists() is (mcp in offered(session, run))
