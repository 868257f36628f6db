"""Skills that rulez writes, and what the real agents make of them. `make e2e` runs this; see tests/e2e/README.md.

One skill is written for each platform: with a text that nothing may be done to, with one that asks for arguments and
a command, and with tools that need no question.
"""

from __future__ import annotations

import html
import json
import re
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rulez_py.definitions.base.tool import Tool
from rulez_py.definitions.output.written import Scope
from rulez_py.definitions.skills import PLATFORMS, Skill, SkillFile, load
from rulez_py.definitions.skills.platforms import SKILL_FILES
from tests.e2e import install
from tests.e2e.agents import Conditions, SkillUse, agent, scope_of, skill_use, writable
from tests.e2e.conftest import begun
from tests.e2e.model import Model
from tests.e2e.place import FORMS, SYSTEM_PATH, Place
from tests.e2e.script import Call, Reply, Spelling, call_id
from tests.e2e.session import execute
from tests.e2e.wires import common

pytestmark = pytest.mark.e2e

NAME = "owl-notes"
DESCRIPTION = (
    "Notes: \"all\" of 'it' # no comment --- C:\\temp [a, {b}] {{x}} $ARGUMENTS 🦉 žluť 日本\n- other: a second line"
)
KEPT = """\
Note: "all" of 'it' # with {{tool:Shell}}, {{tool:Write}}. \\ and \\n stay as they are.

---

## A title: --- 🦉 žluť 日本

Nothing is put in for $ARGUMENTS, $ARGUMENTS[0], $0, $1, $10, $5.50, $HOME, ${HOME}, {{x}}, {{args}}, {env:HOME},
{file:a}, !{date}, @{a}, x!`date`, (!`date`), </skill>, <b>; awk '{print $0}'.
"""
MEANT = "So far: [$ARGUMENTS]\n!`touch made-by-loading.txt && echo LOADED`\n"
FILES = (
    SkillFile("scripts/make.sh", b"#!/bin/sh\ntouch made-by-script.txt\n", executable=True),
    SkillFile("assets/logo.bin", bytes(range(256))),
)
SKILLS: Mapping[str, Mapping[str, Any]] = {
    "kept": {"text": KEPT, "files": FILES},
    "meant": {"text": MEANT, "expands": ["arguments", "commands"]},
    "permitting": {"text": "Go on.\n", "tools": [Tool.Custom("Bash(touch:*)")]},
}


@dataclass(frozen=True)
class SkillSession:
    """One of SKILLS on a platform, a project's or a person's own."""

    platform: str
    skill: str
    scope: Scope = "project"

    def __str__(self) -> str:
        return f"{self.platform}-{self.skill}-{self.scope}"

    @property
    def use(self) -> SkillUse:
        return skill_use(self.platform)

    @property
    def text(self) -> str:
        """What its author wrote, without what the platform replaces whatever they do."""
        text = str(SKILLS[self.skill]["text"])
        return text if "expands" in SKILLS[self.skill] else writable(self.platform, text, *self.use.replaces)


@dataclass(frozen=True)
class SkillRun:
    """What such a session left behind.

    `said` is what each form of rulez said, `first` what the model was sent at first, `heard` all that it ever was.
    """

    place: Place
    said: list[str]
    exit_code: int | None
    printed: str
    first: str
    heard: str


def run(session: SkillSession, work: Path) -> SkillRun:
    """Plays one session in a new directory below `work`, of another name than those tests/e2e/drift.py looks into."""
    module = agent(session.platform)
    place = Place(work / f"skills-{session}", session.platform, scope_of(session.platform))
    place.make()
    place.put_tools()
    directory, said = _written(session, place)
    scripts = directory / "scripts" / "make.sh"
    command = f"'{scripts}'" if session.skill == "kept" else "touch made-by-shell.txt"
    called = [session.use.call(NAME, "one two")] if session.use.call else []
    if session.use.reads:
        called = [module.spell(Call("Read", {"path": str(directory / "SKILL.md")}), place)]
    turns = [*called, module.spell(Call("Shell", {"command": command}), place)]
    over = threading.Event()
    prompt = "Please go on." if called else f"Please use ${NAME}."
    with Model(module.WIRE, _script(turns, over)) as model:
        permitted = session.skill != "permitting"
        conditions = Conditions(place, model.url, prompt, permitted=permitted, person=False, skill=True)
        module.prepare(conditions)
        exit_code, _, printed = execute(module, conditions, install.prefix(session.platform), False, over)
    assert model.requests, f"the agent never asked: see {place.root}: {printed}"
    bodies = [request.body for request in model.requests]
    heard = "\n".join(module.WIRE.heard(body) for body in bodies)
    return SkillRun(place, said, exit_code, printed, common.all_strings(bodies[0]), heard)


def _written(session: SkillSession, place: Place) -> tuple[Path, list[str]]:
    """The skill's directory, written by both forms of rulez one after the other; and what each of them said."""
    whole = {**SKILLS[session.skill], "text": session.text}
    skill = Skill(name=NAME, description=DESCRIPTION, **whole)
    source = place.project / "skills" / NAME
    _put(skill, source)
    assert load(source) == skill
    place.write("rulez.agents.yaml", f"platforms: [{session.platform}]\nskills: [skills/*]\n")
    files = SKILL_FILES[session.platform]
    own = session.scope == "user"
    written = place.home / files.user_directory if own else place.project / files.directory
    return written / NAME, [_command(program, session.scope, place) for program in FORMS.values()]


def _command(program: Path, scope: str, place: Place) -> str:
    """What `rulez agents write` says."""
    ended = subprocess.run(
        [program, "agents", "write", "--scope", scope],
        cwd=place.project,
        env={"HOME": str(place.home), "PATH": SYSTEM_PATH, "LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def _put(skill: Skill, source: Path) -> None:
    """A skill as a person keeps it."""
    for file in skill.files:
        (source / file.path).parent.mkdir(parents=True, exist_ok=True)
        (source / file.path).write_bytes(file.content)
        (source / file.path).chmod(0o755 if file.executable else 0o644)
    source.mkdir(parents=True, exist_ok=True)
    keys = [f"description: {_quoted(DESCRIPTION)}", *(f"expands: {list(skill.expands)}" for _ in skill.expands[:1])]
    keys += [f"tools: [{', '.join(_quoted(str(tool)) for tool in skill.tools or ())}]"] if skill.tools else []
    head = "\n".join(keys)
    (source / "SKILL.md").write_text(f"---\n{head}\n---\n\n{skill.text}")


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _script(turns: list[Spelling], over: threading.Event) -> Callable[[str, int], Reply]:
    """The model makes these calls, one a turn."""

    def say(conversation: str, turn: int) -> Reply:
        if turn < len(turns):
            return Reply(calls=((call_id(conversation, turn, 0), turns[turn]),))
        over.set()
        return Reply(text="Done.")

    return say


Play = Callable[[SkillSession], SkillRun]


@pytest.fixture(scope="module")
def play(request: pytest.FixtureRequest) -> Iterator[Play]:
    """What a session left behind."""
    yield from begun(request.session.items, SkillSession, run)


def sessions(*skills: str, scopes: tuple[Scope, ...] = ("project",)) -> list[SkillSession]:
    """These skills on every platform: of these scopes, or of a person's own where there is no other."""
    own: tuple[Scope, ...] = ("user",)
    return [
        SkillSession(platform, skill, scope)
        for platform in PLATFORMS
        for skill in skills
        for scope in (scopes if SKILL_FILES[platform].directory else own)
    ]


KEPT_IN_BOTH = sessions("kept", scopes=("project", "user"))


@pytest.mark.parametrize("session", KEPT_IN_BOTH, ids=str)
def test_both_forms_of_rulez_write_the_same(session: SkillSession, play: Play) -> None:
    one, other = play(session).said
    assert f"{NAME}/SKILL.md" in one
    assert other == one.replace("wrote", "unchanged")


@pytest.mark.parametrize("session", KEPT_IN_BOTH, ids=str)
def test_the_model_is_told_of_it_as_it_was_described(session: SkillSession, play: Play) -> None:
    run = play(session)
    assert run.exit_code == 0, f"see {run.place.root}: {run.printed}"
    most = SKILL_FILES[session.platform].most_description
    wanted = " ".join(DESCRIPTION.split())
    wanted = wanted if len(wanted) <= most else wanted[: most - len("...")]
    assert wanted in html.unescape(run.first), f"see {run.place.root}: {run.printed}"


@pytest.mark.parametrize("session", KEPT_IN_BOTH, ids=str)
def test_its_text_is_given_as_it_was_written_with_the_agent_s_words(session: SkillSession, play: Play) -> None:
    shell, write = session.use.words
    wanted = session.text.replace("{{tool:Shell}}", shell).replace("{{tool:Write}}", write).strip()
    wanted = json.dumps(wanted, ensure_ascii=False)[1:-1] if session.use.as_json else wanted
    heard = play(session).heard
    assert wanted in (re.sub(session.use.numbers, "", heard) if session.use.numbers else heard)


@pytest.mark.parametrize("session", KEPT_IN_BOTH, ids=str)
def test_the_files_beside_it_are_there_and_can_be_run(session: SkillSession, play: Play) -> None:
    run = play(session)
    files = SKILL_FILES[session.platform]
    place = run.place.home / files.user_directory if session.scope == "user" else run.place.project / files.directory
    assert (place / NAME / "assets" / "logo.bin").read_bytes() == bytes(range(256))
    assert (run.place.project / "made-by-script.txt").exists(), run.heard[-2000:]


@pytest.mark.parametrize("session", sessions("meant"), ids=str)
def test_what_is_meant_to_be_put_in_is_put_in_by_who_does_that(session: SkillSession, play: Play) -> None:
    run = play(session)
    assert (run.place.project / "made-by-loading.txt").exists() is (session.use.expands or session.use.runs)
    wanted = "So far: [one two]\nLOADED" if session.use.expands else session.use.loaded or MEANT.strip()
    wanted = json.dumps(wanted, ensure_ascii=False)[1:-1] if session.use.as_json else wanted
    assert wanted in run.heard


@pytest.mark.parametrize("session", sessions("permitting"), ids=str)
def test_its_tools_need_no_question_where_that_can_be_said(session: SkillSession, play: Play) -> None:
    run = play(session)
    assert (run.place.project / "made-by-shell.txt").exists() is session.use.permits
