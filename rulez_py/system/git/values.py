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

    def name_of(self, path: str) -> str:
        """Return an absolute path as git has it: from the top, with forward slashes."""
        top = f"{self.top.rstrip('/')}/"
        if path.startswith(top) and os.sep == "/":
            return path[len(top) :]  # `relpath` takes ten times as long.
        return os.path.relpath(path, self.top).replace(os.sep, "/")


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


class Submodule(Value):
    """A directory of a work tree, by its absolute path, where the index has a commit of another repository."""

    top: str
    commit: str


class Remotes(Value):
    """What a repository says of pushes.

    `settings` are all that hold there, in git's order: names as `git config --list` writes them, and their values.
    `branches` and `tags` are its own, by their short names; `tracked` are branches of remotes as they were fetched
    (`origin/main`); `defaults` are the default branches of remotes, by the remote's name.
    """

    settings: tuple[tuple[str, str], ...] = ()
    branches: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    tracked: tuple[str, ...] = ()
    defaults: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the remotes that settings speak of."""
        keys = (key.removeprefix("remote.") for key, _ in self.settings if key.startswith("remote."))
        return tuple(name for name in dict.fromkeys(key.rpartition(".")[0] for key in keys) if name)

    def setting(self, name: str) -> str:
        """Return the value that holds of a setting, "" where it has none."""
        return next((value for key, value in reversed(self.settings) if key == name), "")

    def is_on(self, name: str) -> bool:
        """Tell whether a setting is on, as git reads a switch."""
        return self.setting(name).lower() not in ("", "false", "no", "off", "0")

    def every(self, name: str) -> tuple[str, ...]:
        """Return all values of a setting."""
        return tuple(value for key, value in self.settings if key == name)


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
