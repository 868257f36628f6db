"""Opening files that may not be what they seem, and keeping rulez' own files private."""

from __future__ import annotations

import os
import stat
import sys
import zlib

from rulez_py.analysis import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_NEVER_WAIT = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
NO_SYMLINK = getattr(os, "O_NOFOLLOW", 0)
WRITABLE = "can be written by others"


def open_regular(path: str, flags: int = os.O_RDONLY) -> int:
    """Return a descriptor of a regular file, created with mode 0600 where `flags` say so.

    A FIFO, device or directory in its place raises OSError instead of hanging, an unusable name too.
    """
    try:
        descriptor = os.open(path, flags | _NEVER_WAIT, 0o600)
    except ValueError as error:
        raise OSError(f"unusable file name: {error}") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(f"not a regular file: {path}")
    return descriptor


def read_pieces(path: str, limit: int, flags: int = os.O_RDONLY) -> Iterator[bytes]:
    """Yield the first `limit` bytes of a regular file, piece by piece. Raises OSError."""
    descriptor = open_regular(path, flags)
    try:
        yield from _pieces(descriptor, limit)
    finally:
        os.close(descriptor)


class Marked(Value):
    """The bytes read of a file, and its `marks`, which differ where the file, or what its name leads to, has changed.

    They are its device, inode, size, both times, and a checksum: some systems and some ways to write keep the times.
    """

    content: bytes
    marks: tuple[int, ...]


def read_marked(path: str, limit: int, *, content: bool = True) -> Marked:
    """Return the first `limit` bytes of a regular file; without `content` only its marks. Raises OSError."""
    kept: list[bytes] = []
    checksum = 0
    descriptor = open_regular(path)
    try:
        status = os.fstat(descriptor)
        for piece in _pieces(descriptor, limit):
            checksum = zlib.crc32(piece, checksum)
            if content:
                kept.append(piece)
    finally:
        os.close(descriptor)
    times = status.st_mtime_ns, status.st_ctime_ns
    return Marked(content=b"".join(kept), marks=(status.st_dev, status.st_ino, status.st_size, *times, checksum))


def _pieces(descriptor: int, limit: int) -> Iterator[bytes]:
    while limit > 0 and (piece := os.read(descriptor, min(limit, 1 << 16))):
        limit -= len(piece)
        yield piece


def why_not_private(status: os.stat_result) -> str:
    """Return why another user may have written this file or directory; "" where none can have."""
    if sys.platform == "win32":
        return ""
    if stat.S_ISLNK(status.st_mode):
        return "is a symbolic link"
    if status.st_uid != os.geteuid():
        return "belongs to another user"
    return WRITABLE if status.st_mode & 0o022 else ""


def private_directory(path: str) -> None:
    """Make a directory only its owner can use, where it does not exist. Raises OSError."""
    os.makedirs(path, mode=0o700, exist_ok=True)


def replace(path: str, content: bytes, mode: int = 0o600) -> None:
    """Write a file anew, whole or not at all. Raises OSError."""
    new = f"{path}.{os.urandom(8).hex()}.new"
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_SYMLINK, mode)
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
        os.replace(new, path)
    except OSError:
        os.unlink(new)
        raise


def try_lock(path: str) -> int | None:
    """Return an exclusive lock on the file at `path`, created where absent; None where another process holds it.

    The lock ends with `os.close` of the descriptor, or with the process. Raises OSError.
    """
    descriptor = open_regular(path, os.O_RDWR | os.O_CREAT | NO_SYMLINK)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
