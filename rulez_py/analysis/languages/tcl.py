"""Tcl: commands of words; what `exec`, `open`, `file` and `eval` do."""

from __future__ import annotations

from rulez_py.analysis.addresses import hosts_of
from rulez_py.analysis.languages.abstract import UNKNOWN, either, joined, known, text_of
from rulez_py.analysis.languages.actions import opened
from rulez_py.analysis.languages.findings import Findings
from rulez_py.analysis.values import CODE, DELETE, INTERPRETER, LIMIT, READ, WRITE, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.languages.abstract import Abstract
    from rulez_py.analysis.values import Found

DEEPEST = 12
BLOCKS = frozenset(
    ("if", "else", "elseif", "while", "for", "foreach", "proc", "catch", "try", "then", "finally", "after")
)


def find(text: str, arguments: Sequence[Word]) -> Found:
    reader = Reader(tuple(arguments))
    reader.run(text, 0)
    return reader.findings.found()


class Reader:
    """Reads commands; `budget` bounds the text that is read again inside braces."""

    def __init__(self, arguments: tuple[Word, ...]) -> None:
        self.findings = Findings()
        self.variables: dict[str, Abstract] = {"argv": joined_words(arguments)}
        self.budget = 400_000
        self.findings.opaque = ""

    def run(self, text: str, depth: int) -> None:
        self.budget -= len(text)
        if depth > DEEPEST or self.budget < 0:
            self.findings.opaque = self.findings.opaque or LIMIT
            return
        i = 0
        while i < len(text):
            words, braced, i = self.command(text, i, depth)
            if words:
                self.do(words, braced, depth)

    def command(self, text: str, i: int, depth: int) -> tuple[list[Abstract], list[bool], int]:
        """The words of the command at `i`, which of them stood in braces, and the place behind it."""
        words: list[Abstract] = []
        braced: list[bool] = []
        end = len(text)
        while i < end:
            c = text[i]
            if c in " \t\r":
                i += 1
            elif c in "\n;":
                return words, braced, i + 1
            elif c == "#" and not words:
                stop = text.find("\n", i)
                i = end if stop < 0 else stop
            elif text.startswith("\\\n", i):
                i += 2
            elif c == "{":
                stop = closed(text, i, "{", "}")
                words.append(known(text[i + 1 : stop - 1]))
                braced.append(True)
                i = stop
            else:
                word, i = self.word(text, i, depth)
                words.append(word)
                braced.append(False)
        return words, braced, end

    def word(self, text: str, i: int, depth: int) -> tuple[Abstract, int]:
        quoted = text[i] == '"'
        i += quoted
        value: Abstract = known("")
        start, end = i, len(text)
        while i < end:
            c = text[i]
            if (c == '"' and quoted) or (not quoted and c in " \t\n;"):
                break
            if c not in "\\$[":
                i += 1
                continue
            value = joined(value, known(text[start:i]))
            if c == "\\":
                value = joined(value, known(text[i + 1 : i + 2]))
                i += 2
            elif c == "[":
                stop = closed(text, i, "[", "]")
                self.run(text[i + 1 : stop - 1], depth + 1)
                value, i = joined(value, UNKNOWN), stop
            else:
                stop = i + 1
                while stop < end and (text[stop].isalnum() or text[stop] in "_:{}"):
                    stop += 1
                name = text[i + 1 : stop].strip("{}").removeprefix("::")
                if text.startswith("(", stop):
                    stop = max(text.find(")", stop, stop + 100) + 1, stop)
                    key = text[i + 1 : stop]
                    given: Abstract = Word(text="$" + key[4:-1], known=False) if key.startswith("env(") else UNKNOWN
                else:
                    given = self.variables.get(name, UNKNOWN)
                value, i = joined(value, given), stop
            start = i
        return joined(value, known(text[start:i])), i + quoted

    def do(self, words: list[Abstract], braced: list[bool], depth: int) -> None:
        name = text_of(words[0]).text.removeprefix("::")
        rest = words[1:]
        if name in ("eval", "uplevel", "subst"):
            self.evaluate(rest, depth, always=name != "subst")
        elif name in BLOCKS:
            for one, inside in zip(rest, braced[1:], strict=True):
                if inside:
                    self.run(text_of(one).text, depth + 1)
        elif name in ("exec", "spawn"):
            self.execute(rest)
        elif rest:
            self.known_command(name, text_of(rest[0]), rest)

    def known_command(self, name: str, first: Word, rest: list[Abstract]) -> None:
        """A command that has at least one word, and runs none of them."""
        if name == "set" and len(rest) == 2:
            before = self.variables.get(first.text)
            self.variables[first.text] = rest[1] if before is None else either((before, rest[1]))
        elif name == "open":
            if first.text.startswith("|"):
                self.findings.shell(first.replace(text=first.text[1:].strip()))
            else:
                opened(self.findings, first, text_of(rest[1]) if len(rest) > 1 else None)
        elif name == "file" and len(rest) > 1:
            self.file(first.text, [one for one in rest[1:] if text_of(one).text not in ("-force", "--")])
        elif name == "source":
            self.findings.inner.append(Inner(file=first, language="tcl", via=INTERPRETER))
        elif name == "socket" and len(rest) > 1:
            host = text_of(rest[-2])
            for one in hosts_of(host.text) if host.known else ():
                self.findings.host(one)

    def execute(self, rest: list[Abstract]) -> None:
        """A program, or several with what a shell would do between them."""
        plain = [text_of(one) for one in rest]
        while plain and plain[0].text.startswith("-"):
            plain.pop(0)
        if plain and any(one.text in ("|", ">", ">>", "<", "&", "2>") for one in plain):
            self.findings.shell(joined_words(tuple(plain)))
        elif plain:
            self.findings.words(tuple(plain))

    def evaluate(self, rest: list[Abstract], depth: int, *, always: bool) -> None:
        """Code; where it is not `always`, a text in which code may stand."""
        code = text_of(joined_words(tuple(text_of(one) for one in rest)))
        if code.known:
            self.run(code.text, depth + 1)
        elif always:
            self.findings.opaque = self.findings.opaque or CODE

    def file(self, what: str, names: list[Abstract]) -> None:
        if what == "delete":
            for one in names:
                self.findings.touch(one, DELETE, deep=True)
        elif what in ("rename", "copy") and len(names) > 1:
            for one in names[:-1]:
                self.findings.touch(one, DELETE if what == "rename" else READ, deep=what == "rename")
            self.findings.touch(names[-1], WRITE)
        elif what == "mkdir":
            for one in names:
                self.findings.touch(one, WRITE)


def joined_words(words: Sequence[Word]) -> Word:
    whole: Abstract = known("")
    for i, word in enumerate(words):
        whole = joined(whole, word, " ") if i else word
    return text_of(whole)


def closed(text: str, i: int, opener: str, closer: str) -> int:
    """The place behind the bracket that closes the one at `i`."""
    depth = 0
    while i < len(text):
        c = text[i]
        if c == "\\":
            i += 1
        elif c == opener:
            depth += 1
        elif c == closer:
            depth -= 1
            if not depth:
                return i + 1
        i += 1
    return len(text) + 1
