"""Consoles of programs that move files to and from other machines: sftp, lftp, ftp, tftp, smbclient.

Lines, or parts between `;`, that put a file there or get one. A line that begins with `!` is a command of this machine,
and what else has the form of one runs on the other.
"""

from __future__ import annotations

from rulez_py.analysis.languages import unknown_language
from rulez_py.analysis.languages.effects import MOST_FOUND, Effects
from rulez_py.analysis.programs.parts import pieces
from rulez_py.analysis.values import LIMIT, READ, REMOTE, SEND, WRITE, Touch, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulez_py.analysis.values import Found

_PUTS = frozenset(("put", "reput", "send", "append"))
_PUTS_MANY = frozenset(("mput", "mirror"))
_GETS = frozenset(("get", "reget", "recv"))
_NAMED = frozenset(("-o", "-O"))
"""Options with the name that a file gets there (lftp)."""
_MARKS = ("!", "\\")
_HERE = frozenset(("local", "shell", "source", "lcmd"))
"""How lines begin that run something on this machine."""


def find(text: str, arguments: Sequence[Word] = ()) -> Found:
    """Return the files that a text sends and gets, and the commands in it."""
    touches: list[Touch] = []
    here: list[str] = []
    there = Effects()
    for whole in text.split("\n"):
        is_here = whole.lstrip("- @")[:1] in _MARKS or whole.split(" ")[0].lower() in _HERE
        if is_here:
            here.append(whole.strip())
        elif unknown_language.begins(whole.strip()):
            there.shell(Word(text=whole.strip()), via=REMOTE)
        for line in () if is_here or len(touches) >= MOST_FOUND else whole.split(";"):
            touches += _touched(pieces(line.strip().removeprefix("-").lstrip("@")))
    mine = unknown_language.find("\n".join(here), arguments)
    # INVARIANT: files over the bound leave the text opaque.
    opaque = LIMIT if len(touches) >= MOST_FOUND else mine.opaque or there.opaque
    return mine.replace(inner=(*mine.inner, *there.inner), touches=(*touches, *mine.touches), opaque=opaque)


def _touched(words: Sequence[str]) -> Iterator[Touch]:
    """Yield the files of this machine that one line touches."""
    if not words:
        return
    name, *rest = words
    name = name.lower()
    given = [one for at, one in enumerate(rest) if one[:1] != "-" and _NAMED.isdisjoint(rest[at - 1 : at])]
    if name in _PUTS:
        several = not _NAMED.isdisjoint(rest)
        for one in given if several else given[:1]:
            yield _sent(one)
    elif name in _PUTS_MANY:
        backwards = name == "mput" or any(one[:2] != "--" and one[:1] == "-" and "R" in one for one in rest)
        for one in given if name == "mput" else given[:1] if backwards or "--reverse" in rest else ():
            yield _sent(one, deep=name == "mirror")
    elif name in _GETS and len(given) == 2:
        yield Touch(path=Word(text=given[1]), access=(WRITE,))


def _sent(name: str, *, deep: bool = False) -> Touch:
    pattern = name if any(char in name for char in "*?[") else ""
    return Touch(path=Word(text=name, glob=pattern), access=(READ, SEND), deep=deep)
