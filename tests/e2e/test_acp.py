"""Agents that an editor has started by ACP, behind `rulez acp-proxy`: what they ask for is judged, and nothing else.

`make e2e` runs this; see tests/e2e/README.md. Cline and OpenHands ask for a login before they open a session, and Codex
CLI, Pi and Cursor speak no ACP without an adapter.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e import install
from tests.e2e.agents import Conditions, agent
from tests.e2e.conftest import begun
from tests.e2e.editor import Editor
from tests.e2e.model import Model
from tests.e2e.place import FORMS, SYSTEM_PATH, Place
from tests.e2e.script import Call, Reply, call_id
from tests.e2e.session import TIME_LIMIT

pytestmark = pytest.mark.e2e

POLICY = """\
version: "1.0"
rules:
  - {name: no-touching, matchers: {command_match: denied-by-shell}, actions: {block: true}}
  - {name: no-writing, matchers: {tools: [Write, Edit], paths: {globs: ["**/denied.txt"]}}, actions: {block: true}}
"""
CALLS = (
    Call("Shell", {"command": "touch free-by-shell"}),
    Call("Write", {"path": "free.txt", "content": "x\n"}),
    Call("Shell", {"command": "touch denied-by-shell"}),
    Call("Write", {"path": "denied.txt", "content": "x\n"}),
)
SHELL, WRITE = "denied-by-shell", "denied.txt"
FREE = ("free-by-shell", "free.txt")


@dataclass(frozen=True)
class Speaks:
    """How an agent speaks ACP.

    `asks` are the effects that it asks the editor about as the tests set it up, `hands` those that an editor that is
    able carries out for it. `permits` are the arguments with which it asks about nothing, as its user may set it up;
    None where that is not played. `mode` is a variable that says how much it asks, with a word for asking and one for
    not. `program` is the one beside the agent's own that speaks ACP.
    """

    arguments: tuple[str, ...]
    asks: frozenset[str]
    hands: frozenset[str] = frozenset()
    permits: tuple[str, ...] | None = None
    mode: tuple[str, str, str] | None = None
    program: str = ""

    def command(self, platform: str, *, permitted: bool) -> list[str]:
        """The words that start it."""
        *interpreter, program = agent(platform).program(install.prefix(platform))
        beside = str(Path(program).with_name(self.program)) if self.program else program
        return [*interpreter, beside, *((self.permits if permitted else self.arguments) or ())]

    def variables(self, *, permitted: bool) -> dict[str, str]:
        """What its environment has besides."""
        if self.mode is None:
            return {}
        name, asking, permitting = self.mode
        return {name: permitting if permitted else asking}


BOTH = frozenset((SHELL, WRITE))
ACP = {
    "gemini": Speaks(("--experimental-acp",), BOTH, frozenset((WRITE,)), ("--experimental-acp", "--yolo")),
    "copilot": Speaks(("--acp",), BOTH, permits=("--acp", "--allow-all-tools")),
    "opencode": Speaks(("acp",), frozenset((SHELL,)), permits=("acp",)),
    "qwen": Speaks(("--acp", "--approval-mode", "default"), BOTH, frozenset((WRITE,)), ("--acp", "--yolo")),
    "grok": Speaks(("agent", "stdio"), frozenset((WRITE,)), BOTH),
    "kilo": Speaks(("acp",), frozenset((SHELL,)), permits=("acp",)),
    "droid": Speaks(("exec", "--output-format", "acp"), BOTH, frozenset((SHELL,))),
    "kimi": Speaks(("acp",), frozenset((SHELL,)), BOTH),
    "vibe": Speaks((), BOTH, permits=(), mode=("VIBE_DEFAULT_AGENT", "ask", "auto-approve"), program="vibe-acp"),
}


@dataclass(frozen=True)
class Edited:
    """One session: an agent, whether rulez is before it, whether the editor is able, whether its user permits all."""

    platform: str
    guarded: bool = True
    able: bool = False
    permitted: bool = False

    @property
    def judged(self) -> frozenset[str]:
        """The effects that the policy denies and rulez sees."""
        speaks = ACP[self.platform]
        asked = frozenset() if self.permitted else speaks.asks
        return (asked | (speaks.hands if self.able else frozenset())) if self.guarded else frozenset()


@dataclass(frozen=True)
class Left:
    """What a session left behind."""

    editor: Editor
    made: frozenset[str]
    exit_code: int | None
    errors: str


def run(session: Edited, work: Path) -> Left:
    """Plays one session in a new directory below `work`."""
    module = agent(session.platform)
    ways = "-".join(key for key in ("guarded", "able", "permitted") if getattr(session, key)) or "control"
    place = Place(work / f"acp-{session.platform}-{ways}", session.platform, "user")
    place.make()
    place.put_tools()
    place.write("{home}/.config/rulez/rules.yaml", POLICY)

    over = threading.Event()

    def say(conversation: str, turn: int) -> Reply:
        if turn >= len(CALLS):
            over.set()
            return Reply(text="Done.")
        return Reply(calls=((call_id(conversation, turn, 0), module.spell(CALLS[turn], place)),))

    with Model(module.WIRE, say) as model, open(place.root / "errors.txt", "w") as errors:
        conditions = Conditions(
            place=place, model=model.url, prompt="Make four files.", permitted=session.permitted, person=False
        )
        module.prepare(conditions)
        before = (str(FORMS["frozen"]), "acp-proxy", "--platform", session.platform, "--") if session.guarded else ()
        speaks = ACP[session.platform]
        process = subprocess.Popen(
            [*before, *speaks.command(session.platform, permitted=session.permitted)],
            cwd="/",  # Editors start agents anywhere.
            env={
                "HOME": str(place.home),
                "PATH": f"{place.bin}:{SYSTEM_PATH}",
                "LANG": "C.UTF-8",
                "TERM": "dumb",
                **module.start(conditions).environment,
                **speaks.variables(permitted=session.permitted),
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
        )
        limit = threading.Timer(TIME_LIMIT, os.killpg, (process.pid, signal.SIGKILL))
        limit.start()
        editor = Editor(place.project, session.able)
        assert process.stdin is not None and process.stdout is not None
        try:
            editor.talk(process.stdout, process.stdin, conditions.prompt, over)
        finally:
            limit.cancel()
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    made = frozenset(one.name for one in place.project.iterdir() if one.is_file())
    return Left(editor, made, process.returncode, (place.root / "errors.txt").read_text(errors="replace"))


Play = Callable[[Edited], Left]


@pytest.fixture(scope="module")
def play(request: pytest.FixtureRequest) -> Iterator[Play]:
    """What a session left behind."""
    yield from begun(request.session.items, Edited, run)


def ids(session: Edited) -> str:
    return "-".join((session.platform, *(key for key in ("able", "permitted") if getattr(session, key))))


def sessions(**ways: bool) -> list[Edited]:
    permitted = ways.get("permitted", False)
    return [Edited(name, **ways) for name, speaks in ACP.items() if not permitted or speaks.permits is not None]


GUARDED = [*sessions(), *sessions(able=True)]


@pytest.mark.parametrize("session", GUARDED, ids=ids)
def test_what_the_policy_denies_does_not_happen_and_all_else_does(session: Edited, play: Play) -> None:
    left = play(session)
    assert left.made == {*FREE, SHELL, WRITE} - session.judged, left.errors


@pytest.mark.parametrize("session", sessions(), ids=ids)
def test_the_person_reads_the_rule_and_is_asked_about_the_rest(session: Edited, play: Play) -> None:
    editor = play(session).editor
    denied = [text for text in editor.read if "rulez has denied" in text]
    rules = {SHELL: "no-touching", WRITE: "no-writing"}
    assert [rules[effect] for effect in (SHELL, WRITE) if effect in session.judged] == [
        rule for text in denied for rule in rules.values() if rule in text
    ]
    assert len(editor.asked) >= len(session.judged)


@pytest.mark.parametrize("session", sessions(guarded=False), ids=ids)
def test_without_rulez_it_happens(session: Edited, play: Play) -> None:
    """Controls: what denies above is rulez."""
    left = play(session)
    assert left.made == {*FREE, SHELL, WRITE}, left.errors


@pytest.mark.parametrize("session", sessions(permitted=True), ids=ids)
def test_what_the_agents_own_settings_permit_is_not_seen(session: Edited, play: Play) -> None:
    """The weakness that docs/acp.md tells."""
    left = play(session)
    assert left.made == {*FREE, SHELL, WRITE}, left.errors
    assert not any("rulez has denied" in text for text in left.editor.read)


@pytest.mark.parametrize("session", sessions(permitted=True, able=True), ids=ids)
def test_but_what_the_editor_carries_out_is(session: Edited, play: Play) -> None:
    left = play(session)
    assert left.made == {*FREE, SHELL, WRITE} - session.judged, left.errors
