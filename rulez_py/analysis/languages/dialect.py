"""A language as the walk through its code needs it, and the walk as a language sees it."""

from __future__ import annotations

from rulez_py.analysis.record import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Protocol

    from rulez_py.analysis.languages.abstract_values import Abstract, Call, Function, Table
    from rulez_py.analysis.languages.effects import Effects
    from rulez_py.analysis.languages.state import Cursor, Limits, Scope
    from rulez_py.analysis.languages.tokens import Syntax, Token
    from rulez_py.analysis.values import Word

    Statement = Callable[["Walk"], None]

ENDS = frozenset((",", ";", ")", "]", "}", ":", "=>", "=", "|", "{"))
WORD_OPERATORS = frozenset(
    ("and", "or", "not", "in", "is", "if", "else", "unless", "eq", "ne", "xor", "instanceof", "x")
)
"""Operators that are words."""
HOOKS = ("attribute", "call")
"""Keys of `Dialect.special` that are asked about all attributes and calls; they are no names of functions."""


class Dialect(Value):
    """One language: all that tells it from the others.

    `calls` maps the name of a function to its effects (see `actions`), `special` to a Python function that adds them.
    The key `NAME()` is a call of the value that NAME returned. `special` may also have `attribute`, asked for each
    attribute of an unknown value, and `call`, asked for each call without an entry. `likely` are methods of unknown
    values; they are followed if an argument is a known text. `within` maps what a library makes to the methods of all
    that is reached from it (see `parts`). `statements` maps the first word of a statement to its
    reader, `functions` the first word of a function expression. `prefixes` are words before a value, `strip` are
    prefixes of a name. `fold`: names are read without case.
    """

    language: str
    syntax: Syntax
    calls: Mapping[str, str]
    special: Mapping[str, Callable[[Walk, Call, Abstract], Abstract]] = {}
    likely: Mapping[str, str] = {}
    within: Mapping[str, Mapping[str, str]] = {}
    statements: Mapping[str, Statement] = {}
    functions: Mapping[str, Callable[[Walk], Abstract]] = {}
    prefixes: frozenset[str] = frozenset()
    strip: tuple[str, ...] = ()
    fold: bool = False

    # Operators
    attribute: tuple[str, ...] = (".",)
    """Between a value and its attribute."""
    concat: tuple[str, ...] = ("+",)
    """Between texts that are joined."""
    keyword: tuple[str, ...] = (":",)
    """Between the name of an argument and its value."""
    pair: tuple[str, ...] = (":", "=>")
    """Between a key and its value."""
    assigning: tuple[str, ...] = ("=", ":=", "||=", "<<-")
    arrow: tuple[str, ...] = ()
    """Between parameters in parentheses and the body of a function."""
    arrow_of_name: bool = False
    """A single parameter needs no parentheses: `x => ...`."""
    ends: frozenset[str] = ENDS
    """Operators that end an expression."""
    path_operator: str = ""
    """Operator that joins paths: `Path("a") / "b"`."""

    # How it reads
    bare: bool = False
    """A call needs no parentheses."""
    bare_block: bool = False
    """`{` after a function without parentheses begins a block, not an argument."""
    indented: bool = False
    """Indented lines are inside a block."""
    unmarked_blocks: bool = False
    """Blocks end with a word, so any assignment may be inside one."""
    each: tuple[str, ...] = ()
    """Words that begin a loop after an expression: `x for x in list`, `x of list`."""
    as_each: bool = False
    """`list as one` and `list as key => one` are loops."""
    neighbours: bool = False
    """Adjacent texts are one text."""
    called_with_text: bool = False
    """A text after a function is its argument: `f"x"`."""
    called_by_index: bool = False
    """`f[1]` calls a function."""
    alone: frozenset[str] = frozenset()
    """Functions whose name alone is a call."""
    called_by_text: bool = False
    """A text is called as the function of that name."""
    brace_index: bool = False
    """`{ }` after a value is an index."""
    keyless: bool = False
    """Values between `{ }` may have no keys."""
    first: int = 0
    """The index of the first element of a list."""
    itself: frozenset[str] = frozenset(("__dict__", "default", "promises"))
    """Attributes whose value is the value itself."""
    through: Mapping[str, str] = {}
    """Methods of a function that call it: see `functions.through`; `bind 1` binds the arguments after the first."""
    methods: frozenset[str] = frozenset()
    """Names that begin no method in `name(a) {` between braces."""
    bound_by_index: tuple[str, ...] = ()
    """Prefixes of functions that `f[a, b]` binds to arguments (plumbum's programs)."""
    slice: tuple[str, ...] = ()
    """Between the bounds of a slice: `[1:3]`."""

    # Its first state
    argv: tuple[tuple[str, int], ...] = ()
    """Variables that hold the arguments of the program, and the number of elements before these."""
    variables: Mapping[str, Abstract] = {}
    source: Callable[[str], str] = staticmethod(str)
    """Returns the code in a text."""

    def canonical(self, name: str) -> str:
        """Return a name without the prefixes in `strip`."""
        for prefix in self.strip:
            if name.startswith(prefix):
                return self.canonical(name[len(prefix) :]) if len(name) > len(prefix) else name
        return name.lower() if self.fold else name


if TYPE_CHECKING:

    class Statements(Protocol):
        """Reads statements."""

        def program(self, tokens: Sequence[Token]) -> None: ...
        def statement(self) -> None: ...
        def each(self, target: Abstract) -> None: ...
        def named_as(self, value: Abstract) -> None: ...

    class Expressions(Protocol):
        """Reads expressions."""

        def expression(self) -> Abstract: ...
        def operand(self) -> Abstract: ...

    class Names(Protocol):
        """Reads a name, assignments to it and changes of it."""

        def named(self, name: str) -> Abstract: ...
        def variable(self, name: str) -> Abstract: ...

    class Texts(Protocol):
        """Puts texts together."""

        def text(self) -> Abstract: ...
        def filled(self, parts: tuple[object, ...]) -> Word: ...
        def inside(self, tokens: Sequence[Token]) -> Abstract: ...

    class Suffixes(Protocol):
        """Reads attributes, indices and calls after a value."""

        def tail(self, value: Abstract) -> Abstract: ...
        def attribute(self, value: Abstract, name: str) -> Abstract: ...
        def index(self, value: Abstract, where: list[Abstract]) -> Abstract: ...

    class Calls(Protocol):
        """Calls functions."""

        def call(self, function: Abstract, call: Call) -> Abstract: ...
        def spend(self) -> bool: ...
        def is_function(self, value: Abstract) -> bool: ...
        def is_known(self, name: str) -> bool: ...

    class Brackets(Protocol):
        """Reads arguments and tables."""

        def arguments_until(self, closer: str) -> Call: ...
        def table(self) -> Table: ...

    class Definitions(Protocol):
        """Reads functions that the code defines."""

        def function(self, parameters: Iterable[object]) -> Function: ...
        def parameters(self, closer: str) -> list[object]: ...
        def parameters_since(self, start: int) -> list[object]: ...
        def give(self, function: Function, call: Call) -> None: ...
        def given(self, function: Function, at: int, value: Abstract) -> None: ...
        def body(self, function: Function) -> Function: ...
        def block_of(self, function: Function) -> Function: ...

    class Walk(Protocol):
        """A walk through one text, for its parts and the languages."""

        dialect: Dialect
        language: str
        arguments: tuple[Word, ...]
        effects: Effects
        here: Cursor
        scope: Scope
        limits: Limits
        statements: Statements
        expressions: Expressions
        names: Names
        texts: Texts
        suffixes: Suffixes
        calls: Calls
        brackets: Brackets
        definitions: Definitions

        def nested(self, code: Word) -> None: ...
        def nested_value(self, code: Word) -> Abstract: ...
