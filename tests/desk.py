"""A person at a desk: a home with a project, an agent that works in it, and what `rulez` says to both."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import rulez_py.system.places
from rulez_py.cli import cli
from rulez_py.cli import person as sitting
from rulez_py.cli.processes import agent_marks
from rulez_py.system.places import Places, places
from tests.programs import SOURCE_COMMAND

POLICY = """\
version: "1.0"
extends: [builtin:essentials]
rules:
  - {name: no-deploy, matchers: {command: {program: deploy}}, actions: {block: "not today"}}
  - {name: no-notes, matchers: {tools: [Write], paths: {globs: notes.md}}, actions: {block: "not there"}}
"""
DEPLOY = {"tool_name": "Bash", "tool_input": {"command": "deploy --now site"}}
WRITE = {"tool_name": "Write", "tool_input": {"file_path": "notes.md", "content": "a"}}


class Desk:
    """A person with a project, and an agent that works in it."""

    def __init__(self, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home = Path(os.path.realpath(directory)) / "home"
        self.project = self.home / "project"
        (self.project / ".git").mkdir(parents=True)
        (self.project / ".rulez").mkdir()
        (self.project / ".rulez" / "rules.yaml").write_text(POLICY)
        for name in (*agent_marks(), "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "CLAUDE_PROJECT_DIR"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("HOME", str(self.home))
        monkeypatch.setattr(rulez_py.system.places, "real_homes", lambda _here: (str(self.home),))
        monkeypatch.setattr(sitting, "why_no_person", lambda: "")
        monkeypatch.chdir(self.project)

    @property
    def places(self) -> Places:
        return places(os.environ)

    def says(self, *words: str) -> Result:
        return CliRunner().invoke(cli, words)

    def call(self, call: dict[str, Any], platform: str = "claude", **more: Any) -> str:
        """The decision on a call of the agent: deny, ask, or pass."""
        payload = {"session_id": "s", "hook_event_name": "PreToolUse", "cwd": str(self.project), **call, **more}
        done = subprocess.run(
            [*SOURCE_COMMAND, "hook", "--platform", platform],
            input=json.dumps(payload),
            capture_output=True,
            text=True,
            check=False,
            env=dict(os.environ),
        )
        said = json.loads(done.stdout or "{}").get("hookSpecificOutput", {}).get("permissionDecision")
        return str(said or ("deny" if done.returncode == 2 else "pass"))

    @property
    def log(self) -> list[dict[str, Any]]:
        path = Path(self.places.state) / "audit.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()]
