"""Find the commands that a command runs by its own words, one level down, by the table and the reading of `read`."""

from __future__ import annotations

from rulez_py.analysis.programs import parts
from rulez_py.analysis.programs.read import BEHIND, Level, Parser, below, family, level
from rulez_py.analysis.values import ANY, DOUBT, INTERPRETER, REMOTE, SHELL, WRAPPER, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rulez_py.analysis.programs.read import Given

    Runs = Callable[["Own"], Iterable[Inner]]

MOST_WAYS = 16
"""Ways to read a program's words, where it is not known what they are; what is cut off is not known."""


class Own:
    """One way to read a command: which of its words are the program's own, and where the command begins that it runs.

    `start` is the place of that command among `words`, None where there is none; `last` where the own words end.
    """

    def __init__(self, parser: Parser, words: Sequence[Word], first: int, start: int | None) -> None:
        self.words = words
        self.first = first
        self.level = parser.level
        self.levels = parser.levels
        self.start = None if start is None else start + first
        end = len(words) if start is None else start
        self.given = [one for one in parser.given if one.at < end]
        self.operands = [one.word for at, one in parser.operands[parser.path :] if at < end]
        self.branch = None if parser.branch is None else parser.branch + first
        """The place of the subcommand, if there is one."""
        ends = [place for place in (parser.rest, parser.dashes) if place is not None]
        self.last = self.start if self.start is not None else min(ends, default=len(words) - first) + first
        self.dashes = None if parser.dashes is None else parser.dashes + first
        self.rest = None if parser.rest is None else parser.rest + first

    @property
    def starts(self) -> tuple[int, ...]:
        return () if self.start is None else (self.start,)

    @property
    def behind(self) -> tuple[Word, ...]:
        """The words after the program's own."""
        return tuple(self.words[self.last :])

    def has(self, *names: str) -> bool:
        """Tell if one of these options is there, or may be."""
        return any(name in names for one in self.given for name in one.option.names)

    def every(self, *names: str) -> list[Word]:
        """Return the values of these options, in order."""
        return [
            one.option.value
            for one in self.given
            if one.option.value is not None and not set(names).isdisjoint(one.option.names)
        ]

    def value(self, *names: str) -> Word | None:
        """Return the last value of these options."""
        return next(reversed(self.every(*names)), None)

    def doing(self, verb: str, *, certain: bool = False) -> list[Given]:
        """Return the options that do this."""
        return [
            one
            for one in self.given
            if one.entry is not None and verb in one.entry.does and (one.option.certain or not certain)
        ]

    def valued(self, verb: str) -> list[Word]:
        """Return the values of the options that say this of them."""
        return [one.option.value for one in self.doing(verb) if one.option.value is not None]

    @property
    def is_idle(self) -> bool:
        """True if an option says that no command runs."""
        return bool(self.doing("nothing", certain=True))


def ways(top: Level | None, words: Sequence[Word], first: int = 1) -> tuple[list[Own], bool]:
    """Return the ways to read the words from `first` on, the likeliest first, and whether there are more of them."""
    found: list[Own] = []
    waiting: list[dict[int, str]] = [{}]
    for assumed in waiting:
        parser = Parser(top, words[first:], assumed).run()
        least = max(assumed, default=-1)
        waiting += [{**assumed, at: name} for at, names in parser.choices if at > least for name in names]
        starts: list[int | None] = list(dict.fromkeys(_starts(parser)))
        if not parser.settled:
            starts.append(None)
        found += [Own(parser, words, first, start) for start in starts]
        if len(found) > MOST_WAYS or len(waiting) > MOST_WAYS:
            return found[:MOST_WAYS], True
    return found, False


def _starts(parser: Parser) -> Sequence[int]:
    if parser.level.fields.get("runs", "").endswith(BEHIND):
        start = parser.dashes
        # What begins with a dash is an argument of what it runs by itself (`nox -- -k x`).
        if start is None or start >= len(parser.words) or parser.words[start].text[:1] == "-":
            return []
        return [start]
    return [start for start in parser.starts if start < len(parser.words)]


def each(
    work: Callable[[Own], Iterable[Inner]], top: Level | None, words: Sequence[Word], first: int = 1
) -> tuple[Inner, ...]:
    """Return what `work` finds in every way to read the words; what is cut off is not known."""
    owns, more = ways(top, words, first)
    found = [one for own in owns for one in work(own)]
    # INVARIANT: ways to read the words past the bound are one unknown command.
    if more:
        found.append(Inner(words=(words[-1].replace(text="...", known=False, glob=""),)))
    return tuple(dict.fromkeys(found))


def inner(program: str, words: Sequence[Word]) -> tuple[Inner, ...]:
    """Return what `program` runs by its own words, `words[0]` being the program as it was written.

    `program` is its name without directory and `.exe`, in lower case. Empty for one that runs no other. Where words
    are not known, everything that may be run is among it. Of an undescribed one, what has the form of a command.
    """
    top = _wrapper(program) if words else None
    if top is not None:
        same = "" if "runs" in top.fields else top.fields.get("words-of", "")
        return (Inner(words=(parts.with_text(words[0], same), *words[1:])),) if same else each(by, top, words)
    if joined := _joined(program, words):
        return joined
    if len(words) < 2 or _is_described(level(family(program))):
        return ()
    if len(words) == 2 and parts.SAFE.issuperset(words[1].text):
        return ()  # neither a command with its words, nor code
    from rulez_py.analysis.programs import undescribed

    return tuple(undescribed.runs(program, words))


SOURCES = frozenset(("java", "go", "stack", "cargo", "swift", "dotnet", "gst", "ghci", "kotlin"))
"""Described programs that run the source code in a file they are given."""


def is_code_for(program: str, text: str) -> bool:
    """Tell if a text that a program is given may be code that it runs; only of an undescribed one or a compiler."""
    if not program or (program not in SOURCES and _is_described(level(family(program)))):
        return False
    from rulez_py.analysis.programs import undescribed

    return undescribed.is_code_for(program, text)


def _is_described(top: Level | None) -> bool:
    """Tell if an entry says what a program does with its words, and not only that some of them print credentials."""
    return top is not None and bool(top.names or top.operands or top.fields.keys() - {"credentials"})


def _joined(program: str, words: Sequence[Word]) -> tuple[Inner, ...]:
    """Return what is run where the program's name is another's with its subcommand (`git-push`)."""
    name, dash, subcommand = program.partition("-")
    top = level(name) if dash else None
    if top is None or "joined" not in top.flags or not subcommand:
        return ()
    return (Inner(words=(parts.with_text(words[0], name), parts.with_text(words[0], subcommand), *words[1:])),)


def within_level(key: str, words: Sequence[Word], first: int = 1) -> tuple[Inner, ...]:
    """Return what the words from a place on run, which belong to what is described under a name."""
    return each(by, level(key), words, first)


def _wrapper(program: str) -> Level | None:
    """Return what is known of a program that runs others. Only interpreters may have a version in their name."""
    key = family(program)
    top = level(key)
    if top is None or "wraps" not in top.flags:
        return None
    versioned = program[-1:].isdigit() and not _is_written(program)
    # A single letter and a number is another program (r2).
    if versioned and ("language" not in top.fields or len(program.rstrip("0123456789.-")) < 2):
        return None
    return top


def _is_written(program: str) -> bool:
    from rulez_py.analysis.programs import store

    return store.rows().get(program) is not None


def by(own: Own) -> Iterable[Inner]:
    """Return what a program runs, read one way."""
    for one in reversed(own.levels):
        code = one.fields.get("code")
        if code:
            from rulez_py.analysis.programs import special

            run: Runs | None = special.find(code, "runs")
            if run is not None:
                return run(own)
    return plainly(own)


def plainly(own: Own) -> list[Inner]:
    """Return what a program runs as the table says it."""
    if own.is_idle:
        return []
    if "language" in own.level.fields:
        return _code(own)
    found = texts(own) + _files(own)
    around = context(own)
    spliced = own.valued("runs words")
    if spliced:
        return [within(_spliced(own, spliced[-1]), around)]
    via = REMOTE if _is_there(own) else WRAPPER
    program = [word for word in own.valued("runs program") if word.text]
    if program:
        rest = own.words[own.start :] if own.start is not None else ()
        return [within(Inner(words=(program[-1], *rest), via=via), around)]
    if own.start is not None:
        found += _commands(own, tuple(own.words[own.start :]), via)
    if not found and own.start is None and (own.doing("opens shell") or own.level.fields.get("otherwise") == "shell"):
        found = [Inner(stdin=True, via=REMOTE if via == REMOTE else SHELL)]
    return [one if one.via == REMOTE != via else within(one, around) for one in found]


def _files(own: Own) -> list[Inner]:
    """Return the files with code that options of the program name, before a subcommand that is no language's."""
    language = next((one.fields["language"] for one in reversed(own.levels) if "language" in one.fields), "")
    files = own.valued("runs file") if language else []
    given: tuple[Word, ...] = ()
    if language in RECIPES:
        # What runs of such a file is in the words. One at an address is fetched as an image is, and not read.
        files, given = [file for file in files if "://" not in file.text], tuple(own.words[1:])
    return [Inner(file=file, language=language, via=INTERPRETER, arguments=given or (file,)) for file in files]


def _is_there(own: Own) -> bool:
    """Tell if the command runs on another machine, or in a container."""
    return " there" in own.level.fields.get("runs", "")


def _spliced(own: Own, text: Word) -> Inner:
    """Return the same program once more, with the words in `text`: they may be options and variables again."""
    rest = own.words[own.rest or len(own.words) :]
    if not text.known:
        return Inner(code=parts.join([text, *rest]), via=SHELL)
    return Inner(words=(own.words[0], *parts.split(text), *rest))


def context(own: Own) -> Inner:
    """Return the user, directory and environment of a command that is run."""
    roles = dict(zip(own.level.operands, own.operands[-len(own.level.operands) :], strict=False))
    who = "" if own.doing("keeps user") else own.level.fields.get("user", "")
    users = own.valued("user")
    if users:
        who = parts.user(users[-1])
    elif "user" in roles:
        who = parts.user(roles["user"])
    where = next(reversed(own.valued("cwd")), None)
    if "cwd" in roles:
        where = roles["cwd"]
    variables = _assigned(own) if "assignments" in own.level.flags else []
    for one in own.doing("env"):
        value = one.option.value
        if one.option.second is not None and value is not None:
            variables.append((value.text, one.option.second))
        elif value is not None and (length := parts.assignment(value)):
            variables.append((value.text[:length], parts.cut(value, length + 1)))
    return Inner(user=who, cwd=where, environment=tuple(variables))


def _assigned(own: Own) -> list[tuple[str, Word]]:
    return [
        (word.text[:length], parts.cut(word, length + 1)) for word in own.operands if (length := parts.assignment(word))
    ]


def within(one: Inner, around: Inner) -> Inner:
    """Return the command, run by whom and where `around` says."""
    if not (around.user or around.cwd or around.environment):
        return one
    return one.replace(user=around.user, cwd=around.cwd, environment=around.environment)


def texts(own: Own) -> list[Inner]:
    """Return the commands that options hold."""
    shell = (*own.valued("runs shell"), *_operands_that_are(own, "runs shell"))
    found = [Inner(code=word, via=SHELL) for word in shell if word.text]
    found += [Inner(code=word, via=REMOTE) for word in own.valued("runs shell there") if word.text]
    found += [parts.as_text(word) for word in (*own.valued("runs text"), *_operands_that_are(own, "runs text"))]
    if own.level.fields.get("otherwise") == "text":
        found.append(Inner(stdin=True, language=ANY, via=INTERPRETER))
    piped = own.valued("runs pipe")
    found += [Inner(code=parts.cut(word, 1), via=SHELL) for word in piped if word.text[:1] in ("|", "!")]
    return found + [Inner(file=word, via=SHELL) for word in own.valued("runs script")]


def _operands_that_are(own: Own, verb: str) -> list[Word]:
    """Return the operands that are this by the entry."""
    roles = own.level.operands
    if not any(role.startswith(verb) for role in roles):
        return []
    many = roles[-1].removesuffix("*").rstrip() if roles[-1].endswith("*") else ""
    named = (*roles[: len(roles) - bool(many)], *[many] * len(own.operands))
    return [word for word, role in zip(own.operands, named, strict=False) if role == verb and word.text]


def _commands(own: Own, rest: tuple[Word, ...], via: str) -> list[Inner]:
    fields = own.level.fields
    form = fields.get("runs", "words").removesuffix(f" {BEHIND}").removesuffix(" there")
    if own.doing("switch"):
        form = "shell" if form == "words" else "words"
    if form == "shell" or (form == "shell if one" and len(rest) == 1):
        return [Inner(code=code, via=REMOTE if via == REMOTE else SHELL) for code in parts.readings(rest)]
    ends, begins = fields.get("name-ends", ""), fields.get("name-begins", "")
    if ends and rest[0].known:
        places = [place for end in ends if (place := rest[0].text.find(end, 1)) > 0]
        if places:
            rest = (parts.cut(rest[0], 0, min(places)), *rest[1:])
    if begins and rest[0].known and (place := rest[0].text.find(begins)) > 0:
        rest = (parts.cut(rest[0], place + 1), *rest[1:])
    if "words-of" in fields:
        rest = (parts.with_text(own.words[0], fields["words-of"]), *rest)
    return [Inner(words=rest, via=via)]


# Interpreters.


def _code(own: Own) -> list[Inner]:
    """Return what an interpreter runs: code in an option, a file, an operand or standard input."""
    fields, rest = own.level.fields, own.behind
    language = fields["language"]
    codes = own.valued("runs code")
    where = next(reversed(own.valued("cwd")), None)
    program = own.words[0]
    found = []
    if codes:
        code = parts.join(codes, "\n")
        found.append(Inner(code=code, language=language, via=INTERPRETER, arguments=(program, *rest), cwd=where))
    found += [
        Inner(file=file, language=language, via=INTERPRETER, arguments=(file, *rest), cwd=where)
        for file in own.valued("runs file")
    ]
    found += texts(own)
    if found and "code-and-file" not in own.level.flags:
        return found
    if own.start is not None:
        word, behind = own.words[own.start], tuple(own.words[own.start :])
        if fields.get("runs") == "code":
            found.append(Inner(code=word, language=language, via=INTERPRETER, arguments=(program, *behind[1:])))
        else:
            found.append(Inner(file=word, language=language, via=INTERPRETER, arguments=behind, cwd=where))
            found += _as_program(behind, where)
    elif not found and (fields.get("otherwise") == "code" or own.rest is not None):
        found.append(Inner(stdin=True, language=language, via=INTERPRETER, arguments=(program, *rest)))
    return found


def _as_program(words: tuple[Word, ...], where: Word | None) -> list[Inner]:
    """Return a script that is a described program by its name: `php artisan tinker`, `python manage.py shell`."""
    described = level(family(parts.name(words[0]))) if words[0].known else None
    if described is None or "subcommands" not in described.flags:
        return []
    return [Inner(words=words, via=INTERPRETER, cwd=where)]


_BY_ENDING = {
    **dict.fromkeys(("py", "pyw"), "python"),
    **dict.fromkeys(("js", "cjs", "mjs", "jsx", "ts", "cts", "mts", "tsx"), "javascript"),
    **dict.fromkeys(("sh", "bash", "zsh", "ksh", "bats"), "sh"),
    "rb": "ruby",
    "pl": "perl",
    "php": "php",
    "lua": "lua",
    "tcl": "tcl",
    "r": "r",
    "ps1": "powershell",
    **dict.fromkeys(
        ("c", "cc", "cpp", "cxx", "m", "mm", "rs", "go", "java", "kt", "kts", "scala", "sc", "groovy"), ANY
    ),
    **dict.fromkeys(
        ("swift", "zig", "nim", "nims", "cr", "hs", "ml", "ex", "exs", "erl", "clj", "cljs", "jl", "d"), ANY
    ),
    **dict.fromkeys(("cs", "fs", "fsx", "f90", "adb", "pas", "dart", "vala", "odin", "hx", "rkt", "scm", "lisp"), ANY),
    **dict.fromkeys(("v", "gv"), ANY),
}
"""The ending of a file's name -> the language of what is in it."""


def is_batch(name: str) -> bool:
    """Tell if a file is one that cmd.exe runs, by its name."""
    return name.lower().endswith((".bat", ".cmd"))


def loaded(program: str, words: Sequence[Word], files: Iterable[str]) -> list[Inner]:
    """Return what a program runs of `files`, which the same command line has written.

    It loads some by itself (`loads`). It runs those that are code by their names, where the words of an interpreter or
    of an undescribed program name them, with an ending or without.
    """
    found: list[Inner] = []
    top = level(family(program))
    loads = _loads_of(top, words)
    names = _named_in(words) if top is None or "language" in top.fields else set()
    if not names and not loads:
        return found
    for path in files:
        found += [
            _code_in(path, language).replace(arguments=tuple(words[1:]), via=DOUBT)
            if language in RECIPES
            else _code_in(path, language)
            for language, pattern in loads
            if _is_loaded(path, pattern)
        ]
        stem, _, ending = path.rpartition("/")[2].rpartition(".")
        language = _BY_ENDING.get(ending.lower(), "")
        if language and stem in names:
            found.append(_code_in(path, language))
    return found


RECIPES = ("npm", "just", "task", "lines", "xml", "compose")
"""Languages of files that hold recipes; a runner runs some of them (`special/recipes.py`)."""


def recipes(program: str, words: Sequence[Word]) -> list[Inner]:
    """Return the files that a runner reads its recipes from, and those that it loads, by name.

    Of one in a language that rulez cannot read, which recipe runs is unknown: each command in it may run.
    """
    found: list[Inner] = []
    top = level(family(program))
    loads = _loads_of(top, words)
    read = {pattern for language, pattern in loads if language in RECIPES}
    for language, pattern in loads:
        if not _is_looked_for(pattern) or (language == ANY and pattern in read):
            continue
        via = DOUBT if language in (ANY, "lines", "xml") else INTERPRETER
        for name in _given(pattern, words) if pattern[0] == "@" else (pattern,):
            found.append(_code_in(name, language).replace(arguments=tuple(words[1:]), via=via))
    return found


def _given(pattern: str, words: Sequence[Word]) -> list[str]:
    """Return the words that name a file with an ending (`@*.sql`)."""
    return [word.text for word in words[1:] if word.known and word.text.endswith(pattern[2:]) and word.text[:1] != "-"]


def _is_looked_for(pattern: str) -> bool:
    """Tell if files of this name are looked for: not what is in a directory, nor tests, for there are many."""
    return pattern[-1] != "/" and not ("*" in pattern and "test" in pattern) and ".spec." not in pattern


def _loads_of(top: Level | None, words: Sequence[Word]) -> list[tuple[str, str]]:
    """Return what a program loads by itself, and what its subcommand does besides."""
    loads = _loads(top)
    if top is not None and "subcommands" in top.flags:
        loads += _loads(below(top, next((word.text for word in words[1:] if word.text[:1] != "-"), "")))
    return loads


def _loads(entry: Level | None) -> list[tuple[str, str]]:
    """Return what an entry says that the program loads: languages, and names of files."""
    given = entry.fields.get("loads", "") if entry is not None else ""
    return [(language, name) for language, _, name in (one.partition(" ") for one in given.split(", ")) if name]


def _code_in(path: str, language: str) -> Inner:
    return Inner(file=Word(text=path), language=language, via=INTERPRETER)


def _is_loaded(path: str, pattern: str) -> bool:
    """Tell if a file is one that `loads` means: `NAME`, `*ENDING`, `START*`, `DIRECTORY/`."""
    name = path.rpartition("/")[2]
    if pattern[:1] == "*":
        return name.endswith(pattern[1:])
    if pattern[-1:] == "*":
        return name.startswith(pattern[:-1])
    return f"/{pattern}" in path if pattern[-1:] == "/" else name == pattern


def _named_in(words: Sequence[Word]) -> set[str]:
    """Return the names in the words: letters, digits, `_` and `-`, without directory and ending."""
    text = " ".join([word.text for word in words[1:]])
    return set("".join([char if char.isalnum() or char in "_-" else " " for char in text]).split())


def commanding(program: str, variables: Iterable[str]) -> list[str]:
    """Return those of the variables that may have `program` run something (`environment.commands` says what)."""
    top = level(family(program))
    return [
        name
        for name in variables
        if name.startswith(("BASH_FUNC_", "GIT_CONFIG")) or (top is not None and top.verb_of(name) != "")
    ]
