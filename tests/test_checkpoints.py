"""Checkpoints: what is kept before a call, and given back after it."""

from __future__ import annotations

import errno
import os
import random
import shlex
import shutil
import stat
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rulez_py.policy.facts.facts import Facts, Surroundings
from rulez_py.policy.facts.losses import KINDS
from rulez_py.policy.format.case_repository import Untold
from rulez_py.policy.judging.keeping import in_words, kept
from rulez_py.system.checkpoints import records
from rulez_py.system.checkpoints.give_back import BESIDE, FAILED, GIVEN, THERE, Back, give_back
from rulez_py.system.checkpoints.records import Checkpoint
from rulez_py.system.effects import Kept
from rulez_py.system.git import asking, keeping
from rulez_py.system.places import places
from rulez_py.system.scripts import World
from rulez_py.verdict import ASK, DENY, NO_OPINION
from tests.policy.judging.test_decide import AROUND, bash, judged
from tests.policy.judging.test_decide import World as PureWorld
from tests.policy.judging.test_decide import rule as compiled_rule
from tests.repositories import Repository
from tests.test_losses import HOSTILE, lost

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulez_py.policy.model.rule import Rule

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

SEEDS = 50


def state_of(home: Path) -> str:
    return places({"HOME": str(home)}).state


def rule(**bounds: float) -> Rule:
    actions = {"checkpoint": True, "checkpoints": bounds}
    made: Rule = {"name": "r", "trusted": True, "match": {"loses": dict.fromkeys(KINDS, "match")}, "actions": actions}  # type: ignore[typeddict-item]
    return made


def keep(repository: Repository, line: str, **bounds: float) -> tuple[str, str]:
    """What a rule says that keeps all that a line would lose, and why it is not kept."""
    around = Surroundings(root=str(repository.top), home=str(repository.home), environ={})
    world = World({"HOME": str(repository.home)}, None, shown=lambda text: text.upper())
    done = kept(rule(**bounds), Facts(bash(line, cwd=str(repository.top)), around, world))
    return ("", done.error) if done.error else (in_words(done), "")


def newest(repository: Repository) -> Checkpoint:
    return records.read_all(state_of(repository.home))[-1]


def undo(repository: Repository, *paths: Path, dry_run: bool = False) -> dict[str, Back]:
    state = state_of(repository.home)
    done = give_back(newest(repository), state, [str(path) for path in paths], dry_run=dry_run)
    return {one.name.removeprefix(f"{repository.top}/"): one for one in done}


def snapshot(*trees: Path) -> dict[str, tuple[int, bytes]]:
    """The mode and bytes of every file and link below these directories, without those of git."""
    found: dict[str, tuple[int, bytes]] = {}
    for tree in trees:
        for path in tree.rglob("*") if tree.exists() else ():
            if ".git" in path.relative_to(tree).parts or (path.is_dir() and not path.is_symlink()):
                continue
            status = path.lstat()
            data = os.fsencode(os.readlink(path)) if path.is_symlink() else path.read_bytes()
            found[str(path)] = (status.st_mode, data)
    return found


def of_git(repository: Repository) -> dict[str, bytes]:
    """What git has besides objects and references of rulez."""
    top = repository.top / ".git"
    return {
        str(path): path.read_bytes()
        for path in top.rglob("*")
        if path.is_file() and "objects" not in path.relative_to(top).parts and "rulez" not in path.parts
    }


def test_what_was_lost_comes_back_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    undone = asked = 0
    for seed in range(SEEDS):
        # The two ways in which the index is read: of few names, and of many.
        monkeypatch.setattr(keeping, "_FEW", 20 if seed % 2 else 0)
        chance = random.Random(seed)
        (tmp_path / str(seed)).mkdir()
        repository = Repository(tmp_path / str(seed), chance)
        for _ in range(chance.randrange(2, 14)):
            repository.change()
        for path, (mode, _) in snapshot(repository.top).items():
            if not stat.S_ISLNK(mode):
                os.chmod(path, chance.choice((0o644, 0o600, 0o755)))
        for _ in range(6):
            words = repository.command()
            said = lost(repository, shlex.join(words))
            trees = (repository.top, repository.other)
            before, git_before, held = snapshot(*trees), of_git(repository), repository.contents()
            line, why = keep(repository, shlex.join(words)) if said else ("", "")
            assert (snapshot(*trees), of_git(repository)) == (before, git_before), (seed, words)
            if not line:
                assert why or not said, (seed, words)
                asked += bool(said)
                repository.run(words)
                continue
            checkpoint = newest(repository)
            assert checkpoint.id in line
            repository.run(words)
            done = give_back(checkpoint, state_of(repository.home))
            after = snapshot(*trees)
            for file in checkpoint.files:
                if not file.in_index:
                    assert after.get(file.path) == before[file.path], (seed, words, done)
            assert held <= repository.contents(), (seed, words, done)
            assert not [one for one in done if one.what == FAILED and "staged" not in one.name], (seed, words, done)
            undone += 1
        shutil.rmtree(tmp_path / str(seed))
    assert undone > 20 and asked < undone, (undone, asked)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path, random.Random(0))
    made.write("b")
    made.git("add", "-A")
    made.git("commit", "-qm", "x")
    made.write("a")
    made.write("new")
    return made


def test_newer_work_is_never_overwritten(repository: Repository) -> None:
    kept_content = (repository.top / "a").read_bytes()
    assert keep(repository, "git checkout .")[0]
    repository.git("checkout", ".")
    (repository.top / "a").write_text("newer\n")
    done = undo(repository)
    assert done["a"].what == BESIDE
    assert (repository.top / "a").read_text() == "newer\n"
    assert (repository.top / "a.rulez-undo").read_bytes() == kept_content
    assert undo(repository)["a"].detail.endswith("a.rulez-undo-2")


@pytest.mark.parametrize("name", ["a", "new", "x.log", "../outside"])
def test_what_is_written_over_is_kept(repository: Repository, name: str) -> None:
    path = (repository.top / name).resolve()
    path.write_text("1\n2\n3\n")
    line, why = keep(repository, f"echo x > {name}")
    assert line and not why
    path.write_text("x\n")
    (done,) = undo(repository).values()
    assert done.what == BESIDE
    assert path.read_text() == "x\n"
    assert path.with_name(f"{path.name}.rulez-undo").read_text() == "1\n2\n3\n"


AFTERWARDS = {
    # what happened since: what becomes of `a`
    "nothing": GIVEN,
    "a directory in its place": BESIDE,
    "a link in its place": BESIDE,
    "newer work, staged": BESIDE,
    "newer work that git is told to pass over": BESIDE,
    "newer work, committed": GIVEN,
    "the same content": THERE,
    "another mode": BESIDE,
    "it is gone": GIVEN,
}


@pytest.mark.parametrize("since", AFTERWARDS)
def test_what_has_happened_since_counts(repository: Repository, since: str) -> None:
    path, git = repository.top / "a", repository.git
    before = path.read_bytes()
    assert keep(repository, "git checkout -- a")[0]
    git("checkout", "--", "a")
    if since == "a directory in its place":
        path.unlink()
        path.mkdir()
    elif since == "a link in its place":
        path.unlink()
        path.symlink_to("b")
    elif since.startswith("newer work"):
        path.write_text("newer\n")
        if "staged" in since:
            git("add", "a")
        elif "committed" in since:
            git("commit", "-qam", "x")
        else:
            git("update-index", "--assume-unchanged", "a")
    elif since == "the same content":
        path.write_bytes(before)
    elif since == "another mode":
        path.chmod(0o755)
    elif since == "it is gone":
        path.unlink()
    there = snapshot(repository.top)
    assert undo(repository, dry_run=True)["a"].what == AFTERWARDS[since]
    assert snapshot(repository.top) == there
    done = undo(repository)
    assert done["a"].what == AFTERWARDS[since]
    place = Path(done["a"].detail) if done["a"].what == BESIDE else path
    assert place.read_bytes() == before
    if AFTERWARDS[since] == BESIDE:
        assert {name: one for name, one in snapshot(repository.top).items() if name != str(place)} == there


def test_no_link_leads_what_is_given_back_elsewhere(repository: Repository) -> None:
    repository.write("d/c")
    (repository.home / "elsewhere").mkdir()
    assert keep(repository, "rm -rf d")[0]
    shutil.rmtree(repository.top / "d")
    (repository.top / "d").symlink_to("../elsewhere")
    assert {one.what for one in undo(repository).values()} == {FAILED}
    assert not list((repository.home / "elsewhere").iterdir())


def test_one_path_is_given_back_alone(repository: Repository) -> None:
    repository.write("u/x")
    assert keep(repository, "git clean -fd")[0]
    repository.git("clean", "-fd")
    assert set(undo(repository, repository.top / "u")) == {"u/x"}
    assert (repository.top / "u/x").exists() and not (repository.top / "new").exists()


def test_odd_names_links_and_modes_come_back(repository: Repository) -> None:
    names = [b'q"uote', b"b\\ack", b"new\nline", b"\xff\xfe", "\u00e4".encode(), b" blank ", b"-dash"]
    if os.uname().sysname == "Darwin":
        names.remove(b"\xff\xfe")
    top = os.fsencode(repository.top)
    os.mkdir(top + b"/u")
    for name in names:
        Path(os.fsdecode(top + b"/u/" + name)).write_bytes(b"\0\r\n" + name)
        os.chmod(top + b"/u/" + name, 0o640)
    (repository.top / "u/link").symlink_to("nowhere")
    before = snapshot(repository.top)
    assert keep(repository, "git clean -fd")[0]
    repository.git("clean", "-fd")
    assert snapshot(repository.top) != before
    undo(repository)
    assert snapshot(repository.top) == before


def test_files_outside_of_git_come_back(repository: Repository) -> None:
    outside = repository.home / "outside"
    (outside / "x").mkdir(parents=True)
    (outside / "x/y").write_bytes(b"\0" * 70_000)
    (outside / "x/y").chmod(0o750)
    (outside / "link").symlink_to("x")
    before = snapshot(outside)
    assert keep(repository, "rm -rf ../outside")[0]
    (outside / "x/y").write_bytes(b"changed in place")
    shutil.rmtree(outside)
    undo(repository)
    assert snapshot(outside) == before


NOT_KEPT = {
    # a line: a word of why nothing is kept
    "rm -rf .git": "history",
    "rm -rf ../r": "history",
    "rm -rf ../r/.git/objects ./new": "history",
    "rm -rf .g* ./new": "history",
    "find . -name '*' -delete": "history",
    "git clean -ffdx": "repository of its own",
    "rm -rf ../outside": "device",
    "git gc --prune=now": "known",
    "cd $X && git checkout .": "known",
}


@pytest.mark.parametrize("line", NOT_KEPT)
def test_what_cannot_be_kept_is_told(repository: Repository, line: str) -> None:
    (repository.home / "outside").mkdir()
    os.mkfifo(repository.home / "outside/pipe")
    (repository.top / "nested").mkdir()
    repository.git("init", "-q", cwd=repository.top / "nested")
    (repository.top / "nested/x").write_text("x")
    said, why = keep(repository, line)
    assert not said and NOT_KEPT[line] in why, (said, why)
    assert not records.read_all(state_of(repository.home))
    assert not (repository.top / ".git/refs/rulez").exists()


def test_bounds_count(repository: Repository) -> None:
    (repository.top / "big").write_bytes(os.urandom(50_000))
    assert "more than 0.01 MB" in keep(repository, "rm big", max_mb=0.01)[1]
    assert keep(repository, "rm big", max_mb=0.06)[0]
    state = state_of(repository.home)
    for number in range(3):
        (repository.top / "big").write_bytes(os.urandom(50_000))
        assert keep(repository, "rm big", max_mb=0.12, keep_days=number + 1)[0]
    there = records.read_all(state)
    assert len(there) == 4
    assert records.sweep(state, there[-1].time) == 2
    assert records.read_all(state) == there[2:]
    assert records.sweep(state, there[-1].time + 2.5 * 24 * 3600) == 1
    assert records.read_all(state) == there[3:]
    listed = repository.git("for-each-ref", "--format=%(refname)", "refs/rulez")
    assert listed == f"refs/rulez/checkpoints/{there[3].id}\n"


def test_references_that_git_has_packed_go_as_well(repository: Repository) -> None:
    assert keep(repository, "rm a")[0]
    repository.git("pack-refs", "--all")
    repository.git("gc", "-q", "--prune=now")
    assert undo(repository)["a"].what == THERE
    state = state_of(repository.home)
    assert records.sweep(state, newest(repository).until + 1) == 1
    assert repository.git("for-each-ref", "refs/rulez") == ""
    assert repository.git("for-each-ref", "refs/heads/main")


def test_a_call_that_is_judged_twice_has_one_checkpoint(repository: Repository) -> None:
    first = keep(repository, "rm a")
    assert keep(repository, "rm a") == first
    repository.write("a")
    assert keep(repository, "rm a") != first


def test_the_record_is_private_and_redacted(repository: Repository) -> None:
    assert keep(repository, "rm a")[0]
    state = state_of(repository.home)
    for path in Path(records.directory(state)).rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
    assert newest(repository).command == "RM A"


def test_a_store_that_others_may_write_gives_nothing_back(repository: Repository) -> None:
    assert keep(repository, "rm a")[0]
    Path(records.directory(state_of(repository.home))).chmod(0o777)
    assert records.read_all(state_of(repository.home)) == ()


def test_a_lock_of_another_git_neither_stops_nor_is_stopped(repository: Repository) -> None:
    lock = repository.top / ".git/index.lock"
    lock.write_text("")
    assert keep(repository, "rm a")[0]
    assert lock.read_text() == ""
    lock.unlink()
    assert repository.git("add", "-A") is not None


def test_a_repository_that_cannot_be_written_is_told(repository: Repository) -> None:
    # The superuser may write everywhere, but not into a file as if it were a directory.
    packs = repository.top / ".git/objects/pack"
    packs.rmdir()
    packs.write_text("")
    said, why = keep(repository, "rm a")
    assert not said and "git cannot keep it" in why
    assert not os.listdir(records.directory(state_of(repository.home)))


def test_a_reference_that_leads_elsewhere_is_not_written(repository: Repository) -> None:
    (repository.home / "elsewhere").mkdir()
    (repository.top / ".git/refs/rulez").symlink_to(repository.home / "elsewhere")
    assert "no directory" in keep(repository, "rm a")[1]
    assert not list((repository.home / "elsewhere").iterdir())


WRITING = ("mkdir", "rename", "open", "fsync", "symlink", "rmdir", "unlink")


class Nth:
    """A function of `os` of which one call, the `number`th, does something else."""

    def __init__(self, call: str, number: int, instead: Callable[[], None]) -> None:
        self.real, self.number, self.instead = getattr(os, call), number, instead
        self.count = 0

    def __call__(self, *given: object, **options: object) -> object:
        self.count += 1
        if self.count == self.number:
            self.instead()
        return self.real(*given, **options)


def is_full() -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("call", WRITING)
def test_a_full_disk_at_any_step_leaves_none_or_a_whole_one(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    state = state_of(repository.home)
    for number in range(1, 1000):
        fails = Nth(call, number, is_full)
        with monkeypatch.context() as patched:
            patched.setattr(os, call, fails)
            said, why = keep(repository, "rm a")
        assert bool(said) != bool(why)
        there = records.read_all(state)
        assert len(there) == bool(said), (call, number)
        for one in there:
            assert {back.what for back in give_back(one, state)} == {THERE}
            records.remove(state, one)
        assert repository.git("status") is not None
        if fails.count < number:
            break


@pytest.mark.parametrize("call", WRITING)
def test_killed_at_any_step_leaves_none_or_a_whole_one(repository: Repository, call: str) -> None:
    state = state_of(repository.home)
    for number in range(1, 1000):
        child = os.fork()
        if child == 0:
            try:
                setattr(os, call, Nth(call, number, lambda: os.kill(os.getpid(), 9)))
                keep(repository, "rm a")
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        for one in records.read_all(state):
            assert {back.what for back in give_back(one, state)} == {THERE}
            records.remove(state, one)
        assert repository.git("commit", "-q", "--allow-empty", "-m", "x") is not None
        if not os.WIFSIGNALED(status):
            break
    assert not list((repository.top / ".git").rglob("*.lock"))
    records.sweep(state, time.time() + 2 * 24 * 3600)
    assert not [name for name in os.listdir(records.directory(state)) if name != "swept"]
    assert repository.git("for-each-ref", "refs/rulez") == ""


def test_stashes_and_branches_come_back(repository: Repository) -> None:
    git = repository.git
    for number in range(2):
        (repository.top / "a").write_text(f"s{number}\n")
        git("stash")
    git("checkout", "-qb", "only")
    git("commit", "-qm", "x", "--allow-empty")
    git("checkout", "-q", "main")
    stashes, commit = git("rev-list", "-g", "refs/stash"), git("rev-parse", "only")
    assert keep(repository, "git stash clear")[0]
    git("stash", "clear")
    undo(repository)
    assert git("rev-list", "-g", "refs/stash") == stashes
    assert keep(repository, "git branch -D only")[0]
    git("branch", "-D", "only")
    assert {one.what for one in undo(repository).values()} == {GIVEN}
    assert git("rev-parse", "only") == commit
    assert keep(repository, "git branch -f only main")[0]
    git("branch", "-f", "only", "main")
    done = undo(repository)["refs/heads/only " + str(commit)[:12]]
    assert done.what == BESIDE
    assert git("rev-parse", done.detail) == commit


@pytest.mark.parametrize("harm", HOSTILE)
def test_nothing_of_a_repository_runs(tmp_path: Path, harm: str) -> None:
    repository = Repository(tmp_path, random.Random(0))
    repository.git("commit", "-qm", "x", "--allow-empty")
    repository.write("a")
    repository.git("stash")
    repository.write("a")
    repository.git("add", "a")
    repository.write("a")
    repository.write("new")
    trap, sprung = tmp_path / "trap", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch {sprung}\ncat\n")
    trap.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for place in (hooks, repository.top / ".git/hooks"):
        place.mkdir(exist_ok=True)
        for name in ("post-index-change", "reference-transaction", "post-checkout", "pre-commit", "post-commit"):
            shutil.copy(trap, place / name)
    said = HOSTILE[harm]
    (tmp_path / "included").write_text(said.get("included", f"[core]\n\tfsmonitor = {trap}\n"))
    config = said["config"].replace("{trap}", str(trap)).replace("{hooks}", str(hooks))
    with (repository.top / ".git/config").open("a") as file:
        file.write(config.replace("{included}", str(tmp_path / "included")))
        file.write(f"[commit]\n\tgpgsign = true\n[gpg]\n\tprogram = {trap}\n")
    if "attributes" in said:
        (repository.top / ".gitattributes").write_text(said["attributes"])
    if "without" in said:
        for part in (repository.top / ".git/objects").glob("??"):
            shutil.rmtree(part)
    for line in ("git checkout .", "git clean -fdx", "git stash drop", "rm a", "git reset --hard"):
        said_of_it, why = keep(repository, line)
        assert said_of_it or why
        if said_of_it:
            (repository.top / "a").unlink(missing_ok=True)
            undo(repository)
            (repository.top / ".git/index").unlink(missing_ok=True)
            undo(repository)
    state = state_of(tmp_path)
    for one in records.read_all(state):
        records.remove(state, one)
    assert not sprung.exists()


class Asked(PureWorld):
    """A world in which a call loses some kinds of things, and a checkpoint ends as told."""

    def __init__(self, loses: tuple[str, ...] | None, keeps: Kept) -> None:
        super().__init__()
        self.git, self.keeps = Untold(loses), keeps


DONE = Kept(id="ID", what="3 files")
JUDGED: dict[str, tuple[tuple[str, ...] | None, Kept, dict[str, Any], str, int]] = {
    # a case: what the call loses, how the checkpoint ends, the rule; the decision, and how many were asked for
    "it is kept": (("uncommitted",), DONE, {}, NO_OPINION, 1),
    "it is not kept": (("uncommitted",), Kept(error="the disk is full"), {}, ASK, 1),
    "it is not known": (None, DONE, {}, ASK, 0),
    "nothing is lost": ((), DONE, {}, NO_OPINION, 0),
    "the rule is not trusted": (("uncommitted",), DONE, {"trusted": False}, ASK, 0),
    "the rule only warns": (("uncommitted",), DONE, {"mode": "warn"}, NO_OPINION, 0),
    "the rule only logs": (("uncommitted",), DONE, {"mode": "audit"}, NO_OPINION, 0),
    "another rule denies": (("uncommitted",), DONE, {"denied": True}, DENY, 0),
}


@pytest.mark.parametrize("case", JUDGED)
def test_a_rule_keeps_or_asks(case: str) -> None:
    loses, keeps, fields, decision, asked = JUDGED[case]
    more = dict(fields)
    denied = more.pop("denied", False)
    keeping_rule = compiled_rule(match={"loses": {"uncommitted": "match"}}, actions={"checkpoint": "why"}, **more)
    others = [compiled_rule("other", actions={"block": True})] if denied else []
    world = Asked(loses, keeps)
    verdict = judged([keeping_rule, *others], bash("git checkout ."), world, AROUND)
    assert (verdict.decision, len(world.asked_to_keep)) == (decision, asked), verdict
    assert ("rulez undo --id ID" in " ".join(verdict.context)) == (case == "it is kept")
    if decision == ASK:
        assert "why" in verdict.reason
    if case == "it is not kept":
        assert "the disk is full" in verdict.reason


def test_where_git_is_missing_nothing_is_kept(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "program", lambda: "")
    assert "known" in keep(repository, "rm a")[1]


def test_a_repository_of_another_user_is_not_written(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "is_own", lambda _repository: False)
    assert "another user" in keep(repository, "rm a")[1]
