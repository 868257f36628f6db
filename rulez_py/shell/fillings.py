"""Commands in commands that are given input: words and code with the inputs where they belong."""

from __future__ import annotations

from rulez_py.shell.state import joined
from rulez_py.shell.values import Word
from rulez_py.shell.wrappers.parts import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.shell.values import Inner


MOST_INPUTS = 32
"""Inputs of a loop, of xargs and of its like that are followed one by one."""


def filled(inner: Inner, inputs: list[Word] | None) -> list[tuple[Word, ...]]:
    """The words of an inner command, with its inputs where they belong."""
    words = inner.words
    if not inner.placeholder and not inner.appends:
        return [words]
    if inputs is None:
        unknown = Word(text=inner.placeholder or "...", known=False)
        if inner.appends:
            return [(*words, unknown)]
        return [tuple(replaced(word, inner.placeholder, unknown) for word in words)]
    if inner.appends and inner.apart and len(inputs) > 1:
        return [*((*words, one) for one in few(inputs)), (*words, *inputs)]
    if inner.appends:
        return [(*words, *inputs)]
    return [tuple(replaced(word, inner.placeholder, one) for word in words) for one in few(inputs)] or [words]


def few(inputs: list[Word]) -> list[Word]:
    """Inputs that are followed one by one; one that is not known stands for all others."""
    others = [Word(text="...", known=False)] if len(inputs) > MOST_INPUTS else []
    return [*inputs[:MOST_INPUTS], *others]


def replaced(word: Word, placeholder: str, by: Word) -> Word:
    if placeholder not in word.text:
        return word
    return word.replace(
        text=word.text.replace(placeholder, by.text),
        known=word.known and by.known,
        data=joined((word.data, by.data)) if by.data.origins or by.data.files else word.data,
    )


def coded(code: Word, inner: Inner, inputs: list[Word] | None) -> list[Word]:
    """The code of an inner command, once for each of its inputs."""
    if inputs is None:
        if inner.appends or (inner.placeholder and inner.placeholder in code.text):
            unknown = Word(text=inner.placeholder or "...", known=False)
            if code.text == inner.placeholder:
                return [unknown]
            return [replaced(code, inner.placeholder, unknown).replace(known=code.known)]
        return [code]
    if inner.placeholder and inner.placeholder in code.text:
        # Who puts input into code quotes it.
        return [replaced(code, inner.placeholder, quoted(one)) for one in few(inputs)]
    if inner.appends:
        return [code.replace(text=f"{code.text} {one.text}") for one in few(inputs)] or [code]
    return [code]


def is_one_expansion(text: str) -> bool:
    """Whether code that is not known is nothing but one expansion, so that nothing of it is known."""
    return not any(sign in text for sign in " \t\n;|&") or text.startswith(("$(", "`"))
