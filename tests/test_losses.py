"""What a call would lose, held against git itself: what was there before and is nowhere afterwards."""

from __future__ import annotations

import random
import shlex
import shutil
from pathlib import Path

import pytest

from rulez_py.policy.facts import facts as facts_module
from rulez_py.policy.facts.facts import Facts, Surroundings
from rulez_py.policy.facts.git_facts import Tree
from rulez_py.policy.facts.losses import KINDS, UNREAD, Lost, losses
from rulez_py.system import scripts
from rulez_py.system.git import asking, state
from rulez_py.system.git.commits import is_committed
from rulez_py.system.git.values import FACTS
from rulez_py.system.scripts import World
from tests.policy.judging.test_decide import bash
from tests.repositories import Repository

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

SEEDS = 110
ASKED = tuple(kind for kind in KINDS if kind != UNREAD)
"""What an agent has read is no matter of git (`test_seen.py`)."""


def lost(repository: Repository, line: str) -> tuple[Lost, ...]:
    """What rulez says that a line would lose."""
    around = Surroundings(root=str(repository.top), home=str(repository.home), environ={})
    facts = Facts(bash(line, cwd=str(repository.top)), around, World({}, None))
    return tuple(one for part in facts.parts for one in losses(part, facts, ASKED))


def test_what_is_gone_had_been_said_and_little_else(tmp_path: Path) -> None:
    silent = harmless = 0
    for seed in range(SEEDS):
        chance = random.Random(seed)
        (tmp_path / str(seed)).mkdir()
        repository = Repository(tmp_path / str(seed), chance, in_table=seed % 10 == 9)
        for _ in range(chance.randrange(2, 16)):
            repository.change()
        for _ in range(3):
            commands = [repository.command() for _ in range(1 + (chance.random() < 0.3))]
            line = "; ".join(map(shlex.join, commands))
            before, said = repository.contents(), lost(repository, line)
            executables = repository.executables()
            for words in commands:
                repository.run(words)
            gone = before - repository.contents()
            assert said or not gone, (seed, line, gone)
            # What several do after one another is often unknown.
            if not gone and len(commands) == 1 and executables == repository.executables():
                harmless += 1
                # git edits this one itself, so the test does not count it as content.
                silent += all(one.name.endswith("/.gitmodules") for one in said)
        shutil.rmtree(tmp_path / str(seed))
    assert silent >= 0.98 * harmless, (silent, harmless)


# A tree of which all is known.

SAYS: dict[str, dict[str, list[str]]] = {
    # a line: what it would lose, of each kind the names
    "git checkout .": {"uncommitted": ["changed"]},
    "git checkout -- changed": {"uncommitted": ["changed"]},
    "git checkout -- clean": {},
    "git checkout HEAD -- .": {"uncommitted": ["changed", "staged"]},
    "git checkout main": {},
    "git checkout nowhere": {},
    "git restore .": {"uncommitted": ["changed"]},
    "git restore 'ch*'": {"uncommitted": ["changed"]},
    "git restore --staged .": {},
    "git reset --hard": {"uncommitted": ["changed", "staged"]},
    "git reset": {"uncommitted": []},
    "git clean -fd": {"untracked": ["u/", "new"]},
    "git clean -f": {"untracked": ["new"]},
    "git clean -n": {},
    "git clean -fdX": {"ignored": ["x.log"]},
    "git clean -fdx": {"untracked": ["u/", "new"], "ignored": ["x.log"]},
    "git clean -fdx u": {"untracked": ["u/"]},
    "cd u && git clean -fd": {"untracked": ["u/"]},
    "git -C u clean -fd": {"untracked": ["u/"]},
    "git rm -f changed": {"uncommitted": ["changed"]},
    "git rm changed": {},
    "git mv -f clean changed": {"uncommitted": ["changed"]},
    "git mv -f clean u": {},
    "git mv -f u/new .": {"untracked": ["new"]},
    "git mv clean changed": {},
    "git checkout --orphan x": {},
    "git stash drop": {"stashes": [""]},
    "git stash list": {},
    "git stash drop -q": {"stashes": [""]},
    "git branch -D only": {"commits": ["only"]},
    "git branch -D same": {},
    "git branch -d only": {},
    "git branch -D main": {},
    "git switch main && git branch -D only": {"commits": ["only"]},
    "git switch same && git branch -D main": {},
    "git rm -qf clean && git rm -qf changed": {"uncommitted": ["changed"]},
    "git fetch; git reset --hard": {"uncommitted": ["changed", "staged"]},
    "rm clean": {},
    "rm changed": {"uncommitted": ["changed"]},
    "rm new x.log": {"untracked": ["new"], "ignored": ["x.log"]},
    "rm -rf u": {"untracked": ["u/"]},
    "rm nothing": {},
    "rm link": {"untracked": ["link"]},
    "find . -name new -delete": {"untracked": ["u/", "new"]},
    "python3 -c 'import os; os.remove(\"new\")'": {"untracked": ["new"]},
    "rm ../outside": {"files": ["outside"]},
    "mv new elsewhere": {},
    "cp new elsewhere": {},
    "echo x > changed": {"overwritten": ["changed"], "cut": ["changed"]},
    "echo x >> changed": {},
    "echo x > clean": {},
    "echo x > staged": {},
    "echo x > nothing": {},
    ": > new": {"overwritten": ["new"], "cut": ["new"]},
    "cat /dev/null > new": {"overwritten": ["new"], "cut": ["new"]},
    "cp /dev/null new": {"overwritten": ["new"], "cut": ["new"]},
    "> new": {"overwritten": ["new"], "cut": ["new"]},
    "printf '%s\\n' 1 2 3 > new": {"overwritten": ["new"]},
    "make > new": {"overwritten": ["new"]},
    "git show main:clean > new": {"overwritten": ["new"]},
    "cp clean new": {"overwritten": ["new"]},
    "cp clean x.log": {"overwritten": ["x.log"]},
    "cp clean ../outside": {"overwritten": ["outside"]},
    "mv clean new": {"overwritten": ["new"]},
    "tee new": {"overwritten": ["new"]},
    "tee -a new": {},
    "touch new": {},
    "chmod +x new": {},
    "sed -i s/1/2/ new": {},
    'python3 -c \'open("new", "w").write("")\'': {"overwritten": ["new"]},
    "ls": {},
    "git status": {},
}
UNKNOWN = (
    *("mv clean u2 && rm u2", "mv new u3; rm -rf u3", "git add . && git reset --hard", "git reset && git checkout ."),
    *("git rm --cached clean && git clean -fd", "git commit -am x; git branch -D only", "mv x.log n; git clean -fd"),
    *(
        "git --git-dir=x clean -fd",
        "git stash pop && git reset --hard",
        "GIT_DIR=x git checkout .",
        "git gc --prune=now",
    ),
    *(
        "cd $X && git checkout .",
        "git -C $X clean -fd",
        "git branch -D $X",
        "git checkout $X -- .",
        "git checkout $X new",
    ),
)
"""Lines of which it is not known what they would lose."""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    repository = Repository(tmp_path_factory.mktemp("losses"), random.Random(0))
    for name in ("clean", "changed", "staged"):
        repository.write(name)
    repository.git("add", "-A")
    repository.git("commit", "-qm", "x")
    repository.git("branch", "same")
    repository.git("checkout", "-qb", "only")
    repository.git("commit", "-qm", "x", "--allow-empty")
    repository.git("checkout", "-q", "main")
    repository.write("clean")
    repository.git("stash")
    for name in ("changed", "staged"):
        repository.write(name)
    repository.git("add", "staged")
    for name in ("new", "u/new", "x.log"):
        repository.write(name)
    (repository.home / "outside").write_text("x")
    (repository.top / "link").symlink_to("../outside")
    return repository


@pytest.mark.parametrize("line", SAYS)
def test_it_names_what_a_line_would_lose(tree: Repository, line: str) -> None:
    named: dict[str, set[str]] = {}
    for one in lost(tree, line):
        assert one.known
        named.setdefault(one.kind, set()).add(one.name.removeprefix(f"{tree.top}/").removeprefix(f"{tree.home}/"))
    expected = {kind: {*names} for kind, names in SAYS[line].items() if names or kind != "uncommitted"}
    if "git clean" in line or line.startswith("find"):
        named = {kind: names - {"link"} for kind, names in named.items()}
        expected = {kind: names - {"link"} for kind, names in expected.items()}
    assert named == expected


@pytest.mark.parametrize("line", UNKNOWN)
def test_what_is_not_known_counts_as_lost(tree: Repository, line: str) -> None:
    assert any(not one.known for one in lost(tree, line))


# Submodules, and what git is in the middle of.


def submodule(repository: Repository, *, changed: bool) -> None:
    """Give a repository a submodule; changed, it has one file of each kind, and two commits that are nowhere else."""
    source = repository.home / "s"
    source.mkdir()
    repository.git("init", "-q", "-b", "main", cwd=source)
    for name, text in (("x", "x"), ("y", "y"), (".gitignore", "*.log\n")):
        (source / name).write_text(text)
    repository.git("add", "-A", cwd=source)
    repository.git("commit", "-qm", "x", cwd=source)
    repository.git("submodule", "--quiet", "add", "../s", "sub")
    repository.git("commit", "-qam", "x")
    if changed:
        repository.git("checkout", "-q", "--detach", cwd=repository.sub)
        repository.git("commit", "-qm", "x", "--allow-empty", cwd=repository.sub)
        for name in ("x", "y", "new", "z.log"):
            (repository.sub / name).write_text("1\n")
        repository.git("add", "y", cwd=repository.sub)


OF_SUBMODULES = {
    # a line: what it would lose where the submodule has changes, of each kind the names
    "rm -rf sub": {"uncommitted": ["sub/x"], "untracked": ["sub/new"], "ignored": ["sub/z.log"]},
    "rm -rf s*": {"uncommitted": ["sub/x"], "untracked": ["sub/new"], "ignored": ["sub/z.log"]},
    "rm -rf ../r": {
        "uncommitted": ["sub/x", "sub/y"],
        "untracked": ["sub/new"],
        "ignored": ["sub/z.log"],
        "commits": [""],
    },
    "rm sub/new": {"untracked": ["sub/new"]},
    "git rm -f sub": {"uncommitted": ["sub/x"], "untracked": ["sub/new"], "ignored": ["sub/z.log"]},
    "git rm -rf .": {"uncommitted": ["sub/x"], "untracked": ["sub/new"], "ignored": ["sub/z.log"]},
    "git rm sub": {"ignored": ["sub/z.log"]},
    "git rm --cached -f sub": {},
    "git submodule deinit -f sub": {"uncommitted": ["sub/x"], "untracked": ["sub/new"], "ignored": ["sub/z.log"]},
    "git submodule deinit --all --force": {
        "uncommitted": ["sub/x"],
        "untracked": ["sub/new"],
        "ignored": ["sub/z.log"],
    },
    "git submodule deinit sub": {"ignored": ["sub/z.log"]},
    "git submodule update": {"commits": ["HEAD"]},
    "git submodule update --init --recursive": {"commits": ["HEAD"]},
    "git submodule update -f": {"uncommitted": ["sub/x", "sub/y"], "commits": ["HEAD"]},
    "git submodule status": {},
    "git reset --hard": {},
    "git reset --hard --recurse-submodules": {"uncommitted": ["sub/x", "sub/y"], "commits": ["HEAD"]},
    "git -c submodule.recurse=true reset --hard": {"uncommitted": ["sub/x", "sub/y"], "commits": ["HEAD"]},
    "git checkout -f": {},
    "git checkout --recurse-submodules HEAD~1": {"commits": ["HEAD"]},
    "git checkout -f --recurse-submodules main": {"uncommitted": ["sub/x", "sub/y"], "commits": ["HEAD"]},
    "git -C sub checkout .": {"uncommitted": ["sub/x"]},
    "git -C sub clean -fdx": {"untracked": ["sub/new"], "ignored": ["sub/z.log"]},
    "cd sub && git reset --hard": {"uncommitted": ["sub/x", "sub/y"]},
    "git clean -ffdx": {},
}


@pytest.mark.parametrize("line", OF_SUBMODULES)
def test_what_a_submodule_has_counts(tmp_path: Path, line: str) -> None:
    for changed in (False, True):
        (tmp_path / str(changed)).mkdir()
        repository = Repository(tmp_path / str(changed), random.Random(0))
        submodule(repository, changed=changed)
        named: dict[str, set[str]] = {}
        for one in lost(repository, line):
            # All of the history of the repository itself is nowhere else.
            if one.kind != "commits" or one.top == str(repository.sub):
                named.setdefault(one.kind if one.known else "?", set()).add(one.name.removeprefix(f"{repository.top}/"))
        expected = {kind: set(names) for kind, names in OF_SUBMODULES[line].items()} if changed else {}
        assert named == expected, changed


def test_a_repository_of_its_own_is_looked_into(tmp_path: Path) -> None:
    repository = Repository(tmp_path, random.Random(0))
    nested = repository.top / "nested"
    repository.git("clone", "-q", str(repository.top), "nested")
    assert not lost(repository, "rm -rf nested")
    (nested / "a").write_text("new\n")
    assert [(one.kind, one.name) for one in lost(repository, "rm -rf nested")] == [("uncommitted", str(nested / "a"))]
    repository.git("commit", "-qam", "x", cwd=nested)
    assert [(one.kind, one.count) for one in lost(repository, "rm -rf nested")] == [("commits", 1)]


def test_a_setting_has_git_go_into_submodules(tmp_path: Path) -> None:
    repository = Repository(tmp_path, random.Random(0))
    submodule(repository, changed=True)
    repository.git("config", "submodule.recurse", "true")
    assert {one.name.rpartition("/")[2] for one in lost(repository, "git reset --hard")} == {"x", "y", "HEAD"}
    repository.git("config", "submodule.recurse", "false")
    assert not lost(repository, "git reset --hard")


ENDED = {
    # what git is in the middle of: the lines that lose what has come of it, and those that do not
    ("merge", "side"): (["git merge --abort"], ["git merge --quit", "git rebase --abort", "git cherry-pick --abort"]),
    ("rebase", "side"): (["git rebase --abort", "git rebase --skip"], ["git merge --abort", "git rebase --quit"]),
    ("cherry-pick", "side"): (["git cherry-pick --abort", "git cherry-pick --skip"], ["git revert --abort"]),
    ("revert", "side"): (["git revert --abort"], ["git merge --abort", "git cherry-pick --skip"]),
    ("status",): ([], ["git merge --abort", "git rebase --abort", "git cherry-pick --abort", "git am --abort"]),
}


@pytest.mark.parametrize("going", ENDED)
def test_what_has_come_of_a_merge_counts_when_it_is_ended(tmp_path: Path, going: tuple[str, ...]) -> None:
    repository = Repository(tmp_path, random.Random(0))
    repository.git("checkout", "-qb", "side")
    for branch in ("side", "main"):
        repository.git("checkout", "-q", branch)
        repository.write("a")
        repository.git("commit", "-qam", "x")
    repository.git(*going)
    repository.write("a")
    loses, keeps = ENDED[going]
    # What is skipped ends the rebase, which leaves the commits that the branch had.
    more = {"git rebase --skip": {"commits"}}
    assert {line: {one.kind for one in lost(repository, line)} for line in loses} == {
        line: {"uncommitted", *more.get(line, ())} for line in loses
    }
    assert {line: lost(repository, line) for line in keeps} == dict.fromkeys(keeps, ())


def test_a_directory_with_too_many_names_to_look_at_may_have_any(
    tree: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scripts, "MOST_NAMES", 1)
    monkeypatch.setattr(facts_module, "MOST_NAMES", 1)
    for name in ("changed", "new"):
        assert lost(tree, f"rm {name}"), name


def test_where_git_is_missing_nothing_is_known(tree: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "program", lambda: "")
    for line in ("git checkout .", "git reset --hard HEAD~1", "git stash drop", "git branch -D only", "rm new"):
        assert {one.known for one in lost(tree, line)} == {False}, line


@pytest.mark.parametrize("broken", ["", "HEAD", "objects"])
def test_of_a_repository_that_is_not_whole_nothing_is_known(tmp_path: Path, broken: str) -> None:
    repository = Repository(tmp_path, random.Random(0))
    part = repository.top / ".git" / broken
    if part.is_dir():
        shutil.rmtree(part)
    else:
        part.unlink()
    if not broken:
        part.mkdir()
    for line in ("git checkout .", "git reset --hard", "git clean -fd", "git stash drop", "rm a"):
        assert {one.known for one in lost(repository, line)} == {False}, line


# A repository that means harm.

HOSTILE = {
    "a filter": {"config": '[filter "x"]\n\tclean = {trap}\n\trequired = true\n', "attributes": "* filter=x\n"},
    "a file monitor": {"config": "[core]\n\tfsmonitor = {trap}\n"},
    "hooks": {"config": "[core]\n\thooksPath = {hooks}\n"},
    "a difference by a program": {"config": "[diff]\n\texternal = {trap}\n"},
    "a text conversion": {"config": '[diff "x"]\n\ttextconv = {trap}\n', "attributes": "* diff=x\n"},
    "a pager": {
        "config": "[core]\n\tpager = {trap}\n[pager]\n\tstatus = {trap}\n\tdiff = {trap}\n\trev-list = {trap}\n"
    },
    "an alias": {"config": "[alias]\n\tstatus = !{trap}\n\trev-parse = !{trap}\n\trev-list = !{trap}\n"},
    "what is included": {"config": "[include]\n\tpath = {included}\n"},
    "attributes from elsewhere": {
        "config": '[core]\n\tattributesFile = {included}\n[filter "x"]\n\tclean = {trap}\n\tsmudge = {trap}\n',
        "included": "* filter=x\n",
    },
    "a filter that goes on": {"config": '[filter "x"]\n\tprocess = {trap}\n', "attributes": "* filter=x\n"},
    "a merge by a program": {"config": '[merge "x"]\n\tdriver = {trap}\n', "attributes": "* merge=x\n"},
    "programs for other machines": {
        "config": (
            "[core]\n\tsshCommand = {trap}\n\taskPass = {trap}\n\tgitProxy = {trap}\n[credential]\n\thelper = !{trap}\n"
            '[remote "origin"]\n\turl = ssh://h.example/x\n\tpromisor = true\n\tuploadpack = {trap}\n'
        ),
        "without": "objects",
    },
    "programs for signatures and editors": {
        "config": (
            "[gpg]\n\tprogram = {trap}\n[commit]\n\tgpgSign = true\n[log]\n\tshowSignature = true\n"
            "[core]\n\teditor = {trap}\n[sequence]\n\teditor = {trap}\n[core]\n\talternateRefsCommand = {trap}\n"
        )
    },
    "what is included for this place": {"config": '[includeIf "gitdir:**"]\n\tpath = {included}\n'},
    "a submodule that is updated by a program": {
        "config": '[submodule "sub"]\n\tupdate = !{trap}\n\tactive = true\n[submodule]\n\trecurse = true\n'
    },
    "a remote for what is missing": {
        "config": (
            "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n"
            '[remote "origin"]\n\turl = "ext::{trap}"\n\tpromisor = true\n[protocol "ext"]\n\tallow = always\n'
            "[protocol]\n\tallow = always\n"
        ),
        "without": "objects",
    },
}


NEVER = ("git reset --hard HEAD~1", "git clean -fdx", "git branch -D main", "git stash drop")
"""Lines by which little is lost there, or which git refuses."""


@pytest.mark.parametrize("harm", HOSTILE)
def test_nothing_of_a_repository_runs(tmp_path: Path, harm: str) -> None:
    repository = Repository(tmp_path, random.Random(0))
    repository.git("commit", "-qm", "x", "--allow-empty")
    submodule(repository, changed=True)
    repository.write("a")
    trap, sprung = tmp_path / "trap", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch {sprung}\ncat\n")
    trap.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "reference-transaction", "post-checkout"):
        shutil.copy(trap, hooks / name)
    said = HOSTILE[harm]
    (tmp_path / "included").write_text(said.get("included", f"[core]\n\tfsmonitor = {trap}\n"))
    config = said["config"].replace("{trap}", str(trap)).replace("{hooks}", str(hooks))
    for place in (repository.top / ".git/config", repository.top / ".git/modules/sub/config"):
        with place.open("a") as file:
            file.write(config.replace("{included}", str(tmp_path / "included")))
    if "attributes" in said:
        (repository.sub / ".gitattributes").write_text(said["attributes"])
        (repository.top / ".gitattributes").write_text(said["attributes"])
    if "without" in said:
        for part in (repository.top / ".git/objects").glob("??"):
            shutil.rmtree(part)
    for line in (
        "git checkout .",
        "git reset --hard HEAD~1",
        "git clean -fdx",
        "git branch -D main",
        "git stash drop",
        "rm a",
        "rm -rf sub",
        "git rm -f sub",
        "git submodule update -f",
        "git reset --hard --recurse-submodules",
    ):
        found = lost(repository, line)
        assert found or line in NEVER, line
    is_committed(str(repository.top / "a"), b"x")
    found_there = state.find(str(repository.top))
    assert found_there is not None
    tree = Tree(state, found_there)
    assert {name for name in FACTS if tree.fact(name) is not None}
    assert not sprung.exists()


def test_the_trap_of_these_tests_springs(tmp_path: Path) -> None:
    repository = Repository(tmp_path, random.Random(0))
    repository.write("a")
    trap, sprung = tmp_path / "trap", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch {sprung}\n")
    trap.chmod(0o755)
    repository.git("config", "core.fsmonitor", str(trap))
    repository.git("status")
    assert sprung.exists()
