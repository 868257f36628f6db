"""Slash commands that rulez writes, and what the real agents make of them: `make e2e` runs this.

One command is written for each platform that loads them, for a project or a person, and called with two arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pytest

from rulez_py.definitions.commands import COMMAND_FILES, PLATFORMS
from rulez_py.definitions.output.written import Scope
from tests.e2e import install
from tests.e2e.agents import Agent, Conditions, Start, agent, skill_use, writable
from tests.e2e.conftest import begun
from tests.e2e.model import Model
from tests.e2e.place import Place
from tests.e2e.session import Script, execute
from tests.e2e.table import Plan
from tests.e2e.wires import common

pytestmark = pytest.mark.e2e

TEXT = """\
# Fix --- "all" of 'it' 🦉 žluť 日本 with {{tool:Shell}}

All: [{{args}}]. One: [{{arg:1}}]. Two: [{{arg:2}}].

Nothing is put in for $HOME, ${HOME}, {{x}}, {env:HOME}, {file:x}, <b>, \\ and \\n, me@example.com.
"""
HEAD = """\
---
description: "Fixes: a \\"bug\\" in 'it'."
arguments: "[file] [line]"
---

"""
ONE, TWO = "first", "second"
BY_OPTION = ("opencode", "kilo")
"""Those whose headless session takes a command as an option."""
SCOPES: tuple[Scope, ...] = ("project", "user")


@dataclass(frozen=True)
class CommandSession:
    """One platform, with the command in the project or among the person's own."""

    platform: str
    scope: Scope

    def __str__(self) -> str:
        return f"{self.platform}-{self.scope}"


class _Called:
    """An agent that is started with a command: as its prompt, or where it takes that as an option so."""

    def __init__(self, module: Agent) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)

    def start(self, conditions: Conditions) -> Start:
        start = self._module.start(conditions)
        return replace(start, arguments=[*start.arguments[:-1], "--command", "fix", ONE, TWO])


def run(session: CommandSession, work: Path) -> str:
    """All that the first request holds of a session in a new directory below `work`."""
    module = agent(session.platform)
    place = Place(work / f"slash-commands-{session}", session.platform, "project")
    place.make()
    place.put_tools()
    place.write_for_agents(
        "commands",
        "commands/fix.md",
        HEAD + writable(session.platform, TEXT),
        platforms=[session.platform],
        scope=session.scope,
    )
    called = cast("Agent", _Called(module)) if session.platform in BY_OPTION else module
    script = Script(module, Plan("slash-commands", turns=()), place, "rulez")
    with Model(module.WIRE, script.say) as model:
        conditions = Conditions(place, model.url, f"/fix {ONE} {TWO}", permitted=True, person=False)
        module.prepare(conditions)
        _, _, printed = execute(called, conditions, install.prefix(session.platform), False, script.over)
    assert model.requests, f"the model was never asked: see {place.root}: {printed}"
    return common.all_strings(model.requests[0].body)


Play = Callable[[CommandSession], str]
SESSIONS = [CommandSession(platform, scope) for platform in PLATFORMS for scope in SCOPES]


@pytest.fixture(scope="module")
def play(request: pytest.FixtureRequest) -> Iterator[Play]:
    """What the model was asked."""
    yield from begun(request.session.items, CommandSession, run)


@pytest.fixture(autouse=True)
def known(request: pytest.FixtureRequest) -> None:
    """Marks what does not hold yet."""


@pytest.mark.parametrize("session", SESSIONS, ids=str)
def test_the_model_reads_the_text_with_its_arguments(session: CommandSession, play: Play) -> None:
    words = [f"{ONE} {TWO}", ONE, TWO] if COMMAND_FILES[session.platform].one else [f"{ONE} {TWO}"] * 3
    wanted = writable(session.platform, TEXT).replace("{{tool:Shell}}", skill_use(session.platform).words[0])
    for place, word in zip(("{{args}}", "{{arg:1}}", "{{arg:2}}"), words, strict=True):
        wanted = wanted.replace(place, word)
    assert wanted.strip() in play(session)
