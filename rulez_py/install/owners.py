"""Find out if others than root can change the program that the machine's hooks call: they could switch rulez off.

Looked at are the program, what it consists of, every directory above, and every link on the way.
"""

from __future__ import annotations

import glob
import os
import shlex
import stat
import sys
from typing import TYPE_CHECKING, NamedTuple

from rulez_py.install.entries import called_by
from rulez_py.system import onefile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ROOT = 0
_MOST_LINKS = 40
_MOST_FILES = 20_000
_BY_PATH = ("env", "sh", "bash", "dash", "zsh", "nice", "timeout", "nohup", "sudo", "xargs", "command", "exec")
"""Programs that run another one, which they look for on the PATH."""


class Rights(NamedTuple):
    """Owner and writers of a file or directory; `link` is the target of a link."""

    mode: int
    uid: int
    gid: int
    link: str = ""


def look(path: str) -> Rights:
    """Return the rights of a path, a link's own. Raises OSError."""
    there = os.lstat(path)
    return Rights(there.st_mode, there.st_uid, there.st_gid, os.readlink(path) if stat.S_ISLNK(there.st_mode) else "")


def why_changeable(command: str, system: str = sys.platform) -> str:
    """Return who besides root can change what this hook command calls.

    "" where none can, and where users have no numbers.
    """
    if system == "win32":
        return ""
    try:
        words = shlex.split(called_by(command))
    except ValueError:
        words = []
    if not words or not os.path.isabs(words[0]):
        return f"{words[0] if words else command} is no full path, so that the PATH of the agent's user names it"
    if os.path.basename(words[0]) in _BY_PATH:
        return f"{words[0]} runs another program, which the PATH of the user who starts the agent may name"
    if onefile.digest_of(words[0]):
        return f"{words[0]} is one file, and what it unpacks belongs to the agent's user"
    return next((why for path in _parts(words) if (why := _why(path))), "")


def _parts(words: Sequence[str]) -> Iterator[str]:
    """Yield what the program consists of: each file as it is reached, the program first."""
    yield from (word for word in words if os.path.isabs(word))
    program = words[0]
    real = os.path.realpath(program)
    yield from _below(os.path.join(os.path.dirname(real), "_internal"))
    # An environment of Python: its folder is above that of the program, before links are followed.
    folder = os.path.dirname(os.path.dirname(program))
    config = os.path.join(folder, "pyvenv.cfg")
    if os.path.isfile(config):
        yield config
    yield from glob.glob(os.path.join(glob.escape(os.path.dirname(os.path.dirname(real))), "lib", "python*"))
    places = (os.path.join(glob.escape(above), "lib", "python*", "*-packages") for above in (folder, f"{folder}/local"))
    for packages in (one for place in places for one in glob.glob(place)):
        yield from (os.path.join(packages, name) for name in sorted(os.listdir(packages)))
        yield from _below(os.path.join(packages, "rulez_py"))
        for added in glob.glob(os.path.join(glob.escape(packages), "*.pth")):
            yield from _added(added)


def _below(directory: str) -> Iterator[str]:
    seen = 0
    for above, _, names in os.walk(directory):
        for path in (above, *(os.path.join(above, name) for name in names)):
            seen += 1
            if seen > _MOST_FILES:
                return
            yield path


def _added(path: str) -> Iterator[str]:
    """Yield the directories that a .pth file adds to where Python looks for modules, with our package there."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return
    for line in lines:
        if os.path.isabs(line):
            yield line
            yield from _below(os.path.join(line, "rulez_py"))


def _why(path: str) -> str:
    """Return why this path can be changed: by its own mode, by a directory above it, or by a link on the way."""
    links = 0
    left = path.strip(os.sep).split(os.sep)
    here = os.sep
    why = _why_there(here)
    while left and not why:
        name = left.pop(0)
        if name in ("", "."):
            continue
        here = os.path.dirname(here) if name == ".." else os.path.join(here, name)
        try:
            link = look(here).link
        except OSError as error:
            return f"{here} cannot be looked at: {(error.strerror or str(error)).lower()}"
        why = _why_there(here)
        if link:
            links += 1
            if links > _MOST_LINKS:
                return f"{path} is a link that leads nowhere"
            left = link.strip(os.sep).split(os.sep) + left
            here = os.sep if os.path.isabs(link) else os.path.dirname(here)
    return why


def _why_there(path: str) -> str:
    try:
        rights = look(path)
    except OSError as error:
        return f"{path} cannot be looked at: {(error.strerror or str(error)).lower()}"
    if rights.uid != _ROOT:
        return f"{path} belongs to {_user(rights.uid)}"
    # In a directory with the sticky bit, the kernel lets a user move or delete only their own files.
    if stat.S_ISLNK(rights.mode) or (stat.S_ISDIR(rights.mode) and rights.mode & stat.S_ISVTX):
        return ""
    if rights.mode & stat.S_IWOTH:
        return f"{path} can be written by everybody"
    if rights.mode & stat.S_IWGRP and rights.gid != _ROOT:
        return f"{path} can be written by the group {_group(rights.gid)}"
    return ""


def _user(uid: int) -> str:
    try:
        import pwd

        return f"{pwd.getpwuid(uid).pw_name} (uid {uid})"
    except (ImportError, KeyError):
        return f"uid {uid}"


def _group(gid: int) -> str:
    try:
        import grp

        return f"{grp.getgrgid(gid).gr_name} (gid {gid})"
    except (ImportError, KeyError):
        return f"gid {gid}"
