"""One language as the walk through its code needs it, and what a language may ask of that walk."""

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
"""Words between two operands, as signs are."""
HOOKS = ("attribute", "call")
"""What stands in `Dialect.special` under these names is asked about others; functions of that name have no entry."""


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
    special: Mapping[str, Callable[[Walk, Call, Abstract], Abstract]] = {}
    likely: Mapping[str, str] = {}
    statements: Mapping[str, Statement] = {}
    functions: Mapping[str, Callable[[Walk], Abstract]] = {}
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
    path_operator: str = ""
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
        """Reads a name and what is done to it."""

        def named(self, name: str) -> Abstract: ...
        def variable(self, name: str) -> Abstract: ...

    class Texts(Protocol):
        """Puts texts together."""

        def text(self) -> Abstract: ...
        def filled(self, parts: tuple[object, ...]) -> Word: ...
        def inside(self, tokens: Sequence[Token]) -> Abstract: ...

    class Suffixes(Protocol):
        """Reads what stands behind a value."""

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
        """A walk through one text, as its parts and the languages see it."""

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
