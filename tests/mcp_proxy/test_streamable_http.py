"""The proxy before a server that is reached by HTTP: what reaches the server, and what the client reads."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from typing import Any

import pytest

from rulez_py import Decision
from rulez_py.mcp_proxy.mcp import Mediator

pytestmark = [
    pytest.mark.skipif(find_spec("mcp") is None, reason="mcp is not installed; run `make integrations`"),
    pytest.mark.filterwarnings("default"),  # Its own.
]

URL = "http://127.0.0.1:8333/mcp"
JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
TOKEN = {"authorization": "Bearer secret"}
MODERN = "2026-07-28"


def decide(event: Any) -> Decision:
    name = event["tool_name"].rpartition("__")[2]
    decision: Any = name if name in ("deny", "ask") else ""
    return Decision(decision=decision, reason="said", tool_input={"n": 2} if name == "change" else None)


class Server:
    """A server that remembers what it was sent, and answers as `answers` says by the name of the tool."""

    def __init__(self, *, session: str | None = "s") -> None:
        self.requests: list[Any] = []
        self.session = session
        self.answers: dict[str, Callable[[Any], Any]] = {}

    def __call__(self, request: Any) -> Any:
        import httpx2

        self.requests.append(request)
        if request.method in self.answers:
            return self.answers[request.method](request)
        if request.method != "POST":
            return httpx2.Response(200 if request.method == "DELETE" else 405)
        message = json.loads(request.content)
        if "id" not in message or "method" not in message:
            return httpx2.Response(202)
        answer = self.answers.get(str((message.get("params") or {}).get("name")))
        if answer is not None:
            return answer(request)
        begins = {"mcp-session-id": self.session} if self.session and message["method"] == "initialize" else {}
        # A key twice, and spaces: what a server says stays as it is.
        text = f'{{"jsonrpc": "2.0",  "id": {json.dumps(message["id"])}, "result": {{"a": 1, "a": 2}}}}'
        return httpx2.Response(200, content=text, headers={"content-type": "application/json", **begins})

    def calls(self) -> list[str]:
        sent = [json.loads(request.content) for request in self.requests if request.method == "POST"]
        return [message["params"]["name"] for message in sent if message.get("method") == "tools/call"]


def call(name: str, key: object = 1, *, new: bool = False, **more: Any) -> dict[str, Any]:
    about = {"protocolVersion": MODERN, "clientCapabilities": {"elicitation": {}}}
    meta = {"_meta": {f"io.modelcontextprotocol/{one}": value for one, value in about.items()}} if new else {}
    params = {"name": name, "arguments": {"n": 1}, **meta, **more}
    return {"jsonrpc": "2.0", "id": key, "method": "tools/call", "params": params}


def played(
    server: Server,
    play: Callable[[Any], Awaitable[None]],
    *,
    token: str | None = "secret",
    headers: tuple[tuple[str, str], ...] = (),
) -> None:
    """Play with a client of the proxy before the server."""
    import httpx2

    from rulez_py.mcp_proxy.access import hosts
    from rulez_py.mcp_proxy.streamable_http import Proxy

    async def run() -> None:
        async with httpx2.AsyncClient(transport=httpx2.MockTransport(server)) as upstream:
            proxy = Proxy(
                upstream,
                "http://server.example/mcp",
                lambda: Mediator(decide, "db"),
                hosts=hosts("127.0.0.1", 8333),
                token=token,
                headers=headers,
            )
            transport = httpx2.ASGITransport(app=proxy)
            place = "http://127.0.0.1:8333"
            async with httpx2.AsyncClient(transport=transport, headers=JSON, base_url=place) as client:
                await asyncio.wait_for(play(client), 20)

    asyncio.run(run())


async def begun(client: Any, **capabilities: Any) -> dict[str, str]:
    """The headers of a session that has begun."""
    params = {"protocolVersion": "2025-11-25", "capabilities": capabilities}
    message = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}
    answer = await client.post("/mcp", json=message, headers=TOKEN)
    assert answer.status_code == 200
    return {**TOKEN, "mcp-session-id": answer.headers["mcp-session-id"]}


def events(text: str) -> list[Any]:
    lines = text.splitlines()
    return [json.loads(line.removeprefix("data:")) for line in lines if line.startswith("data:")]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"authorization": "Bearer secre"}, 401),
        ({"authorization": "secret"}, 401),
        ({**TOKEN, "host": "evil.example:8333"}, 421),
        ({**TOKEN, "host": "127.0.0.1"}, 421),
        ({**TOKEN, "host": "127.0.0.1:8333.evil.example"}, 421),
        ({**TOKEN, "origin": "http://evil.example"}, 403),
        ({**TOKEN, "origin": "null"}, 403),
        ({**TOKEN, "origin": "http://127.0.0.1:3000"}, 403),
        ({**TOKEN, "origin": "http://127.0.0.1:8333"}, 200),
        ({**TOKEN, "host": "localhost:8333"}, 200),
        (TOKEN, 200),
    ],
)
def test_who_may_speak(headers: dict[str, str], status: int) -> None:
    server = Server()

    async def play(client: Any) -> None:
        for method in ("POST", "GET", "DELETE"):
            answer = await client.request(method, "/mcp", json=call("read"), headers=headers)
            assert answer.status_code == (status if method == "POST" or status >= 400 else 405)

    played(server, play)
    assert server.calls() == (["read"] if status == 200 else [])


@pytest.mark.parametrize(
    ("path", "body", "headers", "status", "code"),
    [
        ("/", b"{}", {}, 404, None),
        ("/mcp/", b"{}", {}, 404, None),
        ("/mcp", b"", {}, 400, -32700),
        ("/mcp", b'{"a":', {}, 400, -32700),
        ("/mcp", b'{"id":1,"method":"tools/call","params":{"name":"read","arguments":{"n":NaN}}}', {}, 400, -32700),
        ("/mcp", b"[" * 100_000, {}, 400, -32700),
        ("/mcp", json.dumps([call("read")]).encode(), {}, 400, -32600),
        ("/mcp", b'"tools/call"', {}, 400, -32600),
        ("/mcp", json.dumps(call("read")).encode(), {"content-type": "text/plain"}, 415, -32600),
        ("/mcp", json.dumps(call("read")).encode(), {"content-encoding": "gzip"}, 200, None),
        ("/mcp", json.dumps(call("read")).encode(), {"mcp-session-id": "unknown"}, 404, -32600),
        ("/mcp", json.dumps(call("read", arguments={"n": "x" * 17_000_000})).encode(), {}, 413, None),
    ],
    ids=[
        *(
            "another path",
            "a path below",
            "empty",
            "cut",
            "NaN",
            "deep",
            "batch",
            "text",
            "form",
            "encoding",
            "session",
        ),
        "large",
    ],
)
def test_what_is_no_message_reaches_no_server(
    path: str, body: bytes, headers: dict[str, str], status: int, code: int | None
) -> None:
    server = Server()

    async def play(client: Any) -> None:
        answer = await client.post(path, content=body, headers={**TOKEN, **headers})
        assert answer.status_code == status
        if code is not None:
            assert answer.json()["error"]["code"] == code

    played(server, play)
    assert server.calls() == (["read"] if status == 200 else [])


def test_two_sessions_are_no_session() -> None:
    server = Server()

    async def play(client: Any) -> None:
        headers = await begun(client)
        twice = [*headers.items(), ("mcp-session-id", "other")]
        assert (await client.post("/mcp", json=call("read"), headers=twice)).status_code == 404

    played(server, play)
    assert server.calls() == []


def test_the_server_reads_what_was_judged_and_the_client_what_the_server_says() -> None:
    server = Server()

    async def play(client: Any) -> None:
        headers = await begun(client)
        twice = b'{"id":1,"method":"tools/list","method":"tools/call","params":{"name":"a","name":"read"}}'
        answer = await client.post("/mcp?x=1", content=twice, headers=headers)
        assert answer.content == b'{"jsonrpc": "2.0",  "id": 1, "result": {"a": 1, "a": 2}}'
        assert (await client.post("/mcp", content=twice.replace(b"read", b"deny"), headers=headers)).json() == {
            "jsonrpc": "2.0",
            "id": 1,
            "result": {"content": [{"type": "text", "text": "said"}], "isError": True},
        }

    played(server, play)
    assert server.requests[-1].content == b'{"id":1,"method":"tools/call","params":{"name":"read"}}'
    assert str(server.requests[-1].url) == "http://server.example/mcp"


def test_headers_that_go_on() -> None:
    server = Server()
    own = (("Authorization", "Bearer of the server"), ("X-Key", "ours"))

    async def play(client: Any) -> None:
        headers = await begun(client)
        more = {
            "x-key": "theirs",
            "x-more": "é".encode("latin-1"),
            "cookie": "c",
            "mcp-protocol-version": "2025-11-25",
            "te": "x",
        }
        answer = await client.post("/mcp", json=call("read"), headers={**headers, **more, "last-event-id": "7"})
        assert answer.status_code == 200

    played(server, play, headers=own)
    sent = server.requests[-1].headers
    expected = {
        "authorization": "Bearer of the server",
        "x-key": "ours",
        "x-more": "é",
        "mcp-session-id": "s",
        "mcp-protocol-version": "2025-11-25",
        "last-event-id": "7",
        "content-type": "application/json",
        "accept-encoding": "identity",
        "host": "server.example",
    }
    assert {name: sent.get(name) for name in expected} == expected
    assert not {"cookie", "te", "origin"} & set(sent)


@pytest.mark.parametrize(
    ("message", "given", "sent"),
    [
        (call("read", new=True), {"mcp-method": "tools/list", "mcp-name": "other"}, ("tools/call", "read")),
        (call("é", new=True), {"mcp-method": "tools/call", "mcp-name": "x"}, ("tools/call", "=?base64?w6k=?=")),
        (call("\ud800", new=True), {"mcp-method": "tools/call", "mcp-name": "x"}, ("tools/call", "?")),
        ({"id": 1, "method": "a\r\nb"}, {"mcp-method": "ping"}, ("=?base64?YQ0KYg==?=", None)),
        ({"id": 1, "method": "ping"}, {"mcp-method": "tools/call", "mcp-name": "x"}, ("ping", None)),
        (call("read"), {}, (None, None)),
    ],
)
def test_headers_say_what_the_message_says(message: Any, given: dict[str, str], sent: tuple[str | None, ...]) -> None:
    server = Server()

    async def play(client: Any) -> None:
        text = json.dumps(message)
        assert (await client.post("/mcp", content=text, headers={**TOKEN, **given})).status_code == 200

    played(server, play)
    assert tuple(server.requests[-1].headers.get(name) for name in ("mcp-method", "mcp-name")) == sent


def test_a_call_that_a_rule_changes_runs_only_where_no_header_repeats_the_old_arguments() -> None:
    server = Server()

    async def play(client: Any) -> None:
        assert "result" in (await client.post("/mcp", json=call("change"), headers=TOKEN)).json()
        more = {**TOKEN, "mcp-param-n": "1"}
        assert "result" in (await client.post("/mcp", json=call("read"), headers=more)).json()
        assert "Mcp-Param" in (await client.post("/mcp", json=call("change"), headers=more)).json()["error"]["message"]

    played(server, play)
    assert [json.loads(request.content)["params"]["arguments"]["n"] for request in server.requests] == [2, 1]


@pytest.mark.parametrize("session", ["s", None])
def test_a_session_ends_and_is_known_no_more(session: str | None) -> None:
    server = Server(session=session)

    async def play(client: Any) -> None:
        headers = await begun(client)
        assert (await client.post("/mcp", json=call("read"), headers=headers)).status_code == 200
        assert (await client.get("/mcp", headers=headers)).status_code == 405  # The server's answer.
        assert (await client.delete("/mcp", headers=headers)).status_code in (200, 204)
        assert (await client.post("/mcp", json=call("read"), headers=headers)).status_code == 404

    played(server, play)
    assert {request.headers.get("mcp-session-id") for request in server.requests} <= {None, session}
    assert [request.method for request in server.requests] == ["POST", "POST", "GET", *(["DELETE"] if session else [])]


def test_what_the_server_says_by_itself_goes_on_byte_for_byte() -> None:
    import httpx2

    server = Server()
    text = b'id: 8\r\ndata: {"jsonrpc": "2.0",\r\ndata: "method": "notifications/x"}\r\n\r\n: ping\r\n\r\n'
    kind = {"content-type": "text/event-stream; charset=utf-8", "mcp-x": "1", "set-cookie": "c", "location": "l"}
    server.answers["GET"] = lambda _request: httpx2.Response(200, content=text, headers=kind)

    async def play(client: Any) -> None:
        answer = await client.get("/mcp", headers={**await begun(client), "last-event-id": "7"})
        assert answer.content == text
        assert dict(answer.headers) == {"content-type": kind["content-type"], "mcp-x": "1"}

    played(server, play)
    assert server.requests[-1].headers["last-event-id"] == "7"


def test_a_session_that_the_server_has_lost_is_lost_here() -> None:
    import httpx2

    server = Server()
    server.answers["lost"] = lambda _request: httpx2.Response(404)

    async def play(client: Any) -> None:
        headers = await begun(client)
        for status in (404, 404):
            assert (await client.post("/mcp", json=call("lost"), headers=headers)).status_code == status

    played(server, play)
    assert server.calls() == ["lost"]


def failing(kind: str) -> Callable[[Any], Any]:
    import httpx2

    class Cut(httpx2.AsyncByteStream):  # type: ignore[misc]
        async def __aiter__(self) -> Any:
            yield b'{"jsonrpc":'
            raise httpx2.ReadError("gone")

    def answer(_request: Any) -> Any:
        if kind == "down":
            raise httpx2.ConnectError("refused")
        if kind == "cut":
            return httpx2.Response(200, stream=Cut(), headers={"content-type": "application/json"})
        if kind == "moved":
            return httpx2.Response(307, headers={"location": "http://server.example/mcp/"})
        return httpx2.Response(401, headers={"www-authenticate": "Bearer resource_metadata=x"})

    return answer


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("down", "the server http://server.example/mcp cannot be reached: refused"),
        ("cut", "the server's answer ended in the middle: gone"),
        ("moved", "is elsewhere: start the proxy with `--to http://server.example/mcp/`"),
        ("unknown", "wants to know who asks: start the proxy with `--header`"),
    ],
)
@pytest.mark.parametrize("asked", [False, True])
def test_a_server_that_does_not_answer(kind: str, said: str, asked: bool) -> None:
    server = Server()
    name = "ask" if asked else "read"
    server.answers[name] = failing(kind)

    async def play(client: Any) -> None:
        headers = await begun(client, elicitation={})
        if asked:
            (answer,) = (await answered(client, headers, call(name), "accept"))[1:]
        else:
            got = await client.post("/mcp", json=call(name), headers=headers)
            answer = got.json()
            assert got.status_code == 502
            assert not {"location", "www-authenticate"} & set(got.headers)
        assert answer["id"] == 1
        assert said in answer["error"]["message"]

    played(server, play)


async def answered(client: Any, headers: dict[str, str], message: Any, action: str, *, by: Any = None) -> list[Any]:
    """What the client reads of a call that a person answers; `by`: headers of who answers."""
    proxy: Any = client._transport.app
    kept = proxy._sessions[headers["mcp-session-id"]].questions
    before = set(kept)
    waiting = asyncio.create_task(client.post("/mcp", json=message, headers=headers))
    while not set(kept) - before:
        assert not waiting.done(), waiting.result().text
        await asyncio.sleep(0.001)
    (key,) = set(kept) - before
    answer = {"jsonrpc": "2.0", "id": key, "result": {"action": action}}
    if action == "cancel":
        answer = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": message["id"]}}
    said = await client.post("/mcp", json=answer, headers=by or headers)
    assert said.status_code == 202
    if by:
        assert key in kept
        waiting.cancel()
        return []
    return events((await waiting).text)


@pytest.mark.parametrize("as_events", [False, True])
@pytest.mark.parametrize("action", ["accept", "decline", "cancel"])
@pytest.mark.parametrize("session", ["s", None])
def test_a_person_is_asked_in_the_answer_to_the_call(action: str, as_events: bool, session: str | None) -> None:
    import httpx2

    server = Server(session=session)
    if as_events:
        text = 'id: 7\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\ndata: {"id":1,"result":{}}\n\n'
        server.answers["ask"] = lambda _: httpx2.Response(200, text=text, headers={"content-type": "text/event-stream"})
    seen: list[Any] = []

    async def play(client: Any) -> None:
        headers = await begun(client, elicitation={})
        asked, *rest = await answered(client, headers, call("ask"), action)
        assert asked["method"] == "elicitation/create"
        seen.extend(rest)

    played(server, play)
    assert server.calls() == (["ask"] if action == "accept" else [])
    if action == "accept":
        assert seen[-1]["result"] == ({} if as_events else {"a": 2})
        assert len(seen) == (2 if as_events else 1)
    elif action == "decline":
        assert seen[0]["result"]["content"][0]["text"] == "said The person has not agreed."
    else:
        assert seen[0]["method"] == "notifications/cancelled"


def test_a_person_answers_for_their_own_client_alone() -> None:
    server = Server(session=None)

    async def play(client: Any) -> None:
        one, two = [await begun(client, elicitation={}) for _ in range(2)]
        assert one != two
        await answered(client, one, call("ask"), "accept", by=two)
        await answered(client, one, call("ask", 2), "accept", by=TOKEN)
        await answered(client, one, call("ask", 3), "cancel", by=two)

    played(server, play)
    assert server.calls() == []


def test_who_goes_away_while_a_person_is_asked_runs_nothing() -> None:
    server = Server()

    async def play(client: Any) -> None:
        headers = await begun(client, elicitation={})
        proxy: Any = client._transport.app
        kept = proxy._sessions["s"].questions
        waiting = asyncio.create_task(client.post("/mcp", json=call("ask"), headers=headers))
        while not kept:
            await asyncio.sleep(0.001)
        (key,) = kept
        waiting.cancel()
        while kept:
            await asyncio.sleep(0.001)
        answer = {"jsonrpc": "2.0", "id": key, "result": {"action": "accept"}}
        assert (await client.post("/mcp", json=answer, headers=headers)).status_code == 202

    played(server, play)
    assert server.calls() == []


def test_since_2026_07_28_no_session_is_needed_and_one_client_cancels_nothing_of_another() -> None:
    server = Server()

    async def play(client: Any) -> None:
        asked = (await client.post("/mcp", json=call("ask", new=True), headers=TOKEN)).json()["result"]
        meta = call("ask", new=True)["params"]["_meta"]
        cancel = {"method": "notifications/cancelled", "params": {"requestId": 1, "_meta": meta}}
        assert (await client.post("/mcp", json=cancel, headers=TOKEN)).status_code == 202
        state = {"requestState": asked["requestState"], "inputResponses": {"rulez": {"action": "accept"}}}
        for expected in ("a", "isError"):
            again, repeated = call("ask", 2, new=True, **state), {**TOKEN, "mcp-param-n": "1"}
            answer = (await client.post("/mcp", json=again, headers=repeated)).json()
            assert expected in answer["result"]

    played(server, play)
    assert server.calls() == ["ask"]


def test_who_asks_for_no_token_gets_by_without() -> None:
    server = Server()

    async def play(client: Any) -> None:
        assert (await client.post("/mcp", json=call("read"))).status_code == 200
        assert (await client.post("/mcp", json=call("read"), headers={"origin": "http://evil"})).status_code == 403

    played(server, play, token=None)
    assert server.calls() == ["read"]


def test_sessions_that_nobody_uses_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulez_py.mcp_proxy import streamable_http

    monkeypatch.setattr(streamable_http, "_MOST_SESSIONS", 2)

    async def play(client: Any) -> None:
        one, two = [await begun(client) for _ in range(2)]
        assert (await client.post("/mcp", json=call("read"), headers=one)).status_code == 200
        await begun(client)
        statuses = [(await client.post("/mcp", json=call("read"), headers=each)).status_code for each in (one, two)]
        assert statuses == [200, 404]

    played(Server(session=None), play)
