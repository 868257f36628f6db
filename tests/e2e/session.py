"""One session: an agent, a place, a script; and what it left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from tests.e2e import install
from tests.e2e.agents import AGENTS, Agent, Conditions, agent, refused_by
from tests.e2e.model import Model
from tests.e2e.person import TERMINAL, Terminal
from tests.e2e.place import FORMS, SYSTEM_PATH, HookCall, Place, hook_calls
from tests.e2e.script import SUBAGENT_MARK, Reply, call_id
from tests.e2e.table import Case, Plan, plans

OFFERED = "offered.json"
"""The file of a session that lists the tools its model could call."""

TIME_LIMIT = 240
"""Seconds after which a session is ended. One that is well takes 3 to 10, of OpenHands 20; with a hanging hook 60."""


@dataclass(frozen=True)
class Session:
    """One session of one agent.

    `plan` is its name in cases.yaml, `form` the form of rulez, `hook` what stands in for it, "" for
    what the plan says.
    """

    platform: str
    plan: str
    form: str
    hook: str = ""
    only: str = field(default="", kw_only=True)
    """The title of the one case that it is about, where a denial ends the agent's run; "": all of the plan's."""

    @property
    def agent(self) -> Agent:
        return agent(self.platform)

    @property
    def played(self) -> Plan:
        """The plan as this agent can play it."""
        plan = plans()[self.plan].without(self.agent.LACKS)
        return plan.alone(self.only) if self.only else plan

    def furnish(self, place: Place) -> None:
        """Puts there what else the person has before rulez is set up: nothing."""

    def settle(self, place: Place) -> None:
        """Changes what there is once rulez is set up: nothing."""

    @property
    def environment(self) -> Mapping[str, str]:
        """What else is in the agent's environment: nothing."""
        return {}

    @property
    def unreviewed(self) -> bool:
        """Whether the agent is told to call hooks that nobody has reviewed: yes, as nobody is there who could."""
        return True


def to_play(*, controls: bool) -> list[tuple[Session, Case]]:
    """Every case with the session that decides it: of the sessions as planned, or of those with a hook that passes."""
    return [
        (Session(platform, plan.name, form, "passes" if controls else "", only=_alone(platform, case, controls)), case)
        for platform in AGENTS
        for plan in plans().values()
        for form in (plan.forms if not controls else ("frozen",) if plan.control else ())
        for case in plan.cases
    ]


def _alone(platform: str, case: Case, controls: bool) -> str:
    """Return the title of a case that needs a session of its own; with a hook that always passes, none does."""
    return case.title if ends(platform) and not controls else ""


def ends(platform: str) -> str:
    """Return what an agent prints whose run a denial has ended; "" where it goes on."""
    return str(getattr(agent(platform), "ENDS", ""))


@dataclass(frozen=True)
class Run:
    """What a session left behind.

    `results`: call id -> text of its result, as the model read it last, or where a denial ends the agent's run, the
    reason in the hook's answer.
    """

    place: Place
    exit_code: int | None
    seconds: float
    printed: str
    asked: tuple[str, ...]
    requests: int
    results: dict[str, str]
    heard: str
    visits: tuple[str, ...]
    calls: tuple[HookCall, ...]


def run(session: Session, work: Path) -> Run:
    """Plays one session in a new directory below `work`."""
    module, plan, hook = session.agent, session.played, session.hook or plans()[session.plan].hook
    only = session.only.replace(" ", "_")[:80]
    name = "-".join(filter(None, (session.platform, session.plan, session.form, session.hook, only)))
    place = Place(work / name, session.platform, plan.scope)
    place.make()
    script = Script(module, plan, place, hook)
    with Model(module.WIRE, script.say) as model:
        script.web = f"{model.url}/pages"
        for path, text in plan.files.items():
            place.write(path, place.filled(text))
        conditions = Conditions(
            place=place,
            model=model.url,
            prompt=plan.prompt,
            permitted=plan.permitted,
            person=bool(plan.person),
            patching=any(step.call.tool == "Patch" for step in plan.steps),
            hasty=plan.hasty or hook == "hangs",
            unreviewed=session.unreviewed,
        )
        module.prepare(conditions)
        place.put_tools()
        place.put_rulez(FORMS[session.form])
        if hook == "passes":
            place.replace_rulez(hook)
        session.furnish(place)
        place.install_hook(FORMS[session.form], hasty=conditions.hasty)
        session.settle(place)
        started = time.monotonic()
        installed = install.prefix(session.platform)
        exit_code, asked, printed = execute(
            module, conditions, installed, plan.person == "yes", script.over, session.environment
        )
        seconds = time.monotonic() - started
    bodies = [request.body for request in model.requests]
    offered = {name for body in bodies for name in module.WIRE.offered(body)}
    (place.root / OFFERED).write_text(json.dumps(sorted(offered)))
    calls = tuple(hook_calls(place.calls))
    refused = [refused_by(session.platform, call) for call in calls] if ends(session.platform) else []
    return Run(
        place=place,
        exit_code=exit_code,
        seconds=seconds,
        printed=printed,
        asked=tuple(asked),
        requests=len(bodies),
        results=dict(filter(None, refused)) | dict(each for body in bodies for each in module.WIRE.results(body)),
        heard="\n".join(module.WIRE.heard(body) for body in bodies),
        visits=tuple(model.visits),
        calls=calls,
    )


class Script:
    """The plan's turns as the model says them; what the harness does meanwhile happens just before."""

    def __init__(self, module: Agent, plan: Plan, place: Place, hook: str) -> None:
        self._module, self._plan, self._place = module, plan, place
        self._stand_in = "" if hook in ("rulez", "passes") else hook
        self._changed = 0
        self.over = threading.Event()
        self._subagent_begun, self._subagent_done = threading.Event(), threading.Event()
        self.web = ""

    def say(self, conversation: str, turn: int) -> Reply:
        """The reply of one turn; called from a thread for each request."""
        if self._stand_in:
            self._place.replace_rulez(self._stand_in)
            self._stand_in = ""
        if conversation == "main":
            self._await_subagent(turn)
            self._change_until(turn)
            turns = self._plan.turns
        else:
            self._subagent_begun.set()
            turns = self._plan.subagent
            if turn >= len(turns):
                self._subagent_done.set()
        if turn >= len(turns):
            last = self._module.closing(conversation) if turn == len(turns) else None
            if conversation == "main" and last is None:
                self.over.set()
            return Reply(calls=((call_id(conversation, turn, 0), last),)) if last else Reply(text="Done.")
        calls = []
        for number, step in enumerate(turns[turn]):
            call = step.call.filled(self._filled)
            calls.append((call_id(conversation, turn, number), self._module.spell(call, self._place)))
        return Reply(calls=tuple(calls))

    def _await_subagent(self, turn: int) -> None:
        """Some agents go on while a subagent works, and would end the session before it is done."""
        before = self._plan.turns[turn - 1] if 0 < turn <= len(self._plan.turns) else ()
        if any(step.call.tool == "Subagent" for step in before) and self._subagent_begun.wait(timeout=3):
            self._subagent_done.wait(timeout=30)

    def _filled(self, text: str) -> str:
        return self._place.filled(text, web=self.web, subagent=SUBAGENT_MARK)

    def _change_until(self, turn: int) -> None:
        for change in self._plan.changes[self._changed :]:
            if change.before_turn <= turn:
                self._place.write(change.path, self._filled(change.text))
                self._changed += 1


def execute(
    module: Agent,
    conditions: Conditions,
    installed: Path,
    agrees: bool,
    over: threading.Event,
    more: Mapping[str, str] = MappingProxyType({}),
) -> tuple[int | None, list[str], str]:
    """Exit code (None where the time was up), what a person was asked, what was printed."""
    place = conditions.place
    start = module.start(conditions)
    terminal = TERMINAL if isinstance(start.talk, Terminal) else ()
    environment = {
        "HOME": str(place.home),
        "PATH": f"{place.bin}:{SYSTEM_PATH}",
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        **start.environment,
        **more,
    }
    asked: list[str] = []
    with open(place.root / "output.txt", "wb") as output:
        process = subprocess.Popen(
            [*terminal, *place.apart, *module.program(installed), *start.arguments],
            cwd=place.project,
            env=environment,
            stdin=subprocess.PIPE if start.talk else subprocess.DEVNULL,
            stdout=subprocess.PIPE if start.talk else output,
            stderr=output,
            start_new_session=True,
        )
        limit = threading.Timer(TIME_LIMIT, _end, [process])
        limit.start()
        try:
            if start.talk:
                asked = start.talk(process, conditions.prompt, agrees, over)
                process.communicate()
            exit_code: int | None = process.wait()
            if not limit.is_alive():
                exit_code = None
        finally:
            limit.cancel()
            _end(process)
    return exit_code, asked, (place.root / "output.txt").read_text(errors="replace")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends the agent and what it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
