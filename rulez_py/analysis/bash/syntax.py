"""The parts of a shell's command line, as its grammar tells them apart and before anything is expanded."""

from __future__ import annotations

from rulez_py.analysis.record import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

DECLARATIONS = ("declare", "local", "export", "typeset", "readonly")
"""Commands whose words may be assignments."""


class Text(Value):
    """Characters of a word, quotes and escapes taken off."""

    text: str
    quoted: bool = False


class Variable(Value):
    """`$name`, or `${name}` with an `operator` and its operand. `raw` is how it was written, `flags` are
    zsh's."""

    name: str
    raw: str
    quoted: bool = False
    index: Pieces | None = None
    indirect: bool = False
    length: bool = False
    operator: str = ""
    operand: Pieces = ()
    flags: str = ""


class Substitution(Value):
    """`$(body)`, or with a `direction` the file `<(body)` or `>(body)`."""

    body: Series
    raw: str
    quoted: bool = False
    direction: str = ""


class Arithmetic(Value):
    """`$((...))`: the text of the expression, and what is expanded in it."""

    pieces: Pieces
    raw: str
    quoted: bool = False


class Written(Value):
    """A word as written: its pieces, and its place in the text."""

    pieces: Pieces
    start: int
    end: int


class Assignment(Value):
    """`name=value`, `name+=value`, `name[index]=value` or `name=(items)`."""

    name: str
    adds: bool = False
    index: Pieces | None = None
    value: Written | None = None
    items: tuple[Written, ...] | None = None


class Redirect(Value):
    """`descriptor operator target`; of a here-document the target is its body. `descriptor` may be `{name}`, or ""."""

    operator: str
    target: Written
    descriptor: str = ""


class Simple(Value):
    """Assignments, words and redirections of one simple command; `declared` are the lists after a `declare`."""

    assignments: tuple[Assignment, ...] = ()
    words: tuple[Written, ...] = ()
    redirects: Sequence[Redirect] = ()
    declared: tuple[Assignment, ...] = ()


class Series(Value):
    """Commands one after the other, each with the operator after it: `;`, `&`, `&&` or `||`."""

    items: tuple[tuple[Node, str], ...] = ()


class Pipeline(Value):
    """Commands whose output is the next one's input."""

    parts: tuple[Node, ...]


class Negated(Value):
    """`! body`, where that is a test: of anything else the answer does not matter."""

    body: Node


class Group(Value):
    """`{ body; }`, or with `subshell` `(body)`."""

    body: Node
    subshell: bool = False


class Redirected(Value):
    """A compound command with redirections."""

    body: Node
    redirects: Sequence[Redirect]


class If(Value):
    """`if`/`elif` conditions with their bodies; `otherwise` is the body of `else`."""

    branches: tuple[tuple[Series, Series], ...]
    otherwise: Series | None = None


class While(Value):
    """`while`, or where `until` is set `until`."""

    condition: Series
    body: Series
    until: bool = False


class For(Value):
    """`for name in words`; no words where the positional parameters are meant. `select` is read as the same."""

    name: str
    words: tuple[Written, ...] | None
    body: Series


class Count(Value):
    """`for ((start; condition; step))`: what is expanded in it, and whether there is a condition at all."""

    pieces: Pieces
    bounded: bool
    body: Series


class Case(Value):
    """`case word in patterns) body;; esac`. A body goes on into the next where its end is `;&`."""

    word: Written
    items: tuple[tuple[tuple[Written, ...], Series, str], ...]


class Function(Value):
    """A definition; nothing runs yet."""

    name: str
    body: Node


class Coprocess(Value):
    """`coproc [NAME] command`."""

    name: str
    body: Node


class Test(Value):
    """`[[ ... ]]` and `((...))`: only what is expanded in it matters."""

    pieces: Pieces
    raw: str


if TYPE_CHECKING:
    Piece: TypeAlias = Text | Variable | Substitution | Arithmetic
    Pieces: TypeAlias = tuple[Piece, ...]
    Node: TypeAlias = (
        Simple
        | Series
        | Pipeline
        | Negated
        | Group
        | Redirected
        | If
        | While
        | For
        | Count
        | Case
        | Function
        | Coprocess
        | Test
    )


def is_test(node: Node) -> bool:
    """Tell if a node is `[`, `test` or `[[ ]]`."""
    if isinstance(node, Simple):
        return bool(node.words) and node.words[0].pieces in _TESTS
    return isinstance(node, Test)


_TESTS = ((Text(text="["),), (Text(text="test"),))
