"""Which calls of a program print credentials: by the lines under `credentials` in its entry (docs/programs.md)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.values import Operand, Reading


def fits(line: str, reading: Reading) -> bool:
    """Tell if a command has the words of a line first among its operands, in this order, and the options in it.

    A word is one of several choices separated by `|`, each with `*` for any text at its start, its end or both; after
    `^` it must be no choice. `$` means that no operand follows. An option may have choices for its value after `=`;
    one after `!` must not be there.
    """
    words = line.split(" ")
    if not all(_held(word, reading) for word in words if word[:1] in "-!"):
        return False
    if any(option.names[0] in ("--help", "-help") for option in reading.options):
        return False
    return _begin([word for word in words if word[:1] not in "-!"], reading.operands)


def _begin(wanted: Sequence[str], operands: Sequence[Operand]) -> bool:
    """Tell if the operands begin with these words; one that may be a value counts as either."""
    at = 0
    for word in wanted:
        if word == "$":
            return at == len(operands)
        while at < len(operands) and operands[at].doubtful and not _is_one(word, operands[at].word.text):
            at += 1
        if at == len(operands) or not _is_one(word, operands[at].word.text):
            return False
        at += 1
    return True


def _held(wanted: str, reading: Reading) -> bool:
    absent = wanted[0] == "!"
    name, equals, choices = wanted.removeprefix("!").partition("=")
    there = any(
        name in option.names and (not equals or (option.value is not None and _is_one(choices, option.value.text)))
        for option in reading.options
    )
    return there != absent


def _is_one(choices: str, text: str) -> bool:
    text = text.lower()
    if choices[:1] == "^":
        return not _is_one(choices[1:], text)
    return any(_is(choice, text) for choice in choices.split("|"))


def _is(choice: str, text: str) -> bool:
    core = choice.strip("*")
    if choice[:1] == "*" and choice[-1:] == "*":
        return core in text
    if choice[:1] == "*":
        return text.endswith(core)
    return text.startswith(core) if choice[-1:] == "*" else text == core
