"""The notation in which programs are described (docs/programs.md): read from TOML, checked, made uniform.

A mistake has its file, its line and what would be right, for people who write entries. No hook call gets here.
"""

from __future__ import annotations

import re
import tomllib

from rulez_py.analysis.programs.parts import OPTION_VERBS
from rulez_py.analysis.programs.roles import is_key_option, is_text_option
from rulez_py.analysis.record import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

_BRIEF = 20
"""Characters that a message quotes of an unknown key: an agent may name any file to the command."""
FILE_VERBS = frozenset(("read", "write", "delete", "send"))
HOW_DEEP = frozenset(("all", "recursive", "within"))
VALUE_VERBS = frozenset(
    (
        *("value", "cwd", "into", "url", "url?", "host", "data", "form", "variables", "user", "env", "perhaps"),
        *("text", "key", "names", "urls"),
        *("runs shell", "runs shell there", "runs words", "runs script", "runs pipe", "runs program"),
        *("runs code", "runs file", "runs module", "runs text"),
    )
)
VARIABLE_VERBS = frozenset(("runs shell", "runs script", "runs file", "runs text", "options", "code"))
TRAITS = frozenset(
    (
        *("in shell", "reads bits", "metadata", "passes", "chooses", "sends", "patches", "installs", "sets up"),
        *("uploads", "lends", "lists"),
    )
)
SWITCHES = (
    *("abbreviations", "negations", "one-dash", "letters-first", "expression", "subcommands", "anywhere"),
    *("assignments", "code-and-file", "joined"),
)
"""Keys that are only ever `true`."""
TEXTS = ("otherwise", "language", "user", "name-ends", "name-begins", "words-of", "code", "prints", "runs", "loads")
CHOICES = {
    "otherwise": ("shell", "code", "text"),
    "prints": ("nothing", "decoded", "downloads", "environment", "credentials"),
}
LISTS = {"flags": ".", "values": "=", "attached": "~", "pairs": "2", "unsure": "/"}
"""The keys that list options without a meaning, and what those take."""
KEYS = (*LISTS, *SWITCHES, *TEXTS, "also", "stops", "operands", "traits", "options", "environment", "credentials")
RUNS = ("words", "shell", "shell if one", "file", "code")
TEST_KEYS = ("line", "options", "operands", "runs", "files", "named", "hosts", "prints", "sends", "environment")
DIALECTS = ("powershell",)
"""What else than programs a file may describe: its `dialect`."""
CMDLET_KEYS = ("flags", "values", "options", "operands", "also", "also-programs", "with")
CMDLET_VERBS = frozenset(("url", "host", "data"))
CALL_VERBS = frozenset(
    (
        *("runs command", "runs list", "runs process", "runs rulez", "content", "open", "make", "made", "same", "list"),
        *("join", "name", "home", "here"),
        *("expand", "getenv", "glob", "under", "strip", "lower", "reverse", "parent", "chars", "found", "links"),
    )
)
"""Verbs that only the tables of calls of languages have (`languages/actions.py`)."""
CMDLET_TEST_KEYS = ("line", "options", "operands", "files", "hosts")
_TAKES = {"attached": "~", "pair": "2", "until ;": ";", "unsure": "/"}


class Described(Value):
    """An entry: every spelling and what it takes and does, and all else by its key."""

    name: str
    also: tuple[str, ...] = ()
    options: tuple[tuple[tuple[str, ...], str, tuple[str, ...]], ...] = ()
    operands: tuple[str, ...] = ()
    switches: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    stops: int = 0
    texts: tuple[tuple[str, str], ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    credentials: tuple[str, ...] = ()
    file: str = ""
    dialect: str = ""
    programs: tuple[str, ...] = ()
    """Of `also`, what is a program as well."""

    @property
    def names(self) -> tuple[str, ...]:
        """All names that find it."""
        found = (self.name, *self.also)
        return tuple(name.lower() for name in found) if self.dialect else found

    def text(self, key: str) -> str:
        """Return what a key of TEXTS says; "" where the entry does not have it."""
        return dict(self.texts).get(key, "")


class Example(Value):
    """A command line and its expected reading."""

    line: str
    expected: Mapping[str, Any]
    file: str
    at: int
    dialect: str = ""


class Mistake(Value):
    """What is wrong in a file, and what would be right; `name` is the entry, where it is one of several files."""

    file: str
    line: int
    text: str
    name: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


class Wrong(Exception):
    """A part of an entry cannot be read; `key` is its place."""

    def __init__(self, key: str, text: str) -> None:
        super().__init__(text)
        self.key = key
        self.text = text


def parse(text: str, file: str) -> tuple[list[Described], list[Example], list[Mistake]]:
    """Return the entries and tests in one file's text, and its mistakes."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return [], [], [Mistake(file=file, line=line_of_error(error), text=f"this is no TOML: {error}")]
    entries: list[Described] = []
    mistakes: list[Mistake] = []
    tests: list[Example] = []
    dialect = document.pop("dialect", "")
    if dialect not in ("", *DIALECTS):
        return [], [], [Mistake(file=file, line=1, text=f"`dialect` is one of: {', '.join(DIALECTS)}; or not there")]
    for name, table in document.items():
        if name == "tests":
            continue
        try:
            entries.append(_cmdlet(name, table, document, file) if dialect else _entry(name, table, file))
        except Wrong as wrong:
            mistakes.append(Mistake(file=file, line=line_of(text, name, wrong.key), text=wrong.text))
    places = [number for number, line in enumerate(text.split("\n"), 1) if line.strip() == "[[tests]]"]
    for table, at in zip(document.get("tests", []), places, strict=False):
        known = CMDLET_TEST_KEYS if dialect else TEST_KEYS
        unknown = [key for key in table if key not in known]
        if unknown or "line" not in table:
            text_of = f"a test has no {unknown[0]!r}" if unknown else "a test needs a `line`"
            mistakes.append(Mistake(file=file, line=at, text=f"{text_of}; it has: {', '.join(known)}"))
            continue
        expected = {key: value for key, value in table.items() if key != "line"}
        tests.append(Example(line=table["line"], expected=expected, file=file, at=at, dialect=dialect))
    return entries, tests, mistakes


def line_of_error(error: tomllib.TOMLDecodeError) -> int:
    """Return the line at which a text stops being TOML."""
    place = re.search(r"at line (\d+)", str(error))
    return int(place[1]) if place else 1


def line_of(text: str, name: str, key: str = "") -> int:
    """Return the line of a key of an entry, or of a text in it; that of its head where it is not found."""
    head = re.compile(rf'^\[\s*"?{re.escape(name)}"?\s*[.\]]')
    inside, first = False, 1
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("["):
            inside = head.match(line) is not None
            if inside and first == 1:
                first = number
        if inside and key and key in line and not line.startswith("["):
            return number
    return first


def _checked(name: str, table: object, keys: Sequence[str]) -> dict[str, Any]:
    """Return an entry as written in the file; raise Wrong for other keys than these."""
    if not isinstance(table, dict):
        raise Wrong("", f"{name!r} is outside of any program: write `[{name}]`, or put it below the program's head")
    if name != " ".join(name.split()) or not name:
        raise Wrong("", f"{name!r} is no name of a program: words with one blank between them")
    for key in table:
        if key not in keys:
            raise Wrong(key, f"{key[:_BRIEF]!r} is no key of a program; there are: {', '.join(keys)}")
    return table


def _entry(name: str, given: object, file: str) -> Described:
    table = _checked(name, given, KEYS)
    stops = table.get("stops", 0)
    if not isinstance(stops, int) or isinstance(stops, bool) or not 0 <= stops <= 9:
        raise Wrong("stops", "`stops` is the number of operands after which nothing is an option: 1, 2, ...")
    return Described(
        name=name,
        also=_texts(table, "also"),
        options=tuple(_options(table)),
        operands=tuple(_operands(table)),
        switches=tuple(key for key in SWITCHES if _switch(table, key)),
        traits=_of(table, "traits", TRAITS),
        stops=stops,
        texts=tuple((key, _text(table, key)) for key in TEXTS if key in table),
        environment=tuple(_environment(table)),
        credentials=tuple(_credentials(name, table)),
        file=file,
    )


def _cmdlet(name: str, given: object, document: Mapping[str, Any], file: str) -> Described:
    """Return a cmdlet, or a group of parameters; with those of the groups it names."""
    table = _checked(name, given, CMDLET_KEYS)
    options = list(_options(table, _parameter))
    for group in _texts(table, "with"):
        if f"* {group}" not in document:
            raise Wrong(group, f'{group!r} is no group of this file: write `["* {group}"]`')
        options += _options(_checked(group, document[f"* {group}"], CMDLET_KEYS), _parameter)
    common = [] if name == "*" else list(_options(document.get("*", {}), _parameter))
    spelled = [spelling for names, _, _ in (*options, *common) for spelling in names]
    lower = [spelling.lower() for spelling in spelled]
    for spelling in spelled:
        if lower.count(spelling.lower()) > 1:
            raise Wrong(spelling, f"the parameter {spelling} is described twice: here, in a group or in `*`")
    operands = _texts(table, "operands")
    for operand in operands:
        if operand not in (names[0] for names, takes, _ in options if takes == "="):
            raise Wrong("operands", f"{operand!r} is no parameter of {name} with a value: write its first name")
    programs = _texts(table, "also-programs")
    return Described(
        name=name,
        also=(*_texts(table, "also"), *programs),
        options=tuple(options),
        operands=operands,
        file=file,
        dialect="powershell",
        programs=programs,
    )


def _parameter(given: str, verb: object) -> tuple[str, tuple[str, ...]]:
    """Return what the value of a parameter is."""
    words = frozenset(str(verb).split(" "))
    if verb not in CMDLET_VERBS and not (words & FILE_VERBS and words <= FILE_VERBS | HOW_DEEP | {"literal"}):
        raise Wrong(given, f"{verb!r} is no verb of a parameter; there are: {_verb_names(CMDLET_VERBS)}")
    return "=", (str(verb),)


def _texts(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
        raise Wrong(key, f'`{key}` is a list of texts: `{key} = ["...", "..."]`')
    return tuple(value)


def _of(table: Mapping[str, Any], key: str, known: frozenset[str]) -> tuple[str, ...]:
    given = _texts(table, key)
    for one in given:
        if one not in known:
            raise Wrong(one, f"{one!r} fits none of the {key}: {', '.join(sorted(known))}")
    return given


def _switch(table: Mapping[str, Any], key: str) -> bool:
    if table.get(key, True) is not True:
        raise Wrong(key, f"`{key}` is `true`, or not there")
    return key in table


def _text(table: Mapping[str, Any], key: str) -> str:
    value = table[key]
    if not isinstance(value, str) or not value:
        raise Wrong(key, f'`{key}` is a text: `{key} = "..."`')
    if value not in CHOICES.get(key, (value,)):
        raise Wrong(key, f"`{key}` is one of: {', '.join(CHOICES[key])}")
    if key == "runs" and value.removesuffix(" behind --").removesuffix(" there") not in RUNS:
        raise Wrong(key, f"`runs` is one of: {', '.join(RUNS)}; `there` and `behind --` may follow")
    return value


def _spellings(given: str, key: str) -> tuple[str, ...]:
    names = tuple(given.split())
    for name in names:
        if len(name) < 2 or name[0] != "-" or name == "--":
            raise Wrong(given, f"{name!r} in `{key}` is no option: write its dashes, `-o --output`")
    return names


def _options(
    table: Mapping[str, Any], read: Callable[[str, object], tuple[str, tuple[str, ...]]] | None = None
) -> Iterator[tuple[tuple[str, ...], str, tuple[str, ...]]]:
    seen: dict[str, str] = {}
    found: list[tuple[tuple[str, ...], str, tuple[str, ...]]] = []
    for key, takes in LISTS.items():
        found += [(_spellings(given, key), takes, ()) for given in _texts(table, key)]
    options = table.get("options", {})
    if not isinstance(options, dict):
        raise Wrong("options", '`options` is a table: `[name.options]`, below it `"-o --output" = "write"`')
    for given, verbs in options.items():
        takes, does = (read or _verbs)(given, verbs)
        found.append((_spellings(given, "options"), takes, does))
    for names, takes, verbs in found:
        does = verbs if verbs or takes == "." or read else _by_name(names)
        for name in names:
            if name in seen:
                raise Wrong(name, f"the option {name} is described twice: as {seen[name]!r} and as {' '.join(names)!r}")
            seen[name] = " ".join(names)
        yield names, takes, does


def _by_name(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return what the value of an option is by its name alone, where its entry says nothing else."""
    if any(map(is_text_option, names)):
        return ("text",)
    return ("key",) if any(map(is_key_option, names)) else ()


def _verbs(given: str, verbs: object) -> tuple[str, tuple[str, ...]]:
    """Return what an option takes, and does."""
    if not isinstance(verbs, str):
        raise Wrong(given, f'what {given} does is a text of verbs: `"{given}" = "write"`')
    takes, does = ".", []
    for part in verbs.split(","):
        verb = part.strip()
        for prefix, kind in _TAKES.items():
            if verb == prefix or verb.startswith(prefix + " "):
                takes, verb = kind, verb[len(prefix) :].strip()
        if not verb or verb == "value":
            takes = "=" if takes == "." else takes
        elif verb in OPTION_VERBS:
            does.append(verb)
        elif is_value(verb):
            takes = "=" if takes == "." else takes
            does.append(verb)
        else:
            raise Wrong(
                given, f"{verb!r} is no verb of an option; there are: {_verb_names(VALUE_VERBS | OPTION_VERBS)}"
            )
    return takes, tuple(does)


def _verb_names(verbs: frozenset[str]) -> str:
    return ", ".join((*sorted(FILE_VERBS), *sorted(verbs)))


def is_value(verb: str) -> bool:
    """Tell if a verb says what a value or an operand is."""
    words = frozenset(verb.split(" "))
    return verb in VALUE_VERBS or (bool(words & FILE_VERBS) and words <= FILE_VERBS | HOW_DEEP)


def is_call(verb: str) -> bool:
    """Tell if a verb says what a call in another language does, or is worth."""
    key, _, value = verb.partition(" ")
    return is_value(verb) or verb in CALL_VERBS or value in {"runs": RUNS, "prints": CHOICES["prints"]}.get(key, ())


def _operands(table: Mapping[str, Any]) -> Iterator[str]:
    given = _texts(table, "operands")
    if sum(one.endswith("*") for one in given) > 1:
        raise Wrong("operands", "only one of the `operands` may have a `*`")
    for one in given:
        verb = one.removesuffix("*").rstrip()
        if verb != "number" and not verb.startswith("one of ") and not is_value(verb):
            known = _verb_names(VALUE_VERBS)
            raise Wrong(one, f"{verb!r} is no verb of an operand; there are: {known}, number, one of A B")
        yield one


def _environment(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    given = table.get("environment", {})
    if not isinstance(given, dict):
        raise Wrong("environment", '`environment` is a table: `[name.environment]`, below it `PAGER = "runs shell"`')
    for name, verb in given.items():
        if verb not in VARIABLE_VERBS:
            raise Wrong(name, f"{verb!r} is no verb of a variable; there are: {', '.join(sorted(VARIABLE_VERBS))}")
        yield name, verb


def _credentials(name: str, table: Mapping[str, Any]) -> Iterator[str]:
    for given in _texts(table, "credentials"):
        if " " in name:
            raise Wrong("credentials", "`credentials` belongs to the entry of the program, not of a subcommand")
        if given != " ".join(given.split()):
            raise Wrong(given, f"{given!r} in `credentials` is no list of words with one blank between them")
        yield given


def together(files: Sequence[Sequence[Described]]) -> list[Mistake]:
    """Return what is wrong with the entries of all files: a name that is described twice, a subcommand of what has
    none.
    """
    found: dict[tuple[str, str], Described] = {}
    mistakes: list[Mistake] = []
    for entry in (entry for entries in files for entry in entries):
        for name in entry.names:
            other = found.get((entry.dialect, name))
            if other is not None:
                text = f"{name!r} is described twice, in {other.file} too"
                mistakes.append(Mistake(file=entry.file, line=1, text=text, name=entry.name))
            found[entry.dialect, name] = entry
    names = {name: entry for (dialect, name), entry in found.items() if not dialect}
    for name, entry in names.items():
        above = name.rpartition(" ")[0]
        if above and above not in names:
            mistakes.append(
                Mistake(
                    file=entry.file,
                    line=1,
                    text=f"{name!r} is described and {above!r} is not: write `[{above}]` with `subcommands = true`",
                    name=entry.name,
                )
            )
        elif above and "subcommands" not in names[above].switches:
            mistakes.append(
                Mistake(
                    file=entry.file,
                    line=1,
                    text=f"{name!r} is a subcommand: write `subcommands = true` into the entry of {above!r}",
                    name=entry.name,
                )
            )
    return mistakes
