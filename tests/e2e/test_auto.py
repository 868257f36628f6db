"""`rulez hook --platform auto` on the real agents: in each agent's own file, and in one that several read.

`make e2e` runs this; see tests/e2e/README.md and docs/cli.md, "rulez hook --platform auto".
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import pytest

from tests.e2e.agents import AGENTS
from tests.e2e.conftest import begun
from tests.e2e.place import FORMS, SYSTEM_PATH, Place, guide
from tests.e2e.script import Call, call_id
from tests.e2e.session import Run, Session, run
from tests.e2e.table import Plan, Step

pytestmark = pytest.mark.e2e

CLAUDE = ".claude/settings.json"
WHO = ("-c", "user.name=x", "-c", "user.email=x@example.org")


@dataclass(frozen=True)
class Shared(Session):
    """A harmless call, then a forced push over another's history, in a project whose hooks say `auto`.

    They are in the agent's own file, or where it is `from_claude` in Claude Code's alone. `link` is where a link to
    that is.
    """

    from_claude: bool = field(default=False, kw_only=True)
    link: str = field(default="", kw_only=True)

    @property
    def played(self) -> Plan:
        harmless = Call("Shell", {"command": "touch made-by-shell.txt"})
        push = Call("Shell", {"command": "git push --force {outside}/remote.git HEAD:refs/heads/main"})
        return Plan(self.plan, scope="project", turns=((Step(harmless),), (Step(push),)))

    def furnish(self, place: Place) -> None:
        """Gives the remote a history that the project's would replace."""
        for directory in (place.outside / "first", place.project):
            git("init", "--quiet", str(directory))
            git("-C", str(directory), "symbolic-ref", "HEAD", "refs/heads/main")
            git("-C", str(directory), *WHO, "commit", "--quiet", "--allow-empty", "--message", directory.name)
        git("clone", "--quiet", "--bare", str(place.outside / "first"), str(place.outside / "remote.git"))

    def settle(self, place: Place) -> None:
        """Puts `auto` where `rulez install` has written a name."""
        if self.from_claude:
            place.uninstall_hook(FORMS[self.form])
            place = replace(place, platform="claude")
            place.install_hook(FORMS[self.form])
        if self.link:
            link = place.file(self.link)
            link.parent.mkdir(exist_ok=True)
            link.symlink_to(place.hook_file)
        for file in place.hook_file.parent.iterdir():
            text = file.read_text()
            assert f"--platform {place.platform}" in text
            file.write_text(text.replace(f"--platform {place.platform}", "--platform auto"))


def git(*arguments: str) -> str:
    environ = {"PATH": SYSTEM_PATH, "GIT_CONFIG_GLOBAL": "/dev/null"}
    return subprocess.run(["git", *arguments], env=environ, check=True, capture_output=True, text=True).stdout.strip()


OWN = [
    Shared(platform, "auto-own", "frozen", "rulez")
    for platform in AGENTS
    if "project" in guide()[platform][1]
    and not guide()[platform][0].endswith(".js")  # Plugins run in the agent, and always name it.
]
CLAUDES = [
    *(Shared(name, "auto-claude", "frozen", "rulez", from_claude=True) for name in ("copilot", "cursor", "grok")),
    Shared("qwen", "auto-link", "frozen", "rulez", from_claude=True, link=".qwen/settings.json"),
]
"""The agents that run the hooks of Claude Code's file in a project, and one that takes a link to it."""
PLAYED = [*OWN, *CLAUDES]
CONTROLS = [replace(session, hook="passes") for session in PLAYED]

Play = Callable[[Shared], Run]


@pytest.fixture(scope="module")
def play(request: pytest.FixtureRequest) -> Iterator[Play]:
    """What a session left behind."""
    yield from begun(request.session.items, Shared, run)


def ids(session: Shared) -> str:
    return f"{session.platform} {session.plan}"


def is_pushed(place: Place) -> bool:
    """Tell if the remote has the project's history in place of its own."""
    remote, project = (git("-C", str(at), "rev-parse", "main") for at in (place.outside / "remote.git", place.project))
    first = git("-C", str(place.outside / "first"), "rev-parse", "main")
    assert remote in (first, project)
    assert first != project
    return remote == project


@pytest.mark.parametrize("session", PLAYED, ids=ids)
def test_a_forced_push_is_denied(session: Shared, play: Play) -> None:
    run = play(session)
    assert not is_pushed(run.place)
    assert "no-force-push" in run.results[call_id("main", 1, 0)]


@pytest.mark.parametrize("session", PLAYED, ids=ids)
def test_a_harmless_call_runs(session: Shared, play: Play) -> None:
    assert (play(session).place.project / "made-by-shell.txt").exists()


@pytest.mark.parametrize("session", PLAYED, ids=ids)
def test_it_is_the_shared_hook_that_knows_the_agent(session: Shared, play: Play) -> None:
    place = play(session).place
    for call in play(session).calls:
        assert call.arguments[call.arguments.index("--platform") + 1] == "auto"
    lines = (place.home / ".local/state/rulez/audit.jsonl").read_text().splitlines()
    assert {json.loads(line)["platform"] for line in lines} == {session.platform}


@pytest.mark.parametrize("session", CONTROLS, ids=ids)
def test_without_rulez_it_is_pushed(session: Shared, play: Play) -> None:
    """Controls: what denies above is rulez."""
    assert is_pushed(play(session).place)
