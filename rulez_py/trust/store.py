"""Keep which policy files a person has trusted, in `trust.json` in the state directory.

INVARIANT: in doubt nothing is trusted: a store that is damaged, or that another user may write, counts as empty.
"""

from __future__ import annotations

import os

from rulez_py.analysis import Value
from rulez_py.system import jsontext
from rulez_py.system.files import NO_SYMLINK, WRITABLE, private_directory, read_pieces, try_lock, why_not_private
from rulez_py.trust.digests import SIGNATURE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulez_py.system.places import Places

FILE_NAME = "trust.json"

_VERSION = 1
_LARGEST_STORE = 16 * 1024 * 1024
_LOCK_ATTEMPTS, _LOCK_PAUSE = 100, 0.05


class Trusted(Value):
    """One trusted policy file: where it is, the digest it was trusted with, and when (ISO 8601, UTC).

    `git` is the repository it is part of, and where in it: in all of its work trees that is the same file.
    `everywhere` says that a file with this digest is trusted wherever it lies.
    """

    path: str
    digest: str
    at: str
    git: tuple[str, str] | None = None
    everywhere: bool = False


class StoreProblem(Exception):
    """The store cannot be used; the message says why and what would help."""


class _Damaged(StoreProblem):
    pass


def is_trusted(places: Places, path: str, digest: str) -> bool:
    """Tell whether this policy file counts with exactly this digest, by this person's word; never raises.

    They have trusted it there, in another work tree, or everywhere; or somebody has signed it whom they let sign.
    """
    if entry_for(places, path, digest) is not None:
        return True
    # Most files have no signature, and one look says so.
    if not os.path.lexists(path + SIGNATURE):
        return False
    from rulez_py.trust.signatures import checked, own_signers

    return bool(checked(places, path, digest, own_signers(places)).signer)


def entry_for(places: Places, path: str, digest: str) -> Trusted | None:
    """Return the entry of the list by which a file with this digest is trusted, None where none is; never raises."""
    try:
        entries, place = _load(places), place_of(path)
        entry = entries.get(place)
        if entry is not None and entry.digest == digest:
            return entry
        same = [entry for entry in entries.values() if entry.digest == digest]
        for entry in same:
            if entry.everywhere:
                return entry
        mine = _in_git(place) if same else None
        if mine is not None:
            for entry in same:
                if (entry.git or _in_git(entry.path)) == mine:
                    return entry
    except (StoreProblem, OSError, ValueError):
        pass
    return None


def entry_before(places: Places, path: str) -> Trusted | None:
    """Return what the list has of this file whatever its digest, of another work tree where it has none; never raises.

    Of several entries it is the newest.
    """
    try:
        entries, place = _load(places), place_of(path)
        if place in entries:
            return entries[place]
        mine = _in_git(place) if entries else None
        same = [one for one in entries.values() if mine is not None and (one.git or _in_git(one.path)) == mine]
        return max(same, key=lambda entry: entry.at, default=None)
    except (StoreProblem, OSError, ValueError):
        return None


def trusted(places: Places) -> list[Trusted]:
    """Return every trusted policy file, by path; empty where the store cannot be used (see `problem`)."""
    try:
        return sorted(_load(places).values(), key=lambda entry: entry.path)
    except StoreProblem:
        return []


def problem(places: Places) -> str:
    """Return why the store cannot be used, "" where it can be."""
    try:
        _load(places)
    except StoreProblem as error:
        return str(error)
    return ""


def trust(places: Places, path: str, digest: str, now: float, *, everywhere: bool = False) -> str:
    """Trust a policy file as its digest describes it; `now` is in seconds since the epoch.

    With `everywhere`, each file with this digest is trusted, wherever it lies.
    The result is "", or where a damaged store was kept for a person to look at. Raises StoreProblem.
    """
    from datetime import UTC, datetime

    place = place_of(path)
    with _Store(places) as store:
        at = datetime.fromtimestamp(now, UTC).isoformat(timespec="seconds")
        store.entries[place] = Trusted(path=place, digest=digest, at=at, git=_in_git(place), everywhere=everywhere)
        store.save()
        return store.backup


def revoke(places: Places, path: str, digest: str = "") -> bool:
    """Trust a policy file no longer, in no work tree; whether it was trusted. Raises StoreProblem.

    What was trusted everywhere with this `digest` is trusted nowhere any more.
    """
    place = place_of(path)
    mine = _in_git(place)
    with _Store(places) as store:
        gone = [
            entry.path
            for entry in store.entries.values()
            if entry.path == place
            or (mine is not None and (entry.git or _in_git(entry.path)) == mine)
            or (entry.everywhere and entry.digest == digest)
        ]
        for one in gone:
            del store.entries[one]
        if gone:
            store.save()
        return bool(gone)


def place_of(path: str) -> str:
    """Return the place of a policy file, or of one that describes programs, however its project was reached.

    Links are resolved down to the project, not inside it: a project whose policy is a link into a trusted one would
    otherwise be trusted to run that policy's commands on its own files.
    """
    directory, name = os.path.split(os.path.abspath(path))
    project, folder = os.path.split(directory)
    if folder in ("programs", "rules.d") and os.path.basename(project) == ".rulez":
        project, folder = os.path.dirname(project), os.path.join(".rulez", folder)
    return os.path.join(os.path.realpath(project), folder, name)


def _in_git(place: str) -> tuple[str, str] | None:
    """Return the repository's common directory and the path inside the work tree; None where that is not certain."""
    top = os.path.dirname(os.path.dirname(place))
    while not os.path.lexists(os.path.join(top, ".git")):
        top, below = os.path.dirname(top), top
        if top == below:
            return None
    from rulez_py.system.git.worktrees import common_directory

    common = common_directory(top)
    return None if common is None else (common, os.path.relpath(place, top))


class _Store:
    """The store, locked against other writers for the length of a `with` block."""

    entries: dict[str, Trusted]
    backup: str

    def __init__(self, places: Places) -> None:
        self._places = places
        self._path = os.path.join(places.state, FILE_NAME)
        self._lock = -1
        self.backup = ""

    def __enter__(self) -> _Store:
        try:
            private_directory(self._places.state)
            self._lock = self._wait_for_lock()
        except OSError as error:
            raise StoreProblem(f"{self._places.state} cannot be written: {error.strerror or error}") from None
        try:
            self.entries = _load(self._places)
        except _Damaged:
            self.entries = {}
            self.backup = self._free_name()
        except StoreProblem:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_error: object) -> None:
        os.close(self._lock)

    def save(self) -> None:
        """Write all of it, or nothing."""
        trusted = {entry.path: _as_json(entry) for entry in self.entries.values()}
        text = jsontext.dumps({"version": _VERSION, "trusted": trusted})
        new = f"{self._path}.{os.getpid()}.new"
        try:
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | NO_SYMLINK, 0o600)
            with open(descriptor, "wb") as file:
                file.write(text.encode() + b"\n")
                file.flush()
                os.fsync(descriptor)
            if self.backup:
                os.replace(self._path, self.backup)
            os.replace(new, self._path)
        except OSError as error:
            if os.path.lexists(new):
                os.unlink(new)
            raise StoreProblem(f"{self._path} cannot be written: {error.strerror}") from None

    def _wait_for_lock(self) -> int:
        import time

        for _ in range(_LOCK_ATTEMPTS):
            lock = try_lock(f"{self._path}.lock")
            if lock is not None:
                return lock
            time.sleep(_LOCK_PAUSE)
        raise StoreProblem(f"{self._path} is being written by another rulez; try again")

    def _free_name(self) -> str:
        number = 1
        while os.path.lexists(f"{self._path}.damaged-{number}"):
            number += 1
        return f"{self._path}.damaged-{number}"


def _load(places: Places) -> dict[str, Trusted]:
    """Return the store's entries by place. Raises StoreProblem."""
    path = os.path.join(places.state, FILE_NAME)
    try:
        check_private(places.state, os.stat(places.state))
        check_private(path, os.lstat(path))
        data = b"".join(read_pieces(path, _LARGEST_STORE, os.O_RDONLY | NO_SYMLINK))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise StoreProblem(f"{path} cannot be read: {error.strerror or error}") from None
    try:
        return _entries(jsontext.loads(data))
    except (ValueError, TypeError, KeyError, AttributeError):
        raise _Damaged(f"{path} is damaged, nothing counts as trusted; `rulez trust` starts a new one") from None


def _entries(store: Any) -> dict[str, Trusted]:
    if store["version"] != _VERSION:
        raise ValueError("written by another version")
    entries = {
        path: Trusted(
            path=path,
            digest=entry["digest"],
            at=entry["at"],
            git=_pair(entry.get("git")),
            everywhere=entry.get("everywhere") is True,
        )
        for path, entry in store["trusted"].items()
    }
    if not all(isinstance(entry.digest, str) and isinstance(entry.at, str) for entry in entries.values()):
        raise ValueError("not text")
    return entries


def _pair(value: Any) -> tuple[str, str] | None:
    if value is None:
        return None
    common, inside = value
    if not (isinstance(common, str) and isinstance(inside, str)):
        raise ValueError("not text")
    return common, inside


def _as_json(entry: Trusted) -> dict[str, object]:
    git = {} if entry.git is None else {"git": list(entry.git)}
    everywhere = {"everywhere": True} if entry.everywhere else {}
    return {"digest": entry.digest, "at": entry.at, **git, **everywhere}


def check_private(path: str, status: os.stat_result) -> None:
    """Raises StoreProblem where anybody else may write this file or directory."""
    why = why_not_private(status)
    if why:
        help = "; correct it with `chmod go-w`" if why == WRITABLE else ""
        raise StoreProblem(f"{path} {why}, nothing in it counts as trusted{help}")
