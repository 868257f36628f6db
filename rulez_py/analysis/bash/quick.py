"""Read plain command lines without a shell grammar: most of those that agents run.

Only words of letters, digits and a few characters that mean nothing to a shell, between `&&`, `||`, `;` and `|`; only
programs that run no others, contact no hosts, and touch no files but those that they name. tests/analysis/test_quick.py
holds every row to what `analyse` says.
"""

from __future__ import annotations

from rulez_py.analysis.record import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=,@%+-")
_END = ""
_SEPARATORS = frozenset(("&&", "||", ";", "|", _END))
_TO_NOWHERE = frozenset(("2>&1", "2>/dev/null", ">/dev/null", "1>/dev/null"))

QUIET = frozenset(
    (
        *("ls", "pwd", "echo", "true", "false", "whoami", "uname", "sleep", "ps", "df", "nproc"),
        *("basename", "dirname", "seq", "printenv", "uptime", "free", "groups", "tty"),
    )
)
"""Programs that touch no file, whatever their words."""
BY_SUBCOMMAND: dict[str, frozenset[str]] = {
    "git": frozenset(("status", "log", "rev-parse", "ls-files", "add", "commit", "diff", "show")),
    "npm": frozenset(("test", "run", "ci", "start", "ls", "outdated")),
    "pnpm": frozenset(("test", "run", "install", "build", "lint")),
    "yarn": frozenset(("test", "run", "install", "build", "lint")),
    "cargo": frozenset(("build", "check", "clippy", "fmt", "test", "bench")),
    "go": frozenset(("build", "test", "vet", "fmt")),
    "docker": frozenset(("ps", "images", "version", "info")),
    "gh": frozenset(("pr", "issue", "run")),
}
"""Programs that touch no file where this is their first word."""
SCRIPTS = frozenset(("python", "python3", "node", "ruby", "pytest", "mypy", "tsc", "jest"))
"""Programs that touch no file where their first word is no option: a script, or a file to check."""
INTERPRETERS = frozenset(("python", "python3", "node", "ruby"))
"""Of these the ones that run it."""
RUN_FILES = frozenset((*INTERPRETERS, "npm", "pnpm", "yarn"))
"""Programs that run the code in a file."""
READERS = frozenset(
    (
        *("cat", "head", "tail", "wc", "nl", "tac", "sort", "cut", "stat", "file", "touch", "mkdir", "jq", "eslint"),
        *("ruff", "date", "hostname"),
    )
)
"""Programs that touch the files that are among their words."""
_WRITERS = frozenset(("sort", "touch", "mkdir", "jq", "eslint", "ruff", "date", "hostname"))
"""Of these the ones that may write them too. INVARIANT: none of all programs here deletes a file."""
_NAMES_A_FILE = (
    "-o",
    "-t",
    "-F",
    "--exec",
    "--no-index",
    "--template",
    "--file",
    "--output",
    "--pathspec",
    "--upload",
    "push",
)
_LONGEST = 2000
_DIRECTORY = "cd"
_READING = frozenset(("add", "diff", "log", "show"))
"""What git reads the files for that are among its words."""


class Plain(Value):
    """What a plain line does: the names of its programs, and every path that may be a file it touches, in any way.

    `runs_files` says that one of the programs runs the code in a file, `writes` that one may change a file.
    """

    programs: tuple[str, ...]
    paths: tuple[str, ...]
    runs_files: bool = False
    writes: bool = False


def plain(text: str) -> Plain | None:
    """Return what a plain line does, without an analysis; None of any other line."""
    if len(text) > _LONGEST:
        return None
    programs: list[str] = []
    paths: list[str] = []
    place = ""
    words: list[str] = []
    separator = ""
    for word in (*filter(None, text.replace(";", " ; ").split(" ")), _END):
        if word in _SEPARATORS:
            if not words:
                if word == _END and programs and separator == ";":
                    break
                return None
            separator = word
            program = words[0]
            if program == _DIRECTORY:
                if len(words) != 2 or words[1].startswith("-"):
                    return None
                place = words[1] if words[1].startswith("/") else _below(place, words[1])
            elif program in READERS:
                paths += _paths(words, place)
            elif not _touches_nothing(program, words):
                return None
            elif program == "git" and words[1] in _READING:
                paths += _paths(words, place)
            programs.append(program)
            words = []
        elif word not in _TO_NOWHERE:
            # INVARIANT: a word with any other character gets the whole analysis.
            if not _PLAIN.issuperset(word):
                return None
            words.append(word)
    if not programs:
        return None
    return Plain(
        programs=tuple(programs),
        paths=tuple(paths),
        runs_files=not RUN_FILES.isdisjoint(programs),
        writes=not _WRITERS.isdisjoint(programs),
    )


def _touches_nothing(program: str, words: Sequence[str]) -> bool:
    if program in QUIET:
        return True
    first = words[1] if len(words) > 1 else ""
    if program in BY_SUBCOMMAND:
        return first in BY_SUBCOMMAND[program] and not any(word.startswith(_NAMES_A_FILE) for word in words)
    if program in INTERPRETERS and not (_is_script(first) or words[1:3] in _KNOWN_SCRIPTS):
        return False
    names_a_file = program not in INTERPRETERS and any(word.startswith("-c") for word in words)
    return program in SCRIPTS and bool(first) and first[0] != "-" and not names_a_file


def _is_script(path: str) -> bool:
    """Tell if a file is by its name a script, and neither a program that is described nor something hidden."""
    return path.endswith((".py", ".js", ".mjs", ".cjs", ".ts", ".rb")) and not path.endswith("manage.py")


_KNOWN_SCRIPTS = [["manage.py", one] for one in ("migrate", "makemigrations", "test", "check", "runserver")]
"""Programs that are described, with the parts that touch no file."""


def _paths(words: Sequence[str], place: str) -> list[str]:
    """Return every word after the program, and what follows an option's `=` or letter, as a path from the start."""
    found = []
    for word in words[1:]:
        found.append(_below(place, word))
        if word.startswith("-"):
            found += [_below(place, word[2:]), _below(place, word.partition("=")[2])]
    return found


def _below(place: str, path: str) -> str:
    return path if path.startswith("/") or not place else f"{place.rstrip('/')}/{path}"
