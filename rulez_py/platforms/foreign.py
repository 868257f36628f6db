"""Agents that run a hook set up for another: how their payloads say a call.

INVARIANT: what such an agent sends before a call is judged or denied. It is loaded where a payload looks like theirs.
"""

from __future__ import annotations

from rulez_py.event import EVENT_TYPES, UnreadableEvent
from rulez_py.platforms.parsing import EVENT_NAME_KEYS, first, mapping, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


# Where a call is.

_EVENT_KEYS = (*EVENT_NAME_KEYS, "agent_action_name", "hookName")
_CALLS = ("toolCall", "tool_call")
_NAMES = ("name", "toolName", "tool_name")
_INPUTS = ("args", "input", "arguments", "parameters")
_OF_A_CALL = ("PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied")
_BEFORE = ("pre", "before")
_AFTER = ("post", "after")
_ACTIONS = {"pre_run_command": "Bash", "pre_read_code": "Read", "pre_write_code": "Edit"}
"""Windsurf's events before a call -> the tool; the call's arguments are its `tool_info`."""
_PROMPT = "pre_user_prompt"
_WRITING = ("file_path", "content", "edits")


def flat(payload: Mapping[str, object], event_name: str | None) -> Mapping[str, object]:
    """Return the payload with event, tool and input where the flat form has them. Raises UnreadableEvent.

    A payload of an event before a call that has no call stays as it is, and is denied.
    """
    named = text(payload, *_EVENT_KEYS)
    native = named or event_name or ""
    unnamed = named is not None and first(payload, *EVENT_NAME_KEYS) is None
    name = {"hook_event_name": named} if unnamed else {}
    if native in EVENT_TYPES and native not in _OF_A_CALL:
        return payload
    if native not in EVENT_TYPES and native.lower().startswith(_AFTER):
        return {**payload, **name} if name else payload
    call = _call(payload, native)
    if call is None:
        return {**payload, **name} if name else payload
    return {**payload, **name, "tool_name": call[0], "tool_input": call[1]}


def _call(payload: Mapping[str, object], native: str) -> tuple[str, object] | None:
    for key in _CALLS:
        if payload.get(key) is not None:
            return _in_one(key, mapping(payload[key]))
    before = native.lower().startswith(_BEFORE)
    if before and native != _PROMPT and payload.get("tool_info") is not None:
        return _action(native, mapping(payload["tool_info"]))
    if before and payload.get("command") is not None:
        return "Bash", _only(payload, "command", "cwd")
    if before and payload.get("file_path") is not None:
        reads = "read" in native.lower()
        return ("Read", _only(payload, "file_path")) if reads else (native, _only(payload, *_WRITING))
    return None


def _in_one(key: str, call: Mapping[str, object]) -> tuple[str, object]:
    """Return the tool and its input in an object of a payload."""
    call = mapping(call.get("function")) or call
    name, given = text(call, *_NAMES), first(call, *_INPUTS)
    if name is None:
        raise UnreadableEvent(f"`{key}` must name the tool")
    return name, {} if given is None else given


def _action(native: str, told: Mapping[str, object]) -> tuple[str, object]:
    server, tool = text(told, "mcp_server_name"), text(told, "mcp_tool_name")
    if tool is not None:
        return f"mcp__{server or 'unknown'}__{tool}", first(told, "mcp_tool_arguments") or {}
    return _ACTIONS.get(native, native), told


def _only(payload: Mapping[str, object], *keys: str) -> dict[str, object]:
    return {key: payload[key] for key in keys if payload.get(key) is not None}
