"""A payload in the flat form -> an event: the parsing rules that all platforms share.

`docs/architecture.md`, "Parsing", says what is shared; a platform's own `adapter` holds only what differs.
"""

from __future__ import annotations

from rulez_py.event import EVENT_TYPES, Event, EventSpec, UnreadableEvent
from rulez_py.event.arguments import canonicalise, patch_texts
from rulez_py.platforms import tool_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# Keys of the payload's envelope, in every spelling; everything else at the top level is an extra key of the event.
NAMELESS = "(no name)"
"""The event of a payload that carries a call and does not say when."""
EVENT_NAME_KEYS = ("hook_event_name", "hookEventName", "event_type")
_SESSION = ("session_id", "sessionId")
_CALL = ("tool_use_id", "toolUseId", "toolCallId", "callID")
_TOOL_NAME = ("tool_name", "toolName")
_TOOL_INPUT = ("tool_input", "toolInput", "toolArgs")
_ELSEWHERE = ("toolCall", "tool_call", "tool_info", "agent_action_name", "clineVersion", "command", "file_path")
"""Keys of payloads of other agents, which say a call in ways of their own."""
_UNUSED = ("hookName", "transcript_path", "transcriptPath", "cwd", "timestamp", "user_id")
_ENVELOPE = frozenset((*EVENT_NAME_KEYS, *_SESSION, *_TOOL_NAME, *_TOOL_INPUT, *_UNUSED))


def first(payload: Mapping[str, object], *names: str) -> object:
    """Return the first of these keys' values that is there and not null, else None."""
    for name in names:
        value = payload.get(name)
        if value is not None:
            return value
    return None


def text(payload: Mapping[str, object], *names: str) -> str | None:
    """Return the same, where the value is a non-empty string; anything else counts as absent."""
    value = first(payload, *names)
    return value if isinstance(value, str) and value else None


def mapping(value: object) -> Mapping[str, object]:
    """Return an object as it is, anything else as an empty one."""
    return value if isinstance(value, dict) else {}


def native_event_name(payload: Mapping[str, object], event_name: str | None, *more_keys: str) -> str | None:
    """Return the event's name as the payload or the caller gives it, None where neither does.

    Raises UnreadableEvent where the payload's name is not a non-empty string, or the payload is no object.
    """
    if not isinstance(payload, dict):
        raise UnreadableEvent(f"the payload must be a JSON object, not {_show(payload)}")
    value = first(payload, *EVENT_NAME_KEYS, *more_keys)
    if value is None:
        return event_name
    if not isinstance(value, str) or not value:
        raise UnreadableEvent(f"`hook_event_name` must be a non-empty string, not {_show(value)}")
    return value


def may_be_foreign(payload: Mapping[str, object]) -> bool:
    """Tell whether a payload may have its call elsewhere than in the flat form, as `foreign.flat` reads it."""
    return (
        isinstance(payload, dict)
        and any(payload.get(key) is not None for key in _ELSEWHERE)
        and not any(key in payload for key in _TOOL_NAME)
    )


def named_event(payload: Mapping[str, object], event_name: str | None) -> str:
    """Return the same for platforms whose payloads always name their event.

    Raises UnreadableEvent where none is named.
    """
    name = native_event_name(payload, event_name)
    if name:
        return name
    if carries_a_call(payload) and "tool_name" in payload:
        return NAMELESS
    if "hookName" in payload or "sessionId" in payload or "toolName" in payload:
        raise UnreadableEvent(
            "the payload has no `hook_event_name` and looks like GitHub Copilot's; its hook must be set up as "
            "`rulez hook --platform copilot`"
        )
    raise UnreadableEvent(
        "the payload has no `hook_event_name`; give the event as `--event NAME` if the agent does not"
    )


def carries_a_call(payload: Mapping[str, object]) -> bool:
    """Tell whether a flat payload has both a tool's name and an input for it."""
    return bool(first(payload, *_TOOL_NAME)) and first(payload, *_TOOL_INPUT) is not None


def spec_of(events: Mapping[str, EventSpec], native: str, *, call: bool = False) -> EventSpec:
    """Return what an event name means on a platform; `call` says that its payload carries one. Raises nothing.

    A canonical name the platform does not use itself keeps its meaning and is answered as the platform's nearest event.
    INVARIANT: a call under any other name is judged as one that waits. Without a call such an event is a notification.
    """
    known = events.get(native)
    if known is not None:
        return known
    if native not in EVENT_TYPES:
        if not call:
            return EventSpec(types=("Notification",))
        before = next(spec for spec in events.values() if "PreToolUse" in spec.types)
        # The reader of the answer is unknown, and so is which part of it counts, except a deny.
        return before.replace(context="", guessed=True)
    like = next((spec for spec in events.values() if native in spec.types), None)
    return EventSpec(types=(native,)) if like is None else like.replace(types=(native,))


def types_of(
    events: Mapping[str, EventSpec], native: str, payload: Mapping[str, object], *besides: str
) -> tuple[str, ...]:
    """Return the canonical event types of a payload in the flat form: what its event's name means, and `besides`."""
    usual = spec_of(events, native, call=carries_a_call(payload)).types
    return tuple(dict.fromkeys((*usual, *besides)))


def flat_event(platform: str, native: str, types: tuple[str, ...], payload: Mapping[str, object]) -> Event:
    """Return the event of a payload in the flat form; what a platform says in its own way it replaces.

    Raises UnreadableEvent where a field that decides what the call is has the wrong type.
    """
    sent = first(payload, *_TOOL_NAME)
    if sent is not None and not isinstance(sent, str):
        raise UnreadableEvent(f"`tool_name` must be a string, not {_show(sent)}")
    tool_name = tool_table.canonical_name(platform, sent) if sent else None
    own_input = decoded(first(payload, *_TOOL_INPUT))
    if sent and types[0] in ("PreToolUse", "PermissionRequest"):
        _judgeable(own_input, sent, tool_name)
    tool_input = _tool_input(payload, own_input, tool_name)
    if sent and tool_name != sent:
        tool_input["platform_tool_name"] = sent
    if types[0] != native:
        tool_input.setdefault(f"{platform}_hook_event_name", native)
    return Event(
        platform=platform,
        types=types,
        native_event=native,
        session_id=_identifier(first(payload, *_SESSION)),
        call_id=_identifier(first(payload, *_CALL)),
        tool_name=tool_name,
        platform_tool_name=sent or None,
        known_tool=bool(sent) and sent in tool_table.inbound(platform),
        tool_access=tool_table.access(platform, sent) if sent else (),
        tool_input=tool_input,
        own_input=own_input,
        prompt=text(payload, "prompt"),
        tool_response=first(payload, "tool_response"),
        permission_mode=text(payload, "permission_mode", "permissionMode"),
        cwd=text(payload, "cwd"),
        agent_id=text(payload, "agent_id", "agentId"),
        agent_type=text(payload, "agent_type", "agentType"),
        payload=payload,
    )


def _tool_input(payload: Mapping[str, object], own_input: object, tool_name: str | None) -> dict[str, object]:
    """Return what rules see of a call: the tool's own arguments first, with their canonical names, then the
    payload's rest.

    So no other key of the payload can replace an argument.
    """
    tool_input = canonicalise(flattened(own_input, tool_name), tool_name)
    extras = {key: value for key, value in payload.items() if key not in _ENVELOPE}
    for key, value in canonicalise(extras, None).items():
        tool_input.setdefault(key, value)
    return tool_input


def failed_call(payload: Mapping[str, object]) -> bool:
    """Tell if a flat payload says that the tool failed: `error`, or `success: false`, in it or in the tool's input."""
    sides = (payload, mapping(first(payload, *_TOOL_INPUT)))
    return any(side.get("error") is not None or side.get("success") is False for side in sides)


def decoded(value: object) -> object:
    """Return a JSON-encoded object becomes that object (Copilot's older `toolArgs`).

    Every other value is returned as is.
    """
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        from rulez_py.system import jsontext

        try:
            parsed = jsontext.loads(value)
        except ValueError:
            return value
        return parsed if isinstance(parsed, dict) else value
    return value


def flattened(own_input: object, tool_name: str | None) -> dict[str, object]:
    """Return a tool's input as a dict: an object as it is, nothing as {}, any other value under `tool_input`.

    What a shell is given as a text is its command.
    """
    if isinstance(own_input, dict):
        return dict(own_input)
    if tool_name == "Bash" and isinstance(own_input, str):
        return {"tool_input": own_input, "command": own_input}
    return {} if own_input is None else {"tool_input": own_input}


def _judgeable(own_input: object, sent: str, tool_name: str | None) -> None:
    """Refuse an input in which the rules would not find what they look for. Raises UnreadableEvent.

    A text is a shell's command, the patch of an edit, or an argument of an unknown tool; the other known
    tools have arguments by name, and a list or a number is no tool's input.
    """
    if own_input is None or isinstance(own_input, dict):
        return
    if isinstance(own_input, str) and _is_cut(own_input):
        raise UnreadableEvent(f"the input of {_show(sent)} is JSON that is broken or has been cut")
    if isinstance(own_input, str) and (
        not own_input.strip()
        or tool_name == "Bash"
        or tool_name not in tool_table.CANONICAL
        or (tool_name == "Edit" and patch_texts(tool_name, {"tool_input": own_input}))
    ):
        return
    is_what = "a text" if isinstance(own_input, str) else _show(own_input)
    raise UnreadableEvent(f"the input of {_show(sent)} must be an object, not {is_what}")


def _is_cut(own_input: str) -> bool:
    """Tell whether a text begins as a JSON object with a key; a whole one has been decoded.

    A shell's `{ ls; }` does not.
    """
    start = own_input.lstrip()
    if start[:1] != "{" or start[1:].lstrip()[:1] != '"':
        return False
    return start[1:].lstrip()[1:].partition('"')[2].lstrip()[:1] == ":"


def mcp_splits(name: str, separator: str) -> tuple[tuple[str, str], ...]:
    """Return every (server, tool) reading of a name that joins the two with this separator; neither part is empty."""
    found: list[tuple[str, str]] = []
    at = name.find(separator, 1)
    while 0 < at < len(name) - len(separator):
        found.append((name[:at], name[at + len(separator) :]))
        at = name.find(separator, at + 1)
    return tuple(found)


def plain_name(server: str) -> str:
    """An MCP server's name as agents write it inside a tool name: anything but letters, digits, `_`, `-` is a `_`."""
    return "".join(letter if letter.isascii() and (letter.isalnum() or letter in "_-") else "_" for letter in server)


def _identifier(value: object) -> str:
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, (int, float)) else ""


def _show(value: object) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, (list, tuple)):
        return "a list"
    shown = repr(value)
    return shown if len(shown) <= 40 else shown[:37] + "..."


def own_hooks_alone(payload: Mapping[str, object]) -> bool:
    """`may_be_foreign` of a platform whose hooks no other agent runs."""
    return False


def asks_at_once(event: Event) -> str:
    """`asks_at` of a platform that acts on an ask where it is said, or nowhere."""
    return ""


def hooks_of_nobody_else(platform: str, payload: Mapping[str, object], environ: Mapping[str, str]) -> bool:
    """`sends_to` of a platform that runs no other's hooks."""
    return False
