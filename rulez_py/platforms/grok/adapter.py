"""Grok Build: what its hooks send and honour. Every fact here is from contract.md."""

from __future__ import annotations

from rulez_py.event import EventSpec, UnreadableEvent
from rulez_py.platforms import answering, parsing
from rulez_py.platforms.parsing import asks_at_once, own_hooks_alone, spec_of
from rulez_py.platforms.tool_table import SOURCE
from rulez_py.system import jsontext
from rulez_py.verdict import ASK, DENY, Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.event import Event
    from rulez_py.verdict import Verdict

NAME = "grok"
AGENT = "Grok Build"
PROJECT_VARIABLES: tuple[str, ...] = ("GROK_WORKSPACE_ROOT",)
RUNS_IN_PROJECT = False
SHELL_MARKS: tuple[str, ...] = ("GROK_AGENT",)
PROGRAMS: tuple[str, ...] = ("grok", "grok-native", "@xai-official/grok")
asks_at = asks_at_once
may_be_foreign = own_hooks_alone

# How an event is denied; exit code 2 with the reason on stderr says the same.
TOOL = "tool"  # hookSpecificOutput.permissionDecision
BLOCK = "block"  # top-level decision
GO_ON = "go on"  # the same: the reason is the agent's next task
CONTEXT = "hookSpecificOutput.additionalContext"

EVENTS: Mapping[str, EventSpec] = {
    "PreToolUse": EventSpec(types=("PreToolUse",), guards=True, deny=TOOL, context=CONTEXT),
    "PostToolUse": EventSpec(types=("PostToolUse",), deny=BLOCK, context=CONTEXT),
    "PostToolUseFailure": EventSpec(types=("PostToolUseFailure",), context=CONTEXT),
    "PermissionDenied": EventSpec(types=("PermissionDenied",)),
    "UserPromptSubmit": EventSpec(types=("UserPromptSubmit",), guards=True, deny=BLOCK),
    "SessionStart": EventSpec(types=("SessionStart",), begins=True),
    "SessionEnd": EventSpec(types=("SessionEnd",)),
    "Stop": EventSpec(types=("Stop",), deny=GO_ON, context=CONTEXT),
    "StopFailure": EventSpec(types=("StopFailure",)),
    "StopCancelled": EventSpec(types=("Notification",)),
    "SubagentStart": EventSpec(types=("SubagentStart", "BeforeAgent")),
    "SubagentStop": EventSpec(types=("SubagentStop", "AfterAgent"), deny=GO_ON, context=CONTEXT),
    "PreCompact": EventSpec(types=("PreCompact",)),
    "PostCompact": EventSpec(types=("PostCompact",)),
    "Notification": EventSpec(types=("Notification",)),
}

UNRECORDED: Mapping[str, str] = {
    "PermissionDenied": SOURCE,
    "StopFailure": SOURCE,
    "StopCancelled": SOURCE,
    "PreCompact": SOURCE,
    "PostCompact": SOURCE,
}

CAPABILITIES: Mapping[str, str] = {
    "deny": "The call does not run and the model reads the reason; JSON and exit code 2 both say so.",
    "ask": "The user is asked before the call runs, and a headless run ends there. With --always-approve, which "
    "answers every question with yes, the call is denied.",
    "allow": "Says nothing: Grok Build's own permissions decide.",
    "rewrite": "The call runs with the new input.",
    "context": "The model reads it with PreToolUse, PostToolUse, PostToolUseFailure, Stop and SubagentStop; not with "
    "the prompt and not where the session starts.",
    "redact": "Not possible: the result stays, and the model is warned.",
    "prompt": "The prompt is stopped before the model is called; the user reads the reason.",
    "stop": "The agent goes on with the reason as its task, at most 8 times in a row.",
    "failure": "The call runs, unless the hook ends with exit code 2, as our command in rulez.json does.",
}

_APPROVES_ALL = "bypassPermissions"
"""The permission mode of `--always-approve`, which answers a hook's question too."""


def parse(payload: Mapping[str, object], event_name: str | None) -> Event:
    """Return the event of one payload. Raises UnreadableEvent."""
    native = parsing.named_event(payload, event_name)
    types = parsing.types_of(EVENTS, native, payload)
    if types[0] == "PreToolUse" and payload.get("toolInputTruncated") is True:
        tool = parsing.text(payload, "tool_name", "toolName") or "this tool"
        raise UnreadableEvent(
            f"{AGENT} shows a hook no more than the first 128 KiB of a call, so what else `{tool}` would do is "
            "unknown. Instead: make the call in smaller parts."
        )
    root = parsing.text(payload, "workspaceRoot")
    return parsing.flat_event(NAME, native, types, _flat(payload)).replace(
        mcp=_mcp(payload),
        project_dir=(root.rstrip("/") or root) if root else None,
        tool_response=parsing.first(payload, "tool_response", "toolResult"),
        agent_id=parsing.text(payload, "subagentId"),
        agent_type=parsing.text(payload, "subagentType"),
        payload=payload,
    )


def _flat(payload: Mapping[str, object]) -> Mapping[str, object]:
    """Return the payload with the arguments of the MCP tool itself, which `use_tool` has inside of its own.

    Where it takes them from a file, Grok Build has read that by now.
    """
    outer = _outer(payload)
    inner = outer.get("tool_input")
    return {**payload, "tool_input": {} if inner is None else inner} if outer else payload


def _outer(payload: Mapping[str, object]) -> Mapping[str, object]:
    """Return the arguments of `use_tool`, whose payload has the name of the MCP tool; {} for any other call."""
    given = parsing.mapping(parsing.decoded(parsing.first(payload, "tool_input", "toolInput")))
    name = parsing.text(payload, "tool_name", "toolName")
    return given if name is not None and given.get("tool_name") == name else {}


def _mcp(payload: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """`server__tool`, every way to read it."""
    return parsing.mcp_splits(parsing.text(payload, "tool_name", "toolName") or "", "__")


def answer(verdict: Verdict, event: Event) -> Answer:
    """Return the verdict in Grok Build's words. Neutral is no output at all."""
    spec = spec_of(EVENTS, event.native_event, call=event.type == "PreToolUse")
    dropped: tuple[str, ...] = ()
    if spec.deny == GO_ON and event.payload.get("stopHookActive") is True and verdict.context:
        # Context makes a stopping agent go on; said at every stop it would do so up to Grok's own limit.
        verdict = verdict.replace(context=())
        dropped = (f"context for {event.native_event}: the agent has already gone on once because of a hook",)
    said = answering.settle(verdict, event, spec, AGENT, asks=event.permission_mode != _APPROVES_ALL)
    dropped += said.dropped
    if said.decision == DENY:
        return _denied(spec.deny, event.native_event, said.reason, dropped)
    specific: dict[str, object] = {}
    if said.decision == ASK:
        specific = {"permissionDecision": "ask", "permissionDecisionReason": said.reason}
    if said.new_input is not None:
        outer = _outer(event.payload)
        specific["updatedInput"] = {**outer, "tool_input": said.new_input} if outer else said.new_input
    output = answering.nested_output(said, event, specific)
    return Answer(stdout=jsontext.dumps(output) if output else "", dropped=dropped)


def _denied(form: str, native: str, reason: str, dropped: tuple[str, ...]) -> Answer:
    output: dict[str, object] = {"decision": "block", "reason": reason}
    if form == TOOL:
        words = {"permissionDecision": "deny", "permissionDecisionReason": reason}
        output = {"hookSpecificOutput": {"hookEventName": native, **words}}
    return Answer(stdout=jsontext.dumps(output), stderr=reason, exit_code=2, dropped=dropped)


def unreadable(reason: str, event_name: str | None) -> Answer:
    """Exit 2 with the reason on stderr, unless the caller knows the event and it guards nothing."""
    return answering.exited_unread(EVENTS, reason, event_name)


def sends_to(platform: str, payload: Mapping[str, object], environ: Mapping[str, str]) -> bool:
    """Grok Build also runs the hooks set up for Claude Code and Cursor, and says the event in two ways (section 1)."""
    return platform in ("claude", "cursor") and "hookEventName" in payload and "hook_event_name" in payload
