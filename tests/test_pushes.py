"""Which branches of another repository a call changes: a table, and git itself (`git push --dry-run`)."""

from __future__ import annotations

import os
import random
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from rulez_py.event import Event
from rulez_py.platforms import adapter
from rulez_py.policy.facts.facts import Facts, Surroundings
from rulez_py.policy.facts.pushes import DELETE, FORCE, LEASE, Pushed, pushed
from rulez_py.policy.judging.pushed import pushed as clause
from rulez_py.system.scripts import World

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

TABLE: dict[str, list[dict[str, Any]]] = YAML(typ="safe").load(Path(__file__).parent / "data" / "pushes.yaml")
REASONS = TABLE.pop("reasons")
_SETTINGS = ("-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false", "-c", "gc.auto=0")


class Tree:
    """A work tree at `top`, with the bare repository `origin` beside it; the home is the directory above."""

    def __init__(self, home: Path) -> None:
        self.home, self.top = home, home / "r"
        self.top.mkdir(parents=True)
        for name in ("origin", "fork"):
            self.git("init", "-q", "--bare", "-b", "main", str(home / name))
        self.git("init", "-q", "-b", "main")
        (self.top / "README").write_text("x\n")
        self.git("add", "-A")
        self.git("commit", "-qm", "x")
        self.git("commit", "-qm", "y", "--allow-empty")
        for name in ("feature", "release/1"):
            self.git("branch", name)
        for name in ("v1", "feature-tag"):
            self.git("tag", name)
        self.git("remote", "add", "origin", str(home / "origin"))
        self.git("push", "-q", "origin", "main", "feature", "main:old")
        self.git("remote", "set-head", "origin", "main")
        self.git("switch", "-q", "feature")

    def run(self, *words: str) -> tuple[int, str]:
        environ = {"HOME": str(self.home), "PATH": os.environ["PATH"], "LC_ALL": "C"}
        ended = subprocess.run(
            ["git", *_SETTINGS, *words], cwd=self.top, env=environ, stdin=subprocess.DEVNULL, capture_output=True
        )
        return ended.returncode, ended.stdout.decode()

    def git(self, *words: str) -> None:
        code, printed = self.run(*words)
        assert code == 0, (words, printed)

    def facts(self, tool: str, arguments: dict[str, object]) -> Facts:
        payload = {
            "session_id": "s",
            "hook_event_name": "PreToolUse",
            "cwd": str(self.top),
            "tool_name": tool,
            "tool_input": arguments,
        }
        event: Event = adapter("claude").parse(payload, None)
        around = Surroundings(root=str(self.top), home=str(self.home), environ={})
        return Facts(event.replace(project_dir=str(self.top)), around, World({}, None))

    def pushed(self, tool: str, arguments: dict[str, object]) -> list[Pushed]:
        facts = self.facts(tool, arguments)
        return list(dict.fromkeys(one for part in facts.parts for one in pushed(part, facts)))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("made")
    Tree(home)
    return home


@pytest.fixture
def tree(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """A copy of the tree of the table, and its home."""
    found = object.__new__(Tree)
    found.home = tmp_path / "home"
    found.top = found.home / "r"
    shutil.copytree(made, found.home, symlinks=True)
    monkeypatch.setenv("HOME", str(found.home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return found


def said(found: list[Pushed]) -> list[str]:
    return [f"{one.how} {one.branch or ('default' if one.is_default else '?')}" for one in found]


ROWS = [
    pytest.param(row, id=" ".join(str(value) for value in row.values())[:120])
    for rows in TABLE.values()
    for row in rows
]


@pytest.mark.parametrize("row", ROWS)
def test_a_call_pushes(row: dict[str, Any], tree: Tree) -> None:
    for name, value in row.get("settings", {}).items():
        tree.git("config", name, value)
    if "on" in row:
        tree.git("switch", "-q", row["on"])
    tool, arguments = row.get("tool", "Bash"), row.get("input", {"command": row.get("line")})
    assert sorted(said(tree.pushed(tool, arguments))) == sorted(row["pushes"])


@pytest.mark.parametrize("row", REASONS, ids=lambda row: str(row["line"]))
def test_a_reason_says_what_would_be_pushed(row: dict[str, Any], tree: Tree) -> None:
    facts = tree.facts("Bash", {"command": row["line"]})
    assert clause({"pushes": row["wants"]}, facts) == row["says"]


@pytest.mark.parametrize("line", ["cd $X && git push origin HEAD:develop", "git --git-dir=x push origin HEAD:develop"])
def test_an_unknown_default_branch_may_be_any(line: str, tree: Tree) -> None:
    facts = tree.facts("Bash", {"command": line})
    assert clause({"pushes": {"to": ["$default"]}}, facts) == "it would push to develop"


def test_names_in_a_reason_are_few_and_show_what_they_are(tree: Tree) -> None:
    for number in range(9):
        tree.git("branch", f"b{number}")
    facts = tree.facts("Bash", {"command": "git push --all"})
    assert clause({"pushes": {"to": ["b*"]}}, facts) == "it would push to b0, b1, b2, 6 more"


def test_the_default_branch_is_the_one_of_the_remote(tree: Tree) -> None:
    tree.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/old")
    found = tree.pushed("Bash", {"command": "git push origin main old"})
    assert [(one.branch, one.is_default) for one in found] == [("main", False), ("old", True)]
    tree.git("remote", "set-head", "origin", "--delete")
    found = tree.pushed("Bash", {"command": "git push origin main old"})
    assert [(one.branch, one.is_default) for one in found] == [("main", True), ("old", False)]


def test_the_settings_of_the_person_count(tree: Tree) -> None:
    (tree.home / ".gitconfig").write_text("[push]\n\tdefault = matching\n[include]\n\tpath = more\n")
    (tree.home / "more").write_text("[alias]\n\tp = push origin main\n")
    assert said(tree.pushed("Bash", {"command": "git push"})) == ["plain feature", "plain main", "plain release/1"]
    assert said(tree.pushed("Bash", {"command": "git p"})) == ["plain main"]


def test_nothing_of_the_repository_runs(tree: Tree) -> None:
    mark = tree.home / "mark"
    touch = f"touch '{mark}'"
    (tree.top / "included").write_text(f'[core]\n\teditor = "{touch}"\n[alias]\n\tconfig = "!{touch}"\n')
    for name in (
        *("core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass", "core.hooksPath"),
        *("pager.config", "pager.for-each-ref", "credential.helper", "diff.external", "alias.config"),
        *(
            "alias.for-each-ref",
            "filter.x.clean",
            "gpg.program",
            "remote.origin.uploadpack",
            "remote.origin.receivepack",
        ),
        *("remote.origin.vcs", "uploadpack.packObjectsHook", "init.templateDir", "trace2.normalTarget"),
    ):
        tree.git("config", name, touch if name.startswith(("core.", "pager", "remote")) else f"!{touch}")
    tree.git("config", "include.path", "../included")
    tree.git("config", "core.pager", touch)
    assert said(tree.pushed("Bash", {"command": "git push"})) == ["plain feature"]
    assert not mark.exists()


@pytest.mark.parametrize("kind", ["fifo", "endless", "broken", "loop"])
def test_settings_that_cannot_be_read_are_unknown(tree: Tree, kind: str) -> None:
    place = tree.home / "included"
    if kind == "fifo":
        os.mkfifo(place)
    elif kind == "broken":
        place.write_text("[push\n")
    elif kind == "loop":
        place.write_text(f"[include]\n\tpath = {place}\n")
    tree.git("config", "include.path", "/dev/zero" if kind == "endless" else str(place))
    assert said(tree.pushed("Bash", {"command": "git push"})) == ["plain ?"]


# git itself.

SEEDS = 100
BRANCHES = ("main", "feature", "release/1", "old")
REMOTES = ("origin", "fork")


def settle(tree: Tree, chance: random.Random) -> None:
    """Give a tree settings that people, and others, have."""

    def sometimes(share: float, name: str, *values: str, add: bool = False) -> None:
        if chance.random() < share:
            tree.git("config", *(["--add"] if add else []), name, chance.choice(values))

    if chance.random() < 0.4:
        tree.git("remote", "add", "fork", str(tree.home / "fork"))
    sometimes(0.6, "push.default", "simple", "current", "upstream", "matching", "nothing", "tracking")
    for branch in BRANCHES[:3]:
        sometimes(0.5, f"branch.{branch}.remote", *REMOTES, ".")
        sometimes(0.5, f"branch.{branch}.merge", *(f"refs/heads/{one}" for one in BRANCHES))
        sometimes(0.2, f"branch.{branch}.pushRemote", *REMOTES)
    sometimes(0.15, "remote.pushDefault", *REMOTES)
    for _ in range(2):
        sometimes(
            *(0.15, "remote.origin.push", "HEAD", "main", "+refs/heads/*:refs/heads/*", "refs/heads/feature:main"),
            *("HEAD:old", "refs/heads/*:refs/heads/x/*", ":", "+main:old", "refs/tags/*", ":old"),
            add=True,
        )
    sometimes(0.05, "remote.origin.mirror", "true", "yes")
    sometimes(0.2, "push.autoSetupRemote", "true")
    if chance.random() < 0.6:
        tree.git("switch", "-q", chance.choice((*BRANCHES[:3], "--detach")))


def spelled(chance: random.Random) -> tuple[list[str], list[str]]:
    """A push, as the words before `push` and those behind."""
    one, two = chance.choice(BRANCHES), chance.choice(BRANCHES)
    refspecs = [
        *(one, f"heads/{one}", f"refs/heads/{one}", "HEAD", "@", f"HEAD:{one}", f"{one}:{two}", f":{one}", ":", "+:"),
        *(f"+{one}", f"+{one}:{two}", f"HEAD~1:{one}", f"v1:refs/heads/{one}", "v1", "tag", "refs/tags/v1"),
        *(
            f"{one}:refs/heads/new",
            "refs/heads/*",
            "refs/heads/*:refs/heads/y/*",
            f"{one}:new",
            "refs/tags/*:refs/tags/*",
        ),
    ]
    behind: list[str] = []
    if chance.random() < 0.7:
        behind = [chance.choice((*REMOTES[:1] * 5, "fork", "../origin"))]
        for _ in range(chance.choice((0, 1, 1, 1, 2))):
            chosen = chance.choice(refspecs)
            behind += ["tag", "v1"] if chosen == "tag" else [chosen]
    flags = [
        "--all",
        "--mirror",
        "--tags",
        "-f",
        "--force",
        "--force-with-lease",
        "--prune",
        "-d",
        "--follow-tags",
        "-u",
    ]
    if chance.random() < 0.35:
        behind.insert(chance.randrange(len(behind) + 1), chance.choice(flags))
    before = []
    if chance.random() < 0.15:
        before = ["-c", f"push.default={chance.choice(('matching', 'upstream', 'current'))}"]
    return before, behind


def changed(printed: str) -> set[tuple[str, str]]:
    """What git says that it would do: the flag (`git push --porcelain`), and the branch."""
    lines = [line.split("\t") for line in printed.splitlines() if line.count("\t") == 2]
    names = [(flag, names.rpartition(":")[2]) for flag, names, _ in lines]
    return {(flag, name.removeprefix("refs/heads/")) for flag, name in names if name.startswith("refs/heads/")}


@pytest.mark.parametrize("part", range(4))
def test_git_pushes_what_was_said(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: int) -> None:
    alike = all_of_them = 0
    for seed in range(part, SEEDS, 4):
        chance = random.Random(seed)
        tree = object.__new__(Tree)
        tree.home = tmp_path / str(seed)
        tree.top = tree.home / "r"
        shutil.copytree(made, tree.home, symlinks=True)
        tree.git("remote", "set-url", "origin", str(tree.home / "origin"))
        monkeypatch.setenv("HOME", str(tree.home))
        settle(tree, chance)
        for _ in range(6):
            before, behind = spelled(chance)
            goal = chance.choice(BRANCHES[:3]) if chance.random() < 0.2 else ""
            line = shlex.join(["git", *before, "push", *behind])
            found = tree.pushed("Bash", {"command": f"git switch {goal} && {line}" if goal else line})
            if goal:
                tree.git("switch", "-q", goal)
            _, printed = tree.run(*before, "push", "--dry-run", "--porcelain", *behind)
            done = changed(printed)
            names = {one.branch for one in found}
            for flag, branch in done:
                ways = {one.how for one in found if one.branch in (branch, "")}
                told = DELETE in ways if flag == "-" else ways - {DELETE}
                assert told, (seed, line, goal, done, found, tree.run("config", "--list", "--local")[1], printed)
                assert flag != "+" or ways & {FORCE, LEASE}, (seed, line, goal, done, found)
            settings = (*before, *tree.run("config", "--list")[1].splitlines(), *(f"push={one}" for one in behind))
            # Which branches are on both sides, and which a remote has besides, the remote alone knows.
            if (
                done
                and "" not in names
                and not any(one.endswith(("=matching", "push=:", "push=+:")) for one in settings)
            ):
                all_of_them += 1
                alike += {branch for _, branch in done} == names - {""}
        shutil.rmtree(tree.home)
    assert alike >= 0.98 * all_of_them > 20, (alike, all_of_them)
