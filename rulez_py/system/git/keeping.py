"""Keep contents of a work tree, and commits, under a reference of rulez' own; and read them again.

INVARIANT: nothing of a repository runs (`asking.Apart`), and nothing of its HEAD, branches, index, stashes, logs or
work tree changes: there is one reference more, `refs/rulez/checkpoints/ID`. It leads to a commit whose tree has the
files of the work tree below `worktree`, those of the index below `index`, and whose parents are the commits to keep.
"""

from __future__ import annotations

import os
import stat

from rulez_py.analysis import Value
from rulez_py.system.git.asking import OUTPUT_LIMIT, Apart, ask
from rulez_py.system.git.repository import head, in_tables, is_own, named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulez_py.system.git.values import Repository

REFERENCES = "refs/rulez/checkpoints"
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
_AT_ONCE = 200
"""Paths in one question."""
_FEW, _LARGE_INDEX = 20, 50_000_000


class Content(Value):
    """What to keep of a file: its place in the tree of the checkpoint, git's mode, and its bytes or its object."""

    at: str
    mode: str
    data: bytes = b""
    name: str = ""


def why_not(repository: Repository) -> str:
    """Return why nothing can be kept in a repository; "" where it can."""
    if not is_own(repository):
        return f"{repository.top} belongs to another user"
    if in_tables(repository):
        return f"{repository.top} keeps its references in a table"
    if head(repository) is None:
        return f"where {repository.top} is now is unknown"
    # A repository from elsewhere may have links in these places.
    place = repository.common
    for name in ("", "objects", "refs", "refs/rulez", REFERENCES):
        path = os.path.join(place, *name.split("/")) if name else place
        if os.path.lexists(path) and not stat.S_ISDIR(os.lstat(path).st_mode):
            return f"{path} is no directory"
    return ""


def staged(repository: Repository, paths: Sequence[str]) -> tuple[Content, ...] | None:
    """Return what the index has of these absolute paths; None where that is unknown."""
    names = [repository.name_of(path) for path in paths]
    found: list[Content] = []
    with _apart(repository) as apart:
        for told, path in _entries(apart, repository, names):
            if told is None:
                return None
            mode, name, stage = told.split(" ")
            if mode == "160000":
                continue  # The commit of a submodule has no content here.
            at = f"index/{path}" if stage == "0" else f"index-{stage}/{path}"
            found.append(Content(at=at, mode=mode, name=name))
    return tuple(found)


def _entries(apart: Apart, repository: Repository, names: Sequence[str]) -> Iterator[tuple[str | None, str]]:
    """Yield what the index says of these names and of what is below them, with the path; None for the unknown."""
    words = ("ls-files", "--stage", "-z")
    size = os.path.getsize(repository.index) if os.path.exists(repository.index) else 0
    if len(names) > _FEW and size < _LARGE_INDEX:
        # git compares each name with each entry: with many it is quicker to have all entries.
        printed = apart.ask(words, cwd=repository.top, limit=OUTPUT_LIMIT + 2 * size)
        yield from _told(printed, frozenset(names))
        return
    for start in range(0, len(names), _AT_ONCE):
        yield from _told(apart.ask((*words, "--", *names[start : start + _AT_ONCE]), cwd=repository.top), None)


def _told(printed: bytes | None, names: frozenset[str] | None) -> Iterator[tuple[str | None, str]]:
    """Yield what git says of each path; with `names` only of those, and of what is below them."""
    if printed is None:
        yield None, ""
        return
    entries = os.fsdecode(printed).split("\0")
    start = entries[0].find("\t") + 1  # The same in all: a mode, an object's name and a digit stand before it.
    if names is not None:
        themselves = [one for one in entries if one[start:] in names]
        directories = tuple(f"{name}/" for name in names.difference(one[start:] for one in themselves))
        below = [one for one in entries if one.startswith(directories, start)] if directories else []
        entries = themselves + below
    yield from ((one[: start - 1], one[start:]) for one in entries if one)


def all_stashes(repository: Repository) -> tuple[str, ...] | None:
    """Return the commits of the stashes, the newest first; None where that is unknown."""
    printed = ask(repository.git_dir, ("rev-list", "--walk-reflogs", "refs/stash", "--"))
    return None if printed is None else tuple(printed.decode("ascii").split())


def commit_of(repository: Repository, name: str) -> tuple[tuple[str, str], ...]:
    """Return the references that a short name may mean, each with its commit."""
    whole = ("HEAD",) if name == "HEAD" else (f"refs/heads/{name}", f"refs/tags/{name}", f"refs/remotes/{name}")
    if name.startswith("refs/"):
        whole = (name,)
    found = []
    for one in whole:
        printed = ask(repository.git_dir, ("rev-parse", "--verify", "--quiet", f"{one}^{{commit}}"))
        if printed is not None and printed.strip():
            found.append((one, printed.decode("ascii").strip()))
    return tuple(found)


def save(
    repository: Repository,
    identity: str,
    contents: Iterable[Content],
    commits: Iterable[str],
    *,
    now: float,
    seconds: float,
) -> str:
    """Keep contents and commits under a new reference; return why that is not possible, "" where it is done.

    Raises OSError.
    """
    reference = _reference(identity)
    stream = bytearray(b"feature done\n")
    stream += f"commit {reference}\ncommitter rulez <rulez@localhost> {int(now)} +0000\n".encode()
    stream += b"data 10\ncheckpoint\n"
    for number, commit in enumerate(dict.fromkeys(commits)):
        stream += f"{'merge' if number else 'from'} {commit}\n".encode()
    stream += b"deleteall\n"
    for one in contents:
        stream += b"M %s %s %s\n" % (one.mode.encode(), (one.name or "inline").encode(), _quoted(one.at))
        if not one.name:
            stream += b"data %d\n" % len(one.data)
            stream += one.data
            stream += b"\n"
    stream += b"done\n"
    with _apart(repository, references=True) as apart:
        wrong = apart.tell(("fast-import", "--quiet", "--date-format=raw"), stream, seconds=seconds)
    if wrong:
        return wrong
    # The repository itself has to have it, so that git's collection of garbage leaves it alone.
    return "" if named(repository, reference) else f"git does not find {reference}"


def read(repository: Repository, identity: str, at: str, size: int) -> bytes | None:
    """Return what a checkpoint has at a place of its tree, which was `size` long; None where it is not there."""
    words = ("cat-file", "blob", f"{_reference(identity)}:{at}")
    with _apart(repository, references=True) as apart:
        return apart.ask(words, cwd=repository.common, seconds=60, limit=size + (1 << 20))


def forget(repository: Repository, identity: str) -> str:
    """Delete the reference of a checkpoint; return why that is not possible. Raises OSError.

    Its file is deleted here, and the lock that a killed git has left: the name is the checkpoint's alone. git
    would lock all references for that, and leave them locked where it is killed.
    """
    path = os.path.join(repository.common, *_reference(identity).split("/"))
    for place in (f"{path}.lock", path):
        if os.path.lexists(place):
            os.unlink(place)
    if named(repository, _reference(identity)) == "":
        return ""
    with _apart(repository, references=True) as apart:
        return apart.tell(("update-ref", "-d", _reference(identity)), b"", seconds=10)


def make_reference(repository: Repository, reference: str, commit: str) -> str:
    """Make a reference that is not there yet; return why that is not possible. Raises OSError."""
    with _apart(repository, references=True) as apart:
        return apart.tell(("update-ref", reference, commit, "0" * len(commit)), b"", seconds=10)


def add_stash(repository: Repository, commit: str, message: str) -> str:
    """Put a stash on top of those there are; return why that is not possible. Raises OSError."""
    with _apart(repository, references=True) as apart:
        return apart.tell(("stash", "store", "--message", message, commit), b"", seconds=10)


def restage(repository: Repository, path: str, mode: str, name: str) -> str:
    """Give the index this content for an absolute path; return why that is not possible. Raises OSError."""
    line = b"%s %s 0\t%s\0" % (mode.encode(), name.encode(), os.fsencode(repository.name_of(path)))
    with _apart(repository) as apart:
        return apart.tell(("update-index", "-z", "--index-info"), line, seconds=10)


def object_name(repository: Repository, revision: str) -> tuple[str, str] | None:
    """Return the mode and object of `COMMIT:PATH`; None where there is none."""
    commit, _, path = revision.partition(":")
    with _apart(repository, references=True) as apart:
        printed = apart.ask(("ls-tree", "-z", "--full-tree", commit, "--", path), cwd=repository.common)
    told, _, _path = os.fsdecode(printed or b"").partition("\t")
    fields = told.split(" ")
    return (fields[0], fields[2]) if len(fields) == 3 else None


def _reference(identity: str) -> str:
    if not identity or not _SAFE.issuperset(identity):
        raise OSError(f"{identity!r} is no name of a checkpoint")
    return f"{REFERENCES}/{identity}"


def _quoted(path: str) -> bytes:
    data = os.fsencode(path)
    return b'"' + data.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n") + b'"'


def _apart(repository: Repository, *, references: bool = False) -> Apart:
    known = head(repository)
    return Apart(repository, "" if known is None else known[1], references=references)
