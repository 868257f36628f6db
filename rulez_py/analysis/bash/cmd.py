r"""The language of cmd.exe, written as bash would have it.

    lines    = line { newline line }
    line     = command { ("&" | "&&" | "||" | "|") command }
    command  = "(" lines ")" redirections | "for" ... "do" line | "if" condition line [ "else" line ] | simple
    simple   = { word | redirection }
    word     = { "..." | %NAME% | %NAME:...% | !NAME! | %i | %%~fi | ^char | char }

From its documentation (`cmd /?`, `for /?`, `if /?`, `set /?`, `call /?`), not measured on Windows. What `if` and `goto`
skip counts as run: a rule asks what a text can run. What is not followed becomes `eval "$batch"`, unknown code.
"""

from __future__ import annotations

import re

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
        "goto",
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
_LOOP = re.compile(r"%%?(?:~[a-zA-Z$]*)?([A-Za-z])")
_GIVEN = re.compile(r"%(?:~[a-zA-Z$]*)?([0-9*])")
_REDIRECTION = re.compile(r"([0-9]?)(>>|>&|<&|>|<)")
_COMPARES = frozenset(("==", "equ", "neq", "lss", "leq", "gtr", "geq"))


def translated(text: str) -> str:
    """Return the text as bash would have it."""
    reader = _Reader(text.replace("\r\n", "\n").replace("^\n", ""))
    return reader.lines(until="") if text.strip() else ""


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
        """Write it as bash does; of a file with `/` between directories, and its patterns as patterns."""
        text = self.plain()
        if text.lower() == "nul":
            return "/dev/null"
        file = file or bool(_PATH.match(text)) or text[:2] == "\0\\"
        found = [piece if variable else _quoted(piece, file=file) for variable, piece in self.pieces]
        return "".join(found) or "''"


def _quoted(text: str, *, file: bool) -> str:
    if file:
        text = text.replace("\\", "/")
        return "".join(
            one if one in ("*", "?") else _quoted(one, file=False) for one in re.split(r"([*?])", text) if one
        )
    return text if _SAFE.match(text) else "'" + text.replace("'", "'\\''") + "'"


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.brackets = 0
        self.loops: set[str] = set()
        self.set_here: set[str] = set()
        """Variables that this line sets: `%NAME%` in it is still what they were before."""

    # Lines and commands

    def lines(self, until: str) -> str:
        """Read up to a closing bracket (`until`) or the end."""
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
            start = self.at
            found.append(self.line())
            if self.at == start:
                self.at += 1
        return "; ".join(one for one in found if one) or ":"

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
            if self.text[self.at : self.at + 1] == "(":
                return self.block()
            if self.text[self.at : self.at + 1] == ":":
                self.rest()
                return ":"
            name = self.ahead()
            reader: Callable[[], str] | None = {"for": self.loop, "if": self.condition, "rem": self.remark}.get(name)
            return reader() if reader else self.simple()
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
        name = _LOOP.match(before[-1].plain()) if before else None
        self.blanks()
        if name is None or self.text[self.at : self.at + 1] != "(":
            self.rest()
            return UNKNOWN
        stop = self.closing(command=switch == "/f")
        inside, self.at = self.text[self.at + 1 : stop], stop + 1
        if self.ahead() != "do":
            self.rest()
            return UNKNOWN
        self.word()
        letters = {chr(ord(name[1]) + more) for more in range(5 if switch == "/f" else 1)}
        added = letters - self.loops
        items = self.items(switch, inside.strip(), before[0] if len(before) > 1 else None)
        self.loops |= added
        body = self.line()
        self.loops -= added
        return f"for {name[1]} in {items}; do {body} ; done"

    def items(self, switch: str, inside: str, directory: _Word | None) -> str:
        """Write what a loop goes through."""
        if switch == "/l":
            return "1"
        if switch == "/f":
            if inside[:1] in ("'", "`") and inside[-1:] == inside[:1] and len(inside) > 1:
                return f"$({self.again(inside[1:-1]).lines(until='')})"
            words = self.again(inside).words()
            if inside[:1] == '"':
                return " ".join(word.written(file=False) for word in words) or "''"
            return f"$(cat {' '.join(word.written(file=True) for word in words)})"
        words = self.again(inside).words()
        if switch == "/r":
            where = directory.written(file=True) if directory is not None else "."
            return f"$(find {where} {' -o '.join('-name ' + _quoted(word.plain(), file=False) for word in words)})"
        return " ".join(word.written(file=True) for word in words) or "''"

    def again(self, text: str) -> _Reader:
        """Make a reader of a part, with the same variables."""
        reader = _Reader(text)
        reader.loops, reader.set_here, reader.depth = set(self.loops), set(self.set_here), self.depth
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
        if "==" in first and not first.endswith("=="):
            return
        at = self.at
        word = self.word()
        if word is None or first.endswith("=="):
            return
        text = word.plain().lower()
        if text in _COMPARES:
            self.word()
        elif not text.startswith("=="):
            self.at = at

    # Simple commands

    def simple(self) -> str:
        words: list[_Word] = []
        redirections: list[str] = []
        name = ""
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
        if not words:
            return " ".join([":", *redirections])
        return " ".join([self.called(name, words), *redirections])

    def named(self, words: list[_Word]) -> str:
        """Return the command's name, in lower case; take apart `echo.`, `cd..` and `del/q`."""
        text = words[0].plain()
        for name in ("echo", "cd", "chdir", "del", "rd", "rmdir", "md", "type", "copy", "move", "dir"):
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
            "call": lambda rest: UNKNOWN if not rest or rest[0].plain()[:1] == ":" else self.handed(rest),
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
            name = re.match(r"\"?(\w+)", text[switch.end() :])
            return f"read {name[1]}" if name else ":"
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
                self.character(word)
        return word.joined()

    def characters(self, word: _Word) -> None:
        """Read all of a quoted text: `^` is text in it, variables are not."""
        while self.at < len(self.text):
            if self.text[self.at] == "^":
                word.add("^")
                self.at += 1
            else:
                self.character(word)

    def character(self, word: _Word) -> None:
        """Read one character, or one variable."""
        char = self.text[self.at]
        if char == "^" and self.at + 1 < len(self.text):
            word.add(self.text[self.at + 1])
            self.at += 2
            return
        found = (_NAME if char == "%" else _LATE).match(self.text, self.at) if char in "%!" else None
        if found is not None:
            self.at = found.end()
            word.pieces.append((True, self.variable(found[1], changed=bool(found[2]), late=char == "!")))
            return
        one = _LOOP.match(self.text, self.at) if char == "%" else None
        if one is not None and one[1] in self.loops:
            self.at = one.end()
            word.pieces.append((True, f'"${one[1]}"'))
            return
        given = _GIVEN.match(self.text, self.at) if char == "%" else None
        if given is not None:
            self.at = given.end()
            if given[0].lower() in ("%~dp0", "%~p0"):
                word.pieces.append((True, '"$(dirname "$0")"/'))
                return
            word.pieces.append(
                (True, '"$@"' if given[1] == "*" else '"$batch"' if given[1] == "0" else f'"${given[1]}"')
            )
            return
        word.add(char)
        self.at += 1

    def variable(self, name: str, *, changed: bool, late: bool) -> str:
        upper = re.sub(r"\W", "_", name.upper())
        if changed or (upper in self.set_here and not late):
            return f'"${upper}_before"'
        return _WELL_KNOWN.get(name.lower(), f'"${upper}"')

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
