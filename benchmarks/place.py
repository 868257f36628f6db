"""A home and a project for each contender, so that none sees another's files, or this machine's."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from rulez_py.system.effects import MemoryChanges, Session
from rulez_py.system.sessions import memory

_SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"


@dataclass(frozen=True)
class Place:
    """`home` and `project` exist; nothing is in them but what was put there."""

    home: Path
    project: Path

    @classmethod
    def make(cls, directory: Path) -> Place:
        """Return a new one in `directory`."""
        place = cls(home=directory / "home", project=directory / "home" / "project")
        place.project.mkdir(parents=True)
        if shutil.which("git", path=_SYSTEM_PATH):
            subprocess.run(["git", "init", "-q", str(place.project)], env=place.environ(), check=True)
        else:
            (place.project / ".git").mkdir()
        return place

    def environ(self) -> dict[str, str]:
        """Return all the environment there is."""
        return {
            "PATH": _SYSTEM_PATH,
            "LANG": "C.UTF-8",
            "HOME": str(self.home),
            "TMPDIR": os.environ.get("TMPDIR", "/tmp"),
            "XDG_CONFIG_HOME": str(self.home / ".config"),
            "XDG_CACHE_HOME": str(self.home / ".cache"),
            "XDG_STATE_HOME": str(self.home / ".local" / "state"),
            "XDG_DATA_HOME": str(self.home / ".local" / "share"),
        }

    def write_user_policy(self, text: str) -> None:
        _write(self.home / ".config" / "rulez" / "rules.yaml", text)

    def write_project_policy(self, text: str) -> None:
        _write(self.project / ".rulez" / "rules.yaml", text)

    def fill(self, *, changed: int) -> None:
        """Commit 10,000 files in the project, in 100 directories; `changed` of them are then others."""
        for number in range(10_000):
            name = f"changed/{number}.py" if number < changed else f"src/{number // 100}/{number % 100}.py"
            path = self.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"number = {number}\n" * 20)
        git = ("git", "-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false")
        for words in (("add", "-A"), ("commit", "-qm", "x")):
            subprocess.run([*git, *words], cwd=self.project, env=self.environ(), check=True)
        self.change()

    def change(self) -> None:
        """Give the changed files a content that is nowhere yet; of what rulez has kept of them nothing is left."""
        for path in (self.project / "changed").iterdir():
            path.write_text(f"{os.urandom(200).hex()}\n" * 5)
        shutil.rmtree(self.home / ".local" / "state" / "rulez" / "checkpoints", ignore_errors=True)

    def remember(self, session: str, key: str) -> None:
        """Have a session of Claude Code in this project remember a key of every file."""
        one = Session(platform="claude", id=session, project=str(self.project))
        changes = MemoryChanges(forgotten=(), remembered={key: 0.0})
        memory.change(str(self.home / ".local" / "state" / "rulez"), one, changes, time.time())

    def forget_compiled(self) -> None:
        """Deletes what rulez has kept of the policy, so that the next call compiles it."""
        shutil.rmtree(self.home / ".cache" / "rulez", ignore_errors=True)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(text)
