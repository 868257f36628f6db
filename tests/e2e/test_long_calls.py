"""A call of 200,000 bytes: it is judged to its last word, or it does not run.

`make e2e` runs this; see tests/e2e/README.md. Cursor cannot start a hook with it, Grok Build cuts it (their contracts).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from tests.e2e.agents import AGENTS, agent
from tests.e2e.conftest import begun
from tests.e2e.place import Place
from tests.e2e.script import Call
from tests.e2e.session import Run, Session, run
from tests.e2e.table import Plan, Step

pytestmark = pytest.mark.e2e

POLICY = """\
version: "1.0"
rules:
  - name: no-last-word
    matchers: {operations: [PreToolUse], tools: [Write, Edit], content_match: the-last-word}
    actions: {block: true}
"""
CONTENT = "a line of text\n" * 13_400 + "the-last-word\n"


@dataclass(frozen=True)
class Long(Session):
    """A file of 200,000 bytes is written, the last of which a rule denies."""

    @property
    def played(self) -> Plan:
        call = Call("Write", {"path": "made-by-write.txt", "content": CONTENT})
        return Plan(self.plan, files={".rulez/rules.yaml": POLICY}, turns=((Step(call),),))

    def settle(self, place: Place) -> None:
        """Takes away, where rulez is not played, what makes Cursor deny where a hook cannot start."""
        if self.hook == "passes" and self.platform == "cursor":
            written = json.loads(place.hook_file.read_text())
            for entries in written["hooks"].values():
                for entry in entries:
                    entry.pop("failClosed", None)
            place.hook_file.write_text(json.dumps(written))


# Codex CLI writes with patches, which its model is told to keep small.
WRITING = [name for name in AGENTS if "Write" not in agent(name).LACKS]
PLAYED = [Long(name, "long", "frozen", "rulez") for name in WRITING]
# Cline and Vibe ask their hooks first, but write no more than 6,000 characters and 64,000 bytes with a call.
CONTROLS = [Long(name, "long", "frozen", "passes") for name in WRITING if name not in ("cline", "vibe")]

Play = Callable[[Long], Run]


@pytest.fixture(scope="module")
def play(request: pytest.FixtureRequest) -> Iterator[Play]:
    """What a session left behind."""
    yield from begun(request.session.items, Long, run)


def ids(session: Long) -> str:
    return session.platform


@pytest.mark.parametrize("session", PLAYED, ids=ids)
def test_it_is_denied(session: Long, play: Play) -> None:
    assert not (play(session).place.project / "made-by-write.txt").exists()


@pytest.mark.parametrize("session", [one for one in PLAYED if one.platform not in ("cursor", "grok")], ids=ids)
def test_its_last_word_is_judged(session: Long, play: Play) -> None:
    assert any("no-last-word" in text for text in play(session).results.values())


@pytest.mark.parametrize("session", [one for one in PLAYED if one.platform == "grok"], ids=ids)
def test_a_call_that_is_cut_says_so(session: Long, play: Play) -> None:
    assert any("128 KiB of a call" in text for text in play(session).results.values())


@pytest.mark.parametrize("session", CONTROLS, ids=ids)
def test_without_rulez_it_is_written(session: Long, play: Play) -> None:
    """Controls: what denies above is rulez, or on Cursor what `rulez install` has written."""
    assert (play(session).place.project / "made-by-write.txt").read_text() == CONTENT
