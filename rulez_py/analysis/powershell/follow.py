"""Follow statements through all worlds in which they may end."""

from __future__ import annotations

from rulez_py.analysis.powershell import operators
from rulez_py.analysis.powershell.flow import MOST, Closure, Flow, parts_of, unknown
from rulez_py.analysis.powershell.session import Enough
from rulez_py.analysis.powershell.syntax import (
    Assignment,
    Attempt,
    Branches,
    Cast,
    Clauses,
    Each,
    Function,
    Items,
    Loop,
    Member,
    Node,
    Variable,
)
from rulez_py.analysis.powershell.world import MOST_WORLDS, both, forked, merged, united

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from rulez_py.analysis.powershell.flow import Known
    from rulez_py.analysis.powershell.session import Session
    from rulez_py.analysis.powershell.world import Course

ROUNDS = 16
"""Items of a list that a loop is followed for one by one."""
_OF_A_STEP = 32
"""Number of variables whose copying costs one step."""
_ROUNDS_TOLD = 2
_ROUNDS_SETTLED = 2
"""Rounds of a loop that are followed exactly; after them, what differs between rounds is unknown."""


class Follow:
    """The part of a session that follows conditions, loops and assignments; other statements have their own readers."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.branching: dict[type[Node], Callable[[Any], list[Course]]] = {
            Branches: self.branches,
            Clauses: self.clauses,
            Loop: self.repeated,
            Each: self.each,
            Attempt: self.attempt,
        }
        """Statements that may end in several worlds."""
        session.readers.update(
            {
                **dict.fromkeys(self.branching, self.alone),
                Assignment: self.assigned,
                Function: self.defined,
            }
        )

    def alone(self, node: Node) -> Known | None:
        """Run one statement that may end in several worlds. Return one value for all of them."""
        return self.statements((node,))

    def assigned(self, node: Assignment) -> None:
        """Run an assignment inside an expression; it returns no value."""
        self.assign(node, self.session.value(node.value))

    def defined(self, node: Function) -> None:
        """Define a function."""
        session = self.session
        session.world.functions[node.name] = Closure(
            block=node.block, source=session.source, outermost=session.outermost
        )

    def statements(self, nodes: Sequence[Node]) -> Known | None:
        """Run statements inside an expression. Return their value, any of several where worlds differ."""
        self.session.world, value = merged(self.follow(nodes, [(self.session.world, None)]))
        return value

    def follow(self, nodes: Sequence[Node], starts: list[Course]) -> list[Course]:
        """Run statements in each of several worlds. Return the courses in which they may end.

        `return`, `break` and `exit` do not end a course: more is followed than can run, never less.
        """
        for node in nodes:
            first = len(self.session.commands)
            ends: list[Course] = []
            for start in starts:
                before = len(self.session.commands)
                ends += self.course(node, start)
                if before > first:
                    told = self.session.commands[first:before]
                    self.session.commands[before:] = [one for one in self.session.commands[before:] if one not in told]
            starts = united(ends)
        return starts

    def fork(self, courses: Sequence[Course]) -> list[Course]:
        """Return copies of courses, to follow other statements; copying costs steps."""
        self.session.steps -= sum(len(world.variables) for world, _ in courses) // _OF_A_STEP
        return forked(courses)

    def course(self, node: Node, start: Course) -> list[Course]:
        """Run one statement in one world."""
        self.session.steps -= 1
        if self.session.steps < 0:
            raise Enough
        self.session.world, before = start
        branching = self.branching.get(type(node))
        if branching is not None:
            return [(world, both(before, value)) for world, value in branching(node)]
        if isinstance(node, Assignment) and (branching := self.branching.get(type(node.value))) is not None:
            ends: list[Course] = []
            for world, value in branching(node.value):
                self.session.world = world
                self.assign(node, value)
                ends.append((world, before))
            return united(ends)
        value = self.session.value(node)
        return [(self.session.world, both(before, value))]

    def branches(self, node: Branches) -> list[Course]:
        """Run one of several bodies, each in its own courses."""
        for head in node.heads:
            self.session.value(head)
        here: list[Course] = [(self.session.world, None)]
        return united([end for body in node.bodies for end in self.follow(body, self.fork(here))])

    def clauses(self, node: Clauses) -> list[Course]:
        """Run bodies one after the other, each of which may be skipped."""
        for head in node.heads:
            self.session.value(head)
        courses: list[Course] = [(self.session.world, None)]
        for body in node.bodies:
            self.session.steps -= 2 * len(courses)
            courses = united([*courses, *self.follow(body, self.fork(courses))])
        return courses

    def attempt(self, node: Attempt) -> list[Course]:
        """Run a body that may end at any statement, then one of its catches or none, then `finally`."""
        ends: list[Course] = [(self.session.world, None)]
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
        """Run a body any number of times; at least once where its condition follows it."""
        nodes = (*node.heads, *node.body)
        return self.rounds((self.session.world, None), lambda start: self.follow(nodes, [start]), once=node.once)

    def each(self, node: Each) -> list[Course]:
        """Run a body for each item."""
        courses: list[Course] = [(self.session.world, None)]
        for item, several in one_by_one(self.session.value(node.items), f"${node.variable}"):

            def again(start: Course, item: Known = item) -> list[Course]:
                start[0].variables[node.variable] = item
                return self.follow(node.body, [start])

            courses = united(
                [end for start in courses for end in (self.rounds(start, again) if several else again(start))]
            )
        return courses

    def rounds(self, start: Course, again: Callable[[Course], list[Course]], *, once: bool = False) -> list[Course]:
        """Run rounds, each from the worlds of the one before. Return all courses in which they may end.

        What differs after each round is unknown. The value is that of one round.
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

    def assign(self, node: Assignment, assigned: Known | None) -> None:
        value: Known = "" if assigned is None else assigned
        target: Node | None = node.target
        while isinstance(target, Cast):
            target = target.operand
        if isinstance(target, Items):
            values = parts_of(value)
            for place, one in enumerate(target.items):
                if isinstance(one, Variable):
                    self.session.world.variables[one.name] = values[place] if place < len(values) else ""
            return
        if not isinstance(target, Variable):
            if isinstance(target, Member):
                self.session.value(target.target)
            return
        if node.operator == "+=":
            value = operators.plus(self.session.world.variables.get(target.name, ""), value, self.session.shown(node))
        elif node.operator == "??=":
            value = operators.first_known(self.session.value(target), value, self.session.shown(node))
        elif node.operator != "=":
            value = unknown(self.session.shown(node), value)
        if isinstance(value, tuple) and len(value) > 1000:
            value = unknown(f"${target.name}", *value[:100])
        self.session.world.variables[target.name] = value
        if target.outward:
            self.session.outward.add(target.name)


def one_by_one(value: Known | None, shown: str) -> list[tuple[Known, bool]]:
    """Return the items of a list, each with True if it represents any number of items."""
    items = parts_of(value)
    if len(items) > ROUNDS or not items:
        return [(unknown(shown, *items), True)]
    return [(item, isinstance(item, Flow) and item.text is None) for item in items]
