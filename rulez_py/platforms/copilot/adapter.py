"""GitHub Copilot: the CLI in both its dialects, the cloud agent and VS Code.

Every fact here is from contract.md. The dialects: the CLI sends camelCase payloads without an event name
to hooks registered as `preToolUse`, and snake_case payloads with one to hooks registered as `PreToolUse`; VS Code sends
a third kind and reads `hookSpecificOutput` alone.
"""

from __future__ import annotations

from rulez_py.event import REPLACED, EventSpec, UnreadableEvent
from rulez_py.platforms import answering, parsing
from rulez_py.platforms.copilot.tools import INBOUND
from rulez_py.platforms.parsing import asks_at_once, own_hooks_alone, spec_of
from rulez_py.platforms.tool_table import OURS, SOURCE, inbound
from rulez_py.system import jsontext
from rulez_py.verdict import ALLOW, ASK, DENY, Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.event import Event
    from rulez_py.verdict import Verdict

NAME = "copilot"
AGENT = "Copilot"
PROJECT_VARIABLES: tuple[str, ...] = ("COPILOT_PROJECT_DIR", "CLAUDE_PROJECT_DIR")
RUNS_IN_PROJECT = False
SHELL_MARKS: tuple[str, ...] = ("COPILOT_CLI",)
PROGRAMS: tuple[str, ...] = ("copilot", "copilot-cli", "copilot-agent", "@github/copilot")
asks_at = asks_at_once
may_be_foreign = own_hooks_alone

# How an event is denied.
TOOL = "tool"  # permissionDecision, and exit 2
PERMISSION = "permission"  # behavior, and exit 2
BLOCK = "block"  # top-level decision; exit 2 is not honoured
PROMPT = "prompt"  # the same, and for VS Code continue:false
STOP = "stop"  # the same, and for VS Code hookSpecificOutput.decision
CONTEXT = "additionalContext"

_MEANINGS: tuple[tuple[tuple[str, ...], EventSpec], ...] = (
    (
        ("preToolUse", "PreToolUse", "preMcpToolCall"),
        EventSpec(types=("PreToolUse",), guards=True, deny=TOOL, context=CONTEXT),
    ),
    (
        ("postToolUse", "PostToolUse"),
        EventSpec(types=("PostToolUse",), deny=BLOCK, context=CONTEXT, result=REPLACED),
    ),
    (("postToolUseFailure", "PostToolUseFailure"), EventSpec(types=("PostToolUseFailure",), context=CONTEXT)),
    (
        ("permissionRequest", "PermissionRequest"),
        EventSpec(types=("PermissionRequest",), guards=True, deny=PERMISSION),
    ),
    (
        ("userPromptSubmitted", "UserPromptSubmit", "promptSubmit"),
        EventSpec(types=("UserPromptSubmit",), guards=True, deny=PROMPT, context=CONTEXT),
    ),
    (("userPromptTransformed",), EventSpec(types=("UserPromptExpansion",))),
    (("sessionStart", "SessionStart"), EventSpec(types=("SessionStart",), context=CONTEXT, begins=True)),
    (("sessionEnd", "SessionEnd"), EventSpec(types=("SessionEnd",))),
    (("agentStop", "Stop"), EventSpec(types=("Stop",), deny=STOP)),
    (("subagentStart", "SubagentStart"), EventSpec(types=("SubagentStart", "BeforeAgent"))),
    (("subagentStop", "SubagentStop"), EventSpec(types=("SubagentStop", "AfterAgent"), deny=STOP)),
    (("preCompact", "PreCompact"), EventSpec(types=("PreCompact",))),
    (("errorOccurred", "ErrorOccurred"), EventSpec(types=("PostToolUseFailure", "StopFailure"))),
    (("notification", "Notification"), EventSpec(types=("Notification",))),
)
EVENTS: Mapping[str, EventSpec] = {name: spec for names, spec in _MEANINGS for name in names}

UNRECORDED: Mapping[str, str] = {
    "preMcpToolCall": SOURCE,
    "userPromptTransformed": SOURCE,
    "subagentStop": SOURCE,
    "SubagentStop": SOURCE,
    "preCompact": SOURCE,
    "PreCompact": SOURCE,
    "notification": SOURCE,
    "Notification": SOURCE,
    "promptSubmit": OURS,
}

CAPABILITIES: Mapping[str, str] = {
    "deny": "The call does not run and the model reads the reason; JSON and exit code 2 both say so.",
    "ask": "The user is asked before the call runs; in a headless run and on the cloud agent it does not run.",
    "allow": "The call runs without the user's own permission prompt.",
    "rewrite": "The call runs with the new input.",
    "context": "The model reads it with preToolUse, postToolUse, postToolUseFailure, userPromptSubmitted and "
    "sessionStart.",
    "redact": "In the CLI the model reads the redacted result. Where a tool fails, and in VS Code, the result stays "
    "and the model is warned.",
    "prompt": "The prompt is stopped before the model is called.",
    "stop": "The agent goes on with the reason as its prompt, at most 8 times in a row.",
    "failure": "The CLI denies the call when the hook fails and lets it run when the hook is too slow; VS Code lets it "
    "run either way.",
}


def parse(payload: Mapping[str, object], event_name: str | None) -> Event:
    """Return the event of one payload in any dialect. Raises UnreadableEvent.

    A name in the payload decides, then `event_name`, then the fields; an unknown name comes last.
    """
    if parsing.may_be_foreign(payload):
        from rulez_py.platforms.foreign import flat

        payload = flat(payload, event_name)
    native = parsing.native_event_name(payload, None, "hookName")
    if native is None:
        native = event_name if event_name in EVENTS else recognised(payload) or event_name
    if not native:
        raise UnreadableEvent(
            "the payload names no event and none can be told from its fields; "
            "give the event as `rulez hook --platform copilot --event NAME`"
        )
    result = parsing.first(payload, "toolResult", "tool_result", "tool_response")
    failed = parsing.text(parsing.mapping(result), "resultType", "result_type") == "failure"
    name = parsing.text(payload, "agentName", "agent_name")
    types = parsing.types_of(EVENTS, native, payload, *(("PostToolUseFailure",) if failed else ()))
    return parsing.flat_event(NAME, native, types, payload).replace(
        mcp=_mcp(payload),
        tool_response=result,
        agent_type=parsing.text(payload, "agentType", "agent_type") or name,
    )


# The fields that give an event away, most telling first: (event, field or its other spelling, another field ...).
_FIELDS_OF_EVENTS: tuple[tuple[str, ...], ...] = (
    ("postToolUse", "toolName tool_name", "toolResult tool_result tool_response"),
    ("postToolUseFailure", "toolName tool_name", "error"),
    ("permissionRequest", "toolName tool_name", "permissionSuggestions permission_suggestions"),
    ("preToolUse", "toolName tool_name"),
    ("userPromptTransformed", "transformedPrompt transformed_prompt"),
    ("userPromptSubmitted", "prompt"),
    ("sessionStart", "initialPrompt initial_prompt source"),
    ("subagentStop", "stopReason stop_reason", "agentName agent_name"),
    ("agentStop", "stopReason stop_reason"),
    ("subagentStart", "agentName agent_name"),
    ("notification", "notificationType notification_type"),
    ("preCompact", "trigger"),
    ("sessionEnd", "reason"),
    ("errorOccurred", "error"),
)


def recognised(payload: Mapping[str, object]) -> str | None:
    """Return the event a payload without a name must belong to, by the fields only that event has.

    None where none fits.
    """
    for event, *fields in _FIELDS_OF_EVENTS:
        if all(parsing.first(payload, *spellings.split()) is not None for spellings in fields):
            return event
    return None


def _mcp(payload: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """`server-tool` (in permission requests `server/tool`), in VS Code `mcp_server_tool`; every way to read it."""
    name = parsing.text(payload, "tool_name", "toolName") or ""
    if name in INBOUND:
        return ()
    readings = (*parsing.mcp_splits(name, "/"), *parsing.mcp_splits(name, "-"))
    if name.startswith("mcp__"):
        readings += parsing.mcp_splits(name[5:], "__")
    elif name.startswith("mcp_"):
        readings += parsing.mcp_splits(name[4:], "_")
    return tuple(dict.fromkeys(readings))


def from_vs_code(payload: Mapping[str, object]) -> bool:
    """Tell whether VS Code sent this: it spells the event's key its own way, or adds what the CLI does not send."""
    name = payload.get("hook_event_name")
    return (
        "hookEventName" in payload
        or "tool_use_id" in payload
        or (
            "transcript_path" in payload
            and "stop_reason" not in payload
            and isinstance(name, str)
            and name[:1].isupper()
        )
    )


def answer(verdict: Verdict, event: Event) -> Answer:
    """Return the verdict in words that every kind of Copilot understands. Neutral is no output at all."""
    spec = spec_of(EVENTS, event.native_event, call=event.type == "PreToolUse")
    vs_code = from_vs_code(event.payload)
    if vs_code and spec.result:
        spec = spec.replace(result="")
    said = answering.settle(verdict, event, spec, AGENT, asks=True, tells=vs_code and spec.begins)
    if said.decision == DENY:
        if spec.deny == TOOL:
            from_the_cli_in_pascal_case = event.native_event[:1].isupper() and not vs_code
            return _tool_denied(said.reason, said.dropped, inside=not from_the_cli_in_pascal_case)
        return _denied(spec.deny, event.type, said.reason, said.dropped, vs_code=vs_code)
    output: dict[str, object] = {}
    specific: dict[str, object] = {}
    if said.decision == ALLOW and event.type == "PermissionRequest":
        output["behavior"] = "allow"
    elif said.decision in (ASK, ALLOW):
        specific = _permission(said.decision, said.reason)
        output.update(specific)
    if said.new_input is not None:
        output["modifiedArgs"] = specific["updatedInput"] = said.new_input
    if said.result is not None:
        output["modifiedResult"] = _result(said.result)
    if said.context:
        (specific if vs_code else output)["additionalContext"] = said.context
    if said.message:
        output["systemMessage"] = said.message
    if specific:
        output["hookSpecificOutput"] = {"hookEventName": event.type, **specific}
    return Answer(stdout=jsontext.dumps(output) if output else "", dropped=said.dropped)


def _result(result: object) -> object:
    """Return a result under the names that the CLI reads it by, whatever its dialect calls them."""
    if not isinstance(result, dict):
        return {"resultType": "success", "textResultForLlm": result}
    names = {"result_type": "resultType", "text_result_for_llm": "textResultForLlm"}
    return {names.get(name, name): value for name, value in result.items()}


def _permission(decision: str, reason: str) -> dict[str, object]:
    words: dict[str, object] = {"permissionDecision": decision}
    if reason:
        words["permissionDecisionReason"] = reason
    return words


def _tool_denied(reason: str, dropped: tuple[str, ...] = (), *, inside: bool) -> Answer:
    """The deny of a tool call: at the top of the JSON for the CLI, `inside` hookSpecificOutput as well for VS Code.

    The CLI in PascalCase blocks at exit 2 either way, but keeps the reason from the model where there is an inside.
    """
    words = _permission("deny", reason)
    output = {**words, "hookSpecificOutput": {"hookEventName": "PreToolUse", **words}} if inside else words
    return Answer(stdout=jsontext.dumps(output), stderr=reason, exit_code=2, dropped=dropped)


def _denied(form: str, event_type: str, reason: str, dropped: tuple[str, ...], *, vs_code: bool) -> Answer:
    if form == PERMISSION:
        stdout = jsontext.dumps({"behavior": "deny", "message": reason})
        return Answer(stdout=stdout, stderr=reason, exit_code=2, dropped=dropped)
    block: dict[str, object] = {"decision": "block", "reason": reason}
    if vs_code and form == PROMPT:
        block |= {"continue": False, "stopReason": reason}
    elif vs_code and form == STOP:
        block["hookSpecificOutput"] = {"hookEventName": event_type, **block}
    return Answer(stdout=jsontext.dumps(block), dropped=dropped)


def unreadable(reason: str, event_name: str | None) -> Answer:
    """Return a deny of the tool call, unless the caller knows the event and it guards nothing."""
    spec = EVENTS.get(event_name or "")
    if spec is not None and not spec.guards:
        return Answer()
    reason = answering.reason_of(reason)
    if spec is None or spec.deny == TOOL:
        return _tool_denied(reason, inside=False)
    return _denied(spec.deny, "", reason, (), vs_code=False)


def sends_to(platform: str, payload: Mapping[str, object], environ: Mapping[str, str]) -> bool:
    """Copilot CLI also runs the hooks in a project's `.claude/settings.json` (sections 1 and 2).

    So does VS Code, which calls its tools by names of its own (section 6).
    """
    named_twice = "hookEventName" in payload and "hook_event_name" in payload
    if platform != "claude" or "timestamp" not in payload or named_twice:
        return False
    tool = payload.get("tool_name")
    ours = isinstance(tool, str) and tool in INBOUND and tool not in inbound(platform)
    return ours or bool(environ.get("COPILOT_CLI"))
