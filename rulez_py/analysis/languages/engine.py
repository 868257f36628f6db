"""Walk through code of one language and collect the effects of its calls.

There is no grammar. Expressions are read from left to right without precedence, statements one after another; other
tokens are skipped. A second walk follows where the first has seen calls of functions that the code defines: their
parameters then have values.
"""

from __future__ import annotations

from rulez_py.analysis.languages.abstract_values import UNKNOWN
from rulez_py.analysis.languages.brackets import Brackets
from rulez_py.analysis.languages.calls import Calls
from rulez_py.analysis.languages.definitions import Definitions
from rulez_py.analysis.languages.effects import Effects
from rulez_py.analysis.languages.expressions import Expressions, Names, Texts
from rulez_py.analysis.languages.state import DEEPEST, MOST_NESTED, SHORT, Cursor, Limits, Scope
from rulez_py.analysis.languages.statements import Statements
from rulez_py.analysis.languages.suffixes import Suffixes
from rulez_py.analysis.languages.tokens import Scan
from rulez_py.analysis.values import LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rulez_py.analysis.languages import dialect as parts
    from rulez_py.analysis.languages.abstract_values import Abstract
    from rulez_py.analysis.languages.dialect import Dialect
    from rulez_py.analysis.values import Found, Word


class Engine:
    """A walk through one text, which collects `effects`.

    Each part reads one construct and asks the others through the walk. All parts share the next token (`here`), the
    values of names (`scope`) and the bounds (`limits`).
    """

    def __init__(
        self,
        dialect: Dialect,
        arguments: Sequence[Word],
        effects: Effects,
        variables: Mapping[str, Abstract],
        limits: Limits,
    ) -> None:
        self.dialect = dialect
        self.language = dialect.language
        self.arguments = tuple(arguments)
        self.effects = effects
        self.here, self.limits = Cursor(), limits
        self.scope = Scope(dialect.canonical, int(dialect.unmarked_blocks))
        self.scope.variables = dict(variables)
        self.statements: parts.Statements = Statements(self)
        self.expressions: parts.Expressions = Expressions(self)
        self.names: parts.Names = Names(self)
        self.texts: parts.Texts = Texts(self)
        self.suffixes: parts.Suffixes = Suffixes(self)
        self.calls: parts.Calls = Calls(self)
        self.brackets: parts.Brackets = Brackets(self)
        self.definitions: parts.Definitions = Definitions(self)

    def read(self, text: str) -> None:
        """Add the effects of this text."""
        scan = Scan(text, self.dialect.syntax)
        scan.run()
        whole, scope, start = self.effects, self.scope, dict(self.scope.variables)
        self.effects = Effects()
        self.statements.program(scan.tokens)
        if scope.learnt or scope.defines:
            for name, value in scope.variables.items():
                scope.learnt.setdefault(name, value)
            self.effects = Effects()
            scope.variables = start
            self.statements.program(scan.tokens)
        whole.absorb(self.effects)
        # INVARIANT: code that is not read leaves the result opaque, whichever bound cut it off.
        if scan.full or self.limits.reached:
            whole.opaque = whole.opaque or LIMIT
        self.effects = whole

    def nested_value(self, code: Word) -> Abstract:
        """Return the value of an expression in a text given to eval."""
        limits = self.limits
        if not code.known or limits.depth >= DEEPEST or limits.level >= MOST_NESTED or len(code.text) > SHORT:
            self.nested(code)
            return UNKNOWN
        scan = Scan(code.text, self.dialect.syntax)
        scan.run()
        limits.level += 1
        value = self.texts.inside(scan.tokens) if limits.charge(code.text) else UNKNOWN
        limits.level -= 1
        if scan.full or limits.budget[0] <= 0:
            self.effects.opaque = self.effects.opaque or LIMIT
        return value

    def nested(self, code: Word) -> None:
        """Walk through code in a text given to eval.

        INVARIANT: code beyond a bound leaves the walk opaque.
        """
        if not code.known:
            self.effects.code(code, self.language)
        elif self.limits.level >= MOST_NESTED or self.limits.budget[0] < len(code.text):
            self.effects.opaque = self.effects.opaque or LIMIT
        else:
            self.limits.charge(code.text)
            variables = self.scope.variables
            Engine(self.dialect, self.arguments, self.effects, variables, self.limits.below()).read(code.text)


def reader(dialect: Dialect) -> Callable[[str, Sequence[Word]], Found]:
    """Return the function that finds the effects of a text in this language, with its arguments."""

    def find(text: str, arguments: Sequence[Word]) -> Found:
        variables = dict(dialect.variables)
        for name, before in dialect.argv:
            variables[name] = (*(UNKNOWN for _ in range(before)), *arguments)
        engine = Engine(dialect, arguments, Effects(), variables, Limits())
        engine.read(dialect.source(text))
        return engine.effects.found()

    return find
