"""What `git status` says of a work tree, looked at apart from the repository's settings (`asking.Apart`)."""

from __future__ import annotations

import os

from rulez_py.analysis import Value
from rulez_py.system.git.asking import OUTPUT_LIMIT, Apart
from rulez_py.system.git.repository import head

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.system.git.values import Paths, Repository


class Entry(Value):
    """A file that is not as committed, from the top of the work tree.

    `kind` is `1`, or `u` in a merge that has not ended, for a file that git has, `?` for an untracked and `!` for an
    ignored one. `in_index` and `on_disk` are git's letters for what has become of it there, "" for one that it has not.
    """

    kind: str
    path: str
    in_index: str = ""
    on_disk: str = ""


def status(
    repository: Repository,
    paths: Paths,
    *,
    untracked: bool,
    ignored: bool,
    submodules: str,
    limit: int = OUTPUT_LIMIT,
) -> tuple[Entry, ...] | None:
    """Return what git says of these files; None where that is unknown.

    Files that git does not have are only looked for where asked: it takes as long again. `submodules` is what to
    ignore of them, as `--ignore-submodules` has it.
    """
    known = head(repository)
    if known is None:
        return None
    words = ["status", "--porcelain=v2", "-z", "--no-renames", f"--ignore-submodules={submodules}"]
    words += ["--untracked-files=normal" if untracked or ignored else "--untracked-files=no"]
    words += ["--ignored=matching" if ignored else "--ignored=no", "--", *paths.files, *paths.specs]
    named = [os.path.join(paths.cwd, one) for one in (*paths.files, *paths.specs)]
    few_files = bool(named) and all(map(os.path.isfile, named))
    try:
        with Apart(repository, known[1], few_files=few_files) as apart:
            printed = apart.ask(words, cwd=paths.cwd, magic=bool(paths.specs), limit=limit)
    except OSError:
        return None
    return None if printed is None else _entries(printed)


def _entries(printed: bytes) -> tuple[Entry, ...] | None:
    found: list[Entry] = []
    for line in printed.decode("utf-8", "surrogateescape").split("\0"):
        kind, _, rest = line.partition(" ")
        if kind in ("?", "!"):
            found.append(Entry(kind=kind, path=rest))
        elif kind:
            fields = rest.split(" ", 9 if kind == "u" else 7)
            if kind not in ("1", "u") or len(fields) < 8:
                return None
            found.append(Entry(kind=kind, path=fields[-1], in_index=fields[0][:1], on_disk=fields[0][1:]))
    return tuple(found)
