r"""The language of cmd.exe, written as bash would have it.

    lines    = line { newline line }
    line     = command { ("&" | "&&" | "||" | "|") command }
    command  = "(" lines ")" redirections | "for" ... "do" line | "if" condition line [ "else" line ] | simple
    simple   = { word | redirection }
    word     = { "..." | %NAME% | %NAME:...% | !NAME! | %i | %%~fi | ^char | char }

From its documentation (`cmd /?`, `for /?`, `if /?`, `set /?`, `call /?`, `goto /?`), not measured on Windows. What `if`
and `goto` skip counts as run: a rule asks what a text can run. `goto LABEL` has the text behind the label in its place,
up to where that jumps away for sure; `call :LABEL` calls a function of that text. A label that is jumped back to is a
loop. What is not followed becomes `eval "$batch"`, unknown code.
"""

from __future__ import annotations

import re

from rulez_py.analysis.programs.parts import in_quotes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

UNKNOWN = 'eval "$batch"'
_DEEPEST = 40
_WELL_KNOWN = {
    "userprofile": '"$HOME"',
    "homepath": '"$HOME"',
    "cd": '"$PWD"',
    "appdata": '"$HOME"/AppData/Roaming',
    "localappdata": '"$HOME"/AppData/Local',
    "temp": '"$HOME"/AppData/Local/Temp',
    "tmp": '"$HOME"/AppData/Local/Temp',
    "homedrive": "",
    "systemdrive": "C:",
    "systemroot": "C:/Windows",
    "windir": "C:/Windows",
    "programfiles": "'C:/Program Files'",
    "programdata": "C:/ProgramData",
    "allusersprofile": "C:/ProgramData",
    "public": "C:/Users/Public",
    "comspec": "cmd",
}
"""What Windows sets for every program, as bash writes it."""
_FILE_COMMANDS = frozenset(
    (
        *("type", "more", "copy", "xcopy", "move", "ren", "rename", "del", "erase", "rd", "rmdir", "md", "mkdir", "cd"),
        *(
            "chdir",
            "pushd",
            "dir",
            "attrib",
            "mklink",
            "fc",
            "comp",
            "tree",
            "replace",
            "icacls",
            "takeown",
            "robocopy",
        ),
    )
)
r"""Commands whose words are files: `\` is between directories, and `*` and `?` are patterns."""
_NOTHING = frozenset(
    (
        "rem",
        "setlocal",
        "endlocal",
        "exit",
        "title",
        "color",
        "cls",
        "pause",
        "prompt",
        "chcp",
        "verify",
        "popd",
    )
)
_TAKEN_APART = (
    "echo",
    "cd",
    "chdir",
    "del",
    "rd",
    "rmdir",
    "md",
    "type",
    "copy",
    "move",
    "dir",
    "goto",
    "exit",
    "call",
)
"""Commands behind whose name cmd needs no blank: `del/q`, `goto:eof`."""
_SAME = {
    "type": "cat",
    "more": "cat",
    "md": "mkdir",
    "chdir": "cd",
    "pushd": "cd",
    "copy": "cp",
    "xcopy": "cp -r",
    "move": "mv",
    "ren": "mv",
    "rename": "mv",
}
_WITHOUT_SWITCHES = frozenset(("copy", "xcopy", "move", "ren", "rename", "type", "more", "md", "mkdir"))
_PATH = re.compile(r"(?:[A-Za-z]:|\.{1,2})\\[^\"']*$")
_SAFE = re.compile(r"[\w./:@%+,=-]+$")
_NAME = re.compile(r"%([A-Za-z_][\w().-]{0,60}?)(:[^%\n]{0,200})?%")
_LATE = re.compile(r"!([A-Za-z_]\w{0,60})(:[^!\n]{0,200})?!")
_AGAIN = re.compile(r"%%([A-Za-z_][\w().-]{0,60}?)(:[^%\n]{0,200})?%%")
_LOOP = re.compile(r"%%?(~[a-zA-Z$]*)?([A-Za-z])")
_GIVEN = re.compile(r"%(~[a-zA-Z$]*)?([0-9*])")
_PART = re.compile(r":~\s*(-?\d+)(?:\s*,\s*(-?\d+))?\s*$")
_SETS = re.compile(r"(?i)\bset[ \t]+(\"?)([a-z_][\w]*)=([^\n]*)")
_LABEL = re.compile(r"(?m)^[ \t,;=@]*:[ \t]*([^\s:+,;=&|<>()]+)[^\n]*")
_JUMP = re.compile(r"(?i)[@ \t]*(?:goto|exit)(?![\w.\\-])")
_BACKSLASHED = re.compile(r"\$\{(\w+)\\\}")
r"""A variable whose value may hold `\`: so it is written until it is known if the word is a file."""
_MARK = re.compile("\x01(\\d+)\x02")
_MOST_READ = 60_000
"""Characters of a text that are read again for what jumps to labels."""
_REDIRECTION = re.compile(r"([0-9]?)(>>|>&|<&|>|<)")
_COMPARES = frozenset(("==", "equ", "neq", "lss", "leq", "gtr", "geq"))


def translated(text: str) -> str:
    """Return the text as bash would have it."""
    return _MARK.sub("", _marked(text))


def located(text: str) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    """Return the text as bash would have it; and where in it commands begin, and on which line each is written."""
    found: list[str] = []
    starts, lines = [0], [1]
    at = length = 0
    marked = _marked(text)
    for mark in _MARK.finditer(marked):
        found.append(marked[at : mark.start()])
        length += mark.start() - at
        at = mark.end()
        starts.append(length)
        lines.append(int(mark[1]))
    return "".join((*found, marked[at:])), tuple(starts), tuple(lines)


def _marked(text: str) -> str:
    """Return the text as bash would have it, with the line of each command before it."""
    if not text.strip():
        return ""
    batch = _Batch(text.translate({1: None, 2: None}).replace("\r\n", "\n"))
    main = _Reader(batch.text, batch).lines(until="", main=True)
    if not batch.functions:
        return main
    functions = (f"{name}() {{ {body} ; }}" for name, body in batch.functions.values())
    return "; ".join(('batch_file="$0"', *functions, main))


class _Batch:
    """Hold what all readers of one text share: its labels, and which variables it sets to what kind of value."""

    def __init__(self, text: str) -> None:
        parts = text.split("^\n")
        self.text = "".join(parts)
        self.continued: list[int] = []
        """Where the lines of the text go on behind `^`."""
        at = 0
        for part in parts[:-1]:
            at += len(part)
            self.continued.append(at)
        self.newlines = [found.start() for found in re.finditer("\n", self.text)]
        self.labels = [(found[1].lower(), found.end()) for found in _LABEL.finditer(self.text)]
        self.functions: dict[int, tuple[str, str]] = {}
        """The functions that called labels become: their name and body, by where they begin."""
        self.ends: dict[int, int] = {}
        """Where the text behind a label jumps away for sure, by where it begins; of labels that were followed."""
        self.open: tuple[int, ...] = ()
        """Where the texts begin that are being followed, because something jumps to them."""
        self.loops: set[int] = set()
        self.left = _MOST_READ
        sets = [(found[2].upper(), found[1], found[3]) for found in _SETS.finditer(self.text)]
        self.sets = {name for name, _, _ in sets}
        self.live = {name for name, quote, value in sets if _has_operators(value, quoted=bool(quote))}
        r"""Variables whose value may hold operators, which cmd reads when it has put `%NAME%` in."""
        bare = {name for name, quote, value in sets if quote or value[:1] != '"'}
        self.whole = self.sets - bare
        """Variables whose value is in quotes of its own, so that it stays one word."""
        self.slashed = {name for name, _, value in sets if "\\" in value}

    def line(self, at: int) -> int:
        """Return the line, from 1, of a place in the text."""
        from bisect import bisect_left, bisect_right  # Few lines are of cmd.

        return 1 + bisect_left(self.newlines, at) + bisect_right(self.continued, at)

    def find(self, label: str, after: int) -> int | None:
        """Return where the text behind a label begins: the next label of that name, or else the first (`goto /?`)."""
        found = [at for name, at in self.labels if name == label]
        return next((at for at in found if at > after), found[0] if found else None)

    def function(self, at: int) -> str:
        """Return the name of the function that the text behind a label is: cmd has no program of such a name."""
        label = next(name for name, its in self.labels if its == at)
        many = sum(name == label for name, _ in self.labels) > 1
        return f":{re.sub(r'[^a-z0-9_]', '_', label)}{f'_{at}' if many else ''}"

    def own(self, name: str) -> bool:
        """Tell if a variable that Windows sets is set by the text: then its value is that one."""
        return name.upper() in self.sets or "HOME" in self.sets or (name == "cd" and "PWD" in self.sets)


def _has_operators(value: str, *, quoted: bool) -> bool:
    """Tell if the value that `set` gives holds an operator: in quotes, or behind `^`, which is no longer there then."""
    escaped = False
    for char in value:
        if char == '"':
            quoted = not quoted
        elif char in "&|<>":
            if quoted or escaped:
                return True
            if char in "&|":
                return False
        escaped = char == "^" and not escaped
    return False


class _Word:
    """Hold one word: its pieces, a text or what bash has for a variable, and whether some of it was quoted."""

    def __init__(self) -> None:
        self.pieces: list[tuple[bool, str]] = []
        self.quoted = False
        self.bare = False
        """True where some of it is not quoted."""

    @classmethod
    def of(cls, text: str) -> _Word:
        """Make a word of plain text."""
        word = cls()
        word.add(text)
        return word

    def add(self, text: str) -> None:
        self.pieces.append((False, text))

    def joined(self) -> _Word:
        """Join texts that follow each other; once, for a word may be long."""
        found: list[tuple[bool, str]] = []
        texts: list[str] = []
        for variable, text in (*self.pieces, (True, "")):
            if not variable:
                texts.append(text)
                continue
            if texts:
                found.append((False, "".join(texts)))
                texts = []
            found.append((True, text))
        self.pieces = found[:-1]
        return self

    def plain(self) -> str:
        """Return the text, with a NUL for each variable."""
        return "".join("\0" if variable else text for variable, text in self.pieces)

    def without(self, count: int) -> _Word:
        """Return the word without so many of its first characters, which are text."""
        rest = _Word()
        rest.quoted = self.quoted
        rest.pieces = [(variable, text) for variable, text in self.pieces]
        if rest.pieces and not rest.pieces[0][0]:
            rest.pieces[0] = False, rest.pieces[0][1][count:]
        return rest

    def written(self, *, file: bool) -> str:
        r"""Write it as bash does; of a file with `/` between directories, and its patterns as patterns.

        A value that the text sets may hold `\` between directories.
        """
        text = self.plain()
        if text.lower() == "nul":
            return "/dev/null"
        file = file or bool(_PATH.match(text)) or text[:2] == "\0\\"
        found = [
            _slashed(piece, file=file) if variable else _quoted(piece, file=file) for variable, piece in self.pieces
        ]
        return "".join(found) or "''"


def _slashed(piece: str, *, file: bool) -> str:
    return _BACKSLASHED.sub(r"${\1//\\\\//}" if file else r"${\1}", piece)


def _quoted(text: str, *, file: bool) -> str:
    if file:
        text = text.replace("\\", "/")
        return "".join(
            one if one in ("*", "?") else _quoted(one, file=False) for one in re.split(r"([*?])", text) if one
        )
    return text if _SAFE.match(text) else in_quotes(text)


class _Reader:
    def __init__(self, text: str, batch: _Batch, *, line: int = 0) -> None:
        self.text = text
        self.batch = batch
        self.on = line
        """The line that all of the text is on, where it is part of another."""
        self.at = 0
        self.depth = 0
        self.brackets = 0
        self.loops: dict[str, bool] = {}
        """The variables of loops, and if their values may hold blanks."""
        self.calling = False
        """True in the words of `call`, which reads `%%NAME%%` once more."""
        self.doubtful = False
        """True if a variable of the command may hold operators."""
        self.set_here: set[str] = set()
        """Variables that this line sets: `%NAME%` in it is still what they were before."""

    # Lines and commands

    def lines(self, until: str, *, main: bool = False, jumped: bool = False) -> str:
        """Read up to a closing bracket (`until`) or the end; not `main`: or to where the text jumps away for sure.

        `main` leaves out the text of a label that was followed already, where the text above jumps away.
        """
        found: list[str] = []
        while True:
            self.blanks("\n;,=" if until else "\n")
            if self.at >= len(self.text):
                break
            if self.text[self.at] == ")":
                if until:
                    break
                self.at += 1
                continue
            if not until:
                self.set_here.clear()
                if main and jumped and self.followed():
                    continue
                is_label = self.text[self.at] == ":"
                jumped = (jumped and not is_label) or _JUMP.match(self.text, self.at) is not None
            start = self.at
            found.append(self.line())
            if jumped and not (main or until):
                break
            if self.at == start:
                self.at += 1
        return "; ".join(one for one in found if one) or ":"

    def followed(self) -> bool:
        """Skip the text of a label that was followed already, and tell if there is one here."""
        label = _LABEL.match(self.text, self.at)
        if label is None or label.end() not in self.batch.ends:
            return False
        self.at = max(self.at, self.batch.ends[label.end()])
        return True

    def line(self) -> str:
        """Read commands and the operators between them, up to the end of the line or a closing bracket."""
        found = self.command()
        while True:
            self.blanks()
            operator = next((one for one in ("&&", "||", "&", "|") if self.text.startswith(one, self.at)), "")
            if not operator:
                return found
            self.at += len(operator)
            self.blanks()
            if self.at < len(self.text) and self.text[self.at] not in "\n)":
                found += f"{' ; ' if operator == '&' else f' {operator} '}{self.command()}"

    def command(self) -> str:
        self.blanks("@")
        self.depth += 1
        try:
            if self.depth > _DEEPEST:
                self.at = len(self.text)
                return UNKNOWN
            mark = f"\1{self.on or self.batch.line(self.at)}\2"
            if self.text[self.at : self.at + 1] == "(":
                return self.block()
            if self.text[self.at : self.at + 1] == ":":
                self.rest()
                return ":"
            name = self.ahead()
            reader: Callable[[], str] | None = {"for": self.loop, "if": self.condition, "rem": self.remark}.get(name)
            return mark + (reader() if reader else self.simple())
        finally:
            self.depth -= 1

    def block(self) -> str:
        self.at += 1
        self.brackets += 1
        inside = self.lines(until=")")
        self.brackets -= 1
        self.at += 1
        redirections = []
        while (one := self.redirection()) is not None:
            redirections.append(one)
        return " ".join(["{", inside, ";", "}", *redirections])

    def remark(self) -> str:
        self.rest()
        return ":"

    def loop(self) -> str:
        """Read `for [/d | /r [DIR] | /l | /f [OPTIONS]] %i in (SET) do COMMAND`."""
        self.word()
        switch = ""
        before: list[_Word] = []
        while (word := self.word(raw=True)) is not None:
            text = word.plain()
            if text.lower() == "in":
                break
            if text[:1] == "/":
                switch = text[:2].lower()
            else:
                before.append(word)
        named = _LOOP.match(before[-1].plain()) if before else None
        self.blanks()
        if named is None or self.text[self.at : self.at + 1] != "(":
            self.rest()
            return UNKNOWN
        stop = self.closing(command=switch == "/f")
        inside, self.at = self.text[self.at + 1 : stop], stop + 1
        if self.ahead() != "do":
            self.rest()
            return UNKNOWN
        self.word()
        letters = [chr(ord(named[2]) + more) for more in range(5 if switch == "/f" else 1)]
        options = before[0] if len(before) > 1 else None
        if switch == "/f":
            items = self.parts(inside.strip(), options.plain().lower() if options is not None else "")
        else:
            items = self.items(switch, inside.strip(), options)
        outer, self.loops = self.loops, {**self.loops, **dict.fromkeys(letters, switch == "/f")}
        body = self.line()
        self.loops = outer
        return f"for {_of_loop(named[2])} in {items}; do {body} ; done"

    def items(self, switch: str, inside: str, directory: _Word | None) -> str:
        """Write what a loop goes through."""
        words = self.again(inside).words()
        if switch == "/l":
            return _counted([word.plain() for word in words])
        if switch == "/r":
            where = directory.written(file=True) if directory is not None else "."
            return f"$(find {where} {' -o '.join('-name ' + _quoted(word.plain(), file=False) for word in words)})"
        return " ".join(word.written(file=True) for word in words) or "''"

    def parts(self, inside: str, options: str) -> str:
        """Write what `for /f` goes through: parts of what a command prints, of files, or of a text.

        Which parts `tokens` and `delims` take is not followed: there is an unknown one among them.
        """
        chosen = re.search(r"delims=[^ ]|tokens=|skip=|eol=", options) is not None
        for_lines = "usebackq" in options
        if inside[:1] in ("'", "`") and inside[-1:] == inside[:1] and len(inside) > 1:
            reader = self.again(inside[1:-1])
            known = chosen and reader.ahead() in ("echo", "set", "type", "more")
            return f"$({reader.lines(until='')})" + (' "$batch"' if known else "")
        words = self.again(inside).words()
        unknown = ' "$batch"' if chosen else ""
        if inside[:1] == '"' and not for_lines:
            return (" ".join(word.written(file=False) for word in words) or "''") + unknown
        return f"$(cat {' '.join(word.written(file=True) for word in words)})" + unknown

    def again(self, text: str) -> _Reader:
        """Make a reader of a part, with the same variables."""
        reader = _Reader(text, self.batch, line=self.on or self.batch.line(self.at))
        reader.loops, reader.set_here, reader.depth = self.loops, set(self.set_here), self.depth
        reader.calling = self.calling
        return reader

    def condition(self) -> str:
        """Read `if [/i] [not] exist FILE | defined NAME | errorlevel N | A == B  COMMAND [else COMMAND]`."""
        self.word()
        no = ""
        word = self.word()
        while word is not None and word.plain().lower() in ("not", "/i"):
            no = "! " if word.plain().lower() == "not" else no
            word = self.word()
        if word is None:
            return ":"
        kind = word.plain().lower()
        test = '[ -n "$batch" ]'
        if kind == "exist":
            file = self.word()
            test = f"[ -e {file.written(file=True) if file else chr(39) * 2} ]"
        elif kind in ("defined", "errorlevel", "cmdextversion"):
            self.word()
        else:
            self.compared(kind)
        then = self.line()
        self.blanks()
        other = ""
        if self.ahead() == "else":
            self.word()
            other = f" else {self.line()} ;"
        return f"if {no}{test}; then {then} ;{other} fi"

    def compared(self, first: str) -> None:
        """Skip what a word is compared with; `A==B` may be one word, two or three."""
        open_end = self.text[self.at - 2 : self.at] == "=="
        if "==" in first and not open_end:
            return
        at = self.at
        word = self.word()
        if word is None or open_end:
            return
        text = word.plain().lower()
        if text in _COMPARES and (text != "==" or self.text[self.at - 2 : self.at] == "=="):
            self.word()
        elif not text.startswith("=="):
            self.at = at

    # Simple commands

    def simple(self) -> str:
        words: list[_Word] = []
        redirections: list[str] = []
        name = ""
        self.calling = self.doubtful = False
        while True:
            redirection = self.redirection()
            if redirection is not None:
                redirections.append(redirection)
                continue
            if name in ("echo", "set") and words:
                words.extend(self.rest_as_word(equals=name == "set"))
                if self.redirected():
                    continue
                break
            word = self.word()
            if word is None:
                break
            words.append(word)
            if len(words) == 1:
                name = self.named(words)
                if name == "call" and not self.calling:
                    self.calling = True
                    words.clear()
        calls, self.calling = self.calling, False
        if not words:
            return " ".join([":", *redirections])
        if calls and words[0].plain()[:1] == ":":
            return " ".join([self.subroutine(words), *redirections])
        doubt = f"{UNKNOWN} ; " if self.doubtful else ""
        return doubt + " ".join([self.called(name, words), *redirections])

    def named(self, words: list[_Word]) -> str:
        """Return the command's name, in lower case; take apart `echo.`, `cd..` and `del/q`."""
        text = words[0].plain()
        for name in _TAKEN_APART:
            rest = text[len(name) :]
            if text.lower().startswith(name) and rest[:1] in (".", "/", "\\", ":", ",") and rest:
                words[0] = _Word.of(name)
                if name != "echo" or len(rest) > 1:
                    words.append(_Word.of(rest[1:] if name == "echo" else rest))
                return name
        return text.lower()

    def called(self, name: str, words: list[_Word]) -> str:
        """Write a command of cmd's own as bash has it, and any other with its words."""
        own: dict[str, Callable[[list[_Word]], str]] = {
            **dict.fromkeys(_NOTHING, lambda _rest: ":"),
            **dict.fromkeys(("cd", "chdir", "pushd"), _entered),
            "set": self.assigned,
            "echo": lambda rest: "echo " + " ".join(word.written(file=False) for word in rest),
            "call": lambda _rest: UNKNOWN,
            "goto": self.gone,
            "shift": lambda _rest: "shift",
            "start": lambda rest: self.handed(_started(rest)),
        }
        if name in own:
            return own[name](words[1:])
        if re.fullmatch(r"[a-z]:", name):
            return f"cd {name.upper()}/"
        rest = words[1:]
        if name in _WITHOUT_SWITCHES:
            rest = [word for word in rest if not _is_switch(word)]
            if name in ("copy", "xcopy") and len(rest) == 1:
                rest.append(_Word.of("."))
        files = name.removesuffix(".exe") in _FILE_COMMANDS
        first = _SAME.get(name) or words[0].written(file=bool(_PATH.match(words[0].plain())))
        return " ".join([first, *(word.written(file=files and not _is_switch(word)) for word in rest)])

    def gone(self, words: list[_Word]) -> str:
        """Write `goto LABEL`: the text behind the label, as often as it is jumped back to.

        A label that is not there ends the text; which one a variable names is unknown.
        """
        label = words[0].plain().lower() if words else ""
        if not label or "\0" in label:
            return UNKNOWN
        at = self.batch.find(label.removeprefix(":"), self.at) if label != ":eof" else None
        if at is None:
            return ":"
        if at in self.batch.open:
            self.batch.loops.add(at)
            return ":"
        return f"{{ {self.behind(at, self.batch.open)} ; }}"

    def subroutine(self, words: list[_Word]) -> str:
        """Write `call :LABEL WORDS`: a function that holds the text behind the label (`call /?`)."""
        label = words[0].plain().lower()[1:]
        if label == "eof":
            return ":"
        at = self.batch.find(label, self.at) if label and "\0" not in label else None
        if at is None:
            return UNKNOWN
        name = self.batch.function(at)
        if at not in self.batch.functions:
            self.batch.functions[at] = name, UNKNOWN
            self.batch.functions[at] = name, self.behind(at, ())
        return " ".join([name, *(word.written(file=False) for word in words[1:])])

    def behind(self, at: int, outer: tuple[int, ...]) -> str:
        """Read the text behind a label, up to where that jumps away for sure."""
        batch = self.batch
        if self.depth > _DEEPEST // 2 or batch.left <= 0:
            return UNKNOWN
        before, batch.open = batch.open, (*outer, at)
        reader = _Reader(batch.text, batch)
        reader.at, reader.depth = at, self.depth
        code = reader.lines(until="")
        batch.open = before
        batch.left -= reader.at - at
        batch.ends[at] = reader.at
        return f'while [ -n "$batch" ]; do {code} ; done' if at in batch.loops else code

    def handed(self, words: list[_Word]) -> str:
        """Write what `call` and `start` run."""
        if not words:
            return ":"
        words = list(words)
        name = self.named(words)
        return self.called(name, words)

    def assigned(self, words: list[_Word]) -> str:
        """Write `set NAME=VALUE`, and what else `set` does."""
        if not words:
            return "env"
        word = words[0]
        text = word.plain()
        switch = re.match(r"(?i)/([ap])\s*", text)
        if switch:
            names = re.findall(r"([A-Za-z_]\w*)\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)", text[switch.end() :])
            return f"read {' '.join(one.upper() for one in names)}" if names else ":"
        named = re.match(r"([A-Za-z_]\w*)=", text)
        if named is None:
            return f"printenv {text}" if re.fullmatch(r"\w+", text) else ":"
        self.set_here.add(named[1].upper())
        return f"{named[1].upper()}={word.without(named.end()).written(file=False)}"

    def rest_as_word(self, *, equals: bool) -> list[_Word]:
        """Read the text up to an operator or a redirection as one word; without its quotes where it sets a variable."""
        self.blanks()
        word = _Word()
        while self.at < len(self.text) and self.text[self.at] not in "&|\n" and not self.redirected():
            if self.closes():
                break
            if self.text[self.at] == '"':
                stop = self.text.find('"', self.at + 1)
                stop = stop if stop >= 0 else len(self.text)
                part = self.again(self.text[self.at + 1 : stop])
                if not equals:
                    word.add('"')
                part.characters(word)
                if not equals:
                    word.add('"')
                self.at = stop + 1
            else:
                self.character(word)
        word.joined()
        if word.pieces and not word.pieces[-1][0]:
            word.pieces[-1] = False, word.pieces[-1][1].rstrip(" \t")
        return [word] if word.plain() else []

    # Words

    def words(self) -> list[_Word]:
        """Read all words that are left."""
        found = []
        while (word := self.word()) is not None:
            found.append(word)
            self.blanks("\n")
        return found

    def word(self, *, raw: bool = False) -> _Word | None:
        """Read the next word; None at an operator or the end. `raw`: a loop's variable is text."""
        self.blanks(",;")
        if self.at >= len(self.text) or self.text[self.at] in "&|\n<>(" or self.closes():
            return None
        word = _Word()
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == '"':
                word.quoted = True
                stop = self.text.find('"', self.at + 1)
                stop = stop if stop >= 0 else len(self.text)
                self.again(self.text[self.at + 1 : stop]).characters(word)
                self.at = stop + 1
            elif char in " \t&|\n<>,;" or self.closes():
                break
            elif raw and char == "%":
                word.add(char)
                self.at += 1
            else:
                word.bare = True
                self.character(word, bare=True)
        return word.joined()

    def characters(self, word: _Word) -> None:
        """Read all of a quoted text: `^` is text in it, variables are not."""
        while self.at < len(self.text):
            if self.text[self.at] == "^":
                word.add("^")
                self.at += 1
            else:
                self.character(word)

    def character(self, word: _Word, *, bare: bool = False) -> None:
        """Read one character, or one variable; a `bare` one is not in quotes."""
        char = self.text[self.at]
        if char == "^" and self.at + 1 < len(self.text):
            word.add(self.text[self.at + 1])
            self.at += 2
            return
        found = None
        if char in "%!":
            found = self.calling and char == "%" and _AGAIN.match(self.text, self.at)
            found = found or (_NAME if char == "%" else _LATE).match(self.text, self.at)
        if found:
            late = char == "!" or found[0][:2] == "%%"
            self.at = found.end()
            word.pieces.append((True, self.variable(found[1], found[2] or "", late=late, bare=bare)))
            return
        one = _LOOP.match(self.text, self.at) if char == "%" else None
        if one is not None and one[2] in self.loops:
            self.at = one.end()
            splits = bare and (self.loops[one[2]] or bool(one[1]))
            word.pieces.append((True, _part_of(_of_loop(one[2]), one[1] or "", splits=splits)))
            return
        given = _GIVEN.match(self.text, self.at) if char == "%" else None
        if given is not None:
            self.at = given.end()
            word.pieces.append((True, self.given(given[2], given[1] or "", bare=bare)))
            return
        word.add(char)
        self.at += 1

    def given(self, which: str, form: str, *, bare: bool) -> str:
        """Write what `%1`, `%~1`, `%~dp0` and `%*` are; a text itself is at a place that is known, and no more is."""
        if which == "*":
            return '"$@"'
        if which != "0":
            return _part_of(which, form, splits=bare and bool(form))
        here = "$batch_file" if self.batch.open and self.batch.functions else "$0"
        return f'"$(dirname "{here}")"/' if form.lower() in ("~dp", "~p") else '"$batch"'

    def variable(self, name: str, change: str, *, late: bool, bare: bool) -> str:
        """Write `%NAME%`, `!NAME!`, and a part of it; outside of quotes it is as many words as its value has."""
        upper = re.sub(r"\W", "_", name.upper())
        fixed = _WELL_KNOWN.get(name.lower()) if not self.batch.own(name.lower()) else None
        if (upper in self.set_here and not late) or (fixed is not None and change):
            return f'"${upper}_before"'
        if fixed is not None:
            return fixed
        self.doubtful |= bare and not late and upper in self.batch.live
        written = _changed(upper, change)
        if not change and upper in self.batch.slashed:
            written = f"${{{upper}\\}}"
        if bare and upper not in self.batch.whole:
            return written
        return f'"${upper}"' if written == f"${{{upper}}}" else f'"{written}"'

    def redirected(self) -> bool:
        found = _REDIRECTION.match(self.text, self.at)
        return found is not None and (not found[1] or self.text[self.at - 1 : self.at] in ("", " ", "\t"))

    def redirection(self) -> str | None:
        """Read a redirection (`> FILE`, `2>&1`); None where no redirection comes next."""
        self.blanks()
        found = _REDIRECTION.match(self.text, self.at) if self.redirected() else None
        if found is None:
            return None
        self.at = found.end()
        if found[2] in (">&", "<&"):
            number = self.text[self.at : self.at + 1]
            self.at += 1
            return f"{found[1]}{found[2]}{number}" if number.isdigit() else None
        word = self.word()
        return f"{found[1]}{found[2]} {word.written(file=True) if word is not None else '/dev/null'}"

    # Characters

    def closes(self) -> bool:
        return self.brackets > 0 and self.text[self.at] == ")"

    def blanks(self, more: str = "") -> None:
        while self.at < len(self.text) and self.text[self.at] in " \t" + more:
            self.at += 1

    def rest(self) -> None:
        """Skip the rest of the line."""
        stop = self.text.find("\n", self.at)
        self.at = stop if stop >= 0 else len(self.text)

    def ahead(self) -> str:
        """Return the name that comes next, in lower case."""
        self.blanks()
        found = re.compile(r"[A-Za-z]+").match(self.text, self.at)
        after = self.text[found.end() : found.end() + 1] if found else ""
        return found[0].lower() if found and (not after or after in ' \t\n(/"') else ""

    def closing(self, *, command: bool = False) -> int:
        """Find where the bracket that is opened here is closed; `command`: there may be one in `'` or in backticks."""
        quoted = ""
        start = self.at + 1
        while self.text[start : start + 1] in (" ", "\t"):
            start += 1
        for at in range(self.at + 1, len(self.text)):
            char = self.text[at]
            if quoted:
                quoted = "" if char == quoted else quoted
            elif char == '"' or (command and at == start and char in "'`"):
                quoted = char
            elif char == ")":
                return at
        return len(self.text)


def _is_switch(word: _Word) -> bool:
    return word.plain()[:1] == "/" and not word.quoted


def _entered(words: list[_Word]) -> str:
    """Write `cd [/d] DIRECTORY`."""
    left = [word.written(file=True) for word in words if word.plain().lower() != "/d"]
    return f"cd {' '.join(left)}" if left else "pwd"


def _started(words: list[_Word]) -> list[_Word]:
    """Find what `start ["TITLE"] [/switches] PROGRAM` runs; a quoted word that is the only one may be either."""
    left = list(words)
    if len(left) > 1 and left[0].quoted and not left[0].bare:
        left = left[1:]
    while left and _is_switch(left[0]):
        left = left[2:] if left[0].plain().lower() in ("/d", "/node", "/affinity") else left[1:]
    return left


def _of_loop(letter: str) -> str:
    """Return what a loop's variable is called in bash: no `%NAME%` is, for these are in capitals there."""
    return letter if letter.islower() else f"{letter}_each"


def _part_of(name: str, form: str, *, splits: bool) -> str:
    """Write what `%%~nxi` or `%~dp1` takes of a path (`for /?`): its directory, its name, or what is unknown."""
    kind = form.lower().removeprefix("~").replace("f", "").replace("s", "")
    if kind == "dp":
        return f'"$(dirname "${name}")"/'
    if kind == "nx":
        return f'"$(basename "${name}")"'
    if kind:
        return '"$batch"'
    return f"${{{name}}}" if splits else f'"${name}"'


def _changed(name: str, change: str) -> str:
    """Write `%NAME:~START,LENGTH%` and `%NAME:A=B%`, which does not tell capitals from others (`set /?`)."""
    if not change:
        return f"${{{name}}}"
    if part := _PART.match(change):
        start, length = int(part[1]), part[2]
        return f"${{{name}: {start}{f':{int(length)}' if length is not None else ''}}}"
    old, _, new = change[1:].partition("=")
    if not re.fullmatch(r"\*?[\w./ -]+", old) or not re.fullmatch(r"[\w.:/ -]*", new):
        return f"${{{name}_before}}"
    shown = "".join(f"[{one.lower()}{one.upper()}]" if one.isalpha() else one for one in old.removeprefix("*"))
    shown = shown.replace("/", "\\/").replace(" ", "\\ ")
    if old[:1] == "*":
        # The first place counts; bash would take the last one.
        return f"${{{name}#*{shown}}}" if not new else f"${{{name}_before}}"
    return f"${{{name}//{shown}/{new}}}"


def _counted(words: list[str]) -> str:
    """Write what `for /l %i in (START,STEP,END)` counts: the first numbers."""
    if len(words) != 3 or not all(re.fullmatch(r"-?\d{1,9}", one) for one in words) or not int(words[1]):
        return "1"
    start, step, end = (int(one) for one in words)
    return " ".join(str(one) for one in range(start, end + (1 if step > 0 else -1), step)[:8]) or "1"
