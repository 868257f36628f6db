"""Messages between an editor and an agent, and which of them the policy lets through. Pure but for the policy.

Messages are JSON-RPC 2.0, each a line (the transport that ACP calls stdio), of the protocol's version 1. Requests for
permission are read in the form of version 2, a draft, as well. INVARIANT: each side reads what was judged, written
anew, and not the bytes that came: readers differ on the second of two equal keys. INVARIANT: rulez never chooses an
option that allows.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulez_py.acp_proxy.agents import PLATFORM_OF
from rulez_py.acp_proxy.toolcalls import ToolCall, calls
from rulez_py.event.arguments import canonicalise, quoted
from rulez_py.integrations.refusing import not_agreed
from rulez_py.mcp_proxy.lines import as_line, parsed
from rulez_py.verdict import visible

if TYPE_CHECKING:
    from rulez_py.integrations import Decision

    Judge = Callable[[str, Mapping[str, object]], Decision]
    Problem = Callable[[str], str]
    Judged = tuple[tuple[str, dict[str, Any]], ...]

INVALID_PARAMS, REFUSED, CANCELLED = -32602, -32000, -32800
_ASK, _UPDATE, _CANCEL = "session/request_permission", "session/update", "$/cancel_request"
_NEW = ("session/new", "session/fork")
"""Requests whose answer names a new session."""
_AGAIN = ("session/load", "session/resume")
_ALLOW, _REJECT = "rulez-allow", "rulez-reject"
_MOST = 1_000
"""Calls of tools that are remembered, and calls that a person has agreed to."""
_LONGEST_TITLE = 200
WORDS = "claude"
"""The platform whose names a call has, where the agent is not known: the canonical ones."""
REWRITES = "The policy wants other arguments, which an editor cannot put in their place. Call the tool with these: "
UNKNOWN = "rulez was not told what this call does, so the policy has judged no more than its title or its files."


@dataclass(frozen=True)
class Passed:
    """The lines that follow from a line of one side, by who reads them. `dropped` is what is no JSON message."""

    to_agent: tuple[bytes, ...] = ()
    to_editor: tuple[bytes, ...] = ()
    dropped: tuple[bytes, ...] = ()

    def __add__(self, other: Passed) -> Passed:
        return Passed(self.to_agent + other.to_agent, self.to_editor + other.to_editor, self.dropped + other.dropped)


@dataclass(frozen=True)
class _Asked:
    """A request for permission that a person reads because a rule asks, and what they agree to."""

    session: str
    judged: Judged
    allows: frozenset[str]


@dataclass(frozen=True)
class _Held:
    """A request of the agent that waits for a person's answer to our own question."""

    message: dict[str, Any]
    reason: str


class Mediator:
    """One agent and the editor that has started it.

    `judge` is what the policy of a directory says of a call; "" is the directory that the proxy was started in.
    `problem` is why no session can work in a directory, "" where one can. `platform` is the agent's, "" where its own
    name shall tell.
    """

    def __init__(self, judge: Judge, problem: Problem = lambda _place: "", platform: str = "") -> None:
        self._judge = judge
        self._problem = problem
        self._platform = platform
        self._opening: dict[str, str] = {}
        self._places: dict[str, str] = {}
        self._beginning = ""
        self._calls: dict[tuple[str, str], ToolCall] = {}
        self._asked: dict[str, _Asked] = {}
        self._agreed: dict[str, None] = {}
        self._held: dict[str, _Held] = {}
        self._mark = f"rulez-{os.urandom(16).hex()}-"
        self._count = 0

    def from_editor(self, line: bytes) -> Passed:
        """Return what becomes of one line of the editor."""
        return self._each(line, self._of_editor)

    def from_agent(self, line: bytes) -> Passed:
        """Return what becomes of one line of the agent."""
        return self._each(line, self._of_agent)

    def _each(self, line: bytes, then: Callable[[dict[str, Any]], Passed]) -> Passed:
        if not line.strip():
            return Passed()
        try:
            message = parsed(line)
            messages = message if isinstance(message, list) else [message]
            if not all(isinstance(one, dict) for one in messages):
                return Passed(dropped=(line,))
            return sum(map(then, messages), Passed())
        except (ValueError, RecursionError):
            return Passed(dropped=(line,))

    def _of_editor(self, message: dict[str, Any]) -> Passed:
        method, params = message.get("method"), _object(message.get("params"))
        if method is None:
            return self._answered(message)
        if method == "initialize":
            self._beginning = _key(message.get("id"))
        elif method in (*_NEW, *_AGAIN) and isinstance(place := params.get("cwd"), str):
            problem = self._problem(place)
            if problem:
                return Passed(to_editor=(_error(message, REFUSED, problem),) if "id" in message else ())
            if method in _NEW:
                self._opening[_key(message.get("id"))] = place
            elif isinstance(session := params.get("sessionId"), str):
                self._places[session] = place
        return Passed(to_agent=(as_line(message),))

    def _answered(self, message: dict[str, Any]) -> Passed:
        """Return what becomes of an editor's answer: to the agent's request, or to a question of ours."""
        key = message.get("id")
        chosen = _object(_object(message.get("result")).get("outcome"))
        option = chosen.get("optionId") if chosen.get("outcome") == "selected" else None
        if isinstance(key, str) and key.startswith(self._mark):
            held = self._held.pop(key, None)
            if held is None:
                return Passed()
            if option == _ALLOW:
                return Passed(to_editor=(as_line(held.message),))
            return Passed(to_agent=(_error(held.message, REFUSED, not_agreed(held.reason)),))
        asked = self._asked.pop(_key(key), None)
        if asked and option in asked.allows:
            for one in asked.judged:
                _keep(self._agreed, self._said(asked.session, one), None)
        return Passed(to_agent=(as_line(message),))

    def _of_agent(self, message: dict[str, Any]) -> Passed:
        method, params = message.get("method"), _object(message.get("params"))
        if method is None:
            self._learn(message)
        elif method == _UPDATE:
            update = _object(params.get("update"))
            if str(update.get("sessionUpdate")).startswith("tool_call"):
                self._known(params, update)
        elif method == _ASK and "id" in message:
            return self._permission(message, params)
        elif isinstance(method, str) and method in _METHODS:
            return self._method(message, params)
        elif method == _CANCEL:
            return self._cancelled(message, params)
        return Passed(to_editor=(as_line(message),))

    def _learn(self, message: dict[str, Any]) -> None:
        """Learn from the agent's answer who it is, and where a session works."""
        key, result = _key(message.get("id")), _object(message.get("result"))
        if key == self._beginning:
            name = _object(result.get("agentInfo")).get("name")
            self._platform = self._platform or PLATFORM_OF.get(str(name), "")
        place = self._opening.pop(key, None)
        if place is not None and isinstance(session := result.get("sessionId"), str):
            self._places[session] = place

    def _known(self, params: Mapping[str, Any], told: Mapping[str, Any]) -> ToolCall:
        """Return a tool call with what was told of it before."""
        key = (str(params.get("sessionId")), str(told.get("toolCallId")))
        call = self._calls.pop(key, ToolCall(key=key[1])).told_more(told)
        if told.get("status") not in ("completed", "failed"):
            _keep(self._calls, key, call)
        return call

    def _permission(self, message: dict[str, Any], params: dict[str, Any]) -> Passed:
        subject = _object(params.get("subject"))
        holder = params if isinstance(params.get("toolCall"), dict) else subject
        told = _object(holder.get("toolCall"))
        if subject.get("type") == "command" and not told:
            told = {**subject, "kind": "execute", "rawInput": {key: subject.get(key) for key in ("command", "cwd")}}
        options = params.get("options")
        both = "toolCall" in params and "subject" in params  # An editor reads that of its own version.
        if not told or both or not isinstance(options, list):
            return Passed(to_agent=(_error(message, INVALID_PARAMS, "rulez finds not one call to permit in this"),))
        call = self._known(params, told)
        found = calls(call, self._platform or WORDS)
        session = str(params.get("sessionId"))
        refused, asks = self._decided(session, found.calls)
        if refused:
            title = visible(_text(told.get("title")) or (call.titles or (call.kind,))[-1])[:_LONGEST_TITLE]
            return Passed(
                to_agent=(as_line({"jsonrpc": "2.0", "id": message["id"], "result": {"outcome": _rejected(options)}}),),
                to_editor=(self._note(session, f"rulez has denied `{title}`: {refused}"),),
            )
        if found.whole and not asks:
            return Passed(to_editor=(as_line(message),))
        if asks:
            allows = frozenset(_ids(options, "allow_once", "allow_always"))
            written = tuple(("Write", {"file_path": diff.path, "content": diff.new}) for diff in call.diffs)
            _keep(self._asked, _key(message["id"]), _Asked(session, found.calls + written, allows))
        reason = " ".join(filter(None, (asks, "" if found.whole else UNKNOWN)))
        said = _with(reason, params, call, holder is subject)
        return Passed(to_editor=(as_line({**message, "params": said}),))

    def _method(self, message: dict[str, Any], params: dict[str, Any]) -> Passed:
        """Return what becomes of a request that has the editor read or write a file, or run a command."""
        if "id" not in message:
            return Passed()  # There is no answer to say why, and no editor obeys it.
        session = str(params.get("sessionId"))
        try:
            called = _METHODS[message["method"]](params)
        except (KeyError, TypeError, ValueError):
            return Passed(to_agent=(_error(message, INVALID_PARAMS, "rulez cannot read what this request asks for"),))
        refused, asks = self._decided(session, (called,))
        if refused:
            return Passed(to_agent=(_error(message, REFUSED, refused),))
        agreed = self._said(session, called)
        if not asks or agreed in self._agreed:
            self._agreed.pop(agreed, None)
            return Passed(to_editor=(as_line(message),))
        # An agent that could guess it could answer for the editor.
        key = self._mark + os.urandom(16).hex()
        self._held[key] = _Held(message, asks)
        return Passed(to_editor=(as_line(_question(key, session, called, asks)),))

    def _decided(self, session: str, judged: Judged) -> tuple[str, str]:
        """Return why calls are refused, and why a person is asked about them; "" where they are not."""
        asks = ""
        for tool, arguments in judged:
            event = {"session_id": session, "tool_name": tool, "tool_input": arguments}
            decision = self._judge(self._place(session), event)
            if decision.denied:
                return decision.reason or "The policy denies this.", ""
            if decision.tool_input is not None:
                return REWRITES + json.dumps(dict(decision.tool_input), ensure_ascii=False), ""
            if decision.asks:
                asks = asks or decision.reason or "The policy asks about this."
        return "", asks

    def _place(self, session: str) -> str:
        """Return where a session works; of one that an agent has begun by itself, where the last one does."""
        return self._places.get(session) or next(reversed(self._places.values()), "")

    def _said(self, session: str, call: tuple[str, dict[str, Any]]) -> str:
        """Return a call, the same text for the same effect: a file and its text, a command and where it runs."""
        tool, arguments = call
        known = canonicalise(arguments, tool)
        effect = [known.get(key) for key in ("command", "commands", "file_path", "content")]
        return json.dumps([session, tool, known.get("workdir") or self._place(session), *effect])

    def _cancelled(self, message: dict[str, Any], params: Mapping[str, Any]) -> Passed:
        """Return a cancelled request of the agent: where a person is asked about it, our question is taken back."""
        wanted = _key(params.get("requestId"))
        ours = [key for key, held in list(self._held.items()) if _key(held.message["id"]) == wanted]
        if not ours:
            return Passed(to_editor=(as_line(message),))
        passed = Passed()
        for key in ours:
            held = self._held.pop(key, None)
            if held is not None:
                cancel = {"jsonrpc": "2.0", "method": _CANCEL, "params": {"requestId": key}}
                passed += Passed((_error(held.message, CANCELLED, "cancelled"),), (as_line(cancel),))
        return passed

    def _note(self, session: str, text: str) -> bytes:
        """Return a message to the person, as one of the agent's: every editor shows these."""
        self._count += 1
        update = {
            "sessionUpdate": "agent_message_chunk",
            "messageId": f"{self._mark}{self._count}",
            "content": {"type": "text", "text": f"\n\n{text}\n\n"},
        }
        return as_line({"jsonrpc": "2.0", "method": _UPDATE, "params": {"sessionId": session, "update": update}})


def _write(params: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    return "Write", {"file_path": _string(params["path"]), "content": _string(params["content"])}


def _read(params: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    return "Read", {"file_path": _string(params["path"])}


def _terminal(params: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return a command as a shell's line. Some editors quote the arguments for their shell, Zed does not."""
    command, arguments = _string(params["command"]), [_string(word) for word in params.get("args") or ()]
    lines = dict.fromkeys(" ".join((command, *words)) for words in ([*map(quoted, arguments)], arguments))
    variables = [(_string(one["name"]), _string(one["value"])) for one in params.get("env") or ()]
    exports = "".join(f"export {quoted(name)}={quoted(value)}; " for name, value in variables)
    first, *others = (exports + line for line in lines)
    found: dict[str, Any] = {"command": first}
    found |= {"commands": others} if others else {}
    return "Bash", found | ({"workdir": params["cwd"]} if params.get("cwd") else {})


_METHODS: Mapping[str, Callable[[Mapping[str, Any]], tuple[str, dict[str, Any]]]] = {
    "fs/write_text_file": _write,
    "fs/read_text_file": _read,
    "terminal/create": _terminal,
}
"""Requests that an editor carries out -> the call that each is."""
_KINDS = {"Write": "edit", "Read": "read", "Bash": "execute"}


def _question(key: str, session: str, called: tuple[str, dict[str, Any]], reason: str) -> dict[str, Any]:
    """Return a question of ours about a request that the editor would carry out."""
    tool, arguments = called
    content = [_text_content(reason)]
    if tool == "Write":
        content.append({"type": "diff", "path": arguments["file_path"], "newText": arguments["content"]})
    title = arguments["command"] if tool == "Bash" else f"{tool} {arguments['file_path']}"
    asked = {"toolCallId": key, "title": title, "kind": _KINDS[tool], "status": "pending", "content": content}
    options = [
        {"optionId": _ALLOW, "name": "Allow", "kind": "allow_once"},
        {"optionId": _REJECT, "name": "Reject", "kind": "reject_once"},
    ]
    params = {"sessionId": session, "toolCall": {**asked, "rawInput": arguments}, "options": options}
    return {"jsonrpc": "2.0", "id": key, "method": _ASK, "params": params}


def _with(reason: str, params: dict[str, Any], call: ToolCall, in_subject: bool) -> dict[str, Any]:
    """Return a request for permission with a reason, to be asked again the next time.

    What the agent has shown of the call before is said again: a request's content replaces it.
    """
    kept = params["options"]
    if _ids(kept, "allow_once"):
        kept = [one for one in kept if _object(one).get("kind") != "allow_always"]
    holder = params["subject"] if in_subject else params
    if "toolCall" not in holder:
        return {**params, "options": kept, "title": f"{params.get('title')}\n{reason}"}
    told = {**holder["toolCall"], "content": [_text_content(reason), *call.content]}
    if in_subject:
        return {**params, "options": kept, "subject": {**holder, "toolCall": told}}
    return {**params, "options": kept, "toolCall": told}


def _rejected(options: list[Any]) -> dict[str, Any]:
    """Return the outcome that rejects once; without such an option, or with one that also allows, the turn's end."""
    others = _ids(options, "allow_once", "allow_always", "reject_always")
    rejects = [key for key in _ids(options, "reject_once") if key not in others]
    return {"outcome": "selected", "optionId": rejects[0]} if rejects else {"outcome": "cancelled"}


def _ids(options: list[Any], *kinds: str) -> list[str]:
    found = [_object(one) for one in options]
    return [one["optionId"] for one in found if one.get("kind") in kinds and isinstance(one.get("optionId"), str)]


def _text_content(text: str) -> dict[str, Any]:
    return {"type": "content", "content": {"type": "text", "text": text}}


def _keep(found: dict[Any, Any], key: object, value: object) -> None:
    """Add to what is remembered, and forget the oldest where that is too much."""
    found[key] = value
    if len(found) > _MOST:
        found.pop(next(iter(found)), None)


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _string(value: object) -> str:
    """Return a text. Raises ValueError for anything else."""
    if not isinstance(value, str):
        raise ValueError("not a text")
    return value


def _key(identifier: object) -> str:
    """Return a request's id as a key: 1 and "1" are two."""
    return json.dumps(identifier)


def _error(message: Mapping[str, Any], code: int, text: str) -> bytes:
    return as_line({"jsonrpc": "2.0", "id": message["id"], "error": {"code": code, "message": text}})
