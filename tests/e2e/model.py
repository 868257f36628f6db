"""The scripted model: answers an agent's requests on loopback, turn by turn, and keeps every request.

It has no memory. Which turn is due is read off the conversation in the request (how many turns with tool calls it
has), so that an agent may repeat a request, or ask aside for a title, without throwing the script out of step.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Protocol

from tests.e2e.script import SUBAGENT_MARK, Reply

Body = dict[str, Any]
Said = tuple[str, bytes]


class Wire(Protocol):
    """One protocol of tests/e2e/wires. A body is a request's JSON, `Said` a content type and the response's bytes."""

    def kind(self, path: str, body: Body) -> str:
        """`agent` for a request of the agent's loop (it offers tools); anything else is answered by `aside`."""

    def opening(self, body: Body) -> str:
        """What the user has said in the conversation."""

    def turns_taken(self, body: Body) -> int:
        """How many of the model's turns with tool calls the conversation has."""

    def results(self, body: Body) -> Iterator[tuple[str, str]]:
        """(call id, text of its result) of every tool result in the conversation."""

    def heard(self, body: Body) -> str:
        """Every text the model is sent that it did not write itself."""

    def offered(self, body: Body) -> list[str]:
        """The names of the tools the model may call."""

    def system(self, body: Body) -> str:
        """The system prompt."""

    def model(self, path: str, body: Body) -> str:
        """The name of the model that is asked."""

    def answer(self, path: str, body: Body, reply: Reply) -> Said: ...

    def aside(self, path: str, body: Body) -> Said: ...


class Request(NamedTuple):
    """One request of an agent's loop. `conversation` is main or sub."""

    conversation: str
    path: str
    body: Body


class Model:
    """A server on `port`, from entering the context to leaving it.

    `say(conversation, turn)` is the script: `conversation` is main or sub, `turn` counts from 0. GET requests below
    /pages/ are answered with a page: the web of the session. They are kept in `visits`, as is what is no HTTP.
    """

    def __init__(self, wire: Wire, say: Callable[[str, int], Reply]) -> None:
        self.wire = wire
        self.requests: list[Request] = []
        self.visits: list[str] = []
        self._say = say
        self._lock = threading.Lock()
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def send_error(self, *_: object) -> None:
                # Claude Code fetches over TLS whatever the URL says: no request we can read, but a visit.
                model.visits.append("(unreadable)")
                self.close_connection = True

            def do_HEAD(self) -> None:
                self._send("text/plain", b"")

            def do_GET(self) -> None:
                if self.path.startswith("/pages/"):
                    model.visits.append(self.path)
                    self._send("text/plain", b"a page of the session's web\n")
                else:
                    self._send(*model.wire.aside(self.path, {}))

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
                self._send(*model.respond(self.path, body))

            def _send(self, content_type: str, data: bytes) -> None:
                self.send_response(200)
                self.send_header("Content-Type", content_type)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True

    def __enter__(self) -> Model:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def respond(self, path: str, body: Body) -> Said:
        """The response to one request."""
        if self.wire.kind(path, body) != "agent":
            return self.wire.aside(path, body)
        conversation = "sub" if SUBAGENT_MARK in self.wire.opening(body) else "main"
        with self._lock:
            self.requests.append(Request(conversation, path, body))
        reply = self._say(conversation, self.wire.turns_taken(body))
        return self.wire.answer(path, body, reply)
