"""Plays one of our plugins under node: what its agent calls goes in, what the agent would see comes out."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

Json = dict[str, Any]

HERE = Path(__file__).parent
NODE = shutil.which("node")
CAN_PLAY = [
    pytest.mark.skipif(NODE is None, reason="node is not installed: no plugin can be run"),
    pytest.mark.skipif(sys.platform == "win32", reason="the stand-in executables are scripts with a #! line"),
]


def says(answer: Json, *when: str, **more: Any) -> Json:
    """Return an entry for `Stage.answers`."""
    return {"when": list(when), "stdout": json.dumps(answer), **more}


class Stage:
    """A project, an executable to consult, and what the last performance left behind."""

    def __init__(self, folder: Path, agent: str, stand_in: str) -> None:
        self.folder, self.project = folder, folder / "the project"
        self.agent = agent
        self.project.mkdir()
        self.environ = {"PATH": os.environ["PATH"], "HOME": str(folder), "FAKE_RULEZ": str(folder)}
        self.environ |= {"FAKE_RULEZ_IS": stand_in, "RULEZ_BINARY": str(folder / "my rulez")}
        self.played: Json = {}
        self.program(f"#!{sys.executable} -IS\n{(HERE / 'fake_rulez.py').read_text()}")
        self.answers()

    def program(self, text: str) -> None:
        """Consult a program with this text."""
        path = self.folder / "my rulez"
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def answers(self, *entries: Json) -> None:
        """Consult the stand-in, which answers like this (see fake_rulez.py)."""
        (self.folder / "answers.json").write_text(json.dumps(entries))

    def perform(self, *steps: Json, **around: object) -> list[Json]:
        """Perform the steps in one session, in which this is so besides -> their results."""
        plugin = self.folder / "plugin.mjs"
        shutil.copyfile(HERE.parent.parent / "hooks" / self.agent / "rulez.js", plugin)
        done = subprocess.run(
            [str(NODE), str(HERE / f"driver_{self.agent}.mjs"), str(plugin)],
            input=json.dumps({"directory": str(self.project), "steps": steps, **around}),
            capture_output=True,
            text=True,
            env=self.environ,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        self.stderr = done.stderr
        self.played = json.loads(done.stdout)
        results: list[Json] = self.played["results"]
        return results

    def sent(self, event: str) -> list[Json]:
        """What the executable was asked about these events."""
        lines = (self.folder / "sent.jsonl").read_text().splitlines()
        calls = [json.loads(line)["call"] for line in lines]
        return [call for call in calls if call["hook_event_name"] == event]
