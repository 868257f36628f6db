"""Edit words of the commands that stand in a line, and touch nothing else of it.

A word is edited where the line itself has it, as it is: not where an expansion makes it, and not inside a text that
another shell reads. The new line is read again: all but the edited words has to be as it was.
"""

from __future__ import annotations

from rulez_py.analysis.bash import grammar
from rulez_py.analysis.bash.syntax import Simple, Text, Written
from rulez_py.analysis.record import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    Place = tuple[int, int]

POWERSHELL = "powershell"
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,@%+-")
_SAFE_IN_POWERSHELL = _SAFE - frozenset(",@%+")
_RESERVED = frozenset(
    (
        *("if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "in", "select"),
        *("function", "time", "coproc"),
    )
)
"""Words that a shell reads as its grammar where a program may be named."""
_IN_DOUBLE_QUOTES = frozenset('"\\$`')
_BLANKS = " \t"


class Edit(Value):
    """What takes the place of the characters of a line from `start` to `end`; where these are one it is put there."""

    start: int
    end: int
    text: str


class Spelled(Value):
    """Characters of a word's value, each with where it is written.

    `quotes` holds for each one "" (plain), `'` or `"`, `runs` a number for the stretch of quoting that it is in.
    """

    text: str
    places: tuple[tuple[int, int], ...]
    quotes: tuple[str, ...]
    runs: tuple[int, ...]


def words(line: str) -> Mapping[Place, tuple[str, int]]:
    """Return the words of a line's commands that are written as they are: place -> text, and the number of its command.

    Words of commands in `$( )` are among them. Empty where no shell could read the line.
    """
    try:
        parsed = grammar.parse(line)
    except grammar.TooDeep:
        return {}
    found: dict[tuple[int, int], tuple[str, int]] = {}
    for number, command in enumerate(() if parsed.broken else _commands(parsed.body)):
        for word in command.words:
            if word.end and all(isinstance(piece, Text) for piece in word.pieces):
                text = "".join(piece.text for piece in word.pieces if isinstance(piece, Text))
                found[word.start, word.end] = text, number
    return found


def edited(line: str, edits: Iterable[Edit], dialect: str = "sh") -> str | None:
    """Return the line with its words edited; None where anything else would be read otherwise, or edits overlap."""
    ordered = sorted(edits, key=lambda one: (one.start, one.end))
    parts: list[str] = []
    at = 0
    for one in ordered:
        if one.start < at:
            return None
        parts += (line[at : one.start], one.text)
        at = one.end
    new = "".join((*parts, line[at:]))
    if dialect == POWERSHELL:
        return new
    try:
        before, after = grammar.parse(line), grammar.parse(new)
    except grammar.TooDeep:
        return None
    places = [(one.start, one.end) for one in ordered]
    return new if not after.broken and _alike(before.body, after.body, places) else None


def quoted(text: str, dialect: str = "sh", *, program: bool = False) -> str | None:
    """Return one word as a shell has to have it written to get this text.

    None where PowerShell would take it for a string, and not for the name of a program.
    """
    if dialect == POWERSHELL:
        if text and _SAFE_IN_POWERSHELL.issuperset(text):
            return text
        return None if program else "'" + text.replace("'", "''") + "'"
    plain = text and _SAFE.issuperset(text) and not (program and (text in _RESERVED or "=" in text))
    return text if plain else "'" + text.replace("'", "'\\''") + "'"


def spelled(source: str) -> Spelled | None:
    """Return how the value of a word is written, None where this is not for one look at quotes to say (`$'...'`)."""
    text: list[str] = []
    places: list[tuple[int, int]] = []
    quotes: list[str] = []
    runs: list[int] = []
    quote, run, at = "", 0, 0
    while at < len(source):
        char, length = source[at], 1
        if char in "'\"" and quote in ("", char):
            quote, run, at = "" if quote else char, run + 1, at + 1
            continue
        if quote != "'" and char in "$`":
            return None
        if char == "\\" and quote != "'":
            following = source[at + 1 : at + 2]
            if following == "\n":
                at += 2
                continue
            if following and (not quote or following in _IN_DOUBLE_QUOTES):
                char, length = following, 2
        text.append(char)
        places.append((at, at + length))
        quotes.append(quote)
        runs.append(run)
        at += length
    return Spelled(text="".join(text), places=tuple(places), quotes=tuple(quotes), runs=tuple(runs))


def put(source: str, how: Spelled, start: int, end: int, text: str) -> str | None:
    """Return a word's source with characters of its value replaced by a text, the quoting as it was.

    None where these are written in more than one stretch of quoting.
    """
    if not how.text:
        return quoted(text)
    touched = range(start, end) if end > start else [min(start, len(how.text) - 1)]
    if len({how.runs[at] for at in touched}) != 1:
        return None
    if end > start:
        begin, stop = how.places[start][0], how.places[end - 1][1]
    else:
        begin = stop = how.places[start][0] if start < len(how.text) else how.places[-1][1]
    return source[:begin] + _within(text, how.quotes[touched[0]]) + source[stop:]


def _within(text: str, quote: str) -> str:
    """Return a text as it has to be written in quotes, or without."""
    if quote == "'":
        return text.replace("'", "'\\''")
    if quote:
        return "".join("\\" + char if char in _IN_DOUBLE_QUOTES else char for char in text)
    return "".join(char if char in _SAFE else "'\n'" if char == "\n" else "\\" + char for char in text)


def without(line: str, start: int, end: int) -> Edit:
    """Return the edit that takes a word away, with the blanks before it."""
    while start and line[start - 1] in _BLANKS:
        start -= 1
    return Edit(start=start, end=end, text="")


def behind(line: str, end: int, text: str) -> Edit:
    """Return the edit that puts words behind the word that ends here."""
    # Digits right before a `>` would be the number of what it redirects.
    blank = " " if line[end : end + 1] in ("<", ">") else ""
    return Edit(start=end, end=end, text=f" {text}{blank}")


def _commands(node: object) -> Iterator[Simple]:
    """Yield the simple commands of a tree, in the order in which they are written."""
    if isinstance(node, Simple):
        yield node
    for part in _parts(node):
        yield from _commands(part)


def _parts(node: object) -> Sequence[object]:
    if isinstance(node, Value):
        return [getattr(node, name) for name in type(node)._fields]
    return node if isinstance(node, (tuple, list)) else ()


def _alike(before: object, after: object, places: list[Place]) -> bool:
    """Tell whether two trees say the same but for the words of simple commands at these places."""
    if (
        isinstance(before, Simple)
        and isinstance(after, Simple)
        and any(_is_edited(one, places) for one in before.words)
    ):
        return _alike_but_edited(before, after, places)
    if type(before) is not type(after):
        return False
    if isinstance(before, Value):
        return all(
            _alike(getattr(before, name), getattr(after, name), places)
            for name in type(before)._fields
            if name not in _HOW_IT_IS_WRITTEN
        )
    if isinstance(before, (tuple, list)) and isinstance(after, (tuple, list)):
        return len(before) == len(after) and all(
            _alike(one, another, places) for one, another in zip(before, after, strict=True)
        )
    return before == after


_HOW_IT_IS_WRITTEN = frozenset(("start", "end", "raw"))


def _is_edited(word: Written, places: list[Place]) -> bool:
    """Tell whether an edit is of this word, or right behind it."""
    return any(start <= word.start < end or start == end == word.end for start, end in places)


def _alike_but_edited(before: Simple, after: Simple, places: list[Place]) -> bool:
    """Tell the same of two commands: the words that stay are there, one after the other, and all that is no word."""
    if not all(
        _alike(list(one), list(another), places)
        for one, another in ((before.assignments, after.assignments), (before.redirects, after.redirects))
    ):
        return False
    left, new = list(after.words), []
    for word in before.words:
        if any(start <= word.start < end for start, end in places):
            continue
        while left and not _alike(word.pieces, left[0].pieces, places):
            new.append(left.pop(0))
        if not left:
            return False
        left.pop(0)
    # A command that had words has some, and what is new is known.
    return bool(after.words) and all(isinstance(piece, Text) for word in (*new, *left) for piece in word.pieces)
