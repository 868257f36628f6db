"""Tells which command of a line runs which, so that people see the line as a tree."""

from __future__ import annotations

from rulez_py.analysis.bash.machine import Observer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.values import Command


class Nesting(Observer):
    """Keeps what every command was run by; what the line itself runs is not in it."""

    def __init__(self) -> None:
        self.run_by: dict[Command, Command] = {}

    def ran(self, command: Command, inner: Sequence[Command]) -> None:
        """Keep it for each inner command; those that others run know already what runs them."""
        for one in inner:
            self.run_by.setdefault(one, command)
