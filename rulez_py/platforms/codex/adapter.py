"""Codex CLI: what its hooks send and honour. Every fact here is from contract.md.

INVARIANT: no answer has a key that Codex does not know for its event, for that makes it ignore the whole answer. A deny
does not rest on its JSON: it exits with 2 and has a reason on stderr, which blocks whatever is on stdout.
"""

from __future__ import annotations

from rulez_py.event import WITHHELD, EventSpec
from rulez_py.platforms import answering, parsing
from rulez_py.platforms.parsing import asks_at_once, hooks_of_nobody_else, own_hooks_alone, spec_of
from rulez_py.platforms.tool_table import SOURCE
from rulez_py.system import jsontext
from rulez_py.verdict import ALLOW, DENY, Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.event import Event
    from rulez_py.verdict import Verdict

NAME = "codex"
AGENT = "Codex CLI"
PROJECT_VARIABLES: tuple[str, ...] = ()
RUNS_IN_PROJECT = True  # while the payload's `cwd` before and after a tool is the call's own `workdir`
SHELL_MARKS: tuple[str, ...] = ("CODEX_THREAD_ID", "CODEX_CI")
PROGRAMS: tuple[str, ...] = ("codex", "codex-cli", "codex-linux-sandbox", "@openai/codex")
asks_at = asks_at_once
may_be_foreign = own_hooks_alone
sends_to = hooks_of_nobody_else

# How an event is denied.
TOOL = "tool"  # hookSpecificOutput.permissionDecision
PERMISSION = "permission"  # hookSpecificOutput.decision
BLOCK = "block"  # top-level decision
GO_ON = "go on"  # the same: the reason is the agent's next task
CONTEXT = "hookSpecificOutput.additionalContext"

EVENTS: Mapping[str, EventSpec] = {
    "SessionStart": EventSpec(types=("SessionStart",), context=CONTEXT, begins=True),
    "UserPromptSubmit": EventSpec(types=("UserPromptSubmit",), guards=True, deny=BLOCK, context=CONTEXT),
    "PreToolUse": EventSpec(types=("PreToolUse",), guards=True, deny=TOOL, context=CONTEXT),
    "PermissionRequest": EventSpec(types=("PermissionRequest",), guards=True, deny=PERMISSION),
    "PostToolUse": EventSpec(types=("PostToolUse",), deny=BLOCK, context=CONTEXT, result=WITHHELD),
    "PreCompact": EventSpec(types=("PreCompact",)),
    "PostCompact": EventSpec(types=("PostCompact",)),
    "SubagentStart": EventSpec(types=("SubagentStart", "BeforeAgent"), context=CONTEXT),
    "SubagentStop": EventSpec(types=("SubagentStop", "AfterAgent"), deny=GO_ON),
    "Stop": EventSpec(types=("Stop",), deny=GO_ON),
    "StopFailure": EventSpec(types=("StopFailure",)),
    "Interrupt": EventSpec(types=("Notification",)),
    "SessionEnd": EventSpec(types=("SessionEnd",)),
}

UNRECORDED: Mapping[str, str] = {
    "PreCompact": SOURCE,
    "PostCompact": SOURCE,
    "StopFailure": SOURCE,
}

CAPABILITIES: Mapping[str, str] = {
    "deny": "The call does not run and the model reads the reason; JSON and exit code 2 both say so.",
    "ask": "Denied: a hook cannot make Codex CLI ask.",
    "allow": "Says nothing before a tool, where the approval policy decides; a PermissionRequest is approved.",
    "rewrite": "The call runs with the new input; the user's approval is asked for that one.",
    "context": "The model reads it with PreToolUse, PostToolUse, UserPromptSubmit, SessionStart and SubagentStart.",
    "redact": "The result is withheld: in its place the model reads the redacted text. Codex CLI calls no hook where "
    "an MCP tool answers with an error.",
    "prompt": "The prompt is stopped before the model is called; the user reads the reason.",
    "stop": "The agent goes on with the reason as its prompt, once in a row: Codex CLI itself would set no end to it.",
    "failure": "The call runs, unless the hook ends with exit code 2 and some text, as our command in hooks.json does. "
    "A hook the user has not reviewed is never called; `codex exec` does not say so.",
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
    """`mcp__server__tool`, every way to read it."""
    name = parsing.text(payload, "tool_name", "toolName") or ""
    return parsing.mcp_splits(name[5:], "__") if name.startswith("mcp__") else ()


def answer(verdict: Verdict, event: Event) -> Answer:
    """Return the verdict in Codex CLI's words. Neutral is no output at all."""
    spec = spec_of(EVENTS, event.native_event, call=event.type == "PreToolUse")
    said = answering.settle(_whole(verdict, event), event, spec, AGENT, tells=True)
    dropped = said.dropped
    if said.decision == DENY:
        if spec.deny != GO_ON or event.payload.get("stop_hook_active") is not True:
            return _denied(spec.deny, event.native_event, said.reason, dropped)
        # Nothing else would end the going on.
        dropped += (f"deny on {event.native_event}: the agent has already gone on once because of a hook",)
    specific: dict[str, object] = {}
    if event.type == "PermissionRequest" and said.decision == ALLOW:
        specific["decision"] = {"behavior": "allow"}
    if said.new_input is not None:
        # Without the word the new input is ignored. It approves nothing: the approval policy still decides.
        specific |= {"permissionDecision": "allow", "updatedInput": said.new_input}
    output = answering.nested_output(said, event, specific)
    return Answer(stdout=jsontext.dumps(output) if output else "", dropped=dropped)


def _whole(verdict: Verdict, event: Event) -> Verdict:
    """The verdict, or a deny where its rewrite would get lost: of these tools Codex CLI takes back only the command."""
    lost = [name for name in verdict.rewrite or () if name != "command"]
    if not lost or event.type != "PreToolUse" or event.platform_tool_name not in ("Bash", "apply_patch"):
        return verdict
    what = ", ".join(f"`{name}`" for name in lost)
    tool = event.platform_tool_name
    reason = f"a rule rewrites {what} of {tool}, but {AGENT} lets a hook change its `command` alone, so it is denied"
    return verdict.replace(decision=DENY, reason=reason, rewrite=None)


def _denied(form: str, native: str, reason: str, dropped: tuple[str, ...]) -> Answer:
    output: dict[str, object] = {"decision": "block", "reason": reason}
    if form == TOOL:
        words = {"permissionDecision": "deny", "permissionDecisionReason": reason}
        output = {"hookSpecificOutput": {"hookEventName": native, **words}}
    elif form == PERMISSION:
        decision = {"behavior": "deny", "message": reason}
        output = {"hookSpecificOutput": {"hookEventName": native, "decision": decision}}
    elif form == GO_ON:
        # Not by exit code 2: our command takes any other than 0 for a failure there, which must not go on for ever.
        return Answer(stdout=jsontext.dumps(output), dropped=dropped)
    return Answer(stdout=jsontext.dumps(output), stderr=reason, exit_code=2, dropped=dropped)


def unreadable(reason: str, event_name: str | None) -> Answer:
    """Exit 2 with the reason on stderr; where the event guards nothing, only a message to the user."""
    reason = answering.reason_of(reason)
    spec = EVENTS.get(event_name or "")
    if spec is None or spec.guards:
        return Answer(stderr=reason, exit_code=2)
    return Answer(stdout=jsontext.dumps({"systemMessage": reason}))
