"""awk: the commands it runs, and the files it reads and writes by redirection."""

from __future__ import annotations

from rulez_py.analysis.addresses import hosts_of
from rulez_py.analysis.languages.abstract_values import (
    UNKNOWN,
    either,
    environment,
    first_of,
    joined,
    known,
    mapped,
    text_of,
)
from rulez_py.analysis.languages.effects import SHELLS, Effects
from rulez_py.analysis.languages.methods import formatted
from rulez_py.analysis.languages.tokens import (
    LINE,
    NAME,
    NUMBER,
    OPERATOR,
    TEXT,
    Scan,
    Syntax,
    plain,
    regex,
    to_line_end,
)
from rulez_py.analysis.values import CODE, LIMIT, READ, WRITE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.languages.abstract_values import Abstract
    from rulez_py.analysis.languages.tokens import Token
    from rulez_py.analysis.values import Found, Word

SPECIAL = ("/dev/stdout", "/dev/stderr", "-", "/dev/stdin", "/dev/tty", "/dev/null")
MOST, DEEPEST = 200, 20
OPENERS, CLOSERS = ("(", "[", "{"), (")", "]", "}")


def _string(scan: Scan, i: int) -> int:
    body, after = plain(scan.text, i + 1, '"')
    scan.tokens.append((TEXT, (body,)))
    return after


def _continued(scan: Scan, i: int) -> int:
    return i + 2 if scan.text.startswith("\n", i + 1) else 0


SYNTAX = Syntax({'"': _string, "#": to_line_end, "/": regex, "\\": _continued}, lines=True)


def find(text: str, arguments: Sequence[Word]) -> Found:
    scan = Scan(text, SYNTAX)
    scan.run()
    program = Program()
    for statement in statements(scan.tokens):
        program.assignments(statement)
    for statement in statements(scan.tokens):
        program.statement(statement)
    if scan.full:
        program.effects.opaque = LIMIT
    return program.effects.found()


def statements(tokens: Sequence[Token]) -> list[list[Token]]:
    """Return the tokens between `;`, ends of lines and braces."""
    found: list[list[Token]] = [[]]
    for token in tokens:
        kind, value = token
        if kind == LINE or (kind == OPERATOR and value in (";", "{", "}")):
            found.append([])
        else:
            found[-1].append(token)
    return [one for one in found if one]


class Program:
    """The effects of one program. A variable has any of the values assigned to it."""

    def __init__(self) -> None:
        self.effects = Effects()
        self.variables: dict[str, Abstract] = {}

    def assignments(self, tokens: list[Token]) -> None:
        """Collect the values of variables. A variable changed by `sub` or `gsub` is unknown."""
        for i, (kind, value) in enumerate(tokens):
            if kind == NAME and value in ("sub", "gsub") and tokens[i + 1 : i + 2] == [(OPERATOR, "(")]:
                end = skip(tokens, i + 1)
                if tokens[end - 2][0] == NAME:
                    self.variables[tokens[end - 2][1]] = UNKNOWN
        for i in range(len(tokens) - 1):
            if tokens[i][0] == NAME and tokens[i + 1] == (OPERATOR, "=") and not (i and tokens[i - 1][0] == NAME):
                name = tokens[i][1]
                value = self.value(tokens[i + 2 :])
                self.variables[name] = either((self.variables[name], value)) if name in self.variables else value
                return

    def value(self, tokens: Sequence[Token], depth: int = 0) -> Abstract:
        """Return concatenated texts and variables; anything else is unknown."""
        whole: Abstract = None
        cut, tokens = len(tokens) > MOST or depth >= DEEPEST, tokens[:MOST]
        i, count = 0, len(tokens) if depth < DEEPEST else 0
        while i < count:
            kind, value = tokens[i]
            part: Abstract = UNKNOWN
            i += 1
            if kind == TEXT:
                part = known(value[0])
            elif kind == NUMBER:
                part = known(value)
            elif kind == NAME:
                part, i = self.named(value, tokens, i, depth)
            elif (kind, value) == (OPERATOR, "("):
                end = skip(tokens, i - 1)
                part, i = self.value(tokens[i : end - 1], depth + 1), end
            elif (kind, value) == (OPERATOR, "$"):
                i = skip(tokens, i) if i < count and tokens[i][1] == "(" else i + 1
            elif kind == OPERATOR and value in (",", ")", "]"):
                break
            whole = part if whole is None else joined(whole, part)
        else:
            # INVARIANT: a text that is cut off is unknown.
            whole = joined(whole, UNKNOWN) if cut and whole is not None else whole
        return UNKNOWN if whole is None else whole

    def named(self, name: str, tokens: Sequence[Token], i: int, depth: int) -> tuple[Abstract, int]:
        """Return the value of a variable or a call, and the index after it."""
        if name == "ENVIRON" and i + 1 < len(tokens) and tokens[i + 1][0] == TEXT:
            return environment(tokens[i + 1][1][0]), i + 3
        if i >= len(tokens) or tokens[i] not in ((OPERATOR, "("), (OPERATOR, "[")):
            return self.variables.get(name, UNKNOWN), i
        end = skip(tokens, i)
        if name not in ("sprintf", "tolower"):
            return UNKNOWN, end
        given = self.values(tokens[i + 1 : end - 1], depth + 1)
        text = formatted(first_of(given[0]), tuple(given[1:]), "%") if given else UNKNOWN
        return mapped(text, str.lower) if name == "tolower" else text, end

    def values(self, tokens: Sequence[Token], depth: int = 0) -> list[Abstract]:
        """Return the values separated by commas."""
        found: list[Abstract] = []
        start = nested = 0
        for i, (kind, value) in enumerate((*tokens, (OPERATOR, ","))):
            nested += ((value in OPENERS) - (value in CLOSERS)) if kind == OPERATOR else 0
            if (kind, value) == (OPERATOR, ",") and not nested:
                found.append(self.value(tokens[start:i], depth))
                start = i + 1
        return found

    def statement(self, tokens: list[Token]) -> None:
        printing = next((i for i, token in enumerate(tokens) if token in ((NAME, "print"), (NAME, "printf"))), -1)
        depth = 0
        for i, (kind, value) in enumerate(tokens):
            if kind == NAME and value == "system" and tokens[i + 1 : i + 2] == [(OPERATOR, "(")]:
                self.effects.shell(self.value(tokens[i + 2 : min(skip(tokens, i + 1) - 1, i + MOST + 3)]))
            elif (kind, value) == (OPERATOR, "@") and tokens[i + 2 : i + 3] == [(OPERATOR, "(")]:
                if text_of(self.variables.get(tokens[i + 1][1], UNKNOWN)).text == "system":
                    self.effects.shell(self.value(tokens[i + 3 : skip(tokens, i + 2) - 1]))
            elif kind == NAME and value == "getline":
                self.getline(tokens, i)
            elif kind != OPERATOR:
                continue
            elif value in OPENERS:
                depth += 1
            elif value in CLOSERS:
                depth -= 1
            elif not depth and 0 <= printing < i and value in (">", ">>", "|", "|&"):
                if tokens[i + 1 : i + 2] == [(NAME, "getline")]:
                    continue
                if value in (">", ">>"):
                    self.file(self.value(tokens[i + 1 :]), WRITE)
                else:
                    self.piped(tokens[printing + 1 : i], self.value(tokens[i + 1 :]))
                return

    def piped(self, printed: list[Token], command: Abstract) -> None:
        """Add the effects of `print text | "command"`; a shell runs the text."""
        self.effects.shell(command)
        words = text_of(command).text.split()
        options = [word for word in words[1:] if word.startswith("-") and "c" not in word]
        if words and len(words) == 1 + len(options) and words[0].rpartition("/")[2] in SHELLS:
            parts = self.values(
                printed[1:-1] if printed[:1] == [(OPERATOR, "(")] and printed[-1:] == [(OPERATOR, ")")] else printed
            )
            first, *others = parts or [UNKNOWN]
            given = first_of(formatted(first_of(first), tuple(others), "%") if others else first)
            self.effects.shell(given)
            if not given.known:
                self.effects.opaque = CODE

    def getline(self, tokens: list[Token], i: int) -> None:
        """Add the effects of `"command" | getline x` and `getline x < "file"`."""
        if i and tokens[i - 1] in ((OPERATOR, "|"), (OPERATOR, "|&")):
            start, depth = i - 2, 0
            while start >= max(0, i - MOST):
                kind, value = tokens[start]
                if kind == NAME and value == "getline":
                    break
                if kind == OPERATOR and value in CLOSERS:
                    depth += 1
                elif kind == OPERATOR and value in OPENERS:
                    if not depth:
                        break
                    depth -= 1
                elif not depth and (kind == OPERATOR and value in ("=", "&&", "||", "!", ",", ";")):
                    break
                start -= 1
            self.effects.shell(self.value(tokens[start + 1 : i - 1]))
            return
        for k in range(i + 1, min(i + 8, len(tokens))):
            if tokens[k] == (OPERATOR, "<"):
                self.file(self.value(tokens[k + 1 :]), READ)
                return

    def file(self, value: Abstract, access: str) -> None:
        word = text_of(value)
        if word.text.startswith(("/inet", "/inet4", "/inet6")) and word.text.count("/") >= 5:
            for host in hosts_of(word.text.split("/")[4]):
                self.effects.host(host)
        elif word.text not in SPECIAL:
            self.effects.touch(value, access)


def skip(tokens: Sequence[Token], i: int) -> int:
    """Return the index after the bracket that closes the one at `i`."""
    depth = 0
    for at in range(i, min(len(tokens), i + MOST)):
        kind, value = tokens[at]
        if kind == OPERATOR and value in OPENERS:
            depth += 1
        elif kind == OPERATOR and value in CLOSERS:
            depth -= 1
            if depth <= 0:
                return at + 1
    return len(tokens)
