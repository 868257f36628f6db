"""What a client reads from a server besides the calls of tools: the events that the policy judges, and refusals."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulez_py import Decision
from rulez_py.mcp_proxy.mcp import Mediator
from rulez_py.mcp_proxy.reads import READS, read


def file(path: str) -> dict[str, Any]:
    return {"tool_name": "Read", "tool_input": {"file_path": path}}


def resource(uri: str, **more: Any) -> dict[str, Any]:
    return {"tool_name": "mcp__docs__resources/read", "tool_input": {"uri": uri, **more}}


def prompt(name: str, **more: Any) -> dict[str, Any]:
    return {"tool_name": "mcp__docs__prompts/get", "tool_input": {"name": name, **more}}


def typed(about: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"ref": about, "argument": {"name": "path", "value": "/e"}, **more}


@pytest.mark.parametrize(
    ("method", "params", "events"),
    [
        ("resources/read", {"uri": "db://users"}, [resource("db://users")]),
        ("resources/read", {"uri": "file:///a/b"}, [file("/a/b"), resource("file:///a/b")]),
        ("resources/read", {"uri": "FILE:/a/%2Eenv"}, [file("/a/.env"), resource("FILE:/a/%2Eenv")]),
        ("resources/read", {"uri": "file://localhost/a?x#y"}, [file("/a"), resource("file://localhost/a?x#y")]),
        ("resources/read", {"uri": " file:////a"}, [file("/a"), resource(" file:////a")]),
        ("resources/read", {"uri": "file:a/b"}, [file("a/b"), resource("file:a/b")]),
        ("resources/subscribe", {"uri": "file:///a"}, [file("/a"), resource("file:///a")]),
        ("prompts/get", {"name": "review"}, [prompt("review")]),
        ("prompts/get", {"name": "review", "arguments": {"f": "/a"}}, [prompt("review", arguments={"f": "/a"})]),
        (
            "completion/complete",
            typed({"type": "ref/prompt", "name": "review"}, context={"arguments": {"n": "1"}}),
            [prompt("review", arguments={"n": "1", "path": "/e"})],
        ),
        (
            "completion/complete",
            typed({"type": "ref/resource", "uri": "db://{path}"}),
            [resource("db://{path}"), resource("db://{path}", arguments={"path": "/e"})],
        ),
        (
            "subscriptions/listen",
            {"notifications": {"resourceSubscriptions": ["db://a", "file:///b"]}},
            [resource("db://a"), file("/b"), resource("file:///b")],
        ),
    ],
)
def test_a_read_is_judged_as_a_read(method: str, params: object, events: list[object]) -> None:
    found = read(method, params, "docs")
    assert found is not None
    assert list(found.events) == events


@pytest.mark.parametrize("notifications", [None, {}, {"toolsListChanged": True}, {"resourceSubscriptions": []}])
def test_who_listens_to_changes_of_lists_reads_nothing(notifications: object) -> None:
    assert read("subscriptions/listen", {"notifications": notifications}, "docs") is None


@pytest.mark.parametrize(
    ("method", "params"),
    [
        *((method, None) for method in sorted(READS)),
        ("resources/read", {}),
        ("resources/read", {"uri": ["file:///a"]}),
        ("prompts/get", {"name": 1}),
        ("prompts/get", {"name": "a", "arguments": ["x"]}),
        ("completion/complete", {"ref": {"name": "a"}}),
        ("completion/complete", {"ref": {"name": "a"}, "argument": {"name": "x", "value": 1}}),
        ("subscriptions/listen", {"notifications": {"resourceSubscriptions": "file:///a"}}),
        ("subscriptions/listen", {"notifications": {"resourceSubscriptions": [1]}}),
    ],
)
def test_what_does_not_say_what_it_reads_reaches_no_server(method: str, params: object) -> None:
    message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
    passed = Mediator(lambda _event: Decision(decision=""), "docs").from_client(json.dumps(message).encode())
    assert passed.to_server == ()
    (line,) = passed.to_client
    assert json.loads(line)["error"]["code"] == -32602


def decided(event: Any) -> Decision:
    """Deny what says deny, ask about what says ask, rewrite what says change; by any of the arguments."""
    said = json.dumps(event["tool_input"])
    if "change" in said:
        return Decision(decision="", tool_input={"uri": "other"})
    decision: Any = next((word for word in ("deny", "ask") if word in said), "")
    return Decision(decision=decision, reason=f"said of {event['tool_name']}")


def through(mediator: Mediator, message: Any) -> tuple[list[Any], list[Any]]:
    passed = mediator.from_client(json.dumps(message).encode())
    return [json.loads(line) for line in passed.to_server], [json.loads(line) for line in passed.to_client]


def request(method: str, params: Any, key: int = 1, *, new: bool = False) -> Any:
    about = {"protocolVersion": "2026-07-28", "clientCapabilities": {"elicitation": {}}}
    meta = {"_meta": {f"io.modelcontextprotocol/{name}": value for name, value in about.items()}} if new else {}
    return {"jsonrpc": "2.0", "id": key, "method": method, "params": {**params, **meta}}


@pytest.mark.parametrize("new", [False, True])
@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("file:///deny", "said of Read"),
        ("deny://x", "said of mcp__docs__resources/read"),
        ("change://x", "A rule rewrites what is read here, and there is nothing that could be put in its place."),
    ],
)
def test_a_refused_read_is_an_error_that_says_why(uri: str, said: str, new: bool) -> None:
    message = request("resources/read", {"uri": uri}, new=new)
    answer = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32600, "message": said}}
    assert through(Mediator(decided, "docs"), message) == ([], [answer])


def test_what_is_not_refused_goes_on_as_it_is() -> None:
    message = request("resources/read", {"uri": "file:///a", "more": [1]})
    assert through(Mediator(decided, "docs"), message) == ([message], [])


@pytest.mark.parametrize("action", ["accept", "decline"])
def test_a_person_is_asked_about_a_read(action: str) -> None:
    mediator = Mediator(decided, "docs")
    through(mediator, request("initialize", {"capabilities": {"elicitation": {}}}, 0))
    message = request("prompts/get", {"name": "ask"})
    to_server, (asked,) = through(mediator, message)
    assert to_server == []
    assert asked["params"]["message"].endswith('May prompts/get of docs run with this?\nname: "ask"')
    answer = {"jsonrpc": "2.0", "id": asked["id"], "result": {"action": action}}
    to_server, to_client = through(mediator, answer)
    assert to_server == ([message] if action == "accept" else [])
    refused = {"code": -32600, "message": "said of mcp__docs__prompts/get The person has not agreed."}
    assert to_client == ([] if action == "accept" else [{"jsonrpc": "2.0", "id": 1, "error": refused}])


def test_since_2026_07_28_the_question_is_the_result_and_the_answer_is_for_the_same_read() -> None:
    mediator = Mediator(decided, "docs")
    message = request("resources/read", {"uri": "ask://x"}, new=True)
    for other in (False, True):
        (asked,) = through(mediator, message)[1]
        state = {"requestState": asked["result"]["requestState"], "inputResponses": {"rulez": {"action": "accept"}}}
        again = {**message, "id": 2, "params": {**message["params"], **state, **({"uri": "ask://y"} if other else {})}}
        to_server, to_client = through(mediator, again)
        assert to_server == ([] if other else [{**message, "id": 2}])
        assert [answer["error"]["code"] for answer in to_client] == ([-32600] if other else [])


@pytest.mark.parametrize("new", [False, True])
def test_nobody_is_asked_about_what_a_client_does_by_itself(new: bool) -> None:
    mediator = Mediator(decided, "docs")
    through(mediator, request("initialize", {"capabilities": {"elicitation": {}}}, 0))
    for method, params in (
        ("resources/subscribe", {"uri": "ask://x"}),
        ("completion/complete", typed({"name": "ask"})),
        ("subscriptions/listen", {"notifications": {"resourceSubscriptions": ["ask://x"]}}),
    ):
        to_server, (answer,) = through(mediator, request(method, params, new=new))
        assert to_server == []
        assert "none can be asked" in answer["error"]["message"]
