"""Find the submodules of a work tree: directories where the index has a commit of another repository."""

from __future__ import annotations

import os

from rulez_py.system.files import read_pieces
from rulez_py.system.git.asking import Apart
from rulez_py.system.git.repository import head
from rulez_py.system.git.values import Submodule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.system.git.values import Paths, Repository

_COMMIT = "160000"
"""The mode of such an entry."""
_MODE = b"\0\0\xe0\0"
"""Its bytes in the index, of every version (gitformat-index(5))."""
_LONGEST_INDEX = 64 * 1024 * 1024
_LONGEST_LIST = 64 * 1024 * 1024


def submodules(repository: Repository, paths: Paths) -> tuple[Submodule, ...] | None:
    """Return the submodules among these files, whether or not their directories are there; None where it is unknown."""
    if not _may_have_some(repository):
        return ()
    known = head(repository)
    if known is None:
        return None
    words = ("ls-files", "--stage", "--full-name", "-z", "--", *paths.files, *paths.specs)
    try:
        with Apart(repository, known[1]) as apart:
            printed = apart.ask(words, cwd=paths.cwd, magic=bool(paths.specs), limit=_LONGEST_LIST)
    except OSError:
        return None
    if printed is None:
        return None
    found = {}
    for entry in printed.decode("utf-8", "surrogateescape").split("\0"):
        told, _, path = entry.partition("\t")
        if told.startswith(_COMMIT):
            top = f"{repository.top.rstrip('/')}/{path}"
            found[top] = Submodule(top=top, commit=told.split(" ")[1])
    return tuple(found.values())


def _may_have_some(repository: Repository) -> bool:
    """Tell whether the index may have one, without asking git."""
    try:
        data = b"".join(read_pieces(repository.index, _LONGEST_INDEX))
        # A part of a split index is in a file of its own.
        shared = any(name.startswith("sharedindex.") for name in os.listdir(repository.git_dir))
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return shared or _MODE in data or len(data) >= _LONGEST_INDEX
