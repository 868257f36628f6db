"""Cursor: what its hooks send and honour. Every fact here is from contract.md.

INVARIANT: every answer is one JSON object at exit code 0, `{}` where there is nothing to say: by `failClosed` Cursor
takes no output for a failure, and beside exit code 2 it shows the raw output for the reason.
"""

from __future__ import annotations

from rulez_py.event import EventSpec
from rulez_py.platforms import answering, parsing
from rulez_py.platforms.parsing import spec_of
from rulez_py.platforms.tool_table import SOURCE
from rulez_py.system import jsontext
from rulez_py.verdict import ASK, DENY, NO_OPINION, Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.event import Event
    from rulez_py.verdict import Verdict

NAME = "cursor"
AGENT = "Cursor"
PROJECT_VARIABLES: tuple[str, ...] = ("CURSOR_PROJECT_DIR",)
RUNS_IN_PROJECT = False  # a hook of the person's runs in `~/.cursor`
SHELL_MARKS: tuple[str, ...] = ("CURSOR_AGENT", "CURSOR_TRACE_ID")
PROGRAMS: tuple[str, ...] = ("cursor", "cursor-agent", "Cursor", "@cursor/sdk")

# How an event is denied.
PERMISSION = "permission"  # `permission: deny`; the model reads `user_message`
PROMPT = "continue"  # `continue: false`
GO_ON = "followup_message"  # the agent's next task
TOLD = "told"  # in `additional_context`: what ran has run
CONTEXT = "additional_context"

_CALL = EventSpec(types=("PreToolUse",), guards=True, deny=PERMISSION)

EVENTS: Mapping[str, EventSpec] = {
    "preToolUse": _CALL.replace(context=CONTEXT),
    "beforeShellExecution": _CALL,
    "beforeMCPExecution": _CALL,
    "beforeReadFile": _CALL,
    "beforeTabFileRead": _CALL,
    "postToolUse": EventSpec(types=("PostToolUse",), deny=TOLD, context=CONTEXT),
    "postToolUseFailure": EventSpec(types=("PostToolUseFailure",), context=CONTEXT),
    "afterShellExecution": EventSpec(types=("PostToolUse",)),
    "afterMCPExecution": EventSpec(types=("PostToolUse",)),
    "afterFileEdit": EventSpec(types=("PostToolUse", "FileChanged")),
    "afterTabFileEdit": EventSpec(types=("PostToolUse", "FileChanged")),
    "beforeSubmitPrompt": EventSpec(types=("UserPromptSubmit",), guards=True, deny=PROMPT, context=CONTEXT),
    "sessionStart": EventSpec(types=("SessionStart",), context=CONTEXT, begins=True),
    "sessionEnd": EventSpec(types=("SessionEnd",)),
    "stop": EventSpec(types=("Stop",), deny=GO_ON),
    "subagentStart": EventSpec(types=("SubagentStart", "BeforeAgent"), deny=PERMISSION),
    "subagentStop": EventSpec(types=("SubagentStop", "AfterAgent"), deny=GO_ON),
    "preCompact": EventSpec(types=("PreCompact",)),
    "afterAgentResponse": EventSpec(types=("Notification", "MessageDisplay")),
    "afterAgentThought": EventSpec(types=("Notification",)),
    "workspaceOpen": EventSpec(types=("Notification",)),
}

UNRECORDED: Mapping[str, str] = {
    "beforeTabFileRead": SOURCE,
    "afterTabFileEdit": SOURCE,
    "subagentStart": SOURCE,
    "subagentStop": SOURCE,
    "preCompact": SOURCE,
    "afterAgentResponse": SOURCE,
    "afterAgentThought": SOURCE,
    "workspaceOpen": SOURCE,
}

CAPABILITIES: Mapping[str, str] = {
    "deny": "The call does not run and the model reads the reason.",
    "ask": "The user is asked before a shell command or an MCP tool runs; any other call is denied: Cursor acts on an "
    "ask only there.",
    "allow": "Says nothing: Cursor's own settings decide.",
    "rewrite": "The call runs with the new input.",
    "context": "The model reads it with preToolUse, postToolUse, postToolUseFailure, beforeSubmitPrompt and "
    "sessionStart.",
    "redact": "Not possible: the result stays, and the model is warned.",
    "prompt": "The prompt is stopped before the model is called; the user reads the reason.",
    "stop": "The agent goes on with the reason as its next task, at most 5 times in a row.",
    "failure": "The call is denied: our entries in hooks.json have `failClosed`. Without it, Cursor lets it run.",
}

_SHELL, _MCP, _READ = "beforeShellExecution", "beforeMCPExecution", ("beforeReadFile", "beforeTabFileRead")
_ASKING = (_SHELL, _MCP)
"""The events before a call at which Cursor asks; they do not take a new input."""
_TOOLS = {
    _SHELL: "Shell",
    "afterShellExecution": "Shell",
    "beforeReadFile": "Read",
    "beforeTabFileRead": "TabRead",
    "afterFileEdit": "Write",
    "afterTabFileEdit": "TabWrite",
}
"""Event -> the tool it is about, which its payload does not name."""
_ARGUMENTS = {
    "Shell": ("command", "cwd", "sandbox"),
    "Read": ("file_path",),
    "TabRead": ("file_path",),
    "Write": ("file_path", "edits"),
    "TabWrite": ("file_path", "edits"),
}


def parse(payload: Mapping[str, object], event_name: str | None) -> Event:
    """Return the event of one payload. Raises UnreadableEvent."""
    native = parsing.named_event(payload, event_name)
    flat = _flat(payload, native)
    event = parsing.flat_event(NAME, native, parsing.types_of(EVENTS, native, flat), flat)
    roots = payload.get("workspace_roots")
    project = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else None
    return event.replace(
        mcp=_mcp(flat),
        # An empty one is the project's.
        cwd=event.cwd or parsing.text(parsing.mapping(flat.get("tool_input")), "cwd") or project,
        project_dir=project,
        tool_response=parsing.first(payload, "tool_output", "result_json", "output"),
        agent_id=parsing.text(payload, "subagent_id"),
        agent_type=parsing.text(payload, "subagent_type"),
        agent_version=parsing.text(payload, "cursor_version") or "",
        payload=payload,
    )


def _flat(payload: Mapping[str, object], native: str) -> Mapping[str, object]:
    """Return the payload with the tool and its input where the flat form has them."""
    if native in (_MCP, "afterMCPExecution"):
        # `command` and `url` are those of the server, not the call's.
        rest = {key: value for key, value in payload.items() if key not in ("command", "url")}
        name = parsing.text(payload, "tool_name")
        return {**rest, "tool_name": f"MCP:{name}"} if name else payload
    tool = _TOOLS.get(native)
    if tool is None or "tool_name" in payload:
        return payload
    return {**payload, "tool_name": tool, "tool_input": _only(payload, _ARGUMENTS[tool])}


def _only(payload: Mapping[str, object], keys: tuple[str, ...]) -> dict[str, object]:
    return {key: payload[key] for key in keys if payload.get(key) is not None}


def _mcp(flat: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """`MCP:tool`; the server is named where it is about to be called, and "" elsewhere."""
    name = parsing.text(flat, "tool_name") or ""
    if not name.startswith("MCP:"):
        return ()
    server = parsing.text(flat, "mcp_server_name") or ""
    return tuple(dict.fromkeys(((server, name[4:]), (parsing.plain_name(server), name[4:]))))


def answer(verdict: Verdict, event: Event) -> Answer:
    """Return the verdict in Cursor's words. Neutral is `{}`."""
    spec = spec_of(EVENTS, event.native_event, call=event.type == "PreToolUse")
    asks = event.native_event in _ASKING
    if event.asked_later and verdict.decision == ASK and not verdict.failed:
        verdict = verdict.replace(decision=NO_OPINION)
    rewrites = event.native_event not in (*_ASKING, *_READ)
    said = answering.settle(verdict, event, spec, AGENT, asks=asks, rewrites=rewrites)
    if said.decision == DENY:
        denied = Answer(stdout=jsontext.dumps(_denied(spec.deny, said.reason)), dropped=said.dropped)
        return answering.to_whomever(denied, said.reason) if spec.guessed else denied
    output: dict[str, object] = {}
    if said.decision == ASK:
        output = {"permission": "ask", "user_message": said.reason, "agent_message": said.reason}
    if said.new_input is not None:
        output["updated_input"] = said.new_input
    if said.context:
        output["additional_context"] = said.context
    return Answer(stdout=jsontext.dumps(output), dropped=said.dropped)


def asks_at(event: Event) -> str:
    """Cursor asks about shell commands and MCP tools, at events of their own (contract.md, section 3)."""
    if event.native_event != "preToolUse":
        return ""
    if event.tool_name == "Bash":
        return _SHELL
    return _MCP if event.mcp else ""


def _denied(form: str, reason: str) -> dict[str, object]:
    if form == PROMPT:
        return {"continue": False, "user_message": reason}
    if form in (GO_ON, TOLD):
        return {"followup_message" if form == GO_ON else "additional_context": reason}
    return {"permission": "deny", "user_message": reason, "agent_message": reason}


def unreadable(reason: str, event_name: str | None) -> Answer:
    """Return a deny in every form of Cursor's, unless the caller knows the event and it guards nothing."""
    spec = EVENTS.get(event_name or "")
    if spec is not None and not spec.guards:
        return Answer(stdout="{}")
    reason = answering.reason_of(reason)
    return Answer(stdout=jsontext.dumps({**_denied(PROMPT, reason), **_denied(PERMISSION, reason)}))


def sends_to(platform: str, payload: Mapping[str, object], environ: Mapping[str, str]) -> bool:
    """Cursor also runs the hooks in Claude Code's settings, with payloads of its own (contract.md, section 1)."""
    return platform == "claude" and "cursor_version" in payload


def may_be_foreign(payload: Mapping[str, object]) -> bool:
    """Other agents run the hooks in `.cursor/hooks.json`, without the key that all of Cursor's payloads have."""
    return "cursor_version" not in payload
