"""The three kinds of glob a policy uses.

- plain (`mcp`, `tools`, `domains`): `*` is any text, `?` one character;
- gitignore's, where `*` stops at a slash and `**` does not (`matchers/paths.py` says what they are about);
- RuleZ's, where `*` crosses slashes (`matchers/directories.py`).

In all of them `[ab]` and `[!ab]` are one character, `{a,b}` is one of several globs, and a backslash makes the next
character plain. In a list of them the last one that fits decides, and one behind `!` takes out what fits it (`takes`).

A glob is read into pieces. Short texts are held against these here, since to load RE2 would cost a call more than all
else that it does with a rule; long ones, and classes that are not simple, by the regex that says the same.
"""

from __future__ import annotations

from rulez_py.policy.patterns import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    Piece = tuple[str, Any]
    """Its kind (below), and for TEXT, EITHER and CLASS its parts."""
    Pieces = tuple[Piece, ...]


def problem(pattern: str) -> str | None:
    """Return what is wrong with a glob, or None: only a character class can be malformed."""
    try:
        regex.compile_pattern(expression(segments(bare(pattern))))
    except regex.BadPattern as error:
        return str(error)
    return None


def takes_out(pattern: str) -> bool:
    """Tell whether an entry of a list says what does not fit: `!x`. A `!` alone is one."""
    return pattern[:1] == "!" and len(pattern) > 1


def bare(pattern: str) -> str:
    """Return an entry of a list without the `!` that takes out."""
    return pattern[1:] if takes_out(pattern) else pattern


def takes(patterns: Iterable[str], fits: Callable[[str], bool], *, out: Callable[[str], bool] | None = None) -> bool:
    """Tell if a list of globs is about what `fits` says of one: the last that fits decides, and `!x` takes out again.

    `out` says it of those that take out, where that differs.
    """
    found = False
    for pattern in patterns:
        negated = takes_out(pattern)
        if found is negated and ((out or fits) if negated else fits)(bare(pattern)):
            found = not negated
    return found


def plain_list(patterns: Iterable[str], text: str) -> bool:
    """Tell whether all of `text` is what a list of plain globs is about."""
    return takes(patterns, lambda pattern: plain(pattern, text))


def is_glob(pattern: str) -> bool:
    """Tell whether the pattern is more than the text it spells."""
    return any(character in pattern for character in "*?[{")


def literal(pattern: str) -> str:
    """Return the longest text found that is in the lower case of everything a glob of any kind matches.

    "" where none is.

    For `paths` and `directories` everything is a file's absolute path, or its name as the agent spelled it.
    """
    text = pattern
    for special in "[]{}\\":
        text = text.partition(special)[0]
    text = text.removeprefix("~").removeprefix("./").rstrip("/")
    runs = "".join(one if one.isascii() and one != "?" else "*" for one in text).split("*")
    # A slash beside `**` may match the empty text.
    found = max((run.strip("/").lower() for run in runs), key=len)
    return "" if found == "." else found


def plain(pattern: str, text: str) -> bool:
    """Tell whether all of `text` fits a plain glob. Case matters."""
    if pattern[:2] == "\\!":
        pattern = pattern[1:]  # which takes nothing out
    if not is_glob(pattern):
        return pattern == text
    return fits(crossing(pattern), text)


# A glob in pieces.

TEXT = "text"
"""These characters."""
ANY = ".*"
"""Any text."""
NAME = "[^/]*"
"""Any text without a slash."""
ONE = "."
ONE_OF_NAME = "[^/]"
CLASS = "class"
"""One character: whether of these or of all others, the characters (None where that is for RE2 to say), the regex."""
EITHER = "either"
"""One of several globs."""
DIRECTORIES = "(?:.*/)?"
"""Any directories, or none."""
BELOW = "(?:/.*)?"
"""Return a regex for it, or anything below it."""


def crossing(pattern: str) -> Pieces:
    """Return a glob in which `*` and `?` cross slashes, in pieces."""
    return _read(pattern, ANY, ONE)


def segments(pattern: str) -> Pieces:
    """Return a gitignore pattern in pieces, not anchored."""
    return _read(pattern, NAME, ONE_OF_NAME)


_known: dict[tuple[str, str], Pieces] = {}
MOST_READ = 10_000


def _read(pattern: str, star: str, question: str) -> Pieces:
    """Return a glob in pieces.

    `star` and `question` are what `*` and `?` mean; `**/` is any directories, `**` any text.
    """
    key = pattern, star
    if key not in _known:
        if len(_known) >= MOST_READ:
            _known.clear()
        _known[key] = _pieces(pattern, star, question)
    return _known[key]


def _pieces(pattern: str, star: str, question: str) -> Pieces:
    # Of each group that is open, and of the whole, the globs it is one of.
    groups: list[list[list[Piece]]] = [[[]]]
    at = 0
    while at < len(pattern):
        character, piece = pattern[at], None
        if character == "*":
            piece, at = _stars(pattern, at, star)
        elif character == "?":
            piece = question, None
        elif character == "[" and (end := _class_end(pattern, at)) > at:
            piece = CLASS, _class(pattern[at + 1 : end], slashes=question == ONE)
            at = end
        elif character == "{" and "}" in pattern[at:]:
            groups.append([[]])
        elif character == "}" and len(groups) > 1:
            _close(groups)
        elif character == "," and len(groups) > 1:
            groups[-1].append([])
        else:
            at += character == "\\" and at + 1 < len(pattern)
            piece = TEXT, pattern[at]
        if piece is not None:
            _add(groups[-1][-1], piece)
        at += 1
    while len(groups) > 1:
        _close(groups)
    return tuple(groups[0][0])


def _add(pieces: list[Piece], piece: Piece) -> None:
    if piece[0] == TEXT and pieces and pieces[-1][0] == TEXT:
        piece = TEXT, pieces.pop()[1] + piece[1]
    pieces.append(piece)


def _close(groups: list[list[list[Piece]]]) -> None:
    """Close the group that was opened last."""
    either = groups.pop()
    groups[-1][-1].append((EITHER, tuple(map(tuple, either))))


def _stars(pattern: str, at: int, star: str) -> tuple[Piece, int]:
    """Return what the stars mean that begin at `at`, and the place of the last character that belongs to them."""
    end = at
    while pattern[end + 1 : end + 2] == "*":
        end += 1
    if end == at:
        return (star, None), at
    if pattern[end + 1 : end + 2] == "/" and (at == 0 or pattern[at - 1] in "/{,"):
        return (DIRECTORIES, None), end + 1
    return (ANY, None), end


def _class_end(pattern: str, at: int) -> int:
    """Return where the class that opens at `at` closes, -1 where none does.

    A bracket that comes first is in the class.
    """
    first = at + 2 if pattern[at + 1 : at + 2] in ("!", "^") else at + 1
    return pattern.find("]", first + 1)


def _class(body: str, *, slashes: bool) -> tuple[bool, frozenset[str] | None, str]:
    """Return what CLASS says of a character class; one that excludes fits a slash only where `slashes` says so."""
    negated = body[0] in "!^"
    without = "/" if negated and not slashes else ""
    characters = body[negated:]
    expression = f"[{'^' if negated else ''}{without}{characters.translate(_QUOTED)}]"
    members = _members(characters)
    return not negated, None if members is None else members | {*without}, expression


_QUOTED = {ord("\\"): "\\\\", ord("["): "\\["}


def _members(characters: str) -> frozenset[str] | None:
    """Return the characters that a class names, where there is no doubt which."""
    found: set[str] = set()
    at = 0
    while at < len(characters):
        if characters[at + 1 : at + 2] == "-":
            first, last = characters[at], characters[at + 2 : at + 3]
            if not ((first + last).isascii() and first.isalnum() and last.isalnum() and first <= last):
                return None
            found.update(map(chr, range(ord(first), ord(last) + 1)))
            at += 3
        elif characters[at] in "-[\\":
            return None
        else:
            found.add(characters[at])
            at += 1
    return frozenset(found)


# Matching.

_LONG = 1000
"""Characters from which on RE2 is faster, though it has to be loaded."""


def fits(pieces: Pieces, text: str) -> bool:
    """Tell whether all of a text fits a glob's pieces. Linear in both."""
    if len(text) < _LONG and (text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)):
        try:
            return len(text) in _ends(pieces, text, (0,))
        except (_ForRe2, RecursionError):
            pass
    if pieces not in _whole:
        if len(_whole) >= MOST_READ:
            _whole.clear()
        _whole[pieces] = rf"(?s)\A(?:{expression(pieces)})\z"
    return regex.search(_whole[pieces], text) is not None


_whole: dict[Pieces, str] = {}
"""The regex of a whole text, by the pieces of its glob."""


class _ForRe2(Exception):
    """Only RE2 knows."""


def _ends(pieces: Pieces, text: str, starts: Iterable[int]) -> Iterable[int]:
    """Return every place up to which the pieces fit from one of these."""
    for kind, more in pieces:
        if kind == TEXT:
            starts = {at + len(more) for at in starts if text.startswith(more, at)}
        elif kind == EITHER:
            starts = {end for pieces in more for end in _ends(pieces, text, starts)}
        else:
            starts = _STEPS[kind](text, starts, more)
        if not starts:
            return ()
    return starts


def _any(text: str, starts: Iterable[int], _more: object) -> Iterable[int]:
    return range(min(starts), len(text) + 1)


def _name(text: str, starts: Iterable[int], _more: object) -> Iterable[int]:
    reached: set[int] = set()
    for at in sorted(starts):
        if at not in reached:
            slash = text.find("/", at)
            reached.update(range(at, (len(text) if slash < 0 else slash) + 1))
    return reached


def _one_of(text: str, starts: Iterable[int], more: Any) -> Iterable[int]:
    wanted, characters, _expression = more
    if characters is None:
        raise _ForRe2
    return {at + 1 for at in starts if at < len(text) and (text[at] in characters) is wanted}


def _directories(text: str, starts: Iterable[int], _more: object) -> Iterable[int]:
    first = min(starts)
    return {*starts, *(at + 1 for at in range(first, len(text)) if text[at] == "/")}


def _below(text: str, starts: Iterable[int], _more: object) -> Iterable[int]:
    slash = min((at for at in starts if text.startswith("/", at)), default=len(text))
    return {*starts, *range(slash + 1, len(text) + 1)}


_NO_SLASH = frozenset("/")
_STEPS: dict[str, Callable[[str, Iterable[int], Any], Iterable[int]]] = {
    ANY: _any,
    NAME: _name,
    ONE: lambda text, starts, _more: {at + 1 for at in starts if at < len(text)},
    ONE_OF_NAME: lambda text, starts, _more: _one_of(text, starts, (False, _NO_SLASH, "")),
    CLASS: _one_of,
    DIRECTORIES: _directories,
    BELOW: _below,
}
"""Kind of piece -> the places up to which it fits."""


def expression(pieces: Pieces) -> str:
    """Return the regex of the glob."""
    done: list[str] = []
    rest: list[Piece | str] = [*reversed(pieces)]
    while rest:
        piece = rest.pop()
        if isinstance(piece, str):
            done.append(piece)
        elif piece[0] == EITHER:
            for number, either in enumerate(reversed(piece[1])):
                rest += ["|" if number else ")", *reversed(either)]
            rest.append("(?:")
        else:
            done.append(_expression(*piece))
    return "".join(done)


def _expression(kind: str, more: Any) -> str:
    """That of any kind but EITHER."""
    if kind == TEXT:
        return "".join(map(_itself, more))
    return str(more[2]) if kind == CLASS else kind


def _itself(character: str) -> str:
    return character if character.isalnum() or character in "_-/" else regex.escape(character)
