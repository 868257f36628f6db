"""What trust in a policy file is tied to, where it is kept, and when it does not count."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py.policy.store.search import leads_out
from rulez_py.system.places import Places
from rulez_py.trust import (
    StoreProblem,
    Trusted,
    digest,
    is_trusted,
    problem,
    revoke,
    script_files,
    script_words,
    scripts_of,
    trust,
    trusted,
)

ROOT = Path(__file__).parent.parent
NOON = 1_700_000_000.0
SHOWN_NOON = "2023-11-14T22:13:20+00:00"


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(
        home=str(tmp_path),
        managed_policy=str(tmp_path / "etc" / "rules.yaml"),
        user_policy=str(tmp_path / "config" / "rules.yaml"),
        user_fallback=str(tmp_path / ".claude" / "hooks.yaml"),
        state=str(tmp_path / "state" / "rulez"),
        cache=str(tmp_path / "cache" / "rulez"),
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    directory = Path(os.path.realpath(tmp_path)) / "project"
    (directory / ".rulez").mkdir(parents=True)
    (directory / ".rulez" / "rules.yaml").write_text("version: '1.0'\n")
    return directory


def policy(project: Path) -> str:
    return str(project / ".rulez" / "rules.yaml")


def store(places: Places) -> Path:
    return Path(places.state) / "trust.json"


# The digest.


def test_the_same_files_have_the_same_digest_wherever_the_project_lies(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "check.sh").write_text("exit 0")
    one, two = (
        digest(f"{tmp_path}/{name}/rules.yaml", b"x", [f"{tmp_path}/{name}/check.sh"]) for name in ("one", "two")
    )
    assert one == two
    assert re.fullmatch("[0-9a-f]{64}", one)


def test_the_order_of_scripts_does_not_count(project: Path) -> None:
    scripts = [str(project / name) for name in ("a.sh", "b.sh", "c.sh")]
    for script in scripts:
        Path(script).write_text(script)
    assert digest(policy(project), b"", scripts) == digest(policy(project), b"", [*reversed(scripts), scripts[0]])


def change_nothing(script: Path) -> None:
    script.chmod(0o600)
    os.utime(script, (1, 1))


def change_bytes(script: Path) -> None:
    script.write_text("exit 1")


def remove(script: Path) -> None:
    script.unlink()


def empty(script: Path) -> None:
    script.write_text("")


def become_fifo(script: Path) -> None:
    script.unlink()
    os.mkfifo(script)


@pytest.mark.skipif(os.name == "nt", reason="POSIX files")
def test_a_digest_changes_exactly_with_the_content(project: Path) -> None:
    script = project / "check.sh"
    seen = []
    for change in (change_nothing, change_bytes, empty, remove):
        script.write_text("exit 0")
        change(script)
        seen.append(digest(policy(project), b"policy", [str(script)]))
    script.write_text("exit 0")
    seen.append(digest(policy(project), b"other policy", [str(script)]))
    seen.append(digest(policy(project), b"policy", []))
    script.rename(project / "renamed.sh")
    seen.append(digest(policy(project), b"policy", [str(project / "renamed.sh")]))
    assert len(set(seen)) == len(seen)
    (project / "renamed.sh").rename(script)
    assert digest(policy(project), b"policy", [str(script)]) == seen[0]


@pytest.mark.skipif(os.name == "nt", reason="POSIX files")
def test_a_script_that_became_a_fifo_counts_as_missing(project: Path) -> None:
    script = project / "check.sh"
    missing = digest(policy(project), b"", [str(script)])
    script.write_text("")
    become_fifo(script)
    assert digest(policy(project), b"", [str(script)]) == missing


@given(st.lists(st.binary(max_size=8), min_size=1, max_size=4), st.lists(st.binary(max_size=8), min_size=1, max_size=4))
def test_bytes_cannot_move_from_one_file_to_another_unseen(
    tmp_path_factory: pytest.TempPathFactory, first: list[bytes], second: list[bytes]
) -> None:
    def of(contents: list[bytes]) -> str:
        directory = tmp_path_factory.mktemp("scripts")
        for number, content in enumerate(contents[1:]):
            (directory / str(number)).write_bytes(content)
        return digest(f"{directory}/rules.yaml", contents[0], [f"{directory}/{n}" for n in range(len(contents) - 1)])

    assert (of(first) == of(second)) == (first == second)


# The scripts a policy names.


def rules(**actions: Any) -> dict[str, Any]:
    return {"version": "1.0", "rules": [{"name": "r", "actions": actions}]}


@pytest.fixture
def tree(project: Path) -> Path:
    for name in ("check.sh", "hooks/a b.sh", "hooks/lib.py", "conf.json", "-x", ".rulez/v.py"):
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text("")
    (project.parent / "outside.sh").write_text("")
    (project / "link.sh").symlink_to(project / "check.sh")
    (project / "link-out.sh").symlink_to(project.parent / "outside.sh")
    return project


@pytest.mark.parametrize(
    ("actions", "found"),
    [
        ({"run": "check.sh"}, ["check.sh"]),
        ({"run": "./check.sh"}, ["check.sh"]),
        ({"run": ".rulez/v.py --strict x"}, [".rulez/v.py"]),
        ({"run": "python3 hooks/lib.py conf.json"}, ["conf.json", "hooks/lib.py"]),
        ({"run": "'hooks/a b.sh'"}, ["hooks/a b.sh"]),
        ({"run": "hooks/a b.sh"}, ["hooks/a b.sh"]),
        ({"run": {"script": "check.sh", "trust": "local"}}, ["check.sh"]),
        ({"run": {"script": "python3", "args": ["hooks/lib.py", "hooks/a b.sh"]}}, ["hooks/a b.sh", "hooks/lib.py"]),
        ({"run": ["python3", "hooks/lib.py"]}, ["hooks/lib.py"]),
        ({"inject_command": "cd x && ./check.sh | sort > out"}, ["check.sh"]),
        ({"inject_command": "sh check.sh;true"}, ["check.sh"]),
        ({"inject_command": "tool --config=conf.json"}, ["conf.json"]),
        ({"inject_command": "echo $(./check.sh) `hooks/lib.py`"}, ["check.sh", "hooks/lib.py"]),
        ({"inline_script": '#!/bin/sh\n# don\'t\nexec python3 "hooks/lib.py" -x\n'}, ["-x", "hooks/lib.py"]),
        ({"inline_script": "#!hooks/lib.py\n'hooks/a b.sh'\nit's"}, ["hooks/a b.sh", "hooks/lib.py"]),
        ({"run": "{root}/check.sh"}, ["check.sh"]),
        ({"run": "{root}/hooks/../check.sh"}, ["check.sh"]),
        ({"run": "link.sh"}, ["link.sh"]),
        ({"run": "link-out.sh"}, ["link-out.sh"]),
        ({"run": "../outside.sh"}, []),
        ({"run": "{root}/../outside.sh"}, []),
        ({"run": "/bin/sh -c true"}, []),
        ({"run": "hooks"}, []),
        ({"run": "missing.sh"}, []),
        ({"block": "check.sh", "inject": "conf.json", "inject_inline": "hooks/lib.py"}, []),
    ],
    ids=str,
)
def test_which_files_a_policy_names(tree: Path, actions: dict[str, Any], found: list[str]) -> None:
    data = json.loads(json.dumps(rules(**actions)).replace("{root}", str(tree)))
    assert [os.path.relpath(path, tree) for path in scripts_of(data, str(tree))] == found


def test_an_absolute_word_counts_however_the_project_was_reached(tree: Path) -> None:
    alias = tree.parent / "alias"
    alias.symlink_to(tree)
    for word, root in ((tree, alias), (alias, tree)):
        assert scripts_of(rules(run=f"{word}/check.sh"), str(root)) == [f"{root}/check.sh"]


def test_words_depend_on_the_content_alone_and_files_on_what_is_there(tree: Path) -> None:
    words = script_words(rules(run="later.sh"), str(tree))
    assert "later.sh" in words
    assert script_files(words, str(tree)) == []
    (tree / "later.sh").write_text("")
    assert script_files(words, str(tree)) == [str(tree / "later.sh")]


ANYTHING: st.SearchStrategy[object] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30) | st.just("check.sh"),
    lambda items: (
        st.lists(items, max_size=4)
        | st.dictionaries(
            st.sampled_from(["rules", "actions", "run", "script", "args", "inject_command", "inline_script"])
            | st.text(),
            items,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(ANYTHING | ANYTHING.map(lambda actions: {"rules": [{"actions": actions}]}))
def test_no_shape_of_data_is_too_odd(data: object) -> None:
    assert all(os.path.isfile(path) for path in scripts_of(data, str(ROOT)))


# The store.


def test_trust_holds_for_one_file_and_one_digest(places: Places, project: Path) -> None:
    assert not is_trusted(places, policy(project), "d1")
    assert trust(places, policy(project), "d1", NOON) == ""
    assert is_trusted(places, policy(project), "d1")
    assert not is_trusted(places, policy(project), "d2")
    assert not is_trusted(places, f"{project}/.claude/hooks.yaml", "d1")


def test_trusting_again_replaces_the_digest(places: Places, project: Path) -> None:
    trust(places, policy(project), "d1", NOON - 9)
    trust(places, policy(project), "d2", NOON)
    assert trusted(places) == [Trusted(path=policy(project), digest="d2", at=SHOWN_NOON)]


def test_revoking(places: Places, project: Path) -> None:
    trust(places, policy(project), "d1", NOON)
    assert revoke(places, policy(project))
    assert not is_trusted(places, policy(project), "d1")
    assert not revoke(places, policy(project))
    assert trusted(places) == []


def test_entries_are_listed_by_path(places: Places, tmp_path: Path) -> None:
    for name in ("b", "a"):
        trust(places, f"{tmp_path}/{name}/.rulez/rules.yaml", name, NOON)
    assert [entry.digest for entry in trusted(places)] == ["a", "b"]


def test_a_project_is_the_same_through_a_link_to_it(places: Places, project: Path) -> None:
    alias = project.parent / "alias"
    alias.symlink_to(project)
    trust(places, policy(alias), "d1", NOON)
    assert is_trusted(places, policy(project), "d1")
    assert revoke(places, policy(alias))


def test_a_link_to_a_trusted_policy_is_not_trusted(places: Places, project: Path, tmp_path: Path) -> None:
    trust(places, policy(project), "d1", NOON)
    by_file, by_directory = tmp_path / "by-file", tmp_path / "by-directory"
    (by_file / ".rulez").mkdir(parents=True)
    (by_file / ".rulez" / "rules.yaml").symlink_to(policy(project))
    by_directory.mkdir()
    (by_directory / ".rulez").symlink_to(project / ".rulez")
    assert not is_trusted(places, policy(by_file), "d1")
    assert not is_trusted(places, policy(by_directory), "d1")


@pytest.mark.parametrize("link", [".rulez", ".rulez/programs", ".rulez/programs/own.toml"])
def test_a_link_to_a_trusted_description_is_not_trusted(
    places: Places, project: Path, tmp_path: Path, link: str
) -> None:
    theirs = ".rulez/programs/own.toml"
    (project / theirs).parent.mkdir()
    (project / theirs).write_text("")
    trust(places, str(project / theirs), "d1", NOON)
    other = tmp_path / "other"
    (other / link).parent.mkdir(parents=True)
    (other / link).symlink_to(project / link)
    assert not is_trusted(places, str(other / theirs), "d1")
    assert leads_out(str(other / theirs))
    assert not leads_out(str(project / theirs))
    (tmp_path / "alias").symlink_to(project)
    assert is_trusted(places, str(tmp_path / "alias" / theirs), "d1")
    assert not leads_out(str(tmp_path / "alias" / theirs))


# All work trees of a repository.


def git(directory: Path, *arguments: str) -> None:
    environ = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", "-C", str(directory), "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
    subprocess.run(command, check=True, capture_output=True, env=environ)


@pytest.fixture
def repository(project: Path) -> Path:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    (project / "sub" / ".rulez").mkdir(parents=True)
    shutil.copy(policy(project), policy(project / "sub"))
    for arguments in (("init", "-q"), ("add", "."), ("commit", "-qm", "x"), ("worktree", "add", "-q", "../tree")):
        git(project, *arguments)
    return project


def test_work_trees_share_trust_in_the_same_bytes(places: Places, repository: Path) -> None:
    tree = repository.parent / "tree"
    trust(places, policy(repository), "d1", NOON)
    assert is_trusted(places, policy(tree), "d1")
    assert not is_trusted(places, policy(tree), "d2")
    assert not is_trusted(places, policy(tree / "sub"), "d1")


def test_trust_given_in_a_work_tree_counts_in_all_and_outlives_it(places: Places, repository: Path) -> None:
    tree = repository.parent / "tree"
    git(repository, "worktree", "add", "-q", "../other")
    trust(places, policy(tree), "d1", NOON)
    git(repository, "worktree", "remove", "--force", str(tree))
    assert is_trusted(places, policy(repository), "d1")
    assert is_trusted(places, policy(repository.parent / "other"), "d1")


def test_revoking_in_a_work_tree_counts_in_all(places: Places, repository: Path) -> None:
    trust(places, policy(repository), "d1", NOON)
    assert revoke(places, policy(repository.parent / "tree"))
    assert not is_trusted(places, policy(repository), "d1")


def test_an_entry_of_before_counts_in_work_trees_too(places: Places, repository: Path) -> None:
    trust(places, policy(repository), "d1", NOON)
    kept = json.loads(store(places).read_text())
    del kept["trusted"][policy(repository)]["git"]
    store(places).write_text(json.dumps(kept))
    assert is_trusted(places, policy(repository), "d1")
    assert is_trusted(places, policy(repository.parent / "tree"), "d1")


def claim_its_marker(evil: Path, repository: Path) -> None:
    shutil.copy(repository.parent / "tree" / ".git", evil / ".git")


def claim_by_link(evil: Path, repository: Path) -> None:
    (evil / ".git").symlink_to(repository / ".git")


def claim_by_link_to_a_marker(evil: Path, repository: Path) -> None:
    (evil / ".git").symlink_to(repository.parent / "tree" / ".git")


def claim_the_repository(evil: Path, repository: Path) -> None:
    (evil / ".git").write_text(f"gitdir: {repository}/.git\n")


def claim_with_files_of_its_own(evil: Path, repository: Path) -> None:
    own = evil / "fake" / "worktrees" / "evil"
    own.mkdir(parents=True)
    (own / "commondir").write_text(f"{repository}/.git\n")
    (own / "gitdir").write_text(f"{evil}/.git\n")
    (evil / ".git").write_text(f"gitdir: {own}\n")


def claim_through_its_name(evil: Path, repository: Path) -> None:
    (evil / ".git").write_text(f"gitdir: {repository}/.git/worktrees/../worktrees/tree\n")


def claim_with_nonsense(evil: Path, repository: Path) -> None:
    (evil / ".git").write_bytes(b"gitdir: \0\n\n")


@pytest.mark.skipif(os.name == "nt", reason="POSIX links")
@pytest.mark.parametrize(
    "claim",
    [
        claim_its_marker,
        claim_by_link,
        claim_by_link_to_a_marker,
        claim_the_repository,
        claim_with_files_of_its_own,
        claim_through_its_name,
        claim_with_nonsense,
    ],
)
def test_no_directory_is_a_work_tree_because_it_says_so(places: Places, repository: Path, claim: Any) -> None:
    evil = repository.parent / "evil"
    shutil.copytree(repository / ".rulez", evil / ".rulez")
    claim(evil, repository)
    trust(places, policy(repository), "d1", NOON)
    trust(places, policy(repository.parent / "tree"), "d1", NOON)
    assert not is_trusted(places, policy(evil), "d1")


@pytest.mark.skipif(os.name == "nt", reason="POSIX modes")
def test_the_store_is_private(places: Places, project: Path) -> None:
    before = os.umask(0)
    try:
        trust(places, policy(project), "d1", NOON)
    finally:
        os.umask(before)
    assert stat.S_IMODE(store(places).stat().st_mode) == 0o600
    assert stat.S_IMODE(store(places).parent.stat().st_mode) == 0o700
    assert is_trusted(places, policy(project), "d1")


def test_the_store_reads_as_documented(places: Places, project: Path) -> None:
    trust(places, policy(project), "d1", NOON)
    assert json.loads(store(places).read_text()) == {
        "version": 1,
        "trusted": {policy(project): {"digest": "d1", "at": SHOWN_NOON}},
    }


def test_nothing_but_the_store_and_its_lock_is_left_behind(places: Places, project: Path) -> None:
    trust(places, policy(project), "d1", NOON)
    revoke(places, policy(project))
    assert sorted(os.listdir(places.state)) == ["trust.json", "trust.json.lock"]


ENTRY = {"digest": "d1", "at": SHOWN_NOON}
DAMAGED: dict[str, str] = {
    "empty": "",
    "half": '{"version":1,"trus',
    "not an object": "[1]",
    "another version": json.dumps({"version": 2, "trusted": {"/p": ENTRY}}),
    "no version": json.dumps({"trusted": {"/p": ENTRY}}),
    "no entries": json.dumps({"version": 1}),
    "entries are a list": json.dumps({"version": 1, "trusted": ["/p"]}),
    "an entry is text": json.dumps({"version": 1, "trusted": {"/p": ENTRY, "/q": "d1"}}),
    "an entry without digest": json.dumps({"version": 1, "trusted": {"/p": {"at": SHOWN_NOON}}}),
    "a digest that is no text": json.dumps({"version": 1, "trusted": {"/p": {"digest": None, "at": SHOWN_NOON}}}),
    "two values": '{"version":1,"trusted":{}} {}',
}


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_store_trusts_nothing_and_is_kept(places: Places, project: Path, content: str) -> None:
    Path(places.state).mkdir(parents=True, mode=0o700)
    store(places).write_text(content)
    assert not is_trusted(places, "/p", "d1")
    assert trusted(places) == []
    assert problem(places) == (f"{store(places)} is damaged, nothing counts as trusted; `rulez trust` starts a new one")
    assert not revoke(places, "/p")
    assert store(places).read_text() == content

    backup = trust(places, policy(project), "d1", NOON)
    assert backup == f"{store(places)}.damaged-1"
    assert Path(backup).read_text() == content
    assert [entry.path for entry in trusted(places)] == [policy(project)]
    assert problem(places) == ""


def test_every_damaged_store_is_kept(places: Places, project: Path) -> None:
    trust(places, policy(project), "d1", NOON)
    for number in (1, 2):
        store(places).write_text(f"damage {number}")
        trust(places, policy(project), "d1", NOON)
    kept = [Path(f"{store(places)}.damaged-{number}").read_text() for number in (1, 2)]
    assert kept == ["damage 1", "damage 2"]


@pytest.mark.skipif(os.name == "nt", reason="POSIX modes")
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
@pytest.mark.parametrize("of", ["file", "directory"])
def test_a_store_others_may_write_is_refused(places: Places, project: Path, of: str, mode: int) -> None:
    trust(places, policy(project), "d1", NOON)
    content = store(places).read_bytes()
    path = store(places) if of == "file" else store(places).parent
    path.chmod(mode if of == "file" else mode | 0o100)
    said = f"{path} can be written by others, nothing in it counts as trusted; correct it with `chmod go-w`"
    assert not is_trusted(places, policy(project), "d1")
    assert trusted(places) == []
    assert problem(places) == said
    for change in (lambda: revoke(places, policy(project)), lambda: trust(places, policy(project), "d2", NOON)):
        with pytest.raises(StoreProblem) as refused:
            change()
        assert str(refused.value) == said
    assert store(places).read_bytes() == content


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("of", ["file", "directory"])
def test_a_store_of_somebody_else_is_refused(places: Places, project: Path, of: str) -> None:
    trust(places, policy(project), "d1", NOON)
    path = store(places) if of == "file" else store(places).parent
    os.chown(path, 12345, -1)
    assert not is_trusted(places, policy(project), "d1")
    assert problem(places) == f"{path} belongs to another user, nothing in it counts as trusted"


@pytest.mark.skipif(os.name == "nt", reason="POSIX files")
@pytest.mark.parametrize("what", ["link", "fifo", "directory"])
def test_what_is_no_regular_file_is_no_store(places: Places, project: Path, what: str) -> None:
    trust(places, policy(project), "d1", NOON)
    moved = store(places).with_suffix(".moved")
    store(places).rename(moved)
    if what == "link":
        store(places).symlink_to(moved)
    elif what == "fifo":
        os.mkfifo(store(places), 0o600)
    else:
        store(places).mkdir(mode=0o700)
    assert not is_trusted(places, policy(project), "d1")
    assert problem(places)
    with pytest.raises(StoreProblem):
        trust(places, policy(project), "d1", NOON)


def test_a_state_directory_that_cannot_be_made(places: Places, project: Path) -> None:
    Path(places.state).parent.write_text("")
    assert not is_trusted(places, policy(project), "d1")
    with pytest.raises(StoreProblem, match=r"^.*/state/rulez cannot be written: Not a directory$"):
        trust(places, policy(project), "d1", NOON)


@given(path=st.text(max_size=50), digest=st.text(max_size=5))
def test_reading_never_raises(tmp_path_factory: pytest.TempPathFactory, path: str, digest: str) -> None:
    nowhere = str(tmp_path_factory.getbasetemp() / "nowhere")
    empty = Places(
        home=nowhere, managed_policy=nowhere, user_policy=nowhere, user_fallback=nowhere, state=nowhere, cache=nowhere
    )
    assert not is_trusted(empty, path, digest)


WRITER = """
import sys
from rulez_py.system.places import places
from rulez_py.trust import trust
mine = places({"HOME": sys.argv[1]}, "linux")
for number in range(20):
    trust(mine, f"/project-{sys.argv[2]}-{number}/.rulez/rules.yaml", "d1", 0.0)
"""


def test_writers_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), str(number)], cwd=ROOT) for number in range(4)
    ]
    assert [writer.wait() for writer in writers] == [0] * 4
    entries = json.loads((tmp_path / ".local" / "state" / "rulez" / "trust.json").read_text())["trusted"]
    assert len(entries) == 80


def test_a_store_that_is_held_is_not_waited_for_forever(
    places: Places, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rulez_py.system.files import try_lock
    from rulez_py.trust import store as module

    trust(places, policy(project), "d1", NOON)
    monkeypatch.setattr(module, "_LOCK_PAUSE", 0.0)
    lock = try_lock(f"{store(places)}.lock")
    assert lock is not None
    with pytest.raises(StoreProblem, match="is being written by another rulez; try again"):
        trust(places, policy(project), "d2", NOON)
    os.close(lock)
    assert is_trusted(places, policy(project), "d1")


def test_a_full_disk_leaves_the_store_as_it_was(places: Places, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trust(places, policy(project), "d1", NOON)

    def no_space(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(StoreProblem, match="cannot be written: No space left on device"):
        trust(places, policy(project), "d2", NOON)
    assert is_trusted(places, policy(project), "d1")
    assert sorted(os.listdir(places.state)) == ["trust.json", "trust.json.lock"]


def test_without_the_state_directory_nothing_is_trusted_and_nothing_is_wrong(places: Places, project: Path) -> None:
    trust(places, policy(project), "d1", NOON)
    shutil.rmtree(places.state)
    assert not is_trusted(places, policy(project), "d1")
    assert problem(places) == ""
