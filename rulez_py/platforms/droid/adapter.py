"""Factory Droid: what its hooks send and honour. Every fact here is from contract.md.

INVARIANT: a deny before a tool is JSON and exit code 2 together. Of several hooks the first one's decision counts, so
JSON alone is undone by the `allow` of a hook that comes before ours; the exit code is looked at after that.
"""

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

NAME = "droid"
AGENT = "Factory Droid"
PROJECT_VARIABLES: tuple[str, ...] = ("FACTORY_PROJECT_DIR",)
RUNS_IN_PROJECT = False
SHELL_MARKS: tuple[str, ...] = ()
PROGRAMS: tuple[str, ...] = ("droid", "@factory/cli")
asks_at = asks_at_once
may_be_foreign = own_hooks_alone

# How an event is denied.
TOOL = "tool"  # hookSpecificOutput.permissionDecision, and exit code 2
EXIT = "exit"  # exit code 2 with the reason on stderr
GO_ON = "go on"  # top-level decision: the reason is the agent's next task
CONTEXT = "hookSpecificOutput.additionalContext"

EVENTS: Mapping[str, EventSpec] = {
    "PreToolUse": EventSpec(types=("PreToolUse",), guards=True, deny=TOOL),
    "PostToolUse": EventSpec(types=("PostToolUse",), deny=EXIT, context=CONTEXT),
    "UserPromptSubmit": EventSpec(types=("UserPromptSubmit",), guards=True, deny=EXIT, context=CONTEXT),
    "SessionStart": EventSpec(types=("SessionStart",), context=CONTEXT, begins=True),
    "SessionEnd": EventSpec(types=("SessionEnd",)),
    "Stop": EventSpec(types=("Stop",), deny=GO_ON),
    "SubagentStop": EventSpec(types=("SubagentStop", "AfterAgent")),
    "PreCompact": EventSpec(types=("PreCompact",)),
    "Notification": EventSpec(types=("Notification",)),
}

UNRECORDED: Mapping[str, str] = {"PreCompact": SOURCE}

CAPABILITIES: Mapping[str, str] = {
    "deny": "The call does not run and the model reads the reason; the `allow` of another hook does not undo it.",
    "ask": "Denied: a hook cannot make Factory Droid ask.",
    "allow": "Says nothing: Factory Droid's own permissions decide.",
    "rewrite": "The call runs with the new input.",
    "context": "The model reads it with PostToolUse, UserPromptSubmit and SessionStart; not before a tool.",
    "redact": "Not possible: the result stays, and the model is warned. No hook is called where a tool fails.",
    "prompt": "The prompt is stopped before the model is called; `droid exec` calls no hook for a prompt.",
    "stop": "The agent goes on with the reason as its task, once in a row: Factory Droid would set no end to it.",
    "failure": "The call runs, unless the hook ends with exit code 2, as our command in settings.json does.",
}


def parse(payload: Mapping[str, object], event_name: str | None) -> Event:
    """Return the event of one payload. Raises UnreadableEvent."""
    native = parsing.named_event(payload, event_name)
    event = parsing.flat_event(NAME, native, parsing.types_of(EVENTS, native, payload), payload)
    return event.replace(mcp=parsing.mcp_splits(parsing.text(payload, "tool_name") or "", "___"))


def answer(verdict: Verdict, event: Event) -> Answer:
    """Return the verdict in Factory Droid's words. Neutral is no output at all."""
    spec = spec_of(EVENTS, event.native_event, call=event.type == "PreToolUse")
    said = answering.settle(verdict, event, spec, AGENT)
    dropped = said.dropped
    if said.decision == DENY:
        if spec.deny != GO_ON or event.payload.get("stop_hook_active") is not True:
            return _denied(spec.deny, event.native_event, said.reason, dropped)
        # Nothing else would end the going on.
        dropped += (f"deny on {event.native_event}: the agent has already gone on once because of a hook",)
    specific = {} if said.new_input is None else {"updatedInput": said.new_input}
    output = answering.nested_output(said, event, specific)
    return Answer(stdout=jsontext.dumps(output) if output else "", dropped=dropped)


def _denied(form: str, native: str, reason: str, dropped: tuple[str, ...]) -> Answer:
    if form == GO_ON:
        return Answer(stdout=jsontext.dumps({"decision": "block", "reason": reason}), dropped=dropped)
    if form == EXIT:
        return Answer(stderr=reason, exit_code=2, dropped=dropped)
    words = {"permissionDecision": "deny", "permissionDecisionReason": reason}
    stdout = jsontext.dumps({"hookSpecificOutput": {"hookEventName": native, **words}})
    return Answer(stdout=stdout, stderr=reason, exit_code=2, dropped=dropped)


def unreadable(reason: str, event_name: str | None) -> Answer:
    """Exit 2 with the reason on stderr, unless the caller knows the event and it guards nothing."""
    return answering.exited_unread(EVENTS, reason, event_name)


def sends_to(platform: str, payload: Mapping[str, object], environ: Mapping[str, str]) -> bool:
    """Its hooks have Claude Code's form, so one that calls rulez for Claude Code may stand in its settings."""
    if platform != "claude":
        return False
    from rulez_py.platforms.droid.evidence import MODES

    return payload.get("permission_mode") in MODES
