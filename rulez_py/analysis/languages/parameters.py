"""Parameters as a function writes them: names, patterns, and those that take all other arguments."""

from __future__ import annotations

from rulez_py.analysis.languages.tokens import NAME, OPERATOR, VARIABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.languages.tokens import Token

ALL = "*"
"""Prefix of a parameter that is a list of all arguments from its index on: `*args`, `...args`."""
NAMED = "**"
"""Prefix of a parameter that is a table of all named arguments."""
STARS = {"*": ALL, "...": ALL, "**": NAMED}
ALL_ARGUMENTS = ("_",)
"""The parameters of a function whose arguments are one list (Perl)."""
OPENERS = frozenset(("(", "[", "{"))
CLOSERS = frozenset((")", "]", "}"))
REST = "..."
"""A parameter of this name is a list of arguments, too (R, Lua)."""


def plain(name: str) -> str:
    """Return a parameter's name without its prefix."""
    return name.lstrip("*") or name


def starred(name: str) -> str:
    """Return a parameter of R or Lua, with the prefix of a list if it is named `...`."""
    return ALL + name if name == REST else name


def written(tokens: Sequence[Token]) -> list[object]:
    """Return the parameters between parentheses.

    A pattern is a tuple of pairs: the attribute, and the name that gets it.
    """
    found: list[object] = []
    depth, at, star, begins = 0, 0, "", True
    while at < len(tokens):
        kind, value = tokens[at]
        operator = value if kind == OPERATOR else ""
        if begins and not depth and operator in ("{", "["):
            pattern, at = _pattern(tokens, at)
            found.append(pattern)
            begins = False
            continue
        depth += (operator in OPENERS) - (operator in CLOSERS)
        if not depth and operator == ",":
            begins, star = True, ""
        elif begins and operator in STARS:
            star = STARS[str(operator)]
        elif begins and not depth and kind in (NAME, VARIABLE):
            found.append(star + str(value))
            begins = False
        at += 1
    return found


def _pattern(tokens: Sequence[Token], start: int) -> tuple[tuple[tuple[str, str], ...], int]:
    """Return the pairs of a pattern, `{a, b: c}` or `[a, b]`, and the index after it."""
    by_place = tokens[start] == (OPERATOR, "[")
    found: list[tuple[str, str]] = []
    depth, at, place, begins = 0, start, 0, True
    while at < len(tokens):
        kind, value = tokens[at]
        operator = value if kind == OPERATOR else ""
        depth += (operator in OPENERS) - (operator in CLOSERS)
        if not depth:
            break
        if depth == 1 and operator == ",":
            place, begins = place + 1, True
        elif depth == 1 and begins and kind == NAME:
            renamed = not by_place and tokens[at + 1 : at + 2] == [(OPERATOR, ":")] and tokens[at + 2 : at + 3]
            if renamed and tokens[at + 2][0] == NAME:
                found.append((str(value), str(tokens[at + 2][1])))
            elif not renamed:
                found.append((str(place) if by_place else str(value), str(value)))
            begins = False
        at += 1
    return tuple(found), at + 1
