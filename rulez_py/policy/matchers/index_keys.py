"""By what the matchers of a rule let it be filed (`index.py`): a subject, and pieces of text that it contains."""

from __future__ import annotations

from rulez_py.policy.patterns import globs
from rulez_py.policy.patterns.regex import EDGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulez_py.policy.patterns.regex import Regex

    Filing = tuple[str, list[str]]
    """A subject (`facts.SUBJECTS`) without which the matcher fits nothing, and for each way in which it can fit that a
    piece of text which the subject then contains; no pieces where it may contain anything."""

SHORTEST = 2
"""Characters of a piece: nearly everything contains a shorter one."""
_MOST = 300
"""Pieces for one rule: a rule that names everything must not be written down once for each of it."""


def of_literals(patterns: Iterable[Regex]) -> list[str]:
    """Return pieces for a list of regexes; one of them must fit."""
    return [piece for pattern in patterns for piece in pattern["literals"] or ("",)]


def of_names(patterns: Iterable[str]) -> list[str]:
    """Return pieces for globs of a program's name: a name that is no glob is a whole word."""
    return [
        piece
        for pattern in patterns
        for piece in ([EDGE + pattern.lower() + EDGE] if is_name(pattern) else of_globs([pattern]))
    ]


def is_name(pattern: str) -> bool:
    """Tell whether a glob fits one text only, the one that it spells."""
    return not globs.is_glob(pattern) and not any(sign in pattern for sign in "\\!~/")


def of_globs(patterns: Iterable[str]) -> list[str]:
    """Return pieces for globs of any kind; a glob with `!` gives none."""
    return [piece for pattern in patterns if not globs.takes_out(pattern) for piece in _of_glob(pattern)]


def _of_glob(pattern: str) -> list[str]:
    """Return a piece for a glob; where it has none in common, what lies beside its braces, or one for each choice."""
    found = globs.literal(pattern)
    if is_distinctive(found) or "{" not in pattern:
        return [found]
    groups = (choices for kind, choices in globs.segments(pattern) if kind == globs.EITHER)
    each = ([_longest(choice) for choice in choices] for choices in groups)
    beside = [_longest(globs.segments(pattern.removeprefix("~").removeprefix("./")))]
    return next((pieces for pieces in (beside, *each) if all(map(is_distinctive, pieces))), [found])


def _longest(pieces: globs.Pieces) -> str:
    """Return the longest text in what a choice is made of."""
    texts = (text.strip("/").lower() for kind, text in pieces if kind == globs.TEXT)
    return max(texts, key=len, default="")


def usable(pieces: Iterable[str]) -> list[str]:
    """Pieces that a rule can be filed by, each once; none where there are too many, or one says too little."""
    unique = list(dict.fromkeys(pieces))
    return unique if len(unique) <= _MOST and all(map(is_distinctive, unique)) else []


def is_distinctive(piece: str) -> bool:
    """Tell whether a piece can be filed by: its lower case must not depend on the text around it, for one thing."""
    return len(piece.strip(EDGE)) >= SHORTEST and piece.isascii() and "\n" not in piece
