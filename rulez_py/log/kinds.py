"""Name kinds of secrets: what a policy asks for by name, of the shapes that the log redacts (`secrets.toml`)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

TOKENS, ALL = "tokens", "all"
"""Words for several kinds: those that say by themselves what they are, and all that the log redacts."""
GENERAL = frozenset(
    (
        *("assignment", "authorization", "cookie", "header", "jwt", "named-token", "option"),
        *("url-key", "url-password", "url-signature", "vendor-key", "private-key"),
    )
)
"""Kinds that are a name and a value (`password=...`), or that have no vendor's prefix."""


def kinds() -> tuple[str, ...]:
    """Return the name of every kind, sorted."""
    try:
        from rulez_py.log.secret_shapes import SHAPES
    except ImportError:  # a source tree in which nothing was built
        from rulez_py.log.shapes import table

        SHAPES = table()[1]
    return tuple(sorted({name for name, *_ in SHAPES}))


def chosen(words: Iterable[str]) -> frozenset[str]:
    """Return the kinds that these words and names of kinds ask for."""
    found: set[str] = set()
    for word in words:
        if word == ALL:
            found.update(kinds())
        elif word == TOKENS:
            found.update(kind for kind in kinds() if kind not in GENERAL)
        else:
            found.add(word)
    return frozenset(found)
