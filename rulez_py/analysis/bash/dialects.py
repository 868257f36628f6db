"""Shells whose language is not bash's: their code written as bash would have it, as far as that goes.

What is a block there becomes a plain row of commands: all of them may run, and that is what matters. What no such
reading fits is left as it is, and bash's grammar finds it broken.
"""

from __future__ import annotations

from rulez_py.analysis.record import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SET = "set-variable"
"""The command that an assignment of a list is translated to (`builtins`)."""
_QUOTES = frozenset("'\"")
_STARTS = frozenset(";|&\n({")
_BLANK = " \t"
_WORD_END = frozenset(" \t\n;|&()<>{}")
_LONGEST_NAME, _LONGEST_CODE = 60, 2_000
_DIGITS = {"x": 2, "X": 2, "u": 4, "U": 8}
_HEX = frozenset("0123456789abcdefABCDEF")


class _Dialect(Value):
    """What is particular to one.

    Words that begin a command: those that are left out (`drops`), that are replaced (`renames`), whose first
    operand is a variable (`assigns`; `lists` where a list in parentheses follows), after which a condition in
    parentheses is (`conditions`) or all up to a colon (`heads`). And operators.
    """

    drops: frozenset[str] = frozenset()
    renames: Mapping[str, str] = {}
    assigns: frozenset[str] = frozenset()
    lists: frozenset[str] = frozenset()
    conditions: frozenset[str] = frozenset()
    heads: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = ()
    blocks: bool = False
    substitutes: bool = False
    escapes: bool = False
    captures: bool = False


_ZSH = _Dialect(lists=frozenset(("for", "foreach")), renames={"end": ":"})
_FISH = _Dialect(
    drops=frozenset(("and", "or", "not", "begin", "if", "else", "while", "time")),
    renames={"end": ":", "switch": ":", "case": ":", "function": ":"},
    assigns=frozenset(("set", "for")),
    substitutes=True,
    escapes=True,
)
_CSH = _Dialect(
    drops=frozenset(("else", "endif", "then", "nohup", "time")),
    renames={"end": ":", "endsw": ":", "breaksw": ":", "case": ":", "default:": ":", "@": ":", "onintr": ":"},
    assigns=frozenset(("set", "setenv", "foreach")),
    conditions=frozenset(("if", "while", "switch")),
)
_NU = _Dialect(
    drops=frozenset(("if", "else", "do", "try", "catch", "loop", "while", "ignore", "run-external")),
    renames={"def": ":", "match": ":", "use": ":", "export": ":", "each": ":", "par-each": ":"},
    assigns=frozenset(("let", "mut", "const", "for")),
    prefixes=("^",),
    blocks=True,
    substitutes=True,
)
_ELVISH = _NU.replace(
    drops=frozenset(("if", "elif", "else", "while", "try", "catch", "finally", "run-parallel")),
    renames={"fn": ":", "use": ":", "each": ":", "peach": ":"},
    assigns=frozenset(("var", "set", "tmp", "for")),
    prefixes=("e:",),
)
_XONSH = _Dialect(
    heads=frozenset(("for", "if", "while", "with", "def", "elif", "else", "try", "except", "finally", "class")),
    captures=True,
)
_READ = {"zsh": _ZSH, "fish": _FISH, "csh": _CSH, "nu": _NU, "elvish": _ELVISH, "xonsh": _XONSH}
"""How each language is read."""


def translated(language: str, text: str) -> str:
    """Return code of another shell as bash would have it."""
    if language == "cmd":
        from rulez_py.analysis.bash import cmd

        return cmd.translated(text)
    return _Translator(_READ[language], _with_qualifiers(text) if language == "zsh" else text).done()


def _with_qualifiers(text: str) -> str:
    """Return zsh's code with the CODE of `*(e:CODE:)` beside the pattern."""
    found: list[str] = []
    at = 0
    while (start := text.find("(e", at)) >= 0:
        char = text[start + 2 : start + 3]
        stop = (
            text.find(char + ")", start + 3, start + _LONGEST_CODE)
            if char and not char.isalnum() and char not in " )"
            else -1
        )
        if stop < 0 or text[start - 1 : start] in ("", "{", *_STARTS, *_BLANK):
            found.append(text[at : start + 2])
            at = start + 2
            continue
        found.append(text[at:start] + " $(" + text[start + 3 : stop].strip("'\"") + ")")
        at = stop + 2
    return "".join(found) + text[at:]


class _Translator:
    def __init__(self, dialect: _Dialect, text: str) -> None:
        self.dialect = dialect
        self.text = text
        self.at = 0
        self.found: list[str] = []
        self.starts = True
        """True if a command begins here."""
        self.brackets = 0

    def done(self) -> str:
        text, dialect = self.text, self.dialect
        while self.at < len(text):
            char = text[self.at]
            if char in _QUOTES:
                self._quoted(char)
            elif char == "\\":
                self._escaped()
            elif char == "#" and text[self.at - 1 : self.at] in ("", " ", "\t", "\n", ";"):
                stop = text.find("\n", self.at)
                self.at = len(text) if stop < 0 else stop
            elif self.starts and char not in _STARTS and char not in _BLANK:
                self._word()
            elif dialect.blocks and char in "{}":
                self._block()
            elif dialect.captures and self._capture():
                pass
            else:
                if char == "(" and dialect.substitutes and text[self.at - 1 : self.at] != "$":
                    self.found.append("$")
                self.found.append(char)
                self.starts = char in _STARTS or (self.starts and char in _BLANK)
                self.at += 1
        return "".join(self.found)

    def _quoted(self, quote: str) -> None:
        """Copy a text in quotes. In fish a backslash escapes inside of single quotes, too."""
        self.starts = False
        stop = self.at + 1
        while stop < len(self.text) and self.text[stop] != quote:
            stop += 2 if self.text[stop] == "\\" and (quote == '"' or self.dialect.escapes) else 1
        inner = self.text[self.at + 1 : stop]
        if quote == "'" and self.dialect.escapes:
            inner = inner.replace("\\'", "'\\''").replace("\\\\", "\\")
        self.found.append(quote + inner + self.text[stop : stop + 1])
        self.at = stop + 1

    def _escaped(self) -> None:
        self.starts = False
        text, at = self.text, self.at
        kind = text[at + 1 : at + 2]
        stop = at + 2
        if self.dialect.escapes and kind in _DIGITS:
            while stop < len(text) and stop - at - 2 < _DIGITS[kind] and text[stop] in _HEX:
                stop += 1
        if stop > at + 2:
            self.found.append("$'\\U" + f"{min(int(text[at + 2 : stop], 16), 0x10FFFF):08x}'")
        else:
            self.found.append(text[at:stop])
        self.at = stop

    def _word(self) -> None:
        """Translate the first word of a command."""
        text, dialect, stop = self.text, self.dialect, self.at
        if dialect.captures and self._capture():
            return
        while stop < len(text) and text[stop] not in _WORD_END and text[stop] not in "'\"\\":
            stop += 1
        word = text[self.at : stop]
        whole = text[stop : stop + 1] in ("", *_WORD_END)
        self.starts = False
        if stop == self.at:
            self.found.append(text[stop])
            self.at += 1
            return
        self.at = stop
        prefix = next((one for one in dialect.prefixes if word.startswith(one)), "")
        if not whole:
            self.found.append(word[len(prefix) :])
        elif word in dialect.heads:
            self._head()
        elif word in dialect.drops:
            self.starts = not self._ends()
            if not self.starts:
                self.found.append(":")
        elif word in dialect.conditions:
            self._condition()
        elif word in dialect.assigns or (word in dialect.lists and self._names_list()):
            self._assignment()
        else:
            self.found.append(dialect.renames.get(word, word[len(prefix) :]))

    def _head(self) -> None:
        """Skip what is before the colon of a line of Python."""
        depth = 0
        while self.at < len(self.text) and self.text[self.at] != "\n":
            char = self.text[self.at]
            self.at += 1
            depth += (char in "([{") - (char in ")]}")
            if char == ":" and depth <= 0:
                break
        self.found.append("\n")
        self.starts = True

    def _condition(self) -> None:
        """Skip a condition in parentheses, but for its substitutions."""
        self._past_blanks()
        if self.text[self.at : self.at + 1] == "(":
            depth, start = 0, self.at
            while self.at < len(self.text):
                char = self.text[self.at]
                depth += (char == "(") - (char == ")")
                self.at += 1
                if not depth:
                    break
            inner = self.text[start : self.at]
            if "`" in inner or "$(" in inner:
                self.found.append(": " + inner[1:-1] + "\n")
        self.starts = True

    def _assignment(self) -> None:
        """Translate the name and words of `set -l name a b`, `let name = a` or `for name in a b`."""
        self.found.append(SET)
        while True:
            self._past_blanks()
            stop = self.at
            while stop < len(self.text) and self.text[stop] not in _WORD_END and self.text[stop] != "=":
                stop += 1
            word = self.text[self.at : stop]
            if not word.startswith("-") or stop == self.at:
                break
            self.at = stop
        self.at = stop
        self.found.append(f" {word} ")
        self._past_blanks()
        if self.text[self.at : self.at + 1] == "=":
            self.at += 1
        elif self.text[self.at : self.at + 3] == "in ":
            self.at += 2
        self._past_blanks()
        if not self.dialect.substitutes and self.text[self.at : self.at + 1] == "(":
            stop = self.text.find(")", self.at)
            stop = len(self.text) if stop < 0 else stop
            self.found.append(self.text[self.at + 1 : stop])
            self.at = stop + 1
            if not self._ends():
                self.found.append("\n")
                self.starts = True

    def _names_list(self) -> bool:
        """Tell if a name and a list in parentheses come next."""
        name, char, _ = self.text[self.at : self.at + _LONGEST_NAME].partition("(")
        return bool(char) and name.strip().isidentifier()

    def _ends(self) -> bool:
        """Tell if nothing more of the command comes."""
        self._past_blanks()
        return self.text[self.at : self.at + 1] in ("", ";", "\n", "}")

    def _past_blanks(self) -> None:
        while self.text[self.at : self.at + 1] in (" ", "\t"):
            self.at += 1

    def _next(self) -> None:
        """Skip an operator that ends a command, and a semicolon after it."""
        self.at += 1
        self.found.append("\n")
        self.starts = True
        self._past_blanks()
        if self.text[self.at : self.at + 1] == ";":
            self.at += 1

    def _block(self) -> None:
        """Read the body of `{ ... }` or `{|a| ... }`."""
        opens = self.text[self.at] == "{"
        self._next()
        if opens:
            self._past_blanks()
            if self.text[self.at : self.at + 1] == "|":
                stop = self.text.find("|", self.at + 1)
                self.at = self.at + 1 if stop < 0 else stop + 1

    def _capture(self) -> bool:
        """Translate xonsh's `![...]`, `$[...]` or `!(...)`, and tell if one came next."""
        start = self.text[self.at : self.at + 2]
        if start in ("![", "$["):
            self.found.append("\n")
            self.brackets += 1
            self.starts = True
            self.at += 2
        elif start in ("!(", "@("):
            self.found.append("$(")
            self.starts = start == "!("
            self.at += 2
        elif self.text[self.at] == "]" and self.brackets:
            self.brackets -= 1
            self._next()
        else:
            return False
        return True
