"""Find what an undescribed program may run: commands among its words, and texts that have the form of code."""

from __future__ import annotations

from rulez_py.analysis.programs import parts
from rulez_py.analysis.programs.agents import AGENTS
from rulez_py.analysis.values import WRAPPER, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TEXTS = frozenset(
    (
        *("-c", "-e", "-x", "-E", "-r", "-p", "-i", "--eval", "--exec", "--execute", "--filter", "--command", "--cmd"),
        *(
            "--run",
            "--shell",
            "--init",
            "--hook",
            "--expr",
            "--expression",
            "--code",
            "--script",
            "--print",
            "--evaluate",
        ),
        *(
            "-eval",
            "-exec",
            "-execute",
            "-command",
            "-cmd",
            "-run",
            "-ex",
            "-do",
            "--do",
            "--pre",
            "--post",
            "--before",
        ),
        *("--after", "--then", "--callback", "--run-command", "--shell-command", "--batch-string", "--call", "--start"),
        *("--launcher", "--wrapper", "--runner", "--editor", "--pager", "--postprocess", "--preprocess", "--input"),
    )
)
_HOOKS = ("--on-", "--pre-", "--post-", "--before-", "--after-", "--hook", "-on-")
"""Options whose value is a text to run, and how the names of others begin."""
_SUBCOMMANDS = frozenset(
    (
        *("exec", "run", "shell", "sh", "eval", "cmd", "command", "execute", "runner", "ev", "php:eval", "do", "call"),
        *("start", "spawn", "launch", "script", "repl", "console", "send-text", "type", "write-chars", "inject"),
    )
)
"""Subcommands that a text to run may follow."""
_ALSO_SUBCOMMANDS = frozenset(
    (
        *("eval", "env", "cd", "cat", "find", "cmd", "mount", "umount", "unlink", "ln", "cp", "mv", "su", "tee", "ftp"),
        *(
            "reboot",
            "shutdown",
            "truncate",
            "timeout",
            "hub",
            "rmdir",
            "tar",
            "sed",
            "python",
            "node",
            "helm",
        ),
        *AGENTS,
        *("az", "gh", "telnet", "sftp", "unzip", "pip", "npm", "uv", "gem"),
    )
)
"""Programs whose name is a subcommand, a template or a thing for others: they begin a command only after `--`, or
after the word for it."""
_NAMES_ONLY = frozenset(
    (
        *("tldr", "cheat", "whatis", "info", "pinfo", "which", "whereis", "where", "type", "hash", "apropos", "help"),
        *("cowsay", "cowthink", "figlet", "toilet", "banner", "lolcat", "notify-send", "wall", "write"),
        *("string", "abbr", "emit", "contains", "argparse", "functions", "set-variable", "set_color", "math", "status"),
        *(
            ":",
            "true",
            "false",
            "alias",
            "unalias",
            "export",
            "declare",
            "local",
            "typeset",
            "readonly",
            "set",
            "unset",
            "cd",
            "[",
            "[[",
        ),
        *("complete", "compgen", "return", "exit", "shift", "wait", "choco", "scoop", "winget", "port", "emerge"),
        *("dnf", "microdnf", "xbps-install", "pkg", "pkgin", "nala", "mas", "eopkg", "swupd", "urpmi"),
        *AGENTS,
        *("llm", "aichat", "sgpt", "aider", "cursor-agent"),
        *("bd", "todo", "jrnl", "note", "assert", "describe", "it", "log", "msg", "error", "warn", "die"),
        *("pgrep", "pidof", "assert_success", "skip", "fail", "step", "title", "header", "success", "require"),
        *("if", "then", "else", "elif", "while", "until", "do", "for", "case", "select", "function", "done", "fi"),
        *("need", "need_cmd", "check_command", "command_exists", "has", "have", "ensure", "install", "depends"),
    )
)
"""Programs that print their words, look programs up by name, install them, or hand their words to a model."""


def runs(program: str, words: Sequence[Word]) -> list[Inner]:
    """Return what an undescribed program may run, by its words.

    Nothing where they have no form of a command.
    """
    if program in _NAMES_ONLY or "=" in program:
        return []
    found = [parts.as_text(text) for text in _texts(words)]
    at = start(words)
    return [*found, Inner(words=tuple(words[at:]), via=WRAPPER)] if at else found


def is_code_for(program: str, text: str) -> bool:
    """Tell if a text on the standard input of an undescribed program may be code that it runs.

    JSON, a list or a page is data: trying a hook by hand gives it such a text.
    """
    return program not in _NAMES_ONLY and text.lstrip()[:1] not in ("{", "[", "<") and is_code(text)


def start(words: Sequence[Word]) -> int:
    """Return where a command begins that the program may run: a program's name with a word after it; 0 for none."""
    from rulez_py.analysis.languages.unknown_language import is_command

    for at, word in enumerate(words[1:-1], 1):
        if not word.known or not is_command(word.text):
            continue
        before = words[at - 1].text.lower()
        if word.text.lower() not in _ALSO_SUBCOMMANDS or (at > 1 and (before == "--" or before in _SUBCOMMANDS)):
            return at
    return 0


def _texts(words: Sequence[Word]) -> Iterator[Word]:
    """Yield the words that have the form of code, where a text to run may be."""
    for at, word in enumerate(words[1:], 1):
        text = word.text
        if text.startswith("<("):
            continue  # A file with what a command prints (`nested`).
        before = words[at - 1].text
        if text[:1] == "-":
            name, equals, value = text.partition("=")
            if equals and _takes_text(name) and is_code(value):
                yield parts.cut(word, len(name) + 1)
            elif text[:2] in ("-e", "-c") and is_code(text[2:]):
                yield parts.cut(word, 2)
        elif is_code(text) and (_takes_text(before) or before.lower() in _SUBCOMMANDS or before == "--"):
            yield word
        elif (length := parts.assignment(word)) and is_code(text[length + 1 :]) and "$(" in text:
            yield parts.cut(word, length + 1)


def _takes_text(name: str) -> bool:
    return name in _TEXTS or name.startswith(_HOOKS) or not _SAY_CODE.isdisjoint(name.lower().lstrip("-").split("-"))


_SAY_CODE = frozenset(
    ("eval", "exec", "execute", "expr", "expression", "code", "cmd", "command", "script", "shell", "goal")
)
"""Words in an option's name by which its value is a text to run (`--python-expr`, `-code`)."""


def is_code(text: str) -> bool:
    """Tell if a text has the form of code, and not of a name: quotes, brackets or blanks, and a program in it."""
    if parts.SAFE.issuperset(text):
        return False
    from rulez_py.analysis.languages.file_calls import may_touch
    from rulez_py.analysis.languages.unknown_language import begins, is_console_line, may_run

    formed = begins(text.lstrip()) or any(char in text for char in "\"'`({<!|[\\") or is_console_line(text)
    return formed and (may_run(text) or may_touch(text.lower()))
