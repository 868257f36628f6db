"""Records of checkpoints: one private directory each, below `checkpoints` in the state directory.

INVARIANT: a checkpoint is there where its directory has its name, and then it is whole: the directory gets that name
last. What was not finished has a name that ends with `.new`, and is removed when it is old.
"""

from __future__ import annotations

import os
import time

from rulez_py.analysis import Value
from rulez_py.system import jsontext
from rulez_py.system.files import NO_SYMLINK, private_directory, read_pieces, why_not_private
from rulez_py.system.git.values import Repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

DIRECTORY = "checkpoints"
RECORD = "record.json"
NEW = ".new"
_VERSION = 1
_LARGEST = 64 * 1024 * 1024
_SWEPT = "swept"
_DAY = 24 * 3600
_UNFINISHED = 3600
"""Seconds after which what was not finished is taken for abandoned."""


class File(Value):
    """A file of a checkpoint.

    `top` is the work tree that it is part of, "" where it is outside of git. `at` is its place in the tree of the
    checkpoint's commit, or the name of its copy. `mode` is that of `stat`; of an entry of the index it is git's.
    `stamp` tells versions of the file apart.
    """

    path: str
    top: str
    at: str
    mode: int
    size: int
    stamp: int = 0

    @property
    def in_index(self) -> bool:
        """True if it is what was staged."""
        return self.at.startswith("index")


class Commit(Value):
    """A commit of a checkpoint: the reference that had it (`refs/stash` of a stash), and the work tree asked."""

    top: str
    reference: str
    name: str


class Checkpoint(Value):
    """One checkpoint; times are seconds since the epoch, `size` is in bytes."""

    id: str
    time: float
    until: float
    agent: str
    session: str
    project: str
    command: str
    repositories: tuple[Repository, ...]
    files: tuple[File, ...]
    commits: tuple[Commit, ...]
    size: int
    most: float = 0.0

    def repository(self, top: str) -> Repository | None:
        """Return the repository that has what is kept of a work tree; the tree itself need not be there any more."""
        for one in self.repositories:
            if one.top == top and os.path.isdir(one.common):
                return one if os.path.isdir(one.git_dir) else one.replace(git_dir=one.common)
        return None

    @property
    def what(self) -> str:
        """What it holds, in words."""
        named = len({file.path for file in self.files})
        stashes = sum(one.reference == _STASH for one in self.commits)
        branches = len(self.commits) - stashes
        parts = (
            (named, "file", "files"),
            (stashes, "stash", "stashes"),
            (branches, "branch", "branches"),
        )
        return ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in parts if count)

    @property
    def names(self) -> tuple[str, ...]:
        """Its files, those of its project as seen from there, and its branches; stashes have no names."""
        project = f"{self.project.rstrip('/')}/"
        files = [file.path.removeprefix(project) for file in self.files]
        branches = [one.reference.removeprefix("refs/heads/") for one in self.commits if one.reference != _STASH]
        return tuple(dict.fromkeys((*files, *branches)))


_STASH = "refs/stash"


def directory(state: str) -> str:
    """Return the directory of all checkpoints."""
    return os.path.join(state, DIRECTORY)


def begun(state: str, identity: str) -> str:
    """Make the directory of a checkpoint that is not finished. Raises OSError."""
    private_directory(state)
    private_directory(directory(state))
    path = os.path.join(directory(state), identity + NEW)
    os.mkdir(path, 0o700)
    return path


def write(path: str, checkpoint: Checkpoint) -> None:
    """Write the record into the directory of a checkpoint. Raises OSError."""
    descriptor = os.open(os.path.join(path, RECORD), os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_SYMLINK, 0o600)
    with open(descriptor, "wb") as file:
        file.write(jsontext.dumps({"version": _VERSION, **_as_json(checkpoint)}).encode() + b"\n")
        file.flush()
        os.fsync(descriptor)


def finished(path: str) -> None:
    """Give a checkpoint its name: from now on it is there. Raises OSError."""
    os.rename(path, path.removesuffix(NEW))


def read_all(state: str) -> tuple[Checkpoint, ...]:
    """Return every checkpoint that is whole, the oldest first; none where others may write the store."""
    place = directory(state)
    try:
        if why_not_private(os.lstat(place)):
            return ()
        names = sorted(name for name in os.listdir(place) if not name.endswith(NEW) and name != _SWEPT)
    except OSError:
        return ()
    found = (read(os.path.join(place, name)) for name in names)
    return tuple(sorted((one for one in found if one is not None), key=lambda one: (one.time, one.id)))


def all_names(state: str) -> frozenset[str]:
    """Return the names of the checkpoints that are there, without reading any."""
    try:
        return frozenset(name for name in os.listdir(directory(state)) if not name.endswith(NEW) and name != _SWEPT)
    except OSError:
        return frozenset()


def newest(state: str) -> Checkpoint | None:
    """Return the newest checkpoint by its name; None where there is none."""
    names = all_names(state)
    return read(os.path.join(directory(state), max(names))) if names else None


def read(path: str) -> Checkpoint | None:
    """Return the checkpoint of a directory; None where it is none."""
    try:
        text = b"".join(read_pieces(os.path.join(path, RECORD), _LARGEST, os.O_RDONLY | NO_SYMLINK))
        data = jsontext.loads(text)
        if data.pop("version") != _VERSION:
            return None
        return _from_json(data)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def remove(state: str, checkpoint: Checkpoint) -> bool:
    """Delete a checkpoint; it loses its name first, so that no half of it is ever offered."""
    path = os.path.join(directory(state), checkpoint.id)
    try:
        os.rename(path, path + NEW)
    except OSError:
        return False
    return _clear(path + NEW, checkpoint)


def _clear(path: str, checkpoint: Checkpoint | None) -> bool:
    """Delete what a checkpoint has, and its directory last."""
    from rulez_py.system.git.keeping import forget, why_not

    try:
        for one in checkpoint.repositories if checkpoint is not None else ():
            repository = checkpoint.repository(one.top) if checkpoint is not None else None
            if repository is not None and checkpoint is not None and not why_not(repository):
                forget(repository, checkpoint.id)
        for name in sorted(os.listdir(path), key=lambda name: name == RECORD):
            os.unlink(os.path.join(path, name))
        os.rmdir(path)
    except OSError:
        return False
    return True


def abandon(path: str, checkpoint: Checkpoint) -> None:
    """Delete what there is of a checkpoint that could not be finished."""
    _clear(path, checkpoint)


def is_due(state: str, now: float) -> bool:
    """Tell whether a checkpoint has come or gone since they were swept, or that is a day ago."""
    try:
        seen = os.stat(directory(state)).st_mtime_ns
        last = os.stat(os.path.join(directory(state), _SWEPT))
    except FileNotFoundError:
        return os.path.isdir(directory(state))
    except OSError:
        return False
    return last.st_mtime_ns < seen or not 0 <= now - last.st_mtime < _DAY


def sweep(state: str, now: float) -> int:
    """Delete checkpoints that are too old, the oldest where all have too many bytes, and what was not finished.

    What killed processes have left of git's questions goes too. Return how many are gone.
    """
    from rulez_py.system.git.asking import clear_old

    place = directory(state)
    marker = os.path.join(place, _SWEPT)
    gone = 0
    clear_old(now - _UNFINISHED)
    there = read_all(state)
    room = max((one.most for one in there), default=0.0)
    for one in reversed(there):  # The newest stay.
        room -= one.size
        if one.until < now or room < 0:
            gone += remove(state, one)
    try:
        for name in os.listdir(place):
            path = os.path.join(place, name)
            if name.endswith(NEW) and now - os.lstat(path).st_mtime > _UNFINISHED:
                _clear(path, read(path))
        with open(os.open(marker, os.O_WRONLY | os.O_CREAT | NO_SYMLINK, 0o600), "wb"):
            os.utime(marker)
    except OSError:
        pass
    return gone


def new_identity(now: float) -> str:
    """Return a name that no other checkpoint has, and by which they are in order of time."""
    return f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(now))}-{int(now * 1000) % 1000:03d}{os.urandom(2).hex()}"


def _as_json(checkpoint: Checkpoint) -> dict[str, Any]:
    lists = {name: [_each(one.as_dict(), _as_text) for one in getattr(checkpoint, name)] for name in _LISTS}
    return {**_each(checkpoint.as_dict(), _as_text), **lists}


def _from_json(data: Mapping[str, Any]) -> Checkpoint:
    lists = {name: tuple(kind(**_each(one, _as_path)) for one in data[name]) for name, kind in _LISTS.items()}
    return Checkpoint(**{**_each(data, _as_path), **lists})


_LISTS = {"files": File, "commits": Commit, "repositories": Repository}


def _each(fields: Mapping[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    return {name: change(value) if isinstance(value, str) else value for name, value in fields.items()}


def _as_text(path: str) -> str:
    """Return a path as JSON can have it: one that is not UTF-8 has a NUL before it, and a character for each byte."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return f"\0{os.fsencode(path).decode('latin-1')}"
    return path


def _as_path(text: str) -> str:
    return os.fsdecode(text[1:].encode("latin-1")) if text.startswith("\0") else text
