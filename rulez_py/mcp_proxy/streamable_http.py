"""The proxy before an MCP server that is reached by HTTP (the transport that MCP calls Streamable HTTP).

Requests come by uvicorn and go on by httpx2, which the official library `mcp` brings; so do its checks of `Host`,
`Origin` and sizes, and its spelling of headers. The library's own transports are left out: they read each message into
the types they know and write it anew, so a field of a newer revision is lost, and an event of more than a megabyte.
Here messages of the server go on byte for byte, and each revision is what client and server have agreed upon.

Until 2025-11-25 a session has a `Mediator` of its own. Later requests have no session: one holds what they are asked,
by keys of chance. INVARIANT: the server reads the message that was judged, and no header that says another.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
import uvicorn
from mcp.server.transport_security import (
    RequestBodyLimitMiddleware,
    TransportSecurityMiddleware,
    TransportSecuritySettings,
)
from mcp.shared.inbound import NAME_BEARING_METHODS, encode_header_value
from starlette.requests import Request
from starlette.responses import Response

from rulez_py.mcp_proxy import access
from rulez_py.mcp_proxy.lines import parsed
from rulez_py.mcp_proxy.mcp import CANCELLED, INVALID_REQUEST, Mediator, Passed, is_new, not_json

if TYPE_CHECKING:
    import socket

    Receive = Callable[[], Awaitable[dict[str, Any]]]
    Send = Callable[[dict[str, Any]], Awaitable[None]]

PATH = "/mcp"
LARGEST = 16 * 1024 * 1024
"""Bytes of one message of a client. Servers made with the official library read a quarter of it."""
_MOST_SESSIONS = 1_000
"""Sessions that are open. A client that goes away without a word leaves one; the longest unused makes room."""
_PING = 15.0
"""Seconds between signs of life while a person is asked."""
_SESSION, _OWN_SESSION = "mcp-session-id", "rulez-"
_INTERNAL_ERROR = -32603
_NOT_HANDED_ON = frozenset(
    (
        # Of this connection (RFC 9110, 7.6.1), or of the body as it came; both are written anew.
        *("connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "expect", "host"),
        *("content-length", "content-type", "content-encoding", "accept-encoding", "proxy-connection"),
        # Between the client and this proxy.
        *("authorization", "proxy-authorization", "cookie", "origin", "referer"),
        # Written from the message.
        *("mcp-method", "mcp-name", _SESSION),
    )
)
_HANDED_BACK = ("content-type", "cache-control", "retry-after", "allow", "x-accel-buffering")
"""Headers of the server's answers that are handed back, beside all of MCP's own."""


def serve(
    listening: socket.socket,
    url: str,
    mediator: Callable[[], Mediator],
    *,
    hosts: list[str],
    token: str | None,
    headers: Sequence[tuple[str, str]],
) -> None:
    """Answer clients until this process is ended. `headers` go to the server at `url` with every request."""

    async def run() -> None:
        waits = httpx2.Timeout(30, read=None, pool=None)  # A tool takes as long as it takes.
        limits = httpx2.Limits(max_connections=None)
        async with httpx2.AsyncClient(timeout=waits, limits=limits) as upstream:
            proxy = Proxy(upstream, url, mediator, hosts=hosts, token=token, headers=headers)
            config = uvicorn.Config(
                proxy,
                lifespan="off",
                ws="none",
                log_level="warning",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=1,  # Streams of events do not end by themselves.
            )
            await uvicorn.Server(config).serve(sockets=[listening])

    anyio.run(run)


@dataclass
class _Question:
    """A request that a person is asked about, held open. `passed` is what becomes of it."""

    passed: Passed = field(default_factory=Passed)
    answered: anyio.Event = field(default_factory=anyio.Event)

    def answer(self, passed: Passed) -> None:
        self.passed = passed
        self.answered.set()


@dataclass
class _Session:
    """What is kept of a client. Its questions are those that it answers by a message of its own."""

    mediator: Mediator
    questions: dict[str, _Question] = field(default_factory=dict)


class _Unreachable(Exception):
    """The server has given no answer that could be handed on; the text says why."""


class Proxy:
    """An ASGI application: `PATH`, judged by `decide`, before the server at `url`.

    `hosts` are the values of `Host` that mean it; empty means any. `token` is what clients send, None for nothing.
    """

    def __init__(
        self,
        upstream: httpx2.AsyncClient,
        url: str,
        mediator: Callable[[], Mediator],
        *,
        hosts: list[str],
        token: str | None,
        headers: Sequence[tuple[str, str]] = (),
    ) -> None:
        self._own_headers = list(headers)
        self._upstream = upstream
        self._url = url
        self._mediator = mediator
        self._hosts = hosts
        self._token = token
        self._sessions: dict[str, _Session] = {}
        self._without = _Session(mediator())
        self._judged = RequestBodyLimitMiddleware(self._answer, LARGEST)

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        refused = await self._refused(Request(scope))
        await (refused or self._judged)(scope, receive, send)

    async def _refused(self, request: Request) -> Response | None:
        """Return the answer to who may not speak here, whatever the message is."""
        host = request.headers.get("host", "")
        allowed = self._hosts or [host]
        origins = [f"http://{name}" for name in allowed]
        settings = TransportSecuritySettings(allowed_hosts=allowed, allowed_origins=origins)
        refused = await TransportSecurityMiddleware(settings).validate_request(request)
        if refused is not None:
            return refused
        if request.url.path != PATH:
            return _text(404, f"nothing is here; the server is at {PATH}")
        given = request.headers.getlist("authorization")
        if self._token is not None and (len(given) != 1 or not access.bears(given[0], self._token)):
            said = "rulez mcp-proxy wants its token, `Authorization: Bearer TOKEN`; it is printed where the proxy runs"
            return _text(401, said, {"www-authenticate": "Bearer"})
        return None

    async def _answer(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer a request, until the client goes: since 2026-07-28 it cancels so, and the server must see it."""
        request = Request(scope, receive)
        body = await request.body()

        async def gone() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            work.cancel_scope.cancel()

        async with anyio.create_task_group() as work:
            work.start_soon(gone)
            await self._handled(request, body, _Reply(send, scope, receive))
            work.cancel_scope.cancel()

    async def _handled(self, request: Request, body: bytes, reply: _Reply) -> None:
        if request.method not in ("POST", "GET", "DELETE"):
            return await reply.whole(_text(405, "MCP has POST, GET and DELETE", {"allow": "POST, GET, DELETE"}))
        named = request.headers.getlist(_SESSION)
        session = self._sessions.get(named[0]) if named else None
        if len(named) > 1 or (named and session is None):
            # As servers answer for a session they do not know: the client begins a new one.
            return await reply.whole(_failed(404, None, "this session is not known here (any more)"))
        if session is not None:
            self._sessions[named[0]] = self._sessions.pop(named[0])  # The last used comes last.
        name = named[0] if named else None
        if request.method == "POST":
            return await self._posted(request, body, session, name, reply)
        if name is None:
            said = "a session is needed; the older transport, HTTP+SSE of 2024-11-05, is not spoken here"
            return await reply.whole(_text(405, said, {"allow": "POST"}))
        if request.method == "DELETE" and name.startswith(_OWN_SESSION):
            self._sessions.pop(name, None)
            return await reply.whole(Response(status_code=204))
        try:
            async with self._sent(request.method, self._headers(request, name)) as response:
                if response.status_code == 404 or (request.method == "DELETE" and response.is_success):
                    self._sessions.pop(name, None)
                await reply.handed_on(response)
        except _Unreachable as error:
            await reply.whole(_text(502, str(error)))

    async def _posted(
        self, request: Request, body: bytes, session: _Session | None, name: str | None, reply: _Reply
    ) -> None:
        if not request.headers.get("content-type", "").lower().startswith("application/json"):
            return await reply.whole(_failed(415, None, "a message is `Content-Type: application/json`"))
        try:
            message = parsed(body)
        except (ValueError, RecursionError) as error:
            return await reply.whole(_json(400, not_json(error).to_client[0]))
        if not isinstance(message, dict):
            return await reply.whole(_failed(400, None, "send one message at a time, an object"))
        begins = message.get("method") == "initialize"
        if session is None or begins:
            # What one client cancels is no business of others, who may count their requests alike.
            shared = is_new(message) and not begins and message.get("method") != CANCELLED
            session = self._without if shared else _Session(self._mediator())
        question = _named(session.questions, message.get("id")) if "method" not in message else None
        try:
            passed = session.mediator.passed(message)
        except RecursionError as error:
            return await reply.whole(_json(400, not_json(error).to_client[0]))
        if question is not None:
            question.answer(passed)
            return await reply.whole(Response(status_code=202))
        if message.get("method") == CANCELLED and passed.to_client:
            for line in passed.to_client:
                if one := _named(session.questions, json.loads(line)["params"]["requestId"]):
                    one.answer(Passed(to_client=(line,)))
            return await reply.whole(Response(status_code=202))
        if passed.to_client:
            return await self._said(request, message, session, name, passed.to_client[0], reply)
        if not passed.to_server:
            return await reply.whole(Response(status_code=202))
        headers = self._headers(request, name, json.loads(passed.to_server[0]), message)
        if headers is None:
            return await reply.whole(_failed(200, message.get("id"), _HEADERS_SAY))
        try:
            async with self._sent("POST", headers, passed.to_server[0]) as response:
                own = {}
                if begins and response.is_success:
                    name = response.headers.get(_SESSION)
                    if name is None:  # For answers to questions we must know the client again.
                        name = own[_SESSION] = _OWN_SESSION + access.new_token()
                    self._kept(name, session)
                elif response.status_code == 404 and name is not None and not name.startswith(_OWN_SESSION):
                    self._sessions.pop(name, None)
                await reply.handed_on(response, own)
        except _Unreachable as error:
            await reply.whole(_failed(502, message.get("id"), str(error)))

    def _kept(self, name: str, session: _Session) -> None:
        self._sessions[name] = session
        if len(self._sessions) > _MOST_SESSIONS:
            del self._sessions[next(iter(self._sessions))]

    async def _said(
        self,
        request: Request,
        message: dict[str, Any],
        session: _Session,
        name: str | None,
        line: bytes,
        reply: _Reply,
    ) -> None:
        """Answer in the server's place: a refusal, or a question to a person and then what follows from the answer."""
        said = json.loads(line)
        if "method" not in said:
            return await reply.whole(_json(400 if said["id"] is None else 200, line))
        key, question = said["id"], _Question()
        session.questions[key] = question
        try:
            await reply.event(line)
            while not question.answered.is_set():
                with anyio.move_on_after(_PING):
                    await question.answered.wait()
                if not question.answered.is_set():
                    await reply.event(b"")
        finally:
            if not question.answered.is_set():  # The client is gone, and reads no answer.
                del session.questions[key]
                session.mediator.passed({"method": CANCELLED, "params": {"requestId": message["id"]}})
        for one in question.passed.to_client:
            await reply.event(one)
        for call in question.passed.to_server:
            headers = self._headers(request, name, json.loads(call), message)
            try:
                if headers is None:
                    raise _Unreachable(_HEADERS_SAY)
                async with self._sent("POST", headers, call) as response:
                    await reply.events(response, message["id"])
            except _Unreachable as error:
                await reply.event(_error(message["id"], str(error)))
        await reply.end()

    def _headers(
        self,
        request: Request,
        session: str | None,
        sent: Mapping[str, Any] | None = None,
        came: Mapping[str, Any] | None = None,
    ) -> list[tuple[str, str]] | None:
        """Return the headers for the server; None where they repeat arguments that a rule has changed."""
        own = [("accept-encoding", "identity"), *self._own_headers]
        ours = _NOT_HANDED_ON.union(name.lower() for name, _ in own)
        headers = own + [(name, value) for name, value in request.headers.items() if name not in ours]
        if session is not None and not session.startswith(_OWN_SESSION):
            headers.append((_SESSION, session))
        if sent is None:
            return headers
        headers.append(("content-type", "application/json"))
        if "mcp-method" in request.headers and isinstance(sent.get("method"), str):
            headers.append(("mcp-method", _in_header(sent["method"])))
        params = sent.get("params")
        about = params.get(NAME_BEARING_METHODS.get(str(sent.get("method")))) if isinstance(params, dict) else None
        if "mcp-name" in request.headers and isinstance(about, str):
            headers.append(("mcp-name", _in_header(about)))
        changed = came is not None and _arguments(came) != _arguments(sent)
        return None if changed and any(name.startswith("mcp-param-") for name, _ in headers) else headers

    @asynccontextmanager
    async def _sent(
        self, method: str, headers: list[tuple[str, str]] | None, line: bytes | None = None
    ) -> AsyncIterator[httpx2.Response]:
        """Send a request to the server. Raises _Unreachable."""
        content = None if line is None else line.rstrip(b"\n")
        # As they came: clients may write other characters than ASCII.
        pairs = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers or ()]
        asked = self._upstream.build_request(method, self._url, headers=pairs, content=content)
        try:
            response = await self._upstream.send(asked, stream=True)
        except httpx2.HTTPError as error:
            raise _Unreachable(f"the server {self._url} cannot be reached: {_why(error)}") from None
        try:
            if response.is_redirect:
                # Who follows it speaks with the server itself, past this proxy.
                place = response.headers.get("location", "")
                raise _Unreachable(f"the server {self._url} is elsewhere: start the proxy with `--to {place}`")
            if response.status_code == 401:
                raise _Unreachable(f"the server {self._url} wants to know who asks: start the proxy with `--header`")
            yield response
        finally:
            with anyio.CancelScope(shield=True):
                await response.aclose()


_HEADERS_SAY = "A rule changes arguments of this call that headers repeat (Mcp-Param-...), so it does not run."


class _Reply:
    """The answer to one request."""

    def __init__(self, send: Send, scope: dict[str, Any], receive: Receive) -> None:
        self._send = send
        self._scope = scope
        self._receive = receive
        self._begun = False

    async def whole(self, response: Response) -> None:
        await response(self._scope, self._receive, self._send)

    async def handed_on(self, response: httpx2.Response, more: Mapping[str, str] | None = None) -> None:
        """Hand on the server's answer byte for byte: events as they come, all else when it is there.

        Raises _Unreachable.
        """
        kept = {
            name: value for name, value in response.headers.items() if name in _HANDED_BACK or name.startswith("mcp-")
        }
        kept.update(more or {})
        if not _is_events(response):
            content = await _content(response)
            return await self.whole(Response(content, response.status_code, kept))
        await self._begin(response.status_code, kept)
        await self._pieces(response)
        await self.end()

    async def events(self, response: httpx2.Response, key: object) -> None:
        """Hand on the server's answer to the request `key` as events. Raises _Unreachable."""
        if _is_events(response):
            return await self._pieces(response)
        content = await _content(response)
        try:
            answer = parsed(content)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict) or answer.get("id") != key:
            raise _Unreachable(f"the server has answered with HTTP {response.status_code} and no result")
        # Line ends would part the event; in JSON they are only between values.
        await self.event(content.replace(b"\r", b" ").replace(b"\n", b" "))

    async def event(self, line: bytes) -> None:
        """Send one message, or a sign of life."""
        if not self._begun:
            await self._begin(200, {"content-type": "text/event-stream", "cache-control": "no-cache, no-transform"})
        text = b"event: message\ndata: " + line.strip() + b"\n\n" if line else b": waiting for a person\n\n"
        await self._send({"type": "http.response.body", "body": text, "more_body": True})

    async def end(self) -> None:
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _begin(self, status: int, headers: Mapping[str, str]) -> None:
        self._begun = True
        pairs = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        await self._send({"type": "http.response.start", "status": status, "headers": pairs})

    async def _pieces(self, response: httpx2.Response) -> None:
        """Hand on what comes until it ends, also where the server dies: a client sees that its answer is missing."""
        with suppress(httpx2.HTTPError):
            async for piece in response.aiter_bytes():
                await self._send({"type": "http.response.body", "body": piece, "more_body": True})


def _is_events(response: httpx2.Response) -> bool:
    kind: str = response.headers.get("content-type", "")
    return kind.partition(";")[0].strip().lower() == "text/event-stream"


async def _content(response: httpx2.Response) -> bytes:
    try:
        content: bytes = await response.aread()
    except httpx2.HTTPError as error:
        raise _Unreachable(f"the server's answer ended in the middle: {_why(error)}") from None
    return content


def _in_header(text: str) -> str:
    """Return a text of JSON as MCP writes it in a header; half a character, which JSON may have, is lost."""
    value: str = encode_header_value(text.encode("utf-8", "replace").decode())
    return value


def _arguments(message: Mapping[str, Any]) -> object:
    params = message.get("params")
    return params.get("arguments") if isinstance(params, dict) else None


def _why(error: Exception) -> str:
    return str(error) or type(error).__name__


def _named(questions: dict[str, _Question], key: object) -> _Question | None:
    return questions.pop(key, None) if isinstance(key, str) else None


def _text(status: int, said: str, headers: Mapping[str, str] | None = None) -> Response:
    return Response(said + "\n", status, headers, media_type="text/plain")


def _json(status: int, line: bytes) -> Response:
    return Response(line, status, media_type="application/json")


def _failed(status: int, key: object, said: str) -> Response:
    return _json(status, _error(key, said, INVALID_REQUEST if status < 500 else _INTERNAL_ERROR))


def _error(key: object, said: str, code: int = _INTERNAL_ERROR) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": key, "error": {"code": code, "message": said}}).encode()
