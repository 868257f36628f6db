"""Instructions that rulez writes, and what the real agents read of them. `make e2e` runs this; see tests/e2e/README.md.

The same text is written for one platform alone, for all of them beside what people wrote there, and for a person.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from rulez_py.definitions.instructions import PLATFORMS, left_over, take_out
from tests.e2e import install
from tests.e2e.agents import Conditions, agent, scope_of, writable
from tests.e2e.conftest import begun
from tests.e2e.model import Model
from tests.e2e.place import Place
from tests.e2e.session import Script, execute
from tests.e2e.table import Plan
from tests.e2e.wires import common

pytestmark = pytest.mark.e2e

TEXT = """\
# How we work --- "all" of 'it' 🦉 žluť 日本

Nothing is put in for $ARGUMENTS, $HOME, ${HOME}, {{x}}, {env:HOME}, {file:x}, !`date`, <b>, me@example.com.

    code
"""
OWN = {
    "CLAUDE.md": "People wrote this for Claude Code.\n",
    "AGENTS.md": "People wrote this for everybody.",
    "GEMINI.md": "\n",
}
"""What people have in these files before."""
WAYS = ("alone", "together", "user")


@dataclass(frozen=True)
class InstructionSession:
    """One platform, with the text written in one of WAYS."""

    platform: str
    way: str

    def __str__(self) -> str:
        return f"{self.platform}-{self.way}"

    @property
    def text(self) -> str:
        return writable(self.platform, TEXT)


@dataclass(frozen=True)
class InstructionRun:
    """`read` is all that the first request holds, `before` and `after` the files, with sections and without them."""

    read: str
    printed: str
    before: dict[str, bytes]
    after: dict[str, bytes]


def run(session: InstructionSession, work: Path) -> InstructionRun:
    """Plays one session in a new directory below `work`."""
    module = agent(session.platform)
    place = Place(work / f"instructions-{session}", session.platform, scope_of(session.platform))
    place.make()
    place.put_tools()
    together = session.way == "together"
    for name, text in OWN.items() if together else ():
        place.write(name, text)
    before = _files(place.project)
    scope, root = ("user", place.home) if session.way == "user" else ("project", place.project)
    platforms = list(PLATFORMS) if together else [session.platform]
    text = TEXT if session.way == "replaced" else session.text
    place.write_for_agents("instructions", "instructions/main.txt", text, platforms=platforms, scope=scope)
    script = Script(module, Plan("instructions", turns=()), place, "rulez")
    with Model(module.WIRE, script.say) as model:
        conditions = Conditions(place, model.url, "Please go on.", permitted=True, person=False)
        module.prepare(conditions)
        _, _, printed = execute(module, conditions, install.prefix(session.platform), False, script.over)
    assert model.requests, f"the model was never asked: see {place.root}: {printed}"
    take_out(left_over(str(root), [], scope=scope))  # type: ignore[arg-type]
    return InstructionRun(common.all_strings(model.requests[0].body), printed, before, _files(place.project))


def _files(project: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in project.rglob("*.md") if ".git" not in path.parts}


Play = Callable[[InstructionSession], InstructionRun]
SESSIONS = [InstructionSession(platform, way) for platform in PLATFORMS for way in WAYS]
REPLACED = [InstructionSession(platform, "replaced") for platform in PLATFORMS if writable(platform, TEXT) != TEXT]


@pytest.fixture(scope="module")
def play(request: pytest.FixtureRequest) -> Iterator[Play]:
    """What a session left behind."""
    yield from begun(request.session.items, InstructionSession, run)


@pytest.fixture(autouse=True)
def known(request: pytest.FixtureRequest) -> None:
    """Marks what does not hold yet."""


@pytest.mark.parametrize("session", SESSIONS, ids=str)
def test_the_model_reads_the_text_once_and_as_it_was_written(session: InstructionSession, play: Play) -> None:
    assert play(session).read.count(session.text.strip()) == 1
    assert play(session).read.count("How we work") == 1


@pytest.mark.parametrize("session", REPLACED, ids=str)
def test_a_text_with_what_the_platform_replaces_is_not_read_as_it_was_written(
    session: InstructionSession, play: Play
) -> None:
    """The control: who reads it as it is needs no warning."""
    assert TEXT.strip() not in play(session).read


@pytest.mark.parametrize("session", [one for one in SESSIONS if one.way == "together"], ids=str)
def test_what_people_wrote_is_read_as_well(session: InstructionSession, play: Play) -> None:
    """Claude Code reads AGENTS.md by what takes it in, all others by themselves but Gemini CLI."""
    assert play(session).read.count(OWN["AGENTS.md"]) == 1


@pytest.mark.parametrize("session", SESSIONS, ids=str)
def test_without_the_sections_the_files_are_as_they_were(session: InstructionSession, play: Play) -> None:
    assert play(session).after == play(session).before
