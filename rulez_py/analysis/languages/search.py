"""Search for files in directories (`os.walk`, `rglob`) and for processes (`os.kill(-1, 9)`)."""

from __future__ import annotations

from rulez_py.analysis.languages.abstract_values import UNKNOWN, WHOLE, Ref, text_of
from rulez_py.analysis.languages.tokens import NAME, OPERATOR, TEXT
from rulez_py.analysis.values import SOME, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rulez_py.analysis.languages.abstract_values import Abstract, Call
    from rulez_py.analysis.languages.dialect import Walk
    from rulez_py.analysis.languages.tokens import Token


_EQUAL = ("==", "===")
_UNEQUAL = ("!=", "!==", "=~", "!~")
_OPENING = ("(", "[", "{")
_ENDS = frozenset(("endswith", "end_with", "endsWith", "str_ends_with", "ends_with"))
_BEGINS = frozenset(("startswith", "start_with", "startsWith", "str_starts_with", "starts_with"))
_SKIPS = frozenset(("continue", "next", "unless"))
_NEAR = 10
_MOST = 8


def found_below(directory: Abstract, patterns: Sequence[str]) -> tuple[Abstract, ...]:
    """Return words for unknown files below a directory whose names match one of the patterns."""
    word = text_of(directory)
    path = (word.text or ".").rstrip("/")
    whole = [f"{path}{WHOLE}{one}" for one in patterns]
    return tuple(Word(text=one, known=False, glob=one, data=word.data) for one in whole)


def sought(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return patterns for the file names that code compares with; ("*",) where it compares with none."""
    found: dict[str, None] = {}
    asks = False
    for at, (kind, value) in enumerate(tokens):
        if kind == NAME:
            asks = asks or value == "if"
            found |= dict.fromkeys(_asked_by_word(tokens, at, str(value)))
        elif kind == OPERATOR and value in _EQUAL:
            found |= dict.fromkeys((_text(tokens, at - 1), _text(tokens, at + 1)))
        elif kind == OPERATOR and value in _UNEQUAL:
            found[SOME] = None
    names = [one for one in found if one and "/" not in one][:_MOST]
    return tuple(names) or (SOME if asks else "*",)


def _asked_by_word(tokens: Sequence[Token], at: int, word: str) -> list[str]:
    """Return patterns for the comparison that a word begins: `x in ("a", "b")`, `x.endswith("a")`."""
    if word in _SKIPS:
        return [SOME]
    if word == "eq":
        return [_text(tokens, at - 1), _text(tokens, at + 1)]
    listed = word == "in" and at + 1 < len(tokens) and tokens[at + 1][1] in _OPENING
    if not listed and word not in _ENDS and word not in _BEGINS:
        return []
    texts = [text for near in range(at + 1, min(at + _NEAR, len(tokens))) if (text := _text(tokens, near))]
    return [f"*{text}" if word in _ENDS else f"{text}*" if word in _BEGINS else text for text in texts]


def _text(tokens: Sequence[Token], at: int) -> str:
    """Return the text at an index, "" for any other token and for a text with expressions."""
    kind, value = tokens[at] if 0 <= at < len(tokens) else (OPERATOR, "")
    parts = value if kind == TEXT and isinstance(value, tuple) else ()
    return parts[0] if len(parts) == 1 and isinstance(parts[0], str) and parts[0].strip(".") else ""


# Processes.

EVERY_PROCESS = ("1", "-1")
"""Process numbers that mean all processes: -1, whose minus is not part of the token, and 1, the init process."""
_KILL_ALL = (Word(text="kill"), Word(text="-9"), Word(text="-1"))


def killing(first: int) -> Callable[[Walk, Call, Abstract], Abstract]:
    """Return a function for `kill`, whose arguments from `first` on are process numbers."""

    def kill(walk: Walk, call: Call, _on: Abstract) -> Abstract:
        given = call.arguments[first : first + _MOST]
        if any(isinstance(one, Ref) and one.name in EVERY_PROCESS for one in given):
            walk.effects.words(_KILL_ALL)
        return UNKNOWN

    return kill


def kill_found(walk: Walk, _call: Call, _on: Abstract) -> Abstract:
    """Follow a method that ends a found process: all processes, where the code compares no names."""
    if sought(walk.here.tokens) == ("*",):
        walk.effects.words(_KILL_ALL)
    return UNKNOWN
