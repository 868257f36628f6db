"""What rulez knows of agents' sessions: the files they have seen, and what rules remember. Each for a day.

Each session has a file in a directory of its kind. It counts for a day after its last change, then it is deleted.
"""

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
            if _is_old(os.lstat(path), now):
                os.unlink(path)
    except OSError:
        return


def open_own(path: str, now: float) -> int:
    """Return a descriptor for reading a file that no other user can have written.

    Raises OSError; FileNotFoundError also where the file is old.
    """
    descriptor = open_regular(path, os.O_RDONLY | NO_SYMLINK)
    status = os.fstat(descriptor)
    if why := why_not_private(status):
        os.close(descriptor)
        raise OSError(f"{path} {why}")
    if _is_old(status, now):
        os.close(descriptor)
        raise FileNotFoundError(path)
    return descriptor


def _is_old(status: os.stat_result, now: float) -> bool:
    return now - status.st_mtime > KEPT_FOR
