"""The facts of events, on a disk that tests make up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulez_py.event import Event
from rulez_py.policy.facts import Facts, Surroundings, analyse_lazily
from rulez_py.system.effects import Script, ScriptResult

ROOT, HOME = "/home/user/project", "/home/user"


class Disk:
    """A world in which nothing runs and nothing can be read: links lead somewhere, and directories have names."""

    def __init__(
        self,
        real_path: Callable[[str], str] = lambda path: path,
        names: Callable[[str], list[str]] = lambda _directory: [],
    ) -> None:
        self.real_path = real_path
        self.names = names

    def run(self, script: Script) -> ScriptResult:
        raise AssertionError(script)

    def read_text(self, path: str, limit: int) -> str | None:
        raise AssertionError(path)


def facts_of(
    event: Event,
    disk: Disk | None = None,
    *,
    root: str = ROOT,
    home: str = HOME,
    environ: Mapping[str, str] | None = None,
    ignore_case: bool = False,
    analyse: Callable[..., Any] = analyse_lazily,
) -> Facts:
    """What rules for the project at `root` are told of an event."""
    around = Surroundings(root=root, home=home, environ=environ or {}, ignore_case=ignore_case)
    return Facts(event, around, disk or Disk(), analyse=analyse)
