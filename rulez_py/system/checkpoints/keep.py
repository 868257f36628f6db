"""Make a checkpoint: all of what a call would lose, or nothing.

Contents of a work tree go into its own repository, under a reference of rulez' own (`git/keeping`); files outside of
git are copied into the checkpoint's directory. No hard link: who writes the original in place changes both.
"""

from __future__ import annotations

import os
import stat
import time

from rulez_py.analysis import SOME
from rulez_py.system.checkpoints import records
from rulez_py.system.checkpoints.records import Checkpoint, Commit, File
from rulez_py.system.effects import Kept
from rulez_py.system.files import NO_SYMLINK, open_regular
from rulez_py.system.git.keeping import Content, all_stashes, commit_of, save, staged, why_not
from rulez_py.system.git.repository import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulez_py.system.effects import ToKeep
    from rulez_py.system.git.values import Repository

MOST_FILES = 10_000
MOST_NAMED = 3
"""Files and branches of a checkpoint that are named where it is spoken of."""
_SAME_CALL = 120
"""Seconds in which an agent may ask twice about one call."""
_CLONE = 0x40049409
"""Linux: let two files share their blocks until one of them is written."""
_UNSURE = ("*", "?", "[", SOME)


class NotPossible(Exception):
    """Nothing can be kept; the message says why."""


def keep(state: str, wanted: ToKeep, *, now: float, until: float | None) -> Kept:
    """Keep what is wanted, below `state`; `until` is the `time.monotonic()` value by which it has to be done."""
    try:
        return _Keeping(state, wanted, now, until).kept()
    except NotPossible as error:
        return Kept(error=str(error))
    except (OSError, ValueError) as error:
        return Kept(error=f"it cannot be written: {getattr(error, 'strerror', None) or error}")


class _Keeping:
    """One checkpoint while it is made."""

    def __init__(self, state: str, wanted: ToKeep, now: float, until: float | None) -> None:
        self._state, self._wanted, self._now, self._until = state, wanted, now, until
        self._most = int(wanted.max_mb * 1_000_000)
        self._size = 0
        self._files: list[File] = []
        self._commits: list[Commit] = []
        self._contents: dict[str, list[Content]] = {}
        self._repositories: dict[str, Repository] = {}
        self._tops: dict[str, str] = {}

    def kept(self) -> Kept:
        outside = [entry for path in self._wanted.outside for entry in self._below(path, within_git=False)]
        self._look(outside)
        checkpoint = self._checkpoint(records.new_identity(self._now))
        if not checkpoint.files and not checkpoint.commits:
            raise NotPossible("there is nothing to keep")
        same = records.newest(self._state)
        if same is not None and self._is_same(same, checkpoint):
            return _as_kept(same)
        path = records.begun(self._state, checkpoint.id)
        try:
            for number, (source, status) in enumerate(outside):
                self._copy(source, status, os.path.join(path, str(number)))
            records.write(path, checkpoint)
            for top, repository in self._repositories.items():
                commits = [one.name for one in self._commits if one.top == top]
                contents = self._contents.get(top, [])
                why = save(repository, checkpoint.id, contents, commits, now=self._now, seconds=self._left())
                if why:
                    raise NotPossible(f"git cannot keep it in {top}: {why}")
            records.finished(path)
        except BaseException:
            records.abandon(path, checkpoint)
            raise
        return _as_kept(checkpoint)

    def _look(self, outside: Sequence[tuple[str, os.stat_result]]) -> None:
        for number, (path, status) in enumerate(outside):
            self._add(File(path=path, top="", at=str(number), **_measured(status)))
        by_top: dict[str, list[str]] = {}
        for path in dict.fromkeys(self._wanted.files):
            by_top.setdefault(self._repository(os.path.dirname(path.rstrip("/"))), []).append(path.rstrip("/"))
        for top, paths in by_top.items():
            self._look_at_tree(top, paths)
        for top in dict.fromkeys(self._wanted.stashes):
            self._look_at_stashes(self._repository(top))
        for top, name in dict.fromkeys(self._wanted.commits):
            self._look_at_commit(self._repository(top), name)

    def _look_at_tree(self, top: str, paths: Sequence[str]) -> None:
        repository = self._repositories[top]
        in_index = staged(repository, paths)
        if in_index is None:
            raise NotPossible(f"what is staged in {top} is unknown")
        contents = self._contents.setdefault(top, [])
        known = {f"{top.rstrip('/')}/{one.at.partition('/')[2]}" for one in in_index}
        for one in in_index:
            path = f"{top.rstrip('/')}/{one.at.partition('/')[2]}"
            self._add(File(path=path, top=top, at=one.at, mode=int(one.mode, 8), size=0))
            contents.append(one)
        for path in paths:
            if not os.path.lexists(path) and path in known:
                continue  # It is staged and gone: there is only what is staged.
            for found, status in self._below(path, within_git=True):
                at = f"worktree/{repository.name_of(found)}"
                self._add(File(path=found, top=top, at=at, **_measured(status)))
                contents.append(Content(at=at, mode=_mode_of_git(status), data=self._data(found, status)))

    def _look_at_stashes(self, top: str) -> None:
        commits = all_stashes(self._repositories[top])
        if not commits:
            raise NotPossible(f"the stashes of {top} are unknown")
        for name in reversed(commits):  # The oldest first, in the order in which they are put back.
            self._commits.append(Commit(top=top, reference="refs/stash", name=name))

    def _look_at_commit(self, top: str, name: str) -> None:
        found = commit_of(self._repositories[top], name)
        if not name or not found:
            raise NotPossible(f"the commits of {name or top} are unknown")
        for reference, commit in found:
            self._commits.append(Commit(top=top, reference=reference, name=commit))

    def _repository(self, directory: str) -> str:
        """Return the work tree of a directory, which then takes part."""
        if directory not in self._tops:
            self._tops[directory] = self._top(directory)
        return self._tops[directory]

    def _top(self, directory: str) -> str:
        while not os.path.isdir(directory) and directory != os.path.dirname(directory):
            directory = os.path.dirname(directory)
        repository = find(directory)
        if repository is None:
            raise NotPossible(f"{directory} is in no repository")
        if repository.top not in self._repositories:
            why = why_not(repository)
            if why:
                raise NotPossible(why)
            self._repositories[repository.top] = repository
        return repository.top

    def _below(self, path: str, *, within_git: bool) -> Iterator[tuple[str, os.stat_result]]:
        """Yield the files and links at a path, or below it where it is a directory."""
        exact = within_git and SOME not in path and os.path.lexists(path)
        if not exact and any(mark in path for mark in _UNSURE):
            raise NotPossible(f"which files {path} are is unknown")
        try:
            status = os.lstat(path)
        except OSError:
            raise NotPossible(f"{path} is not there") from None
        if not stat.S_ISDIR(status.st_mode):
            if not (stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode)):
                raise NotPossible(f"{path} is no file, but something like a device")
            yield path, status
            return
        self._left()
        for name in sorted(os.listdir(path)):
            if name == ".git" and within_git:
                raise NotPossible(f"{path} is a repository of its own")
            yield from self._below(os.path.join(path, name), within_git=within_git)

    def _add(self, file: File) -> None:
        self._size += file.size
        self._files.append(file)
        if self._size > self._most:
            raise NotPossible(f"it is more than {self._wanted.max_mb:g} MB")
        if len(self._files) > MOST_FILES:
            raise NotPossible(f"it is more than {MOST_FILES} files")

    def _data(self, path: str, status: os.stat_result) -> bytes:
        """Return the bytes of a file, or where a link leads."""
        self._left()
        if stat.S_ISLNK(status.st_mode):
            return os.fsencode(os.readlink(path))
        descriptor = open_regular(path, os.O_RDONLY | NO_SYMLINK)
        with open(descriptor, "rb") as file:
            data = file.read(status.st_size + 1)
        if len(data) != status.st_size:
            raise NotPossible(f"{path} is being written")
        return data

    def _copy(self, path: str, status: os.stat_result, target: str) -> None:
        self._left()
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_SYMLINK, 0o600)
        with open(descriptor, "wb") as copy:
            if stat.S_ISLNK(status.st_mode):
                copy.write(os.fsencode(os.readlink(path)))
                return
            with open(open_regular(path, os.O_RDONLY | NO_SYMLINK), "rb") as file:
                if _shared(file.fileno(), descriptor):
                    return
                left = status.st_size
                while left > 0 and (piece := file.read(min(left, 1 << 20))):
                    copy.write(piece)
                    left -= len(piece)
                    self._left()
                if left or file.read(1):
                    raise NotPossible(f"{path} is being written")

    def _left(self) -> float:
        """Return the seconds that are left."""
        if self._until is None:
            return 60.0
        left = self._until - time.monotonic()
        if left <= 0:
            raise NotPossible("it takes too long")
        return left

    def _checkpoint(self, identity: str) -> Checkpoint:
        wanted = self._wanted
        return Checkpoint(
            id=identity,
            time=self._now,
            until=self._now + wanted.keep_days * 24 * 3600,
            agent=wanted.agent,
            session=wanted.session,
            project=wanted.project,
            command=wanted.command,
            repositories=tuple(self._repositories.values()),
            files=tuple(self._files),
            commits=tuple(self._commits),
            size=self._size,
            most=self._most,
        )

    def _is_same(self, one: Checkpoint, other: Checkpoint) -> bool:
        """Tell whether a checkpoint is of the same call with the same content."""
        as_other = other.replace(id=one.id, time=one.time, until=one.until)
        return one == as_other and 0 <= other.time - one.time < _SAME_CALL


def _as_kept(one: Checkpoint) -> Kept:
    names = one.names
    return Kept(id=one.id, what=one.what, names=names[:MOST_NAMED], count=len(names), until=one.until)


def _measured(status: os.stat_result) -> dict[str, int]:
    return {"mode": status.st_mode, "size": status.st_size, "stamp": status.st_mtime_ns}


def _mode_of_git(status: os.stat_result) -> str:
    if stat.S_ISLNK(status.st_mode):
        return "120000"
    return "100755" if status.st_mode & 0o100 else "100644"


def _shared(source: int, target: int) -> bool:
    """Have a file share the blocks of another, as some file systems can; whether that is done."""
    try:
        import fcntl

        fcntl.ioctl(target, _CLONE, source)
    except (ImportError, OSError):
        return False
    return True
