"""What a work tree and its branch are like: changes, the default branch, unpushed commits, a merge that has not ended.

Read from the repository's files where these say it, by git where they do not; unknown is None. Nothing of a
repository's runs (`asking`).
"""

from __future__ import annotations

import os

from rulez_py.system.git.asking import ask
from rulez_py.system.git.repository import first_line, head, in_tables, named, remotes
from rulez_py.system.git.status import status
from rulez_py.system.git.values import Changes, Paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.system.git.values import Repository

_REMOTE = "origin"
_USUAL = ("main", "master", "trunk", "develop")
"""Names of default branches: the first that is there counts where no remote says its own."""
_APPLYING = "rebase-apply"
_PICKED = {"pick": "cherry-pick", "revert": "revert"}
_HEADS = {"MERGE_HEAD": "merge", "CHERRY_PICK_HEAD": "cherry-pick", "REVERT_HEAD": "revert"}
_LONGEST_LIST = 16 * 1024 * 1024
"""Bytes of a list of files; where git has more to say, it is unknown."""


def changes(repository: Repository, *, ignored: bool = False) -> Changes | None:
    """Return the files that are not as committed; None where that is unknown.

    Ignored ones are only looked for where asked. A submodule counts by its commit alone: its files are its own
    repository's, whose settings git would follow to look at them.
    """
    everything = Paths(cwd=repository.top)
    entries = status(repository, everything, untracked=True, ignored=ignored, submodules="dirty", limit=_LONGEST_LIST)
    if entries is None:
        return None
    return Changes(
        dirty=tuple(one.path for one in entries if one.kind not in ("?", "!")),
        untracked=tuple(one.path for one in entries if one.kind == "?"),
        ignored=tuple(one.path for one in entries if one.kind == "!"),
    )


def default_branch(repository: Repository) -> str | None:
    """Return the default branch; None where it is unknown.

    It is the branch that the remote's HEAD means, of `origin` or of the only remote. Where that is not stored, it is
    the first usual name (`main`, `master`, `trunk`, `develop`) that is a branch here or there; in a repository without
    commits the branch that the first one will be on.
    """
    known = head(repository)
    if known is None:
        return None
    names = _remotes(repository)
    remote = _REMOTE if _REMOTE in names or len(names) != 1 else names[0]
    below = f"refs/remotes/{remote}/"
    goal = _goal(repository, f"{below}HEAD")
    if goal.startswith(below):
        return goal[len(below) :]
    for name in _USUAL:
        if any(_is_there(repository, f"{place}{name}") for place in ("refs/heads/", below)):
            return name
    return known[0] if known[0] and not known[1] else None


def _remotes(repository: Repository) -> tuple[str, ...]:
    """Return the names of the remotes from which something was fetched."""
    if not in_tables(repository):
        return remotes(repository)
    printed = ask(repository.git_dir, ("for-each-ref", "--format=%(refname)", "refs/remotes"))
    names = (printed or b"").decode("utf-8", "surrogateescape").splitlines()
    return tuple(dict.fromkeys(name.split("/")[2] for name in names))


def _goal(repository: Repository, name: str) -> str:
    """Return the reference that another one means; "" where it means none."""
    if in_tables(repository):
        printed = ask(repository.git_dir, ("symbolic-ref", "--quiet", name))
        return (printed or b"").decode("utf-8", "surrogateescape").strip()
    word, _, goal = (first_line(os.path.join(repository.common, *name.split("/"))) or "").partition(" ")
    return goal.strip() if word == "ref:" else ""


def _is_there(repository: Repository, name: str) -> bool:
    if in_tables(repository):
        return bool(ask(repository.git_dir, ("rev-parse", "--verify", "--quiet", name)))
    return named(repository, name) != ""


def has_branch(repository: Repository, name: str) -> bool | None:
    """Tell whether there is a branch of this name; None where that is unknown."""
    return None if head(repository) is None else _is_there(repository, f"refs/heads/{name}")


def unpushed(repository: Repository) -> int | None:
    """Return how many commits HEAD has that its upstream has not; None where that is unknown.

    Where the branch has no upstream on a remote, those that no remote has. Both are as of the last fetch.
    """
    known = head(repository)
    if known is None or not known[1]:
        return None if known is None else 0
    if known[0]:
        form = "--format=%(upstream)%00%(upstream:track,nobracket)"
        printed = ask(repository.git_dir, ("for-each-ref", form, f"refs/heads/{known[0]}"))
        if printed is None:
            return None
        upstream, _, ahead = printed.decode("utf-8", "surrogateescape").strip().partition("\0")
        if upstream.startswith("refs/remotes/") and ahead != "gone":
            word, _, count = ahead.partition(",")[0].partition(" ")
            return int(count) if word == "ahead" else 0
    printed = ask(repository.git_dir, ("rev-list", "--count", "HEAD", "--not", "--remotes", "--"))
    return None if printed is None else int(printed)


def under_way(repository: Repository) -> tuple[str, ...] | None:
    """Return what git was told to do and has not ended: UNDER_WAY of `values`; None where that is unknown."""
    try:
        names = frozenset(os.listdir(repository.git_dir))
    except OSError:
        return None
    if "HEAD" not in names:
        return None
    found = [what for name, what in _HEADS.items() if _has_head(repository, name, names)]
    if "sequencer" in names:
        word = (first_line(os.path.join(repository.git_dir, "sequencer", "todo")) or "").partition(" ")[0]
        found += [_PICKED[word]] if word in _PICKED else []
    if "rebase-merge" in names:
        found = ["rebase", *(one for one in found if one == "merge")]  # It picks commits itself.
    if _APPLYING in names:
        is_mail = os.path.lexists(os.path.join(repository.git_dir, _APPLYING, "applying"))
        found.append("am" if is_mail else "rebase")
    if "BISECT_LOG" in names:
        found.append("bisect")
    return tuple(dict.fromkeys(found))


def _has_head(repository: Repository, name: str, names: frozenset[str]) -> bool:
    if name in names:
        return True
    # A merge's is a file wherever references are.
    return name != "MERGE_HEAD" and in_tables(repository) and _is_there(repository, name)
