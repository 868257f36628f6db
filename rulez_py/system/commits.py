"""Which content the last commit of a repository has for a file.

INVARIANT: git is asked for a name alone (`rev-parse HEAD:./FILE`). That runs no hook, no filter and no pager that the
repository's own settings could name, and the environment that an agent was given says nothing to it.
"""

from __future__ import annotations

import os

_PROGRAMS = ("/usr/bin/git", "/usr/local/bin/git", "/opt/homebrew/bin/git", "/bin/git")
"""Where git is looked for first: a directory in somebody's PATH may be an agent's to write."""
_SECONDS = 2.0
_KEPT = ("HOME", "USERPROFILE", "SYSTEMROOT", "PATH")


def is_committed(path: str, data: bytes) -> bool:
    """Tell whether the last commit has the file at `path`, a real path, with the content `data`; never raises."""
    directory, name = os.path.split(path)
    found = _name_in_commit(directory, name)
    return bool(found) and found == _name_of(data, len(found))


def _name_in_commit(directory: str, name: str) -> str:
    """Return the object name of a file in the last commit; "" where there is none, or it is unknown."""
    program = _git()
    if not program or not _is_in_a_repository(directory):
        return ""
    from rulez_py.system.process import CannotStart, run_process

    environ = {key: os.environ[key] for key in _KEPT if key in os.environ} | {"GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    command = ("git", "-c", "core.fsmonitor=false", "rev-parse", "--verify", "--quiet", f"HEAD:./{name}")
    try:
        ended = run_process(command, program=program, cwd=directory, environ=environ, data=b"", seconds=_SECONDS)
    except (CannotStart, OSError, ValueError):
        return ""
    return ended.stdout.decode("ascii", "replace").strip() if ended.exit_code == 0 else ""


def _git() -> str:
    for program in _PROGRAMS:
        if os.access(program, os.X_OK):
            return program
    for directory in os.environ.get("PATH", "").split(os.pathsep):
        program = os.path.join(directory, "git.exe" if os.name == "nt" else "git")
        if os.path.isabs(directory) and os.access(program, os.X_OK):
            return program
    return ""


def _is_in_a_repository(directory: str) -> bool:
    while not os.path.lexists(os.path.join(directory, ".git")):
        above = os.path.dirname(directory)
        if above == directory:
            return False
        directory = above
    return True


def _name_of(data: bytes, length: int) -> str:
    """Return the name that git has for a content: 40 digits of SHA-1, or 64 of SHA-256."""
    import hashlib

    text = b"blob %d\0" % len(data) + data
    digest = hashlib.sha256(text) if length == 64 else hashlib.sha1(text, usedforsecurity=False)
    return digest.hexdigest()
