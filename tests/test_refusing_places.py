"""Checkpoints where a place refuses: a full disk, a repository that cannot be written, locks of another git."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rulez_py.system.checkpoints import records
from rulez_py.system.checkpoints.give_back import BESIDE, FAILED, GIVEN, THERE
from tests.repositories import Repository
from tests.test_checkpoints import keep, of_git, snapshot, state_of, undo

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

ROOT = Path(__file__).parents[1]
NOT_ROOT = 65534


def changed(repository: Repository) -> Repository:
    """Give it a file with changes, staged and not, and one that git does not have."""
    repository.write("a")
    repository.git("add", "a")
    for name in ("a", "new"):
        repository.write(name)
    return repository


# A full disk.

FULL = """
import os, random, sys
from pathlib import Path
from rulez_py.system.checkpoints import records
from tests.repositories import Repository
from tests.test_checkpoints import keep, of_git, snapshot, state_of, undo
home, left = Path(sys.argv[1]), int(sys.argv[2])
repository = Repository(home, random.Random(0))
(repository.top / "new").write_bytes(os.urandom(100_000))
line = "rm new a"
(repository.top / "a").write_bytes(os.urandom(100_000))
before, of_it = snapshot(repository.top), of_git(repository)
space = os.statvfs(home)
filler = home / "filler"
filler.write_bytes(bytes(max(0, space.f_bavail * space.f_frsize - left)))
said, why = keep(repository, line)
assert why and not said, said
assert (snapshot(repository.top), of_git(repository)) == (before, of_it)
assert not records.read_all(state_of(home))
filler.unlink()
assert repository.git("fsck", "--strict") is not None
assert repository.git("for-each-ref", "refs/rulez") == ""
said, why = keep(repository, line)
assert said, why
(repository.top / "new").unlink()
undo(repository)
assert snapshot(repository.top) == before
print("done")
"""


def _may_mount() -> bool:
    if shutil.which("unshare") is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    words = ["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", tempfile.gettempdir()]
    return subprocess.run(words, capture_output=True).returncode == 0


@pytest.mark.skipif(not _may_mount(), reason="no file system may be mounted")
@pytest.mark.parametrize("left", [0, 4096, 16_384, 65_536, 110_000, 150_000])
def test_a_disk_that_is_full_leaves_all_as_it_was(tmp_path: Path, left: int) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    script = 'mount -t tmpfs -o size=3m tmpfs "$1" && exec "$2" -B -c "$3" "$1" "$4"'
    words = ["unshare", "-m", "sh", "-c", script, "sh", str(disk), sys.executable, FULL, str(left)]
    environ = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path), "HOME": str(tmp_path)}
    ended = subprocess.run(words, env=environ, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert ended.stdout.strip() == "done", ended.stderr[-2000:]


# A repository that cannot be written, or is another's.


@pytest.fixture
def shared(request: pytest.FixtureRequest) -> Iterator[Path]:
    """A directory that every user can reach."""
    place = Path(tempfile.mkdtemp(prefix="rulez-test-"))
    place.chmod(0o755)
    yield place
    shutil.rmtree(place)


def _as_another(work: object) -> int:
    """Do something as a user without rights; return the exit code."""
    child = os.fork()
    if child == 0:
        code = 99
        try:
            os.setgid(NOT_ROOT)
            os.setuid(NOT_ROOT)
            code = int(not work())  # type: ignore[operator]
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="this user cannot become another")
@pytest.mark.parametrize("place", ["read-only", "another's"])
def test_what_cannot_be_written_is_told(shared: Path, place: str) -> None:
    repository = changed(Repository(shared, random.Random(0)))
    if place == "read-only":
        for path in [shared, *shared.rglob("*")]:
            os.chown(path, NOT_ROOT, NOT_ROOT, follow_symlinks=False)
        for path in [*(repository.top / ".git").rglob("*"), repository.top / ".git"]:
            path.chmod(0o500 if path.is_dir() else 0o400)
    shared.chmod(0o777)
    before, of_it = snapshot(repository.top), of_git(repository)
    word = "git cannot keep it" if place == "read-only" else "another user"

    def refused() -> bool:
        said, why = keep(repository, "rm a new")
        return not said and word in why and not records.read_all(state_of(repository.home))

    assert _as_another(refused) == 0
    assert (snapshot(repository.top), of_git(repository)) == (before, of_it)


# Another git that holds a lock.

LOCKS = {
    # a lock: what becomes of the file, of what was staged, and of the branch, while it is there
    "index.lock": {"a": GIVEN, "a (staged)": FAILED, "branch": GIVEN},
    "HEAD.lock": {"a": GIVEN, "a (staged)": GIVEN, "branch": GIVEN},
    "config.lock": {"a": GIVEN, "a (staged)": GIVEN, "branch": GIVEN},
    "packed-refs.lock": {"a": GIVEN, "a (staged)": GIVEN, "branch": GIVEN},
    "refs/heads/main.lock": {"a": GIVEN, "a (staged)": GIVEN, "branch": GIVEN},
    "refs/heads/only.lock": {"a": GIVEN, "a (staged)": GIVEN, "branch": FAILED},
}


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_is_left_and_what_waits_for_it_is_told(tmp_path: Path, name: str) -> None:
    repository = Repository(tmp_path, random.Random(0))
    git = repository.git
    git("checkout", "-qb", "only")
    git("commit", "-qm", "x", "--allow-empty")
    git("checkout", "-q", "main")
    changed(repository)
    before = snapshot(repository.top)
    lock = repository.top / ".git" / name
    lock.write_text("another git's")
    said, why = keep(repository, "git reset --hard")
    assert said, why
    lock.unlink()
    git("reset", "--hard")
    assert keep(repository, "git branch -D only")[0]
    both = records.read_all(state_of(tmp_path))
    git("branch", "-D", "only")
    lock.write_text("another git's")
    found = {"branch": next(iter(undo(repository).values())).what}
    records.remove(state_of(tmp_path), both[1])
    found.update({name: one.what for name, one in undo(repository).items()})
    assert found.get("a") == LOCKS[name]["a"]
    assert found["branch"] == LOCKS[name]["branch"]
    assert found.get("a (staged)", GIVEN) == LOCKS[name]["a (staged)"]
    assert lock.read_text() == "another git's"
    lock.unlink()
    assert {one.what for one in undo(repository).values()} <= {GIVEN, THERE, BESIDE}
    assert {path: one for path, one in snapshot(repository.top).items() if path in before} == before
