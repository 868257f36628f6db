"""Agent files on the disk: what stands there already, and writing without losing what somebody wrote by hand.

A file in which a comment can stand says in one line that rulez wrote it, from what, and the checksum of its other
lines. So an edited file is known by itself: on every machine, and without a list kept anywhere.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import re
import tempfile
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from rulez_py.agents.errors import AgentError
from rulez_py.agents.written import State
from rulez_py.agents.yamltext import without_dashes
from rulez_py.platforms.agent_files import LARGEST_FILE
from rulez_py.system.files import NO_SYMLINK, read_pieces

_MARK = re.compile(
    rb"^# Written by `rulez agents write` from ([^\r\n]*); sha256 ([0-9a-f]{16}): edit that file, not this one\.\r?\n",
    re.M,
)


_NAME = re.compile(rb"^name:[ \t]*[\"']?([^\"'\r\n]*?)[\"']?[ \t]*\r?$", re.M)


NO_FILE = "<Python>"
"""The source of what was not made out of a file."""


@dataclass(frozen=True)
class Target:
    """A file to be written. `path` is where, `shown` its name for people, `text` the whole of it."""

    path: str
    shown: str
    text: str


class CannotWrite(AgentError):
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
    untouched = found is not None and found[2].decode() == _digest(content[: found.start()] + content[found.end() :])
    return State.Ours if untouched else State.Edited


def difference(target: Target) -> Iterator[str]:
    """What would change there, line by line. Raises CannotWrite."""
    before = (_content(target) or b"").decode("utf-8", "replace").splitlines()
    yield from difflib.unified_diff(
        before, target.text.splitlines(), target.shown, "as it would be written", lineterm=""
    )


def write(targets: Sequence[Target]) -> list[str]:
    """Write files, each of them whole; none where one cannot be written.

    What somebody edited is kept: returns its new name for each, "" where nobody did. Raises CannotWrite.
    """
    staged: list[str] = []
    kept = []
    try:
        for target in targets:
            staged.append(_staged(target))
        for target, temporary in zip(targets, staged, strict=True):
            kept.append(_kept_as(target.path) if state(target) is State.Edited else "")
            if kept[-1]:
                os.replace(target.path, kept[-1])
            os.replace(temporary, target.path)
    except OSError as error:
        raise CannotWrite(f"{target.shown}: {error.strerror or error}") from error
    finally:
        for temporary in staged:
            if os.path.exists(temporary):
                os.unlink(temporary)
    return kept


def _staged(target: Target) -> str:
    """The file under another name beside its place."""
    directory = os.path.dirname(target.path)
    os.makedirs(directory, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(prefix=".rulez-", suffix=".tmp", dir=directory)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(target.text.encode())
        os.chmod(temporary, 0o666 & ~_umask())
    except BaseException:
        os.unlink(temporary)
        raise
    return temporary


def left_over(targets: Sequence[Target], directory: str, sources: Collection[str]) -> Iterator[tuple[str, str]]:
    """(path, definition) of files that rulez wrote beside the targets and that no definition stands for any more.

    That is gone, or is one of the `sources` that the targets come from and writes another file now. Both are named by
    their paths from the project's `directory`.
    """
    written = {os.path.realpath(target.path) for target in targets}
    for place, ending in dict.fromkeys(_place(target) for target in targets):
        for name in sorted(os.listdir(place)) if os.path.isdir(place) else ():
            path = os.path.join(place, name)
            ours = name.endswith(ending) and os.path.realpath(path) not in written
            source = _source_of(path) if ours else None
            if source and (source in sources or not os.path.lexists(os.path.join(directory, source))):
                yield path, source


def names_in(directory: str) -> Iterator[tuple[str, str]]:
    """(path, name) of the agent files in a directory that say their name."""
    for file in sorted(os.listdir(directory)) if os.path.isdir(directory) else ():
        path = os.path.join(directory, file)
        found = _NAME.search(_head(path).partition(b"\n---")[0]) if file.endswith(".md") else None
        if found:
            yield path, found[1].decode("utf-8", "replace")


def _head(path: str) -> bytes:
    """The beginning of a file; nothing where it cannot be read."""
    try:
        return b"".join(read_pieces(path, 4096, os.O_RDONLY | NO_SYMLINK))
    except OSError:
        return b""


def _source_of(path: str) -> str | None:
    """What a file says that it was written from."""
    found = _MARK.search(_head(path))
    source = found[1].decode("utf-8", "replace").replace(without_dashes("--")[:-1], "-") if found else "?"
    return None if "?" in source or source == NO_FILE else source


def _place(target: Target) -> tuple[str, str]:
    """Its directory, and how the names of its kind end there."""
    directory, name = os.path.split(target.path)
    return directory, name[name.index(".") :]


def _content(target: Target) -> bytes | None:
    """The file that is there, None where none is."""
    try:
        content = b"".join(read_pieces(target.path, LARGEST_FILE + 1, os.O_RDONLY | NO_SYMLINK))
    except FileNotFoundError:
        return None
    except OSError as error:
        if os.path.islink(target.path):
            raise CannotWrite(f"{target.shown} is a symbolic link; put a file in its place, or remove it") from error
        raise CannotWrite(f"{target.shown}: {error.strerror or error}") from error
    if len(content) > LARGEST_FILE:
        raise CannotWrite(f"{target.shown} has more than {LARGEST_FILE:,} bytes, and is none of ours")
    return content


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
