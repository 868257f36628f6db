"""`command`: which command would be executed.

A strict fit rests on certain readings alone: of a word that may be a value, or that is partly unknown, it takes
the one that fits worst.
"""

from __future__ import annotations

from rulez_py.analysis import ARGUMENTS
from rulez_py.policy.matchers import RUN_NOTHING
from rulez_py.policy.patterns import globs, regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from rulez_py.analysis import Command, Data, Operand, Reading, Word
    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.facts import Facts, Part
    from rulez_py.policy.matchers.command_form import Flag, Glob, Wanted, Way
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match

    Words = tuple[Word, ...]
    Fits = Callable[[str], bool] | None
    Look = Callable[[Reading, str, Fits], tuple[Word, ...]]

ABOUT = "A command that would be executed."
EXAMPLE = "command: {program: git, subcommand: push, any_flag: [--force]}"
VARIABLES = ("program", "any_flag", "all_flags", "no_flag", "args", "operands", "stdin", "environment", "cwd")
NEEDS_TOOL = True
NEVER_WITH = RUN_NOTHING
SAYS_LITTLE = ("command.no_flag", "command.user", "command.via")


def schema() -> Kind:
    from rulez_py.policy.matchers.command_form import SCHEMA

    return SCHEMA


def compiled(wanted: Any) -> Wanted:
    from rulez_py.policy.matchers import command_form

    return command_form.compiled(wanted)


def filed_by(match: Match) -> Filing | None:
    from rulez_py.policy.matchers import command_form

    return command_form.filed_by(ways(match["command"]), match)


def fits(wanted: Wanted, part: Part, facts: Facts, *, strict: bool) -> bool:
    return words(wanted, part, strict=strict) is not None


def about(wanted: Wanted, part: Part, facts: Facts) -> Part:
    """Return the part with only those operands that fit."""
    fitting = [one for one in ways(wanted) if _words(one, part, strict=False) is not None]
    if not fitting or not all("operands" in one for one in fitting):
        return part
    concerned = _in_order(word for one in fitting for word in _operands(one, part, False) or ())
    return part.narrowed(concerned=concerned)


def ways(wanted: Wanted) -> Sequence[Way]:
    """Return the ways in which a command may fit: one is enough."""
    return wanted if isinstance(wanted, list) else (wanted,)


def words(wanted: Wanted, part: Part, *, strict: bool = False) -> Words | None:
    """Return the words by which a command fits, the program's name among them; None where it does not fit."""
    for one in ways(wanted):
        found = _words(one, part, strict=strict)
        if found is not None:
            return found
    return None


def _words(wanted: Way, part: Part, *, strict: bool) -> Words | None:
    command = part.command
    if command is None or not _fits_by_itself(wanted, command, strict=strict):
        return None
    if strict and not _is_certain(wanted, command):
        return None
    found = list(command.words[:1])
    for key, look in _OF_WORDS.items():
        if key in wanted:
            fitting = look(wanted, part, strict)
            if fitting is None:
                return None
            found += fitting
    return _in_order(found)


def each(wanted: Way, part: Part) -> Mapping[str, bool]:
    """Everything that one way wants, and whether the command has it: for who explains why a rule does not match."""
    command = part.command
    if command is None:
        return dict.fromkeys(wanted, False)
    found = {key: fits(wanted, command, False) for key, fits in _OF_COMMAND.items() if key in wanted}
    return found | {key: look(wanted, part, False) is not None for key, look in _OF_WORDS.items() if key in wanted}


def _in_order(words: Iterable[Word]) -> Words:
    """Return each word once, in the order of the command line; first those that are not written there."""
    unique = {id(word): word for word in words}
    return tuple(sorted(unique.values(), key=lambda word: word.at[0] if word.at != (0, 0) else -1))


def _fits_by_itself(wanted: Way, command: Command, *, strict: bool) -> bool:
    """Return the answer for a command that does not depend on its words."""
    if "program" in wanted and not _program(wanted, command, strict):
        return False  # Most ways end here, so nothing is built before.
    return all(fits(wanted, command, strict) for key, fits in _OF_COMMAND.items() if key in wanted)


def _program(wanted: Way, command: Command, _strict: bool) -> bool:
    if "program_list" in wanted:
        return globs.plain_list(wanted["program_list"], command.program)
    # Most commands are no rule's program, and a list of names is searched at once.
    return command.program in wanted["program"] or any(
        globs.plain(pattern, command.program) for pattern in wanted.get("program_globs", ())
    )


_OF_COMMAND: dict[str, Callable[[Way, Command, bool], bool]] = {
    "program": _program,
    "user": lambda wanted, command, _strict: command.user in wanted["user"],
    "stdin": lambda wanted, command, strict: _fits_input(wanted["stdin"], command.inputs, strict=strict),
    "opaque": lambda wanted, command, _strict: _fits_opaque(wanted["opaque"], command.opaque),
    "via": lambda wanted, command, _strict: any(one in wanted["via"] for one in command.via),
    "stdin_from": lambda wanted, command, _strict: any(one in wanted["stdin_from"] for one in command.fed),
    "environment": lambda wanted, command, strict: _fits_environment(
        wanted["environment"], command.environment, strict=strict
    ),
}
"""A key of `command` -> the test of a command."""


def _fits_input(patterns: Sequence[Glob], inputs: Sequence[Data], *, strict: bool) -> bool:
    """Tell whether a text that is read fits; strictly all of them do, and all is known of them."""
    found = [
        _text_fits(patterns, data.shown if data.text is None else data.text)
        for data in inputs
        if not strict or data.text is not None
    ]
    return len(found) == len(inputs) > 0 and all(found) if strict else any(found)


def _fits_environment(wanted: Sequence[Flag], there: Sequence[tuple[str, Data]], *, strict: bool) -> bool:
    """Tell whether one of the variables was set or unset; strictly a value that is asked for must be known."""
    return any(
        name == variable
        and (glob is None or (globs.plain(glob, data.shown) if data.text is None else globs.plain(glob, data.text)))
        and not (strict and glob is not None and data.text is None)
        for name, glob in wanted
        for variable, data in there
    )


def _cwd(wanted: Way, part: Part, strict: bool) -> Words | None:
    """Tell whether one of the directories fits in which it may run; strictly each.

    Of one that is not known, it may be.
    """
    from rulez_py.policy.matchers.paths import any_path

    enough = all if strict else any
    fits = enough(any_path(wanted["cwd"], place.path, place.root, place.home) for place in part.places)
    return () if (fits if part.places else not strict) else None


def _fits_opaque(reasons: Sequence[str], there: Sequence[str]) -> bool:
    return any(reason in reasons for reason in there) if reasons else not there


def _is_certain(wanted: Way, command: Command) -> bool:
    """Tell whether it is known what would be executed, or what is not known is what was asked for."""
    named = wanted.get("opaque", ())
    return all(reason == ARGUMENTS or reason in named for reason in command.opaque)


def _subcommand(wanted: Way, part: Part, strict: bool) -> Words | None:
    found = _path(wanted, part.reading.operands, strict)
    return None if found is None else tuple(part.reading.operands[at].word for at in found)


def _path(wanted: Way, operands: Sequence[Operand], strict: bool) -> tuple[int, ...] | None:
    """Return which of the operands name the subcommand; the reading with the fewest, None where none fits."""
    fitting = [
        found for path in wanted["subcommand"] if (found := _path_from(path, operands, strict=strict)) is not None
    ]
    return min(fitting, key=lambda found: found[-1:], default=None)


def _path_from(path: Sequence[str], operands: Sequence[Operand], *, strict: bool) -> tuple[int, ...] | None:
    ends: dict[int, tuple[int, ...]] = {0: ()}
    for part in path:
        further: dict[int, tuple[int, ...]] = {}
        for start, before in ends.items():
            for at in range(start, len(operands)):
                operand = operands[at]
                if _part_fits(part, operand.word, strict=strict) and not (strict and operand.doubtful):
                    further.setdefault(at + 1, (*before, at))
                if strict or not operand.doubtful:
                    break
        if not further:
            return None
        ends = further
    return ends[min(ends)]


def _part_fits(part: str, word: Word, *, strict: bool) -> bool:
    return globs.plain(part, word.text) and (word.known or not strict)


def _any_flag(wanted: Way, part: Part, strict: bool) -> Words | None:
    found = _held(wanted["any_flag"], part.reading, strict=strict)
    return tuple(found) if found and _is_settled(part, strict=strict) else None


def _all_flags(wanted: Way, part: Part, strict: bool) -> Words | None:
    each = [_held([flag], part.reading, strict=strict) for flag in wanted["all_flags"]]
    found = tuple(word for words in each for word in words)
    return found if all(each) and _is_settled(part, strict=strict) else None


def _no_flag(wanted: Way, part: Part, strict: bool) -> Words | None:
    """Return what counts as there is the other way round: only what certainly is, unless the fit is strict."""
    there = _held(wanted["no_flag"], part.reading, strict=not strict)
    return None if there or not _is_settled(part, strict=strict) else ()


def _is_settled(part: Part, *, strict: bool) -> bool:
    """Tell if no word with an unknown beginning can be one more option."""
    return not strict or not any(
        not operand.word.known and operand.word.text.startswith(("$", "`", "<", ">"))
        for operand in part.reading.operands
    )


def _held(flags: Sequence[Flag], reading: Reading, *, strict: bool) -> list[Word]:
    """Return the words that hold one of the flags."""
    from rulez_py.analysis import certainly, holds

    look = certainly if strict else holds
    found: list[Word] = []
    for name, value in flags:
        fits = None if value is None else _fits_value(value)
        found += look(reading, name, fits) or _letters_held(name, fits, look, reading)
    return found


def _letters_held(name: str, fits: Fits, look: Look, reading: Reading) -> list[Word]:
    """Return the words that hold all letters of a flag such as `-rf`, which is no option's own name.

    Its value belongs
    to the last."""
    letters = name[1:]
    if len(letters) < 2 or not letters.isalpha() or len(set(letters)) < len(letters):
        return []
    each = [look(reading, "-" + letter, None) for letter in letters[:-1]]
    each.append(look(reading, "-" + letters[-1], fits))
    return [word for words in each for word in words] if all(each) else []


def _fits_value(glob: str) -> Callable[[str], bool]:
    return lambda text: globs.plain(glob, text)


def _args(wanted: Way, part: Part, strict: bool) -> Words | None:
    return _fitting(wanted["args"], _arguments(part), strict=strict) or None


def _arguments(part: Part) -> Sequence[Word]:
    """Return the words behind the program's name."""
    return part.command.words[1:] if part.command is not None else ()


def _operands(wanted: Way, part: Part, strict: bool) -> Words | None:
    """Strictly every operand must fit, not one of them: the others are what an exception must not let pass."""
    operands = part.reading.operands
    if "subcommand" in wanted:
        path = _path(wanted, operands, strict) or ()
        operands = operands[path[-1] + 1 if path else 0 :]
    words = tuple(operand.word for operand in operands)
    if strict and part.concerned is not None:
        words = part.concerned
    found = _fitting(wanted["operands"], words, strict=strict)
    return None if not found or (strict and len(found) < len(words)) else found


def _fitting(patterns: Sequence[Glob], words: Sequence[Word], *, strict: bool) -> Words:
    # A shell may expand a pattern to the very name that is taken out.
    takes_out = strict and any("negate" in pattern for pattern in patterns)
    return tuple(
        word
        for word in words
        if (word.known or not strict)
        and _text_fits(patterns, word.text)
        and (not (strict and word.glob) or (not takes_out and _text_fits(patterns, _expanded(word))))
    )


def _expanded(word: Word) -> str:
    """Something that a shell may make of a word with a pattern in it, and hardly any glob means but `*`."""
    return word.text.replace("*", "\x01/\x01").replace("?", "\x01")


def _text_fits(patterns: Sequence[Glob], text: str) -> bool:
    """Tell whether a list of globs and regexes is about a text, as `globs.takes` says it of globs alone."""
    found = False
    for pattern in patterns:
        negated = "negate" in pattern
        if found is negated and _word_fits(pattern, text):
            found = not negated
    return found


def _word_fits(pattern: Glob, text: str) -> bool:
    if "regex" in pattern:
        return regex.fits(pattern["regex"], pattern["literals"], text)
    return globs.plain(pattern["glob"], text)


def _exactly(wanted: Way, part: Part, strict: bool) -> Words | None:
    words = part.command.words if part.command is not None else ()
    return words if all(map(_is_plainly, words, wanted["exactly"])) and len(words) == len(wanted["exactly"]) else None


def _is_plainly(word: Word, text: str) -> bool:
    return word.known and not word.glob and word.text == text


_OF_WORDS: dict[str, Callable[[Way, Part, bool], Words | None]] = {
    "cwd": _cwd,
    "subcommand": _subcommand,
    "any_flag": _any_flag,
    "all_flags": _all_flags,
    "no_flag": _no_flag,
    "args": _args,
    "operands": _operands,
    "exactly": _exactly,
}
"""A key about words -> the words that fit, None where none do."""
