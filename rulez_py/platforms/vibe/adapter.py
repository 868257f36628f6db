"""Mistral Vibe: what its hooks get, and which parts of an answer it honours. Every fact here is from contract.md.

INVARIANT: every answer is at exit code 0. At any other Vibe does not read stdout: the reason for the model would be
lost, and a `post_tool` hook that fails is ignored.
"""

from __future__ import annotations

import os

from rulez_py.event import WITHHELD, EventSpec
from rulez_py.platforms import answering, parsing
from rulez_py.platforms.parsing import asks_at_once, hooks_of_nobody_else, own_hooks_alone, spec_of
from rulez_py.system import jsontext
from rulez_py.verdict import DENY, Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.event import Event
    from rulez_py.verdict import Verdict

NAME = "vibe"
AGENT = "Mistral Vibe"
PROJECT_VARIABLES: tuple[str, ...] = ()
RUNS_IN_PROJECT = True
SHELL_MARKS: tuple[str, ...] = ("VIBE_APP_SERVER_BIN",)
PROGRAMS: tuple[str, ...] = ("vibe", "vibe-acp", "vibe-app-server")
asks_at = asks_at_once
may_be_foreign = own_hooks_alone
sends_to = hooks_of_nobody_else

DECISION = "decision"  # `decision: deny`: before a tool it does not run, after one the model gets the reason instead
CONTEXT = "hook_specific_output.additional_context"

EVENTS: Mapping[str, EventSpec] = {
    "pre_tool": EventSpec(types=("PreToolUse",), guards=True, deny=DECISION),
    "post_tool": EventSpec(types=("PostToolUse",), deny=DECISION, context=CONTEXT, result=WITHHELD),
    "post_agent": EventSpec(types=("Stop",), deny=DECISION),
}

UNRECORDED: Mapping[str, str] = {}

CAPABILITIES: Mapping[str, str] = {
    "deny": "The call does not run and the model reads the reason; of a call in its code mode, that it was skipped.",
    "ask": "Denied: a hook cannot make Vibe ask.",
    "allow": "Says nothing: Vibe's own permissions decide.",
    "rewrite": "The call runs with the new input.",
    "context": "The model reads it with post_tool.",
    "redact": "The result is withheld: in its place the model reads the redacted text, where a tool fails as well.",
    "prompt": "Not possible: Vibe has no hook for a prompt.",
    "stop": "The agent goes on with the reason as its task.",
    "failure": "By `strict` in hooks.toml, which `rulez install` writes, the call is denied. Without it, it runs.",
}

_MCP = "mcp_"
"""The beginning of the group of an MCP server's tools."""
_TYPES = "process.write"
"""The tool that types `text` into a process that runs."""
_NOTES = "vibe.unified_harness_scratchpad"
"""The tool for files of the session alone, which lie beside its transcript; it refuses all others."""


def parse(payload: Mapping[str, object], event_name: str | None) -> Event:
    """Return the event of one payload. Raises UnreadableEvent."""
    native = parsing.named_event(payload, event_name)
    event = parsing.flat_event(NAME, native, _types(native, payload), _flat(payload))
    parent = parsing.text(payload, "parent_session_id")
    return event.replace(
        call_id=parsing.text(payload, "tool_call_id") or event.call_id,
        mcp=_mcp(payload),
        tool_response=parsing.first(payload, "tool_output", "tool_output_text"),
        session_id=parent or event.session_id,
        agent_id=event.session_id if parent else None,
        payload=payload,
    )


def _types(native: str, payload: Mapping[str, object]) -> tuple[str, ...]:
    if native == "post_tool" and payload.get("tool_status") == "failure":
        return ("PostToolUseFailure",)
    if native == "post_agent" and parsing.text(payload, "parent_session_id"):
        return ("SubagentStop", "AfterAgent")
    return parsing.types_of(EVENTS, native, payload)


def _flat(payload: Mapping[str, object]) -> Mapping[str, object]:
    """Return the payload with typed text under the name by which rules know it, and a note's path as a whole one."""
    tool, given = payload.get("tool_name"), payload.get("tool_input")
    if not isinstance(given, dict):
        return payload
    if tool == _TYPES and "text" in given:
        return {**payload, "tool_input": {**given, "chars": given["text"]}}
    action, path = given.get("action"), given.get("path")
    if tool == _NOTES and action in ("read", "write") and isinstance(path, str):
        root = parsing.text(payload, "transcript_path") or ""
        whole = {**given, "path": os.path.join(root, "scratchpad", path)}
        return {**payload, "tool_name": f"{_NOTES}:{action}", "tool_input": whole}
    return payload


def _mcp(payload: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """`mcp_server.tool`."""
    name = parsing.text(payload, "tool_name") or ""
    return parsing.mcp_splits(name[len(_MCP) :], ".") if name.startswith(_MCP) else ()


def answer(verdict: Verdict, event: Event) -> Answer:
    """Return the verdict in Vibe's words. Neutral is no output at all."""
    spec = spec_of(EVENTS, event.native_event, call=event.type == "PreToolUse")
    said = answering.settle(verdict, event, spec, AGENT)
    if said.decision == DENY:
        denied = Answer(stdout=jsontext.dumps(_denied(said.reason)), dropped=said.dropped)
        return answering.to_whomever(denied, said.reason) if spec.guessed else denied
    specific: dict[str, object] = {}
    if said.new_input is not None:
        specific["tool_input"] = said.new_input
    if said.context:
        specific["additional_context"] = said.context
    output = {"hook_specific_output": specific} if specific else None
    return Answer(stdout=jsontext.dumps(output) if output else "", dropped=said.dropped)


def _denied(reason: str) -> dict[str, object]:
    return {"decision": "deny", "reason": reason}


def unreadable(reason: str, event_name: str | None) -> Answer:
    """Return a deny, unless the caller knows the event and it guards nothing."""
    spec = EVENTS.get(event_name or "")
    if spec is not None and not spec.guards:
        return Answer()
    return Answer(stdout=jsontext.dumps(_denied(answering.reason_of(reason))))
