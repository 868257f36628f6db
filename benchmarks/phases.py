"""One hook call that tells where its time went. A script for a process of its own: PLACE_FOR_THE_REPORT ARGUMENTS...

It wraps functions of rulez from outside, so it imports nothing that a hook call does not import. Time counts for the
innermost phase that is running; loading modules is a phase of its own wherever it happens. The report is a literal:
the clock when this script began, when the call was over, and phase -> seconds.
"""

import builtins
import os
import sys
import time

BEGAN = time.monotonic()

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

IMPORTS, REST = "loading modules", "everything else"
WRAPPED = (
    ("reading stdin", "rulez_py.hook.main", "read_stdin"),
    ("reading JSON", "rulez_py.hook.call", "read_payload"),
    ("payload to event", "rulez_py.platforms.claude.adapter", "parse"),
    ("checking that the kept policy is current", "rulez_py.policy.store.cache", "in_force"),
    ("compiling the policy", "rulez_py.policy.store.load", "load"),
    ("selecting rules", "rulez_py.policy.judging.index", "select"),
    ("matching", "rulez_py.policy.judging.decide", "decide"),
    ("answer", "rulez_py.platforms.claude.adapter", "answer"),
    ("printing", "rulez_py.hook.stdio", "Outlet.put"),
    ("log", "rulez_py.hook.call", "log"),
    ("keeping the policy", "rulez_py.hook.call", "finish"),
)
"""Phase, module, function in it."""


class Phases:
    """A clock that is always in one phase, from `since` on."""

    def __init__(self, since: float) -> None:
        self.seconds = dict.fromkeys((IMPORTS, *(phase for phase, _module, _name in WRAPPED), REST), 0.0)
        self._running = [REST]
        self.since = since

    def enter(self, phase: str) -> None:
        self._count()
        self._running.append(phase)

    def leave(self) -> None:
        self._count()
        self._running.pop()

    def _count(self) -> None:
        now = time.monotonic()
        self.seconds[self._running[-1]] += now - self.since
        self.since = now

    def wrap(self, phase: str, function: "Callable[..., Any]") -> "Callable[..., Any]":
        """`function`, with its time counted for `phase`."""

        def wrapped(*arguments: "Any", **named: "Any") -> "Any":
            self.enter(phase)
            try:
                return function(*arguments, **named)
            finally:
                self.leave()

        return wrapped

    def watch_imports(self) -> None:
        """Counts the loading of modules from now on, and wraps what WRAPPED names as soon as it is there."""
        load, waiting = self.wrap(IMPORTS, builtins.__import__), list(WRAPPED)

        def loaded(*arguments: "Any", **named: "Any") -> "Any":
            module = load(*arguments, **named)
            for entry in [entry for entry in waiting if _owner(entry) is not None]:
                waiting.remove(entry)
                owner, name = _owner(entry), entry[2].rpartition(".")[2]
                setattr(owner, name, self.wrap(entry[0], getattr(owner, name)))
            return module

        builtins.__import__ = loaded


def _owner(entry: "tuple[str, str, str]") -> "Any":
    """Return the module or class that holds the function, None as long as it is not there."""
    _phase, module, path = entry
    owner = sys.modules.get(module)
    names = path.split(".")
    for name in names[:-1]:
        owner = getattr(owner, name, None)
    return owner if hasattr(owner, names[-1]) else None


def main(place: str, arguments: "list[str]") -> None:
    """Runs rulez with these arguments as its console script does; when it leaves, writes the report."""
    phases = Phases(BEGAN)
    phases.watch_imports()
    sys.argv = ["rulez", *arguments]
    leave = os._exit

    def report(status: int) -> None:
        phases.enter(REST)
        with open(place, "w", encoding="utf-8") as file:
            file.write(repr((BEGAN, phases.since, phases.seconds)))
        leave(status)

    os._exit = report  # type: ignore[assignment]
    from rulez_py.__main__ import main as rulez

    rulez()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
