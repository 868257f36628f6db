"""Settings files on the disk: read, replaced in one step, and what they were before kept."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import time
from typing import NamedTuple

from rulez_py.install.installed import read

_BACKUPS, _RECORDS = "backups", "installed"


class Changed(OSError):
    """Somebody else has written the file since it was read."""


class Record(NamedTuple):
    """The state before `rulez install`: `backup` has the bytes that were there, None where there was no file.

    `directories` are those it made, the innermost first.
    """

    path: str
    backup: str | None
    directories: tuple[str, ...]


def current(path: str) -> bytes | None:
    """Return the bytes of a file, None without a file. Raises OSError."""
    try:
        return read(path)
    except FileNotFoundError:
        return None


def write(path: str, data: bytes, before: bytes | None) -> tuple[str, ...]:
    """Puts other bytes in the place of those that were read; the file keeps its mode and owner.

    The result is the directories that were made for it, the innermost first. Raises OSError.
    """
    made = _directories(os.path.dirname(path))
    status = os.stat(path) if before is not None else None
    if status is not None and status.st_nlink > 1:
        _only_if(path, before)
        with open(path, "r+b") as file:  # the other names of the file go with it
            file.write(data)
            file.truncate()
        return made
    beside = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.{os.urandom(6).hex()}.rulez")
    try:
        _fill(beside, data, status)
        _only_if(path, before)
        os.replace(beside, path)
    except BaseException:
        if os.path.lexists(beside):
            os.unlink(beside)
        raise
    return made


def remove(path: str, before: bytes, directories: tuple[str, ...]) -> None:
    """Takes the file away, and of these directories those that are empty then. Raises OSError."""
    _only_if(path, before)
    os.unlink(path)
    for directory in directories:
        try:
            os.rmdir(directory)
        except OSError:
            return


def _fill(path: str, data: bytes, like: os.stat_result | None) -> None:
    mode = 0o777 if data.startswith(b"#!") else 0o666
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    with open(descriptor, "wb") as file:
        if like is not None and hasattr(os, "fchown"):
            made = os.fstat(descriptor)
            if (made.st_uid, made.st_gid) != (like.st_uid, like.st_gid):
                os.fchown(descriptor, like.st_uid, like.st_gid)
            os.fchmod(descriptor, stat.S_IMODE(like.st_mode))
        file.write(data)
        file.flush()
        os.fsync(descriptor)


def _only_if(path: str, before: bytes | None) -> None:
    if current(path) != before:
        raise Changed("it was changed meanwhile by something else; try again")


def _directories(path: str) -> tuple[str, ...]:
    missing: list[str] = []
    while path and not os.path.isdir(path):
        missing.append(path)
        path = os.path.dirname(path)
    for directory in reversed(missing):
        os.mkdir(directory)
    return tuple(missing)


# The state before.


def back_up(store: str, path: str, data: bytes, now: float) -> str:
    """Keeps the bytes of a file under its name and the time. Raises OSError."""
    directory = os.path.join(store, _BACKUPS)
    os.makedirs(directory, mode=0o700, exist_ok=True)
    stamp = time.strftime("%Y-%m-%dT%H-%M-%SZ", time.gmtime(now))
    above, base = os.path.split(path)
    name = os.path.join(directory, f"{stamp}-{os.path.basename(above).lstrip('.')}-{base}")
    while os.path.lexists(name):
        name += "+"
    descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with open(descriptor, "wb") as file:
        file.write(data)
    return name


def record_of(store: str, path: str) -> Record | None:
    """Return what is kept of a file; None where nothing is, or nothing that can be read."""
    try:
        kept = json.loads(read(_record(store, path)))
        return Record(kept["path"], kept["backup"], tuple(kept["directories"])) if kept["path"] == path else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep(store: str, record: Record) -> None:
    """Raises OSError."""
    os.makedirs(os.path.join(store, _RECORDS), mode=0o700, exist_ok=True)
    data = json.dumps({"schema": 1, **record._asdict()}, indent=2).encode() + b"\n"
    target = _record(store, record.path)
    write(target, data, current(target))


def forget(store: str, record: Record, *, backup: bool) -> None:
    """Takes the record away, with `backup` the bytes that it names as well. Raises nothing."""
    spent = [_record(store, record.path), *([record.backup] if backup and record.backup else [])]
    for path in spent:
        try:
            os.unlink(path)
            os.rmdir(os.path.dirname(path))
        except OSError:
            pass


def _record(store: str, path: str) -> str:
    return os.path.join(store, _RECORDS, hashlib.sha256(path.encode()).hexdigest()[:32] + ".json")
