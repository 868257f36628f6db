"""What passes between an editor and an agent: requests as the policy says, all else as it is."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulez_py import Decision
from rulez_py.acp_proxy.acp import Mediator, Passed
from tests.programs import FROZEN, ROOT, SOURCE_COMMAND, needs_binary

AGENT = str(Path(__file__).parent / "agent.py")
RULES = """\
version: "1.0"
rules:
  - {name: no-deploy, matchers: {command_match: '^deploy'}, actions: {block: true}}
  - {name: no-secrets, matchers: {tools: [Read, Write], paths: {globs: ['**/secret']}}, actions: {block: true}}
  - {name: mail, matchers: {command_match: '^mail'}, actions: {ask: true}}
"""
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


class Words:
    """A policy of the words that a call has anywhere: deny, ask, allow, change. It keeps what it is asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, Any]] = []

    def __call__(self, place: str, event: Any) -> Decision:
        self.asked.append((place, event["tool_name"], event["tool_input"]))
        text = json.dumps(event["tool_input"])
        rewritten = {"command": "other"} if "change" in text else None
        decision: Any = next((word for word in ("deny", "ask", "allow") if word in text), "")
        return Decision(decision=decision, reason=f"said of {event['tool_name']}", tool_input=rewritten)


OPTIONS = [
    {"optionId": "always", "name": "Always", "kind": "allow_always"},
    {"optionId": "once", "name": "Once", "kind": "allow_once"},
    {"optionId": "never", "name": "Never", "kind": "reject_always"},
    {"optionId": "no", "name": "No", "kind": "reject_once"},
]


def permission(command: str | None = None, key: object = 7, **more: Any) -> dict[str, Any]:
    told = {} if command is None else {"rawInput": {"command": command}, "kind": "execute", "title": f"`{command}`"}
    call = {"toolCallId": "t1", **told, **more}
    params = {"sessionId": "s1", "toolCall": call, "options": OPTIONS}
    return {"jsonrpc": "2.0", "id": key, "method": "session/request_permission", "params": params}


def update(what: str = "tool_call", session: str = "s1", **told: Any) -> dict[str, Any]:
    params = {"sessionId": session, "update": {"sessionUpdate": what, "toolCallId": "t1", **told}}
    return {"jsonrpc": "2.0", "method": "session/update", "params": params}


def request(method: str, key: object = 7, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": key, "method": method, "params": params}


def result(key: object, **found: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": key, "result": found}


def selected(key: object, option: str) -> dict[str, Any]:
    return result(key, outcome={"outcome": "selected", "optionId": option})


def write(content: str, key: object = 7, path: str = "/p/a") -> dict[str, Any]:
    return request("fs/write_text_file", key, sessionId="s1", path=path, content=content)


def terminal(command: str, *words: str, **more: Any) -> dict[str, Any]:
    return request("terminal/create", sessionId="s1", command=command, args=list(words), **more)


def said(lines: tuple[bytes, ...]) -> list[Any]:
    return [json.loads(line) for line in lines]


def of_agent(between: Mediator, message: Any) -> tuple[list[Any], list[Any]]:
    """What the agent and the editor read."""
    passed = between.from_agent(json.dumps(message).encode() + b"\n")
    return said(passed.to_agent), said(passed.to_editor)


def of_editor(between: Mediator, message: Any) -> tuple[list[Any], list[Any]]:
    passed = between.from_editor(json.dumps(message).encode() + b"\n")
    return said(passed.to_agent), said(passed.to_editor)


UNTOUCHED = [
    permission("ls"),
    permission("allow this"),
    permission("ls", key="text"),
    permission(None, kind="edit", rawInput={"path": "/p/a", "content": "x"}),
    update(rawInput={"command": "deny"}),
    update("agent_message_chunk", content={"type": "text", "text": "deny"}),
    write("fine"),
    request("fs/read_text_file", sessionId="s1", path="/p/a", line=3, limit=None),
    terminal("ls", "-l", cwd="/p"),
    terminal("allow"),
    request("terminal/output", sessionId="s1", terminalId="1"),
    request("terminal/kill", sessionId="s1", terminalId="deny"),
    request("elicitation/create", message="deny"),
    request("_x.ai/any", x="deny"),
    result(1, protocolVersion=1, x=1.5, y="\u00e9\ud800", z=12345678901234567890123),
    {"jsonrpc": "2.0", "id": 2, "error": {"code": -32603, "message": "deny"}},
    {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 7}},
]


@pytest.mark.parametrize("message", UNTOUCHED)
def test_what_the_policy_does_not_stop_reaches_the_editor_as_it_is(message: dict[str, Any]) -> None:
    assert of_agent(Mediator(Words()), message) == ([], [message])


@pytest.mark.parametrize(
    "message",
    [
        request("initialize", protocolVersion=1, clientCapabilities={"terminal": True}),
        request("session/new", cwd="/p", mcpServers=[{"name": "deny", "command": "deny", "args": [], "env": []}]),
        request("session/prompt", sessionId="s1", prompt=[{"type": "text", "text": "deny"}]),
        {"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s1"}},
        selected(7, "once"),
        result(7, terminalId="deny"),
    ],
)
def test_what_the_editor_says_reaches_the_agent_as_it_is(message: dict[str, Any]) -> None:
    assert of_editor(Mediator(Words()), message) == ([message], [])


def test_a_denied_request_is_rejected_and_the_person_reads_why() -> None:
    [answer], [note] = of_agent(Mediator(Words()), permission("deny\u202e"))
    assert answer == selected(7, "no")
    assert note["method"] == "session/update"
    assert note["params"]["sessionId"] == "s1"
    told = note["params"]["update"]
    assert told["sessionUpdate"] == "agent_message_chunk"
    assert told["content"]["text"] == "\n\nrulez has denied ``deny\\u202e``: said of Bash\n\n"


def test_each_note_is_a_message_of_its_own() -> None:
    between = Mediator(Words())
    notes = [of_agent(between, permission("deny"))[1][0]["params"]["update"]["messageId"] for _ in range(3)]
    assert len(set(notes)) == 3


@pytest.mark.parametrize(
    ("options", "outcome"),
    [
        (OPTIONS, {"outcome": "selected", "optionId": "no"}),
        (OPTIONS[:3], {"outcome": "cancelled"}),
        ([], {"outcome": "cancelled"}),
        (
            [None, "reject_once", {"kind": "reject_once"}, {"kind": "reject_once", "optionId": 1}],
            {"outcome": "cancelled"},
        ),
        # An agent that calls two options the same may take either.
        ([*OPTIONS, {"optionId": "no", "name": "Yes", "kind": "allow_once"}], {"outcome": "cancelled"}),
        ([*OPTIONS[:3], {"optionId": "always", "name": "No", "kind": "reject_once"}], {"outcome": "cancelled"}),
    ],
)
def test_no_option_but_one_that_rejects_once_is_chosen(options: list[Any], outcome: dict[str, Any]) -> None:
    message = permission("deny")
    message["params"]["options"] = options
    assert of_agent(Mediator(Words()), message)[0] == [result(7, outcome=outcome)]


def test_a_request_without_input_is_judged_by_what_came_before() -> None:
    between = Mediator(Words())
    of_agent(between, update(kind="execute", title="Shell", rawInput={"command": "deny"}))
    of_agent(between, update("tool_call_update", status="in_progress"))
    assert of_agent(between, permission())[0] == [selected(7, "no")]


def test_the_input_of_another_session_is_not_joined() -> None:
    between = Mediator(Words())
    of_agent(between, update(session="s2", kind="execute", rawInput={"command": "deny"}))
    answered, [passed] = of_agent(between, permission())
    assert answered == []
    assert "rulez was not told" in passed["params"]["toolCall"]["content"][0]["content"]["text"]


def test_a_call_that_is_over_is_forgotten() -> None:
    for status, joined in (("completed", False), ("failed", False), ("in_progress", True)):
        between = Mediator(Words())
        of_agent(between, update(kind="execute", rawInput={"command": "deny"}))
        of_agent(between, update("tool_call_update", status=status))
        assert bool(of_agent(between, permission())[0]) is joined


def test_what_is_rewritten_is_rejected_with_the_arguments_that_would_be_right() -> None:
    [answer], [note] = of_agent(Mediator(Words()), permission("change"))
    assert answer == selected(7, "no")
    assert '{"command": "other"}' in note["params"]["update"]["content"]["text"]
    [refused], [] = of_agent(Mediator(Words()), terminal("change"))
    assert refused["error"]["message"].endswith('{"command": "other"}')


def test_a_rules_question_goes_to_the_person_with_its_reason_and_is_asked_each_time() -> None:
    shown = {"type": "content", "content": {"type": "text", "text": "shown before"}}
    between = Mediator(Words())
    of_agent(between, update(content=[shown]))
    asked = permission("ask")
    answered, [passed] = of_agent(between, asked)
    assert answered == []
    reason = {"type": "content", "content": {"type": "text", "text": "said of Bash"}}
    assert passed["params"]["toolCall"] == {**asked["params"]["toolCall"], "content": [reason, shown]}
    assert passed["params"]["options"] == OPTIONS[1:]
    assert {key: passed[key] for key in ("id", "method")} == {"id": 7, "method": "session/request_permission"}


def test_where_nothing_else_would_be_offered_the_options_stay() -> None:
    asked = permission("ask")
    asked["params"]["options"] = [OPTIONS[0], OPTIONS[3]]
    assert of_agent(Mediator(Words()), asked)[1][0]["params"]["options"] == [OPTIONS[0], OPTIONS[3]]


@pytest.mark.parametrize(
    ("message", "denied"),
    [
        (permission(None, title="Proceed?"), False),
        (permission(None, title="allow", kind="execute"), False),
        (permission(None, title="ls", kind="execute"), False),
        (permission(None, title="deny", kind="execute"), True),
        (permission(None, kind="read", locations=[{"path": "/p/deny"}]), True),
    ],
)
def test_what_is_not_told_stays_with_the_person_or_is_denied_by_its_title(message: Any, denied: bool) -> None:
    answered, passed = of_agent(Mediator(Words()), message)
    assert answered == ([selected(7, "no")] if denied else [])
    if not denied:
        [asked] = passed
        assert "rulez was not told" in asked["params"]["toolCall"]["content"][0]["content"]["text"]
        assert asked["params"]["options"] == OPTIONS[1:]


@pytest.mark.parametrize(
    "params",
    [
        *(None, [], {}, {"toolCall": {}}, {"toolCall": 1, "options": []}, {"options": []}),
        # An editor of the other version would read the other.
        {**permission("ls")["params"], "subject": {"type": "command", "command": "deny", "cwd": "/p"}},
    ],
)
def test_a_request_that_names_not_one_call_reaches_nobody(params: Any) -> None:
    message = {"jsonrpc": "2.0", "id": 7, "method": "session/request_permission", "params": params}
    [answer], passed = of_agent(Mediator(Words()), message)
    assert (answer["id"], answer["error"]["code"], passed) == (7, -32602, [])


# The draft of version 2.


def second(subject: Any) -> dict[str, Any]:
    params = {"sessionId": "s1", "title": "May it?", "subject": subject, "options": OPTIONS}
    return request("session/request_permission", **params)


def test_requests_of_the_second_version_are_judged() -> None:
    call = {"type": "tool_call", "toolCall": permission("deny")["params"]["toolCall"]}
    harmless = {**call, "toolCall": permission("ls")["params"]["toolCall"]}
    for subject in ({"type": "command", "command": "ls", "cwd": "/p"}, harmless):
        assert of_agent(Mediator(Words()), second(subject)) == ([], [second(subject)])


# What the editor carries out for the agent.


@pytest.mark.parametrize(
    ("message", "judged"),
    [
        (write("deny"), ("Write", {"file_path": "/p/a", "content": "deny"})),
        (write("x", path="/p/deny"), ("Write", {"file_path": "/p/deny", "content": "x"})),
        (request("fs/read_text_file", sessionId="s1", path="/p/deny"), ("Read", {"file_path": "/p/deny"})),
        (terminal("deny"), ("Bash", {"command": "deny"})),
        (terminal("git", "push", "deny"), ("Bash", {"command": "git push deny"})),
        (terminal("sh", "-c", "a; deny"), ("Bash", {"command": "sh -c 'a; deny'", "commands": ["sh -c a; deny"]})),
        (terminal("x", cwd="/deny"), ("Bash", {"command": "x", "workdir": "/deny"})),
        (
            terminal("x", env=[{"name": "A", "value": "deny b"}]),
            ("Bash", {"command": "export A='deny b'; x"}),
        ),
    ],
)
def test_what_is_denied_never_reaches_the_editor_and_the_agent_reads_why(message: Any, judged: Any) -> None:
    policy = Words()
    [answer], passed = of_agent(Mediator(policy), message)
    assert policy.asked == [("", *judged)]
    assert answer == {"jsonrpc": "2.0", "id": 7, "error": {"code": -32000, "message": f"said of {judged[0]}"}}
    assert passed == []


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("fs/write_text_file", {"path": "/p/a"}),
        ("fs/write_text_file", {"path": ["/p/a"], "content": "x"}),
        ("fs/read_text_file", {}),
        ("terminal/create", {"command": ["deny"]}),
        ("terminal/create", {"command": "x", "args": [1]}),
        ("terminal/create", {"command": "x", "args": 1}),
        ("terminal/create", {"command": "x", "env": [1]}),
        ("terminal/create", {"command": "x", "env": [{"name": "A"}]}),
    ],
)
def test_what_cannot_be_judged_does_not_reach_the_editor(method: str, params: Any) -> None:
    [answer], passed = of_agent(Mediator(Words()), request(method, sessionId="s1", **params))
    assert (answer["error"]["code"], passed) == (-32602, [])


def test_a_notification_that_would_do_something_reaches_nobody() -> None:
    message = write("fine")
    del message["id"]
    assert of_agent(Mediator(Words()), message) == ([], [])


@pytest.mark.parametrize(
    ("answer", "passes"),
    [
        (lambda key: selected(key, "rulez-allow"), True),
        (lambda key: selected(key, "rulez-reject"), False),
        (lambda key: result(key, outcome={"outcome": "cancelled"}), False),
        (lambda key: result(key, outcome={"outcome": "cancelled", "optionId": "rulez-allow"}), False),
        (lambda key: result(key), False),
        (lambda key: {"jsonrpc": "2.0", "id": key, "error": {"code": 1, "message": "no"}}, False),
    ],
)
@pytest.mark.parametrize("message", [write("ask"), terminal("ask", "x")], ids=["write", "terminal"])
def test_a_rules_question_about_these_is_ours(message: Any, answer: Callable[[Any], Any], passes: bool) -> None:
    between = Mediator(Words())
    answered, [question] = of_agent(between, message)
    assert (answered, question["method"]) == ([], "session/request_permission")
    assert question["params"]["sessionId"] == "s1"
    assert question["params"]["toolCall"]["content"][0]["content"]["text"].startswith("said of ")
    to_agent, to_editor = of_editor(between, answer(question["id"]))
    assert to_editor == ([message] if passes else [])
    assert [one["error"]["message"].partition(" The ")[2] for one in to_agent] == (
        [] if passes else ["person has not agreed."]
    )
    # Once.
    assert of_editor(between, selected(question["id"], "rulez-allow")) == ([], [])


def test_an_agent_cannot_answer_our_question() -> None:
    between = Mediator(Words())
    _, [question] = of_agent(between, write("ask"))
    forged = selected(question["id"], "rulez-allow")
    assert of_agent(between, forged) == ([], [forged])
    assert of_editor(between, selected(question["id"], "rulez-reject"))[1] == []


def test_a_question_that_the_agent_takes_back_is_taken_back() -> None:
    between = Mediator(Words())
    _, [question] = of_agent(between, write("ask"))
    cancel = {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 7}}
    [answer], [told] = of_agent(between, cancel)
    assert (answer["id"], answer["error"]["code"]) == (7, -32800)
    assert told["params"] == {"requestId": question["id"]}
    assert of_editor(between, selected(question["id"], "rulez-allow")) == ([], [])


DIFF = {"type": "diff", "path": "/p/a", "oldText": "one", "newText": "ask\n"}


@pytest.mark.parametrize(
    ("asked", "option", "then", "again"),
    [
        (permission("ask x"), "once", terminal("ask", "x"), False),
        (permission("ask x"), "no", terminal("ask", "x"), True),
        (permission("ask x"), "rulez-allow", terminal("ask", "x"), True),
        (permission("ask x"), "once", terminal("ask", "y"), True),
        (permission("ask x"), "once", terminal("ask", "x", cwd="/elsewhere"), True),
        (permission("ask x"), "once", terminal("ask", "x", cwd="/p"), False),
        (permission(None, kind="edit", content=[DIFF]), "once", write("ask\n"), False),
        (permission(None, kind="edit", content=[DIFF]), "once", write("ask more\n"), True),
        (permission(None, kind="edit", content=[DIFF]), "once", write("ask\n", path="/p/b"), True),
    ],
)
def test_what_a_person_has_agreed_to_is_asked_no_second_time(asked: Any, option: str, then: Any, again: bool) -> None:
    between = Mediator(Words())
    of_editor(between, request("session/load", cwd="/p", sessionId="s1"))
    of_agent(between, asked)
    of_editor(between, selected(7, option))
    [passed] = of_agent(between, then)[1]
    assert (passed["method"] == "session/request_permission") is again
    # Once: the next time is another call.
    assert of_agent(between, then)[1][0]["method"] == "session/request_permission"


# Sessions and agents.


@pytest.mark.parametrize("method", ["session/new", "session/fork"])
def test_a_session_is_judged_by_the_policy_of_its_directory(method: str) -> None:
    policy = Words()
    between = Mediator(policy)
    for key, place, session in ((1, "/p", "s1"), ("1", "/q", "s2")):
        of_editor(between, request(method, key, cwd=place, mcpServers=[], sessionId="s0"))
        of_agent(between, result(key, sessionId=session))
    for session in ("s1", "s2", "of nobody"):
        of_agent(between, request("fs/read_text_file", sessionId=session, path="/p/a"))
    assert [place for place, *_ in policy.asked] == ["/p", "/q", "/q"]


@pytest.mark.parametrize("method", ["session/load", "session/resume"])
def test_so_is_one_that_goes_on(method: str) -> None:
    policy = Words()
    between = Mediator(policy)
    of_editor(between, request(method, cwd="/p", sessionId="s1", mcpServers=[]))
    of_agent(between, write("x"))
    assert [place for place, *_ in policy.asked] == ["/p"]


@pytest.mark.parametrize("method", ["session/new", "session/fork", "session/load", "session/resume"])
def test_no_session_opens_where_the_policy_cannot_be_read(method: str) -> None:
    between = Mediator(Words(), lambda place: "the policy of /q is not valid" if place == "/q" else "")
    to_agent, [answer] = of_editor(between, request(method, 1, cwd="/q", sessionId="s1"))
    assert (to_agent, answer["id"]) == ([], 1)
    assert answer["error"]["message"] == "the policy of /q is not valid"
    assert of_editor(between, request(method, 1, cwd="/p", sessionId="s1"))[1] == []


@pytest.mark.parametrize(
    ("given", "name", "tool"),
    [
        ("", "qwen-code", "Write"),
        ("", "an agent", "write_file"),
        ("qwen", "an agent", "Write"),
        ("", None, "write_file"),
    ],
)
def test_the_agents_own_names_of_tools_are_known(given: str, name: Any, tool: str) -> None:
    policy = Words()
    between = Mediator(policy, platform=given)
    of_editor(between, request("initialize", 0, protocolVersion=1))
    of_agent(between, result(0, protocolVersion=1, **({} if name is None else {"agentInfo": {"name": name}})))
    of_agent(between, permission(None, name="write_file", rawInput={"x": "y"}))
    assert [tool for _, tool, _ in policy.asked] == [tool]


# Lines.


@pytest.mark.parametrize(
    "line",
    [
        b"an agent that prints\n",
        b"\xff\xfe\n",
        b'{"method": "terminal/create", "params": NaN}\n',
        b'{"method": "terminal/output", "x": 1e999}\n',
        b"[" * 100_000 + b"\n",
        b"3\n",
        b"[3]\n",
    ],
)
def test_what_is_no_message_reaches_nobody(line: bytes) -> None:
    assert Mediator(Words()).from_agent(line) == Mediator(Words()).from_editor(line) == Passed(dropped=(line,))


def test_an_empty_line_is_nothing() -> None:
    assert Mediator(Words()).from_agent(b"\n") == Passed()


def test_the_editor_reads_what_was_judged() -> None:
    """Of two equal keys readers take one or the other."""
    line = b'{"id": 1, "method": "terminal/create", "params": {"command": "deny"}, "params": {"command": "ls"}}\n'
    rewritten = b'{"id":1,"method":"terminal/create","params":{"command":"ls"}}\n'
    assert Mediator(Words()).from_agent(line).to_editor == (rewritten,)
    line = b'{"id": 1, "method": "terminal/output", "method": "terminal/create", "params": {"command": "deny"}}\n'
    assert Mediator(Words()).from_agent(line).to_editor == ()


def test_each_message_of_a_batch_is_judged() -> None:
    to_agent, to_editor = of_agent(Mediator(Words()), [write("x", 1), write("deny", 2), write("x", 3)])
    assert ([one["id"] for one in to_agent], [one["id"] for one in to_editor]) == ([2], [1, 3])


def test_calls_of_which_no_end_is_heard_do_not_pile_up() -> None:
    between = Mediator(Words())
    for number in range(1_001):
        of_agent(between, update(toolCallId=f"c{number}", kind="execute", rawInput={"command": "deny"}))
    denied = [bool(of_agent(between, permission(None, toolCallId=f"c{number}"))[0]) for number in (0, 1, 1_000)]
    assert denied == [False, False, True]


METHODS = ["session/request_permission", "session/update", "fs/write_text_file", "fs/read_text_file", "terminal/create"]
TEXTS = st.sampled_from(["deny", "ask", "allow", "ls", "once", "always", "no"])
PARAMS = st.fixed_dictionaries(
    {},
    optional={
        "sessionId": st.just("s1") | JSON,
        "options": st.permutations(OPTIONS) | st.lists(st.sampled_from(OPTIONS)) | JSON,
        "toolCall": st.dictionaries(
            st.sampled_from(["rawInput", "title", "kind", "content", "toolCallId"]), JSON | TEXTS
        ),
        "subject": JSON,
        "update": JSON,
        "command": JSON | TEXTS,
        "path": JSON | TEXTS,
        "content": JSON | TEXTS,
    },
)
MESSAGES = st.fixed_dictionaries(
    {}, optional={"id": JSON, "method": st.sampled_from(METHODS) | JSON, "params": PARAMS | JSON, "result": JSON}
)


@given(st.lists(MESSAGES, max_size=4))
def test_no_answer_of_ours_chooses_an_option_that_allows(messages: list[Any]) -> None:
    between = Mediator(Words())
    for message in messages:
        for answer in of_agent(between, message)[0]:
            outcome = answer.get("result", {}).get("outcome", {"outcome": "cancelled"})
            assert outcome in ({"outcome": "cancelled"}, {"outcome": "selected", "optionId": "no"})


@given(st.lists(MESSAGES, max_size=4))
def test_nothing_passes_to_the_editor_that_a_policy_denies(messages: list[Any]) -> None:
    def denies(_place: str, _event: Any) -> Decision:
        return Decision(decision="deny", reason="no")

    between = Mediator(denies)
    for message in messages:
        for passed in of_agent(between, message)[1]:
            assert passed.get("method") not in METHODS[2:]


@given(st.lists(MESSAGES, max_size=4))
def test_where_the_policy_says_nothing_every_request_is_passed_on_or_answered(messages: list[Any]) -> None:
    between = Mediator(lambda _place, _event: Decision(decision=""))
    for message in messages:
        to_agent, to_editor = of_agent(between, message)
        if message.get("method") not in METHODS:
            assert (to_agent, to_editor) == ([], [message])
        elif "id" in message:
            [one] = [*to_agent, *to_editor]
            assert one["id"] == message["id"]


# As a process.


PROGRAMS = [
    pytest.param(SOURCE_COMMAND, id="source"),
    pytest.param((str(FROZEN),), id="frozen", marks=[pytest.mark.binary, needs_binary]),
]


def run(
    program: tuple[str, ...],
    tmp_path: Path,
    *arguments: str,
    script: list[Any],
    reads: int = 1,
    rules: str = RULES,
    says: list[Any] | None = None,
) -> tuple[int, str, str, list[Any]]:
    """The exit code and the outputs of the proxy between an editor that `says` something and an agent that says
    `script`, and what the agent has read.
    """
    place = tmp_path / "home" / ".config" / "rulez"
    place.mkdir(parents=True)
    (place / "rules.yaml").write_text(rules)
    (tmp_path / "project").mkdir()
    read = tmp_path / "read"
    (tmp_path / "script").write_text("".join(json.dumps(one) + "\n" for one in script))
    process = subprocess.Popen(
        [
            *program,
            "acp-proxy",
            *(arguments or ("--", sys.executable, AGENT, str(tmp_path / "script"), str(read), str(reads))),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path / "project",
        env={"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)},
    )
    assert process.stdin is not None
    try:
        # An editor keeps it open: what ends is the agent.
        process.stdin.writelines(json.dumps(one) + "\n" for one in says or [request("initialize", 0)])
        process.stdin.flush()
        process.wait(timeout=60)
    finally:
        process.kill()
        out, errors = process.communicate()
    found = [json.loads(line) for line in read.read_text().splitlines()] if read.exists() else []
    return process.returncode, out, errors, found


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_agent_behind_it_asks_for_what_the_policy_lets_through(program: tuple[str, ...], tmp_path: Path) -> None:
    script = [permission("ls", 1), permission("deploy now", 2), permission("mail x", 3), write("x", 4, "/p/secret")]
    code, out, errors, read = run(program, tmp_path, script=script, reads=3)
    assert code == 3, errors
    passed = [json.loads(line) for line in out.splitlines()]
    assert [one["id"] for one in passed if "id" in one] == [1, 3]
    assert passed[0] == permission("ls", 1)
    [note] = [one for one in passed if "id" not in one]
    assert 'Blocked by rule "no-deploy"' in note["params"]["update"]["content"]["text"]
    assert sorted(one["id"] for one in read) == [0, 2, 4]
    assert selected(2, "no") in read
    assert ['Blocked by rule "no-secrets"' in one["error"]["message"] for one in read if "error" in one] == [True]
    assert "a line that is no message\n" in errors


def test_calls_are_in_the_audit_log(tmp_path: Path) -> None:
    run(SOURCE_COMMAND, tmp_path, script=[permission("deploy now", 2)], reads=2)
    log = tmp_path / "home" / ".local" / "state" / "rulez" / "audit.jsonl"
    [entry] = [json.loads(line) for line in log.read_text().splitlines()]
    assert [entry[key] for key in ("verdict", "tool", "input", "session")] == ["deny", "Bash", "deploy now", "s1"]


def test_an_agent_that_cannot_be_started_says_so(tmp_path: Path) -> None:
    code, _, errors, _ = run(SOURCE_COMMAND, tmp_path, "--", "/no/such/agent", script=[])
    assert code == 1
    assert errors.startswith("Error: the agent `/no/such/agent` cannot be started: ")


@pytest.mark.parametrize(
    ("rules", "place", "said"),
    [
        ("version: 7\n", "project", "the policy is not valid"),
        (RULES, "gone", "is not a directory"),
        (RULES, ".", "lies in the project"),
    ],
)
def test_an_editor_reads_why_no_session_opens(rules: str, place: str, said: str, tmp_path: Path) -> None:
    opens = request("session/new", 0, cwd=str(tmp_path / place), mcpServers=[])
    code, out, _, read = run(SOURCE_COMMAND, tmp_path, script=[], rules=rules, says=[opens, request("last")])
    assert (code, [one["method"] for one in read]) == (3, ["last"])
    assert said in json.loads(out)["error"]["message"]


def test_calls_of_an_unknown_session_are_denied_where_the_policy_is_not_valid(tmp_path: Path) -> None:
    code, out, _, read = run(SOURCE_COMMAND, tmp_path, script=[write("x", 1)], reads=2, rules="version: 7\n")
    assert (code, out) == (3, "")
    assert any("the policy is not valid" in one["error"]["message"] for one in read if "error" in one)


def test_it_needs_an_agent(tmp_path: Path) -> None:
    assert run(SOURCE_COMMAND, tmp_path, "--platform", "qwen", script=[])[0] == 2
