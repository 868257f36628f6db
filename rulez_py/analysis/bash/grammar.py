"""The grammar of bash, read by recursive descent: a text -> the parts of `syntax.py`.

Written for this because every byte of what a command line runs must be accounted for: tree-sitter's bash grammar takes
two here-documents on a line, `;` behind a here-document's start, `3<<<x`, `coproc` or `;&` for something else, and
then hides a command among another's words (docs/architecture.md, "Shell commands").

Nothing is refused. What no shell could read (an open quote, a stray `)`) is read as well as possible, and
`Parsed.broken` says so. Reading goes back nowhere but to tell `$((` from `$( (`, so time is linear in all but the
depth, which is bounded.

Each method has its rule in EBNF: `{ }` is any number, `[ ]` at most one, `any` a character that is not looked at.
Blanks may be between the parts of a rule above the word; it says what is read without `broken`.
"""

from __future__ import annotations

from rulez_py.analysis.bash.syntax import (
    DECLARATIONS,
    Arithmetic,
    Assignment,
    Case,
    Coprocess,
    Count,
    For,
    Function,
    Group,
    If,
    Negated,
    Pipeline,
    Redirect,
    Redirected,
    Series,
    Simple,
    Substitution,
    Test,
    Text,
    Variable,
    While,
    Written,
    is_test,
)
from rulez_py.analysis.record import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.bash.syntax import Node, Piece, Pieces

DEEPEST = 40
"""How deep constructs may nest."""

MOST_WORDS = 30_000
_LONGEST_INDEX = 1000
_LONGEST_FLAGS = 40
_BLANKS = " \t\r"
_META = frozenset(" \t\r\n|&;()<>")
_PLAIN_END = frozenset(" \t\r\n|&;()<>\\'\"$`")
_NAME_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_NAME = _NAME_START | frozenset("0123456789")
_SPECIAL = frozenset("@*#?-$!0123456789")
_REDIRECTIONS = ("<<<", "<<-", "&>>", "<<", "<>", "<&", ">>", ">|", ">&", "&>", "<", ">")
_OPERATORS = (":-", ":=", ":?", ":+", "##", "%%", "//", "^^", ",,", "/#", "/%", *"-=?+#%/^,:@")
_CLOSING = frozenset(("then", "elif", "else", "fi", "do", "done", "esac", "}"))
_ESCAPES = {"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class TooDeep(Exception):
    """More constructs in one another than DEEPEST, or more words than MOST_WORDS."""


class Parsed(Value):
    """What a text says; `broken` where no shell could read it."""

    body: Series
    broken: bool


def parse(text: str, place: tuple[int, int] | None = None) -> Parsed:
    """Return the commands of a text. Raises TooDeep.

    `place` is that of all its words, where the text is not the line itself; (0, 0) where the line does not have it.
    """
    reader = _Reader(text, place)
    return Parsed(body=reader.program(), broken=reader.broken)


def pieces(text: str) -> Pieces:
    """Return a text as in double quotes: only `$` and backticks mean something. Raises TooDeep."""
    return _Reader(text, (0, 0)).quoted(0, len(text), closing="")[0]


class _Reader:
    def __init__(self, text: str, place: tuple[int, int] | None = None) -> None:
        self.text = text
        self._place = place
        self.at = 0
        self.end = len(text)
        self.broken = False
        self._depth = 0
        self._words_read = 0
        self._documents: list[tuple[bool, bool, str, list[Redirect], int]] = []

    # Between words.

    def program(self) -> Series:
        """Return the whole text.

        program = {series [stray]}
        A stray keyword, `)`, `;;` or `;&` sets `broken` and is skipped.
        """
        items: list[tuple[Node, str]] = []
        while True:
            items.extend(self._series().items)
            if self.at >= self.end:
                break
            self.broken = True
            self._past_stray()
        return Series(items=tuple(items))

    def _past_stray(self) -> None:
        """Skip one keyword or character that cannot be read here."""
        word = self._keyword()
        self.at += len(word) if word else 1

    def _blanks(self) -> None:
        r"""Skip blanks, continued lines and comments.

        blanks = {' ' | tab | return | '\' newline | '#' {any} before a newline}
        """
        text, at, end = self.text, self.at, self.end
        while at < end:
            if text[at] in _BLANKS:
                at += 1
            elif text.startswith("\\\n", at):
                at += 2
            elif text[at] == "#":
                stop = text.find("\n", at)
                at = end if stop < 0 else stop
            else:
                break
        self.at = at

    def _newlines(self) -> None:
        """Skip blanks and ends of lines; the bodies of here-documents begin after the line that names them.

        newlines = blanks {newline {body} blanks}
        """
        self._blanks()
        while self.at < self.end and self.text[self.at] == "\n":
            self.at += 1
            self._read_documents()
            self._blanks()

    def _sees(self, token: str) -> bool:
        """Tell if a token comes next."""
        return self.text.startswith(token, self.at)

    def _keyword(self) -> str:
        """Return the unquoted plain word that starts here, or ""."""
        text, at = self.text, self.at
        if at < self.end and text[at] in "{}!":
            at += 1
        else:
            while at < self.end and text[at] in _NAME:
                at += 1
        if at < self.end and text[at] not in _META:
            return ""
        return text[self.at : at]

    def _takes(self, word: str) -> bool:
        """Skip a keyword if it comes next, and tell if it did."""
        self._newlines()
        if self._keyword() != word:
            self.broken = True
            return False
        self.at += len(word)
        return True

    # Lists and pipelines.

    def _deeper(self) -> None:
        """Count one more level of nesting; raises TooDeep at the bound."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise TooDeep

    def _series(self) -> Series:
        """Return the commands up to a token that closes, which is left to the caller.

        series = newlines {pipeline separator newlines}
        It ends at the end of the text, ')', ';;', ';&' or a keyword of `_CLOSING`.
        """
        self._deeper()
        items: list[tuple[Node, str]] = []
        while True:
            self._newlines()
            if self.at >= self.end or self.text[self.at] == ")" or self._sees(";;") or self._sees(";&"):
                break
            if self._keyword() in _CLOSING:
                break
            before = self.at
            if self._sees("&&") or self._sees("||") or self._sees("|&"):
                self.broken = True
                self.at += 2
                continue
            if self.text[self.at] in "|;" or (self._sees("&") and not self._sees("&>")):
                self.broken = True
                self.at += 1
                continue
            node = self._pipeline()
            self._blanks()
            separator = self._separator()
            if self.at == before:
                self._past_stray()
                self.broken = True
                continue
            if node is not None:
                items.append((node, separator))
        self._depth -= 1
        return Series(items=tuple(items))

    def _separator(self) -> str:
        """Return the operator after a pipeline: `;` where it is a newline or the end.

        separator = ('&&' | '||') newlines | ';' | '&' | nothing
        """
        for token in ("&&", "||"):
            if self._sees(token):
                self.at += 2
                self._newlines()
                return token
        if self._sees(";") and not self._sees(";;") and not self._sees(";&"):
            self.at += 1
        elif self._sees("&") and not self._sees("&>"):
            self.at += 1
            return "&"
        return ";"

    def _pipeline(self) -> Node | None:
        """Return a pipeline, or its command where there is one only.

        pipeline = command {('|' | '|&') newlines command}
        """
        parts: list[Node] = []
        while True:
            node = self._command()
            if node is not None:
                parts.append(node)
            self._blanks()
            if self._sees("|") and not self._sees("||"):
                self.at += 2 if self._sees("|&") else 1
                self._newlines()
            else:
                break
        if not parts:
            return None
        return parts[0] if len(parts) == 1 else Pipeline(parts=tuple(parts))

    def _command(self) -> Node | None:
        """Return one command, or None where there is none.

        command = {'!' | time} (expression redirections
            | '(' series ')' redirections
            | test redirections
            | compound redirections
            | definition
            | simple)
        compound = group | if | while | for | case | function | coprocess
        """
        negated = False
        while True:
            self._blanks()
            word = self._keyword()
            if word == "!":
                self.at += 1
                negated = not negated
            elif word == "time" and self._past_time():
                continue
            else:
                break
        if self._sees("((") and (node := self._arithmetic_command()) is not None:
            return self._redirected(node)
        if self._sees("("):
            self.at += 1
            body = self._series()
            self._close(")")
            return self._redirected(Group(body=body, subshell=True))
        if self._sees("[[") and self.text[self.at + 2 : self.at + 3] in (" ", "\t", "\n"):
            node = self._redirected(self._test())
            return Negated(body=node) if negated else node
        reader = _COMPOUND.get(word)
        if reader is not None:
            return self._redirected(reader(self))
        name = self._defined()
        if name:
            return self._function(name)
        simple = self._simple()
        if self._sees("("):
            self.broken = True
        return Negated(body=simple) if negated and simple is not None and is_test(simple) else simple

    def _past_time(self) -> bool:
        """Skip the keyword `time` with its options; skip nothing where the word calls the program of that name.

        time = 'time' {'-p' | '--'}
        """
        start = self.at
        self.at += len("time")
        while True:
            self._blanks()
            for option in ("-p", "--"):
                if self._sees(option) and self.text[self.at + 2 : self.at + 3] in ("", *_BLANKS, "\n"):
                    self.at += 2
                    break
            else:
                break
        if self.text[self.at : self.at + 1] in ("-", "", "'", '"'):
            self.at = start
            return False
        return True

    def _close(self, token: str) -> None:
        """Skip a closing operator, after ends of lines; without one the text is broken."""
        self._newlines()
        if self._sees(token):
            self.at += len(token)
        else:
            self.broken = True

    def _redirected(self, node: Node) -> Node:
        """Return a compound command with the redirections after it.

        redirections = {redirection}
        """
        redirects: list[Redirect] = []
        while True:
            self._blanks()
            if not self._redirection(redirects):
                break
        return Redirected(body=node, redirects=redirects) if redirects else node

    # Compound commands.

    def _group(self) -> Node:
        """Return commands in braces.

        group = '{' series '}'
        """
        self.at += 1
        body = self._series()
        self._takes("}")
        return Group(body=body)

    def _if(self) -> Node:
        """Return an `if`.

        if = 'if' series 'then' series {'elif' series 'then' series} ['else' series] 'fi'
        """
        branches: list[tuple[Series, Series]] = []
        otherwise = None
        self.at += len("if")
        while True:
            condition = self._series()
            self._takes("then")
            branches.append((condition, self._series()))
            self._newlines()
            if self._keyword() != "elif":
                break
            self.at += len("elif")
        if self._keyword() == "else":
            self.at += len("else")
            otherwise = self._series()
        self._takes("fi")
        return If(branches=tuple(branches), otherwise=otherwise)

    def _while(self) -> Node:
        """Return a `while` or `until`.

        while = ('while' | 'until') series do
        """
        until = self._sees("until")
        self.at += len("until" if until else "while")
        condition = self._series()
        return While(condition=condition, body=self._do(), until=until)

    def _do(self) -> Series:
        """Return the body of a loop.

        do = newlines ('do' series 'done' | '{' series '}')
        """
        self._newlines()
        if self._sees("{"):
            self.at += 1
            body = self._series()
            self._takes("}")
            return body
        self._takes("do")
        body = self._series()
        self._takes("done")
        return body

    def _for(self) -> Node:
        """Return a `for` or `select`; without `in` the words are the positional parameters.

        for = ('for' | 'select') ('((' {any} '))' | name newlines ['in' words]) [';'] do
        The text in `(( ))` is split at `;`: start, condition and step.
        """
        self.at += len("select" if self._sees("select") else "for")
        self._blanks()
        if self._sees("(("):
            start = self.at + 2
            stop = self._past_parentheses(self.at)
            head = self.text[start : stop - 2]
            inner = self._inside(start, stop - 2)
            self.at = stop
            self._blanks()
            if self._sees(";"):
                self.at += 1
            parts = head.split(";")
            return Count(pieces=inner, bounded=len(parts) < 2 or bool(parts[1].strip()), body=self._do())
        name = self._name()
        self.broken = self.broken or not name
        words: list[Written] | None = None
        self._newlines()
        if self._keyword() == "in":
            self.at += len("in")
            words = self._words()
        self._blanks()
        if self._sees(";"):
            self.at += 1
        return For(name=name, words=None if words is None else tuple(words), body=self._do())

    def _case(self) -> Node:
        """Return a `case`.

        case = 'case' word 'in' {['('] [word] {'|' [word]} ')' series [';;' | ';&' | ';;&']} newlines 'esac'
        """
        self.at += len("case")
        self._blanks()
        word = self._word() or Written(pieces=(), start=self.at, end=self.at)
        self._takes("in")
        items: list[tuple[tuple[Written, ...], Series, str]] = []
        while True:
            self._newlines()
            if self.at >= self.end or self._keyword() == "esac":
                break
            before = self.at
            if self._sees("("):
                self.at += 1
            patterns: list[Written] = []
            while True:
                self._blanks()
                pattern = self._word()
                if pattern is not None:
                    patterns.append(pattern)
                self._blanks()
                if not self._sees("|"):
                    break
                self.at += 1
            self._close(")")
            body = self._series()
            end = next((operator for operator in (";;&", ";;", ";&") if self._sees(operator)), "")
            self.at += len(end)
            items.append((tuple(patterns), body, end))
            if self.at == before:
                self.broken = True
                break
        self._takes("esac")
        return Case(word=word, items=tuple(items))

    def _named_function(self) -> Node:
        """Return a function that its keyword defines.

        function = 'function' {any but a metacharacter} ['(' ')'] newlines command
        """
        self.at += len("function")
        self._blanks()
        start = self.at
        while self.at < self.end and self.text[self.at] not in _META:
            self.at += 1
        return self._function(self.text[start : self.at], named=True)

    def _defined(self) -> str:
        """Return the name of the function whose definition starts here, as `name ( )`, or ""."""
        at = self.at
        while at < self.end and self.text[at] not in _PLAIN_END:
            at += 1
        name = self.text[self.at : at]
        for bracket in "()":
            while at < self.end and self.text[at] in _BLANKS:
                at += 1
            if not self.text.startswith(bracket, at):
                return ""
            at += 1
        return "" if "=" in name else name

    def _function(self, name: str, *, named: bool = False) -> Node:
        """Return a function; its name is read already where `named` says so.

        definition = [name] ['(' ')'] newlines command
        """
        if not named:
            self.at += len(name)
        self._blanks()
        if self._sees("("):
            self.at += 1
            self._close(")")
        self._newlines()
        self._deeper()
        body = self._command()
        self._depth -= 1
        return Function(name=name, body=body or Series())

    def _coprocess(self) -> Node:
        """Return a coprocess; it has a name of its own before a compound command only.

        coprocess = 'coproc' ([name] (compound | '(' series ')') | command)
        """
        self.at += len("coproc")
        self._blanks()
        start, name = self.at, self._name()
        self._blanks()
        if not name or not (self._sees("(") or self._keyword() in _COMPOUND):
            self.at, name = start, "COPROC"
        self._deeper()
        body = self._command()
        self._depth -= 1
        return Coprocess(name=name, body=body or Series())

    def _arithmetic_command(self) -> Node | None:
        """Return `(( ))`, or None where the brackets are two subshells.

        expression = '((' arithmetic '))'
        """
        stop = self._past_parentheses(self.at)
        if self.text[stop - 2 : stop] != "))" or not self._is_arithmetic(self.at, stop):
            return None
        start, self.at = self.at, stop
        return Test(pieces=self._inside(start + 2, stop - 2), raw=self.text[start:stop])

    def _test(self) -> Node:
        """Return `[[ ]]`: its words in their order, whatever operators are between them.

        test = '[[' {word | metacharacter} ']]'
        """
        start = self.at
        self.at += 2
        found: list[Piece] = []
        while True:
            self._newlines()
            if self.at >= self.end or (self._sees("]]") and self.text[self.at + 2 : self.at + 3] in ("", *_META)):
                break
            word = self._word()
            if word is None:
                self.at += 1
            else:
                found.extend(word.pieces)
        self.at = min(self.at + 2, self.end)
        return Test(pieces=tuple(found), raw=self.text[start : self.at])

    # Simple commands.

    def _simple(self) -> Node | None:
        """Return a simple command, or None where there is nothing of one.

        simple = {redirection | assignment} {redirection | word}
        After a word of `DECLARATIONS`, `name=( )` is an assignment as well.
        """
        assignments: list[Assignment] = []
        words: list[Written] = []
        redirects: list[Redirect] = []
        declared: list[Assignment] = []
        declares = False
        while self.at < self.end:
            self._blanks()
            if self._redirection(redirects):
                continue
            if not words and (assignment := self._assignment()) is not None:
                assignments.append(assignment)
                continue
            if declares and self._sees_list():
                assignment = self._assignment()
                if assignment is not None:
                    declared.append(assignment)
                    continue
            begin = self.at
            word = self._word()
            if word is None:
                break
            declares = declares or (not words and self.text[begin : self.at] in DECLARATIONS)
            words.append(word)
        if not (assignments or words or redirects):
            return None
        return Simple(assignments=tuple(assignments), words=tuple(words), redirects=redirects, declared=tuple(declared))

    def _sees_list(self) -> bool:
        """Tell if `name=(` or `name+=(` comes next."""
        at = self.at
        while at < self.end and self.text[at] in _NAME:
            at += 1
        return at > self.at and (self.text.startswith("=(", at) or self.text.startswith("+=(", at))

    def _words(self) -> list[Written]:
        """Return the words on this line.

        words = {blanks word}
        """
        words: list[Written] = []
        while True:
            self._blanks()
            word = self._word()
            if word is None:
                return words
            words.append(word)

    def _name(self) -> str:
        """Return a name; "" where there is none.

        name = {letter | digit | '_'}
        """
        start = self.at
        while self.at < self.end and self.text[self.at] in _NAME:
            self.at += 1
        return self.text[start : self.at]

    def _assignment(self) -> Assignment | None:
        """Return an assignment, or None where none starts.

        assignment = name ['[' arithmetic ']'] ('=' | '+=') ('(' {newlines word} ')' | [word])
        The name begins with a letter or '_'.
        """
        text, start = self.text, self.at
        if start >= self.end or text[start] not in _NAME_START:
            return None
        name, index = self._name(), None
        if self._sees("["):
            stop = self._past_bracket(self.at)
            index = self._inside(self.at + 1, stop - 1)
            self.at = stop
        adds = self._sees("+=")
        if not adds and not self._sees("="):
            self.at = start
            return None
        self.at += 2 if adds else 1
        if self._sees("("):
            self.at += 1
            items: list[Written] = []
            while True:
                self._newlines()
                word = self._word()
                if word is None:
                    break
                items.append(word)
            self._close(")")
            return Assignment(name=name, adds=adds, index=index, items=tuple(items))
        value = self._word() or Written(pieces=(), start=self.at, end=self.at)
        return Assignment(name=name, adds=adds, index=index, value=value)

    def _redirection(self, redirects: list[Redirect]) -> bool:
        """Add a redirection to `redirects` if one starts here, and tell if it did.

        redirection = [{digit} | '{' name '}'] operator blanks word
        operator = '<<<' | '<<-' | '<<' | '<>' | '<&' | '<' | '>>' | '>|' | '>&' | '>' | '&>>' | '&>'
        `&>` and `&>>` take no descriptor. '<(' and '>(' begin a word.
        """
        text, start = self.text, self.at
        at = start
        while at < self.end and text[at] in "0123456789":
            at += 1
        if at == start and text.startswith("{", at):
            at += 1
            while at < self.end and text[at] in _NAME:
                at += 1
            if not text.startswith("}", at):
                return False
            at += 1
        if at >= self.end or text[at] not in ("<>" if at > start else "<>&"):
            return False
        descriptor = text[start:at]
        if text[at] in "<>" and text.startswith("(", at + 1):
            return False
        operator = next((one for one in _REDIRECTIONS if text.startswith(one, at)), "")
        if not operator:
            return False
        self.at = at + len(operator)
        self._blanks()
        begin = self.at
        target = self._word()
        if target is None:
            self.broken = True
            target = Written(pieces=(), start=begin, end=begin)
        if operator in ("<<", "<<-"):
            literal = any(one in text[begin : self.at] for one in "'\"\\")
            delimiter = "".join(piece.text for piece in target.pieces if isinstance(piece, Text))
            self._documents.append((operator == "<<-", literal, delimiter, redirects, len(redirects)))
            operator = "<<"
        redirects.append(Redirect(operator=operator, target=target, descriptor=descriptor))
        return True

    def _read_documents(self) -> None:
        """Read the bodies of the here-documents of the line that ends here, in the order of their operators.

        body = {line newline} delimiter newline
        With `<<-`, tabs are dropped at the start of each line. With a quoted delimiter nothing is expanded.
        """
        documents, self._documents = self._documents, []
        for strips, literal, delimiter, redirects, index in documents:
            start = at = self.at
            lines: list[str] = []
            while True:
                if at >= self.end:
                    stop = self.end
                    break
                stop = self.text.find("\n", at)
                stop = self.end if stop < 0 else stop
                line = self.text[at:stop]
                if strips:
                    line = line.lstrip("\t")
                if line == delimiter:
                    break
                lines.append(line + self.text[stop : stop + 1])
                at = min(stop + 1, self.end)
            body = "".join(lines)
            inner: Pieces = (Text(text=body, quoted=True),)
            if not literal and ("$" in body or "`" in body or "\\" in body):
                reader = _Reader(body, self._place or (start, min(at, self.end)))
                reader._depth = self._depth
                inner = reader.quoted(0, len(body), closing="")[0]
            redirects[index] = redirects[index].replace(
                target=Written(pieces=inner, start=start, end=min(at, self.end))
            )
            self.at = min(stop + 1, self.end)

    # Words.

    def _word(self) -> Written | None:
        """Return a word, or None where none starts; raises TooDeep after MOST_WORDS.

        word = pieces up to a metacharacter
        """
        start = self.at
        self._words_read += 1
        if self._words_read > MOST_WORDS:
            raise TooDeep
        found = self._pieces(_META)
        if self.at == start:
            return None
        begin, end = self._place or (start, self.at)
        return Written(pieces=found, start=begin, end=end)

    def _pieces(self, ends: frozenset[str]) -> Pieces:
        r"""Return the pieces up to an unquoted character of `ends`.

        pieces = {'\' any | single | double | dollar | backticks | process | pattern | any}
        pattern = ('?' | '*' | '+' | '@' | '!') '(' {any} ')'
        """
        text, end = self.text, self.end
        found: list[Piece] = []
        plain: list[str] = []
        windows = False

        def flush() -> None:
            if plain:
                found.append(Text(text="".join(plain)))
                plain.clear()

        while self.at < end:
            at = self.at
            char = text[at]
            if char in ends:
                if char in "<>" and text.startswith("(", at + 1):
                    flush()
                    found.append(self._process())
                    continue
                if char == "(" and plain and plain[-1][-1] in "?*+@!":
                    stop = self._past_parentheses(at)
                    plain.append(text[at:stop])
                    self.at = stop
                    continue
                break
            if char == "\\":
                windows = windows or (not found and _is_drive(plain))
                if one := self._escaped(windows=windows):
                    flush()
                    found.append(one)
            elif char == "'":
                flush()
                found.append(self._single())
            elif char == '"':
                flush()
                self._double(found)
            elif char == "$":
                flush()
                self._dollar(found, quoted=False)
            elif char == "`":
                flush()
                found.append(self._backticks(quoted=False))
            else:
                stop = at + 1
                while stop < end and text[stop] not in _PLAIN_END and text[stop] not in ends:
                    stop += 1
                plain.append(text[at:stop])
                self.at = stop
        flush()
        return tuple(found)

    def _escaped(self, *, windows: bool) -> Piece | None:
        """Read a backslash and what it takes the meaning of; None for the end of a line that goes on."""
        at = self.at
        following = self.text[at + 1] if at + 1 < self.end else ""
        kept = not following or (windows and (following.isalnum() or following in "._%@*?"))
        self.at += 1 if kept else 2
        if following == "\n":
            return None
        return Text(text="\\" if kept else following, quoted=bool(following))

    def _single(self) -> Piece:
        """Return a string in single quotes.

        single = "'" {any} "'"
        """
        start = self.at + 1
        stop = self.text.find("'", start)
        if stop < 0:
            self.broken = True
            stop = self.end
        self.at = min(stop + 1, self.end)
        return Text(text=self.text[start:stop], quoted=True)

    def _double(self, found: list[Piece]) -> None:
        """Read a string in double quotes, from its opening quote on; an empty one is a piece.

        double = '"' quoted '"'
        """
        inner, stop = self.quoted(self.at + 1, self.end, closing='"')
        if stop >= self.end or self.text[stop] != '"':
            self.broken = True
        # An empty string is a word of its own.
        found.extend(inner or (Text(text="", quoted=True),))
        self.at = min(stop + 1, self.end)

    def quoted(self, start: int, end: int, *, closing: str) -> tuple[Pieces, int]:
        r"""Return the pieces of a text as in double quotes, and the place of the closing character.

        quoted = {'\' ('$' | '`' | '\' | '"' | newline) | dollar | backticks | any}
        """
        text, at = self.text, start
        found: list[Piece] = []
        plain: list[str] = []

        def flush() -> None:
            if plain:
                found.append(Text(text="".join(plain), quoted=True))
                plain.clear()

        saved, self.at = self.at, start
        while at < end:
            char = text[at]
            if closing and char == closing:
                break
            if char == "\\" and at + 1 < end:
                following = text[at + 1]
                if following in '$`\\"' and (following != '"' or closing):
                    plain.append(following)
                elif following != "\n":
                    plain.append(char + following)
                at += 2
            elif char == "$":
                flush()
                self.at = at
                self._dollar(found, quoted=True)
                at = self.at
            elif char == "`":
                flush()
                self.at = at
                found.append(self._backticks(quoted=True))
                at = self.at
            else:
                stop = at + 1
                while stop < end and text[stop] not in '$`\\"':
                    stop += 1
                plain.append(text[at:stop])
                at = stop
        flush()
        self.at = saved
        return tuple(found), at

    def _dollar(self, found: list[Piece], *, quoted: bool) -> None:
        r"""Read what a `$` starts; before any other character it is itself.

        dollar = substitution | braces | ansi | '$' ('[' arithmetic ']' | name | special | double)
        special = '@' | '*' | '#' | '?' | '-' | '$' | '!' | digit
        The strings, `ansi` and `double`, are read outside of double quotes only.
        """
        text, at = self.text, self.at
        following = text[at + 1 : at + 2]
        if following == "(":
            found.append(self._parenthesis(quoted))
        elif following == "{":
            found.append(self._braced(quoted))
        elif following == "[":
            stop = self._past_bracket(at + 1)
            inner = self._inside(at + 2, stop - 1)
            self.at = stop
            found.append(Arithmetic(pieces=inner, raw=text[at:stop], quoted=quoted))
        elif following == "'" and not quoted:
            found.append(self._ansi())
        elif following == '"' and not quoted:
            self.at += 1
            self._double(found)
        elif following in _NAME_START and following:
            self.at += 1
            name = self._name()
            found.append(Variable(name=name, raw=text[at : self.at], quoted=quoted))
        elif following in _SPECIAL and following:
            self.at += 2
            found.append(Variable(name=following, raw=text[at : self.at], quoted=quoted))
        else:
            found.append(Text(text="$", quoted=True))
            self.at += 1

    def _parenthesis(self, quoted: bool) -> Piece:
        """Return what is in `$( )` or `$(( ))`; the second is arithmetic only where one `))` closes both brackets.

        substitution = '$((' arithmetic '))' | '$(' series ')'
        """
        text, start = self.text, self.at
        if text.startswith("$((", start):
            stop = self._past_parentheses(start + 1)
            if text[stop - 2 : stop] == "))" and self._is_arithmetic(start + 1, stop):
                inner = self._inside(start + 3, stop - 2)
                self.at = stop
                return Arithmetic(pieces=inner, raw=text[start:stop], quoted=quoted)
        self.at = start + 2
        items = list(self._series().items)
        while self.at < self.end and self.text[self.at] != ")":
            self.broken = True
            self._past_stray()
            items.extend(self._series().items)
        self._close(")")
        return Substitution(body=Series(items=tuple(items)), raw=text[start : self.at], quoted=quoted)

    def _process(self) -> Piece:
        """Return a process substitution.

        process = ('<(' | '>(') series ')'
        """
        start = self.at
        self.at += 2
        body = self._series()
        self._close(")")
        raw = self.text[start : self.at]
        return Substitution(body=body, raw=raw, direction=raw[0])

    def _backticks(self, *, quoted: bool) -> Piece:
        r"""Return a command in backticks; a backslash before '`', '\' and '$' is taken off before it is read.

        backticks = '`' {'\' any | any} '`'
        In double quotes the same holds for a backslash before '"'.
        """
        text, start = self.text, self.at
        inner: list[str] = []
        at = start + 1
        while at < self.end and text[at] != "`":
            if text[at] == "\\" and text[at + 1 : at + 2] in ("`", "\\", "$", '"' if quoted else "`"):
                at += 1
            inner.append(text[at : at + 1])
            at += 1
        if at >= self.end:
            self.broken = True
        self.at = min(at + 1, self.end)
        reader = _Reader("".join(inner), self._place or (start, self.at))
        self._deeper()
        reader._depth = self._depth
        body = reader.program()
        self._depth -= 1
        return Substitution(body=body, raw=text[start : self.at], quoted=quoted)

    def _ansi(self) -> Piece:
        r"""Return a string with escapes.

        ansi = "$'" {'\' any | any} "'"
        """
        text, at = self.text, self.at + 2
        start = at
        while at < self.end and text[at] != "'":
            at += 2 if text[at] == "\\" else 1
        if at >= self.end:
            self.broken = True
        self.at = min(at + 1, self.end)
        return Text(text=unescaped(text[start : min(at, self.end)]), quoted=True)

    def _braced(self, quoted: bool) -> Piece:
        """Return a parameter in braces.

        braces = '${' ['!' | '#'] [flags] [name | special] ['[' arithmetic ']'] [operator operand] '}'
        The operators are those of `_OPERATORS`.
        """
        text, start = self.text, self.at
        self._deeper()
        self.at += 2
        indirect = self._sees("!") and self.text[self.at + 1 : self.at + 2] in _NAME_START
        length = self._sees("#") and self.text[self.at + 1 : self.at + 2] not in ("", "}", *"#%:-=?+/^,")
        if indirect or length:
            self.at += 1
        flags = self._flags()
        name = self._name()
        if not name and self.at < self.end and text[self.at] in _SPECIAL:
            name = text[self.at]
            self.at += 1
        index = None
        if self._sees("["):
            stop = self._past_bracket(self.at)
            index = self._inside(self.at + 1, stop - 1)
            self.at = stop
        operator = next((one for one in _OPERATORS if self._sees(one)), "")
        self.at += len(operator)
        # A pattern is one in double quotes too.
        operand = self._operand(quoted and (not operator or operator[0] not in "#%/^,"))
        if not self._sees("}"):
            self.broken = True
        self.at = min(self.at + 1, self.end)
        self._depth -= 1
        return Variable(
            name=name,
            raw=text[start : self.at],
            quoted=quoted,
            index=index,
            indirect=indirect,
            length=length,
            operator=operator,
            operand=operand,
            flags=flags,
        )

    def _flags(self) -> str:
        """Return zsh's flags in brackets, which set `broken`: bash has nothing of the kind.

        flags = '(' {any} ')'
        """
        if not self._sees("("):
            return ""
        stop = self.text.find(")", self.at, self.at + _LONGEST_FLAGS)
        self.broken = True
        if stop < 0:
            return ""
        flags, self.at = self.text[self.at + 1 : stop], stop + 1
        return flags

    def _operand(self, quoted: bool) -> Pieces:
        r"""Return the pieces after an operator, up to the closing brace.

        operand = pieces up to '}'
        In double quotes: {double | dollar | backticks | '\' any | any} up to '}'
        """
        if not quoted:
            return self._pieces(_BRACE)
        found: list[Piece] = []
        while self.at < self.end and not self._sees("}"):
            # Quotes begin anew inside of the braces.
            if self._sees('"'):
                self._double(found)
                continue
            start = self.at
            stop = start
            while stop < self.end and self.text[stop] not in '}"$`\\':
                stop += 1
            if stop > start:
                found.append(Text(text=self.text[start:stop], quoted=True))
                self.at = stop
            elif self._sees("$"):
                self._dollar(found, quoted=True)
            elif self._sees("`"):
                found.append(self._backticks(quoted=True))
            else:
                found.append(Text(text=self.text[start + 1 : start + 2], quoted=True))
                self.at = min(start + 2, self.end)
        return tuple(found)

    # Ends of what is not made of commands.

    def _past_parentheses(self, start: int) -> int:
        """Return the place after the `)` that closes the `(` at `start`, or the end. Quoted ones do not count."""
        text, at, depth = self.text, start, 0
        while at < self.end:
            char = text[at]
            if char == "(":
                depth += 1
            elif char == ")":
                depth -= 1
                if not depth:
                    return at + 1
            elif char == "\\":
                at += 1
            elif char in "'\"`":
                stop = text.find(char, at + 1)
                if stop < 0:
                    break
                at = stop
            at += 1
        self.broken = True
        return self.end

    def _is_arithmetic(self, start: int, stop: int) -> bool:
        """Tell if the `((` at `start` is closed by the `))` before `stop`, and is not two brackets one by one."""
        depth = 0
        for at in range(start + 1, stop - 1):
            char = self.text[at]
            depth += (char == "(") - (char == ")")
            if not depth and at < stop - 2:
                return False
        return True

    def _past_bracket(self, start: int) -> int:
        """Return the place after the `]` that closes the `[` at `start`, or where it cannot be an index any more."""
        text, at, depth = self.text, start, 0
        while at < self.end:
            char = text[at]
            if char == "[":
                depth += 1
            elif char == "]":
                depth -= 1
                if not depth:
                    return at + 1
            elif char == "(" and text[at - 1] == "$":
                at = self._past_parentheses(at) - 1
            elif char in "\n;|&" or at - start > _LONGEST_INDEX:
                break
            elif char == "\\":
                at += 1
            at += 1
        self.broken = True
        return at

    def _inside(self, start: int, stop: int) -> Pieces:
        """Return the pieces of an arithmetic expression or an index, read as in double quotes.

        arithmetic = quoted
        """
        end, self.end = self.end, max(start, stop)
        self._deeper()
        found = self.quoted(start, self.end, closing="")[0]
        self._depth -= 1
        self.end = end
        return found


_BRACE = frozenset("}")
_COMPOUND = {
    "{": _Reader._group,
    "if": _Reader._if,
    "while": _Reader._while,
    "until": _Reader._while,
    "for": _Reader._for,
    "select": _Reader._for,
    "case": _Reader._case,
    "function": _Reader._named_function,
    "coproc": _Reader._coprocess,
}


def unescaped(text: str) -> str:
    """Return a text with the escapes of `$'...'`."""
    if "\\" not in text:
        return text
    found: list[str] = []
    at = 0
    while at < len(text):
        if text[at] != "\\" or at + 1 >= len(text):
            stop = text.find("\\", at + 1)
            stop = len(text) if stop < 0 else stop
            found.append(text[at:stop])
            at = stop
            continue
        char = text[at + 1]
        at += 2
        if char in _ESCAPES:
            found.append(_ESCAPES[char])
        elif char in "01234567":
            stop = _past_digits(text, at - 1, "01234567", 3)
            found.append(chr(int(text[at - 1 : stop], 8) & 255))
            at = stop
        elif char in "xuU" and (stop := _past_digits(text, at, _HEX, {"x": 2, "u": 4, "U": 8}[char])) > at:
            found.append(chr(min(int(text[at:stop], 16), 0x10FFFF)))
            at = stop
        elif char == "c" and at < len(text):
            found.append(chr(ord(text[at].upper()) & 31))
            at += 1
        else:
            found.append(char if char in "\\'\"?" else "\\" + char)
    return "".join(found)


_HEX = "0123456789abcdefABCDEF"


def _past_digits(text: str, at: int, digits: str, most: int) -> int:
    stop = at
    while stop < len(text) and stop - at < most and text[stop] in digits:
        stop += 1
    return stop


def _is_drive(plain: list[str]) -> bool:
    r"""Tell if a path of Windows begins so: `C:` or `%NAME%`.

    bash would take each `\` out of `C:\a\b`, which then names nothing that is there. What is meant is the path.
    """
    text = plain[0] if len(plain) == 1 else ""
    return (len(text) == 2 and text[0].isalpha() and text[1] == ":") or (
        len(text) > 2 and text[0] == text[-1] == "%" and text[1:-1].replace("_", "a").isalnum()
    )
