"""Words cut and joined: what a program makes of the words it was given."""

from __future__ import annotations

from os.path import join as joined_path

from rulez_py.analysis.values import ANY, INTERPRETER, Data, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_PATH = 4096
MANY = 64
"""How many pieces a text is cut into, at most, where each becomes a command of its own."""

BLANK = " \t\r\n"
STREAMS = ("-", "")
"""Words that are standard input or output, or nothing, where a file may be named."""
OPTION_VERBS = frozenset(
    (
        *("recursive", "in-place", "only reads", "touches nothing", "decodes", "credentials", "silent", "sends"),
        "appends",
        *("nothing", "opens shell", "switch", "keeps user", "runs rest", "ends", "names stdin"),
    )
)
"""What an option does that says nothing of its value."""
SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:@%,^")


def cut(word: Word, start: int, end: int | None = None) -> Word:
    """Return a part of a word, at the place of the word."""
    part, before = word.text[start:end], word.text[:start]
    glob = word.glob[start:] if end is None and word.glob.startswith(before) else ""
    return word.replace(text=part, glob=glob)


def until(word: Word, char: str) -> Word:
    """Return a word up to a character."""
    end = word.text.find(char)
    if end < 0:
        return word
    glob_end = word.glob.find(char)
    return word.replace(text=word.text[:end], glob=word.glob[:glob_end] if glob_end >= 0 else word.glob)


def with_text(word: Word, text: str) -> Word:
    """Return the word with another text, at its place."""
    return word.replace(text=text, glob="")


def join(words: Sequence[Word], between: str = " ") -> Word:
    """Return one text of many words: known if all are, at their place."""
    if len(words) == 1:
        return words[0]
    places = [word.at for word in words if word.at != (0, 0)]
    return Word(
        text=between.join([word.text for word in words]),
        # INVARIANT: a text is unknown where one of its words is.
        known=all(word.known for word in words),
        at=(min(start for start, _ in places), max(end for _, end in places)) if places else (0, 0),
        data=Data(
            origins=tuple(dict.fromkeys(origin for word in words for origin in word.data.origins)),
            files=tuple(dict.fromkeys(file for word in words for file in word.data.files)),
        ),
    )


def readings(words: Sequence[Word]) -> list[Word]:
    """Return words that become one text of shell code: as they are, and with the quotes that were around one of them.

    The second is not what runs, but what `watch sh -c 'git gc'` is meant to do; some programs do keep the quotes.
    """
    plain = join(words)
    if len(words) < 2 or not any(" " in word.text for word in words[1:]):
        return [plain]
    return [plain, join([words[0], *map(quoted, words[1:])])]


def quoted(word: Word) -> Word:
    """Return the word as a shell would have to read it to get it back; one that is not known stays as it is written."""
    if not word.known or (word.text and SAFE.issuperset(word.text)):
        return word
    return with_text(word, in_quotes(word.text))


def in_quotes(text: str) -> str:
    """Return a text as a shell would have to read it to get it back, whatever it is."""
    inner = text.replace("'", "'\\''")
    return f"'{inner}'"


def split(word: Word) -> tuple[Word, ...]:
    """Return the words in a text that a program splits itself: at blanks, with quotes and backslashes as in a shell."""
    return tuple(with_text(word, piece) for piece in pieces(word.text))


def pieces(text: str) -> list[str]:
    """Return the texts of `split`."""
    found: list[str] = []
    piece: list[str] | None = None
    quote, at = "", 0
    while at < len(text):
        char = text[at]
        at += 1
        if char == "\\" and quote != "'" and at < len(text):
            piece = [] if piece is None else piece
            if quote and text[at] not in '"\\$`':
                piece.append(char)
            piece.append(text[at])
            at += 1
        elif quote:
            if char == quote:
                quote = ""
            elif piece is not None:
                piece.append(char)
        elif char in "'\"":
            quote = char
            piece = [] if piece is None else piece
        elif char in BLANK:
            if piece is not None:
                found.append("".join(piece))
                piece = None
        else:
            piece = [] if piece is None else piece
            piece.append(char)
    return found if piece is None else [*found, "".join(piece)]


def below(base: Word | None, word: Word) -> Word:
    """Return a directory given relative to the one before; one that no system would take is not known."""
    if base is None:
        return word
    # INVARIANT: a directory over the bound is unknown.
    if len(base.text) > _LONGEST_PATH:
        return base.replace(known=False)
    # INVARIANT: a directory below an unknown one is unknown.
    return word.replace(text=joined_path(base.text, word.text), known=base.known and word.known, glob="")


def name(program: Word) -> str:
    """Return a program's name: no directories, no `.exe`, lower case."""
    return program.text.replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe")


def as_text(word: Word) -> Inner:
    """Return a text in a language of the program's own, read as written; its unknown parts are ignored."""
    return Inner(
        code=word.replace(known=True, glob="", data=word.data.replace(text=None)), language=ANY, via=INTERPRETER
    )


def assignment(word: Word) -> int:
    """Return the length of `NAME` in a word `NAME=value`, else 0: programs take names that no shell would."""
    name, equals, _ = word.text.partition("=")
    return len(name) if equals else 0


def wild(word: Word) -> bool:
    """Tell if a word that is not known might as well be an option, or nothing at all."""
    return not word.known and word.text[:1] in ("$", "`", "")


def user(word: Word | None) -> str:
    """Return the user that `root`, `#0`, `0:0` or `root@host` name; "" where that is not known."""
    if word is None or not word.known:
        return ""
    name = word.text.partition("@")[0].partition(":")[0].lstrip("#+")
    return "root" if name == "0" else name
