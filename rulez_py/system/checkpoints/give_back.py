"""Give back what a checkpoint holds, and never overwrite what is nowhere else.

A file is put in its place where there is none, or where git has what is there. Otherwise what is there is left, and
what was kept is put beside it, as `NAME.rulez-undo`. The same holds for branches. A person's command; a hook never
loads this.
"""

from __future__ import annotations

import os
import stat

from rulez_py.analysis import Value
from rulez_py.system.checkpoints import records
from rulez_py.system.files import NO_SYMLINK, read_pieces
from rulez_py.system.git import keeping
from rulez_py.system.git.commits import name_of
from rulez_py.system.git.repository import find, head, named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulez_py.system.checkpoints.records import Checkpoint, Commit, File
    from rulez_py.system.git.values import Repository

GIVEN, THERE, BESIDE, FAILED = "given back", "there already", "put beside", "not given back"
"""What becomes of a file, stash or branch."""
ENDING = ".rulez-undo"


class Back(Value):
    """What became of one thing: `name` is its path, or what it is; `detail` is where it is now, or why it is not."""

    name: str
    what: str
    detail: str = ""


def content(checkpoint: Checkpoint, state: str, file: File) -> bytes | None:
    """Return the bytes of a file of a checkpoint; None where they are gone."""
    if not file.top:
        place = os.path.join(records.directory(state), checkpoint.id, file.at)
        try:
            return b"".join(read_pieces(place, file.size + 1, os.O_RDONLY | NO_SYMLINK))
        except OSError:
            return None
    repository = checkpoint.repository(file.top)
    try:
        return None if repository is None else keeping.read(repository, checkpoint.id, file.at, _size(file))
    except OSError:
        return None


def _size(file: File) -> int:
    return file.size if not file.in_index else 1 << 30


def chosen(checkpoint: Checkpoint, paths: Iterable[str]) -> tuple[File, ...]:
    """Return the files at these absolute paths, or below them; all where none is given."""
    wanted = tuple(paths)
    return tuple(
        file
        for file in checkpoint.files
        if not wanted or any(file.path == path or file.path.startswith(f"{path.rstrip('/')}/") for path in wanted)
    )


def give_back(checkpoint: Checkpoint, state: str, paths: Iterable[str] = (), *, dry_run: bool = False) -> list[Back]:
    """Give back the files at these paths, or all that a checkpoint holds; a dry run tells what would come of it."""
    wanted = tuple(paths)
    done: list[Back] = []
    files = chosen(checkpoint, wanted)
    on_disk = {file.path for file in files if not file.in_index}
    # What was staged is told apart from what git has now before anything changes.
    for file in files:
        if not file.in_index:
            done.append(_guarded(file.path, lambda file=file: _file(checkpoint, state, file, dry_run=dry_run)))
    for file in files:
        if file.at.startswith("index/"):
            one = _guarded(
                file.path, lambda file=file: _staged(checkpoint, file, known=file.path in on_disk, dry_run=dry_run)
            )
            done += [one] if one.what != THERE or file.path not in on_disk else []
    for commit in checkpoint.commits if not wanted else ():
        done.append(_guarded(_named(commit), lambda commit=commit: _commit(checkpoint, commit, dry_run=dry_run)))
    return done


def _guarded(name: str, work: object) -> Back:
    try:
        return work()  # type: ignore[operator,no-any-return]
    except (OSError, ValueError) as error:
        return Back(name=name, what=FAILED, detail=str(getattr(error, "strerror", None) or error))


# Files.


def _file(checkpoint: Checkpoint, state: str, file: File, *, dry_run: bool) -> Back:
    data = content(checkpoint, state, file)
    if data is None:
        return Back(name=file.path, what=FAILED, detail="its content is gone")
    try:
        status: os.stat_result | None = os.lstat(file.path)
    except FileNotFoundError:
        status = None
    if status is not None and _is_same(file, data, status):
        return Back(name=file.path, what=THERE)
    parent = os.path.dirname(file.path)
    if not _is_itself(parent):
        return Back(name=file.path, what=FAILED, detail=f"{parent} leads elsewhere now, or is a file")
    if status is None or _git_has(checkpoint, file, status):
        if not dry_run:
            os.makedirs(parent, exist_ok=True)
            _put(file, data, file.path, over=status is not None)
        return Back(name=file.path, what=GIVEN)
    beside = _free(file.path)
    if not dry_run:
        _put(file, data, beside, over=False)
    return Back(name=file.path, what=BESIDE, detail=beside)


def _is_same(file: File, data: bytes, status: os.stat_result) -> bool:
    if stat.S_IFMT(status.st_mode) != stat.S_IFMT(file.mode):
        return False
    if stat.S_ISLNK(status.st_mode):
        return os.fsencode(os.readlink(file.path)) == data
    if stat.S_IMODE(status.st_mode) != stat.S_IMODE(file.mode) or status.st_size != len(data):
        return False
    return b"".join(read_pieces(file.path, len(data) + 1, os.O_RDONLY | NO_SYMLINK)) == data


def _is_itself(directory: str) -> bool:
    """Tell whether a directory, as far as it is there, is reached by no link, and can be made."""
    while not os.path.lexists(directory):
        directory = os.path.dirname(directory)
    return os.path.isdir(directory) and os.path.realpath(directory) == directory


def _git_has(checkpoint: Checkpoint, file: File, status: os.stat_result) -> bool:
    """Tell whether the last commit, or what was staged before, is what is there now: nothing is lost with it then."""
    repository = find(os.path.dirname(file.path)) if file.top else None
    if repository is None or not stat.S_ISREG(status.st_mode):
        return False
    now = keeping.staged(repository, (file.path,))
    if not now or len(now) != 1:
        return False
    there = b"".join(read_pieces(file.path, status.st_size + 1, os.O_RDONLY | NO_SYMLINK))
    mode = "100755" if status.st_mode & 0o100 else "100644"
    # Git itself passes over a file that is marked as unchanged.
    entry = mode, name_of(there, len(now[0].name))
    return entry == (now[0].mode, now[0].name) and entry in (
        _committed(repository, file.path),
        keeping.object_name(repository, f"{keeping.REFERENCES}/{checkpoint.id}:{_in_index(file)}"),
    )


def _in_index(file: File) -> str:
    return f"index/{file.at.partition('/')[2]}"


def _committed(repository: Repository, path: str) -> tuple[str, str] | None:
    last = head(repository)
    inside = os.path.relpath(path, repository.top)
    return keeping.object_name(repository, f"{last[1]}:{inside}") if last is not None and last[1] else None


def _free(path: str) -> str:
    number, place = 1, path + ENDING
    while os.path.lexists(place):
        number += 1
        place = f"{path}{ENDING}-{number}"
    return place


def _put(file: File, data: bytes, place: str, *, over: bool) -> None:
    """Write a file whole, beside its place, and only then put it there. Raises OSError."""
    new = f"{place}.{os.urandom(4).hex()}.rulez-new"
    try:
        if stat.S_ISLNK(file.mode):
            os.symlink(os.fsdecode(data), new)
        else:
            with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_SYMLINK, 0o600), "wb") as written:
                written.write(data)
                written.flush()
                os.fchmod(written.fileno(), stat.S_IMODE(file.mode))
                os.fsync(written.fileno())
        if over:
            os.replace(new, place)
        else:
            os.link(new, place, follow_symlinks=False)  # What came there in the meantime is not replaced.
    finally:
        if os.path.lexists(new):
            os.unlink(new)


# What was staged.


def _staged(checkpoint: Checkpoint, file: File, *, known: bool, dry_run: bool) -> Back:
    name = f"{file.path} (staged)"
    repository = find(os.path.dirname(file.path)) if os.path.isdir(os.path.dirname(file.path)) else None
    if repository is None:
        return Back(name=name, what=FAILED, detail="its work tree is gone")
    kept = keeping.object_name(repository, f"{keeping.REFERENCES}/{checkpoint.id}:{file.at}")
    if kept is None:
        return Back(name=name, what=FAILED, detail="its content is gone")
    now = keeping.staged(repository, (file.path,))
    if now is None:
        return Back(name=name, what=FAILED, detail="what is staged now is unknown")
    if [(one.mode, one.name) for one in now] == [kept]:
        return Back(name=file.path, what=THERE)
    committed = _committed(repository, file.path)
    if now and [(one.mode, one.name) for one in now] != [committed]:
        return Back(name=name, what=FAILED, detail="something else is staged now")
    if kept == committed and known:
        return Back(name=file.path, what=THERE)
    why = "" if dry_run else keeping.restage(repository, file.path, *kept)
    return Back(name=name, what=FAILED if why else GIVEN, detail=why)


# Commits.


def _named(commit: Commit) -> str:
    kind = "stash" if commit.reference == "refs/stash" else commit.reference
    return f"{kind} {commit.name[:12]}"


def _commit(checkpoint: Checkpoint, commit: Commit, *, dry_run: bool) -> Back:
    name = _named(commit)
    repository = checkpoint.repository(commit.top)
    if repository is None:
        return Back(name=name, what=FAILED, detail="its repository is gone")
    if commit.reference == "refs/stash":
        if commit.name in (keeping.all_stashes(repository) or ()):
            return Back(name=name, what=THERE)
        why = "" if dry_run else keeping.add_stash(repository, commit.name, f"rulez undo {checkpoint.id}")
        return Back(name=name, what=FAILED if why else GIVEN, detail=why)
    if commit.reference != "HEAD":
        now = named(repository, commit.reference)
        if now == commit.name:
            return Back(name=name, what=THERE)
        if now == "":
            why = "" if dry_run else keeping.make_reference(repository, commit.reference, commit.name)
            return Back(name=name, what=FAILED if why else GIVEN, detail=why)
    reference = f"refs/heads/rulez-undo/{checkpoint.id}/{commit.reference.rpartition('/')[2].lower()}"
    if named(repository, reference) == commit.name:
        return Back(name=name, what=THERE, detail=reference)
    why = "" if dry_run else keeping.make_reference(repository, reference, commit.name)
    return Back(name=name, what=FAILED if why else BESIDE, detail=why or reference.removeprefix("refs/heads/"))


def lines(checkpoint: Checkpoint, state: str, paths: Iterable[str] = ()) -> Iterator[str]:
    """Yield what giving back would change, as a unified difference from what is there now."""
    import difflib

    for file in chosen(checkpoint, paths):
        if file.in_index:
            continue
        kept = content(checkpoint, state, file)
        try:
            there = b"".join(read_pieces(file.path, 1 << 26, os.O_RDONLY | NO_SYMLINK))
        except OSError:
            there = b""
        if kept is None or kept == there:
            continue
        if b"\0" in kept or b"\0" in there:
            yield f"{file.path}: {len(there)} bytes now, {len(kept)} bytes kept"
            continue
        old, new = (data.decode("utf-8", "replace").splitlines() for data in (there, kept))
        yield from difflib.unified_diff(old, new, file.path, f"{file.path} ({checkpoint.id})", lineterm="")
