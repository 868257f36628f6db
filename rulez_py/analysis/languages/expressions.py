"""Expressions and their operands: names, assignments, texts, and operators between them."""

from __future__ import annotations

from rulez_py.analysis.languages.abstract_values import (
    UNKNOWN,
    Call,
    Choice,
    Ref,
    Table,
    choices,
    either,
    first_of,
    gathered,
    joined,
    known,
    number,
)
from rulez_py.analysis.languages.dialect import WORD_OPERATORS
from rulez_py.analysis.languages.effects import derived
from rulez_py.analysis.languages.methods import (
    GROWING,
    TAKING,
    added,
    formatted,
    grown,
    joined_all,
    under_made,
    without,
)
from rulez_py.analysis.languages.state import CLOSERS, DEEPEST
from rulez_py.analysis.languages.tokens import NAME, NUMBER, OPERATOR, SHELL, TEXT, VARIABLE, WORDS
from rulez_py.analysis.values import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from rulez_py.analysis.languages.abstract_values import Abstract
    from rulez_py.analysis.languages.dialect import Walk
    from rulez_py.analysis.languages.tokens import Token
    from rulez_py.analysis.values import Word

ADDING = frozenset(("+=", ".=", "<<="))
REPLACED = "_replaced"
"""Name of the token for a replacement, which changes the variable before it (Perl)."""


class Names:
    """Reads a name, what is assigned to it, and what changes it."""

    def __init__(self, walk: Walk) -> None:
        self.walk, self.dialect = walk, walk.dialect
        self.here, self.scope, self.limits = walk.here, walk.scope, walk.limits

    def named(self, name: str) -> Abstract:
        operator = self.here.operator()
        if operator in self.dialect.assigning:
            self.here.at += 1
            self.here.lines()
            value = self.walk.expressions.expression()
            self.scope.assign(name, value)
            return value
        if operator in ADDING:
            self.here.at += 1
            value = added(self.scope.value_of(name), self.walk.expressions.expression())
            self.scope.assign(name, value)
            return value
        if operator == "=>" and self.dialect.arrow_of_name:
            self.here.at += 1
            return self.walk.definitions.body(self.walk.definitions.function((name,)))
        return self.changed(name, self.scope.value_of(name))

    def variable(self, name: str) -> Abstract:
        operator = self.here.operator()
        if operator == "=" or operator in ("||=", "//="):
            self.here.at += 1
            self.here.lines()
            value = self.walk.expressions.expression()
            self.scope.assigned = name
            self.scope.assign(name, value)
            return value
        value = self.scope.variables.get(name, self.scope.learnt.get(name, UNKNOWN))
        if operator == "=~" and self.here.peek(1) == (VARIABLE, REPLACED):
            self.scope.variables[name] = UNKNOWN
        if operator in ADDING:
            self.here.at += 1
            value = added(value, self.walk.expressions.expression())
            self.scope.assign(name, value)
            return value
        return self.changed(name, value)

    def changed(self, name: str, value: Abstract) -> Abstract:
        """Read the suffixes of a variable, which may change it: `x.append(1)`, `x[0] = 1`. Return the value."""
        operator, how = self.here.operator(), self.here.word(1)
        if operator == "<<" and isinstance(value, (tuple, Word)) and self.dialect.bare:
            while self.here.accept("<<"):
                one = self.walk.expressions.operand()
                value = (*value, one) if isinstance(value, tuple) else joined(value, one)
            self.scope.variables[name] = value
        elif (operator == "[" or (operator == "{" and self.dialect.brace_index)) and self.here.sets():
            self.here.at += 1
            where = self.walk.brackets.arguments_until("]" if operator == "[" else "}").arguments
            self.here.at += 1
            self._set(name, value, where, self.walk.expressions.expression())
            return UNKNOWN
        elif operator in self.dialect.attribute and how in GROWING and isinstance(value, (tuple, Choice)):
            given = self._given_behind()
            self.scope.assign(name, either([grown(one, how, given) for one in choices(value)]))
            return UNKNOWN
        elif operator in self.dialect.attribute and how in TAKING and isinstance(value, tuple) and value:
            taken, left = without(value, how, self._given_behind())
            self.scope.assign(name, left)
            return self.walk.suffixes.tail(taken)
        return self.walk.suffixes.tail(value)

    def _given_behind(self) -> list[Abstract]:
        """Return the arguments of a method whose operator and name are next."""
        self.here.at += 2
        if self.here.accept("("):
            return self.walk.brackets.arguments_until(")").arguments
        return self.walk.brackets.arguments_until("").arguments if self.dialect.bare else []

    def _set(self, name: str, value: Abstract, where: list[Abstract], given: Abstract) -> None:
        """Assign `name[where] = given`."""
        at = where[0] if where else None
        n = number(at)
        if isinstance(value, tuple) and (n is not None or at is None):
            n = len(value) if n is None else n - self.dialect.first
            value = (*value[:n], given, *value[n + 1 :])
        elif isinstance(value, Ref) and isinstance(at, Word):
            name, value = f"{value.name}.{at.text}", given
        elif isinstance(value, (Table, Word, Ref)):
            key = (
                str(n - self.dialect.first) if n is not None else at.name if isinstance(at, Ref) else first_of(at).text
            )
            value = Table({**(value.items if isinstance(value, Table) else {}), key: given})
        self.scope.assign(name, value)


class Texts:
    """Puts texts together."""

    def __init__(self, walk: Walk) -> None:
        self.walk, self.dialect = walk, walk.dialect
        self.here, self.scope, self.limits = walk.here, walk.scope, walk.limits

    def text(self) -> Abstract:
        """Return the text here, with adjacent texts in languages that join them."""
        value = self._made_of(self.here.tokens[self.here.at][1])
        self.here.at += 1
        while self.dialect.neighbours and self.here.peek()[0] == TEXT:
            value = joined(value, self._made_of(self.here.tokens[self.here.at][1]))
            self.here.at += 1
        return value

    def filled(self, parts: tuple[object, ...]) -> Word:
        """Return the text with these parts."""
        return first_of(self._made_of(parts))

    def _made_of(self, parts: tuple[object, ...]) -> Abstract:
        if len(parts) == 1 and isinstance(parts[0], str):
            return known(parts[0])
        whole: Abstract = known("")
        for part in parts:
            if isinstance(part, str):
                whole = joined(whole, known(part))
            elif isinstance(part, tuple) and self.limits.depth < DEEPEST:
                self.limits.depth += 1
                whole = joined(whole, self.inside(part))
                self.limits.depth -= 1
            else:
                self.limits.reached = True
                whole = joined(whole, UNKNOWN)
        return whole

    def inside(self, tokens: Sequence[Token]) -> Abstract:
        """Return the value of an expression inside a text."""
        before = self.here.enter(tokens)
        value = self.walk.expressions.expression()
        while self.here.at < len(tokens):
            start = self.here.at
            self.walk.statements.statement()
            value = value if self.here.operator(-1) == ":" else UNKNOWN
            self.here.at += self.here.at == start
        self.here.leave(before)
        if isinstance(value, tuple):
            return joined_all(value, known(" "))
        return value


PREFIXES = frozenset(("!", "-", "+", "~", "*", "**", "&", "\\", "...", "@", "::", "&&", "<", "--", "++"))
ALTERNATIVES = frozenset(("or", "||", "??", "?:", "else", "?", ":"))


class Expressions:
    """Reads expressions and their operands, from left to right without precedence."""

    def __init__(self, walk: Walk) -> None:
        self.walk, self.dialect = walk, walk.dialect
        self.here, self.scope, self.limits = walk.here, walk.scope, walk.limits

    def expression(self) -> Abstract:
        """Return the value of an expression, read up to the end of the argument or statement."""
        if self.limits.depth >= DEEPEST:
            return self._too_deep()
        self.limits.depth += 1
        try:
            return self._expression()
        finally:
            self.limits.depth -= 1

    def _too_deep(self) -> Word:
        """Skip a token at the bound on depth.

        INVARIANT: code that is skipped leaves the walk opaque (`Engine.read`), for a call may be in it.
        """
        self.limits.reached = True
        self.here.at += 1
        return UNKNOWN

    def _expression(self) -> Abstract:
        left = self.operand()
        while self.here.at < len(self.here.tokens):
            kind, value = self.here.tokens[self.here.at]
            if kind == OPERATOR:
                if value in self.dialect.ends:
                    break
                self.here.at += 1
                if value in CLOSERS:
                    break
                self.here.lines()
                if value == "?":
                    left = self._ternary()
                elif value == "|>":
                    left = self._piped(left)
                elif value in self.dialect.concat:
                    left = added(left, self.operand())
                else:
                    left = self._combined(value, left)
            elif kind == NAME and value in WORD_OPERATORS:
                if self.dialect.bare and value in ("if", "unless", "and", "or"):
                    break
                self.here.at += 1
                left = self._combined(value, left)
            elif kind == NAME and value == "as":
                self.here.at += 1
                self.walk.statements.named_as(left)
            elif kind == NAME and value in self.dialect.each:
                self.here.at += 1
                self.walk.statements.each(left if value == "of" else None)
            else:
                break
        return left

    def _piped(self, first: Abstract) -> Abstract:
        """Read `first |> f(second)` (R)."""
        name = self.here.word()
        self.here.at += 1
        while self.here.operator() in self.dialect.attribute and self.here.word(1):
            name += "." + self.here.word(1)
            self.here.at += 2
        call = self.walk.brackets.arguments_until(")") if self.here.accept("(") else Call([], {})
        return self.walk.calls.call(self.scope.value_of(name), Call([first, *call.arguments], call.keywords))

    def _ternary(self) -> Abstract:
        yes = self.expression()
        if self.here.accept(":"):
            return either((yes, self.expression()))
        return yes

    def _combined(self, operator: str, left: Abstract) -> Abstract:
        right = self.operand()
        if operator == "=~" and self.here.peek(-1) == (VARIABLE, REPLACED):
            self.scope.variables[self.scope.assigned] = UNKNOWN
        if operator == "%" and isinstance(left, Word):
            return formatted(left, right, "%")
        if operator == self.dialect.path_operator:
            return under_made(left, right)
        if operator in ALTERNATIVES:
            return either((left, right))
        if operator == "if" and self.dialect.indented:
            return left
        if left is UNKNOWN and right is UNKNOWN:
            return UNKNOWN
        data = gathered((left, right))
        return UNKNOWN if data is None else UNKNOWN.replace(data=data)

    def operand(self) -> Abstract:
        if self.limits.depth >= DEEPEST:
            return self._too_deep()
        self.limits.depth += 1
        try:
            return self._operand()
        finally:
            self.limits.depth -= 1

    def _operand(self) -> Abstract:
        tokens, dialect = self.here.tokens, self.dialect
        while self.here.at < len(tokens):
            kind, value = tokens[self.here.at]
            if (kind == OPERATOR and value in PREFIXES and value not in dialect.functions) or (
                kind == NAME and value in dialect.prefixes
            ):
                self.here.at += 1
            else:
                break
        else:
            return UNKNOWN
        if kind == TEXT:
            return self.walk.suffixes.tail(self.walk.texts.text())
        if kind == OPERATOR and value not in ("(", "[", "{") and value not in dialect.functions:
            return UNKNOWN
        self.here.at += 1
        begins = kind in (NAME, OPERATOR) and value in dialect.functions
        if begins and (kind == OPERATOR or self.here.operator() not in (*dialect.attribute, "=")):
            return self.walk.suffixes.tail(dialect.functions[value](self.walk))
        if kind == NAME:
            return self.walk.names.named(value)
        if kind == VARIABLE:
            return self.walk.names.variable(value)
        return self._between(value) if kind == OPERATOR else self.walk.suffixes.tail(self._literal(kind, value))

    def _literal(self, kind: str, value: Any) -> Abstract:
        """Return a number, a list of words, or the output of a shell."""
        if kind == NUMBER:
            return Ref(value)
        if kind == WORDS:
            return tuple(known(one) for one in value)
        if kind == SHELL:
            word = self.walk.texts.filled(value)
            self.walk.effects.shell(word)
            return derived(Call([word], {}), None)
        return UNKNOWN

    def _between(self, operator: str) -> Abstract:
        """Return the value of brackets, the first of which has been read: a value, a list, a table, a function."""
        if operator == "{":
            table = self.walk.brackets.table()
            listed = self.dialect.keyless and table.items and all(key.isdecimal() for key in table.items)
            return self.walk.suffixes.tail(tuple(table.items.values()) if listed else table)
        start = self.here.at
        call = self.walk.brackets.arguments_until(")" if operator == "(" else "]")
        if self.here.operator() in self.dialect.arrow:
            return self.arrow(start)
        if call.keywords and not call.arguments:
            return self.walk.suffixes.tail(Table(call.keywords))
        alone = operator == "(" and len(call.arguments) == 1 and self.here.operator(-2) != ","
        return self.walk.suffixes.tail(call.arguments[0] if alone else tuple(call.arguments))

    def arrow(self, start: int) -> Abstract:
        """Read the body of `(a, b) => body`, whose parameters are the tokens since `start`."""
        names = self.walk.definitions.parameters_since(start)
        self.here.at += 1
        return self.walk.definitions.body(self.walk.definitions.function(names))
