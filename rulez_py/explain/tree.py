"""The commands of a call as a tree: each below the command that runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulez_py.explain.values import Node

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rulez_py.analysis import Command, Followed, Stored
    from rulez_py.policy.facts.facts import Facts


class Following:
    """Follows command lines for `Facts`, and records which command ran each command.

    A line is followed once, for any number of platforms.
    """

    def __init__(self) -> None:
        self.run_by: dict[Command, Command] = {}
        self._known: dict[tuple[str, ...], Followed] = {}

    def __call__(
        self,
        text: str,
        *,
        cwd: str,
        home: str,
        environ: Mapping[str, str],
        dialect: str,
        stored: Stored | None = None,
    ) -> Followed:
        from rulez_py.analysis import nested

        key = text, cwd, home, dialect
        if key not in self._known:
            self._known[key], run_by = nested(text, cwd=cwd, home=home, environ=environ, dialect=dialect, stored=stored)
            self.run_by.update(run_by)
        return self._known[key]


def tree(facts: Facts, run_by: Mapping[Command, Command]) -> tuple[Node, ...]:
    """Return the commands that the call's lines would execute, those that others run below these."""
    parts = [part for part in facts.parts if part.command is not None]
    commands = [part.command for part in parts if part.command is not None]
    supposed = {part.command for part in parts if part.supposed and part.command is not None}
    below: dict[Command | None, list[Command]] = {}
    for command in commands:
        below.setdefault(_runner(command, run_by, set(commands)), []).append(command)
    return _nodes(below.get(None, ()), below, supposed)


def _runner(command: Command, run_by: Mapping[Command, Command], there: set[Command]) -> Command | None:
    """Return the command that runs a command: the nearest in `there`; None where the line itself runs it."""
    seen, runner = {command}, run_by.get(command)
    while runner is not None and runner not in there and runner not in seen:
        seen.add(runner)
        runner = run_by.get(runner)
    # A command that seems to run itself is one of two equal commands.
    return None if runner in seen or _leads_to(runner, command, run_by) else runner


def _leads_to(start: Command | None, command: Command, run_by: Mapping[Command, Command]) -> bool:
    seen: set[Command] = set()
    while start is not None and start not in seen:
        if start == command:
            return True
        seen.add(start)
        start = run_by.get(start)
    return False


def _nodes(
    commands: Sequence[Command], below: Mapping[Command | None, Sequence[Command]], supposed: set[Command]
) -> tuple[Node, ...]:
    return tuple(
        Node(command, _nodes(below.get(command, ()), below, supposed), command in supposed) for command in commands
    )
