"""Content of brackets: arguments, pairs, statements."""

from __future__ import annotations

from rulez_py.analysis.languages.abstract_values import Call, Ref, Table, text_of
from rulez_py.analysis.languages.methods import MOST_ITEMS
from rulez_py.analysis.languages.state import CLOSERS, DEEPEST
from rulez_py.analysis.languages.tokens import LINE, NAME, NUMBER, OPERATOR, TEXT
from rulez_py.analysis.values import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulez_py.analysis.languages.abstract_values import Abstract
    from rulez_py.analysis.languages.dialect import Walk


class Brackets:
    """Reads arguments and tables."""

    def __init__(self, walk: Walk) -> None:
        self.walk, self.dialect = walk, walk.dialect
        self.here, self.scope, self.limits = walk.here, walk.scope, walk.limits

    def arguments_until(self, closer: str) -> Call:
        """Return the arguments up to `closer`, or to the end of the line where it is ""."""
        call = Call([], {})
        count = len(self.here.tokens)
        while self.here.at < count:
            kind, value = self.here.tokens[self.here.at]
            if kind == LINE:
                if not closer:
                    break
                self.here.at += 1
                continue
            if kind == OPERATOR:
                if value == closer:
                    self.here.at += 1
                    break
                if value in CLOSERS or (value == ";" and not closer):
                    break
                if value in (",", ";"):
                    self.here.at += 1
                    if not closer:
                        self.here.lines()
                    continue
            elif not closer and kind == NAME and value in ("if", "unless", "do", "or", "and", "end", "for", "then"):
                break
            elif kind in (NAME, TEXT) and self.here.operator(1) in self.dialect.keyword:
                self.here.at += 2
                call.keywords[str(value) if kind == NAME else self.walk.texts.filled(value).text] = (
                    self.walk.expressions.expression()
                )
                continue
            self._argument(closer, kind, value, call)
        return call

    def _argument(self, closer: str, kind: str, value: Any, call: Call) -> None:
        """Read one argument, named or not; or a statement, where braces are read as arguments."""
        start, dialect = self.here.at, self.dialect
        if closer and kind == NAME and value in dialect.statements and value not in dialect.functions:
            self.walk.statements.statement()
            return
        spread = self.here.operator() in ("*", "...")
        given = self.walk.expressions.expression()
        if self.here.at == start:
            self.here.at += 1
        elif spread and isinstance(given, tuple):
            call.arguments += given
        elif isinstance(given, (Word, Ref)) and self._names_argument():
            self.here.at += 1
            call.keywords[text_of(given).text if isinstance(given, Word) else given.name] = (
                self.walk.expressions.expression()
            )
        else:
            call.arguments.append(given)

    def _names_argument(self) -> bool:
        """Tell if the operator here separates an argument's name from its value."""
        return self.here.operator() in ("=>", "=", ":") and self.here.operator() in self.dialect.keyword

    def table(self) -> Table:
        """Read the pairs or statements between `{` and `}`. Return the pairs."""
        found: dict[str, Abstract] = {}
        if self.limits.depth >= DEEPEST:
            # What is between the braces is read as statements by the caller.
            return Table(found)
        self.scope.block += 1
        self.limits.depth += 1
        count = len(self.here.tokens)
        while self.here.at < count:
            kind, value = self.here.tokens[self.here.at]
            if kind == OPERATOR and value in CLOSERS:
                self.here.at += value == "}"
                break
            start = self.here.at
            self._entry(kind, value, found)
            if self.here.at == start:
                self.here.at += 1
        self.limits.depth -= 1
        self.scope.block -= 1
        return Table(found)

    def _entry(self, kind: str, value: Any, found: dict[str, Abstract]) -> None:
        """Read one pair, or a statement."""
        if kind in (NAME, TEXT, NUMBER) and self.here.operator(1) in self.dialect.pair:
            self.here.at += 2
            self.here.lines()
            key = self.walk.texts.filled(value).text if kind == TEXT else str(value)
            found[key] = self.walk.expressions.expression()
        elif kind == NAME and self.dialect.methods and self.here.operator(1) == "(" and self._method(value):
            pass
        elif kind == NAME and self.here.operator(1) in (",", "}") and value not in self.dialect.alone:
            found[value] = self.scope.value_of(value)
            self.here.at += 1
        elif kind == OPERATOR and value == ",":
            self.here.at += 1
        elif not self.dialect.keyless or (kind == NAME and value in self.dialect.statements):
            self.walk.statements.statement()
        elif kind == NAME and self.here.operator(1) == "=":
            self.here.at += 2
            found[value] = self.walk.expressions.expression()
        else:
            found[str(min(len(found), MOST_ITEMS))] = self.walk.expressions.expression()

    def _method(self, name: str) -> bool:
        """Read `name(a, b) {`, a method in a class. Return False where none begins here."""
        if name in self.dialect.methods:
            return False
        depth = 0
        for ahead in range(1, 30):
            operator = self.here.operator(ahead)
            depth += (operator in ("(", "[", "{")) - (operator in CLOSERS)
            if depth == 0:
                break
        if depth or self.here.operator(ahead + 1) != "{":
            return False
        self.here.at += 2
        made = self.walk.definitions.function(self.walk.definitions.parameters(")"))
        self.scope.variables[name] = made
        self.walk.definitions.body(made)
        return True
