"""Commands in a text of an unknown language: whatever has the form of a command in any language.

It finds texts in quotes, backquotes and brackets that begin with the name of a program (`sys("git gc")`, `$(make x)`,
`<rm a>`), arguments of functions that run commands (`system "./x"`), lists of a program and its words
(`["git", "gc"]`, `"git", ["gc"]`) and lines of consoles (`!git gc`, `.shell git gc`, `\\! git gc`). Texts that are
printed are left out.
"""

from __future__ import annotations

from rulez_py.analysis.languages import console_commands, file_calls
from rulez_py.analysis.languages.effects import Effects
from rulez_py.analysis.languages.tokens import plain
from rulez_py.analysis.programs.agents import AGENTS
from rulez_py.analysis.programs.parts import pieces
from rulez_py.analysis.values import LIMIT, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.values import Found

COMMANDS = frozenset(
    (
        *(
            "git",
            "gh",
            "glab",
            "hub",
            "hg",
            "svn",
            "jj",
            "rm",
            "rmdir",
            "mv",
            "cp",
            "ln",
            "dd",
            "tee",
            "shred",
            "truncate",
        ),
        *(
            "chmod",
            "chown",
            "chgrp",
            "chattr",
            "mkfs",
            "wipefs",
            "fdisk",
            "parted",
            "sgdisk",
            "mount",
            "umount",
            "unlink",
        ),
        *(
            "sh",
            "bash",
            "zsh",
            "dash",
            "ksh",
            "fish",
            "pwsh",
            "powershell",
            "sudo",
            "doas",
            "su",
            "env",
            "nohup",
            "xargs",
        ),
        *(
            "curl",
            "wget",
            "nc",
            "ncat",
            "ssh",
            "scp",
            "sftp",
            "rsync",
            "socat",
            "telnet",
            "ftp",
            "cat",
            "cd",
            "sed",
            "awk",
        ),
        *("python", "python2", "python3", "node", "deno", "bun", "perl", "ruby", "php", "npm", "npx", "pnpm", "yarn"),
        *("pip", "pip3", "uv", "cargo", "twine", "gem", "docker", "docker-compose", "podman", "kubectl", "helm", "oc"),
        *("terraform", "tofu", "terragrunt", "aws", "gcloud", "gsutil", "bq", "az", "psql", "mysql", "mongosh"),
        *("redis-cli", "sqlite3", "dropdb", "systemctl", "crontab", "iptables", "nft", "ufw", "shutdown", "reboot"),
        *AGENTS,
        *("rulez", "find", "tar", "unzip", "gpg", "busybox", "cmd"),
        *("cmd.exe", "wsl", "timeout", "killall", "pkill", "base64", "eval"),
    )
)
"""Programs that are looked for: those in rules, without names that other programs have as arguments."""
RUNNERS = frozenset(
    (
        *("system", "systemlist", "system*", "shell", "shell!", "sh", "bash", "exec", "execsync", "execute", "popen"),
        *("spawn", "spawnsync", "cmd", "syscmd", "esyscmd", "getoutput", "passthru", "shell_exec", "proc_open", "qx"),
        "executable",
        *("readpipe", "backtick", "shell-command", "shell-command-to-string", "async-shell-command", "process-lines"),
        *("call-process-shell-command", "start-process-shell-command", "run-program", "run-shell-command", "run-shell"),
        *("open-input-pipe", "open-output-pipe", "open-pipe", "write18", "become", "execute-silent", "reload", "pipe"),
        *("program", "xp_cmdshell", "sys_exec", "sys_eval", "termopen", "jobstart", "job_start", "term_start"),
        *("if-shell", "runcommand", "run_command", "launchedprocess", "processbuilder", "edit", "command-line"),
        *(
            "doshellscript",
            "shell-exec",
            "system!",
            "execshell",
            "executeshell",
            "callcommand",
            "readprocess",
            "readcreateprocess",
            "run",
            "run-process",
            "runprocess",
        ),
    )
)
"""Functions that run a command given as a text, in any language."""
PRINTERS = frozenset(
    (
        *(
            "print",
            "println",
            "printf",
            "print!",
            "println!",
            "eprintln!",
            "echo",
            "puts",
            "say",
            "display",
            "write-line",
        ),
        *("log", "info", "warn", "warning", "error", "debug", "trace", "message", "format", "princ", "writeln", "note"),
        *(
            "raise",
            "throw",
            "assert",
            "die",
            "writeline",
            "write_line",
            "displayln",
            "print_endline",
            "putstrln",
            "inspect",
        ),
    )
)
"""Functions that print a text."""
_CONSOLE = frozenset(
    (
        *(
            ".sy",
            ".pso",
            ".shell",
            ".system",
            ".sh",
            "shell",
            "system",
            "sys",
            "\\!",
            "%sx",
            "%system",
            "%sc",
            "!!",
            ":!",
            "!",
            "sh",
        ),
        *(
            "run-shell",
            "run",
            "exec",
            "execute",
            "bash",
            "%%bash",
            "%%sh",
            "\\sys",
            ":sh",
            "local!",
            "lcmd",
            "host",
            "ho",
        ),
    )
)
"""First words of lines of consoles that run a command of the system."""
_STATEMENTS = frozenset(
    (
        *("select", "insert", "update", "delete", "create", "with", "alter", "drop", "begin", "explain", "pragma"),
        *("values", "replace", "truncate", "copy", "set", "show", "use", "grant", "merge", "comment"),
    )
)
"""First words of SQL statements: the texts in them are data."""
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./~+")
_IDENTIFIER = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-!*")
_HEAD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:\\%$,_ \t-'\"")
_CLOSERS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_BEFORE_RECIPE = " \t@+-"
"""Characters before the command in an indented line of a recipe."""
_LONGEST_NAME = 64
_LONGEST_GAP = 24
_LONGEST_HEAD = 24
_LONGEST = 2_000
"""Characters of one command in or after brackets."""
_MOST_TAKEN = 60_000
"""Characters read as commands in one text."""
_DEEPEST = 3
HOME = Word(text="$HOME", known=False)
_HOME_OF_RAKU = "$*HOME"


def find(text: str, _arguments: Sequence[Word] = ()) -> Found:
    """Return the effects of a text, if its language runs everything that has the form of a command."""
    found = Effects()
    if may_run(text) or file_calls.may_touch(text.lower()) or console_commands.may_name(text):
        _Reader(found).text(text, 0)
    return found.found()


def may_run(text: str) -> bool:
    """Tell if a text is worth reading: a quick no for most."""
    lower = text.lower()
    return any(name in text for name in COMMANDS) or any(name in lower for name in RUNNERS)


def is_command(name: str) -> bool:
    """Tell if a word names a program that is looked for (`COMMANDS`)."""
    return name.replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe") in COMMANDS


def begins(text: str, at: int = 0) -> bool:
    """Tell if a program's name and a word after it begin at an index."""
    end = _name_end(text, at)
    if end == at or text[end : end + 1] not in (" ", "\t") or not is_command(text[at:end]):
        return False
    while text[end : end + 1] in (" ", "\t"):
        end += 1
    following = text[end : end + 1]
    return following.isalnum() or (following != "" and following in "-./~\"'$*+@_\\")


def _name_end(text: str, at: int) -> int:
    end = at
    last = min(len(text), at + _LONGEST_NAME)
    while end < last and text[end] in _NAME:
        end += 1
    return end


class _Reader:
    """A walk through a text and the texts in it."""

    def __init__(self, found: Effects) -> None:
        self.found = found
        self.left = _MOST_TAKEN

    def take(self, text: str) -> bool:
        """Take a text from the budget for commands. Return False, and be opaque, where it is used up."""
        self.left -= len(text) + 1
        if self.left < 0:
            self.found.opaque = LIMIT
        return self.left >= 0

    def text(self, text: str, depth: int) -> None:
        """Read a whole text: a command, lines of a console, or code with texts in it."""
        start = len(text) - len(text.lstrip())
        if begins(text, start):
            self.command(text[start:])
        else:
            for line in text.split("\n"):
                if line[:1] in (" ", "\t") and begins(line.lstrip(_BEFORE_RECIPE)):
                    self.command(line.lstrip(_BEFORE_RECIPE))
                else:
                    self.console(line.strip())
        end = _name_end(text, start)
        # `USE:` begins no statement but code of Factor.
        is_data = text[start:end].lower() in _STATEMENTS and text[end : end + 1] != ":"
        _Code(self, text, depth, is_data=is_data).read()

    def console(self, line: str) -> None:
        """Read a line of a console that runs a command: `!x`, `.shell x`, `r !x`, `.once |x`."""
        at = min((place for character in "!|" if (place := line.find(character)) >= 0), default=-1)
        if 0 <= at <= _LONGEST_HEAD and _HEAD.issuperset(line[:at]):
            rest = line[at + 1 :].lstrip("!| ")
            if begins(rest) or (is_path(rest) and line[at] == "!" and not line[:at].strip("\\:%.")):
                self.command(rest)
                return
        path, access = console_commands.file(line) if " " in line else ("", ())
        if path:
            self.found.touch(Word(text=path), *access)
        if line.startswith("\\") and begins(line, 1):
            self.command(line[1:])
        elif rest := _behind_console_word(line):
            self.command(rest)

    def command(self, text: str) -> None:
        """Add a shell's code, up to the first quote that is not closed."""
        if not self.take(text):
            return
        text = closed(text).rstrip()
        while text.endswith(("\\n", "\\r")):
            text = text[:-2].rstrip()
        self.found.shell(Word(text=text))

    def words(self, texts: Sequence[str]) -> None:
        """Add a program with its words. A text with blanks is several words."""
        if not self.take(" ".join(texts)):
            return
        first, *rest = texts
        split = [piece for one in rest for piece in (pieces(one) if " " in one else [one])]
        self.found.words(tuple(Word(text=one) for one in (first, *split)))


def _behind_console_word(line: str) -> str:
    """Return the command in a line of a console, `.shell x`; "" for any other line."""
    word, _, rest = line.partition(" ")
    rest = rest.lstrip()
    end = _name_end(rest, 0)
    return rest if word.lower() in _CONSOLE and end and rest[end : end + 1] in ("", " ") else ""


def is_console_line(text: str) -> bool:
    """Tell if a line of a text is a console's for a command: `.sy git gc`, `\\git gc`."""
    lines = (line.strip() for line in text.split("\n", _MOST_LINES)[:_MOST_LINES])
    return any((line[:1] in _MARKS and (begins(_behind_console_word(line)) or begins(line, 1))) for line in lines)


_MARKS = (".", "\\", "!", ":")
"""First characters of lines of consoles that no prose begins with."""
_MOST_LINES = 50


def is_path(text: str) -> bool:
    """Tell if a text is the path of a program."""
    return text.startswith(("./", "~/", "/", "../")) and not text.startswith(("//", "/*"))


def closed(text: str) -> str:
    """Return a text up to the first quote that is not closed."""
    quote, opened, at = "", 0, 0
    while at < len(text):
        char = text[at]
        if char == "\\" and quote != "'":
            at += 1
        elif quote:
            quote = "" if char == quote else quote
        elif char in "'\"`":
            quote, opened = char, at
        at += 1
    return text[:opened] if quote else text


class _Code:
    """The texts in quotes and brackets of one text, each with the name before it."""

    def __init__(self, reader: _Reader, text: str, depth: int, *, is_data: bool) -> None:
        self.reader = reader
        self.source = text
        self.depth = depth
        self.is_data = is_data
        self.nearest = dict.fromkeys("\"'`", -1)
        self.row: list[str] = []
        """Adjacent texts."""
        self.row_end = 0
        self.row_runs = False
        """True if the row is an argument of a function that runs commands."""

    def read(self) -> None:
        text, at, end = self.source, 0, len(self.source)
        while at < end and self.reader.left >= 0:
            char = text[at]
            if char in "\"'`" and (after := self.quoted(at)) > at:
                at = after
                continue
            if char in "([{<:=;|!&" and not self.is_data:
                self.bare(at + 1, char)
            elif char == "\\" and text.startswith("\\write18{", at):
                self.reader.command(self.up_to(at + 9, "{"))
            at += 1
        self.row_ends()

    def quoted(self, at: int) -> int:
        """Read the quoted text that begins at `at`. Return the index after it, `at` where none begins."""
        text, mark = self.source, self.source[at]
        if mark == "'" and at and text[at - 1].isalnum():
            return at
        if text.startswith(mark * 3, at):
            mark *= 3
        stop = self.next(at + len(mark), mark[0])
        other = self.next(at + 1, "'") if mark == "`" else -1
        if other >= 0 and (stop < 0 or other < stop):
            body, after = text[at + 1 : other], other + 1
        elif stop < 0:
            return at
        else:
            body, after = plain(text, at + len(mark), mark)
        self.literal(at, min(after, len(text)), body)
        return after

    def next(self, at: int, mark: str) -> int:
        """Return the index of the next quote; each is searched for once."""
        known = self.nearest[mark]
        if known < at and known != len(self.source):
            known = self.source.find(mark, at)
            self.nearest[mark] = known = known if known >= 0 else len(self.source)
        return known if known < len(self.source) else -1

    def literal(self, start: int, end: int, body: str) -> None:
        """Read a text in quotes: a command, or a part of a row of words."""
        name = self.before(start)
        gap = self.source[self.row_end : start]
        if not self.row or not _joins(gap):
            self.row_ends()
            self.row_runs = name in RUNNERS
        self.row_end = end
        if name in PRINTERS:
            self.row_ends()
            return
        if body.startswith(_HOME_OF_RAKU):
            body = f"~{body.removeprefix(_HOME_OF_RAKU)}"
        touched, deep = file_calls.access(self.source, start, end) if file_calls.is_file(body) else ((), False)
        if touched:
            self.reader.found.touch(Word(text=body), *touched, deep=deep)
        if self.source[end : end + 1] != ":" or self.source[end + 1 : end + 2] == ":":
            self.row.append(body)  # No key of a map.
        runs = name in RUNNERS or self.source.startswith((".execute(", ".!"), end)
        if runs and " " in body.strip() and body.strip()[:1] not in ("(", "[", "{", "<", "-", "$", "%", "&", "+"):
            self.reader.command(body.strip())
        elif begins(body.lstrip()):
            if not self.is_data or self.row_runs:
                self.reader.command(body.strip())
        elif self.depth < _DEEPEST and may_run(body) and (not self.is_data or self.row_runs):
            self.reader.text(body, self.depth + 1)

    def row_ends(self) -> None:
        """End a row of adjacent texts. From the name of a program on it is a command."""
        row, self.row = self.row, []
        for at, one in enumerate(row[:-1]):
            if " " not in one and is_command(one):
                if not self.is_data or self.row_runs:
                    self.reader.words(row[at:])
                return
        if len(row) == 1 and self.row_runs and is_path(row[0]) and " " not in row[0]:
            self.reader.words(row)

    def before(self, at: int) -> str:
        """Return the name directly before an index, brackets and blanks left out; "" for none."""
        text, end = self.source, at
        least = max(0, at - _LONGEST_GAP)
        while end > least and text[end - 1] in " \t([{#~@":
            end -= 1
        start = end
        while start > least and text[start - 1] in _IDENTIFIER:
            start -= 1
        return text[start:end].lower()

    def bare(self, at: int, character: str) -> None:
        """Read a command without quotes after a bracket or an operator."""
        text = self.source
        if character in "([":
            for place in (at - 1, at):
                if file_calls.home_at(text, place) and (access := file_calls.access(text, place))[0]:
                    self.reader.found.touch(HOME, *access[0], deep=access[1])
        if character in "|!;&":
            while text[at : at + 1] == " ":
                at += 1
        end = _name_end(text, at)
        if text[at:end].lower() in RUNNERS and text[end : end + 1] == " ":
            at = end + 1
        if begins(text, at) and self.before(at - 1) not in PRINTERS:
            self.reader.command(self.up_to(at, character))

    def up_to(self, at: int, character: str) -> str:
        """Return the text from an index up to the bracket that closes the one before it, or to the end of the line."""
        text, last = self.source, min(len(self.source), at + _LONGEST)
        closer = _CLOSERS.get(character, "\n")
        depth, end = 0, at
        while end < last:
            char = text[end]
            if char == closer:
                if not depth:
                    break
                depth -= 1
            elif char == character:
                depth += 1
            elif closer == "\n" and char in ")]}" and not depth:
                break
            end += 1
        return text[at:end]


def _joins(gap: str) -> bool:
    """Tell if the characters between two texts may separate two words of a program."""
    if len(gap) > _LONGEST_GAP or "\n" in gap or ";" in gap or "+" in gap:
        return False
    between = gap.strip()
    # `<arg` begins an argument in Ant's build files.
    return not between or any(character in gap for character in ",([{") or between.isalpha() or "<arg" in between
