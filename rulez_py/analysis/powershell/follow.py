"""Follow statements through all the worlds that they may leave behind."""

from __future__ import annotations

from rulez_py.analysis.powershell.flow import MOST, Flow, parts_of, unknown
from rulez_py.analysis.powershell.session import Session
from rulez_py.analysis.powershell.syntax import Assignment, Attempt, Branches, Clauses, Each, Loop, Node
from rulez_py.analysis.powershell.world import MOST_WORLDS, both, forked, merged, united

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from rulez_py.analysis.powershell.flow import Known
    from rulez_py.analysis.powershell.world import Course

STEPS = 5_000
"""How many statements are followed, each time that one runs in a world."""
ROUNDS = 16
"""How many items of a list a loop is followed for one by one."""
_OF_A_STEP = 32
"""Variables that are copied in the time of a step."""
_ROUNDS_TOLD = 2
_ROUNDS_SETTLED = 2
"""Rounds of a loop that are followed exactly, and then with what differs between them not known."""


class Enough(Exception):
    """The bound of steps is reached."""


class Follow(Session):
    """A session in which conditions and loops are followed; single statements by whoever extends it (`run.Run`)."""

    def __init__(self, *, cwd: str, home: str) -> None:
        super().__init__(cwd=cwd, home=home)
        self.steps = STEPS

    def statement(self, node: Node) -> Known | None:
        """Run one statement where one value is asked for."""
        raise NotImplementedError

    def value(self, node: Node | None) -> Known | None:
        """Return what an expression is worth."""
        raise NotImplementedError

    def assign(self, node: Assignment, assigned: Known | None) -> None:
        """Assign a value."""
        raise NotImplementedError

    def statements(self, nodes: Sequence[Node]) -> Known | None:
        """Run statements where one value is asked for: what they return, any of it where worlds differ in it."""
        self.world, value = merged(self.follow(nodes, [(self.world, None)]))
        return value

    def follow(self, nodes: Sequence[Node], starts: list[Course]) -> list[Course]:
        """Run statements in each of several worlds: how each of these may end.

        What leaves early (`return`, `break`, `exit`) goes on here: more is followed then than can run, never less.
        """
        for node in nodes:
            first = len(self.commands)
            ends: list[Course] = []
            for start in starts:
                before = len(self.commands)
                ends += self.course(node, start)
                if before > first:
                    told = self.commands[first:before]
                    self.commands[before:] = [one for one in self.commands[before:] if one not in told]
            starts = united(ends)
        return starts

    def fork(self, courses: Sequence[Course]) -> list[Course]:
        """Return the same courses, to go on otherwise; what is copied for that counts as steps."""
        self.steps -= sum(len(world.variables) for world, _ in courses) // _OF_A_STEP
        return forked(courses)

    def course(self, node: Node, start: Course) -> list[Course]:
        """Run one statement in one world."""
        self.steps -= 1
        if self.steps < 0:
            raise Enough
        self.world, before = start
        branching = BRANCHING.get(type(node))
        if branching is not None:
            return [(world, both(before, value)) for world, value in branching(self, node)]
        if isinstance(node, Assignment) and (branching := BRANCHING.get(type(node.value))) is not None:
            ends: list[Course] = []
            for world, value in branching(self, node.value):
                self.world = world
                self.assign(node, value)
                ends.append((world, before))
            return united(ends)
        value = self.statement(node)
        return [(self.world, both(before, value))]

    def branches(self, node: Branches) -> list[Course]:
        """Return one of several bodies."""
        for head in node.heads:
            self.value(head)
        here: list[Course] = [(self.world, None)]
        return united([end for body in node.bodies for end in self.follow(body, self.fork(here))])

    def clauses(self, node: Clauses) -> list[Course]:
        """Bodies of which each may run, one after the other."""
        for head in node.heads:
            self.value(head)
        courses: list[Course] = [(self.world, None)]
        for body in node.bodies:
            self.steps -= 2 * len(courses)
            courses = united([*courses, *self.follow(body, self.fork(courses))])
        return courses

    def attempt(self, node: Attempt) -> list[Course]:
        """Return a body that may end at any statement.

        Then what catches that, or nothing; then what runs in any case.
        """
        ends: list[Course] = [(self.world, None)]
        left = self.fork(ends)
        for statement in node.body:
            ends = self.follow((statement,), ends)
            left = united([*left, *self.fork(ends)])
        for body in node.catches:
            ends = united([*ends, *self.follow(body, self.fork(left))])
        if node.last:
            ends = self.follow(node.last, ends)
            if not node.catches:
                self.follow(node.last, left)
        return ends

    def repeated(self, node: Loop) -> list[Course]:
        """Return a body that runs again and again, once at least where its condition stands behind it."""
        nodes = (*node.heads, *node.body)
        return self.rounds((self.world, None), lambda start: self.follow(nodes, [start]), once=node.once)

    def each(self, node: Each) -> list[Course]:
        """Return a body for each item."""
        courses: list[Course] = [(self.world, None)]
        for item, several in one_by_one(self.value(node.items), f"${node.variable}"):

            def again(start: Course, item: Known = item) -> list[Course]:
                start[0].variables[node.variable] = item
                return self.follow(node.body, [start])

            courses = united(
                [end for start in courses for end in (self.rounds(start, again) if several else again(start))]
            )
        return courses

    def rounds(self, start: Course, again: Callable[[Course], list[Course]], *, once: bool = False) -> list[Course]:
        """Something that runs again and again from where it ended: all worlds that it may leave behind.

        What is different after each round is not known. It returns what one round does.
        """
        world, before = start
        ends: list[Course] = [] if once else [(world.copy(), None)]
        new: list[Course] = [(world, None)]
        returned: list[Known] = []
        for count in range(_ROUNDS_TOLD + _ROUNDS_SETTLED):
            if count >= _ROUNDS_TOLD:
                new = [merged([*ends, *new])]
                ends = [*ends[: MOST_WORLDS - 1], new[0]]
            after = [end for start in self.fork(new) for end in again(start)]
            returned += [part for _, value in after for part in parts_of(value) if part not in returned]
            new = [(world, None) for world, _ in after if not any(world == known for known, _ in ends)]
            if not new:
                break
            ends = united([*ends, *new])
        else:
            ends = [merged([*ends, *new])]
        value = both(before, tuple(returned[:MOST]) or None)
        return [(world, value) for world, _ in ends]


def one_by_one(value: Known | None, shown: str) -> list[tuple[Known, bool]]:
    """Return the items of a list, and whether one stands for any number of them."""
    items = parts_of(value)
    if len(items) > ROUNDS or not items:
        return [(unknown(shown, *items), True)]
    return [(item, isinstance(item, Flow) and item.text is None) for item in items]


BRANCHING: dict[type[Node], Callable[[Follow, Any], list[Course]]] = {
    Branches: Follow.branches,
    Clauses: Follow.clauses,
    Loop: Follow.repeated,
    Each: Follow.each,
    Attempt: Follow.attempt,
}
"""Statements that may end in several worlds."""
