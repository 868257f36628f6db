"""Functions that the code defines: parameters, the arguments given to them, and bodies."""

from __future__ import annotations

from rulez_py.analysis.languages.abstract_values import UNKNOWN, Call, Function, Made, Ref, Table
from rulez_py.analysis.languages.parameters import ALL, NAMED, plain, written
from rulez_py.analysis.languages.state import CLOSERS
from rulez_py.analysis.languages.tokens import NAME, OPERATOR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulez_py.analysis.languages.abstract_values import Abstract
    from rulez_py.analysis.languages.dialect import Walk


class Definitions:
    """Reads functions that the code defines."""

    def __init__(self, walk: Walk) -> None:
        self.walk, self.dialect = walk, walk.dialect
        self.here, self.scope, self.limits = walk.here, walk.scope, walk.limits

    def function(self, parameters: Iterable[object]) -> Function:
        """Begin a function. Its parameters have the values of the calls seen so far."""
        self.scope.defines = True
        names = tuple(one.name if isinstance(one, Ref) else one for one in parameters)
        for name in names:
            for each in (part for _, part in name) if isinstance(name, tuple) else (name,):
                if each and isinstance(each, str):
                    self.scope.variables[plain(each)] = self.scope.learnt.get(plain(each), UNKNOWN)
        return Function(names)

    def parameters(self, closer: str) -> list[object]:
        """Return the parameters up to `closer`.

        A default value is one of the values of its parameter.
        """
        start = self.here.at
        self.walk.brackets.arguments_until(closer)
        return self.parameters_since(start)

    def parameters_since(self, start: int) -> list[object]:
        """Return the parameters among the tokens read since `start`, the closing parenthesis left out."""
        tokens = self.here.tokens[start : self.here.at - 1]
        names = written(tokens)
        for at, (kind, name) in enumerate(tokens[:-1]):
            if kind == NAME and name in names and tokens[at + 1] == (OPERATOR, "=") and name in self.scope.variables:
                self.scope.learn(name, self.scope.variables[name])
        return names

    def give(self, function: Function, call: Call) -> None:
        """Give the arguments of a call to the parameters."""
        for at, name in enumerate(function.parameters[:20]):
            if isinstance(name, str) and name.startswith(ALL):
                if not name.startswith(NAMED):
                    self.scope.learn(plain(name), tuple(call.arguments[at:]))
            elif at < len(call.arguments):
                self.given(function, at, call.arguments[at])
            elif isinstance(name, str) and name in call.keywords:
                self.scope.learn(name, call.keywords[name])

    def given(self, function: Function, at: int, value: Abstract) -> None:
        """Give a value to a parameter; a pattern like `{a, b}` gets its attributes."""
        if at < len(function.parameters):
            parameter = function.parameters[at]
            if isinstance(parameter, str):
                self.scope.learn(parameter, value)
            elif isinstance(parameter, tuple):
                parts = isinstance(value, (tuple, Table, Ref, Made))
                for key, name in parameter:
                    if not parts:
                        self.scope.learn(name, value)
                        continue
                    part = (
                        self.walk.suffixes.index(value, [Ref(key)])
                        if key.isdecimal()
                        else self.walk.suffixes.attribute(value, key)
                    )
                    self.scope.learn(name, part)

    def body(self, function: Function) -> Function:
        """Read the body of a function: a block, or an expression, which is its return value."""
        if self.here.operator() == "{":
            self.here.at += 1
            self.walk.brackets.table()
        elif self.here.operator() not in CLOSERS and self.here.operator() != ",":
            self.here.lines()
            function.gives = self.walk.expressions.expression()
        return function

    def block_of(self, function: Function) -> Function:
        """Read the body of a function after its `{ |a|`."""
        self.walk.brackets.table()
        return function
