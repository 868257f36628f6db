"""The commands of a line with which of them runs which: for people, who see a line as a tree."""

from __future__ import annotations

from rulez_py.analysis.bash.follow import Follower

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.bash.machine import Invocation
    from rulez_py.analysis.bash.world import World
    from rulez_py.analysis.values import Command


class NestingFollower(Follower):
    """Follows as any other, and keeps what every command was run by; what the line itself runs is not in it."""

    def __init__(self) -> None:
        super().__init__()
        self.run_by: dict[Command, Command] = {}

    def _program(self, call: Invocation, world: World) -> list[World]:
        at = len(self.commands)
        after = super()._program(call, world)
        # Its own command stands before those that it runs, which know already what runs them where they run others.
        for inner in self.commands[at + 1 :]:
            self.run_by.setdefault(inner, self.commands[at])
        return after
