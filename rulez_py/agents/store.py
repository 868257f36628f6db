"""Agent files on the disk: what stands there already, and writing without losing what somebody wrote by hand.

A file in which a comment can stand says in one line that rulez wrote it, from what, and the checksum of its other
lines. So an edited file is known by itself: on every machine, and without a list kept anywhere.
"""

from __future__ import annotations

import difflib
import enum
import hashlib
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass

from rulez_py.agents.yamltext import without_dashes
from rulez_py.files import NO_SYMLINK, read_pieces

LARGEST_FILE = 10_000_000
_MARK = re.compile(
    rb"^# Written by `rulez agents write` from [^\n]*; sha256 ([0-9a-f]{16}): edit that file, not this one\.\r?\n", re.M
)


class State(enum.Enum):
    """What stands where a file is to be written."""

    Missing = "missing"
    Same = "unchanged"
    Ours = "differs"
    """What rulez wrote, from another definition or in another version."""
    Edited = "edited by hand"


@dataclass(frozen=True)
class Target:
    """A file to be written. `path` is where, `shown` its name for people, `text` the whole of it."""

    path: str
    shown: str
    text: str


class CannotWrite(Exception):
    """A file was not written; the message says which and why."""


def mark(text: str, source: str, *, after_first_line: bool) -> str:
    """The text with the line that says who wrote it; `source` is the definition's name for people."""
    digest = _digest(text.encode())
    source = without_dashes("".join(c if c.isprintable() else "?" for c in source))
    line = f"# Written by `rulez agents write` from {source}; sha256 {digest}: edit that file, not this one.\n"
    if not after_first_line:
        return line + text
    first, end, rest = text.partition("\n")
    return first + end + line + rest


def _digest(content: bytes) -> str:
    """Line ends do not count: git may write others."""
    return hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()[:16]


def state(target: Target) -> State:
    """What stands there. Raises CannotWrite where nobody can say."""
    content = _content(target)
    if content is None:
        return State.Missing
    if content.replace(b"\r\n", b"\n") == target.text.encode():
        return State.Same
    found = _MARK.search(content)
    untouched = found is not None and found[1].decode() == _digest(content[: found.start()] + content[found.end() :])
    return State.Ours if untouched else State.Edited


def difference(target: Target) -> Iterator[str]:
    """What would change there, line by line. Raises CannotWrite."""
    before = (_content(target) or b"").decode("utf-8", "replace").splitlines()
    yield from difflib.unified_diff(
        before, target.text.splitlines(), target.shown, "as it would be written", lineterm=""
    )


def write(target: Target) -> str:
    """Write the file, all of it or nothing. What somebody edited is kept: returns its new name, "" where nobody did.

    Raises CannotWrite.
    """
    kept = ""
    directory = os.path.dirname(target.path)
    try:
        if state(target) is State.Edited:
            kept = _kept_as(target.path)
            os.replace(target.path, kept)
        os.makedirs(directory, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(prefix=".rulez-", suffix=".tmp", dir=directory)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(target.text.encode())
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, target.path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise CannotWrite(f"{target.shown}: {error.strerror or error}") from error
    return kept


def _content(target: Target) -> bytes | None:
    """The file that is there, None where none is."""
    try:
        return b"".join(read_pieces(target.path, LARGEST_FILE, os.O_RDONLY | NO_SYMLINK))
    except FileNotFoundError:
        return None
    except OSError as error:
        if os.path.islink(target.path):
            raise CannotWrite(f"{target.shown} is a symbolic link; put a file in its place, or remove it") from error
        raise CannotWrite(f"{target.shown}: {error.strerror or error}") from error


def _kept_as(path: str) -> str:
    """A free name beside the file. Its ending is none that an agent loads."""
    for number in range(1, 1000):
        name = f"{path}.bak" if number == 1 else f"{path}.bak{number}"
        if not os.path.lexists(name):
            return name
    raise OSError(f"there are {number} copies already")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
