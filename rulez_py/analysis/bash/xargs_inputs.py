"""Commands in commands that are given input: words and code with the inputs where they belong."""

from __future__ import annotations

from rulez_py.analysis.bash.expand import data_of, within
from rulez_py.analysis.bash.machine import MOST_INPUTS
from rulez_py.analysis.bash.world import UNKNOWN, joined
from rulez_py.analysis.programs.parts import quoted
from rulez_py.analysis.values import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.values import Data, Inner, Names


def filled(inner: Inner, inputs: list[Word] | None) -> list[tuple[tuple[Word, ...], Data | None]]:
    """Return the words of an inner command, with its inputs where they belong; and what GIVEN is in code among them."""
    words = inner.words
    if inputs is None:
        unknown = Word(text=inner.placeholder or "...", known=False)
        if inner.appends:
            return [((*words, unknown), None)]
        return [_put(words, inner.placeholder, unknown)]
    if inner.appends and inner.apart and len(inputs) > 1:
        return [*(((*words, one), None) for one in few(inputs)), ((*words, *inputs), None)]
    if inner.appends:
        return [((*words, *inputs), None)]
    return [_put(words, inner.placeholder, one) for one in few(inputs)] or [(words, None)]


def _put(words: tuple[Word, ...], placeholder: str, one: Word) -> tuple[tuple[Word, ...], Data | None]:
    """Return the words with an input in the place of the placeholder.

    In a shell's code it is GIVEN where it is not known.
    """
    given: Data | None = None
    found: list[Word] = []
    for at, word in enumerate(words):
        if not one.known and at and _takes_code(words[at - 1]) and placeholder in word.text != placeholder:
            found.append(word.replace(text=_in_code(word.text, placeholder)))
            given = data_of(one)
        else:
            found.append(replaced(word, placeholder, one))
    return tuple(found), given


def _takes_code(word: Word) -> bool:
    """Tell if a word is a shell's option that code follows: `-c`, `-ec`."""
    return word.text[:1] == "-" and word.text[-1:] == "c" and word.text[1:].isalpha()


def _in_code(text: str, placeholder: str) -> str:
    """Return code with GIVEN in the place of the placeholder, in any quotes."""
    before, *rest = text.split(placeholder)
    for piece in rest:
        single, double = before.count("'") % 2, before.count('"') % 2
        name = f"${{{GIVEN}}}"
        before += f"'\"{name}\"'" if single and not double else name if double else f'"{name}"'
        before += piece
    return before


def few(inputs: list[Word]) -> list[Word]:
    """Return the inputs that are followed one by one; all others are one unknown input."""
    others = [Word(text="...", known=False)] if len(inputs) > MOST_INPUTS else []
    return [*inputs[:MOST_INPUTS], *others]


def replaced(word: Word, placeholder: str, by: Word) -> Word:
    if placeholder not in word.text:
        return word
    return word.replace(
        text=word.text.replace(placeholder, by.text),
        known=word.known and by.known,
        data=joined((word.data, by.data)).replace(names=_around(word, placeholder, by))
        if by.data.origins or by.data.files or by.data.names
        else word.data,
    )


def _around(word: Word, placeholder: str, by: Word) -> tuple[Names, ...]:
    """Return the files of a word with one of several names in it."""
    before, _, behind = word.text.partition(placeholder)
    if not word.known or not by.data.names:
        return ()
    return tuple(one for names in by.data.names for one in within(before, names, behind))


def coded(code: Word, inner: Inner, inputs: list[Word] | None) -> list[tuple[Word, Data | None]]:
    """Return the code of an inner command, once for each of its inputs.

    And what GIVEN is, the name for an unknown one.
    """
    if inputs is None:
        if not inner.appends and not (inner.placeholder and inner.placeholder in code.text):
            return [(code, None)]
        if code.text == inner.placeholder:
            return [(Word(text=inner.placeholder, known=False), None)]
        return [(_with_given(code, inner), UNKNOWN)]
    if not inner.appends and not (inner.placeholder and inner.placeholder in code.text):
        return [(code, None)]
    found: list[tuple[Word, Data | None]] = []
    for one in few(inputs):
        # A program that puts input into code quotes it.
        if one.known or code.text == inner.placeholder:
            found.append((_with_input(code, inner, quoted(one) if inner.placeholder else one), None))
        else:
            found.append((_with_given(code, inner), data_of(one)))
    return found or [(code, None)]


GIVEN = "_given"
"""A variable for input that is not known, in code that it is put into."""


def _with_given(code: Word, inner: Inner) -> Word:
    if inner.placeholder:
        return code.replace(text=_in_code(code.text, inner.placeholder))
    return code.replace(text=f'{code.text} "${{{GIVEN}}}"')


def _with_input(code: Word, inner: Inner, by: Word) -> Word:
    if inner.placeholder:
        return replaced(code, inner.placeholder, by)
    return code.replace(text=f"{code.text} {by.text}")
