"""Qwen Code: what its hooks send and honour. Every fact here is from contract.md.

INVARIANT: every answer is at exit code 0 with nothing on stderr. At exit code 2 Qwen Code does not read stdout, and a
text on stderr where stdout is empty is an `allow` to it.
INVARIANT: a deny says `continue: false` beside the decision: Qwen Code merges the answers of several hooks key by key,
and the `allow` of another hook undoes any deny without it.
"""

from __future__ import annotations

from rulez_py.event import WITHHELD, EventSpec
from rulez_py.platforms import answering, parsing
from rulez_py.platforms.parsing import asks_at_once, own_hooks_alone, spec_of
from rulez_py.platforms.tool_table import SOURCE
from rulez_py.system import jsontext
from rulez_py.verdict import ALLOW, ASK, DENY, Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.event import Event
    from rulez_py.verdict import Verdict

NAME = "qwen"
AGENT = "Qwen Code"
PROJECT_VARIABLES: tuple[str, ...] = ("QWEN_PROJECT_DIR",)
RUNS_IN_PROJECT = False
SHELL_MARKS: tuple[str, ...] = ("QWEN_CODE",)
PROGRAMS: tuple[str, ...] = ("qwen", "qwen-code", "@qwen-code/qwen-code")
asks_at = asks_at_once
may_be_foreign = own_hooks_alone

# How an event is denied.
CALL = "call"  # the decision in both places, and `continue: false`
PERMISSION = "permission"  # hookSpecificOutput.decision
STOP = "stop"  # `continue: false`: the model gets the reason in place of the result
BLOCK = "block"  # `decision: block`
CONTEXT = "hookSpecificOutput.additionalContext"

EVENTS: Mapping[str, EventSpec] = {
    "PreToolUse": EventSpec(types=("PreToolUse",), guards=True, deny=CALL),
    "PermissionRequest": EventSpec(types=("PermissionRequest",), guards=True, deny=PERMISSION),
    "PermissionDenied": EventSpec(types=("PermissionDenied",)),
    "PostToolUse": EventSpec(types=("PostToolUse",), deny=STOP, context=CONTEXT, result=WITHHELD),
    "PostToolUseFailure": EventSpec(types=("PostToolUseFailure",), context=CONTEXT),
    "PostToolBatch": EventSpec(types=("PostToolBatch",), deny=BLOCK),
    "UserPromptSubmit": EventSpec(types=("UserPromptSubmit",), guards=True, deny=BLOCK, context=CONTEXT),
    "UserPromptExpansion": EventSpec(types=("UserPromptExpansion",), guards=True, deny=BLOCK),
    "SessionStart": EventSpec(types=("SessionStart",), context=CONTEXT, begins=True),
    "SessionEnd": EventSpec(types=("SessionEnd",)),
    "SessionDelete": EventSpec(types=("Notification",)),
    "Stop": EventSpec(types=("Stop",), deny=BLOCK),
    "StopFailure": EventSpec(types=("StopFailure",)),
    "SubagentStart": EventSpec(types=("SubagentStart", "BeforeAgent")),
    "SubagentStop": EventSpec(types=("SubagentStop", "AfterAgent"), deny=BLOCK),
    "PreCompact": EventSpec(types=("PreCompact",)),
    "PostCompact": EventSpec(types=("PostCompact",)),
    "TodoCreated": EventSpec(types=("TaskCreated",), guards=True, deny=BLOCK),
    "TodoCompleted": EventSpec(types=("TaskCompleted",), deny=BLOCK),
    "InstructionsLoaded": EventSpec(types=("InstructionsLoaded",)),
    "Notification": EventSpec(types=("Notification",)),
    "MessageDisplay": EventSpec(types=("MessageDisplay",)),
}

UNRECORDED: Mapping[str, str] = {
    "PermissionRequest": SOURCE,
    "PermissionDenied": SOURCE,
    "UserPromptExpansion": SOURCE,
    "SessionEnd": SOURCE,
    "SessionDelete": SOURCE,
    "StopFailure": SOURCE,
    "PreCompact": SOURCE,
    "PostCompact": SOURCE,
}

CAPABILITIES: Mapping[str, str] = {
    "deny": "The call does not run and the model reads the reason; the `allow` of another hook does not undo it.",
    "ask": "The user is asked before the call runs; in a headless run no person can be asked and it does not run.",
    "allow": "A call that waits for the user's permission runs without it; before a tool the word has no effect.",
    "rewrite": "Denied: Qwen Code takes no new input from a hook.",
    "context": "The model reads it with PostToolUse, PostToolUseFailure, UserPromptSubmit and SessionStart.",
    "redact": "The result is withheld: in its place the model reads the redacted text. Where a tool fails, the model "
    "is warned.",
    "prompt": "The prompt is stopped before the model is called; a headless run prints nothing.",
    "stop": "The agent goes on with the reason as its next task, at most 8 times in a row.",
    "failure": "The call runs, unless the hook ends with exit code 2 and some text on stderr.",
}


def parse(payload: Mapping[str, object], event_name: str | None) -> Event:
    """Return the event of one payload. Raises UnreadableEvent."""
    native = parsing.named_event(payload, event_name)
    event = parsing.flat_event(NAME, native, parsing.types_of(EVENTS, native, payload), payload)
    return event.replace(mcp=_mcp(payload))


def _mcp(payload: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """`mcp__server__tool`; a server's name may have `__` in it."""
    prefix, name = "mcp__", parsing.text(payload, "tool_name") or ""
    return parsing.mcp_splits(name[len(prefix) :], "__") if name.startswith(prefix) else ()


def answer(verdict: Verdict, event: Event) -> Answer:
    """Return the verdict in Qwen Code's words. Neutral is no output at all."""
    spec = spec_of(EVENTS, event.native_event, call=event.type == "PreToolUse")
    said = answering.settle(verdict, event, spec, AGENT, asks=True, rewrites=False)
    if said.decision == DENY:
        denied = Answer(
            stdout=jsontext.dumps(_denied(spec.deny, event.native_event, said.reason)), dropped=said.dropped
        )
        return answering.to_whomever(denied, said.reason) if spec.guessed else denied
    specific: dict[str, object] = {}
    if event.type == "PermissionRequest" and said.decision == ALLOW:
        specific["decision"] = {"behavior": "allow"}
    elif said.decision == ASK:
        specific["permissionDecision"] = "ask"
        specific["permissionDecisionReason"] = said.reason
    # Where the `allow` of another hook undoes the ask, `continue` is looked at, and the call does not run.
    output = {
        **(_stopped(said.reason) if said.decision == ASK else {}),
        **answering.nested_output(said, event, specific),
    }
    return Answer(stdout=jsontext.dumps(output) if output else "", dropped=said.dropped)


def _stopped(reason: str) -> dict[str, object]:
    return {"continue": False, "stopReason": reason}


def _denied(form: str, native: str, reason: str) -> dict[str, object]:
    if form == PERMISSION:
        decision = {"behavior": "deny", "message": reason}
        return {"hookSpecificOutput": {"hookEventName": native, "decision": decision}}
    if form == STOP:
        return _stopped(reason)
    if form == BLOCK:
        return {"decision": "block", "reason": reason}
    specific = {"hookEventName": native, "permissionDecision": "deny", "permissionDecisionReason": reason}
    return {**_stopped(reason), "decision": "deny", "reason": reason, "hookSpecificOutput": specific}


def unreadable(reason: str, event_name: str | None) -> Answer:
    """Return a deny, unless the caller knows the event and it guards nothing."""
    spec = EVENTS.get(event_name or "")
    if spec is not None and not spec.guards:
        return Answer()
    form, native = (spec.deny, event_name or "") if spec is not None else (CALL, "PreToolUse")
    return Answer(stdout=jsontext.dumps(_denied(form, native, answering.reason_of(reason))))


def sends_to(platform: str, payload: Mapping[str, object], environ: Mapping[str, str]) -> bool:
    """Its hooks have Claude Code's form, so one that calls rulez for Claude Code may stand in its settings."""
    project = environ.get("QWEN_PROJECT_DIR")
    return platform == "claude" and bool(project) and "timestamp" in payload and payload.get("cwd") == project
