"""Splits code into tokens, by a table of handlers for the first character of a token.

A token is a pair of kind and value. The value is text, but for TEXT and SHELL (a tuple of parts: text, or the tokens of
an expression inside), WORDS (a tuple of texts) and LINE (the width of its indentation).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Token = tuple[str, Any]
    Handler = Callable[["Scan", int], int]
    Hole = Callable[["Scan", int], tuple[Any, int] | None]

NAME, VARIABLE, NUMBER, TEXT, SHELL, WORDS, OPERATOR, LINE = (
    *("name", "variable", "number", "text", "shell"),
    *("words", "operator", "line"),
)
OPERATORS = frozenset(
    (
        *(
            "=>",
            "->",
            "::",
            "==",
            "!=",
            "<=",
            ">=",
            "&&",
            "||",
            "..",
            "...",
            "?.",
            "**",
            "//",
            "<<",
            ">>",
            "+=",
            "-=",
            ".=",
        ),
        *(":=", "=~", "!~", "<-", "|>", "|&", "===", "!==", "??", "||=", "*=", "/=", "<=>", "<<-", "++", "--"),
    )
)
PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
DEEPEST = 12
MOST = 20_000
ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "e": "\x1b",
    "\n": "",
}
UNKNOWN_PART: tuple[Token, ...] = ((VARIABLE, "_"),)


class Syntax:
    """Tokens of a language: `handlers` by first character, and if the end of a line ends a statement (`lines`)."""

    def __init__(self, handlers: dict[str, Handler], *, lines: bool = False, names: str = "_") -> None:
        self.handlers = handlers
        self.lines = lines
        self.names = frozenset(names)


class Scan:
    """One pass over `text`, which collects `tokens`.

    INVARIANT: `full` is set where a bound leaves code unread, in the parts of a string too.
    """

    def __init__(self, text: str, syntax: Syntax, depth: int = 0) -> None:
        self.text = text
        self.syntax = syntax
        self.depth = depth
        self.tokens: list[Token] = []
        self.full = False
        self.pending: list[tuple[str, bool, bool, int]] = []
        self.no_regex_before = 0

    def run(self, i: int = 0, closer: str = "") -> int:
        """Read up to a `closer` outside brackets, or to the end. Return the index after it."""
        text, end, tokens = self.text, len(self.text), self.tokens
        handlers, names, lines = self.syntax.handlers, self.syntax.names, self.syntax.lines
        open_brackets: list[str] = []
        while i < end:
            c = text[i]
            if c == " " or c == "\t" or c == "\r":
                i += 1
            elif c == "\n":
                i = self._line(i, lines and "(" not in open_brackets and "[" not in open_brackets[-1:])
            elif (handler := handlers.get(c)) is not None and (after := handler(self, i)) > i:
                i = after
            elif c.isalpha() or c in names:
                start = i
                i += 1
                while i < end and ((c := text[i]).isalnum() or c in names):
                    i += 1
                tokens.append((NAME, text[start:i]))
            elif c.isdigit():
                start = i
                while i < end and (text[i].isalnum() or (text[i] == "." and text[i + 1 : i + 2].isdigit())):
                    i += 1
                tokens.append((NUMBER, text[start:i]))
            else:
                if c == closer and not open_brackets:
                    return i + 1
                if c in "([{":
                    open_brackets.append(c)
                elif c in ")]}" and open_brackets:
                    open_brackets.pop()
                size = 3 if text[i : i + 3] in OPERATORS else 2 if text[i : i + 2] in OPERATORS else 1
                tokens.append((OPERATOR, text[i : i + size]))
                i += size
            if len(tokens) > MOST:
                self.full = True
                return end
        return end

    def _line(self, i: int, ends: bool) -> int:
        text = self.text
        i += 1
        for tag, indented, raw, at in self.pending:
            i = self._here(i, tag, indented, raw, at)
        self.pending.clear()
        start = i
        while text.startswith((" ", "\t"), i):
            i += 1
        if ends:
            self.tokens.append((LINE, i - start))
        return i

    def _here(self, i: int, tag: str, indented: bool, raw: bool, at: int) -> int:
        """Read a here-document that begins at `i`, and put its text into the token that announced it."""
        text, body = self.text, []
        while i < len(text):
            stop = text.find("\n", i)
            stop = len(text) if stop < 0 else stop
            line = text[i:stop]
            i = stop + 1
            if (line.strip() if indented else line).rstrip(";") == tag:
                break
            body.append(line.lstrip() if indented else line)
        value = "\n".join(body) + "\n"
        self.tokens[at] = (TEXT, (value,) if raw else split(value, self))
        return min(i, len(text))

    def here(self, tag: str, *, indented: bool, raw: bool) -> None:
        """Announce a here-document, whose body begins in the next line."""
        if len(self.pending) < 20:
            self.pending.append((tag, indented, raw, len(self.tokens)))
        self.tokens.append((TEXT, ("<<" + tag,)))

    def part(self, text: str, deepest: int) -> Scan:
        """Return a pass over a text inside this one, which reads nothing at the bound."""
        found = Scan(text, self.syntax, self.depth + 1)
        if self.depth < deepest:
            found.run()
        self.full = self.full or found.full or self.depth >= deepest
        return found

    def inside(self, i: int, closer: str) -> tuple[tuple[Token, ...], int]:
        """Return the tokens of an expression inside a string, from `i` up to `closer`, and the index after it."""
        if self.depth >= DEEPEST:
            self.full = True
            return UNKNOWN_PART, i
        part = Scan(self.text, self.syntax, self.depth + 1)
        after = part.run(i, closer)
        self.full = self.full or part.full
        return tuple(part.tokens) or UNKNOWN_PART, after

    def operand_before(self) -> bool:
        """Tell if the last token is a value, so that `/` divides."""
        if not self.tokens:
            return False
        kind, value = self.tokens[-1]
        if kind == NAME:
            return value not in ("return", "typeof", "case", "in", "of", "and", "or", "not", "if", "unless", "split")
        return kind not in (OPERATOR, LINE) or value in (")", "]", "}", "++", "--")


def split(text: str, scan: Scan) -> tuple[Any, ...]:
    """Return the parts of a here-document's body."""
    marks = scan.syntax.handlers.get("interpolation")
    if marks is None:
        return (text,)
    if scan.depth >= DEEPEST:
        scan.full = True
        return (text,)
    part = Scan(text, scan.syntax, scan.depth + 1)
    marks(part, 0)
    scan.full = scan.full or part.full
    return part.tokens[0][1] if part.tokens else (text,)


def unescape(text: str, i: int, keep: bool = False) -> tuple[str, int]:
    """Return the text of the escape at `i`, and the index after it."""
    c = text[i + 1 : i + 2]
    if c in ("x", "u", "U"):
        if text.startswith("{", i + 2):
            stop = text.find("}", i + 3, i + 12)
            digits, after = text[i + 3 : max(stop, i + 3)], stop + 1
        else:
            after = i + 2 + {"x": 2, "u": 4, "U": 8}[c]
            digits = text[i + 2 : after]
        try:
            return chr(int(digits, 16)), after
        except (ValueError, OverflowError):
            return c, i + 2
    if "0" <= c <= "7" and c:
        after = i + 2
        while after < i + 4 and text[after : after + 1] in ("0", "1", "2", "3", "4", "5", "6", "7"):
            after += 1
        return chr(int(text[i + 1 : after], 8)), after
    if c in ESCAPES:
        return ESCAPES[c], i + 2
    return ("\\" + c if keep and c not in "\\'\"" else c), i + 2


def closing(text: str, i: int, mark: str) -> int:
    """Return the index of the first `mark` from `i` on that no backslash escapes; -1 where there is none."""
    stop = text.find(mark, i)
    while stop >= 0:
        slash = text.find("\\", i, stop)
        if slash < 0:
            return stop
        i = slash + 2
        if i > stop:
            stop = text.find(mark, i)
    return -1


def plain(text: str, i: int, mark: str, escapes: str = "all") -> tuple[str, int]:
    """Return the string that began before `i`, which has no expressions, and the index after it.

    `escapes`: all, keep (unknown ones stay), few (of backslash and mark), none, verbatim (no mark is escaped).
    """
    stop = closing(text, i, mark) if escapes != "verbatim" else text.find(mark, i)
    stop = len(text) if stop < 0 else stop
    body, after = text[i:stop], stop + len(mark)
    if "\\" not in body or escapes in ("none", "verbatim"):
        return body, after
    if escapes == "few":
        return body.replace("\\\\", "\0").replace("\\" + mark, mark).replace("\0", "\\"), after
    out: list[str] = []
    k = 0
    while (slash := body.find("\\", k)) >= 0:
        out.append(body[k:slash])
        piece, k = unescape(body, slash, escapes == "keep")
        out.append(piece)
    return "".join(out) + body[k:], after


def filled(
    scan: Scan,
    i: int,
    mark: str,
    opens: Hole,
    *,
    raw: bool = False,
    keep: bool = False,
) -> tuple[tuple[Any, ...], int]:
    """Return the parts of a string with expressions that began before `i`, and the index after it.

    `opens` reads an expression at an index. It returns a part and the index after it, or None where none begins.
    """
    text, end = scan.text, len(scan.text)
    opener = next((one for one, other in PAIRS.items() if other == mark), "")
    parts: list[Any] = []
    letters: list[str] = []
    nested = 0
    while i < end:
        c = text[i]
        if c == "\\":
            piece, after = (text[i : i + 2], i + 2) if raw else unescape(text, i, keep)
            letters.append(piece)
            i = after
            continue
        if c == mark[0] and text.startswith(mark, i):
            if not nested:
                i += len(mark)
                break
            nested -= 1
        elif c == opener:
            nested += 1
        found = opens(scan, i)
        if found is None:
            letters.append(c)
            i += 1
            continue
        part, i = found
        if isinstance(part, str):
            letters.append(part)
        else:
            parts += ["".join(letters), part] if letters else [part]
            letters = []
    parts += ["".join(letters)] if letters or not parts else []
    return tuple(parts), i


def nested(text: str, i: int, opener: str) -> tuple[str, int]:
    """Return the text between `opener` at `i - 1` and its counterpart, nested ones counted, and the index after it."""
    mark = PAIRS.get(opener, opener)
    start, depth, end = i, 0, len(text)
    while i < end:
        c = text[i]
        if c == "\\":
            i += 1
        elif c == mark:
            if not depth:
                return text[start:i], i + 1
            depth -= 1
        elif c == opener:
            depth += 1
        i += 1
    return text[start:], end


def to_line_end(scan: Scan, i: int) -> int:
    """Skip a comment up to the end of its line."""
    stop = scan.text.find("\n", i)
    return len(scan.text) if stop < 0 else stop


def slashes(scan: Scan, i: int) -> int:
    """Skip the comments `//` and `/* */`; return 0 for any other slash."""
    if scan.text.startswith("//", i):
        return to_line_end(scan, i)
    if scan.text.startswith("/*", i):
        stop = scan.text.find("*/", i + 2)
        return len(scan.text) if stop < 0 else stop + 2
    return 0


def regex(scan: Scan, i: int) -> int:
    """Read a pattern between slashes; return 0 for a division, which follows a value."""
    if scan.operand_before() or i < scan.no_regex_before:
        return 0
    text, k, bracket = scan.text, i + 1, False
    while k < len(text) and text[k] != "\n":
        c = text[k]
        if c == "\\":
            k += 1
        elif c == "[":
            bracket = True
        elif c == "]":
            bracket = False
        elif c == "/" and not bracket:
            k += 1
            while k < len(text) and text[k].isalpha():
                k += 1
            scan.tokens.append((NAME, "RegExp"))
            return k
        k += 1
    scan.no_regex_before = k
    return 0


def quoted(
    mark: str, kind: str, opens: Callable[[Scan, int], tuple[Any, int] | None], *, keep: bool = False
) -> Handler:
    """Return a handler that reads a text between two marks into a token of `kind`; see `filled`."""

    def read(scan: Scan, i: int) -> int:
        parts, after = filled(scan, i + 1, mark, opens, keep=keep)
        scan.tokens.append((kind, parts))
        return after

    return read


def single_quoted(scan: Scan, i: int) -> int:
    """Read a text in single quotes, in which a backslash escapes only itself and the quote."""
    body, after = plain(scan.text, i + 1, "'", "few")
    scan.tokens.append((TEXT, (body,)))
    return after
