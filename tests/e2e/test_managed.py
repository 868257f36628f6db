"""`rulez install --scope managed`: a repository that switches hooks off does not switch off those of the machine.

`make e2e` runs this; see tests/e2e/README.md and "What a repository can switch off" in hooks/README.md.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.conftest import begun
from tests.e2e.place import FORMS, Place
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
OFF: Mapping[str, Mapping[str, str]] = {
    "claude": {".claude/settings.json": '{"disableAllHooks": true}'},
    "gemini": {".gemini/settings.json": '{"hooksConfig": {"enabled": false}}'},
    "copilot": {
        ".claude/settings.json": '{"disableAllHooks": true}',
        ".github/copilot/settings.json": '{"disableAllHooks": true}',
    },
    "qwen": {".qwen/settings.json": '{"disableAllHooks": true}'},
    "droid": {
        ".factory/settings.json": '{"hooks": {"hooksDisabled": true}}',
        ".factory/hooks.json": '{"hooksDisabled": true}',
    },
    "codex": {".codex/config.toml": "[features]\nhooks = false\n"},
}
"""Files of a repository that switch the hooks of a person off."""
OWN = {"qwen": {"$version"}}
"""Keys that an agent itself writes into the machine's settings where it may, as root: rulez leaves them there."""


@dataclass(frozen=True)
class Managed(Session):
    """A denied call in such a repository, with rulez set up for the machine."""

    @property
    def played(self) -> Plan:
        call = Call("Shell", {"command": "touch made-by-shell.txt"})
        files = {".rulez/rules.yaml": POLICY, **OFF[self.platform]}
        return Plan(self.plan, scope="managed", files=files, turns=((Step(call),),))


Play = Callable[[Managed], Run]


@pytest.fixture(scope="module")
def play(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Play]:
    """What a session left behind."""
    trial = Place(tmp_path_factory.mktemp("apart") / "place", "claude", "managed")
    trial.make()
    if subprocess.run([*trial.apart, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody put other settings in the place of its own")
    yield from begun(request.session.items, Managed, run)


def ids(session: Managed) -> str:
    return session.platform


@pytest.mark.parametrize("session", [Managed(platform, "managed", "frozen", "rulez") for platform in OFF], ids=ids)
def test_a_repository_cannot_switch_it_off(session: Managed, play: Play) -> None:
    run = play(session)
    place = run.place
    assert run.calls != ()
    assert not (place.project / "made-by-shell.txt").exists()
    place.uninstall_hook(FORMS[session.form])
    left = [path for path in Path(place.etc).rglob("*") if path.is_file()]
    if own := OWN.get(session.platform):
        settings = [path for path in left if "backups" not in path.parts]
        assert [set(json.loads(path.read_text())) for path in settings] == [own]
    else:
        assert left == []
