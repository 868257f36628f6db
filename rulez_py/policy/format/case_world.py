"""The world of a case: the repository and the files that it tells of, and nothing of this machine."""

from __future__ import annotations

import os

from rulez_py.policy.facts.disk import joined
from rulez_py.policy.format.case_repository import Untold
from rulez_py.policy.format.circumstances import FILES, GIT, LOSES, MADE, SESSION
from rulez_py.system.effects import KEY_LASTS, Kept, Memory, Remembered, ScriptResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from rulez_py.system.effects import Counter, Effects, Git, MemoryChanges, Script, Session, ToKeep


class WithoutMemory:
    """A world in which no session remembers anything, and no call is one too many."""

    def recall(self, session: Session) -> Memory | None:
        return Memory()

    def change(self, session: Session, changes: MemoryChanges) -> str:
        return ""

    def count(self, session: Session, counters: tuple[Counter, ...], call: str, *, using: bool) -> bool | None:
        return True


class Nothing(WithoutMemory):
    """A world without files, in which nothing runs."""

    def __init__(self, git: Untold) -> None:
        self.git = git

    def run(self, script: Script) -> ScriptResult:
        return ScriptResult(exit_code=None, error="tests run nothing")

    def read_text(self, path: str, limit: int) -> str | None:
        return None

    def read_bytes(self, path: str, limit: int) -> bytes | None:
        return None

    def is_committed(self, path: str, data: bytes) -> bool:
        return False

    def real_path(self, path: str) -> str:
        return os.path.normpath(path)

    def has_seen(self, session: str, path: str) -> bool | None:
        return self.git.has_seen

    def keep(self, wanted: ToKeep) -> Kept:
        return Kept(error="tests keep nothing")

    def names(self, directory: str) -> list[str]:
        return []


class ToldWorld:
    """A world whose repository or files are told; what is not told is that of `beyond`.

    `files` are contents by absolute path, and then there are no others; None where they are not told. `repository` is
    that of the project, None where it is not told. `marker` is the directory by which git knows a repository (`.git`),
    which is there beside the files; None for none. `session` are the keys that are remembered, `made` how many calls
    have been counted; None where that is not told.
    """

    def __init__(
        self,
        beyond: Effects,
        *,
        files: Mapping[str, bytes] | None = None,
        repository: Untold | None = None,
        marker: str | None = None,
        session: tuple[str, ...] | None = None,
        made: int | None = None,
    ) -> None:
        self._beyond = beyond
        self._session = session
        self._made = made
        self._files = files
        self._repository = repository
        self._names: dict[str, dict[str, None]] = {}
        for path in (*(files or ()), *((marker,) if marker else ())):
            above, _, name = path.rpartition("/")
            while name:
                self._names.setdefault(above or "/", {})[name] = None
                above, _, name = above.rpartition("/")

    @property
    def git(self) -> Git:
        return self._beyond.git if self._repository is None else self._repository

    def run(self, script: Script) -> ScriptResult:
        return self._beyond.run(script)

    def read_text(self, path: str, limit: int) -> str | None:
        if self._files is None:
            return self._beyond.read_text(path, limit)
        data = self.read_bytes(path, limit)
        return None if data is None else data.decode("utf-8", "ignore")

    def read_bytes(self, path: str, limit: int) -> bytes | None:
        if self._files is None:
            return self._beyond.read_bytes(path, limit)
        data = self._files.get(os.path.normpath(path))
        return None if data is None else data[:limit]

    def is_committed(self, path: str, data: bytes) -> bool:
        """Tell whether the told repository has a file that is as its last commit has it, as far as that is told."""
        if self._files is None and self._repository is None:
            return self._beyond.is_committed(path, data)
        return self._repository is not None and self._repository.is_as_committed(path)

    def real_path(self, path: str) -> str:
        return self._beyond.real_path(path) if self._files is None else os.path.normpath(path)

    def has_seen(self, session: str, path: str) -> bool | None:
        return self._beyond.has_seen(session, path) if self._repository is None else self._repository.has_seen

    def recall(self, session: Session) -> Memory | None:
        if self._session is None:
            return self._beyond.recall(session)
        return Memory(keys={key: Remembered(since=0.0, until=KEY_LASTS) for key in self._session})

    def change(self, session: Session, changes: MemoryChanges) -> str:
        return self._beyond.change(session, changes)

    def count(self, session: Session, counters: tuple[Counter, ...], call: str, *, using: bool) -> bool | None:
        if self._made is None:
            return self._beyond.count(session, counters, call, using=using)
        return all(self._made < one.most for one in counters)

    def keep(self, wanted: ToKeep) -> Kept:
        return self._beyond.keep(wanted)

    def names(self, directory: str) -> list[str]:
        if self._files is None:
            return self._beyond.names(directory)
        return list(self._names.get(os.path.normpath(directory), ()))


def repository_of(told: Mapping[str, Any], project: str) -> Untold:
    """Return the repository that circumstances tell of, whose work tree is the project."""
    loses, facts = told.get(LOSES), told.get(GIT)
    kinds = None if loses is None else tuple(map(str, loses if isinstance(loses, list) else (loses,)))
    return Untold(kinds, facts if isinstance(facts, dict) else None, is_there=facts is not False, project=project)


def files_of(told: Mapping[str, Any], project: str, home: str) -> dict[str, bytes] | None:
    """Return the files that circumstances tell of, by absolute path; None where they tell of none."""
    files = told.get(FILES)
    if files is None:
        return None
    there = ((path, text) for path, text in files.items() if text is not None)
    return {os.path.normpath(joined(path, project, home)): text.encode("utf-8", "replace") for path, text in there}


def session_of(told: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Return the keys that circumstances say are remembered; None where they say nothing."""
    said = told.get(SESSION)
    if said is None:
        return None
    if isinstance(said, dict):
        return tuple(key for key, is_so in said.items() if is_so)
    return tuple(said) if isinstance(said, list) else (str(said),)


def made_of(told: Mapping[str, Any]) -> int | None:
    """Return how many calls circumstances say have been counted; None where they say nothing."""
    return told.get(MADE)
