"""What is wrong with the protection is said to the person when a session begins, and is in the log."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import rulez_py.system.places
from rulez_py.cli.validate import validate
from rulez_py.hook.call import log, respond
from rulez_py.hook.values import HookCall, Options
from rulez_py.policy.store import load
from rulez_py.verdict import Answer
from tests.platforms import PLATFORMS as FACTS
from tests.platforms import is_neutral
from tests.test_disabled_hooks import FILES, offence, place

every_platform = pytest.mark.parametrize("platform", tuple(FACTS))


class Machine:
    """A home and a project, and calls of the hook there."""

    def __init__(self, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home = home
        self.project = tmp_path / "project"
        (self.project / ".git").mkdir(parents=True)
        self.managed = tmp_path / "etc" / "rules.yaml"
        real = rulez_py.system.places.places
        monkeypatch.setattr(
            rulez_py.system.places, "places", lambda environ: real(environ).replace(managed_policy=str(self.managed))
        )
        monkeypatch.chdir(self.project)
        self.environ = dict(os.environ)

    def respond(self, platform: str, payload: dict[str, Any]) -> Answer:
        call = HookCall(Options(platform=platform), self.environ, time.monotonic())
        sent = {"cwd": str(self.project), "directory": str(self.project), **payload}
        outcome = respond(call, json.dumps(sent).encode())
        log(call, outcome)
        return outcome.answer

    def begin(self, platform: str) -> str:
        """What is printed when a session begins."""
        return self.respond(platform, FACTS[platform].begins).stdout

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


@pytest.mark.parametrize("platform", [name for name, facts in FACTS.items() if facts.start])
def test_what_is_wrong_with_the_policy_is_said_when_a_session_begins_and_always_in_the_log(
    machine: Machine, platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = load.load
    notices = ("somebody else's policy is ignored",)
    monkeypatch.setattr(load, "load", lambda *given, **named: compiled(*given, **named).replace(notices=notices))
    assert (notices[0] in machine.begin(platform)) is FACTS[platform].hears(FACTS[platform].start)
    assert is_neutral(machine.read(platform), platform)
    begun, called = machine.notes()
    assert notices[0] in begun
    assert called == [*notices]


# What a repository's settings do to hooks.


@pytest.mark.parametrize("platform", [name for name, files in FILES.items() if any(each.off for each in files)])
def test_it_is_told_when_a_session_begins_and_at_no_other_time(machine: Machine, platform: str) -> None:
    settings, text = offence(platform)
    place(machine.project, settings.name, text)
    assert f"{settings.name}:2:" in machine.begin(platform)
    assert is_neutral(machine.read(platform), platform)
    first, second = machine.notes()
    assert any(settings.name in note for note in first)
    assert second == []


@pytest.mark.parametrize("platform", [name for name in FILES if FACTS[name].start])
def test_without_it_the_start_of_a_session_is_silent(machine: Machine, platform: str) -> None:
    assert is_neutral(machine.respond(platform, FACTS[platform].begins), platform)


@pytest.mark.parametrize("variable", ["LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES"])
@pytest.mark.parametrize("value", ["{project}/x.so", "/usr/lib/a.so:{project}/sub", "x.so", "/proc/self/cwd"])
def test_a_loader_that_takes_code_from_the_project_is_told(
    machine: Machine,
    variable: str,
    value: str,
) -> None:
    machine.environ[variable] = value.format(project=machine.project)
    assert f"{variable} in the environment of this hook loads code from the project" in machine.begin("claude")


@pytest.mark.parametrize("value", ["", "/usr/lib/libfaketime.so", "/opt/lib:/usr/local/lib"])
def test_a_loader_that_does_not_is_no_news(machine: Machine, value: str) -> None:
    machine.environ["LD_PRELOAD"] = machine.environ["LD_LIBRARY_PATH"] = value
    assert machine.begin("claude") == ""


def test_validate_tells_it_of_every_agent(machine: Machine) -> None:
    place(machine.project, ".claude/settings.json", '{"disableAllHooks": true}')
    place(machine.project, ".gemini/settings.json", '{"hooksConfig": {"enabled": false}}')
    result = CliRunner().invoke(validate, [], catch_exceptions=False)
    warned = [line for line in result.output.splitlines() if "warning: " in line]
    assert [line.partition(" ")[0].replace(os.sep, "/") for line in warned] == [
        ".claude/settings.json:1:2:",
        ".claude/settings.json:1:2:",
        ".gemini/settings.json:1:18:",
    ]
    assert result.exit_code == 0
    listed = json.loads(CliRunner().invoke(validate, ["--json"], catch_exceptions=False).output)["settings"]
    assert [one["path"].replace(os.sep, "/") for one in listed] == [line.partition(":")[0] for line in warned]


def test_validate_of_named_files_is_about_these_alone(machine: Machine) -> None:
    place(machine.project, ".claude/settings.json", '{"disableAllHooks": true}')
    policy = place(machine.project, "rules.yaml", 'version: "1.0"\nrules: []\n')
    result = CliRunner().invoke(validate, [str(policy)], catch_exceptions=False)
    assert "settings.json" not in result.output
