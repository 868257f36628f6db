"""The files of sessions: one for each session in a directory of its kind, deleted a day after its last change."""

from __future__ import annotations

import os

from rulez_py.system.files import NO_SYMLINK, open_regular, why_not_private

KEPT_FOR = 24 * 3600
"""Seconds."""


def forget_old(directory: str, now: float) -> None:
    """Delete the files of old sessions in a directory; raises nothing. `now` is in seconds since the epoch."""
    try:
        for name in os.listdir(directory):
            path = os.path.join(directory, name)
            if now - os.lstat(path).st_mtime > KEPT_FOR:
                os.unlink(path)
    except OSError:
        return


def open_own(path: str) -> int:
    """Return a descriptor for reading a file that no other user can have written. Raises OSError."""
    descriptor = open_regular(path, os.O_RDONLY | NO_SYMLINK)
    if why := why_not_private(os.fstat(descriptor)):
        os.close(descriptor)
        raise OSError(f"{path} {why}")
    return descriptor
