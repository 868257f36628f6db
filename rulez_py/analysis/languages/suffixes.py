"""Suffixes of a value: attributes, indices, calls and blocks."""

from __future__ import annotations

from rulez_py.analysis.languages.abstract_values import (
    UNKNOWN,
    Call,
    Choice,
    Function,
    Made,
    Ref,
    Table,
    either,
    gathered,
    known,
    number,
)
from rulez_py.analysis.languages.dialect import WORD_OPERATORS
from rulez_py.analysis.languages.functions import EACH, ITSELF, bound, each_of, made_of
from rulez_py.analysis.languages.methods import METHODS, MOST_ITEMS, element, one_of, part_of, part_of_each, slice_of
from rulez_py.analysis.languages.parts import is_part
from rulez_py.analysis.languages.state import CLOSERS
from rulez_py.analysis.languages.tokens import LINE, NAME, NUMBER, OPERATOR, TEXT, VARIABLE
from rulez_py.analysis.values import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.languages.abstract_values import Abstract
    from rulez_py.analysis.languages.dialect import Walk
NOTHING = Choice(())
"""Returned where no suffix follows."""


class Suffixes:
    """Reads attributes, indices and calls after a value."""

    def __init__(self, walk: Walk) -> None:
        self.walk, self.dialect = walk, walk.dialect
        self.here, self.scope, self.limits = walk.here, walk.scope, walk.limits

    def tail(self, value: Abstract) -> Abstract:
        """Read the attributes, indices and calls after a value. Return the last value."""
        if self.dialect.bare and self.here.operator() in ("[", "*", "{") and isinstance(value, Ref):
            value = self._bare(value)
        while self.here.at < len(self.here.tokens):
            kind, text = self.here.tokens[self.here.at]
            if kind == OPERATOR and text in self.dialect.attribute and self.here.peek(1)[0] in (NAME, VARIABLE):
                self.here.at += 2
                name = str(self.here.tokens[self.here.at - 1][1])
                if self.here.operator() == "=":
                    return self._attribute_set(value, name)
                value = self._bare(self.attribute(value, name))
                continue
            after = self._behind_operator(value, text) if kind == OPERATOR else self._behind_word(value, kind, text)
            if after is NOTHING:
                break
            value = after
        if self.dialect.bare and isinstance(value, Ref) and value.name in self.dialect.alone:
            return self.walk.calls.call(value, Call([], {}))
        return value

    def _attribute_set(self, value: Abstract, name: str) -> Abstract:
        self.here.at += 1
        given = self.walk.expressions.expression()
        if isinstance(value, Ref):
            self.scope.assign(f"{value.name}.{name}", given)
        elif isinstance(value, Table) and len(value.items) < MOST_ITEMS:
            value.items[name] = either((value.items[name], given)) if name in value.items else given
        return given

    def _behind_operator(self, value: Abstract, operator: Abstract) -> Abstract:
        """Return the value after one suffix that begins with an operator; NOTHING where none follows."""
        dialect = self.dialect
        if operator in dialect.attribute and self.here.operator(1) in ("(", "[", "{"):
            self.here.at += 1
            return value
        if operator == "(":
            self.here.at += 1
            if self.here.operator() == "..." and self.here.operator(1) == ")":
                self.here.at += 2
                return value
            return self.walk.calls.call(value, self.walk.brackets.arguments_until(")"))
        if operator == "[":
            self.here.at += 1
            bounds = self._bounds() if dialect.slice else None
            where = self.walk.brackets.arguments_until("]").arguments
            return self.index(value, where) if bounds is None else part_of(value, bounds)
        if (
            operator == "{"
            and dialect.brace_index
            and isinstance(value, (Ref, Table))
            and not self.walk.calls.is_function(value)
        ):
            self.here.at += 1
            return self.index(value, self.walk.brackets.arguments_until("}").arguments)
        if operator == "{" and dialect.keyless and self.walk.calls.is_function(value):
            return self.walk.calls.call(value, Call([self.walk.expressions.operand()], {}))
        if operator == "{" and dialect.bare:
            return self._block(value)
        return NOTHING

    def _bounds(self) -> slice | None:
        """Return the slice of an index, `[1:]`, `[::-1]`, `[1..]`; None for an index of one element."""
        text, several, depth = "", False, 0
        for ahead in range(12):
            kind, value = self.here.peek(ahead)
            if kind == OPERATOR:
                if value == "]" and not depth:
                    break
                depth += (value in ("(", "[", "{")) - (value in CLOSERS)
                several = several or (not depth and value in self.dialect.slice)
            text += str(value) if kind in (NUMBER, OPERATOR) else "?"
        return slice_of(text) if several else None

    def _behind_word(self, value: Abstract, kind: str, word: Abstract) -> Abstract:
        """Return the value after a call without parentheses, or before a suffix in the next line; else NOTHING."""
        dialect = self.dialect
        if kind == LINE:
            if not self._goes_on():
                return NOTHING
            self.here.lines()
            return value
        if kind == NAME and word == "do" and dialect.bare:
            return self._block(value)
        if kind == TEXT and isinstance(value, Ref) and dialect.called_with_text:
            return self.walk.calls.call(value, Call([self.walk.texts.text()], {}))
        if dialect.bare and isinstance(value, Function) and kind in (TEXT, VARIABLE):
            return self.walk.calls.call(value, self.walk.brackets.arguments_until(""))
        if dialect.bare and isinstance(value, Ref):
            after = self._bare(value)
            return NOTHING if after is value else after
        return NOTHING

    def _goes_on(self) -> bool:
        """Tell if the next line begins with `.name`."""
        ahead = 0
        while self.here.at + ahead < len(self.here.tokens) and self.here.peek(ahead)[0] == LINE and ahead < 4:
            ahead += 1
        return self.here.operator(ahead) in (".", "->") and self.here.operator(ahead) in self.dialect.attribute

    def _bare(self, value: Abstract) -> Abstract:
        """Return the value of a call without parentheses: a known function, with the arguments in its line."""
        if not self.dialect.bare or not isinstance(value, Ref):
            return value
        kind, text = self.here.peek()
        if not self.walk.calls.is_known(value.name):
            owner, _, name = value.name.rpartition(".")
            if owner == "*" and name in METHODS and text != "(" and isinstance(value.on, (tuple, Word, Table)):
                return self.walk.calls.call(
                    value, self.walk.brackets.arguments_until("") if kind == TEXT else Call([], {})
                )
            return value
        if kind == OPERATOR and text in ("[", "\\", "*", "{", "-", "::"):
            if text == "{" and self.dialect.bare_block:
                return self.walk.calls.call(value, Call([], {}))
        elif kind == OPERATOR and text == "(":
            return value
        elif kind in (OPERATOR, LINE) or (kind == NAME and (text in WORD_OPERATORS or text in ("do", "end", "then"))):
            return self.walk.calls.call(value, Call([], {}))
        return self.walk.calls.call(value, self.walk.brackets.arguments_until(""))

    def _block(self, value: Abstract) -> Abstract:
        """Read `{ |x|` or `do |x|` after a list or a call (Ruby), which sets x, `_1` and `it`."""
        on = value.on if isinstance(value, Ref) and value.on is not None else value
        given = on if isinstance(value, Ref) and value.name.rpartition(".")[2] in ITSELF else one_of(on)
        braces, marked = self.here.operator() == "{", self.here.operator(1) == "|"
        if not marked and not self.dialect.bare_block:
            return NOTHING
        names, star = self._block_names() if marked else ([], False)
        self.scope.variables["_1"] = self.scope.variables["it"] = given
        for at, name in enumerate(names[:6]):
            self.scope.variables[name] = part_of_each(given, at) if len(names) > 1 and not star else given
        if not names:
            return NOTHING
        how = value.name.rpartition(".")[2] if isinstance(value, Ref) and value.name.startswith("*.") else ""
        if how in EACH and self.here.operator(-1) == "|" and braces:
            self.walk.brackets.table()
            return made_of(how, each_of([on]))
        return value

    def _block_names(self) -> tuple[list[str], bool]:
        """Return the parameters of a block, `{ |a, b|`, and if one of them takes all arguments."""
        names, star = [], False
        self.here.at += 2
        while self.here.at < len(self.here.tokens) and self.here.operator() != "|":
            names += [self.here.word()] if self.here.word() else []
            star = star or self.here.operator() == "*"
            self.here.at += 1
        self.here.at += 1
        return names, star

    def attribute(self, value: Abstract, name: str) -> Abstract:
        if isinstance(value, Choice):
            return either([self.attribute(one, name) for one in value.of])
        if isinstance(value, Ref):
            if name in self.dialect.itself:
                return value
            if name == "chr" and (n := number(value)) is not None:
                return known(chr(n))
            path = self.dialect.canonical(f"{value.name}.{name}" if value.name else name)
            if path in self.scope.variables:
                return self.scope.variables[path]
            attributes = self.dialect.special.get("attribute")
            if attributes is not None and (given := attributes(self.walk, Call([], {}), Ref(path))) is not None:
                return given
            return Ref(path, value.on)
        if isinstance(value, Made):
            path = self.dialect.canonical(f"{value.name}.{name}")
            attributes = self.dialect.special.get("attribute")
            if attributes is not None and (given := attributes(self.walk, Call([], {}), Ref(path, value))) is not None:
                return given
            return Ref(path, value)
        if isinstance(value, Table) and name in value.items:
            return value.items[name]
        return Ref(f"*.{name}", value)

    def _by_index(self, value: Abstract, where: list[Abstract]) -> Abstract:
        """Return the value of `f[a]` that calls or binds a function; None for an index of a value."""
        if self.dialect.called_by_index and self.walk.calls.is_function(value):
            return self.walk.calls.call(value, Call(list(where), {}))
        if len(where) < 2 or not isinstance(value, Ref) or not value.name.startswith(self.dialect.bound_by_index):
            return None
        # `git["gc", "-q"] & FG` and `git["log", "-p"] | head` run it.
        runs = self.here.operator() in ("&", "|", ">", ">>", "<")
        return self.walk.calls.call(value, Call(list(where), {})) if runs else bound(value, where, {})

    def index(self, value: Abstract, where: list[Abstract]) -> Abstract:
        """Return an element of a list, the value of a key in a table, or an attribute of a module."""
        at = where[0] if where else None
        if isinstance(value, Choice):
            return either([self.index(one, where) for one in value.of])
        if (made := self._by_index(value, where)) is not None:
            return made
        if isinstance(value, tuple):
            return element(value, at if len(where) == 1 else None, self.dialect.first)
        n = number(at)
        if isinstance(value, Table) and n is not None:
            return value.items.get(str(n - self.dialect.first), value.items.get(str(n), UNKNOWN))
        word = Word(text=at.name) if isinstance(at, Ref) and n is None else at
        if isinstance(word, Word) and word.known:
            if isinstance(value, (Ref, Made)):
                return self.attribute(value, word.text)
            if isinstance(value, Table):
                return value.items.get(word.text, UNKNOWN)
        if is_part(self.dialect.within, value):
            return value
        data = gathered((value,))
        return UNKNOWN if data is None else UNKNOWN.replace(data=data)
