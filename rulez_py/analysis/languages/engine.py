"""Walk through code of one language and note what the calls in it would do.

There is no grammar here: expressions are read left to right without precedence, statements one after another, and
what is not understood is stepped over. Each token is read once; a second walk follows where the first has learnt what
functions of the code itself are called with.
"""

from __future__ import annotations

from rulez_py.analysis.addresses import hosts_of, hosts_of_url
from rulez_py.analysis.languages.abstract import (
    MOST_LEARNT,
    UNKNOWN,
    Call,
    Choice,
    Function,
    Made,
    Ref,
    Table,
    choices,
    either,
    first_of,
    gathered,
    joined,
    known,
    number,
    text_of,
)
from rulez_py.analysis.languages.actions import perform
from rulez_py.analysis.languages.findings import Findings, derived, under
from rulez_py.analysis.languages.functions import (
    BOUND,
    EACH,
    ITSELF,
    bound,
    call_bound,
    each_of,
    handed_on,
    made_of,
    through,
)
from rulez_py.analysis.languages.libraries import library
from rulez_py.analysis.languages.methods import (
    GROWING,
    METHODS,
    MOST_ITEMS,
    TAKING,
    UNCHANGED,
    added,
    element,
    formatted,
    grown,
    joined_all,
    one_of,
    part_of,
    slice_of,
    under_made,
    without,
)
from rulez_py.analysis.languages.parameters import ALL, NAMED, plain, written
from rulez_py.analysis.languages.scan import LINE, NAME, NUMBER, SHELL, SIGN, TEXT, VARIABLE, WORDS, Scan
from rulez_py.analysis.languages.seeking import found_below, sought
from rulez_py.analysis.record import Value
from rulez_py.analysis.values import LIMIT, SEND, Found, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from rulez_py.analysis.languages.abstract import Abstract
    from rulez_py.analysis.languages.scan import Syntax, Token

    Statement = Callable[["Engine"], None]

DEEPEST = 40
MOST_NESTED = 4
MOST_HANDED = 5_000
LONGEST_NESTED = 60_000
SHORT = 2_000
"""Longer code in code gives nothing that is known."""
ALL_ARGUMENTS = ("_",)
"""The parameters of a function whose arguments are one list (Perl)."""
REPLACED = "_replaced"
"""Stands for a replacement, which changes the variable before it (Perl)."""
CLOSERS = frozenset((")", "]", "}"))
ENDS = frozenset((",", ";", ")", "]", "}", ":", "=>", "=", "|", "{"))
ADDING = frozenset(("+=", ".=", "<<="))
PREFIXES = frozenset(("!", "-", "+", "~", "*", "**", "&", "\\", "...", "@", "::", "&&", "<", "--", "++"))


class Dialect(Value):
    """One language as the engine needs it: all that tells it from the others is here.

    `calls` maps the name of a function to what it does (see `actions`), `special` to what does it; `NAME()` is what
    calling what it gave does. `special` may also have `attribute`, asked for each attribute of what is not known, and
    `call`, asked for each call of what has no entry. `likely` are methods that do this wherever nobody knows what they
    belong to, if they are given a text that is known. `statements` are read by a function of their own, by their first
    word, `functions` begin a function that is a value; `prefixes` are words that stand before a value; `strip` is what
    may stand before a name; with `fold` case does not matter.
    """

    language: str
    syntax: Syntax
    calls: Mapping[str, str]
    special: Mapping[str, Callable[[Engine, Call, Abstract], Abstract]] = {}
    likely: Mapping[str, str] = {}
    statements: Mapping[str, Statement] = {}
    functions: Mapping[str, Callable[[Engine], Abstract]] = {}
    prefixes: frozenset[str] = frozenset()
    strip: tuple[str, ...] = ()
    fold: bool = False

    # Its signs
    attribute: tuple[str, ...] = (".",)
    """Reach into a value."""
    concat: tuple[str, ...] = ("+",)
    """Join texts."""
    keyword: tuple[str, ...] = (":",)
    """Stand between the name of an argument and its value."""
    pair: tuple[str, ...] = (":", "=>")
    """Stand between a key and its value."""
    assigning: tuple[str, ...] = ("=", ":=", "||=", "<<-")
    arrow: tuple[str, ...] = ()
    """Stand between parameters in parentheses and the body of a function."""
    arrow_of_name: bool = False
    """One parameter needs no parentheses: `x => ...`."""
    ends: frozenset[str] = ENDS
    """End an expression."""
    path_sign: str = ""
    """Joins paths: `Path("a") / "b"`."""

    # How it reads
    bare: bool = False
    """A call needs no parentheses."""
    bare_block: bool = False
    """`{` behind a function without parentheses is a block, and no argument."""
    indented: bool = False
    """What is indented is inside a block."""
    unmarked_blocks: bool = False
    """Blocks end with a word: any assignment may be inside one."""
    each: tuple[str, ...] = ()
    """Words behind an expression that give a name each of several values: `x for x in list`, `x of list`."""
    as_each: bool = False
    """`list as one` gives each of several values, and may name the key before: `list as key => one`."""
    neighbours: bool = False
    """Texts that stand side by side are one."""
    called_with_text: bool = False
    """A text behind a function is its argument: `f"x"`."""
    called_by_index: bool = False
    """`f[1]` calls a function."""
    alone: frozenset[str] = frozenset()
    """Functions that are called wherever they stand, without arguments, too."""
    called_by_text: bool = False
    """A text may be called, and is the function of that name."""
    brace_index: bool = False
    """`{ }` behind a value is an index."""
    keyless: bool = False
    """Between `{ }` values may stand without keys."""
    first: int = 0
    """The index of the first thing in a list."""
    itself: frozenset[str] = frozenset(("__dict__", "default", "promises"))
    """Attributes that are as good as the value itself."""
    through: Mapping[str, str] = {}
    """Methods of a function that call it: see `functions.through`; `bind 1` binds what stands behind one argument."""
    methods: frozenset[str] = frozenset()
    """`name(a) {` between braces begins a function, but for these names."""
    bound_by_index: tuple[str, ...] = ()
    """Begin the names of functions that `f[a, b]` binds to arguments (plumbum's programs)."""
    slice: tuple[str, ...] = ()
    """Stand between the first and the last of several things in an index: `[1:3]`."""

    # What it begins with
    argv: tuple[tuple[str, int], ...] = ()
    """Variables that hold the words given to the code, and how many stand before these."""
    variables: Mapping[str, Abstract] = {}
    source: Callable[[str], str] = staticmethod(str)
    """The code in a text."""

    def canonical(self, name: str) -> str:
        """Return a name without what may stand before it."""
        for prefix in self.strip:
            if name.startswith(prefix):
                return self.canonical(name[len(prefix) :]) if len(name) > len(prefix) else name
        return name.lower() if self.fold else name


WORD_SIGNS = frozenset(("and", "or", "not", "in", "is", "if", "else", "unless", "eq", "ne", "xor", "instanceof", "x"))
HOOKS = ("attribute", "call")
"""What stands in `Dialect.special` under these names is asked about others; functions of that name have no entry."""
ALTERNATIVES = frozenset(("or", "||", "??", "?:", "else", "?", ":"))


class Engine:
    """A walk through one text; `findings` is what it is for."""

    def __init__(
        self,
        dialect: Dialect,
        arguments: Sequence[Word],
        findings: Findings,
        level: int = 0,
        budget: list[int] | None = None,
    ) -> None:
        self.dialect = dialect
        self.language = dialect.language
        self.arguments = tuple(arguments)
        self.findings = findings
        self.level = level
        self.budget = [LONGEST_NESTED] if budget is None else budget
        self.variables: dict[str, Abstract] = {}
        self.learnt: dict[str, Abstract] = {}
        self.functions = False
        self.assigned = ""
        self.handed = 0
        self.tokens: Sequence[Token] = ()
        self.at = 0
        self.depth = 0
        self.block = int(dialect.unmarked_blocks)

    def read(self, text: str) -> None:
        """Note what this text would do."""
        scan = Scan(text, self.dialect.syntax)
        scan.run()
        if scan.full:
            self.findings.opaque = self.findings.opaque or LIMIT
        start, findings = dict(self.variables), self.findings
        self.findings = Findings()
        self.program(scan.tokens)
        if self.learnt or self.functions:
            for name, value in self.variables.items():
                self.learnt.setdefault(name, value)
            self.findings = Findings()
            self.variables = start
            self.program(scan.tokens)
        first, self.findings = self.findings, findings
        findings.absorb(first)

    def program(self, tokens: Sequence[Token]) -> None:
        """Walk through all of these tokens."""
        before = self.tokens, self.at
        self.tokens, self.at = tokens, 0
        while self.at < len(tokens):
            start = self.at
            self.statement()
            if self.at == start:
                self.at += 1
        self.tokens, self.at = before

    def nested_value(self, code: Word) -> Abstract:
        """Code inside the code that is one expression: a text given to eval; what it gives."""
        if not code.known or self.depth >= DEEPEST or self.level >= MOST_NESTED or len(code.text) > SHORT:
            self.nested(code)
            return UNKNOWN
        scan = Scan(code.text, self.dialect.syntax)
        scan.run()
        self.level += 1
        self.budget[0] -= len(code.text) + 100
        value = self._inside(scan.tokens) if self.budget[0] > 0 else UNKNOWN
        self.level -= 1
        if self.budget[0] <= 0:
            self.findings.opaque = self.findings.opaque or LIMIT
        return value

    def nested(self, code: Word) -> None:
        """Code inside the code: a text given to eval."""
        if not code.known:
            self.findings.code(code, self.language)
        elif self.level >= MOST_NESTED or self.budget[0] < len(code.text):
            self.findings.opaque = self.findings.opaque or LIMIT
        else:
            self.budget[0] -= len(code.text) + 100
            inner = Engine(self.dialect, self.arguments, self.findings, self.level + 1, self.budget)
            inner.variables, inner.handed = dict(self.variables), self.handed
            inner.read(code.text)

    # Tokens

    def peek(self, ahead: int = 0) -> Token:
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else (LINE, 0)

    def sign(self, ahead: int = 0) -> str:
        """Return the sign that stands there, "" where something else does."""
        kind, value = self.peek(ahead)
        return str(value) if kind == SIGN else ""

    def accept(self, *signs: str) -> bool:
        if self.sign() in signs and self.sign():
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

    # Statements and expressions

    def statement(self) -> None:
        kind, value = self.peek()
        if kind == LINE:
            self.block = int(value > 0) if self.dialect.indented else self.block
            self.at += 1
        elif kind == NAME and (reader := self.dialect.statements.get(value)) is not None:
            self.at += 1
            reader(self)
        elif kind == SIGN and value == "{" and "{" in self.dialect.statements and self._sets():
            self.dialect.statements["{"](self)
        elif kind == SIGN and value in ENDS and value != "{":
            self.at += 1
        elif (names := self._pattern()) is not None:
            self._unpack(names)
        else:
            self.expression()

    def _pattern(self) -> list[str] | None:
        """Return the names that get the parts of a value, `a, b = ...`, `[$a, $b] = ...`.

        None where no such thing begins.

        A name for all others begins with `*`; the place is then behind the `=`.
        """
        ahead = int(self.word() in self.dialect.prefixes or self.word() == "list")
        bracket = self.sign(ahead) in ("[", "(")
        if not bracket and (self.sign(ahead + 1) != "," or self.peek(ahead)[0] not in (NAME, VARIABLE)):
            return None
        names, star = [""], ""
        for at in range(ahead + bracket, 24):
            kind, value = self.peek(at)
            if kind in (NAME, VARIABLE) and not names[-1]:
                names[-1] = star + value
                star = ""
            elif kind == SIGN and value == ",":
                names.append("")
            elif kind == SIGN and value in ("*", "..."):
                star = "*"
            elif kind == SIGN and value in ("]", ")") and bracket:
                bracket = False
            elif kind == SIGN and value == "=" and not bracket and len(names) > 1:
                self.at += at + 1
                return names
            else:
                return None
        return None

    def _unpack(self, names: list[str]) -> None:
        """Each name gets its part of the value that stands here, or of the values."""
        value = self.expression()
        if self.sign() == ",":
            values = [value]
            while self.accept(","):
                values.append(self.expression())
            value = tuple(values)
        for at, name in enumerate(names):
            if name.startswith("*"):
                self.assign(name[1:], value[at:] if isinstance(value, tuple) else value)
            elif name:
                self.assign(name, self.index(value, [Ref(str(at + self.dialect.first))]))

    def expression(self) -> Abstract:
        """Return a value and all that is joined to it, up to the end of the argument or statement."""
        if self.depth >= DEEPEST:
            self.at += 1
            return UNKNOWN
        self.depth += 1
        try:
            return self._expression()
        finally:
            self.depth -= 1

    def _expression(self) -> Abstract:
        left = self.operand()
        while self.at < len(self.tokens):
            kind, value = self.tokens[self.at]
            if kind == SIGN:
                if value in self.dialect.ends:
                    break
                self.at += 1
                if value in CLOSERS:
                    break
                self.lines()
                if value == "?":
                    left = self._ternary()
                elif value == "|>":
                    left = self._piped(left)
                elif value in self.dialect.concat:
                    left = added(left, self.operand())
                else:
                    left = self._combined(value, left)
            elif kind == NAME and value in WORD_SIGNS:
                if self.dialect.bare and value in ("if", "unless", "and", "or"):
                    break
                self.at += 1
                left = self._combined(value, left)
            elif kind == NAME and value == "as":
                self.at += 1
                self._as(left)
            elif kind == NAME and value in self.dialect.each:
                self.at += 1
                self._each(left if value == "of" else None)
            else:
                break
        return left

    def _piped(self, first: Abstract) -> Abstract:
        """`first |> f(second)` (R)."""
        name = self.word()
        self.at += 1
        while self.sign() in self.dialect.attribute and self.word(1):
            name += "." + self.word(1)
            self.at += 2
        call = self.arguments_until(")") if self.accept("(") else Call([], {})
        return self.call(self.value_of(name), Call([first, *call.arguments], call.keywords))

    def block_of(self, function: Function) -> Function:
        """Return the body of a function whose `{ |a|` has been read."""
        self.table()
        return function

    def _ternary(self) -> Abstract:
        yes = self.expression()
        if self.accept(":"):
            return either((yes, self.expression()))
        return yes

    def _combined(self, sign: str, left: Abstract) -> Abstract:
        right = self.operand()
        if sign == "=~" and self.peek(-1) == (VARIABLE, REPLACED):
            self.variables[self.assigned] = UNKNOWN
        if sign == "%" and isinstance(left, Word):
            return formatted(left, right, "%")
        if sign == self.dialect.path_sign:
            return under_made(left, right)
        if sign in ALTERNATIVES:
            return either((left, right))
        if sign == "if" and self.dialect.indented:
            return left
        if left is UNKNOWN and right is UNKNOWN:
            return UNKNOWN
        data = gathered((left, right))
        return UNKNOWN if data is None else UNKNOWN.replace(data=data)

    def _as(self, value: Abstract) -> None:
        """`with open() as f`, `foreach ($list as $one)`."""
        kind, name = self.peek()
        if kind not in (NAME, VARIABLE):
            return
        self.at += 1
        if self.dialect.as_each:
            if self.accept("=>") and self.peek()[0] == VARIABLE:
                name = self.peek()[1]
                self.at += 1
            value = one_of(value)
        self.assign(str(name), value)

    def _each(self, target: Abstract) -> None:
        """`for x in list` behind an expression (Python), `x of list` (JavaScript)."""
        names: list[str] = []
        if target is None:
            while (self.word() and self.word() != "in") or self.sign() in (",", "("):
                if self.word():
                    names.append(self.word())
                self.at += 1
            if self.word() != "in":
                return
            self.at += 1
        else:
            names = self._names_before()
        value = self.operand()
        if isinstance(value, Made) and value.name == "os.walk" and value.call.arguments:
            self._walked(names, value.call.arguments[0])
            return
        each = value if isinstance(value, Made) and value.name == "psutil.process_iter" else one_of(value)
        for at, name in enumerate(names[:8]):
            part = self._part(each, at) if len(names) > 1 else each
            self.learn(name, part)
            self.assign(name, part)

    def _names_before(self) -> list[str]:
        """Return the names that stand before `of`: one, or those in a pattern."""
        stop = self.at - 1
        if stop and self.tokens[stop - 1][0] == NAME:
            return [str(self.tokens[stop - 1][1])]
        start = stop
        while start > max(0, stop - 20) and self.tokens[start] not in ((SIGN, "["), (SIGN, "{")):
            start -= 1
        return [str(value) for kind, value in self.tokens[start:stop] if kind == NAME]

    def _part(self, value: Abstract, at: int) -> Abstract:
        """Return what stands at a place in a thing that is a list, in any of several; else the thing."""
        parts = [one[at] if isinstance(one, tuple) and at < len(one) else one for one in choices(value)]
        return either(parts)

    def _walked(self, names: list[str], top: Abstract) -> None:
        """`for directory, directories, files in os.walk(top)`."""
        files = found_below(top, self.sought())
        for name, value in zip(names, (under(top, UNKNOWN), files, files), strict=False):
            self.learn(name, value)
            self.assign(name, value)

    def sought(self) -> tuple[str, ...]:
        """Patterns for the names that this code compares with."""
        return sought(self.tokens)

    def operand(self) -> Abstract:
        if self.depth >= DEEPEST:
            self.at += 1
            return UNKNOWN
        self.depth += 1
        try:
            return self._operand()
        finally:
            self.depth -= 1

    def _operand(self) -> Abstract:
        tokens, dialect = self.tokens, self.dialect
        while self.at < len(tokens):
            kind, value = tokens[self.at]
            if (kind == SIGN and value in PREFIXES and value not in dialect.functions) or (
                kind == NAME and value in dialect.prefixes
            ):
                self.at += 1
            else:
                break
        else:
            return UNKNOWN
        if kind == TEXT:
            return self.tail(self.text())
        if kind == SIGN and value not in ("(", "[", "{") and value not in dialect.functions:
            return UNKNOWN
        self.at += 1
        begins = kind in (NAME, SIGN) and value in dialect.functions
        if begins and (kind == SIGN or self.sign() not in (*dialect.attribute, "=")):
            return self.tail(dialect.functions[value](self))
        if kind == NAME:
            return self._named(value)
        if kind == VARIABLE:
            return self._variable(value)
        return self._between(value) if kind == SIGN else self.tail(self._literal(kind, value))

    def _literal(self, kind: str, value: Any) -> Abstract:
        """Return a number, a list of words, what a shell prints."""
        if kind == NUMBER:
            return Ref(value)
        if kind == WORDS:
            return tuple(known(one) for one in value)
        if kind == SHELL:
            word = self.filled(value)
            self.findings.shell(word)
            return derived(Call([word], {}), None)
        return UNKNOWN

    def _between(self, sign: str) -> Abstract:
        """Return what stands between brackets, the first of which has been read: a value, a list, a table,
        parameters.
        """
        if sign == "{":
            table = self.table()
            listed = self.dialect.keyless and table.items and all(key.isdecimal() for key in table.items)
            return self.tail(tuple(table.items.values()) if listed else table)
        start = self.at
        call = self.arguments_until(")" if sign == "(" else "]")
        if self.sign() in self.dialect.arrow:
            return self._arrow(start)
        if call.keywords and not call.arguments:
            return self.tail(Table(call.keywords))
        alone = sign == "(" and len(call.arguments) == 1 and self.sign(-2) != ","
        return self.tail(call.arguments[0] if alone else tuple(call.arguments))

    def _arrow(self, start: int) -> Abstract:
        """`(a, b) => body`, whose parameters have been read from a place on."""
        names = self.parameters_since(start)
        self.at += 1
        return self.body(self.function(names))

    def body(self, function: Function) -> Function:
        """Return the body of a function: a block, or an expression, which is what it gives."""
        if self.sign() == "{":
            self.at += 1
            self.table()
        elif self.sign() not in CLOSERS and self.sign() != ",":
            self.lines()
            function.gives = self.expression()
        return function

    def _named(self, name: str) -> Abstract:
        sign = self.sign()
        if sign in self.dialect.assigning:
            self.at += 1
            self.lines()
            value = self.expression()
            self.assign(name, value)
            return value
        if sign in ADDING:
            self.at += 1
            value = added(self.value_of(name), self.expression())
            self.assign(name, value)
            return value
        if sign == "=>" and self.dialect.arrow_of_name:
            self.at += 1
            return self.body(self.function((name,)))
        return self._changed(name, self.value_of(name))

    def _variable(self, name: str) -> Abstract:
        sign = self.sign()
        if sign == "=" or sign in ("||=", "//="):
            self.at += 1
            self.lines()
            value = self.expression()
            self.assigned = name
            self.assign(name, value)
            return value
        value = self.variables.get(name, self.learnt.get(name, UNKNOWN))
        if sign == "=~" and self.peek(1) == (VARIABLE, REPLACED):
            self.variables[name] = UNKNOWN
        if sign in ADDING:
            self.at += 1
            value = added(value, self.expression())
            self.assign(name, value)
            return value
        return self._changed(name, value)

    def _changed(self, name: str, value: Abstract) -> Abstract:
        """A variable's value and what stands behind it, which may change the variable: `x.append(1)`, `x[0] = 1`."""
        sign, how = self.sign(), self.word(1)
        if sign == "<<" and isinstance(value, (tuple, Word)) and self.dialect.bare:
            while self.accept("<<"):
                one = self.operand()
                value = (*value, one) if isinstance(value, tuple) else joined(value, one)
            self.variables[name] = value
        elif (sign == "[" or (sign == "{" and self.dialect.brace_index)) and self._sets():
            self.at += 1
            where = self.arguments_until("]" if sign == "[" else "}").arguments
            self.at += 1
            self._set(name, value, where, self.expression())
            return UNKNOWN
        elif sign in self.dialect.attribute and how in GROWING and isinstance(value, (tuple, Choice)):
            given = self._given_behind()
            self.assign(name, either([grown(one, how, given) for one in choices(value)]))
            return UNKNOWN
        elif sign in self.dialect.attribute and how in TAKING and isinstance(value, tuple) and value:
            taken, left = without(value, how, self._given_behind())
            self.assign(name, left)
            return self.tail(taken)
        return self.tail(value)

    def _given_behind(self) -> list[Abstract]:
        """Return the arguments of the method whose name stands behind a sign here."""
        self.at += 2
        if self.accept("("):
            return self.arguments_until(")").arguments
        return self.arguments_until("").arguments if self.dialect.bare else []

    def _sets(self) -> bool:
        """Tell whether behind the brackets that begin here something is assigned.

        Those that are long are not looked at.
        """
        depth = 0
        for ahead in range(24):
            sign = self.sign(ahead)
            depth += (sign in ("[", "{", "(")) - (sign in CLOSERS)
            if depth <= 0:
                return self.sign(ahead + 1) == "="
        return False

    def _set(self, name: str, value: Abstract, where: list[Abstract], given: Abstract) -> None:
        """`name[where] = given`."""
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
        self.assign(name, value)

    def value_of(self, name: str) -> Abstract:
        """Return what a name stands for: a variable's value, else the name itself."""
        if name in self.variables:
            return self.variables[name]
        if name in self.learnt:
            return self.learnt[name]
        return Ref(self.dialect.canonical(name))

    def canonical(self, name: str) -> str:
        return self.dialect.canonical(name)

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

    def function(self, parameters: Iterable[object]) -> Function:
        """Return a function begins: its parameters are what it was called with."""
        self.functions = True
        names = tuple(one.name if isinstance(one, Ref) else one for one in parameters)
        for name in names:
            for each in (part for _, part in name) if isinstance(name, tuple) else (name,):
                if each and isinstance(each, str):
                    self.variables[plain(each)] = self.learnt.get(plain(each), UNKNOWN)
        return Function(names)

    def parameters(self, closer: str) -> list[object]:
        """Return the parameters up to the closer.

        A value that stands behind one for calls without it is one it may have.
        """
        start = self.at
        self.arguments_until(closer)
        return self.parameters_since(start)

    def parameters_since(self, start: int) -> list[object]:
        """Return the parameters between parentheses that have been read from a place on."""
        tokens = self.tokens[start : self.at - 1]
        names = written(tokens)
        for at, (kind, name) in enumerate(tokens[:-1]):
            if kind == NAME and name in names and tokens[at + 1] == (SIGN, "=") and name in self.variables:
                self.learn(name, self.variables[name])
        return names

    def _give(self, function: Function, call: Call) -> None:
        """The parameters get the values of a call."""
        for at, name in enumerate(function.parameters[:20]):
            if isinstance(name, str) and name.startswith(ALL):
                if not name.startswith(NAMED):
                    self.learn(plain(name), tuple(call.arguments[at:]))
            elif at < len(call.arguments):
                self.given(function, at, call.arguments[at])
            elif isinstance(name, str) and name in call.keywords:
                self.learn(name, call.keywords[name])

    def given(self, function: Function, at: int, value: Abstract) -> None:
        """A parameter gets a value; one like `{a, b}` its attributes."""
        if at < len(function.parameters):
            parameter = function.parameters[at]
            if isinstance(parameter, str):
                self.learn(parameter, value)
            elif isinstance(parameter, tuple):
                parts = isinstance(value, (tuple, Table, Ref, Made))
                for key, name in parameter:
                    if not parts:
                        self.learn(name, value)
                        continue
                    part = self.index(value, [Ref(key)]) if key.isdecimal() else self.attribute(value, key)
                    self.learn(name, part)

    # What stands behind a value

    def tail(self, value: Abstract) -> Abstract:
        """Attributes, indices and calls behind a value."""
        if self.dialect.bare and self.sign() in ("[", "*", "{") and isinstance(value, Ref):
            value = self._bare(value)
        while self.at < len(self.tokens):
            kind, sign = self.tokens[self.at]
            if kind == SIGN and sign in self.dialect.attribute and self.peek(1)[0] in (NAME, VARIABLE):
                self.at += 2
                name = str(self.tokens[self.at - 1][1])
                if self.sign() == "=":
                    return self._attribute_set(value, name)
                value = self._bare(self.attribute(value, name))
                continue
            after = self._behind_sign(value, sign) if kind == SIGN else self._behind_word(value, kind, sign)
            if after is _NOTHING:
                break
            value = after
        if self.dialect.bare and isinstance(value, Ref) and value.name in self.dialect.alone:
            return self.call(value, Call([], {}))
        return value

    def _attribute_set(self, value: Abstract, name: str) -> Abstract:
        self.at += 1
        given = self.expression()
        if isinstance(value, Ref):
            self.assign(f"{value.name}.{name}", given)
        elif isinstance(value, Table) and len(value.items) < MOST_ITEMS:
            value.items[name] = either((value.items[name], given)) if name in value.items else given
        return given

    def _behind_sign(self, value: Abstract, sign: Abstract) -> Abstract:
        """Return the value and the bracket behind it; _NOTHING where no such thing stands there."""
        dialect = self.dialect
        if sign in dialect.attribute and self.sign(1) in ("(", "[", "{"):
            self.at += 1
            return value
        if sign == "(":
            self.at += 1
            if self.sign() == "..." and self.sign(1) == ")":
                self.at += 2
                return value
            return self.call(value, self.arguments_until(")"))
        if sign == "[":
            self.at += 1
            bounds = self._bounds() if dialect.slice else None
            where = self.arguments_until("]").arguments
            return self.index(value, where) if bounds is None else part_of(value, bounds)
        if sign == "{" and dialect.brace_index and isinstance(value, (Ref, Table)) and not self.is_function(value):
            self.at += 1
            return self.index(value, self.arguments_until("}").arguments)
        if sign == "{" and dialect.keyless and self.is_function(value):
            return self.call(value, Call([self.operand()], {}))
        if sign == "{" and dialect.bare:
            return self._block(value)
        return _NOTHING

    def _bounds(self) -> slice | None:
        """Return the several things that an index is for, `[1:]`, `[::-1]`, `[1..]`; None where it is for one."""
        text, several, depth = "", False, 0
        for ahead in range(12):
            kind, value = self.peek(ahead)
            if kind == SIGN:
                if value == "]" and not depth:
                    break
                depth += (value in ("(", "[", "{")) - (value in CLOSERS)
                several = several or (not depth and value in self.dialect.slice)
            text += str(value) if kind in (NUMBER, SIGN) else "?"
        return slice_of(text) if several else None

    def _behind_word(self, value: Abstract, kind: str, word: Abstract) -> Abstract:
        """Return the value and what makes a call of it without a bracket, or goes on with it in the next line."""
        dialect = self.dialect
        if kind == LINE:
            if not self._goes_on():
                return _NOTHING
            self.lines()
            return value
        if kind == NAME and word == "do" and dialect.bare:
            return self._block(value)
        if kind == TEXT and isinstance(value, Ref) and dialect.called_with_text:
            return self.call(value, Call([self.text()], {}))
        if dialect.bare and isinstance(value, Function) and kind in (TEXT, VARIABLE):
            return self.call(value, self.arguments_until(""))
        if dialect.bare and isinstance(value, Ref):
            after = self._bare(value)
            return _NOTHING if after is value else after
        return _NOTHING

    def _goes_on(self) -> bool:
        """Tell whether the next line begins with `.name`."""
        ahead = 0
        while self.at + ahead < len(self.tokens) and self.peek(ahead)[0] == LINE and ahead < 4:
            ahead += 1
        return self.sign(ahead) in (".", "->") and self.sign(ahead) in self.dialect.attribute

    def _bare(self, value: Abstract) -> Abstract:
        """Return a call without parentheses: a known function, with what stands behind it on the line."""
        if not self.dialect.bare or not isinstance(value, Ref):
            return value
        kind, sign = self.peek()
        if not self._is_known(value.name):
            owner, _, name = value.name.rpartition(".")
            if owner == "*" and name in METHODS and sign != "(" and isinstance(value.on, (tuple, Word, Table)):
                return self.call(value, self.arguments_until("") if kind == TEXT else Call([], {}))
            return value
        if kind == SIGN and sign in ("[", "\\", "*", "{", "-", "::"):
            if sign == "{" and self.dialect.bare_block:
                return self.call(value, Call([], {}))
        elif kind == SIGN and sign == "(":
            return value
        elif kind in (SIGN, LINE) or (kind == NAME and (sign in WORD_SIGNS or sign in ("do", "end", "then"))):
            return self.call(value, Call([], {}))
        return self.call(value, self.arguments_until(""))

    def _block(self, value: Abstract) -> Abstract:
        """`{ |x|` and `do |x|` behind a list or a call (Ruby): what x, `_1`, `it` are."""
        on = value.on if isinstance(value, Ref) and value.on is not None else value
        given = on if isinstance(value, Ref) and value.name.rpartition(".")[2] in ITSELF else one_of(on)
        braces, marked = self.sign() == "{", self.sign(1) == "|"
        if not marked and not self.dialect.bare_block:
            return _NOTHING
        names, star = self._block_names() if marked else ([], False)
        self.variables["_1"] = self.variables["it"] = given
        for at, name in enumerate(names[:6]):
            self.variables[name] = self._part(given, at) if len(names) > 1 and not star else given
        if not names:
            return _NOTHING
        how = value.name.rpartition(".")[2] if isinstance(value, Ref) and value.name.startswith("*.") else ""
        if how in EACH and self.sign(-1) == "|" and braces:
            self.table()
            return made_of(how, each_of([on]))
        return value

    def _block_names(self) -> tuple[list[str], bool]:
        """Return the parameters of a block, `{ |a, b|`, and whether one of them is all there is."""
        names, star = [], False
        self.at += 2
        while self.at < len(self.tokens) and self.sign() != "|":
            names += [self.word()] if self.word() else []
            star = star or self.sign() == "*"
            self.at += 1
        self.at += 1
        return names, star

    def _is_known(self, name: str) -> bool:
        return name in self.dialect.calls or name in self.dialect.special

    def attribute(self, value: Abstract, name: str) -> Abstract:
        if isinstance(value, Choice):
            return either([self.attribute(one, name) for one in value.of])
        if isinstance(value, Ref):
            if name in self.dialect.itself:
                return value
            if name == "chr" and (n := number(value)) is not None:
                return known(chr(n))
            path = self.dialect.canonical(f"{value.name}.{name}" if value.name else name)
            if path in self.variables:
                return self.variables[path]
            attributes = self.dialect.special.get("attribute")
            if attributes is not None and (given := attributes(self, Call([], {}), Ref(path))) is not None:
                return given
            return Ref(path, value.on)
        if isinstance(value, Made):
            path = self.dialect.canonical(f"{value.name}.{name}")
            attributes = self.dialect.special.get("attribute")
            if attributes is not None and (given := attributes(self, Call([], {}), Ref(path, value))) is not None:
                return given
            return Ref(path, value)
        if isinstance(value, Table) and name in value.items:
            return value.items[name]
        return Ref(f"*.{name}", value)

    def _by_index(self, value: Abstract, where: list[Abstract]) -> Abstract:
        """Return a call by index, `f[a]`, or a function bound by one; None where it is an index of a value."""
        if self.dialect.called_by_index and self.is_function(value):
            return self.call(value, Call(list(where), {}))
        binds = self.dialect.bound_by_index
        return (
            bound(value, where, {})
            if len(where) > 1 and isinstance(value, Ref) and value.name.startswith(binds)
            else None
        )

    def index(self, value: Abstract, where: list[Abstract]) -> Abstract:
        """Return what stands at a place in a list, under a key in a table, under a name in a module."""
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
        data = gathered((value,))
        return UNKNOWN if data is None else UNKNOWN.replace(data=data)

    def call(self, function: Abstract, call: Call) -> Abstract:
        """Return what a call is worth; what it does is noted."""
        if isinstance(function, Choice):
            return either([self.call(one, call) for one in function.of])
        function = self._callee(function)
        if isinstance(function, Function):
            if function.parameters == ALL_ARGUMENTS:
                self.learn(ALL_ARGUMENTS[0], tuple(call.arguments))
                return derived(call, None)
            self._give(function, call)
            return derived(call, None) if function.gives in (None, UNKNOWN) else function.gives
        for argument in call.arguments:
            if isinstance(argument, Table):
                call.keywords = {**argument.items, **call.keywords}
        if isinstance(function, Made):
            return self._deeper(call_bound, function, call)
        if not isinstance(function, Ref):
            return derived(call, function)
        if function.name not in HOOKS and (special := self.dialect.special.get(function.name)) is not None:
            return special(self, call, function.on)
        if (lines := self.dialect.calls.get(function.name)) is not None:
            if "key" in call.keywords:
                handed_on(self, function.name, call, None)
            return perform(self, function.name, lines, call, function.on)
        return self._deeper(Engine._unlisted, function, call)

    def _callee(self, function: Abstract) -> Abstract:
        """Return what is called: a function of the code itself, one bound to arguments, or a name."""
        if isinstance(function, tuple) and function and not self.dialect.called_by_text:
            # `(0, f)(...)`; behind a function stands what is in it.
            return self._callee(next((one for one in function if isinstance(one, Function)), function[-1]))
        if isinstance(function, Word) and function.known and self.dialect.called_by_text:
            return Ref(self.dialect.canonical(function.text))
        if isinstance(function, Made) and function.name != BOUND:
            return Ref(f"{function.name}()", function)
        return function

    def _deeper(self, how: Callable[[Engine, Any, Call], Abstract], function: Abstract, call: Call) -> Abstract:
        """Return a call in a call; functions that call each other end somewhere."""
        if self.depth >= DEEPEST:
            return UNKNOWN
        self.depth += 1
        try:
            return how(self, function, call)
        finally:
            self.depth -= 1

    def spend(self) -> bool:
        """Tell whether one more call by a function that was handed on is followed."""
        self.handed += 1
        if self.handed > MOST_HANDED:
            self.findings.opaque = self.findings.opaque or LIMIT
        return self.handed <= MOST_HANDED

    def _unlisted(self, function: Ref, call: Call) -> Abstract:
        """Return a call of what has no entry: a method of a function, of a text, of what nobody knows."""
        owner, _, name = function.name.rpartition(".")
        target = function.on if owner in ("*", BOUND) else Ref(owner, function.on)
        if (how := self.dialect.through.get(name)) is not None and self.is_function(target):
            its = through(how, call)
            return bound(target, its.arguments, its.keywords) if how.startswith("bind") else self.call(target, its)
        if (other := self.dialect.special.get("call")) is not None:
            given = other(self, call, function)
            if given is not None:
                return given
        if (given := library(self, call, function)) is not None:
            return given
        handed = handed_on(self, function.name if owner != "*" else name, call, target if owner else None)
        given = self._method_call(name, call, function, handed)
        if given is not None:
            return given
        if handed is not None:
            return handed
        if (lines := self.dialect.likely.get(name)) is not None:
            first = call.arguments[0] if call.arguments else None
            first = first[0] if isinstance(first, tuple) and first else first
            if any(isinstance(one, Word) and one.known for one in choices(first)):
                return perform(self, name, lines, call, function.on)
        return derived(call, function.on)

    def _method_call(self, name: str, call: Call, function: Ref, handed: Abstract) -> Abstract:
        """Return a method of the code's own classes, of a text or a list; None where it is none that is known."""
        method, on = self.variables.get(name), function.on
        if isinstance(method, Function):
            own = method.parameters[:1] in (("self",), ("cls",), ("this",))
            return self.call(method, Call([on, *call.arguments] if own else call.arguments, call.keywords))
        if not function.name.startswith("*."):
            return None
        if name in UNCHANGED:
            return on
        return METHODS[name](on, call) if name in METHODS and handed is None else None

    def is_function(self, value: Abstract) -> bool:
        """Tell whether it is a function of which something is known."""
        if isinstance(value, Choice):
            return any(self.is_function(one) for one in value.of)
        if isinstance(value, Ref):
            return self._is_known(value.name) and value.name not in HOOKS
        return isinstance(value, Function) or (isinstance(value, Made) and value.name == BOUND)

    def arguments_until(self, closer: str) -> Call:
        """Return the arguments up to the closer, or to the end of the line where it is ""."""
        call = Call([], {})
        count = len(self.tokens)
        while self.at < count:
            kind, value = self.tokens[self.at]
            if kind == LINE:
                if not closer:
                    break
                self.at += 1
                continue
            if kind == SIGN:
                if value == closer:
                    self.at += 1
                    break
                if value in CLOSERS or (value == ";" and not closer):
                    break
                if value in (",", ";"):
                    self.at += 1
                    if not closer:
                        self.lines()
                    continue
            elif not closer and kind == NAME and value in ("if", "unless", "do", "or", "and", "end", "for", "then"):
                break
            elif kind in (NAME, TEXT) and self.sign(1) in self.dialect.keyword:
                self.at += 2
                call.keywords[str(value) if kind == NAME else self.filled(value).text] = self.expression()
                continue
            self._argument(closer, kind, value, call)
        return call

    def _argument(self, closer: str, kind: str, value: Any, call: Call) -> None:
        """One argument, with its name or without; a statement, where braces are read as arguments."""
        start, dialect = self.at, self.dialect
        if closer and kind == NAME and value in dialect.statements and value not in dialect.functions:
            self.statement()
            return
        spread = self.sign() in ("*", "...")
        given = self.expression()
        if self.at == start:
            self.at += 1
        elif spread and isinstance(given, tuple):
            call.arguments += given
        elif isinstance(given, (Word, Ref)) and self.sign() in ("=>", "=", ":") and self.sign() in dialect.keyword:
            self.at += 1
            call.keywords[text_of(given).text if isinstance(given, Word) else given.name] = self.expression()
        else:
            call.arguments.append(given)

    def table(self) -> Table:
        """Return what stands between `{` and `}`: pairs or statements."""
        found: dict[str, Abstract] = {}
        if self.depth >= DEEPEST:
            return Table(found)
        self.block += 1
        self.depth += 1
        count = len(self.tokens)
        while self.at < count:
            kind, value = self.tokens[self.at]
            if kind == SIGN and value in CLOSERS:
                self.at += value == "}"
                break
            start = self.at
            self._entry(kind, value, found)
            if self.at == start:
                self.at += 1
        self.depth -= 1
        self.block -= 1
        return Table(found)

    def _entry(self, kind: str, value: Any, found: dict[str, Abstract]) -> None:
        """One pair, or a statement."""
        if kind in (NAME, TEXT, NUMBER) and self.sign(1) in self.dialect.pair:
            self.at += 2
            self.lines()
            key = self.filled(value).text if kind == TEXT else str(value)
            found[key] = self.expression()
        elif kind == NAME and self.dialect.methods and self.sign(1) == "(" and self._method(value):
            pass
        elif kind == NAME and self.sign(1) in (",", "}") and value not in self.dialect.alone:
            found[value] = self.value_of(value)
            self.at += 1
        elif kind == SIGN and value == ",":
            self.at += 1
        elif not self.dialect.keyless or (kind == NAME and value in self.dialect.statements):
            self.statement()
        elif kind == NAME and self.sign(1) == "=":
            self.at += 2
            found[value] = self.expression()
        else:
            found[str(min(len(found), MOST_ITEMS))] = self.expression()

    def _method(self, name: str) -> bool:
        """Tell whether `name(a, b) {` begins here, a function in a class; it is read."""
        if name in self.dialect.methods:
            return False
        depth = 0
        for ahead in range(1, 30):
            sign = self.sign(ahead)
            depth += (sign in ("(", "[", "{")) - (sign in CLOSERS)
            if depth == 0:
                break
        if depth or self.sign(ahead + 1) != "{":
            return False
        self.at += 2
        made = self.function(self.parameters(")"))
        self.variables[name] = made
        self.body(made)
        return True

    # Text

    def text(self) -> Abstract:
        """Return the text here; neighbours belong to it where the language says so."""
        value = self._made_of(self.tokens[self.at][1])
        self.at += 1
        while self.dialect.neighbours and self.peek()[0] == TEXT:
            value = joined(value, self._made_of(self.tokens[self.at][1]))
            self.at += 1
        return value

    def filled(self, parts: tuple[object, ...]) -> Word:
        """Return the text that these parts make."""
        return first_of(self._made_of(parts))

    def _made_of(self, parts: tuple[object, ...]) -> Abstract:
        if len(parts) == 1 and isinstance(parts[0], str):
            return known(parts[0])
        whole: Abstract = known("")
        for part in parts:
            if isinstance(part, str):
                whole = joined(whole, known(part))
            elif isinstance(part, tuple) and self.depth < DEEPEST:
                self.depth += 1
                whole = joined(whole, self._inside(part))
                self.depth -= 1
            else:
                whole = joined(whole, UNKNOWN)
        return whole

    def _inside(self, tokens: Sequence[Token]) -> Abstract:
        """Return the value of an expression inside a text."""
        before = self.tokens, self.at
        self.tokens, self.at = tokens, 0
        value = self.expression()
        while self.at < len(tokens):
            start = self.at
            self.statement()
            value = value if self.sign(-1) == ":" else UNKNOWN
            self.at += self.at == start
        self.tokens, self.at = before
        if isinstance(value, tuple):
            return joined_all(value, known(" "))
        return value

    # Hosts

    def contact(self, url: Word, call: Call) -> None:
        """A URL is opened; files among the arguments go there."""
        for host in hosts_of_url(url.text):
            self.findings.host(host)
        self._sent(call)

    def address(self, name: Word, call: Call) -> None:
        """A host is contacted by name, or as host:port."""
        for host in hosts_of_url(name.text) or (hosts_of(name.text) if name.known and "/" not in name.text else ()):
            self.findings.host(host)
        self._sent(call)

    def _sent(self, call: Call) -> None:
        data = gathered((*call.arguments, *call.keywords.values()))
        for file in data.files if data is not None else ():
            self.findings.touch(known(file), SEND)


_NOTHING = Choice(())
"""Nothing stands there that belongs to what is before."""


def reader(dialect: Dialect) -> Callable[[str, Sequence[Word]], Found]:
    """Says what a text of this language would do, given these words."""

    def find(text: str, arguments: Sequence[Word]) -> Found:
        engine = Engine(dialect, arguments, Findings())
        engine.variables = dict(dialect.variables)
        for name, before in dialect.argv:
            engine.variables[name] = (*(UNKNOWN for _ in range(before)), *arguments)
        engine.read(dialect.source(text))
        return engine.findings.found()

    return find
