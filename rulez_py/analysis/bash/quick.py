"""Read plain command lines without a shell grammar: most of those that agents run.

Only words of letters, digits and a few characters that mean nothing to a shell, and of quoted text in which nothing is
expanded, between `&&`, `||`, `;` and `|`; only programs that run no others, contact no hosts, and touch no files but
those that they name. tests/analysis/test_quick.py holds every row to what `analyse` says.
"""

from __future__ import annotations

from rulez_py.analysis.record import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,@%+-")
_END = ""
_SEPARATORS = frozenset(("&&", "||", ";", "|", _END))
_EXPANDED = frozenset("$`\\")
"""Characters that mean something in double quotes."""
_TO_NOWHERE = frozenset(("2>&1", "2>/dev/null", ">/dev/null", "1>/dev/null"))

QUIET = frozenset(
    (
        *("ls", "pwd", "echo", "true", "false", "whoami", "uname", "sleep", "ps", "df", "nproc"),
        *("basename", "dirname", "seq", "printenv", "uptime", "free", "groups", "tty", "which"),
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
        *("ruff", "date", "hostname", "grep", "sed"),
    )
)
"""Programs that touch the files that are among their words."""
_WRITERS = frozenset(("sort", "touch", "mkdir", "jq", "eslint", "ruff", "date", "hostname"))
"""Of these the ones that may write them too. INVARIANT: none of all programs here deletes a file."""
_OF_TEXT = frozenset(("echo", "git", "grep", "sed", "cat", "head", "tail", "ls", "which", "basename", "dirname"))
"""Programs for which a text is a text; another one may run what its words say."""
_OF_GREP = frozenset("abchilnoqsvwxEFHIL0123456789ABC")
"""Letters of grep's options that make it read no other files than those among its words."""
_OF_SED = frozenset("0123456789,$;p")
"""Characters of sed's scripts that only print."""
_REACHES_FURTHER = (
    *("-o", "-t", "-F", "--no-index", "--template", "--file", "--output", "--pathspec", "--upload", "push"),
    *("-exec", "--exec", "-toolexec", "--toolexec", "-vettool", "--vettool", "-coverprofile", "--coverprofile"),
    *("--artifact-dir", "--body-file", "--config-file", "--hostname", "--junit-xml", "--junitxml", "--log-file"),
    *("--manifest-path", "--editor", "--git", "--script-shell", "--shell", "--viewer"),
)
"""Words, and beginnings of them, by which a program touches another file, runs another program or contacts a host."""
_LONGEST = 2000
_DIRECTORY = "cd"
_READING = frozenset(("add", "diff", "log", "show"))
"""What git reads the files for that are among its words."""


class Plain(Value):
    """What a plain line does: the names of its programs, and every path that may be a file it touches, in any way.

    `words` are all words of its commands, without their quotes. `runs_files` says that one of the programs runs the
    code in a file, `writes` that one may change a file.
    """

    programs: tuple[str, ...]
    words: tuple[str, ...]
    paths: tuple[str, ...]
    runs_files: bool = False
    writes: bool = False


def plain(text: str) -> Plain | None:
    """Return what a plain line does, without an analysis; None of any other line."""
    commands = _commands(text) if len(text) <= _LONGEST else None
    if not commands:
        return None
    paths: list[str] = []
    place = ""
    for before, words, behind in commands:
        program = words[0]
        if program not in _OF_TEXT and not all(_PLAIN.issuperset(one.strip()) for one in words):
            return None
        if program == _DIRECTORY:
            if not _leads(words, before + behind):
                return None
            place = words[1] if words[1].startswith("/") else _below(place, words[1])
        elif program in READERS:
            if program in _READS_NO_MORE and not _READS_NO_MORE[program](words):
                return None
            paths += _paths(words, place)
        elif not _touches_nothing(program, words):
            return None
        elif program == "git" and words[1] in _READING:
            paths += _paths(words, place)
    programs = tuple(words[0] for _, words, _ in commands)
    return Plain(
        programs=programs,
        words=tuple(word for _, words, _ in commands for word in words),
        paths=tuple(paths),
        runs_files=not RUN_FILES.isdisjoint(programs),
        writes=not _WRITERS.isdisjoint(programs),
    )


def _commands(text: str) -> list[tuple[str, list[str], str]] | None:
    """Return the words of each command, between the separators before and behind it; None where a word is not plain."""
    written = _quoted(text) if "'" in text or '"' in text else list(filter(None, text.replace(";", " ; ").split(" ")))
    found: list[tuple[str, list[str], str]] = []
    words: list[str] = []
    before = ""
    for word in () if written is None else (*written, _END):
        if type(word) is _Quoted:
            words.append(word)
        elif word in _SEPARATORS:
            if not words:
                return found if word == _END and before == ";" else None
            found.append((before, words, word))
            before, words = word, []
        elif word not in _TO_NOWHERE:
            # INVARIANT: a word with any other character gets the whole analysis.
            if not _PLAIN.issuperset(word):
                return None
            words.append(word)
    return found


class _Quoted(str):
    """A word that has quotes in it, without them."""

    __slots__ = ()


def _quoted(text: str) -> list[str] | None:
    """Return the words and separators of a text with quotes; None where something is expanded in them."""
    pieces = _pieces(text)
    if pieces is None:
        return None
    found: list[str] = []
    word, quoted = "", False
    for number, piece in enumerate(pieces):
        if number % 2:
            if not quoted and not _PLAIN.issuperset(word):
                return None
            word, quoted = word + piece, True
            continue
        first, *others = piece.replace(";", " ; ").split(" ")
        if quoted and not _PLAIN.issuperset(first):
            return None
        word += first
        for other in others:
            found.append(_Quoted(word) if quoted else word)
            word, quoted = other, False
    found.append(_Quoted(word) if quoted else word)
    return [one for one in found if one or type(one) is _Quoted]


def _pieces(text: str) -> list[str] | None:
    """Return what is outside of quotes and what is in them, in turn; None where a quote is open or more than a text."""
    found: list[str] = []
    at = 0
    while True:
        stop = min(place for place in (text.find("'", at), text.find('"', at), len(text)) if place >= 0)
        found.append(text[at:stop])
        if stop == len(text):
            return found
        quote = text[stop]
        at = text.find(quote, stop + 1) + 1
        inside = text[stop + 1 : at - 1]
        # INVARIANT: what a shell expands in double quotes gets the whole analysis, and so does what is not seen.
        if not at or (quote == '"' and not _EXPANDED.isdisjoint(inside)):
            return None
        if not inside.replace("\n", "").replace("\t", "").isprintable():
            return None
        found.append(inside)


def _leads(words: Sequence[str], around: str) -> bool:
    """Tell if cd leads where what is behind it runs: beside a pipe it leads nowhere, and before `||` it has failed."""
    return len(words) == 2 and not words[1].startswith("-") and "|" not in around


def _greps(words: Sequence[str]) -> bool:
    """Tell if grep reads no files but those among its words."""
    options = (word for word in words[1:] if word.startswith("-"))
    return all(one.startswith("--color") or _OF_GREP.issuperset(one[1:]) for one in options)


def _prints(words: Sequence[str]) -> bool:
    """Tell if sed only prints lines that it counts."""
    return words[1:2] == ["-n"] and _OF_SED.issuperset(*words[2:3] or ("?",)) and not any(map(_is_option, words[3:]))


def _is_option(word: str) -> bool:
    return word.startswith("-")


def _sorts(words: Sequence[str]) -> bool:
    """Tell if sort runs no program to compress what it keeps."""
    return not any(word.startswith("--c") for word in words)


_READS_NO_MORE = {"grep": _greps, "sed": _prints, "sort": _sorts}


def _touches_nothing(program: str, words: Sequence[str]) -> bool:
    if program in QUIET:
        return True
    first = words[1] if len(words) > 1 else ""
    if program in BY_SUBCOMMAND:
        return first in BY_SUBCOMMAND[program] and not any(map(_reaches_further, words))
    if program in INTERPRETERS and not (_is_script(first) or words[1:3] in _KNOWN_SCRIPTS):
        return False
    further = program not in INTERPRETERS and any(word[:2] == "-c" or _reaches_further(word) for word in words)
    return program in SCRIPTS and bool(first) and first[0] != "-" and not further


def _reaches_further(word: str) -> bool:
    """Tell if a word may be an option of `_REACHES_FURTHER`, or the beginning of one."""
    name = word.partition("=")[0]
    return word.startswith(_REACHES_FURTHER) or (
        len(name) > 2 and any(one.startswith(name) for one in _REACHES_FURTHER)
    )


def _is_script(path: str) -> bool:
    """Tell if a file is by its name a script, and neither a program that is described nor something hidden."""
    return path.endswith((".py", ".js", ".mjs", ".cjs", ".ts", ".rb")) and not path.endswith("manage.py")


_KNOWN_SCRIPTS = [["manage.py", one] for one in ("migrate", "makemigrations", "test", "check", "runserver")]
"""Programs that are described, with the parts that touch no file."""


def _paths(words: Sequence[str], place: str) -> list[str]:
    """Return every word after the program, and what follows a `:` or an option's `=` or letter, from the start."""
    found = []
    for word in words[1:]:
        found.append(_below(place, word))
        if word.startswith("-"):
            found += [_below(place, word[2:]), _below(place, word.partition("=")[2])]
        if ":" in word:
            # A revision's file.
            found.append(_below(place, word.partition(":")[2]))
    return found


def _below(place: str, path: str) -> str:
    return path if path.startswith("/") or not place else f"{place.rstrip('/')}/{path}"
