"""What there is to say of a repository."""

from __future__ import annotations

import os

from rulez_py.analysis import Value


class Repository(Value):
    """A repository with a work tree: the tree's `top`, its own `git_dir`, and the directory that all trees share."""

    top: str
    git_dir: str
    common: str

    @property
    def index(self) -> str:
        """The file with what is staged; it need not be there."""
        return os.path.join(self.git_dir, "index")


class Paths(Value):
    """The files that a question is about: below these absolute paths; those of git's pathspecs, seen from `cwd`.

    All of the tree where neither is given.
    """

    cwd: str
    files: tuple[str, ...] = ()
    specs: tuple[str, ...] = ()


class TreeState(Value):
    """Files of a work tree, as absolute paths; of a directory that git leaves closed its own, with a `/` behind.

    `staged` differ in the index from the last commit, `changed` on the disk from the index, `hidden` differ in the
    index from both; without those that are deleted there. `untracked` and `ignored` are in neither.
    """

    staged: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    untracked: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()


class Changes(Value):
    """Files that are not as committed, from the top of the work tree.

    Of a directory that git leaves closed it is its own name, with a `/` behind. `dirty` are those that git has,
    changed, staged or deleted; `untracked` and `ignored` are those that it has not. What is None is unknown.
    """

    dirty: tuple[str, ...] | None = ()
    untracked: tuple[str, ...] | None = ()
    ignored: tuple[str, ...] | None = ()


FACTS = ("branch", "default_branch", "dirty", "untracked", "ignored", "unpushed", "stashes", "worktree", "merging")
"""What a policy may ask of a repository: two names of branches ("" of a HEAD on none), three lists of files, two
counts, a switch, a list of words."""
ROOT = "root"
"""Beside these for expressions and scripts: the top of the work tree."""

UNDER_WAY = ("merge", "rebase", "cherry-pick", "revert", "bisect", "am")
"""What git may be in the middle of."""
