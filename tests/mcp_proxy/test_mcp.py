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
from rulez_py.mcp_proxy.mcp import Mediator, Passed
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


def new(name: object, key: object = 1, *, elicitation: Any = None, **more: Any) -> dict[str, Any]:
    """A call as clients of 2026-07-28 write it."""
    capabilities = {} if elicitation is None else {"elicitation": elicitation}
    about = {"protocolVersion": "2026-07-28", "clientCapabilities": capabilities}
    meta = {f"io.modelcontextprotocol/{key}": value for key, value in about.items()}
    return call(name, key, **{"_meta": {**meta, "progressToken": key}, **more})


def again(first: dict[str, Any], asked: dict[str, Any], answer: Any, **more: Any) -> dict[str, Any]:
    """The same call with an answer to the question, as clients write it."""
    answers = dict.fromkeys(asked["result"]["inputRequests"], answer)
    state = {"inputResponses": answers, "requestState": asked["result"]["requestState"]}
    params = {**first["params"], "_meta": {**first["params"]["_meta"], "progressToken": 2}, **state, **more}
    return {**first, "id": 2, "params": params}


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
        call("read", task={"ttl": 1}),
        new("read"),
        new("read", elicitation={}, requestState="of the server", inputResponses={"rulez": {"action": "accept"}}),
        {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": {}}},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        {"jsonrpc": "2.0", "id": "x", "result": {}},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 12345678901234567890123, "method": "ping", "params": {"x": 1.5, "y": "\u00e9\ud800"}},
    ],
)
def test_what_is_not_refused_reaches_the_server_as_it_is(message: dict[str, Any]) -> None:
    assert through(mediator(), message) == ([message], [])


@pytest.mark.parametrize(
    ("refused", "answer"),
    [
        (call("deny"), {"result": {"content": "said", "isError": True}}),
        (new("deny"), {"result": {"resultType": "complete", "content": "said", "isError": True}}),
        # Who waits for a task shows of a result nothing but that it is none.
        (call("deny", task={"ttl": 60_000}), {"error": {"code": -32600, "message": "said of mcp__files__deny"}}),
    ],
    ids=["until 2025-11-25", "since 2026-07-28", "as a task"],
)
def test_a_refused_call_never_reaches_the_server_and_the_model_reads_why(refused: Any, answer: Any) -> None:
    if "result" in answer:
        answer["result"]["content"] = [{"type": "text", "text": "said of mcp__files__deny"}]
    assert through(mediator(), refused) == ([], [{"jsonrpc": "2.0", "id": 1, **answer}])


def test_what_is_rewritten_reaches_the_server_rewritten() -> None:
    assert through(mediator(), call("change")) == ([call("change", arguments={"n": 2})], [])


def test_a_call_that_waits_for_no_result_is_judged_too() -> None:
    for name, reaches in (("deny", False), ("ask", False), ("read", True)):
        message = call(name)
        del message["id"]
        assert through(mediator(), message) == ([message] if reaches else [], [])


@pytest.mark.parametrize(
    ("declared", "asks"),
    [
        (None, False),
        ({}, True),
        ({"form": {}}, True),
        ({"form": {}, "url": {}}, True),
        ({"url": {}}, False),
        (True, False),
        ([], False),
    ],
)
def test_a_client_that_cannot_ask_by_a_form_is_not_made_to(declared: Any, asks: bool) -> None:
    old = mediator()
    through(old, initialize() if declared is None else initialize(elicitation=declared))
    of_old, of_new = through(old, call("ask"))[1][0], through(mediator(), new("ask", elicitation=declared))[1][0]
    assert ("method" in of_old, of_new["result"]["resultType"]) == (asks, "input_required" if asks else "complete")
    for one in () if asks else (of_old, of_new):
        assert "none can be asked" in one["result"]["content"][0]["text"]


def test_what_a_client_can_is_in_each_request_of_the_new_revision_alone() -> None:
    between = mediator()
    through(between, initialize(elicitation={}))
    assert through(between, new("ask"))[1][0]["result"]["isError"] is True


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
    assert question["params"]["message"].endswith("May ask of files run with this?\nn: 1")
    to_server, to_client = through(between, {"jsonrpc": "2.0", "id": question["id"], **answer})
    assert to_server == ([call("ask", 7)] if runs else [])
    assert [(one["id"], one["result"]["isError"]) for one in to_client] == ([] if runs else [(7, True)])
    # Once: the same answer again is nobody's.
    assert through(between, {"jsonrpc": "2.0", "id": question["id"], **answer}) == ([], [])


@pytest.mark.parametrize(
    ("answer", "runs"),
    [
        ({"action": "accept"}, True),
        ({"action": "accept", "content": {}}, True),
        ({"action": "decline"}, False),
        ({"action": "cancel"}, False),
        ("accept", False),
        (None, False),
    ],
)
def test_since_2026_the_question_is_the_result_and_the_call_comes_again(answer: Any, runs: bool) -> None:
    between = mediator()
    first = new("ask", elicitation={})
    to_server, [asked] = through(between, first)
    assert (to_server, asked["id"], asked["result"]["resultType"]) == ([], 1, "input_required")
    [question] = asked["result"]["inputRequests"].values()
    assert question["method"] == "elicitation/create"
    assert question["params"]["message"].endswith("May ask of files run with this?\nn: 1")
    to_server, to_client = through(between, again(first, asked, answer))
    # As it was, but for what each request has of its own.
    assert to_server == ([new("ask", 2, elicitation={})] if runs else [])
    assert [(one["id"], one["result"]["resultType"]) for one in to_client] == ([] if runs else [(2, "complete")])
    # Once.
    to_server, [second] = through(between, again(first, asked, answer))
    assert (to_server, second["result"]["isError"]) == ([], True)


@pytest.mark.parametrize(
    "other",
    [
        {"name": "read"},
        {"name": "allow"},
        {"arguments": {"n": 2}},
        {"arguments": {"n": True}},
        {"arguments": {"n": 1, "more": 1}},
        {"arguments": None},
        {"inputResponses": {}},
        {"inputResponses": {"another": {"action": "accept"}}},
        {"inputResponses": [{"action": "accept"}]},
        {"inputResponses": None},
    ],
    ids=str,
)
def test_what_was_agreed_to_runs_no_other_call(other: dict[str, Any]) -> None:
    between = mediator()
    first = new("ask", elicitation={})
    asked = through(between, first)[1][0]
    to_server, [answer] = through(between, again(first, asked, {"action": "accept"}, **other))
    assert (to_server, answer["result"]["isError"]) == ([], True)


@pytest.mark.parametrize(
    "change", [lambda state: state[:-1] + "x", lambda _state: "rulez", lambda _state: "", str.upper]
)
def test_no_other_state_stands_for_an_answer(change: Any) -> None:
    between = mediator()
    first = new("ask", elicitation={})
    asked = through(between, first)[1][0]
    forged = again(first, asked, {"action": "accept"}, requestState=change(asked["result"]["requestState"]))
    to_server, [answer] = through(between, forged)
    assert to_server == []
    assert answer["result"].get("isError") or answer["result"]["resultType"] == "input_required"


def test_what_a_server_has_asked_itself_stays_with_the_call() -> None:
    between = mediator()
    own = {"requestState": "of the server", "inputResponses": {"name": {"action": "accept", "content": {"a": 1}}}}
    first = new("ask", elicitation={}, **own)
    asked = through(between, first)[1][0]
    assert through(between, again(first, asked, {"action": "accept"})) == ([new("ask", 2, elicitation={}, **own)], [])


def test_an_argument_that_is_rewritten_is_asked_about_rewritten() -> None:
    def both(_event: Any) -> Decision:
        return Decision(decision="ask", reason="why", tool_input={"n": 2})

    between = Mediator(both, "files")
    first = new("ask", elicitation={})
    asked = through(between, first)[1][0]
    assert asked["result"]["inputRequests"]["rulez"]["params"]["message"].endswith("n: 2")
    runs = new("ask", 2, elicitation={}, arguments={"n": 2})
    assert through(between, again(first, asked, {"action": "accept"})) == ([runs], [])


def test_what_nobody_could_see_whole_is_refused() -> None:
    many = {f"a{number}": number for number in range(51)}
    to_server, [answer] = through(mediator(), new("ask", elicitation={}, arguments=many))
    assert to_server == []
    assert answer["result"]["content"][0]["text"].endswith("It has more arguments than a person can be shown.")


def cancelled(key: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": key, "reason": "enough"}}


def test_a_question_that_is_cancelled_is_taken_back_and_never_runs() -> None:
    between = mediator()
    through(between, initialize(elicitation={}))
    question, other = (through(between, call("ask", key))[1][0]["id"] for key in (7, 8))
    taken_back = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": question}}
    assert through(between, cancelled(7)) == ([], [taken_back])
    assert through(between, {"jsonrpc": "2.0", "id": question, "result": {"action": "accept"}}) == ([], [])
    assert through(between, {"jsonrpc": "2.0", "id": other, "result": {"action": "accept"}})[0] == [call("ask", 8)]
    # That one runs now: the server hears of it.
    assert through(between, cancelled(8)) == ([cancelled(8)], [])


def test_a_call_that_is_cancelled_before_it_comes_again_never_runs() -> None:
    between = mediator()
    first = new("ask", elicitation={})
    asked = through(between, first)[1][0]
    through(between, cancelled(1))
    assert through(between, again(first, asked, {"action": "accept"}))[0] == []


def test_calls_that_never_come_again_do_not_pile_up() -> None:
    between = mediator()
    first = new("ask", elicitation={})
    asked = [through(between, first)[1][0] for _ in range(1_001)]
    runs = [
        bool(through(between, again(first, one, {"action": "accept"}))[0]) for one in (asked[0], asked[1], asked[-1])
    ]
    assert runs == [False, True, True]


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
        # A text, perhaps cut, is whatever its reader makes of it.
        (
            b'{"id": 1, "method": "tools/call", "params": {"name": "read", "arguments": "{\\"command\\": \\"ls"}}\n',
            -32602,
        ),
        (b'{"id": 1, "method": "tools/call", "params": {"name": "read", "arguments": ["ls"]}}\n', -32602),
        (b'{"id": 1, "method": "tools/call", "params": {"name": "read", "arguments": ""}}\n', -32602),
    ],
)
def test_what_cannot_be_judged_does_not_reach_the_server(line: bytes, code: int) -> None:
    passed = mediator().from_client(line)
    assert passed.to_server == ()
    assert [one["error"]["code"] for one in said(passed.to_client)] == [code]


@pytest.mark.parametrize("depth", [*range(100, 1_200, 10), 10_000])
def test_what_is_too_deep_is_handed_on_whole_or_not_at_all(depth: int) -> None:
    line = b'{"id": 1, "method": "tools/call", "params": {"name": "ask", "arguments": {"a": %s}}}\n'
    between = mediator()
    through(between, initialize(elicitation={}))
    passed = between.from_client(line % (b"[" * depth + b"]" * depth))
    assert (passed.to_server, len(passed.to_client)) == ((), 1)


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


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_server_does_not_outlive_a_proxy_that_is_killed(program: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    deaf = "import time; print('here', flush=True); time.sleep(600)"
    proxy = subprocess.Popen(
        [*program, "mcp-proxy", "--", sys.executable, "-c", deaf],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path / "project",
        env={"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)},
    )
    with proxy:
        assert proxy.stdout is not None and proxy.stderr is not None
        assert proxy.stdout.readline() == b"here\n"
        proxy.kill()
        assert proxy.stderr.read() == b""  # Ends when the last process that holds it does.


BROKEN = """\
import sys
from rulez_py.mcp_proxy.streams import serve


class Broken:
    def from_client(self, line: bytes) -> None:
        raise KeyError(line)


serve(sys.argv[1:], Broken(), sys.stdin.buffer, sys.stdout.buffer)
"""


def test_a_mistake_of_ours_ends_the_session_and_nobody_waits_in_vain(tmp_path: Path) -> None:
    command = [sys.executable, "-c", BROKEN, sys.executable, SERVER, str(tmp_path / "ran")]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe) as proxy:
        assert proxy.stdin is not None and proxy.stdout is not None and proxy.stderr is not None
        proxy.stdin.write(json.dumps(call("shell")).encode() + b"\n")
        proxy.stdin.flush()  # And open it stays.
        assert proxy.stdout.read() == b""
        assert b"KeyError" in proxy.stderr.read()
    assert not (tmp_path / "ran").exists()


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
