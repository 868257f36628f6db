"""Files that rulez writes for agents, on the disk: read what is there, and write without losing any of it."""

from __future__ import annotations

import difflib
import os
import re
import stat
import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence

from rulez_py.definitions.output.errors import AgentError
from rulez_py.definitions.output.marks import source_of
from rulez_py.definitions.output.targets import Target
from rulez_py.definitions.output.written import State
from rulez_py.platforms.agent_files import LARGEST_FILE
from rulez_py.system.files import NO_SYMLINK, read_pieces

_WRITTEN_BY_PEOPLE = (State.Edited, State.Imported)
_NAME = re.compile(rb"^name:[ \t]*[\"']?([^\"'\r\n]*?)[\"']?[ \t]*\r?$", re.M)


class CannotWrite(AgentError):
    """A file was not written; the message says which and why."""


def check_ways(root: str, paths: Iterable[str]) -> None:
    """Refuse links among the directories between a project's root and these files; those outside of it are not asked.

    A repository can ship a link: its target may be another file, such as a person's own policy.
    Raises CannotWrite.
    """
    for directory in dict.fromkeys(place for path in paths for place in _between(root, path)):
        if os.path.islink(directory) or _is_junction(directory):
            shown = os.path.normpath(directory)
            raise CannotWrite(f"{shown} is a symbolic link; put a directory in its place, or remove it")


def _between(root: str, path: str) -> Iterator[str]:
    """Yield the directories below a root on the way to a file."""
    try:
        names = os.path.relpath(path, root).split(os.sep)[:-1]
    except ValueError:  # on another drive
        return
    for number in range(1, len(names) + 1) if names[:1] != [os.pardir] else ():
        yield os.path.join(root, *names[:number])


def _is_junction(directory: str) -> bool:
    """Tell whether it is one of Windows' own links."""
    asked = getattr(os.path, "isjunction", None)  # from Python 3.12 on
    return asked is not None and asked(directory)


def state(target: Target) -> State:
    """Return the state of the file. Raises CannotWrite where it is unknown."""
    return target.state(_content(target))


def difference(target: Target) -> Iterator[str]:
    """Yield what would change there, line by line. Raises CannotWrite."""
    before = _content(target)
    there, wanted = (text.decode("utf-8", "replace").splitlines() for text in (before or b"", target.wanted(before)))
    yield from difflib.unified_diff(there, wanted, target.shown, "as it would be written", lineterm="")


def write(targets: Sequence[Target]) -> list[str]:
    """Write files, each of them whole; none where one cannot be written.

    A file that people wrote or edited is kept: return its new name for each, "" for others. Raises CannotWrite.
    """
    staged: list[str] = []
    kept = []
    try:
        contents = [target.wanted(_content(target)) for target in targets]
        for target, content in zip(targets, contents, strict=True):
            staged.append(_staged(target, content))
        for target, temporary in zip(targets, staged, strict=True):
            kept.append(_kept_as(target.path) if state(target) in _WRITTEN_BY_PEOPLE else "")
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


def _staged(target: Target, content: bytes) -> str:
    """Return the file under another name beside its place; one that was there keeps its mode."""
    directory = os.path.dirname(target.path)
    os.makedirs(directory, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(prefix=".rulez-", suffix=".tmp", dir=directory)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        os.chmod(temporary, _mode(target))
    except BaseException:
        os.unlink(temporary)
        raise
    return temporary


def left_over(targets: Sequence[Target], directory: str, sources: Collection[str]) -> Iterator[tuple[str, str]]:
    """Return (path, definition) of files that rulez wrote beside the targets and that have no definition any more.

    That is gone, or is one of the `sources` that the targets come from and writes another file now. Both are named by
    their paths from the project's `directory`.
    """
    written = {os.path.realpath(target.path) for target in targets}
    for place, ending in dict.fromkeys(_place(target) for target in targets):
        for name in sorted(os.listdir(place)) if os.path.isdir(place) else ():
            path = os.path.join(place, name)
            ours = name.endswith(ending) and os.path.realpath(path) not in written
            source = source_of(_head(path)) if ours else None
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
    """Return the beginning of a file; nothing where it cannot be read."""
    try:
        return b"".join(read_pieces(path, 4096, os.O_RDONLY | NO_SYMLINK))
    except OSError:
        return b""


def _place(target: Target) -> tuple[str, str]:
    """Return its directory, and how the names of its kind end there."""
    directory, name = os.path.split(target.path)
    return directory, name[name.index(".") :]


def _content(target: Target) -> bytes | None:
    """Return the file that is there, None where none is."""
    try:
        content = b"".join(read_pieces(target.path, LARGEST_FILE + 1, os.O_RDONLY | NO_SYMLINK))
    except FileNotFoundError:
        return None
    except OSError as error:
        if os.path.islink(target.path):
            raise CannotWrite(f"{target.shown} is a symbolic link; put a file in its place, or remove it") from error
        raise CannotWrite(f"{target.shown}: {error.strerror or error}") from error
    if len(content) > LARGEST_FILE:
        raise CannotWrite(f"{target.shown} has more than {LARGEST_FILE:,} bytes, and rulez did not write it")
    return content


def _kept_as(path: str) -> str:
    """Return a free name beside the file. No agent loads files of its ending."""
    for number in range(1, 1000):
        name = f"{path}.bak" if number == 1 else f"{path}.bak{number}"
        if not os.path.lexists(name):
            return name
    raise OSError(f"there are {number} copies already")


def _mode(target: Target) -> int:
    """That of the file that is there; what it is, it must be able to do."""
    able = 0o777 if target.executable else 0o666
    try:
        there = stat.S_IMODE(os.lstat(target.path).st_mode)
    except OSError:
        return able & ~_umask()
    return there | (able & ~_umask() if target.executable else 0)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
