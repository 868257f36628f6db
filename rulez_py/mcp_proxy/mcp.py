"""Messages between an MCP client and a server, and which of them the policy lets through. Pure but for the policy.

Messages are JSON-RPC 2.0, each a line (the transport that MCP calls stdio). INVARIANT: the server reads what was
judged, written anew, and not the bytes that came: readers differ on the second of two equal keys.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rulez_py.integrations.refusing import not_agreed, unasked
from rulez_py.mcp_proxy.lines import as_line, parsed
from rulez_py.mcp_proxy.question import question
from rulez_py.mcp_proxy.reads import READS, Read, read

if TYPE_CHECKING:
    from rulez_py.integrations import Decision

    Decide = Callable[[Mapping[str, object]], Decision]

PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS = -32700, -32600, -32602
CANCELLED = "notifications/cancelled"
_ASK = "elicitation/create"
_VERSION, _CAPABILITIES = (f"io.modelcontextprotocol/{key}" for key in ("protocolVersion", "clientCapabilities"))
"""Keys of `_meta` in every request of a client since 2026-07-28; no earlier revision has them."""
_OURS = "rulez"
"""The question in an `input_required` result that is ours."""
_NOT_REWRITTEN = "A rule rewrites what is read here, and there is nothing that could be put in its place."
_MOST_WAITING = 1_000
"""Calls that wait to be sent again. A client that gives one up does not say so."""


@dataclass(frozen=True)
class Passed:
    """The lines that follow from a message of the client: to the server, and back to the client."""

    to_server: tuple[bytes, ...] = ()
    to_client: tuple[bytes, ...] = ()

    def __add__(self, other: Passed) -> Passed:
        return Passed(self.to_server + other.to_server, self.to_client + other.to_client)


@dataclass(frozen=True)
class _Waiting:
    """A call that a person is asked about."""

    call: dict[str, Any]
    """As it goes to the server when the person agrees."""
    asked: str
    """The call that the person is asked about, as the client has sent it."""
    reason: str


class Mediator:
    """One session of a client with the server that the policy's rules call `server` (`mcp__SERVER__TOOL`).

    `decide` is `Policy.decide`. What asks is asked by an elicitation, where the client supports them: a
    request of the proxy until 2025-11-25; since 2026-07-28 the call's result is the question, and the client sends the
    call again with the answer. INVARIANT: what runs then is the call that was asked about, which we keep, once.
    """

    def __init__(self, decide: Decide, server: str) -> None:
        self._decide = decide
        self._server = server
        self._elicits = False
        self._questions: dict[str, _Waiting] = {}
        self._again: dict[str, _Waiting] = {}
        self._mark = f"rulez-{os.urandom(16).hex()}-"

    def from_client(self, line: bytes) -> Passed:
        """Return what becomes of one line of the client."""
        if not line.strip():
            return Passed()
        try:
            message = parsed(line)
            return sum(map(self.passed, message), Passed()) if isinstance(message, list) else self.passed(message)
        except (ValueError, RecursionError) as error:
            return not_json(error)

    def passed(self, message: object) -> Passed:
        """Return what becomes of one message of the client, as `parsed` returns it. Raises RecursionError."""
        if not isinstance(message, dict):
            return _error(None, INVALID_REQUEST, "a message is an object, so rulez has not handed it on")
        method = message.get("method")
        if method is None and self._marked(message.get("id")):
            waiting = self._questions.pop(message["id"], None)
            return _answered(waiting, message.get("result")) if waiting else Passed()
        if method == "initialize":
            params = message.get("params")
            self._elicits = _elicits(params.get("capabilities") if isinstance(params, dict) else None)
        if method == CANCELLED:
            return self._cancelled(message)
        if method == "tools/call":
            return self._call(message)
        if isinstance(method, str) and method in READS:
            return self._read(message, method)
        return Passed(to_server=(as_line(message),))

    def _call(self, message: dict[str, Any]) -> Passed:
        params = message.get("params")
        name = params.get("name") if isinstance(params, dict) else None
        if not isinstance(params, dict) or not isinstance(name, str) or not name:
            return _error(message.get("id"), INVALID_PARAMS, "the call names no tool, so rulez has not handed it on")
        arguments = params.get("arguments")
        if arguments is not None and not isinstance(arguments, dict):
            return _error(message.get("id"), INVALID_PARAMS, "arguments are an object, so rulez has not handed it on")
        if self._marked(params.get("requestState")):
            return self._sent_again(message, params)
        decision = self._decide({"tool_name": f"mcp__{self._server}__{name}", "tool_input": arguments or {}})
        called = _said(message)
        if decision.tool_input is not None:
            message = {**message, "params": {**params, "arguments": dict(decision.tool_input)}}
        shown = message["params"].get("arguments") or {}
        return self._decided(message, decision, called, (name, shown))

    def _read(self, message: dict[str, Any], method: str) -> Passed:
        """Return what becomes of a message by which the client reads from the server, or asks what it could read."""
        params = message.get("params")
        try:
            found = read(method, params, self._server)
        except ValueError as error:
            return _error(message.get("id"), INVALID_PARAMS, f"{error}, so rulez has not handed it on")
        if found is None:
            return Passed(to_server=(as_line(message),))
        assert isinstance(params, dict)
        if found.can_ask and self._marked(params.get("requestState")):
            return self._sent_again(message, params)
        return self._decided(message, self._strictest(found), _said(message), (method, found.shown))

    def _strictest(self, found: Read) -> Decision:
        """Return the decision that stops most. A rule has nothing to rewrite here, so where one would, it is denied."""
        decisions = []
        for event in found.events:
            decision = self._decide(event)
            if decision.tool_input is not None:
                return replace(decision, decision="deny", reason=_NOT_REWRITTEN)
            if decision.denied:
                return decision
            decisions.append(decision)
        strictest = max(decisions, key=lambda decision: decision.asks)
        if strictest.asks and not found.can_ask:
            return replace(strictest, decision="deny", reason=unasked(strictest))
        return strictest

    def _decided(
        self, message: dict[str, Any], decision: Decision, called: str, shown: tuple[str, Mapping[str, object]]
    ) -> Passed:
        """Return what becomes of a request by the decision. `shown` is what a person reads: its name, its arguments."""
        if decision.asks and "id" in message and self._can_ask(message):
            text = question(decision.reason, shown[0], self._server, shown[1])
            return self._ask(_Waiting(message, called, decision.reason), text)
        refused = unasked(decision)
        return _refused(message, refused) if refused else Passed(to_server=(as_line(message),))

    def _can_ask(self, message: dict[str, Any]) -> bool:
        return _elicits(_meta(message).get(_CAPABILITIES)) if is_new(message) else self._elicits

    def _ask(self, waiting: _Waiting, text: str | None) -> Passed:
        if text is None:
            return _refused(waiting.call, f"{waiting.reason} It has more arguments than a person can be shown.")
        # A server that could guess it could have its own question answered for this one.
        key = self._mark + os.urandom(16).hex()
        asked = {
            "method": _ASK,
            "params": {"message": text, "requestedSchema": {"type": "object", "properties": {}}},
        }
        if not is_new(waiting.call):
            self._questions[key] = waiting
            return Passed(to_client=(as_line({"jsonrpc": "2.0", "id": key, **asked}),))
        self._again[key] = waiting
        if len(self._again) > _MOST_WAITING:
            del self._again[next(iter(self._again))]
        result = {"resultType": "input_required", "inputRequests": {_OURS: asked}, "requestState": key}
        return _result(waiting.call, result)

    def _sent_again(self, message: dict[str, Any], params: dict[str, Any]) -> Passed:
        """Return what becomes of a call that comes with the answer to our question."""
        waiting = self._again.pop(params["requestState"], None)
        if waiting is None or waiting.asked != _said(message):
            return _refused(message, "Nobody was asked about this call, or the answer is used up. Call the tool anew.")
        # A server's own state and answers, which may have come with the call, are in what we have kept.
        kept = {key: value for key, value in waiting.call["params"].items() if key != "_meta"}
        own = {"_meta": params["_meta"]} if "_meta" in params else {}
        again = _Waiting({**message, "params": {**kept, **own}}, waiting.asked, waiting.reason)
        answers = params.get("inputResponses")
        return _answered(again, answers.get(_OURS) if isinstance(answers, dict) else None)

    def _cancelled(self, message: dict[str, Any]) -> Passed:
        """Return the client waits for a call no more: whatever a person still says, it does not run."""
        params = message.get("params")
        call = params.get("requestId") if isinstance(params, dict) else None
        self._again = {key: one for key, one in self._again.items() if one.call["id"] != call}
        dropped = [key for key, one in self._questions.items() if one.call["id"] == call]
        if not dropped:
            return Passed(to_server=(as_line(message),))
        for key in dropped:
            del self._questions[key]
        told = ({"jsonrpc": "2.0", "method": CANCELLED, "params": {"requestId": key}} for key in dropped)
        return Passed(to_client=tuple(map(as_line, told)))

    def _marked(self, key: object) -> bool:
        """Tell whether it can only be ours: no server has seen such a key."""
        return isinstance(key, str) and key.startswith(self._mark)


def not_json(error: Exception) -> Passed:
    """Return the answer to what `parsed` has not read."""
    return _error(None, PARSE_ERROR, f"this is not JSON, so rulez has not handed it on: {error}")


def _answered(waiting: _Waiting, answer: object) -> Passed:
    """Return what becomes of a call when the person has answered."""
    if isinstance(answer, dict) and answer.get("action") == "accept":
        return Passed(to_server=(as_line(waiting.call),))
    return _refused(waiting.call, not_agreed(waiting.reason))


def _said(message: dict[str, Any]) -> str:
    """Return a request's method, tool and arguments, the same text for the same request."""
    params = message["params"]
    return json.dumps([message["method"], *map(params.get, ("name", "uri", "arguments"))], sort_keys=True)


def _meta(message: dict[str, Any]) -> dict[str, Any]:
    params = message.get("params")
    found = params.get("_meta") if isinstance(params, dict) else None
    return found if isinstance(found, dict) else {}


def is_new(message: dict[str, Any]) -> bool:
    """Tell whether a request is of the revision 2026-07-28 or a later one."""
    return _VERSION in _meta(message)


def _elicits(capabilities: object) -> bool:
    """Tell whether a client can ask a person: by a form, which it need not say, and not by a page on the web alone."""
    able = capabilities.get("elicitation") if isinstance(capabilities, dict) else None
    return isinstance(able, dict) and ("form" in able or "url" not in able)


def _refused(message: dict[str, Any], reason: str) -> Passed:
    """Return the result of a tool that did not run, which the model reads; nothing for a notification.

    Results of a read have no place for a reason, so there it is an error.
    """
    if "id" not in message:
        return Passed()
    if message["method"] in READS:
        return _error(message["id"], INVALID_REQUEST, reason)
    if is_new(message):
        return _result(message, {"resultType": "complete", **_failed(reason)})
    if isinstance(message["params"].get("task"), dict):
        # The client expects to hear of a task (2025-11-25), and rejects any other result.
        return _error(message["id"], INVALID_REQUEST, reason)
    return _result(message, _failed(reason))


def _failed(reason: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": reason}], "isError": True}


def _result(message: dict[str, Any], result: dict[str, Any]) -> Passed:
    return Passed(to_client=(as_line({"jsonrpc": "2.0", "id": message["id"], "result": result}),))


def _error(key: object, code: int, text: str) -> Passed:
    return Passed(to_client=(as_line({"jsonrpc": "2.0", "id": key, "error": {"code": code, "message": text}}),))
