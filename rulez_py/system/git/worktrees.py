"""Find the repository that a directory is a work tree of (`git worktree`), and that repository's main work tree.

INVARIANT: a directory counts as a work tree only where the repository says so as well. Links do not count: anybody can
make one.
"""

from __future__ import annotations

import os
import stat

from rulez_py.system.files import read_pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_LONGEST_LINE = 8192


def common_directory(top: str) -> str | None:
    """Return the directory that all work trees of a repository share; None where that is not certain.

    `top` is a real path, of a directory with a `.git` in it.
    """
    marker = os.path.join(top, ".git")
    try:
        return marker if _is_plain(marker, stat.S_ISDIR) else _linked(marker)
    except (OSError, ValueError):
        return None


def main_tree(top: str) -> str | None:
    """Return the main work tree of the repository that `top` is another work tree of.

    None where the directory is no work tree, or the repository has no main one.
    """
    real = os.path.realpath(top)
    common = common_directory(real)
    if common is None or os.path.basename(common) != ".git":
        return None
    main = os.path.dirname(common)
    return None if main == real else main


def _linked(marker: str) -> str | None:
    """Return what the `.git` file of a work tree leads to, where that leads back to it.

    Raises OSError and ValueError.
    """
    if not _is_plain(marker, stat.S_ISREG):
        return None
    word, _, written = _line_of(marker).partition(" ")
    if word != "gitdir:":
        return None
    own = os.path.realpath(os.path.join(os.path.dirname(marker), written))
    common = os.path.realpath(os.path.join(own, _line_of(os.path.join(own, "commondir"))))
    if os.path.dirname(own) != os.path.join(common, "worktrees"):
        return None
    back = os.path.join(own, _line_of(os.path.join(own, "gitdir")))
    return common if os.path.realpath(back) == marker else None


def _is_plain(path: str, kind: Callable[[int], bool]) -> bool:
    return kind(os.lstat(path).st_mode)


def _line_of(path: str) -> str:
    line = b"".join(read_pieces(path, _LONGEST_LINE)).removesuffix(b"\n")
    if not line or b"\n" in line or b"\0" in line:
        raise ValueError("not one line")
    return os.fsdecode(line)
