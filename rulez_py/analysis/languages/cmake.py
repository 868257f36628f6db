"""Scripts of CMake: the commands behind `COMMAND` (`execute_process(COMMAND git gc)`)."""

from __future__ import annotations

from rulez_py.analysis.languages import unknown_language
from rulez_py.analysis.languages.effects import Effects
from rulez_py.analysis.languages.tokens import plain
from rulez_py.analysis.values import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.values import Found

_COMMAND = "COMMAND"
_NO_WORD = frozenset(" \t\r\n()")
_AN_END = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_LONGEST_WORD = 40


def find(text: str, arguments: Sequence[Word] = ()) -> Found:
    """Return the commands of a script, and what has the form of one in any language."""
    found = Effects()
    at = text.find(_COMMAND)
    while at >= 0:
        end = at + len(_COMMAND)
        before, behind = text[at - 1 : at] if at else "", text[end : end + 1]
        if before and before in " \t\n(" and behind and behind in " \t\n":
            words, end = _words(text, end)
            if words:
                found.words(words)
        at = text.find(_COMMAND, end)
    anyhow = unknown_language.find(text, arguments)
    mine = found.found()
    return anyhow.replace(inner=(*mine.inner, *anyhow.inner), opaque=mine.opaque or anyhow.opaque)


def _words(text: str, at: int) -> tuple[tuple[Word, ...], int]:
    """Return the words of one command, up to the bracket or the next keyword (`WORKING_DIRECTORY`), and the end."""
    words: list[Word] = []
    while at < len(text):
        char = text[at]
        if char in ")#":
            break
        if char in _NO_WORD:
            at += 1
            continue
        if char == '"':
            word, after = plain(text, at + 1, char)
        else:
            after = at
            while after < len(text) and text[after] not in _NO_WORD:
                after += 1
            word = text[at:after]
            if len(word) > 3 and len(word) < _LONGEST_WORD and _AN_END.issuperset(word):
                break
        words.append(Word(text=word, known="${" not in word))
        at = after
    return tuple(words), at
