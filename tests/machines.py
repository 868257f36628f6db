"""A home with agents in it, as `rulez doctor` meets it, and what it says there."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rulez_py.cli import cli, person
from rulez_py.install import yamlc
from rulez_py.platforms import adapter, part
from tests import codex_server
from tests.platforms import PLATFORMS as FACTS
from tests.platforms import PROVEN
from tests.programs import ROOT

COMMAND = shlex.join((sys.executable, "-m", "rulez_py"))
PROGRAMS = {name: adapter(name).PROGRAMS[0] for name in FACTS}
FILES = {name: facts.places["user"].removeprefix("home/") for name, facts in FACTS.items()}


def all_the_same(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return a command; one that installs an agent by name with `--unproven`, where that takes it."""
    named = words[1:] if words[:1] == ("install",) else ()
    return (*words, "--unproven") if any(word in FACTS and word not in PROVEN for word in named) else words


class Machine:
    """A home, a project, and agents that tell their version."""

    def __init__(self, home: Path, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home, self.project, self.bin = home, directory / "project", directory / "bin"
        (self.project / ".git").mkdir(parents=True)
        self.bin.mkdir()
        monkeypatch.chdir(self.project)
        monkeypatch.setenv("PATH", f"{self.bin}{os.pathsep}/usr/bin{os.pathsep}/bin")
        monkeypatch.setenv("PYTHONPATH", str(ROOT))
        monkeypatch.setattr(person, "why_agent", lambda: "")
        monkeypatch.setattr(person, "why_no_person", lambda: "")

    def agent(self, platform: str, version: str = "") -> None:
        program = self.bin / PROGRAMS[platform]
        told = version or part(platform, "settings").PROVED or "1.0.0"
        text = codex_server.script(told) if platform == "codex" else f"#!/bin/sh\necho {told}\n"
        program.write_text(text)
        program.chmod(0o755)

    def says(self, *words: str) -> Result:
        return CliRunner().invoke(cli, all_the_same(words))

    def doctor(self, *words: str) -> tuple[int, dict[str, Any]]:
        said = self.says("doctor", "--json", *words)
        assert said.stdout, said.output
        return said.exit_code, json.loads(said.stdout)

    def file(self, platform: str) -> Path:
        return self.home / FILES[platform]

    def own(self, name: str, text: str) -> None:
        file = self.home / ".config" / "rulez" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def put(self, path: str, text: str) -> None:
        file = self.project / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def installed(machine: Machine, platform: str) -> None:
    machine.agent(platform)
    assert machine.says("install", platform, "--command", COMMAND).exit_code == 0
    if platform == "codex":
        reviewed(machine)
    if platform == "hermes":
        accepted(machine)


def reviewed(machine: Machine, file: Path | None = None) -> None:
    """As Codex CLI writes it when the person has said yes to its review."""
    with open(machine.home / ".codex" / "config.toml", "a", encoding="utf-8") as config:
        for key, entry in codex_server.entries(file or machine.file("codex")):
            config.write(f'[hooks.state."{key}"]\ntrusted_hash = "{codex_server.digest(entry)}"\n')


def accepted(machine: Machine) -> None:
    """As Hermes writes it when the person has said yes to the hooks of its settings."""
    hooks = yamlc.value(machine.file("hermes").read_text())["hooks"]
    entries = [{"event": event, "command": hook["command"]} for event, listed in hooks.items() for hook in listed]
    (machine.home / ".hermes" / "shell-hooks-allowlist.json").write_text(json.dumps({"approvals": entries}))


def whats(found: dict[str, Any], level: str | None = None) -> list[str]:
    every = [*found["findings"], *(one for agent in found["agents"] for one in agent["findings"])]
    assert all(one["mend"] for one in every)
    return [one["what"] for one in every if level in (None, one["level"])]
