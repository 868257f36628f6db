"""Read which file a test asks for, and with which answer it is missing: `[ -f x ] || cp y x` writes over nothing."""

from __future__ import annotations

from rulez_py.analysis.bash.syntax import Negated, Simple, Test, Text, Variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.bash.syntax import Node, Pieces

_OF_FILES = ("-e", "-f", "-s", "-a")
_NOT_PLAIN = "$`\\*?[~"


def missing(node: Node) -> tuple[Pieces, bool] | None:
    """Return the file that a test asks for, and the answer after which writing it loses nothing (missing or empty).

    None for any other test.
    """
    answer = False
    while isinstance(node, Negated):
        node, answer = node.body, not answer
    words: tuple[Pieces, ...]
    if isinstance(node, Test):
        words = tuple((Text(text=word),) for word in _words(node.raw))
    elif isinstance(node, Simple) and not (node.assignments or node.redirects):
        words = _operands([word.pieces for word in node.words])
    else:
        return None
    if words and _text(words[0]) == "!":
        words, answer = words[1:], not answer
    if len(words) != 2 or _text(words[0]) not in _OF_FILES or not all(map(_is_plain, words[1])):
        return None
    return words[1], answer


def _words(raw: str) -> list[str]:
    """Return the words of a `[[ ]]` in which nothing is quoted within a word, and nothing expanded; none of another."""
    words = raw.removeprefix("[[").removesuffix("]]").split() if raw.startswith("[[") else []
    plain = [word[1:-1] if len(word) > 1 and word[0] in "'\"" and word[-1] == word[0] else word for word in words]
    return plain if not any(char in word for word in plain for char in (*_NOT_PLAIN, "'", '"')) else []


def _operands(words: Sequence[Pieces]) -> tuple[Pieces, ...]:
    """Return the words after `test`, or between `[` and `]`."""
    program = _text(words[0]) if words else ""
    if program == "test":
        return tuple(words[1:])
    return tuple(words[1:-1]) if program == "[" and _text(words[-1]) == "]" else ()


def _text(pieces: Pieces) -> str:
    return pieces[0].text if len(pieces) == 1 and isinstance(pieces[0], Text) else ""


def _is_plain(piece: object) -> bool:
    """Tell if nothing happens where it is expanded once more."""
    if isinstance(piece, Text):
        return True
    return isinstance(piece, Variable) and not (piece.operator or piece.indirect or piece.index or piece.flags)
