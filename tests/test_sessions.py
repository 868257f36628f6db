"""What rules remember of a session (tests/data/sessions.yaml), and the file that holds it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from ruamel.yaml import YAML

from rulez_py.cli import cli
from rulez_py.hook.call import respond
from rulez_py.hook.values import HookCall, Options
from rulez_py.integrations.policy import Policy
from rulez_py.lint.untold import untold
from rulez_py.platforms import adapter, parts
from rulez_py.platforms.results import result
from rulez_py.policy.model.layers import USER
from rulez_py.policy.store.load import read_file
from rulez_py.system.effects import Counter, Memory, MemoryChanges, Session
from rulez_py.system.sessions import KEPT_FOR, memory

TESTS = Path(__file__).parent
DATA = YAML(typ="safe").load(TESTS / "data" / "sessions.yaml")
EVENTS = {"call": "PreToolUse", "done": "PostToolUse", "failed": "PostToolUseFailure"}
SESSION = Session(platform="claude", id="s", project="/p")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / ".config" / "rulez").mkdir(parents=True)
    (tmp_path / "p" / "src").mkdir(parents=True)
    (tmp_path / "p" / "check.sh").write_text("npm test\ntrue\n")
    return tmp_path


def use(place: Path, policy: str) -> None:
    (place / ".config" / "rulez" / "rules.yaml").write_text(DATA["policies"].get(policy, policy))


def payload(place: Path, step: Mapping[str, Any]) -> dict[str, Any]:
    kind = next(kind for kind in EVENTS if kind in step)
    made = step[kind] if isinstance(step[kind], dict) else {"tool": "Bash", "command": step[kind]}
    return {
        "session_id": step.get("as", "s"),
        "cwd": str(place / "p"),
        "hook_event_name": EVENTS[kind],
        "tool_name": made["tool"],
        "tool_input": {key: value for key, value in made.items() if key != "tool"},
        **({"tool_use_id": step["id"]} if "id" in step else {}),
        **({"tool_response": step.get("said", {"stdout": "", "interrupted": False})} if kind == "done" else {}),
        **({"error": "Exit code 1"} if kind == "failed" else {}),
    }


def environ(place: Path) -> dict[str, str]:
    return {"HOME": str(place), "PATH": os.environ["PATH"]}


def judged(place: Path, step: Mapping[str, Any]) -> tuple[str, str]:
    """The decision on a step, and its reason."""
    call = HookCall(Options(platform="claude"), environ(place), time.monotonic())
    verdict = respond(call, json.dumps(payload(place, step)).encode()).verdict
    assert not verdict.failed, verdict.reason
    return verdict.decision, verdict.reason


@pytest.mark.parametrize("story", DATA["stories"])
def test_a_story(place: Path, story: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told = DATA["stories"][story]
    use(place, told["policy"])
    passed, real = 0.0, time.time
    monkeypatch.setattr(time, "time", lambda: real() + passed)
    for number, step in enumerate(told["steps"]):
        passed += step.get("wait", 0)
        decision, reason = judged(place, step)
        assert decision == step.get("is", ""), (number, step, reason)
        assert step.get("reason", "") in reason


@pytest.mark.parametrize(
    ("line", "decision"),
    [*((line, "") for line in DATA["succeeded"]), *((line, "deny") for line in DATA["not_known"])],
)
def test_what_a_lines_success_says_of_a_command(place: Path, line: str, decision: str) -> None:
    use(place, "tests-before-push")
    judged(place, {"done": line})
    assert judged(place, {"call": "git push"})[0] == decision


@pytest.mark.parametrize("row", DATA["results"], ids=lambda row: f"{row['payload']} {row.get('with', '')}"[:90])
def test_what_an_agent_says_of_a_result(row: dict[str, Any]) -> None:
    path = TESTS / "payloads" / row["payload"]
    given = {**json.loads(path.read_text()), **row.get("with", {})}
    event = adapter(path.relative_to(TESTS / "payloads").parts[0]).parse(given, path.name.partition("__")[0])
    assert result(event, is_command=True) == row["is"]


@pytest.mark.parametrize("policy", DATA["untold"])
def test_the_rules_that_some_agents_give_no_result(policy: str, place: Path) -> None:
    use(place, policy)
    path = str(place / ".config" / "rulez" / "rules.yaml")
    rules = read_file(USER, path, lambda _path, _digest: True, shown="rules.yaml").rules
    found = [{"rule": one.rule, "agents": [*one.agents], "required_by": [*one.required_by]} for one in untold(rules)]
    assert found == DATA["untold"][policy]


def test_the_page_names_what_tells_no_result() -> None:
    page = (TESTS.parent / "docs" / "policy.md").read_text()
    told = page.partition("#### Which agents tell results")[2].partition("###")[0]
    names = [name for results in parts("results").values() for name in results.FORM.untold]
    assert names
    assert [name for name in names if not all(word in told for word in name.replace("'s", "").split())] == []


# However rulez is asked.


def by_process(place: Path, steps: list[dict[str, Any]]) -> Iterator[str]:
    for step in steps:
        yield hook(place, json.dumps(payload(place, step)))[0]


def by_stream(place: Path, steps: list[dict[str, Any]]) -> Iterator[str]:
    lines = "".join(json.dumps(payload(place, step)) + "\n" for step in steps)
    for line in hook(place, lines, "--stream"):
        yield json.loads(line)["stdout"]


def hook(place: Path, given: str, *options: str) -> list[str]:
    ended = subprocess.run(
        [sys.executable, "-I", "-m", "rulez_py", "hook", "--platform", "claude", *options],
        input=given.encode(),
        capture_output=True,
        cwd=place / "p",
        env=environ(place),
        check=False,
    )
    return ended.stdout.decode().splitlines() or [""]


def by_python(place: Path, steps: list[dict[str, Any]]) -> Iterator[str]:
    policy = Policy.load(place / "p", environ=environ(place))
    for step in steps:
        yield policy.decide(payload(place, step)).decision


@pytest.mark.parametrize("way", [by_process, by_stream, by_python])
def test_it_is_remembered_however_rulez_is_asked(place: Path, way: Any) -> None:
    use(place, "tests-before-push")
    steps = [{"call": "git push"}, {"done": "npm test"}, {"call": "git push"}]
    assert ["deny" in said for said in way(place, steps)] == [True, False, False]


def test_a_file_of_a_repository_meets_what_it_requires_itself_and_nothing_else(place: Path) -> None:
    """What no person has trusted is judged by a process of its own, and remembers as well."""
    use(place, DATA["policies"]["tests-before-push"].split("  - name: push-after-tests")[0])
    own = place / "p" / ".rulez" / "rules.yaml"
    own.parent.mkdir()
    asking = DATA["policies"]["tests-before-push"].split("- name: push")[1]
    own.write_text(f"version: '1.0'\nrules:\n  - name: push{asking}")
    judged(place, {"done": "npm test"})
    assert judged(place, {"call": "git push"})[0] == "deny"
    own.write_text(DATA["policies"]["tests-before-push"])
    assert list(by_process(place, [{"done": "npm test"}, {"call": "git push"}]))[1] == ""


# What a person sees.


def sit_there(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("XDG_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.chdir(place / "p")


def test_a_person_sees_what_is_remembered(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = [DATA["policies"][name].partition("rules:\n")[2] for name in ("tests-before-push", "bounded")]
    use(place, 'version: "1.0"\nrules:\n' + "".join(rules))
    for step in ({"done": "npm test"}, {"call": "sendmail a"}, {"call": "sendmail a"}):
        judged(place, step)
    sit_there(place, monkeypatch)
    shown = CliRunner().invoke(cli, ["session", "show"]).output
    assert "claude s in " in shown
    assert "tests-passed since " in shown
    assert "few-mails: 2 calls, the last at " in shown
    (told,) = json.loads(CliRunner().invoke(cli, ["session", "show", "--json"]).output)["sessions"]
    assert [one["key"] for one in told["remembered"]] == ["tests-passed"]
    assert [(one["rule"], one["calls"]) for one in told["counted"]] == [("few-mails", 2)]
    assert CliRunner().invoke(cli, ["session", "show", "other"]).output == "nothing is remembered\n"
    the_file(place).write_text("{")
    assert "cannot be read" in CliRunner().invoke(cli, ["session", "show"]).output


def test_an_explanation_says_what_is_remembered(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(place, "tests-before-push")
    sit_there(place, monkeypatch)
    case = place / "case.yaml"
    for told, said in (
        ("[]", "is not remembered"),
        ("[tests-passed]", "is remembered since"),
    ):
        case.write_text(f"{{command: git push, session: {told}}}\n")
        shown = CliRunner().invoke(cli, ["explain", "--case", str(case), "--all"])
        assert f"tests-passed {said}" in " ".join(shown.output.split())
        assert ("Blocked" in shown.output) is (told == "[]")


def test_an_explanation_counts_no_call(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(place, "bounded")
    sit_there(place, monkeypatch)
    for _ in range(4):
        assert "Blocked" not in CliRunner().invoke(cli, ["explain", "sendmail a"]).output


@pytest.mark.parametrize("name", ["x.json", "lock"])
def test_no_agent_writes_it(place: Path, name: str) -> None:
    use(place, "tests-before-push")
    path = place / ".local" / "state" / "rulez" / "sessions" / name
    for call in (
        {"tool": "Write", "file_path": str(path), "content": "{}"},
        {"tool": "Bash", "command": f"echo x > {path}"},
    ):
        assert judged(place, {"call": call})[0] == "deny"


def test_only_a_person_has_it_forgotten(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(place, "tests-before-push")
    judged(place, {"done": "npm test"})
    sit_there(place, monkeypatch)
    assert CliRunner().invoke(cli, ["session", "forget"]).exit_code == 1
    assert judged(place, {"call": "git push"})[0] == ""
    monkeypatch.setattr("rulez_py.cli.person.why_no_person", lambda: "")
    ended = CliRunner().invoke(cli, ["session", "forget"])
    assert (ended.exit_code, ended.output) == (0, "forgotten: 1 session\n")
    assert judged(place, {"call": "git push"})[0] == "deny"


# The file.


def the_file(place: Path) -> Path:
    (found,) = (place / ".local" / "state" / "rulez" / "sessions").glob("*.json")
    return found


def as_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGE: dict[str, Callable[[Path], object]] = {
    "it is damaged": lambda path: path.write_text("{"),
    "it has another form": lambda path: path.write_text('{"version": 1, "keys": {"a": 1}, "counts": {}}'),
    "it is too large": lambda path: path.write_text(" " * (memory.LARGEST + 1)),
    "another user may write it": lambda path: path.chmod(0o666),
    "it is a link": lambda path: path.symlink_to(path.rename(path.with_suffix(".x"))),
    "it is a directory": as_directory,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_cannot_be_read_meets_nothing(place: Path, damage: str) -> None:
    rules = [DATA["policies"][name].partition("rules:\n")[2] for name in ("tests-before-push", "bounded", "fetched")]
    use(place, 'version: "1.0"\nrules:\n' + "".join(rules))
    judged(place, {"done": "npm test"})
    assert judged(place, {"call": "git push"})[0] == ""
    DAMAGE[damage](the_file(place))
    for call, decision in (("git push", "deny"), ("sendmail a", "deny")):
        said, reason = judged(place, {"call": call})
        assert said == decision
        assert "cannot be read" in reason


def test_where_nothing_can_be_written_what_should_be_forgotten_is_gone(place: Path) -> None:
    state = str(place)
    memory.change(state, SESSION, MemoryChanges(remembered={"a": 0.0, "b": 0.0}), 1.0)
    lock = place / "sessions" / "lock"
    lock.unlink()
    lock.mkdir()
    with pytest.raises(OSError, match="lock"):
        memory.change(state, SESSION, MemoryChanges(forgotten=("a",)), 2.0)
    assert memory.recall(state, SESSION, 2.0).keys == {}


def test_it_is_private_and_bounded(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = str(place)
    memory.change(state, SESSION, MemoryChanges(remembered={str(n): 0.0 for n in range(memory.MOST_KEYS)}), 1.0)
    (path,) = (place / "sessions").glob("*.json")
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    with pytest.raises(OSError, match="too much"):
        memory.change(state, SESSION, MemoryChanges(remembered={"more": 0.0}), 1.0)
    monkeypatch.setattr(memory, "MOST_COUNTERS", 2)
    for name in "ab":
        assert memory.count(state, SESSION, [Counter(name=name, most=1)], "", 1.0)
    with pytest.raises(OSError, match="too much"):
        memory.count(state, SESSION, [Counter(name="c", most=1)], "", 1.0)


def test_old_sessions_are_deleted_when_a_new_one_begins(place: Path) -> None:
    state = str(place)
    memory.change(state, SESSION, MemoryChanges(remembered={"a": 0.0}), time.time())
    (path,) = (place / "sessions").glob("*.json")
    os.utime(path, (0, 0))
    other = SESSION.replace(id="t")
    memory.change(state, other, MemoryChanges(remembered={"a": 0.0}), time.time())
    assert [one.id for _path, one, _memory in memory.sessions(state, time.time())] == ["t"]


def test_an_old_file_counts_no_more_while_it_is_there(place: Path) -> None:
    state, now, counter = str(place), time.time(), Counter(name="c", most=1)
    memory.change(state, SESSION, MemoryChanges(remembered={"a": 0.0}), now)
    assert memory.count(state, SESSION, [counter], "x", now)
    (path,) = (place / "sessions").glob("*.json")
    os.utime(path, (now - KEPT_FOR - 60,) * 2)
    assert memory.recall(state, SESSION, now) == Memory(keys={}, counts={})
    assert [*memory.sessions(state, now)] == []
    assert memory.count(state, SESSION, [counter], "y", now)
    assert not memory.count(state, SESSION, [counter], "z", now)
    assert memory.recall(state, SESSION, now).keys == {}


def test_a_change_is_a_line_and_a_long_file_is_written_anew(place: Path) -> None:
    state = str(place)
    memory.change(state, SESSION, MemoryChanges(remembered={"first": 0.0}), 1.0)
    (path,) = (place / "sessions").glob("*.json")
    sizes = []
    for number in range(200):
        memory.change(state, SESSION, MemoryChanges(forgotten=("k",)), 1.0)
        memory.change(state, SESSION, MemoryChanges(remembered={"k": 0.0, f"{number}": 0.0}), 1.0)
        sizes.append(path.stat().st_size)
    assert len(memory.recall(state, SESSION, 1.0).keys) == 202
    assert max(sizes) <= memory.LONG
    assert sizes != sorted(sizes)
    assert [one.name for one in (place / "sessions").iterdir() if one.name != "lock"] == [path.name]


def test_a_line_without_its_end_is_not_guessed(place: Path) -> None:
    state = str(place)
    memory.change(state, SESSION, MemoryChanges(remembered={"a": 0.0}), 1.0)
    memory.change(state, SESSION, MemoryChanges(forgotten=("a",)), 1.0)
    (path,) = (place / "sessions").glob("*.json")
    path.write_bytes(path.read_bytes()[:-2])
    with pytest.raises(OSError, match="damaged"):
        memory.recall(state, SESSION, 1.0)
    with pytest.raises(OSError, match="damaged"):
        memory.count(state, SESSION, [Counter(name="c", most=1)], "x", 1.0)


def test_who_reads_while_others_write_always_finds_a_key(place: Path) -> None:
    code = (
        "import sys; from rulez_py.system.sessions import memory; from rulez_py.system.effects import *\n"
        "s = Session(platform='claude', id='s', project='/p')\n"
        "for n in range(150): memory.change(sys.argv[1], s, MemoryChanges(remembered={f'{n % 9}' * 900: 0.0}), 1.0 + n)"
    )
    memory.change(str(place), SESSION, MemoryChanges(remembered={"a": 0.0}), 1.0)
    running = subprocess.Popen([sys.executable, "-c", code, str(place)])
    reads = 0
    while running.poll() is None:
        assert "a" in memory.recall(str(place), SESSION, 1.0).keys
        reads += 1
    assert (running.returncode, reads > 10) == (0, True)


def test_of_calls_at_once_no_more_pass_than_may(place: Path) -> None:
    counter = Counter(name="c", most=20)

    def one(number: int) -> bool:
        return memory.count(str(place), SESSION, [counter], f"call {number}", 1.0)

    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(one, range(60))) == 20


def test_processes_at_once_lose_no_key(place: Path) -> None:
    code = (
        "import sys; from rulez_py.system.sessions import memory; from rulez_py.system.effects import *\n"
        "s = Session(platform='claude', id='s', project='/p')\n"
        "for n in range(20): memory.change(sys.argv[1], s, MemoryChanges(remembered={sys.argv[2] + str(n): 0.0}), 1.0)"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(place), name]) for name in "abcd"]
    assert [one.wait() for one in running] == [0, 0, 0, 0]
    assert len(memory.recall(str(place), SESSION, 1.0).keys) == 80


def test_nothing_is_written_where_no_rule_remembers(place: Path) -> None:
    use(place, 'version: "1.0"\nrules: [{name: x, matchers: {command: npm}, actions: {}}]\n')
    judged(place, {"done": "npm test"})
    assert not (place / ".local" / "state" / "rulez" / "sessions").exists()
