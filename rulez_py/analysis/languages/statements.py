"""Statements, and assignments of several names or values: unpacking and loops."""

from __future__ import annotations

from rulez_py.analysis.languages.abstract_values import UNKNOWN, Made, Ref
from rulez_py.analysis.languages.dialect import ENDS
from rulez_py.analysis.languages.effects import under
from rulez_py.analysis.languages.methods import one_of, part_of_each
from rulez_py.analysis.languages.parts import is_part
from rulez_py.analysis.languages.search import found_below, sought
from rulez_py.analysis.languages.tokens import LINE, NAME, OPERATOR, VARIABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.languages.abstract_values import Abstract
    from rulez_py.analysis.languages.dialect import Walk
    from rulez_py.analysis.languages.tokens import Token


class Statements:
    """Reads statements."""

    def __init__(self, walk: Walk) -> None:
        self.walk, self.dialect = walk, walk.dialect
        self.here, self.scope, self.limits = walk.here, walk.scope, walk.limits

    def program(self, tokens: Sequence[Token]) -> None:
        """Walk through all of these tokens."""
        before = self.here.enter(tokens)
        while self.here.at < len(tokens):
            start = self.here.at
            self.statement()
            if self.here.at == start:
                self.here.at += 1
        self.here.leave(before)

    def statement(self) -> None:
        kind, value = self.here.peek()
        if kind == LINE:
            self.scope.block = int(value > 0) if self.dialect.indented else self.scope.block
            self.here.at += 1
        elif kind == NAME and (reader := self.dialect.statements.get(value)) is not None:
            self.here.at += 1
            reader(self.walk)
        elif kind == OPERATOR and value == "{" and "{" in self.dialect.statements and self.here.sets():
            self.dialect.statements["{"](self.walk)
        elif kind == OPERATOR and value in ENDS and value != "{":
            self.here.at += 1
        elif (names := self._pattern()) is not None:
            self._unpack(names)
        else:
            self.walk.expressions.expression()

    def _pattern(self) -> list[str] | None:
        """Read the names that get the parts of a value, `a, b = ...`, `[$a, $b] = ...`, up to the `=`.

        None where no such pattern begins. A name for all other parts begins with `*`.
        """
        ahead = int(self.here.word() in self.dialect.prefixes or self.here.word() == "list")
        bracket = self.here.operator(ahead) in ("[", "(")
        if not bracket and (self.here.operator(ahead + 1) != "," or self.here.peek(ahead)[0] not in (NAME, VARIABLE)):
            return None
        names, star = [""], ""
        for at in range(ahead + bracket, 24):
            kind, value = self.here.peek(at)
            if kind in (NAME, VARIABLE) and not names[-1]:
                names[-1] = star + value
                star = ""
            elif kind == OPERATOR and value == ",":
                names.append("")
            elif kind == OPERATOR and value in ("*", "..."):
                star = "*"
            elif kind == OPERATOR and value in ("]", ")") and bracket:
                bracket = False
            elif kind == OPERATOR and value == "=" and not bracket and len(names) > 1:
                self.here.at += at + 1
                return names
            else:
                return None
        return None

    def _unpack(self, names: list[str]) -> None:
        """Assign to each name its part of the next value or values."""
        value = self.walk.expressions.expression()
        if self.here.operator() == ",":
            values = [value]
            while self.here.accept(","):
                values.append(self.walk.expressions.expression())
            value = tuple(values)
        for at, name in enumerate(names):
            if name.startswith("*"):
                self.scope.assign(name[1:], value[at:] if isinstance(value, tuple) else value)
            elif name:
                self.scope.assign(name, self.walk.suffixes.index(value, [Ref(str(at + self.dialect.first))]))

    def named_as(self, value: Abstract) -> None:
        """`with open() as f`, `foreach ($list as $one)`."""
        kind, name = self.here.peek()
        if kind not in (NAME, VARIABLE):
            return
        self.here.at += 1
        if self.dialect.as_each:
            if self.here.accept("=>") and self.here.peek()[0] == VARIABLE:
                name = self.here.peek()[1]
                self.here.at += 1
            value = one_of(value)
        self.scope.assign(str(name), value)

    def each(self, target: Abstract) -> None:
        """Read `for x in list` after an expression (Python), or `x of list` (JavaScript)."""
        names: list[str] = []
        if target is None:
            while (self.here.word() and self.here.word() != "in") or self.here.operator() in (",", "("):
                if self.here.word():
                    names.append(self.here.word())
                self.here.at += 1
            if self.here.word() != "in":
                return
            self.here.at += 1
        else:
            names = self.here.names_before()
        value = self.walk.expressions.operand()
        if isinstance(value, Made) and value.name == "os.walk" and value.call.arguments:
            self._walked(names, value.call.arguments[0])
            return
        same = is_part(self.dialect.within, value) or (isinstance(value, Made) and value.name == "psutil.process_iter")
        each = value if same else one_of(value)
        for at, name in enumerate(names[:8]):
            part = part_of_each(each, at) if len(names) > 1 else each
            self.scope.learn(name, part)
            self.scope.assign(name, part)

    def _walked(self, names: list[str], top: Abstract) -> None:
        """`for directory, directories, files in os.walk(top)`."""
        files = found_below(top, sought(self.here.tokens))
        for name, value in zip(names, (under(top, UNKNOWN), files, files), strict=False):
            self.scope.learn(name, value)
            self.scope.assign(name, value)
