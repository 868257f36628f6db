"""Which policy files hold, and what they come to together."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.policy import packs
from rulez_py.policy.model.layers import UNEXCEPTED
from rulez_py.policy.store.load import Policy, load, read_floor, read_pack
from rulez_py.policy.store.search import (
    LARGEST_FILE,
    MOST_LEVELS,
    discover,
    project_policies,
    project_root,
    root_of,
    search,
    shown_path,
)
from rulez_py.system.places import Places
from rulez_py.trust import content_digest

posix = pytest.mark.skipif(os.name == "nt", reason="POSIX files")


def _may_read_anything() -> bool:
    with tempfile.NamedTemporaryFile() as file:
        os.chmod(file.name, 0)
        return os.access(file.name, os.R_OK)


not_root = pytest.mark.skipif(_may_read_anything(), reason="this user may read everything")


class Machine:
    """A machine in a directory: a home, a managed policy's place, and whatever files a test writes."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self.home = top / "home" / "me"
        self.project = self.home / "work" / "project"
        self.project.mkdir(parents=True)
        self.places = Places(
            home=str(self.home),
            managed_policy=str(top / "etc" / "rulez" / "rules.yaml"),
            user_policy=str(self.home / ".config" / "rulez" / "rules.yaml"),
            user_fallback=str(self.home / ".claude" / "hooks.yaml"),
            state=str(self.home / ".local" / "state" / "rulez"),
            cache=str(self.home / ".cache" / "rulez"),
            owners=(os.geteuid(), 0) if hasattr(os, "geteuid") else (),
        )
        self.managed = Path(self.places.managed_policy)
        self.user = Path(self.places.user_policy)
        self.fallback = Path(self.places.user_fallback)
        self.rulez = self.project / ".rulez" / "rules.yaml"
        self.claude = self.project / ".claude" / "hooks.yaml"

    def repository(self, directory: Path | None = None) -> None:
        (directory or self.project).joinpath(".git").mkdir(parents=True)

    def found(self, start: Path | None = None, **options: str) -> list[tuple[str, str]]:
        """(layer, path below the machine's top) of the files found from a directory."""
        files = discover(self.places, str(start or self.project), **options)
        return [(layer, Path(path).relative_to(self.top).as_posix()) for layer, path in files]

    def load(
        self,
        start: Path | None = None,
        rules_file: Path | None = None,
        trusted: Callable[[str, str], bool] = lambda _path, _digest: False,
    ) -> Policy:
        return load(
            self.places,
            str(start or self.project),
            rules_file=None if rules_file is None else str(rules_file),
            trusted=trusted,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path.resolve())


def text(path: Path, content: str) -> None:
    """A policy file with this in it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


def write(path: Path, *rules: str, head: str = "") -> Path:
    """A policy file with these rules, each a name with an optional priority (`name 5`)."""
    lines = ['version: "1.0"', *([head] if head else []), "rules:"]
    for rule in rules:
        name, _, priority = rule.partition(" ")
        lines.append(
            f"  - {{name: {name}, priority: {priority or 0}, matchers: {{tools: [Bash]}}, actions: {{block: true}}}}"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*lines, *(["  []"] if not rules else []), ""]), encoding="utf-8")
    return path


def own(policy: Policy) -> list[str]:
    """The names of the rules that do not come from rulez itself."""
    return [rule["name"] for rule in policy.rules if not rule["source"].startswith("builtin:")]


def builtin(policy: Policy) -> dict[str, list[str]]:
    """Pack -> its rules in the policy."""
    found: dict[str, list[str]] = {}
    for rule in policy.rules:
        if rule["source"].startswith("builtin:"):
            found.setdefault(rule["source"].split(":")[1], []).append(rule["name"])
    return found


# Finding.


def test_nothing_anywhere(machine: Machine) -> None:
    assert machine.found() == []


def test_every_layer(machine: Machine) -> None:
    write(machine.managed)
    write(machine.user)
    write(machine.rulez)
    assert machine.found() == [
        ("managed", "etc/rulez/rules.yaml"),
        ("user", "home/me/.config/rulez/rules.yaml"),
        ("project", "home/me/work/project/.rulez/rules.yaml"),
    ]


def test_rulez_own_user_file_is_read_only_where_ours_is_absent(machine: Machine) -> None:
    write(machine.fallback)
    assert machine.found() == [("user", "home/me/.claude/hooks.yaml")]
    write(machine.user)
    assert machine.found() == [("user", "home/me/.config/rulez/rules.yaml")]


def test_a_projects_claude_file_is_read_only_where_ours_is_absent(machine: Machine) -> None:
    write(machine.claude)
    assert machine.found() == [("project", "home/me/work/project/.claude/hooks.yaml")]
    write(machine.rulez)
    assert machine.found() == [("project", "home/me/work/project/.rulez/rules.yaml")]


def test_a_directory_below_the_project_does_not_lose_the_policy(machine: Machine) -> None:
    write(machine.rulez)
    machine.repository()
    below = machine.project / "src" / "deep"
    below.mkdir(parents=True)
    assert machine.found(below) == [("project", "home/me/work/project/.rulez/rules.yaml")]
    assert machine.found(machine.project / "not" / "made" / "yet") == machine.found(below)


def test_every_directory_up_to_the_repository_counts_nearest_first(machine: Machine) -> None:
    machine.repository()
    write(machine.rulez)
    write(machine.project / "a" / ".claude" / "hooks.yaml")
    write(machine.project / "a" / "b" / ".rulez" / "rules.yaml")
    assert [path for _, path in machine.found(machine.project / "a" / "b" / "c")] == [
        "home/me/work/project/a/b/.rulez/rules.yaml",
        "home/me/work/project/a/.claude/hooks.yaml",
        "home/me/work/project/.rulez/rules.yaml",
    ]


def test_what_stands_above_the_repository_counts_too(machine: Machine) -> None:
    write(machine.home / "work" / ".rulez" / "rules.yaml")
    assert machine.found() == [("project", "home/me/work/.rulez/rules.yaml")]
    machine.repository()
    assert machine.found() == [("project", "home/me/work/.rulez/rules.yaml")]


@pytest.mark.parametrize("made", ["a repository", "a worktree"])
def test_a_new_repository_ends_no_search(machine: Machine, made: str) -> None:
    above = write(machine.home / "work" / ".rulez" / "rules.yaml", "above")
    assert own(machine.load()) == ["above"]
    if made == "a repository":
        machine.repository()
    else:
        (machine.project / ".git").write_text("gitdir: elsewhere\n")
    assert own(machine.load()) == ["above"]
    assert {rule["name"]: rule["root"] for rule in machine.load().rules}["above"] == str(above.parent.parent)


# A policy that is not in git, in the other work trees.


@pytest.fixture
def tree(machine: Machine) -> Path:
    """A linked work tree of the project, far from it, as `git worktree add` makes one."""
    made = machine.top / "elsewhere" / "tree"
    own = machine.project / ".git" / "worktrees" / "tree"
    (made / "sub").mkdir(parents=True)
    own.mkdir(parents=True)
    (made / ".git").write_text(f"gitdir: {own}\n")
    (own / "gitdir").write_text(f"{made}/.git\n")
    (own / "commondir").write_text("../..\n")
    return made


@pytest.mark.parametrize("below", ["", "sub"])
@pytest.mark.parametrize("name", [".rulez/rules.yaml", ".claude/hooks.yaml"])
def test_the_main_work_tree_s_policy_holds_in_the_others(machine: Machine, tree: Path, name: str, below: str) -> None:
    write(machine.project / name, "untracked")
    assert machine.found(tree / below) == [("project", f"home/me/work/project/{name}")]
    policy = machine.load(tree / below)
    assert own(policy) == ["untracked"]
    assert policy.root == str(tree)
    held = next(rule for rule in policy.rules if rule["name"] == "untracked")
    assert (held["root"], held["place"]) == (str(machine.project), str(tree))


def test_each_directory_s_policy_holds_in_the_same_one_of_the_other_work_tree(machine: Machine, tree: Path) -> None:
    write(machine.project / "sub" / ".rulez" / "rules.yaml", "below")
    write(machine.project / ".rulez" / "rules.yaml", "top")
    assert own(machine.load(tree)) == ["top"]
    assert sorted(own(machine.load(tree / "sub"))) == ["below", "top"]


def test_a_work_tree_s_own_policy_takes_the_place_of_the_main_one_s(machine: Machine, tree: Path) -> None:
    write(machine.rulez, "main")
    write(tree / ".claude" / "hooks.yaml", "branch")
    assert own(machine.load(tree)) == ["branch"]


def test_a_work_tree_inside_the_main_one_has_its_policy_once(machine: Machine, tree: Path) -> None:
    write(machine.rulez, "main")
    inside = machine.project / ".claude" / "worktrees" / "tree"
    inside.parent.mkdir(parents=True)
    tree.rename(inside)
    (machine.project / ".git" / "worktrees" / "tree" / "gitdir").write_text(f"{inside}/.git\n")
    assert machine.found(inside) == [("project", "home/me/work/project/.rulez/rules.yaml")]


def _its_marker_copied(evil: Path, machine: Machine) -> None:
    (evil / ".git").write_text(f"gitdir: {machine.project}/.git/worktrees/tree\n")


def _the_repository_itself(evil: Path, machine: Machine) -> None:
    (evil / ".git").write_text(f"gitdir: {machine.project}/.git\n")


def _files_of_its_own(evil: Path, machine: Machine) -> None:
    mine = evil / "fake" / "worktrees" / "evil"
    mine.mkdir(parents=True)
    (mine / "commondir").write_text(f"{machine.project}/.git\n")
    (mine / "gitdir").write_text(f"{evil}/.git\n")
    (evil / ".git").write_text(f"gitdir: {mine}\n")


@pytest.mark.parametrize("claim", [_its_marker_copied, _the_repository_itself, _files_of_its_own])
def test_no_repository_has_another_s_policy_because_it_says_so(
    machine: Machine, tree: Path, claim: Callable[[Path, Machine], None]
) -> None:
    write(machine.rulez, "main")
    evil = machine.top / "elsewhere" / "evil"
    evil.mkdir()
    claim(evil, machine)
    assert machine.found(evil) == []
    assert machine.found(tree) != []


def test_a_repository_without_a_main_work_tree_has_no_policy_for_its_others(machine: Machine, tree: Path) -> None:
    write(machine.rulez, "main")
    bare = machine.project / "bare"
    (machine.project / ".git").rename(bare)
    (tree / ".git").write_text(f"gitdir: {bare}/worktrees/tree\n")
    assert machine.found(tree) == []


def test_in_another_work_tree_a_trusted_file_only_tightens(machine: Machine, tree: Path) -> None:
    write(machine.rulez).write_text(LOOSENING)
    policy = machine.load(tree, trusted=lambda path, _digest: path == str(machine.rulez))
    held = next(rule for rule in policy.rules if rule["name"] == "a")
    assert (list(held["actions"]), held["trusted"], policy.on_error) == (["run"], True, "deny")
    assert "essentials" in builtin(policy)


LOOSENING = """\
version: "1.0"
settings: {on_error: allow}
rules:
  - {name: a, matchers: {tools: [Bash]}, actions: {allow: true, rewrite: {command: ls}, run: ./check.sh}}
"""


def test_above_the_repository_a_trusted_file_only_tightens(machine: Machine) -> None:
    write(machine.home / "work" / ".rulez" / "rules.yaml").write_text(LOOSENING)

    def held() -> tuple[list[str], bool, str, bool]:
        policy = machine.load(trusted=lambda _path, _digest: True)
        rule = next(rule for rule in policy.rules if rule["name"] == "a")
        return sorted(rule["actions"]), rule["trusted"], policy.on_error, "essentials" in builtin(policy)

    assert held() == (["allow", "rewrite", "run"], True, "allow", True)
    machine.repository()
    # Its validators are trusted and can only deny: they go on.
    assert held() == (["run"], True, "deny", True)


def test_above_the_repository_the_strictest_word_on_errors_still_counts(machine: Machine) -> None:
    machine.repository()
    write(machine.user, head="settings: {on_error: allow}")
    write(machine.home / "work" / ".rulez" / "rules.yaml", head="settings: {on_error: ask}")
    assert machine.load(trusted=lambda _path, _digest: True).on_error == "ask"


def test_what_is_above_the_repository_one_way_and_not_the_other_holds_whole(machine: Machine) -> None:
    machine.repository()
    above = write(machine.home / "work" / ".rulez" / "rules.yaml")
    (machine.home / "work" / "other").mkdir()
    (machine.project / "out").symlink_to(machine.home / "work" / "other")
    assert [one.above for one in search(machine.places, str(machine.project)).files] == [True]
    [found] = search(machine.places, str(machine.project / "out")).files
    assert (found.path, found.above) == (str(above), False)


def test_without_a_repository_home_is_the_end(machine: Machine) -> None:
    write(machine.home / ".rulez" / "rules.yaml")
    write(machine.home.parent / ".rulez" / "rules.yaml")
    assert machine.found() == [("project", "home/me/.rulez/rules.yaml")]


def test_outside_of_home_the_root_is_the_end(machine: Machine) -> None:
    write(machine.top / ".rulez" / "rules.yaml")
    (machine.top / "srv" / "app").mkdir(parents=True)
    assert machine.found(machine.top / "srv" / "app") == [("project", ".rulez/rules.yaml")]


def test_the_users_own_files_are_no_project_of_theirs(machine: Machine) -> None:
    write(machine.fallback)
    assert machine.found(machine.home) == [("user", "home/me/.claude/hooks.yaml")]
    write(machine.user)
    assert machine.found(machine.home) == [("user", "home/me/.config/rulez/rules.yaml")]
    assert machine.found(machine.home / ".config" / "rulez") == [("user", "home/me/.config/rulez/rules.yaml")]


@posix
def test_a_link_to_the_users_file_is_not_taken_again(machine: Machine) -> None:
    write(machine.user)
    machine.rulez.parent.mkdir()
    machine.rulez.symlink_to(machine.user)
    assert machine.found() == [("user", "home/me/.config/rulez/rules.yaml")]


@posix
def test_a_link_leads_away_from_no_policy(machine: Machine) -> None:
    """Neither a link out of the project nor one into it: both ways up count."""
    machine.repository()
    write(machine.rulez)
    other = machine.home / "work" / "other"
    machine.repository(other)
    write(other / ".rulez" / "rules.yaml")
    (machine.project / "out").symlink_to(other / "src")
    (other / "src").mkdir()
    assert machine.found(machine.project / "out") == [
        ("project", "home/me/work/project/.rulez/rules.yaml"),
        ("project", "home/me/work/other/.rulez/rules.yaml"),
    ]


@posix
def test_one_file_reached_twice_is_one_file(machine: Machine) -> None:
    write(machine.rulez)
    (machine.home / "short").symlink_to(machine.project)
    assert machine.found(machine.home / "short") == [("project", "home/me/short/.rulez/rules.yaml")]


def test_a_rules_file_replaces_the_users_and_the_projects(machine: Machine) -> None:
    write(machine.managed)
    write(machine.user)
    write(machine.rulez)
    path = write(machine.top / "mine.yaml")
    assert machine.found(rules_file=str(path)) == [("managed", "etc/rulez/rules.yaml"), ("user", "mine.yaml")]


def test_no_project_directory_means_no_project(machine: Machine) -> None:
    write(machine.user)
    write(machine.rulez)
    assert [layer for layer, _ in discover(machine.places, None)] == ["user"]


def test_project_policies_alone(machine: Machine) -> None:
    write(machine.user)
    write(machine.rulez)
    assert project_policies(str(machine.project), machine.places) == (str(machine.rulez),)


@pytest.mark.parametrize("far", [MOST_LEVELS, MOST_LEVELS + 1, 5000])
def test_a_path_too_deep_to_search_is_told(machine: Machine, monkeypatch: pytest.MonkeyPatch, far: int) -> None:
    """And costs no more than the deepest that is searched: the number of looks at the disk is bounded."""
    looks = 0
    really = os.lstat

    def counted(path: str, **options: Any) -> os.stat_result:
        nonlocal looks
        looks += 1
        return really(path, **options)

    monkeypatch.setattr(os, "lstat", counted)
    start = "/" + "/".join("a" * far)
    policy = machine.load(Path(start))
    assert [problem.message for problem in policy.problems] == [
        f"this directory lies {far} levels deep, and policies are looked for in {MOST_LEVELS} at most"
    ] * (far > MOST_LEVELS)
    assert looks < 10 * MOST_LEVELS


@pytest.mark.parametrize("start", ["\0", "a" * 100_000, "", ".", "relative/directory"])
def test_any_project_directory_can_be_asked_for(machine: Machine, start: str) -> None:
    policy = load(machine.places, start, trusted=lambda _path, _digest: False)
    assert policy.rules


# The project's root.


def test_the_root_is_the_repository(machine: Machine) -> None:
    machine.repository()
    write(machine.project / "a" / ".rulez" / "rules.yaml")
    assert project_root(machine.places, str(machine.project / "a" / "b")) == str(machine.project)


def test_else_where_the_nearest_policy_is(machine: Machine) -> None:
    write(machine.fallback)
    write(machine.rulez)
    assert project_root(machine.places, str(machine.project / "a" / "b")) == str(machine.project)


def test_else_the_directory_itself(machine: Machine) -> None:
    write(machine.fallback)
    assert project_root(machine.places, str(machine.project / "a")) == str(machine.project / "a")
    assert project_root(machine.places, None) == str(machine.home)


@pytest.mark.parametrize(
    ("path", "root"),
    [
        ("/p/.rulez/rules.yaml", "/p"),
        ("/p/.claude/hooks.yaml", "/p"),
        ("/home/me/.config/rulez/rules.yaml", "/home/me/.config/rulez"),
        ("/etc/rulez/rules.yaml", "/etc/rulez"),
        ("/p/mine.yaml", "/p"),
    ],
)
def test_what_scripts_are_relative_to(path: str, root: str) -> None:
    assert root_of(path.replace("/", os.sep)) == root.replace("/", os.sep)


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/home/me/work/p/.rulez/rules.yaml", ".rulez/rules.yaml"),
        ("/home/me/.config/rulez/rules.yaml", "~/.config/rulez/rules.yaml"),
        ("/home/me/work/p2/x.yaml", "~/work/p2/x.yaml"),
        ("/etc/rulez/rules.yaml", "/etc/rulez/rules.yaml"),
    ],
)
@posix
def test_paths_as_people_read_them(path: str, shown: str) -> None:
    assert shown_path(path, "/home/me/work/p", "/home/me") == shown


# Whose a file is.

ELSE = 12345
needs_chown = pytest.mark.skipif(os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() != 0, reason="root only")


def of_somebody_else(path: Path) -> None:
    os.chown(path, ELSE, ELSE, follow_symlinks=False)


@needs_chown
@pytest.mark.parametrize("layer", ["managed", "user", "fallback", "rulez", "claude"])
@pytest.mark.parametrize("what", ["the file", "its directory", "the file it links to"])
def test_a_file_of_somebody_else_is_ignored_and_told(machine: Machine, layer: str, what: str) -> None:
    path = write(getattr(machine, layer), "theirs", head="settings: {on_error: allow, self_protection: false}")
    if what == "the file it links to":
        other = path.rename(path.with_name("other.yaml"))
        path.symlink_to(other)
        of_somebody_else(other)
    else:
        of_somebody_else(path if what == "the file" else path.parent)
    policy = machine.load()
    assert own(policy) == []
    assert builtin(policy).keys() == {"essentials", "production", "self-protection"}
    assert (policy.problems, policy.on_error) == ((), "deny")
    [warning] = policy.warnings
    assert (warning.line, warning.column) == (1, 1)
    assert warning.message == f"this file is ignored: it belongs to user {ELSE}, neither to you nor to root"
    assert ("rulez trust" in warning.help) == (layer in ("rulez", "claude"))
    assert policy.notices == (str(warning),)


@needs_chown
def test_a_broken_file_of_somebody_else_is_only_ignored(machine: Machine) -> None:
    of_somebody_else(write(machine.rulez, head="setings: {}"))
    assert machine.load().problems == ()
    assert len(machine.load().notices) == 1


@needs_chown
def test_a_link_of_somebody_else_to_a_file_of_the_person_is_ignored(machine: Machine) -> None:
    write(machine.home / "elsewhere" / "rules.yaml", "mine")
    machine.rulez.parent.symlink_to(machine.home / "elsewhere")
    of_somebody_else(machine.rulez.parent)
    assert (own(machine.load()), machine.load().problems, len(machine.load().notices)) == ([], (), 1)


@needs_chown
def test_what_a_person_has_reviewed_and_trusted_counts_whosever_it_is(machine: Machine) -> None:
    of_somebody_else(write(machine.rulez, "theirs", head="extends: [builtin:essentials]"))
    policy = machine.load(trusted=lambda _path, _digest: True)
    assert (own(policy), policy.notices) == (["theirs"], ())


@needs_chown
def test_a_rules_file_counts_whosever_it_is(machine: Machine) -> None:
    path = write(machine.top / "given.yaml", "given")
    of_somebody_else(path)
    assert own(machine.load(rules_file=path)) == ["given"]


@needs_chown
def test_where_nothing_is_known_of_owners_every_file_counts(machine: Machine) -> None:
    machine.places = machine.places.replace(owners=())
    of_somebody_else(write(machine.rulez, "theirs"))
    assert own(machine.load()) == ["theirs"]


# What the files come to.


def test_where_nothing_is_written_the_essentials_hold(machine: Machine) -> None:
    policy = machine.load()
    assert own(policy) == []
    assert builtin(policy).keys() == {"essentials", "production", "self-protection"}
    assert {rule["layer"] for rule in policy.rules} == {"built-in"}
    assert policy.problems == policy.warnings == ()
    assert [(source.layer, source.path) for source in policy.sources] == [
        ("built-in", "builtin:essentials"),
        ("built-in", "builtin:self-protection"),
    ]


# The floor: the essentials hold whatever files there are, until a person's own word takes some of them out.

FILES_THAT_TAKE_NOTHING_AWAY = {
    "nothing": "",
    "settings": "settings: {script_timeout: 7}\n",
    "changes of other rules": "overrides: {rulez-keeps-*: {action: ask}}\n",
    "rules": "rules: [{name: mine, matchers: {tools: [Bash]}, actions: {block: true}}]\n",
    "an empty list of rules": "rules: []\n",
    "another set": "extends: [builtin:git]\n",
    "the essentials themselves": "extends: [builtin:essentials]\n",
    "a set that has them": "extends: [builtin:recommended]\n",
    "an error": "setings: {}\n",
}


@pytest.mark.parametrize("trusts", [False, True], ids=["untrusted", "trusted"])
@pytest.mark.parametrize("said", FILES_THAT_TAKE_NOTHING_AWAY.values(), ids=FILES_THAT_TAKE_NOTHING_AWAY)
@pytest.mark.parametrize("layer", ["managed", "user", "fallback", "rulez", "claude"])
def test_the_essentials_hold_beside_every_file(machine: Machine, layer: str, said: str, trusts: bool) -> None:
    text(getattr(machine, layer), f'version: "1.0"\n{said}')
    policy = machine.load(trusted=lambda _path, _digest: trusts)
    assert sorted(builtin(policy)["essentials"]) == sorted(packs.reach((packs.DEFAULT,))[packs.DEFAULT])
    assert (policy.floor.holds, policy.floor.changed) == (True, ())


def test_what_a_file_extends_again_is_asked_once(machine: Machine) -> None:
    text(machine.user, 'version: "1.0"\nextends: [builtin:recommended]\n')
    assert builtin(machine.load())["essentials"].count("no-force-push") == 1


def test_a_project_below_has_the_essentials_for_its_own_root_and_for_the_whole(machine: Machine) -> None:
    machine.repository()
    text(machine.project / "src" / ".rulez" / "rules.yaml", 'version: "1.0"\nextends: [builtin:essentials]\n')
    rules = [rule for rule in machine.load(machine.project / "src").rules if rule["name"] == "no-delete-of-the-project"]
    assert {rule["layer"] for rule in rules} == {"project", "built-in"}


OFF = "settings: {essentials: false}\n"
ON = "settings: {essentials: true}\n"


@pytest.mark.parametrize(
    ("managed", "user", "project", "holds"),
    [
        ("", OFF, "", False),
        (OFF, "", "", False),
        (ON, OFF, "", True),
        (OFF, ON, "", False),
        ("", "", OFF, True),
        ("a: 1\n", OFF, "", True),
        ("", f"{OFF}a: 1\n", "", True),
    ],
)
def test_who_may_switch_the_essentials_off(
    machine: Machine, managed: str, user: str, project: str, holds: bool
) -> None:
    for path, said in ((machine.managed, managed), (machine.user, user), (machine.rulez, project)):
        if said:
            text(path, f'version: "1.0"\n{said}')
    policy = machine.load(trusted=lambda _path, _digest: True)
    assert policy.floor.holds is holds
    assert ("essentials" in builtin(policy)) is holds


@pytest.mark.parametrize(
    ("managed", "user", "project", "counts"),
    [
        ("", "off", "", "off"),
        ("certain", "off", "", "certain"),
        ("doubt", "", "off", "doubt"),
        ("", "", "off", None),
        ("", "", "", None),
    ],
)
def test_who_may_say_which_commands_of_files_count(
    machine: Machine, managed: str, user: str, project: str, counts: str | None
) -> None:
    for path, said in ((machine.managed, managed), (machine.user, user), (machine.rulez, project)):
        if said:
            text(path, f'version: "1.0"\nsettings: {{files: {said}}}\nrules: []\n')
    rules = machine.load(trusted=lambda _path, _digest: True).rules
    protecting = [rule for rule in rules if rule["source"].startswith(UNEXCEPTED)]
    assert {rule.get("files") for rule in rules if rule not in protecting} == {counts}
    assert {rule.get("files") for rule in protecting} == {None}


def test_a_rule_and_a_change_say_it_before_the_setting(machine: Machine) -> None:
    text(
        machine.user,
        'version: "1.0"\nsettings: {files: off}\noverrides: {no-force-push: {files: doubt}}\n'
        "rules: [{name: own, files: certain, matchers: {tools: [Bash]}, actions: {block: true}}]\n",
    )
    found = {rule["name"]: rule.get("files") for rule in machine.load().rules}
    assert (found["own"], found["no-force-push"], found["no-hard-reset"]) == ("certain", "doubt", "off")


def test_where_they_are_switched_off_is_said(machine: Machine) -> None:
    text(machine.user, 'version: "1.0"\nsettings:\n  essentials: false\n')
    assert machine.load().floor.off_by == os.path.join("~", ".config", "rulez", "rules.yaml:3")


CHANGES: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "a person takes one out": ({"user": "disable: [no-force-push]"}, {"no-force-push": "off"}),
    "a person changes one": ({"user": "overrides: {no-force-push: {action: ask}}"}, {"no-force-push": "ask"}),
    "a person takes one out of a set that they extend": (
        {"user": "extends: [builtin:recommended]\ndisable: [no-hard-reset]"},
        {"no-hard-reset": "off"},
    ),
    "a checkpoint of what is lost": (
        {"user": 'overrides: {"no-*": {action: checkpoint}}'},
        {"no-hard-reset": "checkpoint"},
    ),
    "a checkpoint, by the managed file": (
        {"managed": "overrides: {no-hard-reset: {action: checkpoint}}", "user": "disable: [no-hard-reset]"},
        {"no-hard-reset": "checkpoint"},
    ),
    "a checkpoint, by a project": (
        {"project": "overrides: {no-hard-reset: {action: checkpoint}}"},
        {"no-hard-reset": "checkpoint"},
    ),
    "the managed file": ({"managed": "disable: [no-fork-bombs]"}, {"no-fork-bombs": "off"}),
    "a person may name many with a pattern": (
        {"user": 'overrides: {"no-hard-*": {action: log}}'},
        {"no-hard-reset": "log"},
    ),
    "somewhere else": ({"user": "overrides: {no-force-push: {action: ask, in: [/elsewhere]}}"}, {}),
    "for files that a call runs": (
        {"user": "overrides: {no-force-push: {files: off}, no-hard-reset: {files: doubt}}"},
        {"no-force-push": "unread"},
    ),
    "a project, by name": (
        {"project": "disable: [no-force-push]\noverrides: {no-hard-reset: {action: log}}"},
        {"no-force-push": "off", "no-hard-reset": "log"},
    ),
    "a project, by a pattern": ({"project": 'overrides: {"*": {action: log}, "no-*": {action: ask}}'}, {}),
    "the managed file's word comes before the user's": (
        {"managed": "overrides: {no-force-push: {action: block}}", "user": "disable: [no-force-push]"},
        {},
    ),
    "the user's before a project's": (
        {"user": "overrides: {no-force-push: {action: ask}}", "project": "disable: [no-force-push, no-hard-reset]"},
        {"no-force-push": "ask", "no-hard-reset": "off"},
    ),
}


@pytest.mark.parametrize(("files", "changed"), CHANGES.values(), ids=CHANGES)
def test_single_rules_are_changed_by_name(machine: Machine, files: dict[str, str], changed: dict[str, str]) -> None:
    for layer, said in files.items():
        text(machine.rulez if layer == "project" else getattr(machine, layer), f'version: "1.0"\n{said}\n')
    policy = machine.load(trusted=lambda _path, _digest: True)
    assert [str(one) for one in policy.problems] == []
    assert {one.rule: one.does for one in policy.floor.changed} == changed
    for name, does in changed.items():
        held = [rule for rule in policy.rules if rule["name"] == name]
        assert (does == "off") is (held == [])
        assert {
            "log": all(rule["mode"] == "audit" for rule in held),
            "ask": all("ask" in r["actions"] for r in held),
            "checkpoint": all("checkpoint" in r["actions"] for r in held),
        }.get(does, True)


def test_before_a_project_is_trusted_it_changes_none(machine: Machine) -> None:
    text(machine.rulez, 'version: "1.0"\ndisable: [no-force-push]\noverrides: {no-hard-reset: {action: log}}\n')
    policy = machine.load()
    assert (policy.problems, policy.floor.changed) == ((), ())
    assert {"no-force-push", "no-hard-reset"} <= set(builtin(policy)["essentials"])


@pytest.mark.parametrize("change", ["files: off", "action: log", "except: {tools: [Bash]}"])
def test_a_project_that_extends_them_changed_leaves_them_as_they_are_before_it_is_trusted(
    machine: Machine, change: str
) -> None:
    text(
        machine.rulez,
        f'version: "1.0"\nextends: [builtin:essentials]\noverrides: {{no-force-push: {{{change}}}}}\n',
    )
    (whole,) = [rule for rule in read_floor(str(machine.project)).rules if rule["name"] == "no-force-push"]
    assert whole in machine.load().rules


def test_above_the_repository_a_trusted_project_changes_none(machine: Machine) -> None:
    text(machine.home / "work" / ".rulez" / "rules.yaml", 'version: "1.0"\ndisable: [no-force-push]\n')
    machine.repository()
    assert machine.load(trusted=lambda _path, _digest: True).floor.changed == ()


def test_a_project_s_pattern_that_leaves_the_essentials_alone_is_told(machine: Machine) -> None:
    text(machine.rulez, 'version: "1.0"\noverrides: {"no-force-push*": {action: ask}}\n')
    (warning,) = machine.load().warnings
    assert str(warning) == (
        f'{os.path.join(".rulez", "rules.yaml")}:2:13: "overrides": "no-force-push*" leaves no-force-push,'
        " no-force-push-by-refspec of builtin:essentials as they are;"
        " a project changes those by their names, one by one"
    )


def test_a_project_that_would_switch_them_off_is_told(machine: Machine) -> None:
    text(machine.rulez, f'version: "1.0"\n{OFF}')
    (warning,) = machine.load().warnings
    assert warning.message == '"settings.essentials" has no effect in a project'


SAYING = {
    "rules and no word": ("rules: []\n", True),
    "another set and no word": ("extends: [builtin:git]\n", True),
    "no rules": ("settings: {script_timeout: 7}\n", False),
    "the set": ("extends: [builtin:essentials]\nrules: []\n", False),
    "a set that has it": ("extends: [builtin:recommended]\nrules: []\n", False),
    "a rule of it": ("disable: [no-force-push]\nrules: []\n", False),
    "the setting": (f"{ON}rules: []\n", False),
}


@pytest.mark.parametrize(("said", "noticed"), SAYING.values(), ids=SAYING)
@pytest.mark.parametrize("layer", ["managed", "user", "rulez"])
def test_a_file_that_relied_on_taking_their_place_is_told_of_once_a_session(
    machine: Machine, layer: str, said: str, noticed: bool
) -> None:
    path = getattr(machine, layer)
    if layer == "rulez" and ON in said:
        said = "extends: [builtin:essentials]\n"
    text(path, f'version: "1.0"\n{said}')
    told = machine.load(trusted=lambda _path, _digest: True).notices
    assert bool(told) is noticed
    assert all(one.startswith("builtin:essentials holds beside") and "extends:" in one for one in told)
    assert all(("essentials: false" in one) is (layer != "rulez") for one in told)
    assert machine.load().notices == (() if layer == "rulez" else told)


def test_a_rules_file_is_the_whole_policy(machine: Machine) -> None:
    assert builtin(machine.load(rules_file=write(machine.top / "mine.yaml", "mine"))).keys() == {"self-protection"}


def test_a_file_that_extends_the_essentials_has_them_in_its_layer(machine: Machine) -> None:
    write(machine.rulez, "mine", head="extends: [builtin:essentials]\ndisable: [no-hard-reset]")
    policy = machine.load(trusted=lambda _path, _digest: True)
    essentials = [rule for rule in policy.rules if rule["source"].startswith("builtin:essentials:")]
    assert {rule["layer"] for rule in essentials} == {"project"}
    assert all(rule["trusted"] for rule in essentials)
    assert "no-force-push" in {rule["name"] for rule in essentials}
    assert "no-hard-reset" not in {rule["name"] for rule in essentials}


def test_what_a_file_disables_comes_back_until_it_is_trusted(machine: Machine) -> None:
    write(machine.rulez, head="extends: [builtin:essentials]\ndisable: [no-hard-reset]")
    assert builtin(machine.load())["essentials"].count("no-hard-reset") == 1


def test_disabling_concerns_only_the_same_file(machine: Machine) -> None:
    write(machine.user, head="extends: [builtin:essentials]")
    write(machine.rulez, head="extends: [builtin:essentials]\ndisable: [no-hard-reset]")
    assert builtin(machine.load())["essentials"].count("no-hard-reset") == 1
    assert builtin(machine.load())["essentials"].count("no-force-push") == 2


def test_a_pack_extended_twice_counts_once(machine: Machine) -> None:
    write(machine.user, head="extends: [builtin:essentials, builtin:essentials]")
    assert builtin(machine.load())["essentials"].count("no-force-push") == 1


def test_evaluation_order_is_priority_then_layer_then_file(machine: Machine) -> None:
    machine.repository()
    write(machine.managed, "m0", "m5 5")
    write(machine.user, "u5 5", "u9 9", "u0")
    write(machine.rulez, "p0", "p9 9", "q0")
    write(machine.project / "src" / ".rulez" / "rules.yaml", "s0", "s5 5")
    assert own(machine.load(machine.project / "src")) == [
        *("u9", "p9"),
        *("m5", "u5", "s5"),
        *("m0", "u0", "s0", "p0", "q0"),
    ]


def test_the_source_of_a_rule_is_its_line(machine: Machine) -> None:
    machine.repository()
    write(machine.user, "u")
    write(machine.rulez, "a", "b")
    (machine.project / "src").mkdir()
    sources = {rule["name"]: rule["source"] for rule in machine.load(machine.project / "src").rules}
    assert sources["a"] == f".rulez{os.sep}rules.yaml:3"
    assert sources["b"] == f".rulez{os.sep}rules.yaml:4"
    assert sources["u"] == os.path.join("~", ".config", "rulez", "rules.yaml") + ":3"


def test_scripts_belong_to_the_directory_of_their_file(machine: Machine) -> None:
    write(machine.user, "u")
    write(machine.rulez, "a")
    roots = {rule["name"]: rule["root"] for rule in machine.load().rules}
    assert roots["a"] == str(machine.project)
    assert roots["u"] == str(machine.user.parent)


# Trust.


def test_only_a_projects_file_needs_trust(machine: Machine) -> None:
    write(machine.managed, "m")
    write(machine.user, "u")
    write(machine.rulez, "p")
    trusted = {rule["name"]: rule["trusted"] for rule in machine.load().rules}
    assert (trusted["m"], trusted["u"], trusted["p"]) == (True, True, False)
    assert [(source.layer, source.trusted) for source in machine.load().sources] == [
        ("managed", True),
        ("user", True),
        ("project", False),
        ("built-in", True),
        ("built-in", True),
    ]


def test_trust_is_asked_for_the_path_and_digest_of_the_file(machine: Machine) -> None:
    asked: list[tuple[str, str]] = []

    def trusted(path: str, digest: str) -> bool:
        asked.append((path, digest))
        return True

    write(machine.rulez, "p")
    policy = machine.load(trusted=trusted)
    assert {rule["name"]: rule["trusted"] for rule in policy.rules}["p"] is True
    assert asked == [(str(machine.rulez), policy.sources[0].digest)]


def test_the_digest_covers_the_scripts_a_file_names(machine: Machine) -> None:
    script = machine.project / "check.sh"
    write(machine.rulez)
    machine.rulez.write_text(
        'version: "1.0"\nrules:\n  - {name: a, matchers: {tools: [Bash]}, actions: {run: ./check.sh}}\n'
    )
    digests = [machine.load().sources[0].digest]
    for text in ("exit 0", "exit 1", "exit 0"):
        script.write_text(text)
        digests.append(machine.load().sources[0].digest)
    assert len(set(digests)) == 3
    assert digests[1] == digests[3]


# Settings.


@pytest.mark.parametrize(
    ("managed", "user", "project", "trusted", "effective"),
    [
        (None, None, None, False, "deny"),
        (None, "{on_error: allow}", None, False, "allow"),
        (None, "{fail_open: true}", None, False, "deny"),
        ("{on_error: ask}", "{on_error: allow}", None, False, "ask"),
        ("{on_error: allow}", "{on_error: deny}", None, False, "deny"),
        (None, None, "{on_error: allow}", False, "deny"),
        (None, None, "{on_error: allow}", True, "allow"),
        (None, "{on_error: allow}", "{on_error: ask}", True, "ask"),
        (None, "{on_error: allow}", "{script_timeout: 3}", True, "allow"),
    ],
)
def test_the_strictest_trusted_word_on_errors_holds(
    machine: Machine, managed: str | None, user: str | None, project: str | None, trusted: bool, effective: str
) -> None:
    for path, settings in ((machine.managed, managed), (machine.user, user), (machine.rulez, project)):
        if settings is not None:
            write(path, head=f"settings: {settings}")
    assert machine.load(trusted=lambda _path, _digest: trusted).on_error == effective


@pytest.mark.parametrize(
    ("managed", "user", "project", "effective"),
    [
        (None, None, None, True),
        ("false", None, None, False),
        (None, "false", None, False),
        (None, None, "false", True),
        ("true", "false", None, True),
        ("false", "true", None, False),
    ],
)
def test_who_may_switch_self_protection_off(
    machine: Machine, managed: str | None, user: str | None, project: str | None, effective: bool
) -> None:
    for path, word in ((machine.managed, managed), (machine.user, user), (machine.rulez, project)):
        if word is not None:
            write(path, head=f"settings: {{self_protection: {word}}}")
    policy = machine.load(trusted=lambda _path, _digest: True)
    assert policy.self_protection is effective
    assert ("self-protection" in builtin(policy)) is effective


def test_the_program_that_runs_is_protected_wherever_it_is(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    globs = {rule["name"]: rule["match"].get("paths", {}).get("globs") for rule in machine.load().rules}
    assert os.path.dirname(packs.DIRECTORY).rpartition("/")[0] in globs["rulez-protects-its-program"]
    program = machine.top / "some where" / "guard"
    (program.parent / "_internal").mkdir(parents=True)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    globs = {rule["name"]: rule["match"].get("paths", {}).get("globs") for rule in machine.load().rules}
    assert {str(program), str(program.parent / "_internal")} <= set(globs["rulez-protects-its-program"])
    assert str(program.parent) not in globs["rulez-protects-its-program"]


ASK = "{rulez-protects-itself: {action: ask}}"
BLOCK = "{rulez-protects-itself: {action: block}}"


@pytest.mark.parametrize(
    ("managed", "user", "effective"),
    [
        (None, None, "block"),
        (None, f"overrides: {ASK}", "ask"),
        (None, 'overrides: {"*itself": {action: ask}}', "ask"),
        (None, 'overrides: {"*": {action: ask}, rulez-protects-itself: {action: block}}', "block"),
        (f"overrides: {ASK}", None, "ask"),
        ("rules: []", f"overrides: {ASK}", "ask"),
        (f"overrides: {BLOCK}", f"overrides: {ASK}", "block"),
        ("settings: {self_protection: true}", f"overrides: {ASK}", "block"),
        ("setings: {}", f"overrides: {ASK}", "block"),
        (None, f"overrides: {ASK}\nsetings: {{}}", "block"),
        (f"overrides: {ASK}", f"overrides: {BLOCK}", "ask"),
    ],
)
def test_who_may_have_self_protection_ask(
    machine: Machine, managed: str | None, user: str | None, effective: str
) -> None:
    for path, head in ((machine.managed, managed), (machine.user, user)):
        if head is not None:
            path.parent.mkdir(parents=True)
            path.write_text(f'version: "1.0"\nextends: [builtin:git]\n{head}\n')
    rules = {rule["name"]: rule for rule in machine.load().rules}
    assert rules["rulez-protects-itself"]["actions"] == {effective: True}


def test_a_project_has_no_self_protection_ask(machine: Machine) -> None:
    write(machine.rulez, "p", head=f"overrides: {ASK}")
    policy = machine.load(trusted=lambda _path, _digest: True)
    assert told(policy) == [
        f'.rulez{os.sep}rules.yaml:2:13: "overrides" names "rulez-protects-itself", a rule by which rulez protects'
        " itself; only the managed and the user's own policy change it"
    ]
    rules = {rule["name"]: rule for rule in policy.rules}
    assert rules["rulez-protects-itself"]["actions"] == {"block": True}


@pytest.mark.parametrize(
    ("overrides", "effective"),
    [
        ("{no-force-push: {action: log}}", ("audit", {"block": True})),
        ('{"*": {action: log}, no-force-push: {action: ask}}', ("enforce", {"ask": True})),
        ('{no-force-push: {action: ask}, "no-*": {action: log}}', ("audit", {"block": True})),
        ("{no-force-push: {action: log, in: [/somewhere/else]}}", ("enforce", {"block": True})),
        ("{no-force-push: {action: ask, in: [HERE, /somewhere]}}", ("enforce", {"ask": True})),
    ],
)
def test_the_last_change_that_fits_counts_in_its_projects(
    machine: Machine, overrides: str, effective: tuple[str, dict[str, bool]]
) -> None:
    here = machine.load().root
    write(machine.user, head=f"extends: [builtin:essentials]\noverrides: {overrides.replace('HERE', here)}")
    rules = {rule["name"]: rule for rule in machine.load().rules}
    assert (rules["no-force-push"]["mode"], rules["no-force-push"]["actions"]) == effective


def test_a_file_changes_the_rules_that_it_extends_for_itself(machine: Machine) -> None:
    write(machine.user, head="extends: [builtin:essentials]")
    write(machine.rulez, head='extends: [builtin:essentials]\noverrides: {"no-force-push": {action: ask}}')
    policy = machine.load(trusted=lambda _path, _digest: True)
    actions = {rule["layer"]: rule["actions"] for rule in policy.rules if rule["name"] == "no-force-push"}
    assert actions == {"user": {"block": True}, "project": {"ask": True}}


@pytest.mark.parametrize("damaged", ["managed", "user"])
def test_a_damaged_file_leaves_nothing_to_the_laxer_ones(machine: Machine, damaged: str) -> None:
    lax = "settings: {on_error: allow, self_protection: false}"
    for path in (machine.managed, machine.user, machine.rulez):
        write(path, head=lax)
    policy = machine.load(trusted=lambda _path, _digest: True)
    assert (policy.on_error, policy.self_protection) == ("allow", False)
    write(getattr(machine, damaged), head="setings: {}")
    policy = machine.load(trusted=lambda _path, _digest: True)
    # Where the managed file says no to self-protection, the user's is not asked.
    assert (policy.on_error, policy.self_protection) == ("deny", damaged == "managed")


def test_a_damaged_project_leaves_errors_to_the_users_word(machine: Machine) -> None:
    write(machine.user, head="settings: {on_error: allow}")
    write(machine.rulez, head="setings: {}")
    assert machine.load().on_error == "allow"


# What cannot be used.


def told(policy: Policy) -> list[str]:
    return [str(problem) for problem in policy.problems]


def test_an_invalid_file_has_problems_and_no_rules(machine: Machine) -> None:
    write(machine.user, "u")
    write(machine.rulez, "good", head="settings: {on_eror: allow, self_protection: false}")
    policy = machine.load()
    assert own(policy) == ["u"]
    assert told(policy) == [
        f'.rulez{os.sep}rules.yaml:2:12: unknown setting "on_eror"; did you mean "on_error"?',
    ]
    assert policy.sources[1].path == str(machine.rulez)


def test_warnings_are_kept_apart(machine: Machine) -> None:
    write(machine.rulez, "a", head="settings: {log_level: debug}")
    policy = machine.load()
    assert own(policy) == ["a"]
    assert told(policy) == []
    assert [problem.message for problem in policy.warnings] == ['"settings.log_level" has no effect here']


def test_every_files_problems_are_told(machine: Machine) -> None:
    write(machine.managed, head="a: 1")
    write(machine.user, head="b: 1")
    write(machine.rulez, head="c: 1\nd: 1")
    assert [problem.line for problem in machine.load().problems] == [2, 2, 2, 3]


UNREADABLE = "the file cannot be read: {}; correct that, or remove the file"


def test_a_missing_rules_file(machine: Machine) -> None:
    write(machine.rulez, "p")
    policy = machine.load(rules_file=machine.project / "nope.yaml")
    assert told(policy) == ["nope.yaml:1:1: the file cannot be read: there is no such file; check the name"]
    assert own(policy) == []
    assert not (machine.project / "nope.yaml").exists()


def test_a_rules_file_is_the_persons_own(machine: Machine) -> None:
    write(machine.rulez, "p")
    path = write(machine.project / "mine.yaml", "mine", head="settings: {self_protection: false}")
    policy = machine.load(rules_file=path)
    assert [(rule["name"], rule["layer"], rule["trusted"]) for rule in policy.rules] == [("mine", "user", True)]


def test_a_directory_in_place_of_a_file(machine: Machine) -> None:
    machine.rulez.mkdir(parents=True)
    write(machine.claude, "c")
    policy = machine.load()
    assert told(policy) == [f".rulez{os.sep}rules.yaml:1:1: " + UNREADABLE.format("it is a directory")]
    assert own(policy) == []


@posix
def test_a_link_to_nothing_is_no_absent_file(machine: Machine) -> None:
    machine.user.parent.mkdir(parents=True)
    machine.user.symlink_to(machine.top / "gone.yaml")
    write(machine.fallback, "f")
    policy = machine.load()
    assert told(policy) == ["~/.config/rulez/rules.yaml:1:1: " + UNREADABLE.format("it is a link to nothing")]
    assert own(policy) == []


@posix
def test_a_link_to_itself(machine: Machine) -> None:
    machine.rulez.parent.mkdir()
    machine.rulez.symlink_to(machine.rulez)
    assert len(machine.load().problems) == 1


@posix
def test_a_fifo_does_not_hang(machine: Machine) -> None:
    machine.rulez.parent.mkdir()
    if sys.platform != "win32":
        os.mkfifo(machine.rulez)
    assert told(machine.load()) == [".rulez/rules.yaml:1:1: " + UNREADABLE.format("it is not a regular file")]


@not_root
def test_a_file_nobody_may_read(machine: Machine) -> None:
    write(machine.rulez, "p").chmod(0)
    assert told(machine.load()) == [".rulez/rules.yaml:1:1: " + UNREADABLE.format("permission denied")]


@not_root
def test_a_directory_nobody_may_look_into(machine: Machine) -> None:
    write(machine.managed, "m").parent.chmod(0)
    try:
        assert told(machine.load()) == [f"{machine.managed}:1:1: " + UNREADABLE.format("permission denied")]
    finally:
        machine.managed.parent.chmod(0o755)


def test_a_file_in_place_of_a_directory_is_no_policy(machine: Machine) -> None:
    (machine.project / ".rulez").write_text("")
    write(machine.claude, "c")
    assert own(machine.load()) == ["c"]


@pytest.mark.parametrize(("size", "problems"), [(LARGEST_FILE, 0), (LARGEST_FILE + 1, 1)])
def test_the_size_of_a_file_is_bounded(machine: Machine, size: int, problems: int) -> None:
    start = 'version: "1.0"\nsettings: {}\nrules: []\n#'
    machine.rulez.parent.mkdir()
    machine.rulez.write_text(start + "x" * (size - len(start)))
    expected = [f".rulez{os.sep}rules.yaml:1:1: " + UNREADABLE.format("it is larger than 5 MiB")]
    assert told(machine.load()) == expected * problems


def test_other_encodings_are_told(machine: Machine) -> None:
    machine.rulez.parent.mkdir()
    machine.rulez.write_bytes(b'version: "1.0"\nrules: [] # \xe9\n')
    assert told(machine.load()) == [
        f".rulez{os.sep}rules.yaml:2:13: byte 0xe9 is not UTF-8; save the file as UTF-8",
    ]


def test_a_failure_of_rulez_itself_is_a_problem_of_the_file(machine: Machine) -> None:
    def broken(_path: str, _digest: str) -> bool:
        raise RuntimeError("no")

    write(machine.user, "u")
    write(machine.rulez, "p")
    policy = machine.load(trusted=broken)
    assert told(policy) == [
        f".rulez{os.sep}rules.yaml:1:1: rulez failed on this file: RuntimeError: no;"
        " this is a bug in rulez, please report it"
    ]
    assert own(policy) == ["u"]


def test_a_damaged_installation_is_told(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packs, "DIRECTORY", str(machine.top))
    assert told(machine.load()) == [
        f"builtin:{name}:1:1: the rule set cannot be read: there is no such file; install rulez again"
        for name in ("essentials", "self-protection")
    ]


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"data": 1}', '{"data": {"rules": [{}]}, "rule_lines": [1]}'])
@pytest.mark.parametrize("written", [None, "rules: [", "{}"])
def test_a_pack_that_is_damaged_is_told(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, content: str, written: str | None
) -> None:
    monkeypatch.setattr(packs, "DIRECTORY", str(machine.top))
    (machine.top / "broken.json").write_text(content)
    if written is not None:
        (machine.top / "broken.yaml").write_text(written)
    pack = read_pack("broken", str(machine.project))
    assert [str(problem).partition(": the rule set cannot be read: ")[0] for problem in pack.problems] == [
        "builtin:broken:1:1"
    ]
    assert pack.problems[0].help == "install rulez again"
    assert pack.rules == ()


# Packs that extend packs.


@pytest.fixture
def shelf(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts a pack among those that ship: its name, its rules, and what else is in it."""
    place = machine.top / "packs"
    place.mkdir()
    monkeypatch.setattr(packs, "DIRECTORY", str(place))

    def put(name: str, *rules: str, **more: list[str]) -> None:
        written = [{"name": rule, "matchers": {}, "actions": {"block": True}} for rule in rules]
        checked: dict[str, object] = {
            "data": {"version": "1.0", **more, "rules": written},
            "rule_lines": [7 + n for n in range(len(rules))],
        }
        (place / f"{name}.yaml").write_text(name)
        checked["made_from"] = content_digest(name.encode())
        (place / f"{name}.json").write_text(json.dumps(checked))

    put("self-protection")
    put("essentials", "push-by-force")
    put("git", "push", "reset")
    put("files", "rm")
    put("both", "own", extends=["builtin:git", "builtin:files"])
    return put


def test_a_pack_brings_the_packs_it_extends_each_rule_once_and_in_the_files_layer(
    machine: Machine, shelf: Callable[..., None]
) -> None:
    write(machine.user, "mine", head="extends: [builtin:files, builtin:both]")
    policy = machine.load()
    assert policy.problems == ()
    assert [(rule["name"], rule["layer"], rule["source"]) for rule in policy.rules] == [
        ("mine", "user", "~/.config/rulez/rules.yaml:4"),
        ("rm", "user", "builtin:files:7"),
        ("own", "user", "builtin:both:7"),
        ("push", "user", "builtin:git:7"),
        ("reset", "user", "builtin:git:8"),
        ("push-by-force", "built-in", "builtin:essentials:7"),
    ]


def test_disabling_reaches_the_packs_behind_a_pack(machine: Machine, shelf: Callable[..., None]) -> None:
    write(machine.user, head="extends: [builtin:both]\ndisable: [push, rm]")
    assert own_and_extended(machine.load()) == ["own", "reset"]


def test_what_a_pack_disables_holds_where_it_is_also_reached_another_way(
    machine: Machine, shelf: Callable[..., None]
) -> None:
    shelf("gentle", extends=["builtin:git"], disable=["push"])
    write(machine.user, head="extends: [builtin:gentle]")
    assert own_and_extended(machine.load()) == ["reset"]
    write(machine.user, head="extends: [builtin:gentle, builtin:git]")
    assert own_and_extended(machine.load()) == ["push", "reset"]


def test_packs_that_extend_each_other_end(machine: Machine, shelf: Callable[..., None]) -> None:
    shelf("a", "in-a", extends=["builtin:b"])
    shelf("b", "in-b", extends=["builtin:a", "builtin:b"])
    write(machine.user, head="extends: [builtin:b]")
    assert own_and_extended(machine.load()) == ["in-b", "in-a"]


def test_a_pack_behind_a_pack_that_is_missing_is_told(machine: Machine, shelf: Callable[..., None]) -> None:
    shelf("a", "in-a", extends=["builtin:lost"])
    write(machine.user, head="extends: [builtin:a]")
    assert [str(problem) for problem in machine.load().problems] == [
        "builtin:lost:1:1: the rule set cannot be read: there is no such file; install rulez again"
    ]


def test_disabling_what_no_pack_in_reach_has_is_told_with_the_nearest_name(
    machine: Machine, shelf: Callable[..., None]
) -> None:
    write(machine.user, head="extends: [builtin:both]\ndisable: [psuh]")
    assert [problem.text for problem in machine.load().problems] == [
        '"disable" holds "psuh", which is no rule of builtin:both or builtin:essentials; did you mean "push"?'
    ]


def test_a_rule_with_the_name_of_one_behind_a_pack_is_told(machine: Machine, shelf: Callable[..., None]) -> None:
    write(machine.user, "push", head="extends: [builtin:both]")
    assert [problem.message for problem in machine.load().warnings] == [
        'rule "push" has the name of a rule of builtin:git, and both hold'
    ]


def own_and_extended(policy: Policy) -> list[str]:
    return [rule["name"] for rule in policy.rules if rule["layer"] != "built-in"]


PIECES = st.sampled_from(
    [
        *('version: "1.0"\n', "rules:\n", "  - name: a\n", "    matchers: ", "    actions: ", "{tools: [Bash]}\n"),
        *("settings: {on_error: allow}\n", "extends: builtin:essentials\n", "disable: [a]\n"),
        *("x\n", "\t", "&a ", "*a ", "[", "}", "é"),
    ]
)


@given(content=st.lists(PIECES, max_size=12).map(lambda pieces: "".join(pieces).encode()) | st.binary(max_size=300))
def test_whatever_stands_in_a_file_it_is_used_or_told(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as top:
        machine = Machine(Path(top).resolve())
        machine.rulez.parent.mkdir()
        machine.rulez.write_bytes(content)
        policy = machine.load()
        used = any(rule["layer"] == "project" for rule in policy.rules)
        assert not (used and policy.problems)
        assert policy.on_error == "deny"
        assert "self-protection" in builtin(policy)


def test_a_project_cannot_make_rulez_read_out_somebody_elses_file(machine: Machine, tmp_path: Path) -> None:
    secret = tmp_path / "netrc"
    secret.write_text("machine x login me password s3cr3t")
    machine.rulez.parent.mkdir(parents=True, exist_ok=True)
    machine.rulez.symlink_to(secret)
    said = told(machine.load())
    assert len(said) == 1
    assert "a link that leads out of the project" in said[0]
    assert "s3cr3t" not in said[0]


def protected(policy: Policy) -> list[str]:
    (rule,) = (rule for rule in policy.rules if rule["name"] == "rulez-protects-itself")
    globs: list[str] = rule["match"]["paths"]["globs"]
    return globs


def test_what_decides_here_is_protected_wherever_it_really_is(machine: Machine) -> None:
    policy = write(machine.home / "dotfiles" / "rules*.yaml", "mine")
    machine.user.parent.mkdir(parents=True)
    machine.user.symlink_to(policy)
    globs = protected(machine.load())
    assert str(machine.user) in globs
    assert str(policy).replace("*", "\\*") in globs
    assert machine.places.state in globs


def test_the_programs_a_users_policy_runs_are_protected(machine: Machine) -> None:
    rule = "{name: mine, matchers: {tools: [Bash]}, actions: {run: python3 checks/a.py --strict}}"
    machine.user.parent.mkdir(parents=True)
    machine.user.write_text(f'version: "1.0"\nrules:\n  - {rule}\n')
    script = machine.user.parent / "checks" / "a.py"
    script.parent.mkdir()
    script.write_text("")
    assert str(script) in protected(machine.load())
