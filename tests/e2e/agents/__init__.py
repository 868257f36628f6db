"""One module per agent: what to install, how to start it offline, how its model spells a call."""

from __future__ import annotations

import importlib
import json
import subprocess
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

from tests.e2e.model import Wire
from tests.e2e.place import HookCall, Place
from tests.e2e.script import Call, Spelling

PINNED: dict[str, str] = json.loads((Path(__file__).parent.parent / "versions.json").read_text())
"""Platform -> the version every change is tested against."""
AGENTS = tuple(PINNED)

NO_PROJECT = "hooks of a project"
"""The key in `LACKS` of an agent that reads none."""
NO_SHELL = "Whoever may end processes of yours may end the hook's shell too, and then the agent runs the call."
"""Why a case does not hold on agents that take a hook that was ended for one that has no opinion."""


Talk = Callable[["subprocess.Popen[bytes]", str, bool, threading.Event], list[str]]
"""A person of tests/e2e/person.py: (process, prompt, whether they agree, the model is done) -> what they were asked."""


@dataclass(frozen=True)
class Start:
    """How one session begins. `environment` is all the process gets besides HOME, PATH, LANG and TERM.

    `talk` is how the person is asked, where the session has one and the agent can ask.
    """

    arguments: list[str]
    environment: dict[str, str]
    talk: Talk | None = None


@dataclass(frozen=True)
class Definition:
    """The agent that a session of tests/e2e/test_agent_files.py is about: a subagent, or where it `leads` the main one.

    It is defined in a file of the project, or by `json` where that is not empty.
    """

    name: str
    json: str = ""
    leads: bool = False


@dataclass(frozen=True)
class Conditions:
    """What of a session an agent must know.

    `model` is its URL, `permitted` whether the user lets every tool run, `person` whether somebody is there,
    `definition` what is to be loaded, `skill` whether the session is about a skill, `unreviewed` whether hooks are to
    be called that nobody has reviewed.
    """

    place: Place
    model: str
    prompt: str
    permitted: bool
    person: bool
    patching: bool = False
    hasty: bool = False
    definition: Definition | None = None
    skill: bool = False
    unreviewed: bool = True


@dataclass(frozen=True, kw_only=True)
class SkillUse:
    """What an agent makes of the skills of tests/e2e/test_skills.py.

    `call` is how its model calls one with arguments; without it a person names it, `$NAME`, or where it `reads`, its
    model reads the file that the list names, with the tool for any file, which puts `numbers` (a regex) before lines.
    `words` are its own for Shell and Write. `expands` says that it puts arguments and what commands print into a text,
    `runs` that it does the second alone, `permits` that what a skill names needs no question. `loaded` is what it makes
    of the text that asks for both, where that is neither; `as_json` that its tool answers the text within JSON;
    `replaces` are words that it replaces in a skill alone, beside those that its module `REPLACES`.
    """

    call: Callable[[str, str], Spelling] | None
    reads: bool = False
    numbers: str = ""
    as_json: bool = False
    words: tuple[str, str]
    expands: bool = False
    runs: bool = False
    permits: bool = False
    loaded: str = ""
    replaces: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class AgentFiles:
    """What an agent makes of the definitions of tests/e2e/test_agent_files.py.

    `ways` are how it can load one: subagent, main, json. `shell_word`, `mcp_word` and `model` are what its files call
    Shell, the MCP server's tool and a model; that model then goes by `asked`, but by `asked_as_main` where it is not
    asked. `one_line` says that its files have the description on one line.

    Tools are sets of names as the model is offered them. Who lists every tool variant and the MCP server's has `shell`
    and `others`, without Shell `others` and `instead`, and as main agent `always` as well. Without a list, but without
    Shell, it has at least `least`. `handing_on` are those that give work to an agent with every tool.
    Who `looks_up_mcp` has to look for the MCP server's tool first: the script, which does not, reads no result of it.
    """

    ways: tuple[str, ...]
    shell_word: str
    mcp_word: str
    model: str
    asked: str
    asked_as_main: str = ""
    one_line: bool = False
    shell: frozenset[str]
    others: frozenset[str]
    instead: frozenset[str] = frozenset()
    always: frozenset[str] = frozenset()
    least: frozenset[str]
    handing_on: frozenset[str]
    looks_up_mcp: bool = False


class Agent(Protocol):
    """What an agent's module provides."""

    PACKAGE: str
    """The npm package; its pinned version is in versions.json. A module with `PYTHON`, the oldest Python that it runs
    on, has a package of that instead."""
    WIRE: Wire
    LACKS: Mapping[str, str]
    """Tool of the script's vocabulary that this agent does not have -> why, one sentence.

    Where it has them, a module also says of the cases of cases.yaml, by their titles: `CANNOT`, why one does not hold;
    `UNCONTROLLED`, why it holds without rulez as well; `BUT`, checks in place of the usual ones. `ENDS` is what an
    agent prints when a denial has ended its run: then each case needs a session of its own, and the model reads nothing
    of it. `refused(call)` is (id, reason) of the call that a hook has denied there. `REPLACES` are words that an agent
    replaces in the files it loads, so that rulez writes none with them.
    """

    def program(self, installed: Path) -> list[str]:
        """The command in an npm prefix, without arguments; its last word is the file to look into."""

    def prepare(self, conditions: Conditions) -> None:
        """Writes the settings of a person who lets every tool run (or none) and talks to the scripted model."""

    def start(self, conditions: Conditions) -> Start: ...

    def spell(self, call: Call, place: Place) -> Spelling: ...

    def closing(self, conversation: str) -> Spelling | None:
        """The call that must end a conversation, where a text is not enough."""


def agent(name: str) -> Agent:
    """The module of one platform."""
    return cast("Agent", importlib.import_module(f"tests.e2e.agents.{name}"))


def scope_of(name: str) -> str:
    """The scope of an agent's hooks where a session is about something else: the project's, if it reads any there."""
    return "user" if NO_PROJECT in agent(name).LACKS else "project"


def refused_by(name: str, call: HookCall) -> tuple[str, str] | None:
    """What a module that has `ENDS` says of a call of its hook: id and reason, where it has denied."""
    return cast(
        "Callable[[HookCall], tuple[str, str] | None]", importlib.import_module(f"tests.e2e.agents.{name}").refused
    )(call)


def writable(name: str, text: str, *more: str) -> str:
    """A text without what the agent's module says it `REPLACES` in its files, and without these words."""
    for word in (*getattr(agent(name), "REPLACES", ()), *more):
        text = text.replace(word, "-")
    return text


def agent_files(name: str) -> AgentFiles:
    """What a platform that has agent definition files makes of them."""
    return cast("AgentFiles", importlib.import_module(f"tests.e2e.agents.{name}").FILES)


def skill_use(name: str) -> SkillUse:
    """What a platform that loads skills makes of them."""
    return cast("SkillUse", importlib.import_module(f"tests.e2e.agents.{name}").SKILLS)
