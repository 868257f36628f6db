"""State that the parts of a walk share: the next token, the values of names, the bounds."""

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
        """Go to the first of other tokens. Return the former tokens and index, for `leave`."""
        before = self.tokens, self.at
        self.tokens, self.at = tokens, 0
        return before

    def leave(self, before: tuple[Sequence[Token], int]) -> None:
        """Go back to the tokens and index that `enter` returned."""
        self.tokens, self.at = before

    def peek(self, ahead: int = 0) -> Token:
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else (LINE, 0)

    def operator(self, ahead: int = 0) -> str:
        """Return the operator there, "" for any other token."""
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
        """Skip ends of lines."""
        while self.at < len(self.tokens) and self.tokens[self.at][0] == LINE:
            self.at += 1

    def sets(self) -> bool:
        """Tell if `=` follows the brackets that begin here. Long brackets are not read."""
        depth = 0
        for ahead in range(24):
            operator = self.operator(ahead)
            depth += (operator in ("[", "{", "(")) - (operator in CLOSERS)
            if depth <= 0:
                return self.operator(ahead + 1) == "="
        return False

    def names_before(self) -> list[str]:
        """Return the names before `of`: one, or those in a pattern."""
        stop = self.at - 1
        if stop and self.tokens[stop - 1][0] == NAME:
            return [str(self.tokens[stop - 1][1])]
        start = stop
        while start > max(0, stop - 20) and self.tokens[start] not in ((OPERATOR, "["), (OPERATOR, "{")):
            start -= 1
        return [str(value) for kind, value in self.tokens[start:stop] if kind == NAME]


class Scope:
    """Variables and parameters with their values."""

    def __init__(self, canonical: Callable[[str], str], block: int) -> None:
        self.canonical = canonical
        """Returns a name without its prefixes."""
        self.variables: dict[str, Abstract] = {}
        self.learnt: dict[str, Abstract] = {}
        self.defines = False
        """True if the code defines functions."""
        self.assigned = ""
        """The variable that was assigned last."""
        self.block = block
        """Number of blocks around the next token."""

    def value_of(self, name: str) -> Abstract:
        """Return the value of a variable; any other name is a Ref."""
        if name in self.variables:
            return self.variables[name]
        if name in self.learnt:
            return self.learnt[name]
        return Ref(self.canonical(name))

    def named(self, name: str) -> Abstract:
        """Return the value of a variable whose name is given as a text."""
        return self.variables.get(name) or Ref(name)

    def assign(self, name: str, value: Abstract) -> None:
        """Assign a value to a variable. Inside a block the variable may still have its former value."""
        before = self.variables.get(name)
        if self.block and before is not None and before is not UNKNOWN:
            value = either((before, value))
        self.variables[name] = value

    def learn(self, name: str, value: Abstract) -> None:
        """Add a value to those of a parameter."""
        if name and len(self.learnt) < 1000:
            self.learnt[name] = either((self.learnt[name], value), MOST_LEARNT) if name in self.learnt else value


DEEPEST = 40
"""Depth to which nested calls and expressions are followed."""
MOST_NESTED = 4
"""Depth to which code in texts of code is followed."""
MOST_HANDED = 5_000
"""Calls of callbacks in one text."""
LONGEST_NESTED = 60_000
"""Characters of all code in texts of code."""
SHORT = 2_000
"""The value of longer code in a text is unknown."""
_EACH_NESTED = 100
"""Cost of each code in a text beside its characters, so that a loop of short code ends."""


class Limits:
    """Bounds of a walk and what it has used of them. `below` returns those for a text of code inside it."""

    def __init__(self, level: int = 0, budget: list[int] | None = None, handed: int = 0) -> None:
        self.level, self.handed = level, handed
        self.budget = [LONGEST_NESTED] if budget is None else budget
        """Characters left for code in texts of code; all walks of a text share the list."""
        self.depth = 0
        self.reached = False
        """True if the walk has skipped code that is too deep."""

    def below(self) -> Limits:
        """Return the bounds of a walk through a text of code."""
        return Limits(self.level + 1, self.budget, self.handed)

    def charge(self, code: str) -> bool:
        """Take a text of code from the budget. Tell if anything is left."""
        self.budget[0] -= len(code) + _EACH_NESTED
        return self.budget[0] > 0
