"""`rulez replay`: past calls, out of logs and transcripts, judged again."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rulez_py.cli import cli
from rulez_py.history.transcripts import Past, past_calls
from tests.test_history import line

CWD = "/home/user/project"


def records(*values: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


# As the agents themselves have written them, in the versions of tests/e2e/versions.json; shortened.
def claude() -> bytes:
    base = {"sessionId": "s", "cwd": CWD, "timestamp": "t", "version": "2.1.330"}
    use = {"type": "tool_use", "id": "c", "name": "Bash", "input": {"command": "make it"}}
    return records(
        {"type": "queue-operation", "operation": "enqueue", "sessionId": "s"},
        {**base, "type": "user", "message": {"role": "user", "content": "Please go on."}, "uuid": "u"},
        {**base, "type": "assistant", "message": {"role": "assistant", "content": [use]}, "uuid": "v"},
    )


def codex() -> bytes:
    call = {"type": "function_call", "name": "exec_command", "arguments": '{"cmd": "make it"}', "call_id": "c"}
    tool = {"type": "function_call", "name": "poke", "namespace": "mcp__demo", "arguments": '{"path": "x"}'}
    patch = {"type": "custom_tool_call", "name": "apply_patch", "input": "*** Begin Patch"}
    return records(
        {"timestamp": "t", "type": "session_meta", "payload": {"id": "s", "cwd": CWD, "cli_version": "0.169.0"}},
        *({"timestamp": "t", "type": "response_item", "payload": one} for one in (call, tool, patch)),
    )


def copilot() -> bytes:
    call = {"toolCallId": "c", "toolName": "bash", "arguments": {"command": "make it"}}
    return records(
        {"type": "session.start", "data": {"sessionId": "s", "copilotVersion": "1.0.102", "context": {"cwd": CWD}}},
        {"type": "tool.execution_start", "data": call, "timestamp": "t"},
    )


def gemini() -> bytes:
    call = {"id": "c", "name": "run_shell_command", "args": {"command": "make it"}}
    message = {"id": "m", "timestamp": "t", "type": "gemini", "toolCalls": [call]}
    return records({"sessionId": "s", "projectHash": "h", "kind": "main"}, message, {"$set": {}}, message)


CALLS = {
    claude: [("Bash", {"command": "make it"}, CWD)],
    codex: [
        ("Bash", {"command": "make it"}, CWD),
        ("mcp__demo__poke", {"path": "x"}, CWD),
        ("apply_patch", {"command": "*** Begin Patch"}, CWD),
    ],
    copilot: [("bash", {"command": "make it"}, CWD)],
    gemini: [("run_shell_command", {"command": "make it"}, "")],
}


@pytest.mark.parametrize("make", CALLS, ids=lambda make: make.__name__)
def test_a_transcript_is_known_by_its_content(tmp_path: Path, make: Any) -> None:
    path = tmp_path / "anything"
    path.write_bytes(b"\xff\n" + make() + b'{"torn')
    found = list(past_calls(str(path)))
    assert [(one.tool, one.arguments, one.cwd) for one in found] == CALLS[make]
    assert {(one.platform, one.session, one.verdict) for one in found} == {(make.__name__, "s", "")}


def test_the_database_of_opencode(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    with sqlite3.connect(path) as database:
        database.execute("create table session (id text, directory text)")
        database.execute("create table part (id text, session_id text, time_created integer, data text)")
        database.execute("insert into session values ('s', ?)", [CWD])
        part = {"type": "tool", "tool": "bash", "callID": "c", "state": {"input": {"command": "make it"}}}
        for number, data in enumerate(({"type": "text"}, part)):
            database.execute("insert into part values (?, 's', ?, ?)", [str(number), number, json.dumps(data)])
    database.close()
    (found,) = past_calls(str(path))
    assert found == Past("opencode", "bash", {"command": "make it"}, CWD, "s")


def test_a_database_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(b"SQLite format 3\0" + bytes(100))
    with pytest.raises(ValueError, match="not a database of OpenCode"):
        list(past_calls(str(path)))


@pytest.mark.parametrize(
    ("fields", "inexact"),
    [
        ({}, ""),
        ({"tool_input": {"command": "x" * 5000}}, "the log has cut its input"),
        ({"tool_input": {"command": "curl -u bob:hunter2hunter2 x.test"}}, "the log has redacted its input"),
        ({"tool_name": "Write", "tool_input": {"file_path": "x"}}, "the log does not keep all arguments of this tool"),
        ({"tool_name": "Read", "tool_input": {"file_path": "x"}}, ""),
    ],
)
def test_what_the_log_holds_only_in_part_is_not_judged(tmp_path: Path, fields: Any, inexact: str) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_bytes(line(1, **fields))
    (found,) = past_calls(str(path))
    assert found.inexact == inexact


# The command.

POLICY = """\
version: "1.0"
rules:
  - {name: no-make, matchers: {command: {program: make}}, actions: {block: true}}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    place = tmp_path / "project"
    place.mkdir()
    monkeypatch.chdir(place)
    (place / "policy.yaml").write_text(POLICY)
    return place


def replayed(*arguments: str, code: int = 0) -> str:
    ended = CliRunner().invoke(cli, ["replay", *arguments])
    assert ended.exit_code == code, ended.output
    return ended.output


@pytest.mark.parametrize("make", CALLS, ids=lambda make: make.__name__)
def test_calls_of_a_transcript_that_another_policy_would_stop(project: Path, make: Any) -> None:
    (project / "t").write_bytes(make())
    found = json.loads(replayed("t", "--policy", "policy.yaml", "--json"))
    (change,) = found["changes"]
    assert (change["then"], change["now"], change["rule"], change["calls"]) == ("?", "deny", "no-make", 1)


def test_verdicts_of_the_log_that_would_be_others(project: Path) -> None:
    logged = [
        line(1, tool_input={"command": "make"}, cwd=str(project), platform="codex"),
        line(2, "deny", "old", tool_input={"command": "ls"}, cwd=str(project)),
        line(3, tool_input={"command": "ls"}, cwd=str(project)),
        line(4, tool_name="Write", tool_input={"file_path": "x"}),
    ]
    (project / "audit.jsonl").write_bytes(b"".join(logged))
    found = json.loads(replayed("audit.jsonl", "--policy", "policy.yaml", "--json"))
    assert [(one["then"], one["now"], one["rule"]) for one in found["changes"]] == [
        ("pass", "deny", "no-make"),
        ("deny", "pass", "old"),
    ]
    assert (found["judged"], found["same"], list(found["inexact"].values())) == (3, 1, [1])
    output = replayed("audit.jsonl", "--policy", "policy.yaml")
    assert output.startswith("3 calls judged again: 1 as before, 2 otherwise\n1 cannot be replayed exactly")
    assert "    1  pass -> deny  no-make\n" in output


def test_rules_that_only_log_say_what_they_would_stop(project: Path) -> None:
    (project / "policy.yaml").write_text(POLICY.replace("rules:", "settings: {mode: audit}\nrules:", 1))
    logged = [
        line(number, tool_input={"command": what}, cwd=str(project)) for number, what in enumerate(("make", "ls"))
    ]
    (project / "audit.jsonl").write_bytes(b"".join(logged))
    found = json.loads(replayed("audit.jsonl", "--policy", "policy.yaml", "--json"))
    assert (found["same"], found["changes"]) == (2, [])
    assert found["would"] == [{"rule": "no-make", "would": "deny", "calls": 1}]
    assert found["enforced"] == {"deny": 1}
    output = replayed("audit.jsonl", "--policy", "policy.yaml")
    assert "If they enforced, more calls would be stopped: 1 denied" in output


def test_no_script_of_the_policy_runs(project: Path) -> None:
    (project / "policy.yaml").write_text(
        "version: '1.0'\nrules:\n  - name: r\n    matchers: {tools: [Bash]}\n"
        "    actions: {run: {script: touch, args: [made]}}\n"
    )
    (project / "t").write_bytes(claude())
    replayed("t", "--policy", "policy.yaml")
    assert not (project / "made").exists()


@pytest.mark.parametrize(
    ("content", "said"), [(b"hello\n{}\n", "neither a log of rulez nor a transcript"), (b'{"a": 1}\n', "neither a log")]
)
def test_a_file_of_another_form(project: Path, content: bytes, said: str) -> None:
    (project / "t").write_bytes(content)
    assert said in replayed("t", code=1)


def test_a_policy_that_is_not_valid(project: Path) -> None:
    (project / "policy.yaml").write_text("rules: 7\n")
    assert "policy.yaml is not valid" in replayed("policy.yaml", "--policy", "policy.yaml", code=1)


def test_no_log(project: Path) -> None:
    assert replayed() == "0 calls judged again: 0 as before, 0 otherwise\n"


def test_nothing_hidden_is_printed(project: Path) -> None:
    evil = line(1, tool_input={"command": "make \x1b]0;x\x07\u202e"}, cwd="\x1b")
    (project / "audit.jsonl").write_bytes(evil)
    assert not {"\x1b", "\x07", "\u202e"} & set(replayed("audit.jsonl", "--policy", "policy.yaml"))
