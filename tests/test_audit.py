"""The decision log: what is written, what is not, and that it never gets in the way."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py import __version__
from rulez_py.event import Event
from rulez_py.log import audit
from rulez_py.system.places import Places
from rulez_py.verdict import Answer, Checkpoint, RuleHit, Verdict

ROOT = Path(__file__).parent.parent
NOON = 1_700_000_000.5


def places_in(directory: Path) -> Places:
    return Places(
        home=str(directory),
        managed_policy=str(directory / "etc" / "rules.yaml"),
        user_policy=str(directory / "config" / "rules.yaml"),
        user_fallback=str(directory / ".claude" / "hooks.yaml"),
        state=str(directory / "state" / "rulez"),
        cache=str(directory / "cache" / "rulez"),
    )


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return places_in(tmp_path)


def log_file(places: Places, ending: str = "") -> Path:
    return Path(places.state) / f"audit.jsonl{ending}"


def lines(*paths: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for path in paths for line in path.read_bytes().splitlines()]


def event(**fields: Any) -> Event:
    given = {"platform": "gemini", "types": ("PreToolUse",), "native_event": "BeforeTool", "session_id": "s-1"}
    return Event(**{**given, "tool_name": "Bash", "platform_tool_name": "run_shell_command", **fields})


def entry(
    event: Event, verdict: Verdict | None = None, answer: Answer | None = None, milliseconds: float = 1.0
) -> dict[str, Any]:
    return audit.entry_for(event, verdict or Verdict(), answer or Answer(), milliseconds, NOON)


# What an entry says.


def test_a_whole_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "_host", lambda: "box")
    monkeypatch.setenv("LOGNAME", "ann")
    hit = RuleHit(rule="no-force-push", layer="project", source="rules.yaml:3", mode="enforce", decision="deny")
    verdict = Verdict(
        decision="deny",
        reason="Blocked: history",
        rule="no-force-push",
        hits=(hit,),
        notes=("note",),
        failed=False,
        warnings=("hooks are off",),
    )
    call = event(
        types=("PreToolUse", "PermissionRequest"),
        tool_input={"command": "git push --force"},
        cwd="/p",
        agent_type="reviewer",
        call_id="call-1",
        agent_version="0.61.0",
        payload={"secret": "payload"},
    )
    answer = Answer(stdout="{}", exit_code=2, dropped=("context",))
    written = audit.entry_for(call, verdict, answer, 12.345, NOON, ["/p/.rulez/rules.yaml"])
    assert re.fullmatch("[0-9a-f]{16}", str(written.pop("id")))
    assert written == {
        "schema": 1,
        "time": "2023-11-14T22:13:20.500Z",
        "verdict": "deny",
        "rule": "no-force-push",
        "rule_source": "rules.yaml:3",
        "ms": 12.3,
        "platform": "gemini",
        "agent_version": "0.61.0",
        "session": "s-1",
        "tool_use_id": "call-1",
        "event": ["PreToolUse", "PermissionRequest"],
        "platform_event": "BeforeTool",
        "tool": "Bash",
        "platform_tool": "run_shell_command",
        "input": "git push --force",
        "reason": "Blocked: history",
        "failed": False,
        "rules": [
            {
                "rule": "no-force-push",
                "layer": "project",
                "source": "rules.yaml:3",
                "mode": "enforce",
                "decision": "deny",
                "would": None,
            }
        ],
        "let_pass": None,
        "redacted": [],
        "checkpoints": [],
        "notes": ["note", "hooks are off"],
        "dropped": ["context"],
        "exit_code": 2,
        "cwd": "/p",
        "agent_type": "reviewer",
        "policies": ["/p/.rulez/rules.yaml"],
        "host": "box",
        "user": "ann",
        "rulez": __version__,
    }


def test_every_field_is_documented() -> None:
    rows = (ROOT / "docs" / "log.md").read_text("utf-8").partition("## A line")[2].partition("\n## ")[0].splitlines()
    named = [name for row in rows if row.startswith("| `") for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    assert named == list(entry(event()))


@pytest.mark.parametrize(
    ("tool_input", "shown"),
    [
        ({"command": "ls", "file_path": "/a"}, "ls"),
        ({"command": ["bash", "-lc", "ls"]}, "bash -lc ls"),
        ({"file_path": "/a/b.py", "content": "text"}, "/a/b.py"),
        ({"command": "*** Begin Patch", "file_path": "/a", "file_paths": ["/a", "/b"]}, "/a /b"),
        ({"url": "https://x.test/"}, "https://x.test/"),
        ({"command": "", "url": "https://x.test/"}, "https://x.test/"),
        ({"content": "only text"}, ""),
        ({"command": 7}, ""),
        ({}, ""),
    ],
)
def test_what_the_call_was_about(tool_input: dict[str, object], shown: str) -> None:
    assert entry(event(tool_input=tool_input))["input"] == shown


def test_the_input_is_cut() -> None:
    shown = entry(event(tool_input={"command": "x" * 5000}))["input"]
    assert shown == "x" * 1999 + "…"


def test_a_secret_across_the_cut_is_gone() -> None:
    command = "x " * 990 + "ghp_" + "a1B2" * 9
    assert "ghp_" not in entry(event(tool_input={"command": command}))["input"]


def test_every_string_is_redacted() -> None:
    secret = "ghp_" + "a1B2" * 9
    hit = RuleHit(rule="r", layer="project", source=f"/{secret}/rules.yaml:1", mode="enforce", decision="deny")
    verdict = Verdict(decision="deny", reason=f"why {secret}", rule="r", hits=(hit,), notes=(f"note {secret}",))
    call = event(
        tool_input={"command": f"echo {secret}"},
        session_id=secret,
        agent_version=secret,
        cwd=f"/{secret}",
        agent_type=secret,
        tool_name=secret,
        platform_tool_name=secret,
        native_event=secret,
    )
    written = audit.entry_for(call, verdict, Answer(dropped=(secret,)), 1.0, NOON, [f"/{secret}"])
    assert secret not in json.dumps(written)
    assert json.dumps(written).count("[redacted:github-token]") == 14


def test_neither_payload_nor_environment_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_PRIVATE_VALUE", "from-the-environment")
    call = event(
        payload={"key": "from-the-payload"},
        tool_input={"command": "ls", "content": "from-the-payload"},
        own_input={"content": "from-the-payload"},
        prompt="from-the-payload",
        tool_response="from-the-payload",
    )
    assert "from-the" not in json.dumps(entry(call))


@pytest.mark.parametrize(
    ("now", "shown"),
    [(0.0, "1970-01-01T00:00:00.000Z"), (0.0019, "1970-01-01T00:00:00.001Z"), (59.9999, "1970-01-01T00:00:59.999Z")],
)
def test_time(now: float, shown: str) -> None:
    assert audit.iso_time(now) == shown


# How it is written.


def test_one_line_each_in_a_file_only_its_owner_reads(places: Places) -> None:
    audit.record(places, {"number": 1, "text": "two\nlines\u2028é"})
    audit.record(places, {"number": 2})
    assert lines(log_file(places)) == [{"number": 1, "text": "two\nlines\u2028é"}, {"number": 2}]
    assert log_file(places).read_bytes().count(b"\n") == 2
    assert stat.S_IMODE(log_file(places).stat().st_mode) == 0o600
    assert stat.S_IMODE(log_file(places).parent.stat().st_mode) == 0o700


def test_a_recorded_entry_reads_back(places: Places) -> None:
    written = entry(event(tool_input={"command": "ls"}))
    audit.record(places, written)
    assert lines(log_file(places)) == [written]


def test_a_long_line_loses_the_ends_of_its_long_strings_first() -> None:
    line = audit.line({"time": "t", "verdict": "deny", "reason": "r" * 100_000, "input": "short", "notes": ["n" * 9]})
    assert len(line) <= audit.LINE_LIMIT
    shown = json.loads(line)
    assert shown["reason"] == "r" * 3999 + "…"
    assert {**shown, "reason": ""} == {
        "time": "t",
        "verdict": "deny",
        "reason": "",
        "input": "short",
        "notes": ["n" * 9],
    }


def test_a_line_of_too_many_things_keeps_what_matters() -> None:
    rules = [{"rule": f"rule-{number}", "source": "s" * 500} for number in range(10_000)]
    shown = json.loads(audit.line({"time": "t", "verdict": "deny", "rule": "rule-0", "rules": rules}))
    assert [rule["rule"] for rule in shown.pop("rules")] == [f"rule-{number}" for number in range(20)]
    assert shown == {"time": "t", "verdict": "deny", "rule": "rule-0"}


def test_a_call_that_passes_is_said_to_pass() -> None:
    hit = RuleHit(rule="r", layer="project", source="rules.yaml:3", mode="audit", decision="")
    written = entry(event(), Verdict(hits=(hit,)))
    assert (written["verdict"], written["rules"][0]["decision"]) == ("pass", "pass")


def test_every_line_has_an_id_of_its_own() -> None:
    assert entry(event())["id"] != entry(event())["id"]


@pytest.mark.parametrize(
    ("environ", "user"),
    [
        ({"LOGNAME": "ann", "USER": "bob"}, "ann"),
        ({"USER": "bob"}, "bob"),
        ({"USERNAME": "cy"}, "cy"),
        pytest.param({}, None, marks=pytest.mark.skipif(os.name == "nt", reason="no numbers there")),
    ],
)
def test_who_made_the_call(monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], user: str | None) -> None:
    for name in ("LOGNAME", "USER", "USERNAME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert entry(event())["user"] == (user if user is not None else str(os.getuid()))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | st.text(max_size=4000),
    lambda items: st.lists(items, max_size=40) | st.dictionaries(st.text(max_size=20), items, max_size=40),
    max_leaves=60,
)


@given(st.dictionaries(st.text(max_size=20), JSON, max_size=20))
def test_any_entry_becomes_one_line_that_fits(entry: dict[str, object]) -> None:
    line = audit.line(entry)
    assert len(line) <= audit.LINE_LIMIT
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert isinstance(json.loads(line), dict)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_short_string_is_written_as_it_is(text: str) -> None:
    assert json.loads(audit.line({"text": text})) == {"text": text}


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("\x7f", r"\u007f"),
        ("\x9b31m", r"\u009b31m"),
        ("a\u202eb", r"a\u202eb"),
        ("\U000e0041", r"\udb40\udc41"),
        ("\x1b[2J", r"\u001b[2J"),
        ("é 漢 ✓", "é 漢 ✓"),
    ],
)
def test_nothing_in_a_line_drives_a_terminal(text: str, written: str) -> None:
    line = audit.line({"input": text})
    assert line.decode() == f'{{"input":"{written}"}}\n'
    assert json.loads(line) == {"input": text}


# Rotation.


def test_a_full_file_is_rotated_and_old_ones_go(places: Places) -> None:
    for number in range(10):
        audit.record(places, {"number": number}, file_limit=30, kept=2)
    found = {
        path.name: [line["number"] for line in lines(path)]
        for path in log_file(places).parent.glob("audit.jsonl*")
        if path.suffix != ".lock"
    }
    assert found == {"audit.jsonl": [8, 9], "audit.jsonl.1": [6, 7], "audit.jsonl.2": [4, 5]}


def test_no_flood_of_others_rotates_out_what_was_denied(places: Places) -> None:
    for verdict in ("deny", "ask"):
        audit.record(places, {"verdict": verdict, "number": 1}, file_limit=100)
    for number in range(100):
        audit.record(places, {"verdict": "pass", "number": number}, file_limit=100)
    assert "deny" not in "".join(path.read_text() for path in log_file(places).parent.glob("audit.jsonl*"))
    kept = lines(log_file(places).parent / "denied.jsonl")
    assert kept == [{"verdict": "deny", "number": 1}, {"verdict": "ask", "number": 1}]


def test_no_flood_of_others_rotates_out_what_was_kept(places: Places) -> None:
    verdict = Verdict(checkpoints=(Checkpoint(id="i", rule="r", what="1 file"),))
    audit.record(places, entry(event(), verdict))
    (kept,) = lines(log_file(places).parent / "denied.jsonl")
    assert kept["checkpoints"][0]["id"] == "i"


def test_what_was_denied_is_in_the_one_log_as_well(places: Places) -> None:
    for verdict in ("deny", "pass", "allow", "ask"):
        audit.record(places, {"verdict": verdict})
    assert [line["verdict"] for line in lines(log_file(places))] == ["deny", "pass", "allow", "ask"]


def test_a_file_that_goes_while_it_is_written_takes_no_line_with_it(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = audit._append
    first = iter((True,))

    def held_up(descriptor: int, data: bytes) -> None:
        if next(first, False):
            log_file(places).unlink()
        append(descriptor, data)

    monkeypatch.setattr(audit, "_append", held_up)
    audit.record(places, {"number": 1})
    assert lines(log_file(places)) == [{"number": 1}]


def test_while_somebody_else_rotates_the_line_is_appended(places: Places) -> None:
    from rulez_py.system.files import try_lock

    audit.record(places, {"number": 0}, file_limit=10)
    lock = try_lock(f"{log_file(places)}.lock")
    assert lock is not None
    audit.record(places, {"number": 1}, file_limit=10)
    os.close(lock)
    assert [line["number"] for line in lines(log_file(places))] == [0, 1]
    assert not log_file(places, ".1").exists()


WRITER = """
import sys
from rulez_py.log import audit
from rulez_py.system.places import places
mine = places({"HOME": sys.argv[1]}, "linux")
for number in range(200):
    audit.record(mine, {"writer": int(sys.argv[2]), "number": number, "fill": "x" * (number % 50)},
                 file_limit=8_000, kept=60)
"""


def test_no_line_is_lost_or_broken_when_many_write_at_once(tmp_path: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), str(number)], cwd=ROOT) for number in range(8)
    ]
    assert [writer.wait() for writer in writers] == [0] * 8
    state = tmp_path / ".local" / "state" / "rulez"
    files = [path for path in state.iterdir() if re.fullmatch(r"audit\.jsonl(\.\d+)?", path.name)]
    assert len(files) > 2
    written = lines(*files)
    assert sorted((line["writer"], line["number"]) for line in written) == [
        (writer, number) for writer in range(8) for number in range(200)
    ]
    assert all(line["fill"] == "x" * (line["number"] % 50) for line in written)


# It never gets in the way.


def spoil(places: Places, how: str) -> None:
    """Make the log unwritable in some way."""
    state = Path(places.state)
    if how == "state is a file":
        state.parent.mkdir(parents=True)
        state.write_text("")
        return
    if how == "parent is a file":
        state.parent.write_text("")
        return
    state.mkdir(parents=True)
    log = log_file(places)
    if how == "log is a fifo":
        os.mkfifo(log)
    elif how == "log is a link to a file":
        (state / "target").write_text("")
        log.symlink_to(state / "target")
    elif how == "log is a link to a device":
        log.symlink_to("/dev/full")
    elif how == "log is a broken link":
        log.symlink_to(state / "nowhere")
    elif how == "log is a directory":
        log.mkdir()
    else:
        raise AssertionError(how)


@pytest.mark.skipif(os.name == "nt", reason="POSIX files")
@pytest.mark.parametrize(
    "how",
    [
        "state is a file",
        "parent is a file",
        "log is a fifo",
        "log is a link to a file",
        "log is a link to a device",
        "log is a broken link",
        "log is a directory",
    ],
)
def test_where_the_log_cannot_be_written_it_is_not(places: Places, how: str) -> None:
    spoil(places, how)
    before = {path: path.lstat().st_size for path in Path(places.home).rglob("*")}
    audit.record(places, {"number": 1})
    assert {path: path.lstat().st_size for path in Path(places.home).rglob("*")} == before


@pytest.mark.skipif(os.name == "nt", reason="POSIX files")
@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("state is a file", "audit.jsonl: Not a directory"),
        ("parent is a file", "audit.jsonl: Not a directory"),
        ("log is a fifo", "audit.jsonl: "),
        ("log is a directory", "audit.jsonl: Is a directory"),
    ],
)
def test_why_it_is_not_can_be_said(places: Places, how: str, why: str) -> None:
    spoil(places, how)
    assert why in audit.why_not_written(places)


def test_nothing_is_said_of_a_log_that_can_be_written(places: Places) -> None:
    assert audit.why_not_written(places) == ""


@pytest.mark.skipif(os.name == "nt", reason="POSIX files")
def test_a_fifo_that_is_read_gets_nothing(places: Places) -> None:
    spoil(places, "log is a fifo")
    reader = os.open(log_file(places), os.O_RDONLY | os.O_NONBLOCK)
    audit.record(places, {"number": 1})
    assert os.read(reader, 100) == b""
    os.close(reader)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_state_directory_is_left_alone(places: Places) -> None:
    Path(places.state).mkdir(parents=True, mode=0o500)
    audit.record(places, {"number": 1})
    assert os.listdir(places.state) == []


def test_a_lock_that_cannot_be_made_costs_no_line(places: Places) -> None:
    audit.record(places, {"number": 0})
    Path(f"{log_file(places)}.lock").mkdir()
    audit.record(places, {"number": 1}, file_limit=10)
    assert [line["number"] for line in lines(log_file(places))] == [0, 1]


def test_a_full_disk_is_no_error(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_space(_descriptor: int, _data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", no_space)
    audit.record(places, {"number": 1})


def test_a_line_cut_by_a_full_disk_does_not_take_the_next_one_with_it(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", lambda descriptor, data: real(descriptor, data[:5]))
        audit.record(places, {"number": 1})
    audit.record(places, {"number": 2})
    first, second = log_file(places).read_bytes().splitlines()
    assert (len(first), json.loads(second)) == (5, {"number": 2})


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [object(), {1, 2}, b"bytes", float("nan"), float("inf"), 2**80, {(1, 2): "tuple key"}, nested(100_000), "\ud800"],
    ids=["object", "set", "bytes", "nan", "inf", "big int", "tuple key", "nested", "surrogate"],
)
def test_nothing_that_is_recorded_raises(places: Places, value: object) -> None:
    audit.record(places, {"value": value})
    audit.record(places, {"value": "after"})
    assert lines(log_file(places))[-1] == {"value": "after"}


def test_threads_may_record_too(places: Places) -> None:
    threads = [threading.Thread(target=audit.record, args=(places, {"number": number})) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(line["number"] for line in lines(log_file(places))) == list(range(20))
