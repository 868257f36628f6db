"""Which policy files a person has trusted, by content.

Trust covers a policy file and the scripts it names: when one byte of either changes, it is gone. It is kept in
`trust.json` in the state directory.

INVARIANT: in doubt nothing is trusted: a store that is damaged, or that somebody else may write, counts as empty.
"""

from __future__ import annotations

import os
import sys

from rulez_py.analysis import Value
from rulez_py.system import jsontext
from rulez_py.system.files import NO_SYMLINK, WRITABLE, private_directory, read_pieces, try_lock, why_not_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from rulez_py.system.places import Places

FILE_NAME = "trust.json"

_VERSION = 1
_LARGEST_STORE = 16 * 1024 * 1024
_LARGEST_SCRIPT = 256 * 1024 * 1024
GLOB = "\0glob\0"
"""What stands before a word that is a shell pattern: every file of such a name counts, also one that comes later."""
_MOST_OF_A_PATTERN = 10_000
_LOCK_ATTEMPTS, _LOCK_PAUSE = 100, 0.05


class Trusted(Value):
    """One trusted policy file: where it is, the digest it was trusted with, and when (ISO 8601, UTC).

    `git` is the repository it is part of, and where in it: in all of its work trees that is the same file.
    """

    path: str
    digest: str
    at: str
    git: tuple[str, str] | None = None


class StoreProblem(Exception):
    """The store cannot be used; the message says why and what would help."""


class _Damaged(StoreProblem):
    pass


def content_digest(content: bytes) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    return str(_sha256(content).hexdigest())


def digest(path: str, content: bytes, scripts: Iterable[str]) -> str:
    """What trust in a policy file is tied to: its bytes, and the name and bytes of each of its script files.

    `path` is the policy's path; scripts count by their path relative to its directory. A missing script counts as
    missing, so that one that appears later asks again.
    """
    return digest_from(path, content_digest(content), scripts)


def digest_from(path: str, content: str, scripts: Iterable[str]) -> str:
    """The same, from the `content_digest` of the policy's bytes."""
    total = _sha256(b"rulez trust 1")
    total.update(bytes.fromhex(content))
    home = os.path.dirname(os.path.abspath(path))
    for name, script in sorted((_relative(script, home), script) for script in set(scripts)):
        total.update(_sha256(name.encode("utf-8", "surrogatepass")).digest())
        total.update(_digest_of_file(script))
    return str(total.hexdigest())


def is_trusted(places: Places, path: str, digest: str) -> bool:
    """Whether a person trusted this policy file with exactly this digest, in any work tree; never raises."""
    try:
        entries, place = _load(places), _place(path)
        entry = entries.get(place)
        if entry is not None and entry.digest == digest:
            return True
        same = [entry for entry in entries.values() if entry.digest == digest]
        mine = _in_git(place) if same else None
        return mine is not None and any((entry.git or _in_git(entry.path)) == mine for entry in same)
    except (StoreProblem, OSError, ValueError):
        return False


def trusted(places: Places) -> list[Trusted]:
    """Every trusted policy file, by path; empty where the store cannot be used (see `problem`)."""
    try:
        return sorted(_load(places).values(), key=lambda entry: entry.path)
    except StoreProblem:
        return []


def problem(places: Places) -> str:
    """Why the store cannot be used, "" where it can be."""
    try:
        _load(places)
    except StoreProblem as error:
        return str(error)
    return ""


def trust(places: Places, path: str, digest: str, now: float) -> str:
    """Trust a policy file as its digest describes it; `now` is in seconds since the epoch.

    The result is "", or where a damaged store was kept for a person to look at. Raises StoreProblem.
    """
    from datetime import UTC, datetime

    place = _place(path)
    with _Store(places) as store:
        at = datetime.fromtimestamp(now, UTC).isoformat(timespec="seconds")
        store.entries[place] = Trusted(path=place, digest=digest, at=at, git=_in_git(place))
        store.save()
        return store.backup


def revoke(places: Places, path: str) -> bool:
    """Trust a policy file no longer, in no work tree; whether it was trusted. Raises StoreProblem."""
    place = _place(path)
    mine = _in_git(place)
    with _Store(places) as store:
        gone = [
            entry.path
            for entry in store.entries.values()
            if entry.path == place or (mine is not None and (entry.git or _in_git(entry.path)) == mine)
        ]
        for one in gone:
            del store.entries[one]
        if gone:
            store.save()
        return bool(gone)


def _place(path: str) -> str:
    """Where a policy file stands, however its project was reached.

    Links are resolved down to the project, not inside it: a project whose policy is a link into a trusted one would
    otherwise be trusted to run that policy's commands on its own files.
    """
    directory, name = os.path.split(os.path.abspath(path))
    project, folder = os.path.split(directory)
    return os.path.join(os.path.realpath(project), folder, name)


def _in_git(place: str) -> tuple[str, str] | None:
    """The repository's common directory and the path inside the work tree; None where that is not certain."""
    top = os.path.dirname(os.path.dirname(place))
    while not os.path.lexists(os.path.join(top, ".git")):
        top, below = os.path.dirname(top), top
        if top == below:
            return None
    from rulez_py.system.worktrees import common_directory

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
    """The store's entries by place. Raises StoreProblem."""
    path = os.path.join(places.state, FILE_NAME)
    try:
        _check_private(places.state, os.stat(places.state))
        _check_private(path, os.lstat(path))
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
        path: Trusted(path=path, digest=entry["digest"], at=entry["at"], git=_pair(entry.get("git")))
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
    return {"digest": entry.digest, "at": entry.at, **git}


def _check_private(path: str, status: os.stat_result) -> None:
    """Raises StoreProblem where anybody else may write this file or directory."""
    why = why_not_private(status)
    if why:
        mend = "; mend it with `chmod go-w`" if why == WRITABLE else ""
        raise StoreProblem(f"{path} {why}, nothing in it counts as trusted{mend}")


# The scripts a policy names.


def scripts_of(data: object, root: str) -> list[str]:
    """The script files reached by a policy file's plain YAML data; `root` is what its scripts are relative to.

    Every word of `run`, `inject_command` and `inline_script` that names an existing regular file under `root` counts,
    and whatever else their lines run (`pins.reach`). What a script itself loads or calls is not followed.
    """
    return script_files(script_words(data, root), root)


def script_words(data: object, root: str) -> list[str]:
    """Every word that may name a script file, and every pattern for some (behind GLOB), in a fixed order.

    A pure function of the policy's content and of where it stands.
    """
    words: set[str] = set()
    for text in _script_texts(data):
        words.update(_words(text))
    if not words:
        return []
    from rulez_py.trust.pins import reach

    found = reach(data, os.path.abspath(root))
    return sorted(words.union(found.words, (GLOB + glob for glob in found.globs)))


def script_files(words: Iterable[str], root: str) -> list[str]:
    """The existing regular files under `root` among these words, as absolute paths in order."""
    top = os.path.abspath(root)
    paths: set[str] = set()
    for word in words:
        if word.startswith(GLOB):
            paths.update(_of_such_names(word.removeprefix(GLOB), top))
        else:
            paths.add(_inside(word, top))
    return sorted(path for path in paths if path and os.path.isfile(path))


def _of_such_names(pattern: str, top: str) -> list[str]:
    """The paths below `top` that a shell pattern fits: some of very many, and all that a shell would find of few."""
    from fnmatch import fnmatchcase

    found = [top]
    for part in pattern.replace("\\", "").split("/"):
        if not any(sign in part for sign in "*?["):
            found = [os.path.join(directory, part) for directory in found]
            continue
        found = [
            os.path.join(directory, name)
            for directory in found
            for name in _names(directory)
            if fnmatchcase(name, part)
        ][:_MOST_OF_A_PATTERN]
    return found


def _names(directory: str) -> list[str]:
    try:
        return sorted(os.listdir(directory))
    except OSError:
        return []


def _inside(word: str, top: str) -> str:
    """The path a word means from `top`, "" where that is outside; the same however `top` itself is spelled."""
    readings = [(top, os.path.normpath(os.path.join(top, word)))]
    if os.path.isabs(word) and "\0" not in word:
        real = os.path.realpath(os.path.dirname(word))
        readings.append((os.path.realpath(top), os.path.join(real, os.path.basename(word))))
    for base, path in readings:
        inside = base.rstrip(os.sep) + os.sep
        if path.startswith(inside):
            return os.path.join(top, path[len(inside) :])
    return ""


def _script_texts(data: object) -> Iterator[str]:
    rules = data.get("rules") if isinstance(data, dict) else None
    for rule in rules if isinstance(rules, list) else []:
        actions = rule.get("actions") if isinstance(rule, dict) else None
        if not isinstance(actions, dict):
            continue
        for key in ("run", "inject_command", "inline_script"):
            yield from _texts(actions.get(key))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key in ("script", "command", "args"):
            yield from _texts(value.get(key))
    elif isinstance(value, (list, tuple)):
        for item in value:
            if isinstance(item, str):
                yield item


def _words(text: str) -> Iterator[str]:
    """The text's words as a shell would see them, and again split at every sign no file name needs."""
    import shlex

    yield text
    for part in (text, *text.splitlines()):
        try:
            yield from shlex.split(part, comments=True)
        except ValueError:
            continue  # an unbalanced quote: not a shell's line
    yield from "".join(" " if sign in _SEPARATORS else sign for sign in text).split()


_SEPARATORS = frozenset("\"'`$(){}[]<>|&;=:,#!\\")


# Digests.


def _sha256(data: bytes) -> Any:
    """A running SHA-256. Python's own, where it has one: `hashlib` would load OpenSSL."""
    try:
        return __import__("_sha2" if sys.version_info >= (3, 12) else "_sha256").sha256(data)
    except ImportError:
        import hashlib

        return hashlib.sha256(data)


def _digest_of_file(path: str) -> bytes:
    total = _sha256(b"file")
    try:
        for piece in read_pieces(path, _LARGEST_SCRIPT):
            total.update(piece)
    except OSError:
        total = _sha256(b"missing")
    return bytes(total.digest())


def _relative(path: str, directory: str) -> str:
    try:
        return os.path.relpath(path, directory)
    except ValueError:
        return os.path.abspath(path)  # on another drive
