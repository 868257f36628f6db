"""The form of OpenCode's plugins, which its forks have too: what our plugin (dev/plugin_opencode.js) sends and reads.

The plugin pipes the two arguments of each of its hooks to us as `{hook, input, output}` and adds what it knows besides:
`directory`, `worktree`, `agent`, `parentSessionID`, `mcpServers`. How it was measured is in the agents' contracts.
"""

from __future__ import annotations

from rulez_py.event import REPLACED, EventSpec, UnreadableEvent
from rulez_py.platforms import answering, parsing
from rulez_py.platforms.parsing import spec_of
from rulez_py.platforms.tool_table import OURS, SOURCE
from rulez_py.verdict import Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from rulez_py.event import Event
    from rulez_py.verdict import Verdict

REFUSE = "continue"
"""How an event is denied: `continue: false` and exit 2. The plugin throws, or puts the reason in the prompt's place."""
CONTEXT = "context"

EVENTS: Mapping[str, EventSpec] = {
    "tool.execute.before": EventSpec(types=("PreToolUse",), guards=True, deny=REFUSE, context=CONTEXT),
    "tool.execute.after": EventSpec(types=("PostToolUse",), deny=REFUSE, context=CONTEXT, result=REPLACED),
    "chat.message": EventSpec(types=("UserPromptSubmit",), guards=True, deny=REFUSE, context=CONTEXT),
    "command.execute.before": EventSpec(types=("UserPromptExpansion",), guards=True, deny=REFUSE, context=CONTEXT),
    "experimental.session.compacting": EventSpec(types=("PreCompact",), context=CONTEXT),
    "plugin.loaded": EventSpec(types=("Notification",), context=CONTEXT, begins=True),  # our plugin's own
    "session.created": EventSpec(types=("SessionStart",), context=CONTEXT, begins=True),
    "session.deleted": EventSpec(types=("SessionEnd",)),
    "session.idle": EventSpec(types=("Stop",)),
    "session.compacted": EventSpec(types=("PreCompact", "PostCompact")),
    "session.updated": EventSpec(types=("Notification",)),
    "session.error": EventSpec(types=("Notification", "StopFailure")),
    "permission.asked": EventSpec(types=("PermissionRequest",)),
    "file.edited": EventSpec(types=("Notification", "FileChanged")),
    "file.watcher.updated": EventSpec(types=("Notification", "FileChanged")),
    "message.part.updated": EventSpec(types=("Notification",)),
}

UNRECORDED: Mapping[str, str] = {
    "session.error": SOURCE,
    "plugin.loaded": OURS,
}


def capabilities(agent: str) -> dict[str, str]:
    """Return what becomes of a verdict in an agent of this form."""
    return {
        "deny": "The plugin throws: the call does not run and the model reads the reason.",
        "ask": f"Denied: a plugin cannot make {agent} ask.",
        "allow": f"Says nothing: {agent}'s own permission settings decide.",
        "rewrite": "The call runs with the new arguments.",
        "context": "The model reads it with the prompt, with a command, with a tool's result (text from before the "
        "call too) and when the session is compacted.",
        "redact": f"The plugin puts the redacted result in the result's place. {agent} calls no plugin with what a "
        "failed tool said: that stays.",
        "prompt": "The model reads a notice in the prompt's place, with the reason.",
        "stop": "Not possible: a finished session cannot be made to go on.",
        "failure": "The plugin denies the call when rulez fails or is too slow; where the plugin does not load, every "
        f"call runs and {agent} says nothing.",
    }


def parse(payload: Mapping[str, object], event_name: str | None, *, platform: str, tools: Container[str]) -> Event:
    """Return the event of one payload, in the plugin's form or the flat one. Raises UnreadableEvent.

    `tools` are the names of the agent's own tools, which are none of a server's.
    """
    flat = payload
    if isinstance(payload, dict) and "hook" in payload and "hook_event_name" not in payload:
        flat = _flat(payload)
    native = parsing.named_event(flat, event_name)
    event = parsing.flat_event(platform, native, _types(native, flat), flat)
    directory = parsing.text(flat, "directory")
    child = parsing.text(flat, "parentSessionID") is not None
    return event.replace(
        mcp=_mcp(flat, tools),
        cwd=event.cwd or directory,
        project_dir=directory or parsing.text(flat, "worktree"),
        agent_id=(parsing.text(flat, "session_id") if child else None) or event.agent_id,
        agent_type=parsing.text(flat, "agent") or event.agent_type,
        agent_version=_version(flat) if native.startswith("session.") else "",
        payload=payload,
    )


def _version(flat: Mapping[str, object]) -> str:
    """Return the version of the agent that made the session that an event is about."""
    return parsing.text(parsing.mapping(flat.get("info")), "version") or ""


def _types(native: str, flat: Mapping[str, object]) -> tuple[str, ...]:
    """Return the event's types; some of them only the payload tells."""
    besides: tuple[str, ...] = ()
    if native == "tool.execute.after" and parsing.failed_call(flat):
        besides = ("PostToolUseFailure",)
    elif native == "message.part.updated" and parsing.text(flat, "tool_name") and parsing.failed_call(flat):
        return ("PostToolUseFailure",)
    elif parsing.text(flat, "parentSessionID"):
        if native == "session.idle":
            return ("SubagentStop", "AfterAgent")
        if native == "session.created":
            besides = ("SubagentStart", "BeforeAgent")
    return parsing.types_of(EVENTS, native, flat, *besides)


def _flat(payload: Mapping[str, object]) -> dict[str, object]:
    """Return the plugin's form as a flat payload. Raises UnreadableEvent where the hook or its tool has no name."""
    hook = payload["hook"]
    if not isinstance(hook, str) or not hook:
        raise UnreadableEvent("`hook` must be the name of a plugin hook")
    given, output = parsing.mapping(payload.get("input")), payload.get("output")
    if hook == "event":
        name, said, told = _of_event(given)
    elif hook.startswith("tool.execute."):
        name, said, told = hook, *_of_tool(hook, given, output)
    else:
        name, said, told = hook, *_of_hook(hook, given, parsing.mapping(output))
    said |= {"hook_event_name": name, "session_id": told.pop("sessionID", None)}
    added = {key: value for key, value in payload.items() if key not in ("hook", "input", "output", "platform")}
    flat = dict(told)
    for fields in (added, said):
        flat.update((key, value) for key, value in fields.items() if value is not None)
    return flat


# Each of these returns what the hook says of the call in the flat form's words, and the rest of what it told.
_Fields = tuple[dict[str, object], dict[str, object]]


def _of_tool(hook: str, given: Mapping[str, object], output: object) -> _Fields:
    name = parsing.text(given, "tool")
    if name is None:
        raise UnreadableEvent(f"`input.tool` must be the name of the tool in `{hook}`")
    rest = {key: value for key, value in given.items() if key not in ("tool", "args")}
    if hook == "tool.execute.before":
        if "args" not in parsing.mapping(output):
            raise UnreadableEvent(f"`output.args` must be the tool's arguments in `{hook}`")
        return {"tool_name": name, "tool_input": parsing.mapping(output)["args"]}, rest
    return {"tool_name": name, "tool_input": given.get("args"), "tool_response": output}, rest


def _of_hook(hook: str, given: Mapping[str, object], output: Mapping[str, object]) -> _Fields:
    rest = {**given, **output}
    if hook == "chat.message":
        rest["agent"] = parsing.text(given, "agent") or parsing.text(parsing.mapping(output.get("message")), "agent")
        return {"prompt": _typed_text(output.get("parts"))}, rest
    if hook == "command.execute.before":
        # A slash command's name is no shell command: it must not stand under `command`.
        name, arguments = rest.pop("command", None), rest.pop("arguments", None)
        words = (f"/{name}" if isinstance(name, str) else "", arguments)
        prompt = " ".join(word for word in words if isinstance(word, str) and word)
        return {"command_name": name, "command_args": arguments, "prompt": prompt}, rest
    return {}, rest


def _typed_text(parts: object) -> str:
    """Return the text parts of a prompt, without those that the agent or a plugin put in."""
    found: list[str] = []
    for part in parts if isinstance(parts, list) else ():
        part = parsing.mapping(part)
        words = parsing.text(part, "text")
        if words and part.get("type") == "text" and not part.get("synthetic"):
            found.append(words)
    return "\n".join(found)


def _of_event(given: Mapping[str, object]) -> tuple[str, dict[str, object], dict[str, object]]:
    name = parsing.text(given, "type")
    if name is None:
        raise UnreadableEvent("`input.type` must be the name of the event")
    rest = dict(parsing.mapping(given.get("properties")))
    if name.startswith("session."):
        info = parsing.mapping(rest.get("info"))
        known = {"sessionID": "id", "parentSessionID": "parentID", "directory": "directory", "agent": "agent"}
        for key, spelled in known.items():
            rest.setdefault(key, info.get(spelled))
    elif name == "permission.asked":
        return name, {"tool_name": parsing.text(rest, "permission"), "tool_input": rest.get("metadata")}, rest
    elif name.startswith("file."):
        rest["file_path"] = rest.get("file")
    elif name == "message.part.updated":
        part = parsing.mapping(rest.get("part"))
        state = parsing.mapping(part.get("state"))
        if part.get("type") == "tool" and state.get("status") == "error":
            rest |= {"callID": part.get("callID"), "error": state.get("error") or "failed"}
            return name, {"tool_name": parsing.text(part, "tool"), "tool_input": state.get("input")}, rest
    return name, {}, rest


def _mcp(flat: Mapping[str, object], tools: Container[str]) -> tuple[tuple[str, str], ...]:
    """`server_tool`: every way to read it, or only the servers the plugin knows of, which it names."""
    name = parsing.text(flat, "tool_name", "toolName") or ""
    if name in tools:
        return ()
    servers = flat.get("mcpServers")
    if not isinstance(servers, list):
        return parsing.mcp_splits(name, "_")
    readings: dict[tuple[str, str], None] = {}
    for server in servers:
        spelled = parsing.plain_name(server) if isinstance(server, str) else ""
        if spelled and name.startswith(spelled + "_") and len(name) > len(spelled) + 1:
            tool = name[len(spelled) + 1 :]
            readings |= {(server, tool): None, (spelled, tool): None}
    return tuple(readings)


def answer(verdict: Verdict, event: Event, *, agent: str) -> Answer:
    """Return the verdict as the plugin reads it."""
    spec = spec_of(EVENTS, event.native_event, call=event.type == "PreToolUse")
    said = answering.settle(verdict, event, spec, agent)
    return answering.for_plugin(said, spec)


def unreadable(reason: str, event_name: str | None) -> Answer:
    """Return a refusal, unless the caller knows the event and it guards nothing."""
    return answering.refused_unread(EVENTS, reason, event_name)
