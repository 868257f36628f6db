"""Windsurf: what Cascade's hooks get and honour. Every fact here is from contract.md, and that is from documentation.

INVARIANT: a denial is exit code 2 with the reason on stderr. At any other exit code Windsurf goes on.
"""

from __future__ import annotations

from rulez_py.event import EventSpec, UnreadableEvent
from rulez_py.platforms import answering, parsing
from rulez_py.platforms.parsing import asks_at_once, own_hooks_alone, spec_of
from rulez_py.platforms.tool_table import DOCS
from rulez_py.verdict import DENY, Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulez_py.event import Event
    from rulez_py.verdict import Verdict

NAME = "windsurf"
AGENT = "Windsurf"
PROJECT_VARIABLES: tuple[str, ...] = ()
RUNS_IN_PROJECT = True
SHELL_MARKS: tuple[str, ...] = ()
PROGRAMS: tuple[str, ...] = ("windsurf", "Windsurf")
asks_at = asks_at_once
may_be_foreign = own_hooks_alone

BLOCK = "block"
"""How an event is denied: exit code 2."""

_CALL = EventSpec(types=("PreToolUse",), guards=True, deny=BLOCK)
_DONE = EventSpec(types=("PostToolUse",))

EVENTS: Mapping[str, EventSpec] = {
    "pre_run_command": _CALL,
    "pre_write_code": _CALL,
    "pre_read_code": _CALL,
    "pre_mcp_tool_use": _CALL,
    "pre_user_prompt": EventSpec(types=("UserPromptSubmit",), guards=True, deny=BLOCK),
    "post_run_command": _DONE,
    "post_write_code": EventSpec(types=("PostToolUse", "FileChanged")),
    "post_read_code": _DONE,
    "post_mcp_tool_use": _DONE,
    "post_cascade_response": EventSpec(types=("Stop", "MessageDisplay")),
    "post_cascade_response_with_transcript": EventSpec(types=("Notification",)),
    "post_setup_worktree": EventSpec(types=("Notification",)),
}

UNRECORDED: Mapping[str, str] = dict.fromkeys(EVENTS, DOCS)

CAPABILITIES: Mapping[str, str] = {
    "deny": "The call does not run and the model reads the reason.",
    "ask": "Denied: a hook cannot make Windsurf ask.",
    "allow": "Says nothing: Windsurf's own settings decide.",
    "rewrite": "Denied: Windsurf takes no new input from a hook.",
    "context": "Not possible: the model reads a hook's text only with a denial.",
    "redact": "Not possible: the result stays, and the model is not warned. The audit log has it.",
    "prompt": "The prompt is stopped before the model is called.",
    "stop": "Not possible: at the end of a turn a hook stops nothing.",
    "failure": "The call runs, unless the hook ends with exit code 2, as our command in hooks.json does.",
}

_TOOLS = {
    "pre_run_command": "run_command",
    "post_run_command": "run_command",
    "pre_write_code": "write_code",
    "post_write_code": "write_code",
    "pre_read_code": "read_code",
    "post_read_code": "read_code",
}
"""Event -> the tool it is about, which its payload does not name."""
_OF_A_SERVER = ("pre_mcp_tool_use", "post_mcp_tool_use")


def parse(payload: Mapping[str, object], event_name: str | None) -> Event:
    """Return the event of one payload, as Windsurf sends it or in the flat form. Raises UnreadableEvent."""
    flat: Mapping[str, object] = payload
    mcp: tuple[tuple[str, str], ...] = ()
    if isinstance(payload, dict) and "agent_action_name" in payload and "hook_event_name" not in payload:
        flat, mcp = _flat(payload)
    native = parsing.named_event(flat, event_name)
    event = parsing.flat_event(NAME, native, parsing.types_of(EVENTS, native, flat), flat)
    return event.replace(mcp=mcp, payload=payload)


def _flat(payload: Mapping[str, object]) -> tuple[Mapping[str, object], tuple[tuple[str, str], ...]]:
    """Return the payload with event, tool and input where the flat form has them, and a server's tool.

    Raises UnreadableEvent for a call that is not said.
    """
    native, told = payload["agent_action_name"], payload.get("tool_info")
    flat = {key: value for key, value in payload.items() if key not in ("agent_action_name", "tool_info")}
    flat |= {"hook_event_name": native, "session_id": payload.get("trajectory_id")}
    if native in _OF_A_SERVER:
        return _with_server(flat, parsing.mapping(told))
    if native == "pre_user_prompt":
        return {**flat, "prompt": parsing.mapping(told).get("user_prompt")}, ()
    tool = _TOOLS.get(str(native))
    if tool is None and str(native) in EVENTS:
        return {**flat, **parsing.mapping(told)}, ()
    if not isinstance(told, dict) or not told:
        raise UnreadableEvent("`tool_info` must be an object that says the call")
    return {**flat, "tool_name": tool or native, "tool_input": told}, ()


def _with_server(
    flat: dict[str, object], told: Mapping[str, object]
) -> tuple[Mapping[str, object], tuple[tuple[str, str], ...]]:
    """Return the same for the tool of an MCP server. Raises UnreadableEvent where it is not named."""
    server, name = parsing.text(told, "mcp_server_name") or "", parsing.text(told, "mcp_tool_name")
    if name is None:
        raise UnreadableEvent("`tool_info` must name the MCP tool")
    given = told.get("mcp_tool_arguments")
    flat |= {"tool_name": f"mcp__{server}__{name}", "tool_input": {} if given is None else given}
    flat |= {"tool_response": told.get("mcp_result")}
    return flat, tuple(dict.fromkeys(((server, name), (parsing.plain_name(server), name))))


def answer(verdict: Verdict, event: Event) -> Answer:
    """Return the verdict in Windsurf's words. Neutral is no output at all."""
    spec = spec_of(EVENTS, event.native_event, call=event.type == "PreToolUse")
    said = answering.settle(verdict, event, spec, AGENT, rewrites=False)
    return answering.exited(said, spec) if said.decision == DENY else Answer(dropped=said.dropped)


def unreadable(reason: str, event_name: str | None) -> Answer:
    """Return a deny, unless the caller knows the event and it guards nothing."""
    return answering.exited_unread(EVENTS, reason, event_name)


def sends_to(platform: str, payload: Mapping[str, object], environ: Mapping[str, str]) -> bool:
    """A person may have Windsurf's file call the hook of another platform."""
    return "agent_action_name" in payload and "tool_info" in payload
