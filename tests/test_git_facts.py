"""What is known of a repository, held against git itself (tests/data/git_facts.yaml), and what it costs to know it."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from rulez_py.policy.facts.facts import Facts, Surroundings
from rulez_py.policy.facts.git_facts import BRANCH, Tree, situations
from rulez_py.policy.format.check import check_document, read_document
from rulez_py.policy.format.compile import compile_rules
from rulez_py.policy.judging.decide import decide
from rulez_py.policy.judging.matching import matches
from rulez_py.policy.model.layers import BUILT_IN
from rulez_py.system.effects import Script, ScriptResult
from rulez_py.system.git import asking, repository, state
from rulez_py.system.git.values import FACTS
from rulez_py.system.scripts import World
from tests.policy.judging.test_decide import bash
from tests.repositories import Repository

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

DATA: dict[str, list[dict[str, Any]]] = YAML(typ="safe").load(Path(__file__).parent / "data" / "git_facts.yaml")
SEEDS = 60


def made(tmp_path: Path, steps: list[dict[str, Any]]) -> Repository:
    """A repository to which something has happened."""
    one = Repository(tmp_path, random.Random(0))
    for step in steps:
        place = tmp_path / step.get("in", "r")
        if "git" in step:
            words = step["git"]
            # What makes another repository runs beside the first.
            beside = words[0] in ("init", "clone") and "in" not in step
            done = one.git(*words, cwd=tmp_path if beside else place)
            assert (done is None) is step.get("fails", False), step
        elif "write" in step:
            one.written += 1
            path = place / step["write"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{one.written}\n")
        else:
            (place / step["remove"]).unlink()
    return one


def tree_at(place: Path) -> Tree:
    found = repository.find(str(place))
    assert found is not None
    return Tree(state, found)


def plain(value: object) -> object:
    return sorted(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("case", DATA["facts"], ids=lambda case: case["name"])
def test_a_repository_is_what_git_says(tmp_path: Path, case: dict[str, Any]) -> None:
    if case.get("needs") == "reftable" and not _has_tables(tmp_path):
        pytest.skip("this git has no tables of references")
    made(tmp_path, case.get("steps", []))
    tree = tree_at(tmp_path / case.get("at", "r"))
    assert {name: plain(tree.fact(name)) for name in case["facts"]} == case["facts"]


def _has_tables(tmp_path: Path) -> bool:
    words = ["git", "init", "-q", "--ref-format=reftable", str(tmp_path / "probe")]
    return subprocess.run(words, capture_output=True).returncode == 0


# Random repositories, and git's own words.


def test_the_facts_are_git_s_own(tmp_path: Path) -> None:
    for seed in range(SEEDS):
        chance = random.Random(seed)
        (tmp_path / str(seed)).mkdir()
        one = Repository(tmp_path / str(seed), chance)
        for _ in range(chance.randrange(2, 16)):
            one.change()
        tree = tree_at(one.top)
        files = _status(one)
        assert tree.fact("branch") == (one.git("branch", "--show-current") or "").strip(), seed
        assert {name: set(tree.fact(name)) for name in files} == files, seed  # type: ignore[call-overload]
        assert tree.fact("stashes") == len((one.git("stash", "list") or "").splitlines()), seed
        count = one.git("rev-list", "--count", "HEAD", "--not", "--remotes")
        assert tree.fact("unpushed") == int(count or 0), seed
        shutil.rmtree(tmp_path / str(seed))


def _status(one: Repository) -> dict[str, set[str]]:
    """The files of `git status`; a submodule counts by its commit alone."""
    words = ["status", "--porcelain", "-z", "--no-renames", "--ignore-submodules=dirty"]
    words += ["--ignored=matching", "--untracked-files=normal"]
    found: dict[str, set[str]] = {"dirty": set(), "untracked": set(), "ignored": set()}
    for entry in (one.git(*words) or "").split("\0"):
        if entry:
            kind = {"??": "untracked", "!!": "ignored"}.get(entry[:2], "dirty")
            found[kind].add(entry[3:])
    return found


# Which repository a command is about.


def facts_of(top: Path, line: str, environ: dict[str, str] | None = None) -> Facts:
    around = Surroundings(root=str(top), home=str(top.parent), environ=environ or {})
    return Facts(bash(line, cwd=str(top)), around, World({}, None))


@pytest.mark.parametrize("case", DATA["lines"], ids=lambda case: f"{case.get('environ', '')} {case['line']}")
def test_a_command_is_about_its_own_repository(tmp_path: Path, case: dict[str, Any]) -> None:
    one = made(tmp_path, [{"git": ["branch", "topic"]}, {"git": ["init", "-q", "-b", "far", "other"]}])
    facts = facts_of(one.top, case["line"], case.get("environ"))
    found = situations(facts.parts[-1], facts)
    branches = [each.possible(BRANCH) for each in found]
    assert branches == [None if case["branch"] is None else tuple(case["branch"])]


# What it costs.


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The questions that git is asked."""
    asked: list[str] = []
    really = asking._run

    def run(words: Any, *rest: Any) -> Any:
        asked.append(words[0])
        return really(words, *rest)

    monkeypatch.setattr(asking, "_run", run)
    yield asked


COSTS = {
    # what a rule wants: what git is asked for it, of three commands
    "branch": ({"branch": ["x"]}, []),
    "the default branch": ({"branch": ["$default"], "unpushed": True}, ["for-each-ref", "rev-list"]),
    "what is under way": ({"merging": True}, []),
    "all files": ({"dirty": True, "untracked": False, "ignored": False}, ["status"]),
    "stashes that are not there": ({"stashes": True}, []),
}


@pytest.mark.parametrize("case", COSTS)
def test_each_question_is_asked_once(tmp_path: Path, started: list[str], case: str) -> None:
    wanted, asked = COSTS[case]
    one = made(tmp_path, [{"write": "a"}])
    facts = facts_of(one.top, "ls && pwd && id")
    for _ in range(2):
        matches({"git": wanted}, facts)
    assert started == asked


def test_nothing_is_read_for_rules_that_do_not_ask(
    tmp_path: Path, started: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(directory: str) -> None:
        raise AssertionError(directory)

    one = made(tmp_path, [])
    monkeypatch.setattr(state, "find", find)
    facts = facts_of(one.top, "git commit -m x")
    assert not matches({"tools": ["Write"], "git": {"dirty": True}}, facts)
    assert not matches({"command": {"program": ["ls"]}, "git": {"branch": ["*"]}}, facts)
    assert matches({"command": {"program": ["git"]}}, facts)
    assert not started
    with pytest.raises(AssertionError):
        matches({"git": {"branch": ["*"]}}, facts)


def test_without_git_what_it_alone_says_is_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = made(tmp_path, [])
    monkeypatch.setattr(asking, "program", lambda: "")
    tree = tree_at(one.top)
    known = {name: tree.fact(name) for name in FACTS if tree.fact(name) is not None}
    assert known == {"branch": "main", "default_branch": "main", "stashes": 0, "worktree": False, "merging": ()}


@pytest.mark.parametrize("part", ["HEAD", "objects"])
def test_of_a_repository_that_is_not_whole_nothing_is_known(tmp_path: Path, part: str) -> None:
    one = made(tmp_path, [])
    place = one.top / ".git" / part
    shutil.rmtree(place) if place.is_dir() else place.unlink()
    tree = tree_at(one.top)
    unknown = [name for name in FACTS if name not in ("worktree", "merging") and tree.fact(name) is not None]
    assert unknown == []


# What scripts are told.


class Recording(World):
    """A world in which scripts only say what they were given."""

    def __init__(self) -> None:
        super().__init__({}, None)
        self.given: list[dict[str, Any]] = []

    def run(self, script: Script) -> ScriptResult:
        self.given.append(json.loads(script.stdin))
        return ScriptResult(exit_code=0)


SCRIPTS: dict[str, tuple[str, str, list[object]]] = {
    # what a rule runs, and a line: the `git` that its script is given each time
    "what is asked for": (
        "{script: check, git: [branch, dirty, unpushed]}",
        "git push",
        [{"root": "r", "branch": "main", "dirty": ["a"], "unpushed": 1}],
    ),
    "one alone": ("{script: check, git: branch}", "git push", [{"root": "r", "branch": "main"}]),
    "that of another repository": (
        "{script: check, git: branch}",
        "git -C ../other push",
        [{"root": "other", "branch": "far"}],
    ),
    "what is unknown": ("{script: check, git: [branch]}", "git -C $X push", [{"root": None, "branch": None}]),
    "each repository by itself": (
        "{script: check, git: [branch]}",
        "git push; git -C ../other push",
        [{"root": "r", "branch": "main"}, {"root": "other", "branch": "far"}],
    ),
    "no repository": (
        "{script: check, git: [branch, stashes]}",
        "git -C .. push",
        [{"root": "", "branch": "", "stashes": 0}],
    ),
    "nothing is asked for": ("{script: check}", "git push", [None]),
}


@pytest.mark.parametrize("case", SCRIPTS)
def test_a_script_is_given_what_its_rule_asks_for(tmp_path: Path, started: list[str], case: str) -> None:
    run, line, given = SCRIPTS[case]
    one = made(tmp_path, [{"git": ["init", "-q", "-b", "far", "other"]}, {"write": "a"}])
    rule = f"{{name: x, matchers: {{command: {{program: git, subcommand: push}}}}, actions: {{run: {run}}}}}"
    content = f'version: "1.0"\nrules:\n  - {rule}\n'.encode()
    checked = check_document(read_document(content, "p"), "p")
    assert checked.data is not None, checked
    rules = compile_rules(checked.data, checked.rule_lines, layer=BUILT_IN, shown="p", root=str(one.top), trusted=True)
    world = Recording()
    around = Surroundings(root=str(one.top), home=str(tmp_path), environ={})
    decide(tuple(rules), Facts(bash(line, cwd=str(one.top)), around, world))
    said = [told.get("git") for told in world.given]
    for told in filter(None, said):
        told["root"] = told["root"] and str(Path(told["root"]).relative_to(tmp_path))
    assert said == given
    assert not started or any("dirty" in one for one in given if isinstance(one, dict))
