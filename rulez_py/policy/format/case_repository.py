"""The repository of a case: what its `git` and its `loses` say of it, and no repository of this machine."""

from __future__ import annotations

import os

from rulez_py.documents.types import ListOf, Map, OrSwitch, Refusal, any_map, text, whole_number
from rulez_py.policy.facts.git_facts import (
    BRANCH,
    DEFAULT_BRANCH,
    DIRTY,
    IGNORED,
    MERGING,
    STASHES,
    UNPUSHED,
    UNTRACKED,
    WORKTREE,
)
from rulez_py.policy.facts.losses import KINDS
from rulez_py.policy.matchers.schema_parts import SWITCH, one_of
from rulez_py.system.git.values import UNDER_WAY, Changes, Remotes, Repository, TreeState

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from rulez_py.documents.types import Kind
    from rulez_py.system.git.values import Paths, Submodule

HOME = os.path.abspath("/home/user")
PROJECT_DIR = os.path.join(HOME, "project")
"""The directory of every case: an empty project that no machine has."""

LOSES, GIT, REWRITTEN = "loses", "git", "rewritten"
KEYS = (LOSES, GIT, REWRITTEN)
"""Keys of a case that are no arguments: which of `losses.KINDS` there would be to lose and facts of its repository
(`git.values.FACTS`), of what neither says nothing is known; and what the call is rewritten to."""


def _check_count(value: int) -> None:
    if value < 0:
        raise Refusal(f"must be 0 or more, not {value}")


_FILES = ListOf(item=text(), alone=True)
_COUNT = whole_number(_check_count, minimum=0)
REPOSITORY = Map(
    name="Repository",
    about="The repository of a test. What is not said is unknown, but for `worktree`.",
    fields={
        BRANCH: (text(), 'The branch that is checked out, "" for none.'),
        DEFAULT_BRANCH: (text(), "The default branch."),
        DIRTY: (_FILES, "Files that are changed, from the top of the work tree."),
        UNTRACKED: (_FILES, "Files that git does not have."),
        IGNORED: (_FILES, "Files that it ignores."),
        UNPUSHED: (_COUNT, "How many commits are not pushed."),
        STASHES: (_COUNT, "How many stashes there are."),
        WORKTREE: (SWITCH, "If it is a further work tree."),
        MERGING: (ListOf(item=one_of(UNDER_WAY), alone=True), "What git is in the middle of."),
    },
)
TOLD: dict[str, Kind] = {
    GIT: OrSwitch(kind=REPOSITORY),
    LOSES: ListOf(item=one_of(KINDS), alone=True),
    REWRITTEN: any_map(),
}
"""The kinds of these keys: `git: false` says that there is no repository."""

_COMMIT = "0" * 40


def repository_of(example: Mapping[str, Any]) -> Untold:
    """Return the repository of a case."""
    loses, told = example.get(LOSES), example.get(GIT)
    kinds = None if loses is None else tuple(map(str, loses if isinstance(loses, list) else (loses,)))
    return Untold(kinds, told if isinstance(told, dict) else None, is_there=told is not False)


class Untold:
    """A repository with what a case tells of it: kinds of what it has to lose, and facts. The rest is unknown.

    Where the kinds are not said, what is told is there to lose. One that is not there is found nowhere.
    """

    def __init__(
        self, loses: tuple[str, ...] | None = None, told: Mapping[str, Any] | None = None, *, is_there: bool = True
    ) -> None:
        self._loses = loses
        self._told = told or {}
        self._is_there = is_there

    @property
    def has_seen(self) -> bool | None:
        """True if the agent has seen each file that it writes over; None is unknown."""
        return None if self._loses is None else "unread" not in self._loses

    def find(self, directory: str) -> Repository | None:
        return self.at(PROJECT_DIR, os.path.join(PROJECT_DIR, ".git")) if self._is_there else None

    def at(self, top: str, marker: str) -> Repository | None:
        common = os.path.join(HOME, "main", ".git") if self._told.get(WORKTREE) else marker
        return Repository(top=top, git_dir=marker, common=common)

    def head(self, repository: Repository) -> tuple[str, str] | None:
        branch = self._told.get(BRANCH, None if self._loses is None else "main")
        return None if branch is None else (branch, _COMMIT)

    def changes(self, repository: Repository, *, ignored: bool = False) -> Changes | None:
        return Changes(**{name: self._files(name) for name in (DIRTY, UNTRACKED, IGNORED)})

    def _files(self, name: str) -> tuple[str, ...] | None:
        told = self._told.get(name)
        return None if told is None else _many(told)

    def default_branch(self, repository: Repository) -> str | None:
        return self._told.get(DEFAULT_BRANCH)

    def has_branch(self, repository: Repository, name: str) -> bool | None:
        return True if name in (self._told.get(BRANCH), self._told.get(DEFAULT_BRANCH)) else None

    def unpushed(self, repository: Repository) -> int | None:
        return self._told.get(UNPUSHED)

    def under_way(self, repository: Repository) -> tuple[str, ...] | None:
        return None if MERGING not in self._told else _many(self._told[MERGING])

    def state(
        self, repository: Repository, paths: Paths, *, untracked: bool = True, ignored: bool = False
    ) -> TreeState | None:
        if self._loses is not None:
            names = {kind: (kind,) for kind in self._loses}
            written = (*names.get("overwritten", ()), *names.get("cut", ()))
            new = (*names.get(UNTRACKED, ()), *written)
            there: list[tuple[str, ...]] = [names.get("uncommitted", ()), new, names.get(IGNORED, ())]
        elif all(
            name in self._told for name, asked in ((DIRTY, True), (UNTRACKED, untracked), (IGNORED, ignored)) if asked
        ):
            there = [self._files(name) or () for name in (DIRTY, UNTRACKED, IGNORED)]
        else:
            return None
        changed, new, left = (tuple(os.path.join(PROJECT_DIR, name) for name in each) for each in there)
        return TreeState(changed=changed, hidden=changed, untracked=new, ignored=left if ignored else ())

    def submodules(self, repository: Repository, paths: Paths) -> tuple[Submodule, ...] | None:
        """Return none of a directory, and not which ones where a command is about submodules and files are lost."""
        lost = self._loses is None or not {"uncommitted", UNTRACKED, IGNORED}.isdisjoint(self._loses)
        return None if lost and paths.specs else ()

    def stashes(self, repository: Repository) -> int | None:
        told: int | None = self._told.get(STASHES, self._count("stashes"))
        return told

    def commits_only_in(
        self, repository: Repository, names: Sequence[str], *, without: Sequence[str] = (), nor: Sequence[str] = ()
    ) -> int | None:
        return self._count("commits")

    def commits_only_here(self, repository: Repository) -> int | None:
        return self._count("commits")

    def _count(self, kind: str) -> int | None:
        return None if self._loses is None else int(kind in self._loses)

    def names_something(self, repository: Repository, revision: str) -> bool | None:
        """Tell the same of every word but one with a dot in it, or that ends with a slash: that is a file."""
        return "." not in revision and not revision.endswith("/")

    def in_commit(self, repository: Repository, revision: str, paths: Sequence[str]) -> tuple[str, ...] | None:
        return tuple(paths)

    def remotes(self, repository: Repository) -> Remotes | None:
        """Return one remote, `origin`, with git's own settings."""
        branches = tuple(self._told[key] for key in (BRANCH,) if self._told.get(key))
        default = self._told.get(DEFAULT_BRANCH, "main")
        own = (("remote.origin.url", "https://git.example/project"),)
        return Remotes(settings=own, branches=branches, defaults=(("origin", default),))

    def lines_changed(self, repository: Repository, paths: Sequence[str]) -> dict[str, tuple[int, int]]:
        return {}


def _many(value: Any) -> tuple[str, ...]:
    return tuple(value if isinstance(value, list) else (value,))
