"""Which content the last commit of a repository has for a file.

INVARIANT: git is asked for a name alone (`rev-parse HEAD:FILE`), so nothing of the repository's runs (`asking`).
"""

from __future__ import annotations

import os

from rulez_py.system.git.asking import ask
from rulez_py.system.git.repository import find, is_own


def is_committed(path: str, data: bytes) -> bool:
    """Tell whether the last commit has the file at `path`, a real path, with the content `data`; never raises."""
    found = _name_in_commit(path)
    return bool(found) and found == name_of(data, len(found))


def _name_in_commit(path: str) -> str:
    """Return the object name of a file in the last commit; "" where there is none, or it is unknown."""
    repository = find(os.path.dirname(path))
    if repository is None or not is_own(repository):
        return ""
    name = os.path.relpath(path, repository.top).replace(os.sep, "/")
    printed = ask(repository.git_dir, ("rev-parse", "--verify", "--quiet", f"HEAD:{name}"))
    return "" if printed is None else printed.decode("ascii", "replace").strip()


def name_of(data: bytes, length: int) -> str:
    """Return the name that git has for a content: 40 digits of SHA-1, or 64 of SHA-256."""
    import hashlib

    text = b"blob %d\0" % len(data) + data
    digest = hashlib.sha256(text) if length == 64 else hashlib.sha1(text, usedforsecurity=False)
    return digest.hexdigest()
