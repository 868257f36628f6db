"""What is wrong with the protection is said to the person when a session begins, and stands in the log."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

import rulez_py.places
from rulez_py.hook import HookCall, Options
from rulez_py.policy import load
from rulez_py.verdict import Answer
from tests.platforms import PLATFORMS as FACTS
from tests.platforms import is_neutral

every_platform = pytest.mark.parametrize("platform", tuple(FACTS))

BEGIN: dict[str, dict[str, Any]] = {
    "claude": {"hook_event_name": "SessionStart", "source": "startup"},
    "gemini": {"hook_event_name": "SessionStart", "source": "startup"},
    "copilot": {"source": "new", "initialPrompt": "hi"},
    "opencode": {"hook": "event", "input": {"type": "session.created", "properties": {"sessionID": "s"}}, "output": {}},
    "codex": {"hook_event_name": "SessionStart", "source": "startup"},
}
"""How a session begins on each platform."""


class Machine:
    """A home and a project, and calls of the hook there."""

    def __init__(self, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home = home
        self.project = tmp_path / "project"
        (self.project / ".git").mkdir(parents=True)
        self.managed = tmp_path / "etc" / "rules.yaml"
        real = rulez_py.places.places
        monkeypatch.setattr(
            rulez_py.places, "places", lambda environ: real(environ).replace(managed_policy=str(self.managed))
        )
        monkeypatch.chdir(self.project)
        self.environ = dict(os.environ)

    def write(self, name: str, text: str) -> Path:
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def respond(self, platform: str, payload: dict[str, Any]) -> Answer:
        call = HookCall(Options(platform=platform), self.environ, time.monotonic())
        answer = call.respond(
            json.dumps({"cwd": str(self.project), "directory": str(self.project), **payload}).encode()
        )
        call.log(answer)
        return answer

    def begin(self, platform: str) -> str:
        """What is printed when a session begins."""
        return self.respond(platform, BEGIN[platform]).stdout

    def read(self, platform: str) -> Answer:
        """The answer to a harmless call."""
        event = {"hook_event_name": FACTS[platform].before_tool, "tool_name": "Read"}
        return self.respond(platform, {**event, "tool_input": {"file_path": "a.txt"}})

    def notes(self) -> list[list[str]]:
        """The notes of every line of the log."""
        lines = (self.home / ".local" / "state" / "rulez" / "audit.jsonl").read_text("utf-8").splitlines()
        return [json.loads(line)["notes"] for line in lines]


@pytest.fixture
def machine(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(home, tmp_path, monkeypatch)


@every_platform
def test_what_is_wrong_with_the_policy_is_said_when_a_session_begins_and_always_in_the_log(
    machine: Machine, platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = load.load
    notices = ("somebody else's policy is ignored",)
    monkeypatch.setattr(load, "load", lambda *given, **named: compiled(*given, **named).replace(notices=notices))
    assert notices[0] in machine.begin(platform)
    assert is_neutral(machine.read(platform), platform)
    assert machine.notes() == [[*notices]] * 2
