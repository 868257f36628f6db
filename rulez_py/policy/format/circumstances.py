"""The circumstances of a case: what is so besides the call itself, as `tests` write it.

A case is a command as text, or a map. In a map the keys below say circumstances, and every other key is an argument of
the tool. Tools that are not canonical may have arguments of any name, so of these only `git` and `loses` are read
beside arguments; with `tool_input`, which holds all arguments, each key is known.
"""

from __future__ import annotations

from rulez_py.analysis import Value
from rulez_py.documents import types
from rulez_py.documents.types import (
    ListOf,
    Map,
    MapOf,
    OrNothing,
    OrSwitch,
    Plain,
    Refusal,
    check_not_blank,
    text,
    whole_number,
)
from rulez_py.event import AFTER_THE_CALL, CANONICAL_TOOLS, EVENT_TYPES, UnreadableEvent
from rulez_py.event.arguments import ALIASES, TOOL_ALIASES
from rulez_py.platforms import PLATFORMS, adapter
from rulez_py.platforms.tool_table import CANONICAL, inbound
from rulez_py.policy.facts.losses import KINDS
from rulez_py.policy.format.case_repository import REPOSITORY
from rulez_py.policy.format.memory import KEY
from rulez_py.policy.matchers.schema_parts import SWITCH, check_directory, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from rulez_py.documents.types import Kind
    from rulez_py.event import Event

LOSES, GIT = "loses", "git"
ENV, FILES, RESPONSE, NOW = "env", "files", "response", "now"
REASON, REWRITTEN, REDACTED = "reason", "rewritten", "redacted"
EXPECTED = (REASON, REWRITTEN, REDACTED)
"""What a case expects besides the decision."""
SESSION, MADE = "session", "made"
PLATFORM, EVENT, PROJECT, CWD = "platform", "event", "project", "cwd"
AGENT = ("agent_type", "agent_id", "permission_mode")
"""What the event itself says of the agent, under the names of its fields."""
TOOL, INPUT = "tool", "tool_input"
_BEFORE, _PROMPT = "PreToolUse", "UserPromptSubmit"
_ABOUT_TOOLS = ("PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied")


def _check_variable(value: str) -> None:
    if not value or "=" in value:
        raise Refusal(f'holds "{value}", which is no name of a variable')


def _check_time(value: str) -> None:
    parts = "".join("0" if one in "0123456789" else one for one in value)
    month, day, hour, minute = value[5:7], value[8:10], value[11:13], value[14:16]
    if parts not in _TIMES or not ("01" <= month <= "12" and "01" <= day <= "31" and hour < "24" and minute < "60"):
        raise Refusal(f'holds "{value}", which is no time', "write it like 2026-11-27T10:00:00Z")


def _check_count(value: int) -> None:
    if value < 0:
        raise Refusal(f"must be 0 or more, not {value}")


class SessionKind(Value):
    """The kind of what is remembered: keys, or a map that says of each whether it is."""

    def read(self, value: Any, path: types.Path, refusals: list[Refusal]) -> Any:
        return types.read(_REMEMBERED_MAP if isinstance(value, dict) else _REMEMBERED, value, path, refusals)

    def json(self) -> dict[str, Any]:
        return {"anyOf": [_REMEMBERED.json(), _REMEMBERED_MAP.json()]}


_REMEMBERED = ListOf(item=KEY, alone=True)
_REMEMBERED_MAP = MapOf(key=KEY, item=SWITCH, least=0)
_TIMES = tuple(f"0000-00-00T00:00:00{zone}" for zone in ("Z", "+00:00", "-00:00"))
_TIME = text(_check_time, pattern=r"^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:\d\d(Z|[+-]\d\d:\d\d)$")
_TEXT = text(check_not_blank, pattern=r"\S")
_INPUT = Plain(types=(dict, str), wanted="a map or text", form={"type": ["object", "string"]})
_RESPONSE = Plain(types=(dict, list, str), wanted="a map, a list or text", form={"type": ["object", "array", "string"]})
CIRCUMSTANCES: dict[str, tuple[Kind, str]] = {
    ENV: (
        MapOf(key=text(_check_variable, pattern="^[^=]+$"), item=text()),
        "Variables of the environment, beside HOME.",
    ),
    FILES: (
        MapOf(key=_TEXT, item=OrNothing(kind=text()), least=0),
        "Files that are there, with their content, and no others; from the project on. Empty: not there.",
    ),
    GIT: (OrSwitch(kind=REPOSITORY), "The repository; false: there is none."),
    LOSES: (ListOf(item=one_of(KINDS), alone=True), "What there is to lose."),
    EVENT: (one_of(EVENT_TYPES), "The event; without it the tool is about to be called."),
    RESPONSE: (_RESPONSE, "What the tool said, at an event after it."),
    PLATFORM: (one_of(PLATFORMS), "The agent. Without it the first that the rule is for, and that has the tool."),
    AGENT[0]: (_TEXT, "The subagent that makes the call, by the name in its definition."),
    AGENT[1]: (_TEXT, "The subagent's identifier."),
    AGENT[2]: (_TEXT, "The agent's mode of permissions."),
    PROJECT: (text(check_directory), "The project's directory, from / or ~/ on."),
    CWD: (_TEXT, "The directory where the agent works, from the project on."),
    NOW: (_TIME, "The time, by the clock of the person."),
    SESSION: (SessionKind(), "What rules of this file remember of the session: keys, or a map of them."),
    MADE: (whole_number(_check_count, minimum=0), "How many calls `at_most` has counted before this one."),
    REASON: (_TEXT, "A part of the reason that must be told."),
    REWRITTEN: (types.any_map(), "The arguments that the call must be rewritten to."),
    REDACTED: (_RESPONSE, "What must be left of `response`, all of it where nothing is redacted."),
}
CASE = Map(
    name="Case",
    about="A call by the whole input of its tool, and what is so besides.",
    needs=(TOOL, INPUT),
    fields={
        TOOL: (_TEXT, "The tool, by its canonical name or an agent's own."),
        INPUT: (_INPUT, "All of the tool's arguments; then every key of the test is one of these."),
        **CIRCUMSTANCES,
    },
)
_BESIDE_ANY = (LOSES, GIT)
"""Circumstances that are read beside the arguments of every tool."""


class CaseKind(Value):
    """The kind of a case: a command as text, or a map of a call and its circumstances."""

    def read(self, value: Any, path: types.Path, refusals: list[Refusal]) -> Any:
        if not isinstance(value, (str, dict)):
            raise types.unwanted(value, "a command as text, or a map")
        if isinstance(value, str):
            return value
        if INPUT in value:
            if TOOL not in value:
                raise Refusal(f"has `{INPUT}` and no `{TOOL}`", "name the tool, like {tool: Write, tool_input: {...}}")
            unknown = (key for key in value if key not in CASE.fields)
            refusals += [Refusal("is no key of a test", choices=CASE.keys()).at((*path, key), key) for key in unknown]
            fields = CASE.fields
        else:
            fields = {key: CIRCUMSTANCES[key] for key in told_in(value)}
        read = {
            key: types.read(kind, value[key], (*path, key), refusals)
            for key, (kind, _) in fields.items()
            if value.get(key) is not None
        }
        return {**value, **read}

    def json(self) -> dict[str, Any]:
        canonical = {"enum": list(CANONICAL_TOOLS)}
        known = _beside_arguments(tuple(CIRCUMSTANCES), canonical)
        other = {**_beside_arguments(_BESIDE_ANY, {"not": canonical}), "required": [TOOL]}
        return {"anyOf": [{"type": "string"}, known, other, CASE.json()]}


def _beside_arguments(keys: Sequence[str], tool: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of a map with these circumstances, whose other keys are arguments of the tool."""
    told = {f"^{key}$": CIRCUMSTANCES[key][0].json() for key in keys}
    return {"not": {"required": [INPUT]}, "patternProperties": {**told, f"^{TOOL}$": tool}, "type": "object"}


_ARGUMENTS = ("prompt", *(name for names in ALIASES.values() for name in names))


def doubted(example: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the arguments of a map, which may say circumstances, that no tool is known to have."""
    if INPUT in example or _has_any_argument(example):
        return ()
    own = [name for names in TOOL_ALIASES.get(example.get(TOOL, "Bash"), {}).values() for name in names]
    return tuple(key for key in example if key not in CASE.fields and key not in (*_ARGUMENTS, *own))


def _has_any_argument(example: Mapping[str, Any]) -> bool:
    return INPUT not in example and TOOL in example and example[TOOL] not in CANONICAL_TOOLS


def told_in(example: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the keys of a map by which it says circumstances."""
    keys = _BESIDE_ANY if _has_any_argument(example) else CIRCUMSTANCES
    return tuple(key for key in example if key in keys)


class NoCall(UnreadableEvent):
    """A case that does not say what is called; the message says what would be right."""


class Case(Value):
    """A call and its circumstances.

    `tool` is canonical or an agent's own name, "" for an event without a tool; then `given` are the event's own
    fields, else the tool's arguments. `kind` is the canonical event. `told` are the circumstances that are said.
    """

    kind: str
    tool: str
    given: object
    told: Mapping[str, Any]

    def event(self, platforms: Sequence[str], *, cwd: str, session: str) -> Event:
        """Return the event as the first of these platforms sends it that has this event and tool.

        `cwd` is the directory where the agent works. Raises UnreadableEvent.
        """
        said = self.told.get(PLATFORM)
        platform = said or sender(self.kind, self.tool, platforms)
        own = {key: self.told[key] for key in AGENT if self.told.get(key)}
        payload: dict[str, Any] = {**own}
        if not self.tool:
            payload |= self.given if isinstance(self.given, dict) else {}
        else:
            payload[INPUT] = self.given
        if RESPONSE in self.told:
            own["tool_response"] = payload["tool_response"] = self.told[RESPONSE]
        # Each platform spells these fields in its own way.
        return event_of(platform, self.kind, self.tool, payload, cwd, session=session).replace(**own)


def case_of(example: object) -> Case:
    """Return the case that a text or a map says. Raises NoCall."""
    called: Mapping[str, Any] = example if isinstance(example, dict) else {"command": example}
    told = {key: called[key] for key in told_in(called) if called[key] is not None}
    given = {key: value for key, value in called.items() if key not in (TOOL, INPUT, *told_in(called))}
    tool = called.get(TOOL, "Bash" if "command" in called else None)
    kind = told.get(EVENT)
    if tool is None and isinstance(given.get("prompt"), str):
        return Case(kind=kind or _PROMPT, tool="", given=given if kind else {"prompt": given["prompt"]}, told=told)
    if tool is None and kind is not None and kind not in _ABOUT_TOOLS:
        return Case(kind=kind, tool="", given=given, told=told)
    if not isinstance(tool, str) or not tool:
        raise NoCall("name its tool, like {tool: Write, file_path: .env, content: x}")
    if RESPONSE in told and kind not in AFTER_THE_CALL:
        raise NoCall(f"its `{RESPONSE}` belongs to an event after the tool, like {{event: PostToolUse}}")
    whole = called.get(INPUT)
    return Case(kind=kind or _BEFORE, tool=tool, given=given if whole is None else whole, told=told)


def sender(kind: str, tool: str, platforms: Sequence[str]) -> str:
    """Return the first of these platforms that has a tool and a canonical event; where none has both, the tool."""

    def has_tool(platform: str) -> bool:
        return not tool or tool in CANONICAL or tool in inbound(platform)

    having = [one for one in platforms if has_tool(one)] or [platforms[0]]
    return next((one for one in having if native_event(one, kind) is not None), having[0])


def native_event(platform: str, kind: str) -> str | None:
    """Return what a platform calls a canonical event; None where it has none of this kind."""
    return next((name for name, spec in adapter(platform).EVENTS.items() if kind in spec.types), None)


def native_tool(platform: str, tool: str) -> str:
    """Return what a platform calls a tool."""
    known = inbound(platform)
    if tool in known:
        return tool
    return next((name for name, row in known.items() if row.canonical == tool), tool)


def event_of(platform: str, kind: str, tool: str, said: Mapping[str, object], cwd: str, *, session: str) -> Event:
    """Return an event of a kind (canonical) as a platform sends it; `tool` canonical or its own, "" for none.

    Raises UnreadableEvent, where it has no such event as well.
    """
    native = native_event(platform, kind)
    if native is None:
        raise NoCall(f"{platform} has no {kind} event")
    named = {"tool_name": native_tool(platform, tool)} if tool else {}
    whole = {"session_id": session, "hook_event_name": native, "cwd": cwd, **named, **said}
    return adapter(platform).parse(whole, None)
