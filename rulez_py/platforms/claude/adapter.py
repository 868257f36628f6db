"""Claude Code: what its hooks send and honour. Every fact here is from contract.md."""

from __future__ import annotations

from rulez_py.event import REPLACED, EventSpec
from rulez_py.platforms import answering, parsing
from rulez_py.platforms.parsing import asks_at_once, hooks_of_nobody_else, spec_of
from rulez_py.platforms.tool_table import SOURCE
from rulez_py.system import jsontext
from rulez_py.verdict import ALLOW, ASK, DENY, Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.event import Event
    from rulez_py.verdict import Verdict

NAME = "claude"
AGENT = "Claude Code"
PROJECT_VARIABLES: tuple[str, ...] = ("CLAUDE_PROJECT_DIR",)
RUNS_IN_PROJECT = False
SHELL_MARKS: tuple[str, ...] = ("CLAUDECODE", "AI_AGENT")
PROGRAMS: tuple[str, ...] = ("claude", "claude-code", "@anthropic-ai/claude-code")
asks_at = asks_at_once
sends_to = hooks_of_nobody_else

# How an event is denied.
TOOL = "tool"  # hookSpecificOutput.permissionDecision, and exit 2 should the JSON be lost
PERMISSION = "permission"  # hookSpecificOutput.decision; exit 2 does nothing there
BLOCK = "block"  # top-level decision, and exit 2
EXIT = "exit"  # exit 2 with the reason on stderr, no JSON
CONTEXT = "hookSpecificOutput.additionalContext"


def _event(name: str, alias: str = "", *, guards: bool = False, deny: str = "", context: str = "") -> EventSpec:
    types = (name, alias) if alias else (name,)
    result = REPLACED if name == "PostToolUse" else ""
    return EventSpec(
        types=types, guards=guards, deny=deny, context=context, begins=name == "SessionStart", result=result
    )


# PreCompact can be blocked but does not guard: a session that may not compact is a session that dies.
EVENTS: Mapping[str, EventSpec] = {
    spec.types[0]: spec
    for spec in (
        _event("PreToolUse", guards=True, deny=TOOL, context=CONTEXT),
        _event("PostToolUse", deny=BLOCK, context=CONTEXT),
        _event("PostToolUseFailure", deny=EXIT, context=CONTEXT),
        _event("PostToolBatch", deny=EXIT),
        _event("PermissionRequest", guards=True, deny=PERMISSION),
        _event("PermissionDenied"),
        _event("UserPromptSubmit", guards=True, deny=BLOCK, context=CONTEXT),
        _event("UserPromptExpansion", guards=True, deny=EXIT),
        _event("SessionStart", context=CONTEXT),
        _event("SessionEnd"),
        _event("Setup"),
        _event("Stop", deny=BLOCK, context=CONTEXT),
        _event("StopFailure"),
        _event("SubagentStart", "BeforeAgent", context=CONTEXT),
        _event("SubagentStop", "AfterAgent", deny=BLOCK),
        _event("PreCompact", deny=EXIT),
        _event("PostCompact"),
        _event("PreModelSwitch", guards=True, deny=EXIT),
        _event("PostModelSwitch"),
        _event("Notification"),
        _event("ConfigChange", guards=True, deny=EXIT),
        _event("InstructionsLoaded"),
        _event("CwdChanged"),
        _event("FileChanged"),
        _event("DirectoryAdded"),
        _event("TaskCreated", guards=True, deny=EXIT),
        _event("TaskCompleted", deny=EXIT),
        _event("TeammateIdle", deny=EXIT),
        _event("Elicitation", guards=True, deny=EXIT),
        _event("ElicitationResult", guards=True, deny=EXIT),
        _event("WorktreeCreate"),
        _event("WorktreeRemove"),
        _event("MessageDisplay"),
    )
}

_NOT_OURS = frozenset(("timestamp", "cursor_version", "hookEventName", "event_type", "client_type", "extra"))
_NO_MODES_OF_OURS = ("off", "spec", "auto-low", "auto-medium", "auto-high")

# What these print is taken for the worktree's path.
_MUTE = ("WorktreeCreate", "WorktreeRemove")

UNRECORDED: Mapping[str, str] = {
    "PostToolBatch": SOURCE,
    "StopFailure": SOURCE,
    "Notification": SOURCE,
    "ConfigChange": SOURCE,
    "CwdChanged": SOURCE,
    "FileChanged": SOURCE,
    "DirectoryAdded": SOURCE,
    "TeammateIdle": SOURCE,
    "Elicitation": SOURCE,
    "ElicitationResult": SOURCE,
    "WorktreeRemove": SOURCE,
}

CAPABILITIES: Mapping[str, str] = {
    "deny": "The call does not run and the model reads the reason; JSON and exit code 2 both say so.",
    "ask": "The user is asked before the call runs; in a headless run no person can be asked and it does not run.",
    "allow": "The call runs without the user's own permission prompt; a deny in Claude Code's settings still wins.",
    "rewrite": "The call runs with the new input.",
    "context": "The model reads it with PreToolUse, PostToolUse, PostToolUseFailure, UserPromptSubmit, SessionStart, "
    "SubagentStart and Stop; beyond 10,000 characters Claude Code shows a preview and a file.",
    "redact": "The model reads the redacted result. A call that fails comes as PostToolUseFailure, whose text stays; "
    "there the model is warned.",
    "prompt": "The prompt is erased before the model sees it; the user reads the reason.",
    "stop": "The agent goes on with the reason as its task, at most 8 times in a row.",
    "failure": 'The call runs, unless the hook entry has `"onFailure": "block"`.',
}


def parse(payload: Mapping[str, object], event_name: str | None) -> Event:
    """Return the event of one payload. Raises UnreadableEvent."""
    if parsing.may_be_foreign(payload):
        from rulez_py.platforms.foreign import flat

        payload = flat(payload, event_name)
    native = parsing.named_event(payload, event_name)
    types = parsing.types_of(EVENTS, native, payload)
    return parsing.flat_event(NAME, native, types, payload).replace(mcp=_mcp(payload))


def _mcp(payload: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """`mcp__server__tool`, where the server's own name says how to split it if the payload has it."""
    prefix, name = "mcp__", parsing.text(payload, "tool_name", "toolName") or ""
    if not name.startswith(prefix):
        return ()
    joined = name[len(prefix) :]
    server = parsing.text(parsing.mapping(payload.get("mcp_server")), "name")
    if server:
        spelled = parsing.plain_name(server)
        if joined.startswith(spelled + "__"):
            tool = joined[len(spelled) + 2 :]
            return tuple(dict.fromkeys(((server, tool), (spelled, tool))))
    return parsing.mcp_splits(joined, "__")


def answer(verdict: Verdict, event: Event) -> Answer:
    """Return the verdict in Claude Code's words. Neutral is no output at all."""
    spec = spec_of(EVENTS, event.native_event, call=event.type == "PreToolUse")
    dropped: tuple[str, ...] = ()
    if event.type == "Stop" and event.payload.get("stop_hook_active") is True and verdict.context:
        # Context makes a stopping agent go on; said at every stop it would never end.
        verdict = verdict.replace(context=())
        dropped = ("context for Stop: the agent has already gone on once because of a hook",)
    said = answering.settle(verdict, event, spec, AGENT, asks=True, tells=event.native_event not in _MUTE)
    dropped += said.dropped
    if said.decision == DENY and said.result is None:
        return _denied(spec.deny, event.native_event, said.reason, dropped)
    specific: dict[str, object] = {}
    if said.result is not None:
        specific["updatedToolOutput"] = said.result
    if event.type == "PermissionRequest" and said.decision == ALLOW:
        specific["decision"] = {"behavior": "allow"}
    elif said.decision in (ASK, ALLOW):
        specific["permissionDecision"] = said.decision
        if said.reason:
            specific["permissionDecisionReason"] = said.reason
    if said.new_input is not None:
        specific["updatedInput"] = said.new_input
    output = answering.nested_output(said, event, specific)
    if said.decision == DENY:
        # With exit code 2 the JSON, and so the redacted result, would not count.
        output |= {"decision": "block", "reason": said.reason}
    return Answer(stdout=jsontext.dumps(output) if output else "", dropped=dropped)


def _denied(form: str, native: str, reason: str, dropped: tuple[str, ...]) -> Answer:
    if form == EXIT:
        return Answer(stderr=reason, exit_code=2, dropped=dropped)
    if form == BLOCK:
        stdout = jsontext.dumps({"decision": "block", "reason": reason})
        return Answer(stdout=stdout, stderr=reason, exit_code=2, dropped=dropped)
    specific: dict[str, object] = {"hookEventName": native}
    if form == PERMISSION:
        specific["decision"] = {"behavior": "deny", "message": reason}
        return Answer(stdout=jsontext.dumps({"hookSpecificOutput": specific}), dropped=dropped)
    specific["permissionDecision"] = "deny"
    specific["permissionDecisionReason"] = reason
    stdout = jsontext.dumps({"hookSpecificOutput": specific})
    return Answer(stdout=stdout, stderr=reason, exit_code=2, dropped=dropped)


def unreadable(reason: str, event_name: str | None) -> Answer:
    """Exit 2 with the reason on stderr; where the event guards nothing, only a message to the user."""
    reason = answering.reason_of(reason)
    spec = EVENTS.get(event_name or "")
    if spec is None or spec.guards:
        form = PERMISSION if spec is not None and spec.deny == PERMISSION else EXIT
        return _denied(form, event_name or "", reason, ())
    if event_name in _MUTE:
        return Answer()
    return Answer(stdout=jsontext.dumps({"systemMessage": reason}))


def may_be_foreign(payload: Mapping[str, object]) -> bool:
    """Other agents run hooks set up for Claude Code, with keys or modes that it never sends, or without a directory."""
    without_directory = "prompt_id" in payload and "cwd" not in payload
    odd = without_directory or not _NOT_OURS.isdisjoint(payload)
    return odd or payload.get("permission_mode") in _NO_MODES_OF_OURS
