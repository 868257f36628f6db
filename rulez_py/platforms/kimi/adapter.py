"""Kimi Code: what its hooks send and honour. Every fact here is from contract.md."""

from __future__ import annotations

from rulez_py.event import EventSpec
from rulez_py.platforms import answering, parsing
from rulez_py.platforms.parsing import asks_at_once, own_hooks_alone, spec_of
from rulez_py.platforms.tool_table import SOURCE
from rulez_py.system import jsontext
from rulez_py.verdict import DENY, Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.event import Event
    from rulez_py.verdict import Verdict

NAME = "kimi"
AGENT = "Kimi Code"
PROJECT_VARIABLES: tuple[str, ...] = ()
RUNS_IN_PROJECT = True
SHELL_MARKS: tuple[str, ...] = ()
PROGRAMS: tuple[str, ...] = ("kimi", "kimi-code", "@moonshot-ai/kimi-code")
asks_at = asks_at_once
may_be_foreign = own_hooks_alone

# How an event is denied.
EXIT = "exit"  # exit code 2 with the reason on stderr; at exit code 0 the JSON beside it would count
GO_ON = "go on"  # hookSpecificOutput.permissionDecision: the reason is the agent's next task
MESSAGE = "message"  # added to the prompt

EVENTS: Mapping[str, EventSpec] = {
    "PreToolUse": EventSpec(types=("PreToolUse",), guards=True, deny=EXIT),
    # After a tool and where a permission is asked for, Kimi Code does not wait for the hook.
    "PostToolUse": EventSpec(types=("PostToolUse",)),
    "PostToolUseFailure": EventSpec(types=("PostToolUseFailure",)),
    "PermissionRequest": EventSpec(types=("PermissionRequest",)),
    "PermissionResult": EventSpec(types=("Notification",)),
    "UserPromptSubmit": EventSpec(types=("UserPromptSubmit",), guards=True, deny=EXIT, context=MESSAGE),
    "UserPromptQueued": EventSpec(types=("Notification",)),
    "TurnStarted": EventSpec(types=("Notification",)),
    "SessionStart": EventSpec(types=("SessionStart",), begins=True),
    "SessionEnd": EventSpec(types=("SessionEnd",)),
    "SessionHeartbeat": EventSpec(types=("Notification",)),
    "Stop": EventSpec(types=("Stop",), deny=GO_ON),
    "StopFailure": EventSpec(types=("StopFailure",)),
    "Interrupt": EventSpec(types=("Notification",)),
    "SubagentStart": EventSpec(types=("SubagentStart", "BeforeAgent")),
    "SubagentStop": EventSpec(types=("SubagentStop", "AfterAgent")),
    "TaskStarted": EventSpec(types=("Notification",)),
    "PreCompact": EventSpec(types=("PreCompact",)),
    "PostCompact": EventSpec(types=("PostCompact",)),
    "Notification": EventSpec(types=("Notification",)),
}

UNRECORDED: Mapping[str, str] = {
    "PermissionRequest": SOURCE,
    "PermissionResult": SOURCE,
    "UserPromptQueued": SOURCE,
    "SessionEnd": SOURCE,
    "SessionHeartbeat": SOURCE,
    "StopFailure": SOURCE,
    "Interrupt": SOURCE,
    "PreCompact": SOURCE,
    "PostCompact": SOURCE,
}

CAPABILITIES: Mapping[str, str] = {
    "deny": "The call does not run and the model reads the reason; what another hook says does not undo it.",
    "ask": "Denied: a hook cannot make Kimi Code ask.",
    "allow": "Says nothing: Kimi Code's own permissions decide.",
    "rewrite": "Denied: Kimi Code takes no new input from a hook.",
    "context": "The model reads it with the prompt; not with tools, and not where the session starts.",
    "redact": "Not possible: the result stays, and Kimi Code does not wait for a word about it.",
    "prompt": "The prompt is stopped before the model is called; the user reads the reason.",
    "stop": "The agent goes on with the reason as its task, once in a row.",
    "failure": "The call runs, unless the hook ends with exit code 2, as our command in config.toml does.",
}


def parse(payload: Mapping[str, object], event_name: str | None) -> Event:
    """Return the event of one payload. Raises UnreadableEvent."""
    native = parsing.named_event(payload, event_name)
    event = parsing.flat_event(NAME, native, parsing.types_of(EVENTS, native, payload), payload)
    return event.replace(
        mcp=_mcp(payload),
        prompt=event.prompt or _text_of(payload.get("prompt")),
        call_id=parsing.text(payload, "tool_call_id") or event.call_id,
        tool_response=parsing.first(payload, "tool_response", "tool_output"),
    )


def _mcp(payload: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """`mcp__server__tool`, every way to read it."""
    name = parsing.text(payload, "tool_name") or ""
    return parsing.mcp_splits(name[5:], "__") if name.startswith("mcp__") else ()


def _text_of(prompt: object) -> str | None:
    """Return the text of a prompt, which is a list of parts."""
    parts = prompt if isinstance(prompt, list) else []
    texts = [parsing.text(part, "text") for part in parts if isinstance(part, dict)]
    return "\n".join(text for text in texts if text) or None


def answer(verdict: Verdict, event: Event) -> Answer:
    """Return the verdict in Kimi Code's words. Neutral is no output at all."""
    spec = spec_of(EVENTS, event.native_event, call=event.type == "PreToolUse")
    said = answering.settle(verdict, event, spec, AGENT, rewrites=False)
    if said.decision == DENY:
        return _denied(spec.deny, event.native_event, said.reason, said.dropped)
    return Answer(stdout=jsontext.dumps({"message": said.context}) if said.context else "", dropped=said.dropped)


def _denied(form: str, native: str, reason: str, dropped: tuple[str, ...]) -> Answer:
    words = {"permissionDecision": "deny", "permissionDecisionReason": reason}
    stdout = jsontext.dumps({"hookSpecificOutput": {"hookEventName": native, **words}})
    if form == GO_ON:
        # Not by exit code 2: our command takes any other than 0 for a failure there, which is no task.
        return Answer(stdout=stdout, dropped=dropped)
    return Answer(stdout=stdout, stderr=reason, exit_code=2, dropped=dropped)


def unreadable(reason: str, event_name: str | None) -> Answer:
    """Exit 2 with the reason on stderr, unless the caller knows the event and it guards nothing."""
    return answering.exited_unread(EVENTS, reason, event_name)


def sends_to(platform: str, payload: Mapping[str, object], environ: Mapping[str, str]) -> bool:
    """Its hooks have Claude Code's form, so one that calls rulez for Claude Code may stand in its settings."""
    return platform == "claude" and "client_type" in payload
