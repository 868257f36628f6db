"""What can be told of a loop before it runs."""

from __future__ import annotations

from rulez_py.shell.syntax import Series, Simple, Test, Text, While

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.shell.syntax import Node, Pieces


_FORCED = ("true", ":", "/bin/true", "/usr/bin/true", "1", "[ 1 ]")
_NEVER = ("false", "/bin/false", "/usr/bin/false")


def is_paced(items: Sequence[tuple[Node, str]], number: int) -> bool:
    """Whether something behind a background job waits, whatever happens, before the next round begins."""
    return any(following != "&" and first_word(part) == "wait" for part, following in items[number + 1 :]) or any(
        following != "&" and first_word(part) in ("sleep", "read", "exit", "return", "break")
        for part, following in items
    )


def reads(condition: Series) -> bool:
    """Whether a condition begins with `read`."""
    return bool(condition.items) and first_word(condition.items[0][0]) == "read"


def assigned(pieces: Pieces) -> set[str]:
    """The names in a loop's arithmetic expressions, any of which these may change."""
    text = "".join(piece.text if isinstance(piece, Text) else " " for piece in pieces)
    names = "".join(sign if sign.isalnum() or sign == "_" else " " for sign in text).split()
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
