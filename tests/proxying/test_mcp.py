"""What passes between an MCP client and a server: calls of tools as the policy says, all else as it is."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py import Decision
from rulez_py.proxying.mcp import Mediator, Passed
from tests.programs import FROZEN, ROOT, SOURCE_COMMAND, needs_binary

RULES = """\
version: "1.0"
rules:
  - {name: no-deploy, matchers: {command_match: '^deploy'}, actions: {block: true}}
  - {name: no-drop, matchers: {tools: [mcp__db__drop]}, actions: {block: true}}
  - {name: mail, matchers: {command_match: '^mail'}, actions: {ask: true}}
"""
SERVER = str(Path(__file__).parent / "server.py")


def decide(event: Any) -> Decision:
    """A policy of one word: what the tool is called."""
    name = event["tool_name"].rpartition("__")[2]
    rewritten = {"n": 2} if name == "change" else None
    decision: Any = name if name in ("deny", "ask", "allow") else ""
    return Decision(decision=decision, reason=f"said of {event['tool_name']}", tool_input=rewritten)


def call(name: object, key: object = 1, **more: Any) -> dict[str, Any]:
    return {
        "jsonrpc": "2.0",
        "id": key,
        "method": "tools/call",
        "params": {"name": name, "arguments": {"n": 1}, **more},
    }


def initialize(**capabilities: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"capabilities": capabilities}}


def said(lines: tuple[bytes, ...]) -> list[Any]:
    return [json.loads(line) for line in lines]


def through(mediator: Mediator, message: Any) -> tuple[list[Any], list[Any]]:
    passed = mediator.from_client(json.dumps(message).encode() + b"\n")
    return said(passed.to_server), said(passed.to_client)


def mediator() -> Mediator:
    return Mediator(decide, "files")


@pytest.mark.parametrize(
    "message",
    [
        initialize(roots={}),
        call("read"),
        call("allow"),
        call("read", arguments=None),
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        {"jsonrpc": "2.0", "id": "x", "result": {}},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 12345678901234567890123, "method": "ping", "params": {"x": 1.5, "y": "\u00e9\ud800"}},
    ],
)
def test_what_is_not_refused_reaches_the_server_as_it_is(message: dict[str, Any]) -> None:
    assert through(mediator(), message) == ([message], [])


def test_a_refused_call_never_reaches_the_server_and_the_model_reads_why() -> None:
    text = [{"type": "text", "text": "said of mcp__files__deny"}]
    answer = {"jsonrpc": "2.0", "id": 1, "result": {"content": text, "isError": True}}
    assert through(mediator(), call("deny")) == ([], [answer])


def test_what_is_rewritten_reaches_the_server_rewritten() -> None:
    assert through(mediator(), call("change")) == ([call("change", arguments={"n": 2})], [])


def test_a_call_that_waits_for_no_result_is_judged_too() -> None:
    for name, reaches in (("deny", False), ("ask", False), ("read", True)):
        message = call(name)
        del message["id"]
        assert through(mediator(), message) == ([message] if reaches else [], [])


def test_without_elicitation_what_asks_is_refused() -> None:
    [answer] = through(mediator(), call("ask"))[1]
    assert "nobody is there to be asked" in answer["result"]["content"][0]["text"]


@pytest.mark.parametrize(
    ("answer", "runs"),
    [
        ({"result": {"action": "accept"}}, True),
        ({"result": {"action": "decline"}}, False),
        ({"result": {"action": "cancel"}}, False),
        ({"result": "accept"}, False),
        ({"error": {"code": 1, "message": "no"}}, False),
        ({}, False),
    ],
)
def test_a_person_is_asked_in_the_client(answer: dict[str, Any], runs: bool) -> None:
    between = mediator()
    through(between, initialize(elicitation={}))
    to_server, [question] = through(between, call("ask", 7))
    assert (to_server, question["method"]) == ([], "elicitation/create")
    assert 'ask of files run with {"n": 1}' in question["params"]["message"]
    to_server, to_client = through(between, {"jsonrpc": "2.0", "id": question["id"], **answer})
    assert to_server == ([call("ask", 7)] if runs else [])
    assert [(one["id"], one["result"]["isError"]) for one in to_client] == ([] if runs else [(7, True)])
    # Once: the same answer again is nobody's.
    assert through(between, {"jsonrpc": "2.0", "id": question["id"], **answer})[1] == []


def test_no_server_can_guess_the_question() -> None:
    between = mediator()
    through(between, initialize(elicitation={}))
    keys = {through(between, call("ask"))[1][0]["id"] for _ in range(20)}
    assert len(keys) == 20
    assert all(len(key) >= 32 for key in keys)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"nonsense\n", -32700),
        (b"\xff\xfe\n", -32700),
        (b'{"method": "tools/call", "params": NaN}\n', -32700),
        (b'{"method": "ping", "x": 1e999}\n', -32700),
        (b"[" * 100_000 + b"\n", -32700),
        (b"3\n", -32600),
        (b'{"id": 1, "method": "tools/call"}\n', -32602),
        (b'{"id": 1, "method": "tools/call", "params": {"name": ["deny"]}}\n', -32602),
        (b'{"id": 1, "method": "tools/call", "params": [1]}\n', -32602),
    ],
)
def test_what_cannot_be_judged_does_not_reach_the_server(line: bytes, code: int) -> None:
    passed = mediator().from_client(line)
    assert passed.to_server == ()
    assert [one["error"]["code"] for one in said(passed.to_client)] == [code]


def test_the_server_reads_what_was_judged() -> None:
    """Of two equal keys readers take one or the other."""
    line = b'{"id": 1, "method": "tools/call", "params": {"name": "deny"}, "params": {"name": "read"}}\n'
    assert mediator().from_client(line).to_server == (b'{"id":1,"method":"tools/call","params":{"name":"read"}}\n',)
    line = b'{"id": 1, "method": "ping", "method": "tools/call", "params": {"name": "deny"}}\n'
    assert mediator().from_client(line).to_server == ()


def test_each_message_of_a_batch_is_judged() -> None:
    to_server, to_client = through(mediator(), [call("read", 1), call("deny", 2), call("read", 3), [call("deny", 4)]])
    assert [one["id"] for one in to_server] == [1, 3]
    assert [one["id"] for one in to_client] == [2, None]


def test_an_empty_line_is_nothing() -> None:
    assert mediator().from_client(b"\n") == Passed()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(["id", "method", "params", "x"]), JSON | st.just("tools/call")))
def test_no_message_passes_that_is_a_call_and_was_not_judged(message: dict[str, Any]) -> None:
    judged: list[str] = []

    def notes(event: Any) -> Decision:
        judged.append(event["tool_name"])
        return Decision(decision="deny", reason="no")

    passed = Mediator(notes, "s").from_client(json.dumps(message).encode())
    assert all(one.get("method") != "tools/call" for one in said(passed.to_server))


# As a process.


PROGRAMS = [
    pytest.param(SOURCE_COMMAND, id="source"),
    pytest.param((str(FROZEN),), id="frozen", marks=[pytest.mark.binary, needs_binary]),
]


def run(
    program: tuple[str, ...], tmp_path: Path, *arguments: str, lines: list[Any], rules: str = RULES
) -> tuple[subprocess.CompletedProcess[str], list[Any]]:
    """What the client reads of the proxy, and the tools that ran."""
    (tmp_path / "home" / ".config" / "rulez").mkdir(parents=True)
    (tmp_path / "home" / ".config" / "rulez" / "rules.yaml").write_text(rules)
    (tmp_path / "project").mkdir()
    ran = tmp_path / "ran"
    ended = subprocess.run(
        [*program, "mcp-proxy", *(arguments or ("--server", "db", "--", sys.executable, SERVER, str(ran)))],
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        cwd=tmp_path / "project",
        env={"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)},
        timeout=60,
        check=False,
    )
    return ended, [json.loads(line) for line in ran.read_text().splitlines()] if ran.exists() else []


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_server_behind_it_runs_what_the_policy_lets_through(program: tuple[str, ...], tmp_path: Path) -> None:
    calls = [
        call("shell", 1, arguments={"command": "ls"}),
        call("shell", 2, arguments={"command": "deploy now"}),
        call("drop", 3),
        call("shell", 4, arguments={"command": "mail x"}),
    ]
    ended, ran = run(program, tmp_path, lines=[*calls, {"id": 5, "method": "end", "params": 3}])
    assert ran == [calls[0]["params"]]
    assert ended.returncode == 3
    lines = ended.stdout.splitlines()
    assert '{"jsonrpc": "2.0",  "id": 1, "result": {"a": 1, "a": 2}}' in lines
    refused = {one["id"]: one["result"]["content"][0]["text"] for one in map(json.loads, lines) if one["id"] > 1}
    assert {key: text.split('"')[1] for key, text in refused.items()} == {2: "no-deploy", 3: "no-drop", 4: "mail"}


def test_it_ends_when_the_client_does(tmp_path: Path) -> None:
    ended, _ran = run(SOURCE_COMMAND, tmp_path, lines=[])
    assert (ended.returncode, ended.stdout) == (0, "")


def test_a_policy_with_mistakes_starts_no_server(tmp_path: Path) -> None:
    ended, ran = run(SOURCE_COMMAND, tmp_path, lines=[call("shell")], rules="nonsense")
    assert (ended.returncode, ended.stdout, ran) == (1, "", [])
    assert "rules.yaml:1:1" in ended.stderr


def test_a_server_that_is_not_there_is_said(tmp_path: Path) -> None:
    ended, _ran = run(SOURCE_COMMAND, tmp_path, "--", "no-such-server", lines=[])
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "the server `no-such-server` cannot be started" in ended.stderr
