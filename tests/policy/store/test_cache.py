"""The kept policy: used while nothing has changed, made anew in any doubt, never the cause of another verdict."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

import rulez_py
from rulez_py import policy as package
from rulez_py.platforms import adapter
from rulez_py.policy.judging import index
from rulez_py.policy.store import cache, load
from rulez_py.system.places import Places, places
from tests.events import facts_of

if TYPE_CHECKING:
    from rulez_py.policy.model.rule import Rule

RULE = 'version: "1.0"\nrules:\n  - {{name: {}, matchers: {{tools: [Bash]}}, actions: {{block: true}}}}\n'
EVENT = adapter("claude").parse(
    {"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}}, None
)


def chosen(policy: cache.InForce) -> tuple[Rule, ...]:
    """The rules that can match."""
    return index.select(policy.packed, facts_of(EVENT, root=policy.root))


class Machine:
    """A home with a user's policy and a project with another, and a count of how often policies were compiled."""

    def __init__(self, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.places: Places = places({"HOME": str(home)}).replace(managed_policy=str(tmp_path / "managed.yaml"))
        self.project = tmp_path / "project"
        (self.project / ".git").mkdir(parents=True)
        self.compiled = 0
        self.trusted: Callable[[str, str], bool] = lambda _path, _digest: False
        really = load.load

        def counted(*arguments: Any, **options: Any) -> load.Policy:
            self.compiled += 1
            return really(*arguments, **options)

        monkeypatch.setattr(load, "load", counted)

    @property
    def user(self) -> Path:
        return Path(self.places.user_policy)

    @property
    def own(self) -> Path:
        return self.project / ".rulez" / "rules.yaml"

    @property
    def kept(self) -> list[Path]:
        return sorted(Path(self.places.cache).glob("*.policy"))

    def rules(self, **options: Any) -> list[str]:
        """The names of the rules for a shell call, ours left out."""
        return [rule["name"] for rule in self.chosen(**options) if not rule["source"].startswith("builtin:")]

    def chosen(self, **options: Any) -> tuple[Rule, ...]:
        policy = cache.in_force(self.places, str(self.project), trusted=self.trusted, **options)
        try:
            return chosen(policy)
        except index.Damaged:
            return self.chosen(damaged=policy, **options)
        finally:
            policy.keep()
            policy.close()


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture
def machine(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(home, tmp_path, monkeypatch)


def test_a_policy_is_compiled_once(machine: Machine) -> None:
    write(machine.user, RULE.format("mine"))
    write(machine.own, RULE.format("ours"))
    assert [machine.rules() for _ in range(3)] == [["mine", "ours"]] * 3
    assert machine.compiled == 1


def test_without_any_file_too(machine: Machine) -> None:
    machine.rules()
    assert (machine.rules(), machine.compiled) == ([], 1)


def test_each_project_has_its_own(machine: Machine, tmp_path: Path) -> None:
    write(machine.own, RULE.format("ours"))
    assert machine.rules() == ["ours"]
    machine.project = tmp_path / "other"
    (machine.project / ".git").mkdir(parents=True)
    assert machine.rules() == []
    assert len(machine.kept) == 2


CHANGES: dict[str, tuple[Callable[[Machine], object], list[str]]] = {
    "an edit": (lambda m: m.own.write_text(RULE.format("theirs")), ["mine", "theirs"]),
    "an edit of the same size and time": (lambda m: edit_unseen(m.own, RULE.format("hers")), ["mine", "hers"]),
    "a new file in its place": (lambda m: replace(m.own, RULE.format("hers")), ["mine", "hers"]),
    "its removal": (lambda m: m.own.unlink(), ["mine"]),
    "a further file": (lambda m: write(Path(m.places.managed_policy), RULE.format("boss")), ["boss", "mine", "ours"]),
    "an edit of the user's": (lambda m: m.user.write_text(RULE.format("me")), ["me", "ours"]),
    "another rulez": (lambda m: setattr(rulez_py, "__version__", "other"), ["mine", "ours"]),
    "another form": (lambda m: setattr(cache, "_FORM", -1), ["mine", "ours"]),
    "the loss of what is kept": (lambda m: m.kept[0].unlink(), ["mine", "ours"]),
}


def edit_unseen(path: Path, text: str) -> None:
    """As an editor that restores times: only the time of the change of the file's entry tells, if it is fine enough."""
    before = path.stat()
    path.write_text(text.ljust(before.st_size, "\n")[: before.st_size])
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def replace(path: Path, text: str) -> None:
    new = path.with_suffix(".new")
    new.write_text(text)
    new.replace(path)


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_seen_at_the_next_call(change: str, machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_FORM", cache._FORM)
    monkeypatch.setattr(rulez_py, "__version__", rulez_py.__version__)
    write(machine.user, RULE.format("mine"))
    write(machine.own, RULE.format("ours"))
    assert machine.rules() == ["mine", "ours"]
    act, names = CHANGES[change]
    act(machine)
    assert (machine.rules(), machine.compiled) == (names, 2)
    assert (machine.rules(), machine.compiled) == (names, 2)


def test_an_edit_that_leaves_every_time_as_it_was_is_seen(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on network file systems, on Windows, and where a program writes through mapped memory."""
    write(machine.own, RULE.format("ours"))
    assert machine.rules() == ["ours"]
    really = os.fstat
    monkeypatch.setattr(os, "fstat", lambda descriptor: timeless(really(descriptor)))
    machine.rules()
    write(machine.own, RULE.format("hers"))
    assert machine.rules() == ["hers"]


def timeless(status: os.stat_result) -> Any:
    names = ("st_mode", "st_dev", "st_ino", "st_uid", "st_size")
    return SimpleNamespace(**{name: getattr(status, name) for name in names}, st_mtime_ns=0, st_ctime_ns=0)


def test_what_was_compiled_while_its_file_was_away_is_not_kept(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(machine.own, RULE.format("ours"))
    away = machine.project / "away"

    def without(*arguments: Any, **options: Any) -> load.Policy:
        machine.own.parent.rename(away)
        try:
            return really(*arguments, **options)
        finally:
            away.rename(machine.own.parent)

    really = load.load
    monkeypatch.setattr(load, "load", without)
    assert machine.rules() == []
    monkeypatch.setattr(load, "load", really)
    assert machine.rules() == ["ours"]


@pytest.mark.skipif(os.name == "nt", reason="POSIX names")
def test_a_project_whose_name_is_no_text_has_its_own_too(machine: Machine, tmp_path: Path) -> None:
    machine.project = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    (machine.project / ".git").mkdir(parents=True)
    write(machine.own, RULE.format("ours"))
    first, second = machine.chosen(), machine.chosen()
    assert (first, machine.compiled) == (second, 1)
    assert {rule["root"] for rule in first if rule["name"] == "ours"} == {str(machine.project)}


def test_what_a_project_may_do_follows_who_trusts_it(machine: Machine) -> None:
    write(machine.own, RULE.format("ours").replace("block: true", "allow: true"))

    def trusted() -> list[bool]:
        return [rule["trusted"] for rule in machine.chosen() if rule["name"] == "ours"]

    assert trusted() == [False]
    machine.trusted = lambda path, digest: path == str(machine.own) and len(digest) == 64
    assert trusted() == [True]
    machine.trusted = lambda _path, _digest: False
    assert trusted() == [False]
    assert machine.compiled == 3


def test_a_rule_of_the_essentials_goes_with_trust_and_comes_back_with_it(machine: Machine) -> None:
    write(machine.own, 'version: "1.0"\ndisable: [no-force-push]\n')

    def holds() -> bool:
        policy = cache.in_force(machine.places, str(machine.project), trusted=machine.trusted)
        policy.keep()
        payload = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git push --force"}}
        facts = facts_of(adapter("claude").parse(payload, None), root=policy.root)
        return any(rule["name"] == "no-force-push" for rule in index.select(policy.packed, facts))

    for trusted in (False, True, False, False):
        machine.trusted = lambda _path, _digest, trusted=trusted: trusted  # type: ignore[misc]
        assert holds() is not trusted
    assert machine.compiled == 3


def test_a_new_repository_below_a_policy_is_seen(machine: Machine, tmp_path: Path) -> None:
    write(tmp_path / ".rulez" / "rules.yaml", RULE.format("above").replace("block: true", "allow: true"))
    machine.trusted = lambda _path, _digest: True

    def actions() -> list[Any]:
        return [rule["actions"] for rule in machine.chosen() if rule["name"] == "above"]

    (machine.project / ".git").rmdir()
    assert actions() == [{"allow": True}]
    (machine.project / ".git").mkdir()
    assert actions() == [{}]
    assert actions() == [{}]
    assert machine.compiled == 2


@pytest.mark.skipif(os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() != 0, reason="root only")
def test_what_is_said_of_a_file_of_somebody_else_is_kept_until_it_is_trusted(machine: Machine) -> None:
    os.chown(write(machine.own, RULE.format("theirs") + "extends: [builtin:essentials]\n"), 12345, 12345)

    def said() -> tuple[int, list[str]]:
        policy = cache.in_force(machine.places, str(machine.project), trusted=machine.trusted)
        policy.keep()
        return len(policy.warnings), [rule["name"] for rule in chosen(policy) if rule["name"] == "theirs"]

    assert [said() for _ in range(3)] == [(1, [])] * 3
    assert machine.compiled == 1
    machine.trusted = lambda _path, _digest: True
    assert [said() for _ in range(2)] == [(0, ["theirs"])] * 2
    assert machine.compiled == 2


def test_trust_ends_when_a_script_changes(machine: Machine) -> None:
    script = write(machine.project / "check.sh", "exit 0\n")
    write(machine.own, RULE.format("ours").replace("block: true", "run: check.sh"))
    digests: list[str] = []
    machine.trusted = lambda _path, digest: digests.append(digest) or digest == digests[0]  # type: ignore[func-returns-value]
    machine.rules()
    machine.rules()
    assert machine.compiled == 1
    script.write_text("exit 1\n")
    machine.rules()
    assert machine.compiled == 2
    assert digests[0] == digests[1] != digests[2]


def test_a_script_that_appears_is_seen(machine: Machine) -> None:
    write(machine.user, RULE.format("mine").replace("block: true", "run: check me"))
    machine.rules()
    write(machine.user.parent / "check me", "exit 0\n")
    machine.rules()
    assert machine.compiled == 2


def test_what_a_link_leads_to_is_seen(machine: Machine, tmp_path: Path) -> None:
    real = write(tmp_path / "real.yaml", RULE.format("mine"))
    machine.user.parent.mkdir(parents=True)
    machine.user.symlink_to(real)
    assert machine.rules() == ["mine"]
    real.write_text(RULE.format("other"))
    assert machine.rules() == ["other"]


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_where_a_project_really_is_decides_what_is_changed_there(machine: Machine, tmp_path: Path) -> None:
    for name in ("play", "live"):
        (tmp_path / name / ".git").mkdir(parents=True)
    write(machine.user, RULE.format("mine"))
    change = f"{{mine: {{mode: audit, not_in: '{tmp_path.resolve() / 'live'}'}}}}"
    write(Path(machine.places.managed_policy), f'version: "1.0"\noverrides: {change}\n')
    machine.project = tmp_path / "link"

    def mode() -> str:
        return next(rule["mode"] for rule in machine.chosen() if rule["name"] == "mine")

    machine.project.symlink_to(tmp_path / "play")
    assert [mode(), mode()] == ["audit", "audit"]
    assert machine.compiled == 1
    machine.project.unlink()
    machine.project.symlink_to(tmp_path / "live")
    assert mode() == "enforce"


def test_what_the_person_is_to_be_told_is_kept_with_it(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = load.load
    monkeypatch.setattr(load, "load", lambda *given, **named: compiled(*given, **named).replace(notices=("a", "b")))
    for _ in range(2):
        policy = cache.in_force(machine.places, str(machine.project), trusted=machine.trusted)
        policy.keep()
        assert policy.warnings == ("a", "b")
    assert machine.compiled == 1


def test_a_policy_with_a_mistake_is_not_kept(machine: Machine) -> None:
    write(machine.own, "rules: 7\n")
    policy = cache.in_force(machine.places, str(machine.project), trusted=machine.trusted)
    policy.keep()
    assert policy.problems
    assert machine.kept == []


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
@pytest.mark.parametrize("others_may_write", ["file", "directory"])
def test_what_others_may_write_is_not_used(machine: Machine, others_may_write: str) -> None:
    machine.rules()
    (kept,) = machine.kept
    place = kept if others_may_write == "file" else kept.parent
    place.chmod(place.stat().st_mode | stat.S_IWOTH)
    machine.rules()
    assert machine.compiled == 2


def test_a_link_in_its_place_is_not_used(machine: Machine, tmp_path: Path) -> None:
    machine.rules()
    (kept,) = machine.kept
    kept.rename(tmp_path / "moved")
    kept.symlink_to(tmp_path / "moved")
    machine.rules()
    assert machine.compiled == 2


@pytest.mark.parametrize("damage", ["", "cut", "garbage", "one byte of a rule", "one byte of the head", "zeros"])
def test_a_damaged_file_costs_one_slower_call(machine: Machine, damage: str) -> None:
    write(machine.user, RULE.format("mine"))
    machine.rules()
    (kept,) = machine.kept
    data = bytearray(kept.read_bytes())
    if damage == "one byte of a rule":
        data[data.index(b'"mine"') + 1] ^= 1
    elif damage == "one byte of the head":
        data[cache._FIRST + 2] ^= 1
    else:
        data = bytearray({"": b"", "cut": data[: len(data) // 2], "garbage": b"x" * 99, "zeros": bytes(999)}[damage])
    kept.write_bytes(data)
    assert (machine.rules(), machine.compiled) == (["mine"], 2)
    assert (machine.rules(), machine.compiled) == (["mine"], 2)


def test_two_installations_do_not_displace_each_other(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    really = rulez_py.__version__
    for version in (really, "other", really, "other"):
        monkeypatch.setattr(rulez_py, "__version__", version)
        machine.rules()
    assert machine.compiled == 2


def test_a_directory_that_cannot_be_written_is_no_error(machine: Machine) -> None:
    write(Path(machine.places.cache), "a file")
    write(machine.user, RULE.format("mine"))
    assert (machine.rules(), machine.rules(), machine.compiled) == (["mine"], ["mine"], 2)


@pytest.mark.parametrize("step", ["listdir", "urandom", "replace", "scandir"])
def test_nothing_about_keeping_it_is_an_error(machine: Machine, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    write(machine.user, RULE.format("mine"))

    def refuse(*_: object, **__: object) -> None:
        raise OSError(step)

    with monkeypatch.context() as patch:
        patch.setattr(os, step, refuse)
        assert machine.rules() == ["mine"]
    assert [path.name for path in Path(machine.places.cache).glob("*new")] == []


def test_what_a_dead_rulez_began_to_write_goes_in_time(machine: Machine) -> None:
    machine.rules()
    left = [Path(machine.places.cache) / f"{name}{cache._NEW}" for name in ("old", "young")]
    other = write(Path(machine.places.cache) / "other.new", "")
    for path in (*left, other):
        path.write_text("")
    for path in (left[0], other):
        os.utime(path, (1, 1))
    write(machine.own, RULE.format("ours"))
    machine.rules()
    assert [path.exists() for path in (*left, other)] == [False, True, True]


def test_old_files_do_not_pile_up(machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cache, "_MOST_FILES", 4)
    for number in range(9):
        machine.project = tmp_path / str(number)
        (machine.project / ".git").mkdir(parents=True)
        machine.rules()
        assert len(machine.kept) <= 4
    machine.rules()
    assert machine.compiled == 9


def test_a_policy_file_of_the_command_line_is_kept_apart(machine: Machine, tmp_path: Path) -> None:
    write(machine.user, RULE.format("mine"))
    given = write(tmp_path / "given.yaml", RULE.format("given"))
    assert machine.rules() == ["mine"]
    assert machine.rules(rules_file=str(given)) == ["given"]
    assert machine.rules(rules_file=str(given)) == ["given"]
    assert machine.compiled == 2


def test_every_module_of_a_policy_is_among_what_makes_it() -> None:
    """Or a rulez that is edited would go by what another has compiled."""
    stamped = {stamp[0] for stamp in cache.made_by() if isinstance(stamp, list)}
    modules = {str(path) for path in Path(package.__path__[0]).rglob("*.py")}
    assert sorted(modules - stamped) == []
