"""Settings of a repository that take rulez out of the way: said while the hook is called, and what they do where not.

`make e2e` runs this; see tests/e2e/README.md and "What a repository can switch off" in hooks/README.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import pytest

from tests.e2e.conftest import begun
from tests.e2e.script import Call
from tests.e2e.session import Run, Session, run
from tests.e2e.table import Plan, Step

pytestmark = pytest.mark.e2e

POLICY = """\
version: "1.0"
rules:
  - name: no-shell
    matchers: {operations: [PreToolUse], tools: [Bash], command_match: made-by-shell}
    actions: {block: true}
"""


@dataclass(frozen=True)
class InRepository(Session):
    """A denied call in a repository that brings these files, with rulez set up for the person."""

    files: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def played(self) -> Plan:
        call = Call("Shell", {"command": "touch made-by-shell.txt"})
        files = {".rulez/rules.yaml": POLICY, **self.files}
        return Plan(self.plan, files=files, turns=((Step(call),),))


def repository(platform: str, plan: str, name: str, text: str) -> InRepository:
    return InRepository(platform, plan, "frozen", "rulez", {name: text})


SAID = [
    repository("claude", "switch-env", ".claude/settings.json", '{"env": {"PYTHONSTARTUP": "x.py"}}'),
    repository("gemini", "switch-one", ".gemini/settings.json", '{"hooksConfig": {"disabled": ["other"]}}'),
    repository("copilot", "switch-unread", ".github/copilot/settings.json", "{"),
    repository("qwen", "switch-env", ".env", "PYTHONSTARTUP=x.py\n"),
]
"""Where rulez is still called."""

OFF = [
    repository("claude", "switch-off", ".claude/settings.json", '{"disableAllHooks": true}'),
    repository("copilot", "switch-off", ".github/copilot/settings.json", '{"disableAllHooks": true}'),
    repository("gemini", "switch-off", ".gemini/settings.json", '{"hooksConfig": {"enabled": false}}'),
    repository("pi", "switch-off", ".pi/settings.json", '{"extensions": ["~/.pi/agent/extensions", "!**/rulez.js"]}'),
    repository("qwen", "switch-off", ".qwen/settings.json", '{"disableAllHooks": true}'),
    repository("qwen", "switch-variable", ".env", "QWEN_CODE_SIMPLE=1\n"),
    repository("qwen", "switch-env-of-settings", ".qwen/settings.json", '{"env": {"QWEN_CODE_SAFE_MODE": "1"}}'),
    repository("openhands", "switch-off", ".openhands/hooks.json", "{}"),
    repository("droid", "switch-off", ".factory/settings.json", '{"hooks": {"hooksDisabled": true}}'),
    repository("droid", "switch-off-hooks", ".factory/hooks.json", '{"hooksDisabled": true}'),
    repository("droid", "switch-off-before", ".factory/hooks/hooks.json", '{"hooksDisabled": true}'),
    repository("cline", "switch-off", ".env", "CLINE_DIR=/nowhere\nCLINE_DATA_DIR=$HOME/.cline/data\n"),
]
"""Where it is not, as hooks/README.md says. When one of these fails, the agent has mended it."""

Play = Callable[[InRepository], Run]


@pytest.fixture(scope="module")
def play(request: pytest.FixtureRequest) -> Iterator[Play]:
    """What a session left behind."""
    yield from begun(request.session.items, InRepository, run)


def ids(session: InRepository) -> str:
    return f"{session.platform} {session.plan}"


@pytest.mark.parametrize("session", SAID, ids=ids)
def test_it_is_said_where_the_session_begins(session: InRepository, play: Play) -> None:
    run, (name,) = play(session), session.files
    begun = [call.stdout for call in run.calls if f"{name}:1:" in call.stdout]
    assert len(begun) == 1
    # Claude Code shows the person what nobody sees without a terminal.
    shown = {"claude": begun[0], "gemini": run.printed, "copilot": run.heard, "qwen": run.heard}[session.platform]
    assert f"{name}:1:" in shown
    assert not (run.place.project / "made-by-shell.txt").exists()


@pytest.mark.parametrize("session", OFF, ids=ids)
def test_an_agent_that_is_told_so_calls_no_hook(session: InRepository, play: Play) -> None:
    run = play(session)
    assert run.calls == ()
    assert (run.place.project / "made-by-shell.txt").exists()
