"""Which files a patch names: unified and context diffs, git's and Subversion's headers, `*** Update File:`."""

from __future__ import annotations

from rulez_py.analysis.values import DELETE, WRITE, Touch, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_STARTS = (
    *("--- ", "+++ ", "*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ", "*** ", "Index: "),
    *("rename from ", "rename to ", "copy to ", "Property changes on: "),
)
_NOTHING = "/dev/null"
_MOST = 1_000
"""Names that are kept apart; with more it is unknown which files are changed."""


def touched(texts: Iterable[str], base: Word) -> tuple[Touch, ...]:
    """Return what patches change below a directory.

    Each by its name there, and without the first directory of it.
    """
    names = dict.fromkeys(name for text in texts for name in _names(text))
    found = dict.fromkeys(one for name in list(names)[:_MOST] for one in (name, name.partition("/")[2]) if one)
    touches = [Touch(path=Word(text=name), access=(WRITE, DELETE), base=base) for name in found]
    # INVARIANT: names over the bound are any file below the directory.
    if len(names) > _MOST:
        touches.append(Touch(path=Word(text="*", known=False), access=(WRITE, DELETE), base=base, deep=True))
    return tuple(touches)


def _names(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        start = next((one for one in _STARTS if line.startswith(one)), "")
        if start:
            yield from _plain(line[len(start) :].partition("\t")[0].strip())
        elif line.startswith("diff --git "):
            yield from (name for part in line[11:].split(" ") for name in _plain(part))


def _plain(name: str) -> Iterator[str]:
    name = name.strip('"')
    if name and name != _NOTHING and not name.startswith("-"):
        yield name
