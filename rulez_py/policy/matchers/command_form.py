"""`command` as it is written: its schema, its compiled form, and what a rule with it is filed by."""

from __future__ import annotations

from rulez_py.analysis import ARGUMENTS, OPAQUE, ORIGINS, OUTPUT, SET_UP, VIA, Value
from rulez_py.documents import types
from rulez_py.documents.types import ListOf, Map, Plain, Refusal, Short, check_not_blank, text
from rulez_py.policy.matchers import FILE, KINDS, index_keys
from rulez_py.policy.matchers.schema_parts import (
    GLOBS,
    ON_OFF_WORDS,
    check_decision,
    check_glob,
    check_no_not,
    check_pattern,
    one_of,
    one_or_many,
)
from rulez_py.policy.patterns import globs, regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, TypedDict

    from rulez_py.documents.types import Path
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match

    Written = Mapping[str, Any]

    class Glob(TypedDict, total=False):
        """One of the two. A regex fits no text whose lower case holds none of `literals`, where it has any.

        With `negate` it takes out what fits it.
        """

        glob: str
        regex: str
        literals: list[str]
        negate: bool

    Flag = tuple[str, str | None]
    """The name of an option or a variable, and a glob over its value."""

    class Way(TypedDict, total=False):
        """The compiled form: what was written, each as a list.

        `program` in lower case, and those of them that are `program_globs`, or where some take out the whole
        `program_list`; of `opaque` no reason where the command
        must not be opaque.
        """

        program: list[str]
        program_globs: list[str]
        program_list: list[str]
        subcommand: list[list[str]]
        any_flag: list[Flag]
        all_flags: list[Flag]
        no_flag: list[Flag]
        args: list[Glob]
        operands: list[Glob]
        exactly: list[str]
        via: list[str]
        opaque: list[str]
        stdin_from: list[str]
        stdin: list[Glob]
        user: list[str]
        environment: list[Flag]
        cwd: list[str]

    Wanted = Way | list[Way]
    """One way in which a command may fit, or a list: one of them is enough."""

# The written form.


def _check_program(value: str) -> None:
    value = globs.bare(value)
    name = value.replace("\\", "/").rstrip("/").rpartition("/")[2]
    if name != value:
        raise Refusal(f'holds "{value}", but programs are compared without their directory', f'write "{name}"')
    if len(value.split()) > 1:
        first, second = value.split()[:2]
        rest = f"any_flag: {second}" if second.startswith("-") else f"subcommand: {second}"
        raise Refusal(f'holds "{value}", which is more than a program\'s name', f"write program: {first}, {rest}")
    if value.lower().endswith(".exe"):
        raise Refusal(f'holds "{value}", but programs are compared without .exe', f'write "{value[:-4]}"')


def _check_part(value: str) -> None:
    if len(value.split()) > 1:
        said = f'holds "{value}", but every word of a subcommand is an entry of its own'
        raise Refusal(said, f"write [{', '.join(value.split())}]")


def _check_flag(value: str) -> None:
    name, equals, wanted = value.partition("=")
    if name.startswith("!"):
        help = 'options that must not be there go under "no_flag", others under "except"'
        raise Refusal(f'holds "{value}", but `!` takes no option out', help)
    if not name.startswith("-"):
        written = f"-{value}" if len(name) == 1 else f"--{value}"
        raise Refusal(f'holds "{value}", which has no leading dash', f'write "{written}"; other words go under "args"')
    if not name.strip("-"):
        raise Refusal(f'holds "{value}", which is no option', 'write it under "args"')
    if name.split() != [name]:
        first, second = (*value.split(), "")[:2]
        help = f"write [{', '.join(value.split())}]" if second.startswith("-") else f'write "{first}={second}"'
        raise Refusal(f'holds "{value}", but every option is an entry of its own', help)
    if "*" in name:
        raise Refusal(f'holds "{value}", but an option is named as it is, without globs', 'write it under "args"')
    if equals:
        check_no_not(wanted)
        check_glob(wanted)


def _check_variable(value: str) -> None:
    name, equals, wanted = value.partition("=")
    if name.startswith("!"):
        raise Refusal(f'holds "{value}", but `!` takes no variable out', 'say what must not be there under "except"')
    if not name.isidentifier():
        raise Refusal(f'holds "{value}", which is no variable', 'write NAME, or "NAME=glob" for one with such a value')
    if equals:
        check_no_not(wanted)
        check_glob(wanted)


def _check_word(value: str) -> None:
    value = globs.bare(value)
    if value.startswith("re:"):
        check_pattern(value.removeprefix("re:"))
    else:
        check_glob(value)


class _Subcommands(Value):
    """Paths of words: a text is a path of one, a list of texts one path; of a list of lists one is enough."""

    part: Plain

    def read(self, value: Any, path: Path, refusals: list[Refusal]) -> list[list[str]]:
        if isinstance(value, list) and any(isinstance(item, list) for item in value):
            single = next((at for at, item in enumerate(value) if not isinstance(item, list)), None)
            if single is not None:
                help = f"write [{value[single]}] for a path of one word" if isinstance(value[single], str) else ""
                raise Refusal("mixes words and lists", help or "write a list of lists")
            one: ListOf = ListOf(item=self.part, least=1)
            return [types.read(one, item, (*path, at), refusals) for at, item in enumerate(value)]
        return [types.read(ListOf(item=self.part, least=1, alone=True), value, path, refusals)]

    def json(self) -> dict[str, Any]:
        part = self.part.json()
        path = {"items": part, "minItems": 1, "type": "array"}
        return {"anyOf": [part, path, {"items": path, "minItems": 1, "type": "array"}]}


class _SwitchOr(Value):
    """true, false, or another kind."""

    kind: ListOf
    wanted: str

    def read(self, value: Any, path: Path, refusals: list[Refusal]) -> Any:
        if isinstance(value, bool):
            return value
        if not isinstance(value, (str, list)):
            raise types.unwanted(value, self.wanted)
        if isinstance(value, str) and value.lower() in ON_OFF_WORDS:
            check_decision(value)
        return self.kind.read(value, path, refusals)

    def json(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "boolean"}, *self.kind.json()["anyOf"]]}


_FLAGS = one_or_many(text(check_not_blank, _check_flag, pattern="^-"))
_WORDS = one_or_many(text(_check_word))

COMMAND = Map(
    name="Command",
    about="A command that would be executed. All keys must fit the same command; `{}` fits any command.",
    fields={
        "program": (
            one_or_many(text(check_not_blank, _check_program, check_glob, pattern=r"\S")),
            "Globs over the program's name, without directory; `!` takes out again.",
        ),
        "subcommand": (
            _Subcommands(part=text(check_not_blank, _check_part, check_no_not, check_glob, pattern=r"\S")),
            "The first operands, in order: a word, a list of words, or a list of such lists.",
        ),
        "any_flag": (_FLAGS, "At least one of these options; `--name=glob` for one with such a value."),
        "all_flags": (_FLAGS, "All of these options."),
        "no_flag": (_FLAGS, "None of these options."),
        "args": (
            _WORDS,
            "Globs, or regexes after `re:`; one must fit a word after the program. `!` takes out again.",
        ),
        "operands": (_WORDS, "The same over the words after the subcommand that are no options."),
        "exactly": (
            one_or_many(text()),
            "The program and every word after it, as they are written, and no other word.",
        ),
        "via": (one_or_many(one_of(VIA)), "How the command is reached."),
        "opaque": (
            _SwitchOr(kind=one_or_many(one_of(OPAQUE)), wanted="true, false or reasons"),
            "true, or the reasons, if what would be executed is not known.",
        ),
        "stdin_from": (one_or_many(one_of(ORIGINS)), "Where the text came from that it reads or runs."),
        "stdin": (
            _WORDS,
            "The same over the known text that it reads: standard input, and files that this line wrote.",
        ),
        "user": (one_or_many(one_of(("root",))), "Who it runs as."),
        "environment": (
            one_or_many(text(check_not_blank, _check_variable)),
            "At least one of these variables, which the line sets or unsets for it; `NAME=glob` for one with a value.",
        ),
        "cwd": (GLOBS, "The directory in which it runs, as in `paths`; in `except` and `allow`, it has to be known."),
    },
)

SCHEMA = Short(key="program", whole=COMMAND, lists=True, many=True)


# The compiled form.

USUAL = (ARGUMENTS, OUTPUT, SET_UP)
"""Reasons why a command is opaque that harmless ones have as well: `opaque: true` does not mean them."""


def compiled(wanted: Written | list[Written]) -> Wanted:
    """Return the same in the form in which it is asked."""
    return [_way(one) for one in wanted] if isinstance(wanted, list) else _way(wanted)


def _way(command: Written) -> Way:
    compiled: Any = dict(command)
    if "program" in command:
        names = [name.lower() for name in command["program"]]
        patterns = [name for name in names if globs.is_glob(name) or globs.takes_out(name)]
        compiled |= {"program": names, "program_globs": patterns} if patterns else {"program": names}
        if any(map(globs.takes_out, names)):
            del compiled["program_globs"]
            compiled["program_list"] = names
    for key in ("any_flag", "all_flags", "no_flag", "environment"):
        if key in command:
            compiled[key] = [_flag(flag) for flag in command[key]]
    for key in ("args", "operands", "stdin"):
        if key in command:
            compiled[key] = [_word(word) for word in command[key]]
    if isinstance(command.get("opaque"), bool):
        compiled["opaque"] = [reason for reason in OPAQUE if reason not in USUAL] if command["opaque"] else []
    done: Way = compiled
    return done


def _flag(flag: str) -> Flag:
    name, equals, value = flag.partition("=")
    found: Any = [name, value if equals else None]  # A list, as it comes back from where it is kept.
    done: Flag = found
    return done


def _word(word: str) -> Glob:
    if globs.takes_out(word):
        return {**_word(globs.bare(word)), "negate": True}
    if not word.startswith("re:"):
        return {"glob": word}
    prepared = regex.prepared(word.removeprefix("re:"))
    return {"regex": prepared["regex"], "literals": prepared["literals"]}


# Keys of the index.

_NEVER_PLAIN = ("via", "opaque", "stdin_from", "user", "environment")
"""Keys that no command of a plain line fits."""


def filed_by(ways: Sequence[Way], match: Match) -> Filing:
    """By the rarest of what every way to fit has: what no plain line has, a subcommand, an option, a program."""
    if all(any(one.get(key) for key in _NEVER_PLAIN) for one in ways):
        named = _of_each(ways, lambda one: _of_subcommands(one) or _of_program(one))
        marks = [] if index_keys.usable(named) else _of_each(ways, _of_marks)
        return ("marks", marks) if marks else ("beyond", named)
    if index_keys.usable(words := _of_each(ways, _of_words)):
        return "words", words
    programs = _of_each(ways, _of_program)
    if all(one.get("any_flag") or one.get("all_flags") for one in ways):
        return "options", programs
    touches = index_keys.usable(programs) and any(KINDS[kind] == FILE for kind in match)
    return "touching" if touches else "programs", programs


def pieces(ways: Sequence[Way]) -> list[str]:
    """Pieces of the words that a command has which fits one of the ways."""
    words = _of_each(ways, _of_words)
    return words if index_keys.usable(words) else _of_each(ways, _of_program)


def _of_each(ways: Sequence[Way], pieces: Callable[[Way], list[str]]) -> list[str]:
    """Return the pieces of every way in which a command may fit; nothing where one has none."""
    found = [pieces(one) for one in ways]
    return [piece for part in found for piece in part] if all(found) else []


def _of_program(wanted: Way) -> list[str]:
    return index_keys.of_names(wanted.get("program", ()))


def _of_words(wanted: Way) -> list[str]:
    """Return the name of a program that few lines have, or a word of each subcommand; nothing without both."""
    programs = wanted.get("program", ())
    subcommands = _of_subcommands(wanted)
    rare = subcommands and all(map(index_keys.is_name, programs)) and _OF_ALL_DAY.isdisjoint(programs)
    return (_of_program(wanted) if rare else []) or subcommands


_OF_ALL_DAY = frozenset(("cargo", "docker", "gh", "git", "go", "npm", "pip", "pnpm", "python", "python3", "uv", "yarn"))
"""Programs that so many lines run that a subcommand says more."""


def _of_marks(wanted: Way) -> list[str]:
    """Of these one must be there."""
    return [*(wanted.get("opaque") or wanted.get("via") or wanted.get("stdin_from") or ())]


def _of_subcommands(wanted: Way) -> list[str]:
    """Return a word of each subcommand; nothing where one has none that is plain.

    It may be the end of a word, a value behind an option's letter.
    """
    words = [word for path in wanted.get("subcommand", ()) for word in max(map(_of_choices, path), key=_shortest)]
    return words if all(map(index_keys.is_distinctive, words)) else []


def _of_choices(pattern: str) -> list[str]:
    """Return a piece for each of the choices in a glob's braces."""
    head, brace, rest = pattern.partition("{")
    choices, _, tail = rest.partition("}")
    if not brace or "{" in rest or "\\" in pattern:
        return [_ending(pattern)]
    return [_ending(head + choice + tail) for choice in choices.split(",")]


def _ending(pattern: str) -> str:
    return pattern.lower() + regex.EDGE if index_keys.is_name(pattern) else globs.literal(pattern)


def _shortest(words: Iterable[str]) -> int:
    return min(map(len, words))
