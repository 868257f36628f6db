"""Find the repository that a directory belongs to, and read from its files what they say by themselves."""

from __future__ import annotations

import os

from rulez_py.system.files import read_pieces
from rulez_py.system.git.values import Repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST = 4096
_LONGEST_LIST = 4_000_000
"""Bytes that are read of a file with one line, and of `packed-refs`."""


def find(directory: str) -> Repository | None:
    """Return the repository that has this directory, a real path, in its work tree; None where there is none.

    One that cannot be read, or is not whole, is returned too: what it holds is unknown.
    """
    place = directory
    while True:
        marker = os.path.join(place, ".git")
        if os.path.lexists(marker):
            return at(place, marker) or Repository(top=place, git_dir=marker, common=marker)
        above = os.path.dirname(place)
        if above == place:
            return None
        place = above


def is_own(repository: Repository) -> bool:
    """Tell whether every part of a repository belongs to the user of this process."""
    if os.name == "nt":
        return True
    try:
        places = (repository.top, os.path.join(repository.top, ".git"), repository.git_dir, repository.common)
        return all(os.lstat(place).st_uid == os.geteuid() for place in places)
    except OSError:
        return False


def at(top: str, marker: str) -> Repository | None:
    """Return the repository of a work tree by its directory, or the file that names it; None where it is not whole."""
    git_dir = marker
    if not os.path.isdir(marker):
        word, _, written = (first_line(marker) or "").partition(" ")
        if word != "gitdir:":
            return None
        git_dir = os.path.normpath(os.path.join(top, written))
    shared = first_line(os.path.join(git_dir, "commondir"))
    common = os.path.normpath(os.path.join(git_dir, shared)) if shared else git_dir
    is_one = os.path.lexists(os.path.join(git_dir, "HEAD")) and os.path.isdir(os.path.join(common, "objects"))
    return Repository(top=top, git_dir=git_dir, common=common) if is_one else None


def in_tables(repository: Repository) -> bool:
    """Tell whether a repository keeps its references in a table (`reftable`), and not in files."""
    return os.path.isdir(os.path.join(repository.common, "reftable"))


def head(repository: Repository) -> tuple[str, str] | None:
    """Return the branch ("" of a detached HEAD) and its commit ("" before the first); None where that is unknown."""
    place = os.path.join(repository.git_dir, "HEAD")
    line = f"ref: {os.readlink(place)}" if os.path.islink(place) else first_line(place)
    if line is None or not os.path.isdir(os.path.join(repository.common, "objects")):
        return None
    word, _, name = line.partition(" ")
    if word != "ref:":
        return ("", line) if _is_name(line) else None
    name = name.strip()
    if name == "refs/heads/.invalid":
        return _asked(repository)
    commit = named(repository, name)
    return None if commit is None else (name.removeprefix("refs/heads/"), commit)


def _asked(repository: Repository) -> tuple[str, str] | None:
    """Return the same where the repository keeps its references in a table (`reftable`)."""
    from rulez_py.system.git.asking import ask

    name = ask(repository.git_dir, ("symbolic-ref", "--quiet", "HEAD"))
    commit = ask(repository.git_dir, ("rev-parse", "--verify", "--quiet", "HEAD"))
    if commit is None:
        return None if name is None else (_text(name).removeprefix("refs/heads/"), "")
    return _text(name or b"").removeprefix("refs/heads/"), _text(commit)


def remotes(repository: Repository) -> tuple[str, ...]:
    """Return the names of the remotes that references of the files are of."""
    prefix = "refs/remotes/"
    try:
        found = sorted(os.listdir(os.path.join(repository.common, *prefix.rstrip("/").split("/"))))
    except OSError:
        found = []
    packed = (line.partition(" ")[2] for line in _packed(repository) if f" {prefix}" in line)
    return tuple(dict.fromkeys((*found, *(name.split("/")[2] for name in packed))))


def named(repository: Repository, name: str) -> str | None:
    """Return the commit of a reference as the files have it, "" where there is none; None where that is unknown."""
    for directory in dict.fromkeys((repository.git_dir, repository.common)):
        line = first_line(os.path.join(directory, *name.split("/")))
        if line is not None:
            return line if _is_name(line) else None
    suffix = f" {name}"
    for line in _packed(repository):
        if line.endswith(suffix):
            return line.partition(" ")[0]
    return ""


def _packed(repository: Repository) -> Iterator[str]:
    try:
        data = b"".join(read_pieces(os.path.join(repository.common, "packed-refs"), _LONGEST_LIST))
    except OSError:
        return
    yield from data.decode("utf-8", "surrogateescape").splitlines()


def _is_name(text: str) -> bool:
    return len(text) in (40, 64) and all(character in "0123456789abcdef" for character in text)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape").strip()


def first_line(path: str) -> str | None:
    """Return the first line of a file; None where it has none."""
    try:
        data = b"".join(read_pieces(path, _LONGEST))
    except OSError:
        return None
    return os.fsdecode(data).partition("\n")[0].strip() or None
