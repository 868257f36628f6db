"""A checkpoint and `rulez undo` that are killed at each call that writes: the repository is as before, or whole.

strace kills a process before the call that it is told. What is killed: rulez, git, or git and then rulez.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rulez_py.system.checkpoints import records
from rulez_py.system.checkpoints.give_back import FAILED, give_back
from tests.repositories import Repository
from tests.test_checkpoints import of_git, snapshot

STRACE = shutil.which("strace")


def _can_trace() -> bool:
    if STRACE is None or shutil.which("git") is None:
        return False
    return subprocess.run([STRACE, "-qq", "-o", os.devnull, "true"], capture_output=True).returncode == 0


pytestmark = pytest.mark.skipif(not _can_trace(), reason="strace, which kills at a call, is not there or may not trace")

ROOT = Path(__file__).parents[1]
WRITING = "/^(mkdir|rename|link|symlink|unlink|rmdir|write|pwrite64|fsync|fchmod|chmod|ftruncate)(at|at2)?$"
KEEP = """
import sys, time
from rulez_py.system.checkpoints.keep import keep
from rulez_py.system.effects import ToKeep
from rulez_py.system.git import asking
home, top, git = sys.argv[1:]
asking._PROGRAMS = (git, *asking._PROGRAMS)
wanted = ToKeep(
    files=(top + "/a", top + "/new"), outside=(home + "/outside",), stashes=(top,), commits=((top, "only"),),
    max_mb=10, keep_days=1, agent="a", session="s", project=top, command="c",
)
done = keep(home + "/state", wanted, now=time.time(), until=None)
sys.stdout.write(done.error or done.id)
"""
UNDO = """
import sys
from rulez_py.system.checkpoints import records
from rulez_py.system.checkpoints.give_back import FAILED, give_back
from rulez_py.system.git import asking
home, top, git = sys.argv[1:]
asking._PROGRAMS = (git, *asking._PROGRAMS)
for one in records.read_all(home + "/state"):
    sys.stdout.write(" ".join(back.what for back in give_back(one, home + "/state")))
"""
GIT = """#!/bin/sh
case "$1" in
fast-import|update-ref|update-index|stash)
    {strace} -f -qq -o /dev/null -e 'trace={calls}' -e 'inject={calls}:signal=KILL:when={number}' {git} "$@"
    ended=$?
    if [ $ended -ne 0 ]; then touch {mark}; {then} fi
    exit $ended;;
esac
exec {git} "$@"
"""


def made(home: Path) -> Repository:
    home.mkdir()
    repository = Repository(home, random.Random(0))
    git = repository.git
    git("checkout", "-qb", "only")
    git("commit", "-qm", "x", "--allow-empty")
    git("checkout", "-q", "main")
    repository.write("a")
    git("stash")
    repository.write("a")
    git("add", "a")
    for name in ("a", "new"):
        repository.write(name)
    (home / "outside").write_text("x")
    return repository


def killed(repository: Repository, program: str, who: str, number: int) -> bool:
    """Run a program; tell whether somebody was killed at the `number`th call that writes."""
    home = repository.home
    mark, wrapper, temporary = home / "killed", home / "git", home / "tmp"
    temporary.mkdir(exist_ok=True)
    mark.unlink(missing_ok=True)
    then = "kill -9 $PPID;" if who == "git, then rulez" else ":;"
    real = shutil.which("git")
    wrapper.write_text(
        GIT.format(strace=STRACE, calls=WRITING, number=number, git=real, mark=mark, then=then)
        if who != "rulez"
        else f'#!/bin/sh\nexec {real} "$@"\n'
    )
    wrapper.chmod(0o755)
    words = [sys.executable, "-B", "-S", "-c", program, str(home), str(repository.top), str(wrapper)]
    if who == "rulez":
        inject = f"inject={WRITING}:signal=KILL:when={number}"
        words = [str(STRACE), "-qq", "-o", os.devnull, "-e", f"trace={WRITING}", "-e", inject, *words]
    environ = {"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)}
    ended = subprocess.run(words, env=environ, cwd=home, capture_output=True, text=True, timeout=60)
    return mark.exists() if who != "rulez" else ended.returncode != 0


@pytest.mark.parametrize("who", ["rulez", "git", "git, then rulez"])
def test_a_checkpoint_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, who: str) -> None:
    repository = made(tmp_path / "h")
    state = str(tmp_path / "h/state")
    before, of_git_before = snapshot(repository.top), of_git(repository)
    for number in range(1, 1000):
        was_killed = killed(repository, KEEP, who, number)
        assert (snapshot(repository.top), of_git(repository)) == (before, of_git_before), number
        assert repository.git("fsck", "--strict") is not None
        there = records.read_all(state)
        assert was_killed or len(there) == 1
        for one in there:
            assert FAILED not in {back.what for back in give_back(one, state, dry_run=True)}
            assert records.remove(state, one)
        if not was_killed:
            break
    assert number > 5
    monkeypatch.setenv("TMPDIR", str(repository.home / "tmp"))
    records.sweep(state, time.time() + 2 * 24 * 3600)
    assert not os.listdir(repository.home / "tmp")
    assert not [name for name in os.listdir(records.directory(state)) if name != "swept"]
    assert repository.git("for-each-ref", "refs/rulez") == ""
    assert not list((repository.top / ".git").rglob("*.lock"))


@pytest.mark.parametrize("who", ["rulez", "git, then rulez"])
def test_what_is_given_back_is_whole_and_a_second_time_gives_the_rest(tmp_path: Path, who: str) -> None:
    repository = made(tmp_path / "h")
    state = str(tmp_path / "h/state")
    assert not killed(repository, KEEP, "rulez", 10_000)
    (one,) = records.read_all(state)
    held, before = repository.contents(), snapshot(repository.top)
    for number in range(1, 1000):
        repository.git("reset", "-q", "--hard")
        (repository.top / "new").unlink(missing_ok=True)
        (repository.home / "outside").unlink(missing_ok=True)
        repository.git("stash", "clear")
        repository.git("branch", "-D", "only")
        was_killed = killed(repository, UNDO, who, number)
        for path, there in snapshot(repository.top).items():
            # A file is what it was, or what it is to be, and never a half.
            assert path not in before or there == before[path] or path.endswith("/a"), (number, path)
        # As after any git that was killed, a person removes the lock that it has left.
        for lock in [*(repository.top / ".git").rglob("*.lock")]:
            assert who != "rulez", (number, lock)
            lock.unlink()
        assert FAILED not in {back.what for back in give_back(one, state)}, number
        assert {path: kept for path, kept in snapshot(repository.top).items() if path in before} == before, number
        assert held <= repository.contents(), number
        assert repository.git("fsck", "--strict") is not None
        if not was_killed:
            break
    assert number > 2
