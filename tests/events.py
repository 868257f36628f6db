"""The facts of events, on a disk that tests make up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulez_py.analysis import Command, Followed
from rulez_py.event import Event
from rulez_py.policy.facts.facts import Facts, Surroundings, follow_lazily
from rulez_py.policy.format.case_repository import Untold
from rulez_py.policy.format.case_world import WithoutMemory
from rulez_py.system.effects import Kept, Script, ScriptResult, ToKeep

ROOT, HOME = "/home/user/project", "/home/user"


class Disk(WithoutMemory):
    """A world in which nothing runs and nothing can be read: links lead somewhere, and directories have names."""

    def __init__(
        self,
        real_path: Callable[[str], str] = lambda path: path,
        names: Callable[[str], list[str]] = lambda _directory: [],
    ) -> None:
        self.git = Untold()
        self.real_path = real_path
        self.names = names

    def run(self, script: Script) -> ScriptResult:
        raise AssertionError(script)

    def read_text(self, path: str, limit: int) -> str | None:
        raise AssertionError(path)

    def has_seen(self, session: str, path: str) -> bool | None:
        return None

    def keep(self, wanted: ToKeep) -> Kept:
        raise AssertionError(wanted)

    def is_committed(self, path: str, data: bytes) -> bool:
        return False

    def read_bytes(self, path: str, limit: int) -> bytes | None:
        raise AssertionError(path)


def facts_of(
    event: Event,
    disk: Disk | None = None,
    *,
    root: str = ROOT,
    home: str = HOME,
    environ: Mapping[str, str] | None = None,
    ignore_case: bool = False,
    analyse: Callable[..., tuple[Command, ...]] | None = None,
) -> Facts:
    """What rules for the project at `root` are told of an event; `analyse` says what its lines would execute,
    but not what they write."""
    around = Surroundings(root=root, home=home, environ=environ or {}, ignore_case=ignore_case)

    def follow(text: str, **given: Any) -> Followed:
        really = follow_lazily(text, **given)
        return really if analyse is None else Followed(commands=analyse(text, **given), written=really.written)

    return Facts(event, around, disk or Disk(), follow=follow)
