"""The shape every adapter has, and what parsing and answering have in common on all platforms.

`docs/architecture.md`, "Parsing", says what is shared; a platform's own module holds only what differs.
"""

from __future__ import annotations

from rulez_py import tools
from rulez_py.analysis import Value
from rulez_py.event import EVENT_TYPES, Event, UnreadableEvent
from rulez_py.event.arguments import canonicalise, patch_texts, rewritten
from rulez_py.verdict import ALLOW, ASK, DENY, NO_OPINION, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from rulez_py.verdict import Answer, Verdict

    class Adapter(Protocol):
        """What a platform module provides."""

        NAME: str
        AGENT: str
        """What people call it."""
        EVENTS: Mapping[str, EventSpec]
        """Every event name the platform sends -> what it means. For others see `spec_of`."""
        PROJECT_VARIABLES: tuple[str, ...]
        """Environment variables in which the agent names its project directory, best first."""
        RUNS_IN_PROJECT: bool
        """Whether hooks run in the project's directory, and that says more than the payload's `cwd`."""
        SHELL_MARKS: tuple[str, ...]
        """Environment variables by which a process knows that this agent's shell started it."""
        PROGRAMS: tuple[str, ...]
        """What its process may be called, or with `@` the package that the file it runs lies in."""
        CAPABILITIES: Mapping[str, str]
        """Capability (the keys of `CAPABILITIES` below) -> what happens on this platform, one sentence."""

        def parse(self, payload: Mapping[str, object], event_name: str | None) -> Event:
            """The event of one payload; `event_name` is what the caller knows it to be. Raises UnreadableEvent."""

        def answer(self, verdict: Verdict, event: Event) -> Answer:
            """The verdict in this platform's words."""

        def unreadable(self, reason: str, event_name: str | None) -> Answer:
            """The sturdiest deny for an event that could not be read."""


CAPABILITIES: tuple[str, ...] = ("deny", "ask", "allow", "rewrite", "context", "prompt", "stop", "failure")

NO_REASON = "denied by policy"
"""What a deny says that comes without a reason: some agents let a call run when the reason is empty."""

PLEASE_TELL = "rulez, which guards this session, found something that the person must know. Tell them, word for word:"
"""Before warnings that only the model can hand on."""


class EventSpec(Value):
    """What one native event means.

    `guards` marks events that stand before something that can still be stopped: only there does an error deny.
    `deny` and `context` name the adapter's own way of saying it, "" where the platform cannot. `begins` marks those
    that begin a session: a person is told there what is wrong with the protection. `guessed` is an event of a name that
    the platform does not know: it carries a tool and its input, so it counts as one before a tool.
    """

    types: tuple[str, ...]
    guards: bool = False
    deny: str = ""
    context: str = ""
    begins: bool = False
    guessed: bool = False


class Saying(Value):
    """A verdict cut down to what one event of one platform can be told; the adapter only has to put it in words.

    `decision` is a deny only where the event's spec has a way to deny, an ask only before a tool on a platform that
    asks, an allow only where a call waits for one. `new_input` is the tool's whole input after the rewrite, None where
    nothing changes. `message` is what a person should hear although nothing is denied.
    """

    decision: str
    reason: str
    context: str = ""
    new_input: Mapping[str, object] | None = None
    message: str = ""
    dropped: tuple[str, ...] = ()


# Keys of the payload's envelope, in every spelling; everything else at the top level is an extra key of the event.
NAMELESS = "(no name)"
"""The event of a payload that carries a call and does not say when."""
EVENT_NAME_KEYS = ("hook_event_name", "hookEventName", "event_type")
_SESSION = ("session_id", "sessionId")
_TOOL_NAME = ("tool_name", "toolName")
_TOOL_INPUT = ("tool_input", "toolInput", "toolArgs")
_UNUSED = ("hookName", "transcript_path", "transcriptPath", "cwd", "timestamp", "user_id")
_ENVELOPE = frozenset((*EVENT_NAME_KEYS, *_SESSION, *_TOOL_NAME, *_TOOL_INPUT, *_UNUSED))


def first(payload: Mapping[str, object], *names: str) -> object:
    """The first of these keys' values that is there and not null, else None."""
    for name in names:
        value = payload.get(name)
        if value is not None:
            return value
    return None


def text(payload: Mapping[str, object], *names: str) -> str | None:
    """The same, where the value is a non-empty string; anything else counts as absent."""
    value = first(payload, *names)
    return value if isinstance(value, str) and value else None


def mapping(value: object) -> Mapping[str, object]:
    """An object as it is, anything else as an empty one."""
    return value if isinstance(value, dict) else {}


def native_event_name(payload: Mapping[str, object], event_name: str | None, *more_keys: str) -> str | None:
    """The event's name as the payload or the caller gives it, None where neither does.

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


def named_event(payload: Mapping[str, object], event_name: str | None) -> str:
    """The same for platforms whose payloads always name their event. Raises UnreadableEvent where none is named."""
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
    """Whether a flat payload has both a tool's name and an input for it."""
    return bool(first(payload, *_TOOL_NAME)) and first(payload, *_TOOL_INPUT) is not None


def spec_of(events: Mapping[str, EventSpec], native: str, *, call: bool = False) -> EventSpec:
    """What an event name means on a platform; `call` says that its payload carries one. Raises nothing.

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
        # Who reads the answer is not known, so neither is what of it counts, but for a deny.
        return before.replace(context="", guessed=True)
    like = next((spec for spec in events.values() if native in spec.types), None)
    return EventSpec(types=(native,)) if like is None else like.replace(types=(native,))


def build_event(
    platform: str,
    events: Mapping[str, EventSpec],
    native: str,
    payload: Mapping[str, object],
    *,
    types: tuple[str, ...] | None = None,
    more_types: tuple[str, ...] = (),
    mcp: tuple[tuple[str, str], ...] = (),
    prompt: str | None = None,
    tool_response: object = None,
    cwd: str | None = None,
    agent_id: str | None = None,
    agent_type: str | None = None,
    project_dir: str | None = None,
    original: Mapping[str, object] | None = None,
) -> Event:
    """The event of a payload in the flat form, with the parsing rules all platforms share.

    `types` replaces what the event's spec says, `more_types` adds to it; `original` is the payload as it was sent,
    where `payload` is a translation of it. Raises UnreadableEvent where a field that decides what the call is has the
    wrong type.
    """
    types = types or spec_of(events, native, call=carries_a_call(payload)).types
    sent = first(payload, *_TOOL_NAME)
    if sent is not None and not isinstance(sent, str):
        raise UnreadableEvent(f"`tool_name` must be a string, not {_show(sent)}")
    tool_name = tools.canonical_name(platform, sent) if sent else None
    own_input = decoded(first(payload, *_TOOL_INPUT))
    if sent and types[0] in ("PreToolUse", "PermissionRequest"):
        _judgeable(own_input, sent, tool_name)
    extras = {key: value for key, value in payload.items() if key not in _ENVELOPE}
    # The tool's own arguments come first and get their canonical names alone, so that no other key of the payload
    # can stand where one of them would.
    tool_input = canonicalise(flattened(own_input, tool_name), tool_name)
    for key, value in canonicalise(extras, None).items():
        tool_input.setdefault(key, value)
    if sent and tool_name != sent:
        tool_input["platform_tool_name"] = sent
    if types[0] != native:
        tool_input.setdefault(f"{platform}_hook_event_name", native)
    return Event(
        platform=platform,
        types=tuple(dict.fromkeys((*types, *more_types))),
        native_event=native,
        session_id=_identifier(first(payload, *_SESSION)),
        tool_name=tool_name,
        platform_tool_name=sent or None,
        tool_input=tool_input,
        own_input=own_input,
        prompt=prompt if prompt is not None else text(payload, "prompt"),
        tool_response=tool_response if tool_response is not None else first(payload, "tool_response"),
        permission_mode=text(payload, "permission_mode", "permissionMode"),
        cwd=cwd or text(payload, "cwd"),
        project_dir=project_dir,
        agent_id=agent_id or text(payload, "agent_id", "agentId"),
        agent_type=agent_type or text(payload, "agent_type", "agentType"),
        mcp=mcp,
        payload=payload if original is None else original,
    )


def failed_call(payload: Mapping[str, object]) -> bool:
    """Whether a flat payload says that the tool failed: `error`, or `success: false`, in it or in the tool's input."""
    sides = (payload, mapping(first(payload, *_TOOL_INPUT)))
    return any(side.get("error") is not None or side.get("success") is False for side in sides)


def decoded(value: object) -> object:
    """A JSON-encoded object becomes that object (Copilot's older `toolArgs`); every other value is returned as is."""
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        from rulez_py.system import jsontext

        try:
            parsed = jsontext.loads(value)
        except ValueError:
            return value
        return parsed if isinstance(parsed, dict) else value
    return value


def flattened(own_input: object, tool_name: str | None) -> dict[str, object]:
    """A tool's input as a dict: an object as it is, nothing as {}, any other value under `tool_input`.

    What a shell is given as a text is its command.
    """
    if isinstance(own_input, dict):
        return dict(own_input)
    if tool_name == "Bash" and isinstance(own_input, str):
        return {"tool_input": own_input, "command": own_input}
    return {} if own_input is None else {"tool_input": own_input}


def _judgeable(own_input: object, sent: str, tool_name: str | None) -> None:
    """Refuse an input in which the rules would not find what they look for. Raises UnreadableEvent.

    A text is a shell's command, the patch of an edit, or whatever a tool nobody knows makes of it; the other known
    tools have arguments by name, and a list or a number is no tool's input.
    """
    if own_input is None or isinstance(own_input, dict):
        return
    if isinstance(own_input, str) and (
        not own_input.strip()
        or tool_name == "Bash"
        or tool_name not in tools.CANONICAL
        or (tool_name == "Edit" and patch_texts(tool_name, {"tool_input": own_input}))
    ):
        return
    is_what = "a text" if isinstance(own_input, str) else _show(own_input)
    raise UnreadableEvent(f"the input of {_show(sent)} must be an object, not {is_what}")


def mcp_splits(name: str, separator: str) -> tuple[tuple[str, str], ...]:
    """Every (server, tool) reading of a name that joins the two with this separator; neither part is empty."""
    found: list[tuple[str, str]] = []
    at = name.find(separator, 1)
    while 0 < at < len(name) - len(separator):
        found.append((name[:at], name[at + len(separator) :]))
        at = name.find(separator, at + 1)
    return tuple(found)


def plain_name(server: str) -> str:
    """An MCP server's name as agents write it inside a tool name: anything but letters, digits, `_`, `-` is a `_`."""
    return "".join(letter if letter.isascii() and (letter.isalnum() or letter in "_-") else "_" for letter in server)


def settle(
    verdict: Verdict, event: Event, spec: EventSpec, agent: str, *, asks: bool = False, tells: bool = False
) -> Saying:
    """What of a verdict this event can be told.

    `agent` is the platform's name for people. `asks` says that the platform can be made to ask the user before a tool
    runs, `tells` that it can show a person a text without anything being denied.
    """
    decision, reason = verdict.decision, verdict.reason
    heard: list[str] = []
    native = event.native_event
    dropped: list[str] = []
    if verdict.failed and (decision == ALLOW or not spec.guards):
        # INVARIANT: an error denies only where something can still be stopped, and never allows out loud.
        if decision in (ASK, DENY) and tells:
            heard.append(reason_of(reason))
        elif decision in (ASK, DENY):
            dropped.append(f"error on {native}: {agent} shows nobody what went wrong there")
        decision = NO_OPINION
    asks = asks and not spec.guessed
    if decision == ASK and not (asks and event.type == "PreToolUse"):
        if event.type == "PermissionRequest":
            decision = NO_OPINION  # The user is being asked already.
        elif spec.guards and spec.deny:
            decision = DENY
            reason = f"{reason_of(reason)} ({agent} cannot ask the user here, so it is denied)"
        else:
            decision = NO_OPINION
            dropped.append(f"ask on {native}: nothing is left to ask about there")
    if decision == DENY and not spec.deny:
        decision = NO_OPINION
        dropped.append(f"deny on {native}: {agent} cannot be stopped there")
    if decision == ALLOW and (spec.guessed or event.type not in ("PreToolUse", "PermissionRequest")):
        decision = NO_OPINION
    new_input: Mapping[str, object] | None = None
    if verdict.rewrite and decision != DENY:
        if event.type != "PreToolUse":
            dropped.append(f"rewrite on {native}: only the input of a tool that has not run yet can be rewritten")
        else:
            new_input = rewritten(event.own_input, event.tool_name, verdict.rewrite)
            if new_input is None:
                decision, reason = DENY, _not_rewritable(verdict, event)
            elif spec.guessed and new_input != event.own_input:
                new_input = None
                decision, reason = DENY, f"a rule rewrites this call, but {agent} knows no event {_show(native)}"
            elif new_input == event.own_input:
                new_input = None
    begins = spec.begins and "SubagentStart" not in event.types
    warnings = [printable(warning) for warning in verdict.warnings] if begins else []
    if tells:
        heard += warnings
        warnings = []
    context = "\n\n".join((*verdict.context, *((PLEASE_TELL, *warnings) if warnings else ())))
    if context and (decision == DENY or not spec.context):
        why = "a deny carries only its reason" if decision == DENY else f"{agent} drops it"
        dropped.append(f"context for {native}: {why}")
        context = ""
    return Saying(
        decision=decision,
        reason=reason_of(reason) if decision == DENY else reason,
        context=context,
        new_input=new_input,
        message="\n\n".join(heard),
        dropped=tuple(dropped),
    )


def nested_output(said: Saying, event: Event, specific: Mapping[str, object]) -> dict[str, object]:
    """What is not denied, in the form of Claude Code that others took over; {} where there is nothing to say.

    `specific` is what the platform itself puts into `hookSpecificOutput`.
    """
    output: dict[str, object] = {}
    if said.message:
        output["systemMessage"] = said.message
    context = {"additionalContext": said.context} if said.context else {}
    if specific or context:
        output["hookSpecificOutput"] = {"hookEventName": event.native_event, **specific, **context}
    return output


def to_whomever(answer: Answer, reason: str) -> Answer:
    """A deny to a caller nobody knows: whatever it says already, and exit code 2 with the reason on stderr."""
    return answer.replace(stderr=reason, exit_code=2)


def reason_of(reason: str) -> str:
    """The reason as given, or a general one where it is blank."""
    return reason if reason.strip() else NO_REASON


def _not_rewritable(verdict: Verdict, event: Event) -> str:
    said = f"{verdict.reason.strip()} " if verdict.reason.strip() else ""
    tool = event.platform_tool_name or "this tool"
    cause = "has it in more than one place" if isinstance(event.own_input, dict) else "is not an object"
    return f"{said}(a rule rewrites the input of {tool}, but that input {cause}, so the call is denied)"


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
