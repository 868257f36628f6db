"""Tcl: commands of words; the effects of `exec`, `open`, `file` and `eval`."""

from __future__ import annotations

from rulez_py.analysis.addresses import hosts_of
from rulez_py.analysis.languages.abstract_values import UNKNOWN, either, joined, known, mapped, pattern, text_of
from rulez_py.analysis.languages.actions import opened
from rulez_py.analysis.languages.effects import SHELLS, Effects
from rulez_py.analysis.languages.methods import formatted
from rulez_py.analysis.values import CODE, DELETE, INTERPRETER, LIMIT, READ, WRITE, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.languages.abstract_values import Abstract
    from rulez_py.analysis.values import Found

DEEPEST = 12
DATA = frozenset(
    (
        *("puts", "set", "lappend", "list", "string", "regexp", "regsub", "split", "join", "format", "append", "array"),
        *("llength", "lindex", "lrange", "lsort", "lsearch", "concat", "return", "incr", "info", "global", "variable"),
        *("package", "error", "close", "read", "gets", "open", "file", "source", "socket", "rename", "glob", "scan"),
        *(
            "log_user",
            "exp_internal",
            "match_max",
            "lset",
            "lreplace",
            "linsert",
            "lassign",
            "clock",
            "encoding",
            "fconfigure",
        ),
    )
)
"""Commands whose words in braces are no code."""
BLOCKS = frozenset(
    ("if", "else", "elseif", "while", "for", "foreach", "proc", "catch", "try", "then", "finally", "after")
)


def find(text: str, arguments: Sequence[Word]) -> Found:
    reader = Reader(tuple(arguments))
    reader.run(text, 0)
    return reader.effects.found()


class Reader:
    """Reads commands. `budget` bounds the text in braces that is read again."""

    def __init__(self, arguments: tuple[Word, ...]) -> None:
        self.effects = Effects()
        self.variables: dict[str, Abstract] = {"argv": joined_words(arguments)}
        self.budget = 400_000
        self.renamed: dict[str, str] = {}
        self.shells = False

    def run(self, text: str, depth: int) -> None:
        self.budget -= len(text)
        if depth > DEEPEST or self.budget < 0:
            self.effects.opaque = self.effects.opaque or LIMIT
            return
        i = 0
        while i < len(text):
            words, braced, i = self.command(text, i, depth)
            if words:
                self.do(words, braced, depth)

    def result(self, words: list[Abstract]) -> Abstract:
        """Return the value of a command in brackets."""
        name, rest = text_of(words[0]).text if words else "", words[1:]
        if name in ("list", "concat", "join", "format"):
            if name == "format":
                return formatted(text_of(rest[0]), tuple(rest[1:]), "%") if rest else UNKNOWN
            return joined_words(tuple(text_of(one) for one in rest))
        if name == "set" and rest:
            return rest[1] if len(rest) > 1 else self.variables.get(text_of(rest[0]).text, UNKNOWN)
        if name == "string" and len(rest) == 2:
            change = {"reverse": lambda text: text[::-1], "tolower": str.lower, "trim": str.strip}
            how = change.get(text_of(rest[0]).text)
            return mapped(rest[1], how) if how is not None else UNKNOWN
        if name == "lindex" and len(rest) == 2 and text_of(rest[0]).known and text_of(rest[1]).text.isdecimal():
            parts, at = text_of(rest[0]).text.split(), int(text_of(rest[1]).text[:4])
            return known(parts[at]) if at < len(parts) else UNKNOWN
        if name == "glob" and rest:
            return pattern(rest[-1])
        return UNKNOWN

    def command(self, text: str, i: int, depth: int) -> tuple[list[Abstract], list[bool], int]:
        """Return the words of the command at `i`, if each was in braces, and the index after the command."""
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
            elif text.startswith("{*}", i) and i + 3 < end and text[i + 3] not in " \t\n;":
                more, inside, i = self.command_word(text, i + 3, depth)
                for part in text_of(more).text.split() if text_of(more).known else ():
                    words.append(known(part))
                    braced.append(inside)
                if not text_of(more).known:
                    words.append(more)
                    braced.append(False)
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

    def command_word(self, text: str, i: int, depth: int) -> tuple[Abstract, bool, int]:
        """Return one word, in braces or not."""
        if text[i] == "{":
            stop = closed(text, i, "{", "}")
            return known(text[i + 1 : stop - 1]), True, stop
        word, i = self.word(text, i, depth)
        return word, False, i

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
                inner = self.command(text[i + 1 : stop - 1], 0, DEEPEST)[0] if depth < DEEPEST else []
                value, i = joined(value, self.result(inner)), stop
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
        name = self.renamed.get(name, name)
        rest = words[1:]
        if name in ("foreach", "lmap") and len(rest) > 2:
            self.each(text_of(rest[0]).text.split()[:4], text_of(rest[1]))
        if name in ("eval", "uplevel", "subst"):
            self.evaluate(rest, depth, always=name != "subst")
        elif name in BLOCKS:
            for one, inside in zip(rest, braced[1:], strict=True):
                if inside:
                    self.run(text_of(one).text, depth + 1)
        elif name in ("exec", "spawn", "exp_spawn"):
            self.execute(rest)
        elif name in ("send", "exp_send", "system", "after") and rest:
            self.given_as_text(name, rest, depth)
        elif name not in DATA and any(braced[1:]):
            for one, inside in zip(rest, braced[1:], strict=True):
                if inside:
                    self.run(text_of(one).text, depth + 1)
        elif rest:
            self.known_command(name, text_of(rest[0]), rest)

    def each(self, names: list[str], values: Word) -> None:
        """Assign each element of a list to variables."""
        text = values.text.strip()
        parts = (
            [known(text[1:-1])] if text.startswith("{") and text.endswith("}") else [known(one) for one in text.split()]
        )
        for name in names:
            self.variables[name] = either(parts) if values.known and parts else values

    def given_as_text(self, name: str, rest: list[Abstract], depth: int) -> None:
        """Follow `send "text\\r"` to a started shell, `system program words`, `after 10 command words`."""
        line = text_of(joined_words(tuple(text_of(one) for one in (rest[1:] if name == "after" else rest))))
        if name == "after":
            self.evaluate(rest[1:], depth, always=False)
        elif name == "system":
            self.effects.shell(line)
        elif self.shells and not line.text.startswith("-"):
            self.effects.shell(line.replace(text=line.text.replace("\\r", "").replace("\r", "").removesuffix("r")))

    def assign(self, how: str, name: str, given: list[Abstract]) -> None:
        """`set name value`, `append name text`, `lappend name word`."""
        before = self.variables.get(name)
        if how == "set":
            self.variables[name] = given[0] if before is None else either((before, given[0]))
            return
        added = joined_words(tuple(text_of(one) for one in given))
        between = " " if how == "lappend" and before is not None and text_of(before).text else ""
        self.variables[name] = added if before is None else joined(before, added, between)

    def known_command(self, name: str, first: Word, rest: list[Abstract]) -> None:
        """Follow a command with at least one argument, none of which is code."""
        if name in ("set", "append", "lappend") and len(rest) > 1:
            self.assign(name, first.text, rest[1:])
        elif name == "rename" and len(rest) == 2:
            self.renamed[text_of(rest[1]).text] = first.text
        elif name == "open":
            if first.text.startswith("|"):
                self.effects.shell(first.replace(text=first.text[1:].strip()))
            else:
                opened(self.effects, first, text_of(rest[1]) if len(rest) > 1 else None)
        elif name == "file" and len(rest) > 1:
            self.file(first.text, [one for one in rest[1:] if text_of(one).text not in ("-force", "--")])
        elif name == "source":
            self.effects.inner.append(Inner(file=first, language="tcl", via=INTERPRETER))
        elif name == "socket" and len(rest) > 1:
            host = text_of(rest[-2])
            for one in hosts_of(host.text) if host.known else ():
                self.effects.host(one)

    def execute(self, rest: list[Abstract]) -> None:
        """Add a program, or several with pipes and redirections as a shell has them."""
        plain = [text_of(one) for one in rest]
        while plain and plain[0].text.startswith("-"):
            plain.pop(0)
        if plain and any(one.text in ("|", ">", ">>", "<", "&", "2>") for one in plain):
            self.effects.shell(joined_words(tuple(plain)))
        elif plain:
            self.shells = self.shells or plain[0].text.rpartition("/")[2] in SHELLS
            self.effects.words(tuple(plain))

    def evaluate(self, rest: list[Abstract], depth: int, *, always: bool) -> None:
        """Read code; if not `always`, a text that may hold code."""
        code = text_of(joined_words(tuple(text_of(one) for one in rest)))
        if code.known:
            self.run(code.text, depth + 1)
        elif always:
            self.effects.opaque = self.effects.opaque or CODE

    def file(self, what: str, names: list[Abstract]) -> None:
        if what == "delete":
            for one in names:
                self.effects.touch(one, DELETE, deep=True)
        elif what in ("rename", "copy") and len(names) > 1:
            for one in names[:-1]:
                self.effects.touch(one, DELETE if what == "rename" else READ, deep=what == "rename")
            self.effects.touch(names[-1], WRITE)
        elif what == "mkdir":
            for one in names:
                self.effects.touch(one, WRITE)


def joined_words(words: Sequence[Word]) -> Word:
    whole: Abstract = known("")
    for i, word in enumerate(words):
        whole = joined(whole, word, " ") if i else word
    return text_of(whole)


def closed(text: str, i: int, opener: str, closer: str) -> int:
    """Return the index after the bracket that closes the one at `i`."""
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
