"""Gemini CLI: what its hooks send and honour. Every fact here is from contract.md.

INVARIANT: for Gemini CLI's own events nothing ever goes to stderr and the exit code is always 0. Without JSON on stdout
it takes stderr for the answer, and text there for a message to the user; with it, neither counts.
"""

from __future__ import annotations

from rulez_py.event import WITHHELD, EventSpec
from rulez_py.platforms import answering, parsing
from rulez_py.platforms.parsing import asks_at_once, hooks_of_nobody_else, own_hooks_alone, spec_of
from rulez_py.platforms.tool_table import SOURCE
from rulez_py.system import jsontext
from rulez_py.verdict import DENY, Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.event import Event
    from rulez_py.verdict import Verdict

NAME = "gemini"
AGENT = "Gemini CLI"
PROJECT_VARIABLES: tuple[str, ...] = ("GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR")
RUNS_IN_PROJECT = False
SHELL_MARKS: tuple[str, ...] = ("GEMINI_CLI",)  # the source of its shell tool
PROGRAMS: tuple[str, ...] = ("gemini", "gemini-cli", "@google/gemini-cli")
asks_at = asks_at_once
may_be_foreign = own_hooks_alone
sends_to = hooks_of_nobody_else

# How an event is denied: one call of a tool, or the whole turn.
CALL = "decision"
TURN = "decision and continue"
CONTEXT = "hookSpecificOutput.additionalContext"

# BeforeToolSelection has no way to say anything: any JSON there changes the model request.
EVENTS: Mapping[str, EventSpec] = {
    "SessionStart": EventSpec(types=("SessionStart",), context=CONTEXT, begins=True),
    "SessionEnd": EventSpec(types=("SessionEnd",)),
    "BeforeAgent": EventSpec(types=("BeforeAgent", "UserPromptSubmit"), guards=True, deny=TURN, context=CONTEXT),
    "AfterAgent": EventSpec(types=("AfterAgent",), deny=TURN),
    "BeforeModel": EventSpec(types=("BeforeModel",), guards=True, deny=TURN),
    "AfterModel": EventSpec(types=("AfterModel",), deny=TURN),
    "BeforeToolSelection": EventSpec(types=("BeforeToolSelection",)),
    "BeforeTool": EventSpec(types=("PreToolUse",), guards=True, deny=CALL),
    "AfterTool": EventSpec(types=("PostToolUse",), deny=CALL, context=CONTEXT, result=WITHHELD),
    "PreCompress": EventSpec(types=("PreCompact",)),
    "PreCompact": EventSpec(types=("PreCompact",)),
    "Notification": EventSpec(types=("Notification",)),
}

UNRECORDED: Mapping[str, str] = {
    "BeforeModel": SOURCE,
    "BeforeToolSelection": SOURCE,
}

CAPABILITIES: Mapping[str, str] = {
    "deny": "The call does not run and the model reads the reason.",
    "ask": "Denied: a headless Gemini CLI that is told to ask hangs.",
    "allow": "Says nothing: the word has no effect and the user's approval mode decides.",
    "rewrite": "The call runs with the new input; the model is told that a hook modified it.",
    "context": "The model reads it with SessionStart, BeforeAgent and AfterTool; everywhere else it is dropped.",
    "redact": "The result is withheld: in its place the model reads the redacted text.",
    "prompt": "The turn ends before the model is called; the user reads the reason as a warning.",
    "stop": "The turn ends with the reason; the agent is not made to go on, because nothing would end the going on.",
    "failure": "The call runs, unless the hook ends with exit code 2 or more and some text.",
}


def parse(payload: Mapping[str, object], event_name: str | None) -> Event:
    """Return the event of one payload. Raises UnreadableEvent."""
    if parsing.may_be_foreign(payload):
        from rulez_py.platforms.foreign import flat

        payload = flat(payload, event_name)
    native = parsing.named_event(payload, event_name)
    response = parsing.mapping(payload.get("tool_response"))
    more: tuple[str, ...] = ()
    if native == "AfterTool" and (response.get("error") is not None or parsing.failed_call(payload)):
        more = ("PostToolUseFailure",)
    elif native == "Notification" and payload.get("notification_type") == "ToolPermission":
        more = ("PermissionRequest",)
    types = parsing.types_of(EVENTS, native, payload, *more)
    return parsing.flat_event(NAME, native, types, payload).replace(mcp=_mcp(payload))


def _mcp(payload: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """Return the server and tool Gemini CLI names beside the call, else every way `mcp_server_tool` can be read."""
    context = parsing.mapping(payload.get("mcp_context"))
    server, tool = parsing.text(context, "server_name"), parsing.text(context, "tool_name")
    if server and tool:
        return ((server, tool),)
    name = parsing.text(payload, "tool_name", "toolName") or ""
    if name.startswith("mcp__"):
        return parsing.mcp_splits(name[5:], "__")
    return parsing.mcp_splits(name[4:], "_") if name.startswith("mcp_") else ()


def answer(verdict: Verdict, event: Event) -> Answer:
    """Return the verdict in Gemini CLI's words. Neutral is no output at all."""
    spec = spec_of(EVENTS, event.native_event, call=event.type == "PreToolUse")
    said = answering.settle(verdict, event, spec, AGENT, tells=spec.begins)
    if said.decision == DENY:
        denied = _denied(spec.deny, said.reason, said.dropped)
        return answering.to_whomever(denied, said.reason) if spec.guessed else denied
    specific: dict[str, object] = {}
    if said.new_input is not None:
        specific["tool_input"] = said.new_input
    output = answering.nested_output(said, event, specific)
    return Answer(stdout=jsontext.dumps(output) if output else "", dropped=said.dropped)


def _denied(form: str, reason: str, dropped: tuple[str, ...]) -> Answer:
    output: dict[str, object] = {"decision": "deny", "reason": reason}
    if form == TURN:
        output["continue"] = False
        output["stopReason"] = reason
    return Answer(stdout=jsontext.dumps(output), dropped=dropped)


def unreadable(reason: str, event_name: str | None) -> Answer:
    """Return a deny, unless the caller knows the event and it guards nothing."""
    spec = EVENTS.get(event_name or "")
    if spec is not None and not spec.guards:
        return Answer()
    return _denied(spec.deny if spec is not None else CALL, answering.reason_of(reason), ())
