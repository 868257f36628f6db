"""The `command` matcher: what a rule says of a command that would be executed.

A strict fit, for what weakens a policy, rests on certain readings alone: of a word that may be a value, or of which a
part is not known, it takes the one that fits worst.
"""

from __future__ import annotations

from rulez_py.analysis import ARGUMENTS
from rulez_py.policy import globs, regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from rulez_py.analysis import Command, Data, Operand, Reading, Word

    Words = tuple[Word, ...]
    Wanted = Mapping[str, Any] | list[Mapping[str, Any]]
    Fits = Callable[[str], bool] | None
    Look = Callable[[Reading, str, Fits], tuple[Word, ...]]


def ways(wanted: Wanted) -> Sequence[Mapping[str, Any]]:
    """The ways in which a command may fit: one is enough."""
    return wanted if isinstance(wanted, list) else (wanted,)


class Executed:
    """A command, and its options once somebody asks for them. `concerned` are the operands that count strictly."""

    def __init__(self, command: Command, concerned: Words | None = None) -> None:
        self.command = command
        self.concerned = concerned
        self._reading: Reading | None = None

    def about(self, wanted: Wanted) -> Executed:
        """The same, of which only those operands count by which it fits."""
        fitting = [one for one in ways(wanted) if self._fit(one, strict=False) is not None]
        if not fitting or not all("operands" in one for one in fitting):
            return self
        concerned = _in_order(word for one in fitting for word in _operands(one, self, False) or ())
        narrowed = Executed(self.command, concerned)
        narrowed._reading = self._reading
        return narrowed

    @property
    def arguments(self) -> Sequence[Word]:
        """The words behind the program's name."""
        return self.command.words[1:]

    def fit(self, wanted: Wanted, *, strict: bool = False) -> Words | None:
        """The words by which the command fits, the program's name among them; None where it does not fit."""
        for one in ways(wanted):
            words = self._fit(one, strict=strict)
            if words is not None:
                return words
        return None

    def _fit(self, wanted: Mapping[str, Any], *, strict: bool) -> Words | None:
        command = self.command
        if not _fits_by_itself(wanted, command, strict=strict) or (strict and not _is_certain(wanted, command)):
            return None
        found = list(command.words[:1])
        for key, fits in _OF_WORDS.items():
            if key in wanted:
                words = fits(wanted, self, strict)
                if words is None:
                    return None
                found += words
        return _in_order(found)

    @property
    def reading(self) -> Reading:
        """The same, told apart."""
        if self._reading is None:
            from rulez_py.analysis import reading

            self._reading = reading(self.command)
        return self._reading


def _in_order(words: Iterable[Word]) -> Words:
    """Each word once, as they stand in the command line; first those that do not stand there themselves."""
    unique = {id(word): word for word in words}
    return tuple(sorted(unique.values(), key=lambda word: word.at[0] if word.at != (0, 0) else -1))


def _fits_by_itself(wanted: Mapping[str, Any], command: Command, *, strict: bool) -> bool:
    """What is to be said of a command before its words are looked at."""
    # Most commands are no rule's program, and a list of names is searched at once.
    if (
        "program" in wanted
        and command.program not in wanted["program"]
        and not any(globs.plain(pattern, command.program) for pattern in wanted.get("program_globs", ()))
    ):
        return False
    if "user" in wanted and command.user not in wanted["user"]:
        return False
    if "stdin" in wanted and not _fits_input(wanted["stdin"], command.inputs, strict=strict):
        return False
    if "opaque" in wanted and not _fits_opaque(wanted["opaque"], command.opaque):
        return False
    return all(
        any(one in wanted[key] for one in there)
        for key, there in (("via", command.via), ("stdin_from", command.fed))
        if key in wanted
    )


def _fits_input(patterns: Sequence[Mapping[str, str]], inputs: Sequence[Data], *, strict: bool) -> bool:
    """Whether a text that is read fits; strictly all of them do, and all is known of them."""
    found = [
        any(_word_fits(pattern, data.shown if data.text is None else data.text) for pattern in patterns)
        for data in inputs
        if not strict or data.text is not None
    ]
    return len(found) == len(inputs) > 0 and all(found) if strict else any(found)


def _fits_opaque(reasons: Sequence[str], there: Sequence[str]) -> bool:
    return any(reason in reasons for reason in there) if reasons else not there


def _is_certain(wanted: Mapping[str, Any], command: Command) -> bool:
    """Whether it is known what would be executed, or what is not known is what was asked for."""
    named = wanted.get("opaque", ())
    return all(reason == ARGUMENTS or reason in named for reason in command.opaque)


def _subcommand(wanted: Mapping[str, Any], executed: Executed, strict: bool) -> Words | None:
    found = _path(wanted, executed.reading.operands, strict)
    return None if found is None else tuple(executed.reading.operands[at].word for at in found)


def _path(wanted: Mapping[str, Any], operands: Sequence[Operand], strict: bool) -> tuple[int, ...] | None:
    """Which of the operands name the subcommand; the reading with the fewest, None where none fits."""
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


def _any_flag(wanted: Mapping[str, Any], executed: Executed, strict: bool) -> Words | None:
    found = _held(wanted["any_flag"], executed.reading, strict=strict)
    return tuple(found) if found and _is_settled(executed, strict=strict) else None


def _all_flags(wanted: Mapping[str, Any], executed: Executed, strict: bool) -> Words | None:
    each = [_held([flag], executed.reading, strict=strict) for flag in wanted["all_flags"]]
    found = tuple(word for words in each for word in words)
    return found if all(each) and _is_settled(executed, strict=strict) else None


def _no_flag(wanted: Mapping[str, Any], executed: Executed, strict: bool) -> Words | None:
    """What counts as there is the other way round: only what certainly is, unless the fit is strict."""
    there = _held(wanted["no_flag"], executed.reading, strict=not strict)
    return None if there or not _is_settled(executed, strict=strict) else ()


def _is_settled(executed: Executed, *, strict: bool) -> bool:
    """Whether no word of which the start is not known can be one more option."""
    return not strict or not any(
        not operand.word.known and operand.word.text.startswith(("$", "`", "<", ">"))
        for operand in executed.reading.operands
    )


def _held(flags: Sequence[tuple[str, str | None]], reading: Reading, *, strict: bool) -> list[Word]:
    """The words in which one of the flags stands."""
    from rulez_py.analysis import certainly, holds

    look = certainly if strict else holds
    found: list[Word] = []
    for name, value in flags:
        fits = None if value is None else _fits_value(value)
        found += look(reading, name, fits) or _letters_held(name, fits, look, reading)
    return found


def _letters_held(name: str, fits: Fits, look: Look, reading: Reading) -> list[Word]:
    """The words in which all letters of a flag such as `-rf` stand, which is no option's own name; its value belongs
    to the last."""
    letters = name[1:]
    if len(letters) < 2 or not letters.isalpha() or len(set(letters)) < len(letters):
        return []
    each = [look(reading, "-" + letter, None) for letter in letters[:-1]]
    each.append(look(reading, "-" + letters[-1], fits))
    return [word for words in each for word in words] if all(each) else []


def _fits_value(glob: str) -> Callable[[str], bool]:
    return lambda text: globs.plain(glob, text)


def _args(wanted: Mapping[str, Any], executed: Executed, strict: bool) -> Words | None:
    return _fitting(wanted["args"], executed.arguments, strict=strict) or None


def _operands(wanted: Mapping[str, Any], executed: Executed, strict: bool) -> Words | None:
    """Strictly every operand must fit, not one of them: the others are what an exception must not let pass."""
    operands = executed.reading.operands
    if "subcommand" in wanted:
        path = _path(wanted, operands, strict) or ()
        operands = operands[path[-1] + 1 if path else 0 :]
    words = tuple(operand.word for operand in operands)
    if strict and executed.concerned is not None:
        words = executed.concerned
    found = _fitting(wanted["operands"], words, strict=strict)
    return None if not found or (strict and len(found) < len(words)) else found


def _fitting(patterns: Sequence[Mapping[str, str]], words: Sequence[Word], *, strict: bool) -> Words:
    return tuple(
        word
        for word in words
        if (word.known or not strict)
        and any(_word_fits(pattern, word.text) for pattern in patterns)
        and (not (strict and word.glob) or any(_word_fits(pattern, _expanded(word)) for pattern in patterns))
    )


def _expanded(word: Word) -> str:
    """Something that a shell may make of a word with a pattern in it, and hardly any glob means but `*`."""
    return word.text.replace("*", "\x01/\x01").replace("?", "\x01")


def _word_fits(pattern: Mapping[str, str], text: str) -> bool:
    if "regex" in pattern:
        return regex.search(pattern["regex"], text) is not None
    return globs.plain(pattern["glob"], text)


_OF_WORDS: dict[str, Callable[[Mapping[str, Any], Executed, bool], Words | None]] = {
    "subcommand": _subcommand,
    "any_flag": _any_flag,
    "all_flags": _all_flags,
    "no_flag": _no_flag,
    "args": _args,
    "operands": _operands,
}
