"""What an MCP client and a server say to each other, and what of it the policy lets through. Pure but for the policy.

Messages are JSON-RPC 2.0, each a line (the transport that MCP calls stdio). INVARIANT: the server reads what was
judged, written anew, and not the bytes that came: readers differ on the second of two equal keys.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulez_py.guards.refusing import not_agreed, unasked

if TYPE_CHECKING:
    from rulez_py.guards import Decision

    Decide = Callable[[Mapping[str, object]], Decision]

PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS = -32700, -32600, -32602
_ASK = "elicitation/create"
_MOST_SHOWN = 2_000
"""Characters of a call's arguments that a person is shown who is asked about it."""


@dataclass(frozen=True)
class Passed:
    """What goes on from a message of the client: lines to the server, and lines back to the client."""

    to_server: tuple[bytes, ...] = ()
    to_client: tuple[bytes, ...] = ()

    def __add__(self, other: Passed) -> Passed:
        return Passed(self.to_server + other.to_server, self.to_client + other.to_client)


class Mediator:
    """One session of a client with the server that the policy's rules call `server` (`mcp__SERVER__TOOL`).

    `decide` is `Policy.decide`. What asks is asked by an elicitation, where the client has said that it knows them.
    """

    def __init__(self, decide: Decide, server: str) -> None:
        self._decide = decide
        self._server = server
        self._elicits = False
        self._asked: dict[str, tuple[dict[str, Any], str]] = {}

    def from_client(self, line: bytes) -> Passed:
        """What becomes of one line of the client."""
        if not line.strip():
            return Passed()
        try:
            message = json.loads(line, parse_constant=_refuse, parse_float=_number)
        except (ValueError, RecursionError) as error:
            return _error(None, PARSE_ERROR, f"this is not JSON, so rulez has not handed it on: {error}")
        if isinstance(message, list):
            return sum(map(self._message, message), Passed())
        return self._message(message)

    def _message(self, message: object) -> Passed:
        if not isinstance(message, dict):
            return _error(None, INVALID_REQUEST, "a message is an object, so rulez has not handed it on")
        method = message.get("method")
        if method is None and isinstance(message.get("id"), str) and message["id"] in self._asked:
            return _answered(*self._asked.pop(message["id"]), message)
        if method == "initialize":
            self._elicits = _declares(message, "elicitation")
        if method == "tools/call":
            return self._call(message)
        return Passed(to_server=(_line(message),))

    def _call(self, message: dict[str, Any]) -> Passed:
        params = message.get("params")
        name = params.get("name") if isinstance(params, dict) else None
        if not isinstance(params, dict) or not isinstance(name, str) or not name:
            return _error(message.get("id"), INVALID_PARAMS, "the call names no tool, so rulez has not handed it on")
        arguments = params.get("arguments")
        tool = f"mcp__{self._server}__{name}"
        decision = self._decide({"tool_name": tool, "tool_input": {} if arguments is None else arguments})
        if decision.tool_input is not None:
            message = {**message, "params": {**params, "arguments": dict(decision.tool_input)}}
        if decision.asks and self._elicits and "id" in message:
            return self._ask(message, name, decision.reason)
        refused = unasked(decision)
        return _refused(message, refused) if refused else Passed(to_server=(_line(message),))

    def _ask(self, message: dict[str, Any], name: str, reason: str) -> Passed:
        # A server that could guess it could have its own question answered for this one.
        key = f"rulez-{os.urandom(16).hex()}"
        self._asked[key] = message, reason
        shown = json.dumps(message["params"].get("arguments"), ensure_ascii=False)
        shown = shown if len(shown) <= _MOST_SHOWN else shown[:_MOST_SHOWN] + "…"
        text = f"{reason}\n\nMay {name} of {self._server} run with {shown}?"
        params = {"message": text, "requestedSchema": {"type": "object", "properties": {}}}
        return Passed(to_client=(_line({"jsonrpc": "2.0", "id": key, "method": _ASK, "params": params}),))


def _answered(waiting: dict[str, Any], reason: str, answer: dict[str, Any]) -> Passed:
    """What becomes of a call when the person has answered."""
    result = answer.get("result")
    if isinstance(result, dict) and result.get("action") == "accept":
        return Passed(to_server=(_line(waiting),))
    return _refused(waiting, not_agreed(reason))


def _declares(message: dict[str, Any], capability: str) -> bool:
    params = message.get("params")
    capabilities = params.get("capabilities") if isinstance(params, dict) else None
    return isinstance(capabilities, dict) and isinstance(capabilities.get(capability), dict)


def _refused(message: dict[str, Any], reason: str) -> Passed:
    """The result of a tool that did not run, which the model reads; nothing where nobody waits for one."""
    if "id" not in message:
        return Passed()
    result = {"content": [{"type": "text", "text": reason}], "isError": True}
    return Passed(to_client=(_line({"jsonrpc": "2.0", "id": message["id"], "result": result}),))


def _error(key: object, code: int, text: str) -> Passed:
    return Passed(to_client=(_line({"jsonrpc": "2.0", "id": key, "error": {"code": code, "message": text}}),))


def _line(message: object) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no number")


def _number(text: str) -> float:
    """A number that can be written again. Raises ValueError."""
    number = float(text)
    return _refuse(text) if math.isinf(number) else number
