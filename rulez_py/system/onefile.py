"""The one file that unpacks itself on Linux (dev/onefile.c): which file started this program, and is its place sound.

The place is `rulez/programs/DIGEST` in the user's cache, or elsewhere where that cannot be. No hook call loads this.
"""

from __future__ import annotations

import os
import stat
import sys

from rulez_py.system.native import sha256

_STAMP = "stamp"
_MARK = b"rulezone"
_DIGEST = 32
_FOOTER = 64
"""Bytes at the end of the file: three numbers, the mark, the digest of all before it."""


def digest_of(path: str) -> str:
    """Return which one file this says it is, in hexadecimal digits; "" where it is none. Reads only its end."""
    try:
        with open(path, "rb") as file:
            file.seek(-_FOOTER, os.SEEK_END)
            end = file.read()
    except (OSError, ValueError):
        return ""
    return end[-_DIGEST:].hex() if end[-_DIGEST - len(_MARK) : -_DIGEST] == _MARK else ""


def is_place(directory: str) -> bool:
    """Tell if this is where one file has unpacked itself."""
    name = os.path.basename(directory)
    named = len(name) == 2 * _DIGEST and os.path.basename(os.path.dirname(directory)) == "programs"
    return named and os.path.lexists(os.path.join(directory, _STAMP))


def started() -> str:
    """Return the one file that started this program; "" where there is none.

    INVARIANT: the environment names a file, and only one with the digest of this program's place is believed.
    """
    path = str(getattr(sys, "_onefile", ""))
    place = os.path.dirname(os.path.realpath(sys.executable))
    if not os.path.isabs(path) or not is_place(place) or digest_of(path) != os.path.basename(place):
        return ""
    try:
        with open(path, "rb") as file:
            whole = file.read()
    except OSError:
        return ""
    return path if _sum(whole[:-_DIGEST]) == os.path.basename(place) else ""


def why_unsound(place: str) -> str:
    """Return what is not as it was unpacked, "" where all is: each file's bytes, mode, owner and times."""
    try:
        why = next((said for path in _above(place) if (said := _why_writable(path))), "")
        stamp = os.path.join(place, _STAMP)
        status = os.lstat(stamp)
        if not stat.S_ISREG(status.st_mode) or not _is_ours(status) or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return f"{stamp} is no file that only its user can write"
        with open(stamp, encoding="utf-8") as file:
            digest, *lines = file.read().splitlines()
        if why or digest != os.path.basename(place):
            return why or f"the stamp in {place} is another program's"
        return next((said for line in lines if (said := _why_changed(place, line))), "")
    except OSError as error:
        return f"{error.filename}: {(error.strerror or str(error)).lower()}"
    except ValueError:
        return f"the stamp in {place} is damaged"


def _above(place: str) -> list[str]:
    """Return the place, the directory of places and ours above it."""
    programs = os.path.dirname(place)
    return [place, programs, os.path.dirname(programs)]


def _why_writable(path: str) -> str:
    status = os.lstat(path)
    if not stat.S_ISDIR(status.st_mode):
        return f"{path} is no directory"
    if not _is_ours(status):
        return f"{path} belongs to another user"
    return f"others can write in {path}" if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH) else ""


def _sum(data: bytes) -> str:
    return str(sha256(data).hexdigest())


def _is_ours(status: os.stat_result) -> bool:
    return status.st_uid in (0, os.geteuid() if sys.platform != "win32" else 0)


def _why_changed(place: str, line: str) -> str:
    """Return how a file differs from its line: when it was written and changed, its mode, size, digest and name."""
    written, changed, mode, size, digest, name = line.split(" ", 5)
    path = os.path.join(place, name)
    status = os.lstat(path)
    is_file = stat.S_ISREG(status.st_mode)
    wanted = (int(written), int(changed), int(mode, 8), int(size))
    found = (status.st_mtime_ns, status.st_ctime_ns, status.st_mode, status.st_size if is_file else 0)
    if found != wanted or not _is_ours(status):
        return f"{path} has changed since it was unpacked"
    if is_file:
        with open(path, "rb") as file:
            if _sum(file.read()) != digest:
                return f"{path} has other bytes than it was unpacked with"
    return ""
