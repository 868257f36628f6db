"""What the parts of a walk share: the place in the code, what names stand for, how far the walk has gone."""

from __future__ import annotations

from rulez_py.analysis.languages.abstract_values import MOST_LEARNT, UNKNOWN, Ref, either
from rulez_py.analysis.languages.tokens import LINE, NAME, OPERATOR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rulez_py.analysis.languages.abstract_values import Abstract
    from rulez_py.analysis.languages.tokens import Token

CLOSERS = frozenset((")", "]", "}"))


class Cursor:
    """The tokens of a text and the next of them."""

    def __init__(self) -> None:
        self.tokens: Sequence[Token] = ()
        self.at = 0

    def enter(self, tokens: Sequence[Token]) -> tuple[Sequence[Token], int]:
        """Go to the first of other tokens. Return the place before, for `leave`."""
        before = self.tokens, self.at
        self.tokens, self.at = tokens, 0
        return before

    def leave(self, before: tuple[Sequence[Token], int]) -> None:
        """Go back to the place that `enter` gave."""
        self.tokens, self.at = before

    def peek(self, ahead: int = 0) -> Token:
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else (LINE, 0)

    def operator(self, ahead: int = 0) -> str:
        """Return the sign that stands there, "" where something else does."""
        kind, value = self.peek(ahead)
        return str(value) if kind == OPERATOR else ""

    def accept(self, *operators: str) -> bool:
        if self.operator() in operators and self.operator():
            self.at += 1
            return True
        return False

    def word(self, ahead: int = 0) -> str:
        kind, value = self.peek(ahead)
        return str(value) if kind == NAME else ""

    def lines(self) -> None:
        """Step over ends of lines."""
        while self.at < len(self.tokens) and self.tokens[self.at][0] == LINE:
            self.at += 1

    def sets(self) -> bool:
        """Tell whether behind the brackets that begin here something is assigned.

        Those that are long are not looked at.
        """
        depth = 0
        for ahead in range(24):
            operator = self.operator(ahead)
            depth += (operator in ("[", "{", "(")) - (operator in CLOSERS)
            if depth <= 0:
                return self.operator(ahead + 1) == "="
        return False

    def names_before(self) -> list[str]:
        """Return the names that stand before `of`: one, or those in a pattern."""
        stop = self.at - 1
        if stop and self.tokens[stop - 1][0] == NAME:
            return [str(self.tokens[stop - 1][1])]
        start = stop
        while start > max(0, stop - 20) and self.tokens[start] not in ((OPERATOR, "["), (OPERATOR, "{")):
            start -= 1
        return [str(value) for kind, value in self.tokens[start:stop] if kind == NAME]


class Scope:
    """Variables with their values, and what parameters were given."""

    def __init__(self, canonical: Callable[[str], str], block: int) -> None:
        self.canonical = canonical
        """Gives a name without what may stand before it."""
        self.variables: dict[str, Abstract] = {}
        self.learnt: dict[str, Abstract] = {}
        self.defines = False
        """The code has functions of its own."""
        self.assigned = ""
        """The variable that was assigned last."""
        self.block = block
        """How many blocks the place is inside."""

    def value_of(self, name: str) -> Abstract:
        """Return what a name stands for: a variable's value, else the name itself."""
        if name in self.variables:
            return self.variables[name]
        if name in self.learnt:
            return self.learnt[name]
        return Ref(self.canonical(name))

    def named(self, name: str) -> Abstract:
        """Return what a name given as a text stands for."""
        return self.variables.get(name) or Ref(name)

    def assign(self, name: str, value: Abstract) -> None:
        """A variable gets this value; inside a block it may still have the one it had."""
        before = self.variables.get(name)
        if self.block and before is not None and before is not UNKNOWN:
            value = either((before, value))
        self.variables[name] = value

    def learn(self, name: str, value: Abstract) -> None:
        """A parameter is once given this value."""
        if name and len(self.learnt) < 1000:
            self.learnt[name] = either((self.learnt[name], value), MOST_LEARNT) if name in self.learnt else value


DEEPEST = 40
"""Calls and expressions inside one another that are followed."""
MOST_NESTED = 4
"""Codes inside code that are followed."""
MOST_HANDED = 5_000
"""Calls by functions that were handed on, of one text."""
LONGEST_NESTED = 60_000
"""Characters of code inside code, all together."""
SHORT = 2_000
"""Longer code in code gives nothing that is known."""
_EACH_NESTED = 100
"""What code inside code costs beside its characters, so that short code ends as well."""


class Limits:
    """What a walk has used up; `below` gives what one through code inside the code begins with."""

    def __init__(self, level: int = 0, budget: list[int] | None = None, handed: int = 0) -> None:
        self.level, self.handed = level, handed
        self.budget = [LONGEST_NESTED] if budget is None else budget
        """Characters that are left for code inside code; one list for all walks of a text."""
        self.depth = 0

    def below(self) -> Limits:
        """Return the limits of a walk through code inside the code."""
        return Limits(self.level + 1, self.budget, self.handed)

    def charge(self, code: str) -> bool:
        """Take code inside the code from the budget. Return whether anything is left."""
        self.budget[0] -= len(code) + _EACH_NESTED
        return self.budget[0] > 0
