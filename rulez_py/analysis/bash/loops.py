"""Read facts of a loop, or of a part of a condition, from its syntax."""

from __future__ import annotations

from rulez_py.analysis.bash.syntax import DECLARATIONS, Series, Simple, Substitution, Test, Text, While

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.bash.syntax import Node, Piece, Pieces, Written


_FORCED = ("true", ":", "/bin/true", "/usr/bin/true", "1", "[ 1 ]")
_NEVER = ("false", "/bin/false", "/usr/bin/false")


def is_paced(items: Sequence[tuple[Node, str]], number: int) -> bool:
    """Tell if something after a background job waits, whatever happens, before the next round begins."""
    return any(following != "&" and first_word(part) == "wait" for part, following in items[number + 1 :]) or any(
        following != "&" and first_word(part) in ("sleep", "read", "exit", "return", "break")
        for part, following in items
    )


def reads(condition: Series) -> bool:
    """Tell if a condition begins with `read`."""
    return bool(condition.items) and first_word(condition.items[0][0]) == "read"


def assigned(pieces: Pieces) -> set[str]:
    """Return the names in a loop's arithmetic expressions, any of which these may change."""
    text = "".join(piece.text if isinstance(piece, Text) else " " for piece in pieces)
    names = "".join(char if char.isalnum() or char == "_" else " " for char in text).split()
    return {name for name in names if not name[0].isdigit()}


def first_word(node: Node) -> str:
    if isinstance(node, Simple) and node.words:
        return "".join(getattr(piece, "text", "") for piece in node.words[0].pieces)
    return ""


def never_ends(node: While) -> bool:
    if len(node.condition.items) != 1:
        return False
    condition = node.condition.items[0][0]
    if isinstance(condition, Test):
        return condition.raw.strip("([ )]") in ("1", "true") and not node.until
    words = [
        "".join(getattr(piece, "text", "") for piece in word.pieces)
        for word in (condition.words if isinstance(condition, Simple) else ())
    ]
    return " ".join(words) in (_NEVER if node.until else _FORCED)


def may_fail(node: Node) -> bool:
    """Tell if a part may fail: assignments do not, but where something runs in them."""
    if not isinstance(node, Simple) or node.words or node.redirects:
        return True
    return any(
        one.items is not None
        or one.index is not None
        or (one.value is not None and any(isinstance(piece, Substitution) for piece in one.value.pieces))
        for one in node.assignments
    )


def walks(node: Node) -> bool:
    """Tell if a part is a plain change of directory."""
    return isinstance(node, Simple) and first_word(node) in ("cd", "chdir", "pushd", "popd")


def declares(node: Simple, word: Written) -> bool:
    """Tell if a word is an assignment for the shell: `name=value` after `export` and its like, without braces."""
    if first_word(node) not in DECLARATIONS or any(_is_quoted(piece) for piece in node.words[0].pieces):
        return False
    first = word.pieces[0] if word.pieces else None
    if not isinstance(first, Text) or first.quoted:
        return False
    name, found, _ = first.text.partition("=")
    braces = any(isinstance(piece, Text) and not piece.quoted and "{" in piece.text for piece in word.pieces)
    return bool(found) and name.removesuffix("+").isidentifier() and not braces


def _is_quoted(piece: Piece) -> bool:
    return isinstance(piece, Text) and piece.quoted


def fits_all(pattern: Written) -> bool:
    """Tell if a pattern of `case` is a plain `*`."""
    return len(pattern.pieces) == 1 and pattern.pieces[0] == Text(text="*")
