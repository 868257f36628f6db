"""The format of scenario files (`*.rulez.yaml`): sequences of events, and what the whole policy must say to each.

An event is a case (`circumstances`) or a `payload` as an agent sends it, and beside that what is expected. What the
keys below are called is never an argument of a tool; such an argument is written under `tool_input`.
"""

from __future__ import annotations

from rulez_py.analysis import Value
from rulez_py.documents import types
from rulez_py.documents.diagnostics import choice_help, closest, diagnostic, errors, in_order
from rulez_py.documents.document import parse
from rulez_py.documents.types import ListOf, Map, Refusal, any_map, check_not_blank, text
from rulez_py.platforms import AUTO, PLATFORMS
from rulez_py.policy.format.case_repository import REPOSITORY
from rulez_py.policy.format.circumstances import (
    CASE,
    CIRCUMSTANCES,
    ENV,
    EVENT,
    EXPECTED,
    FILES,
    GIT,
    INPUT,
    PLATFORM,
    REASON,
    REDACTED,
    RESPONSE,
    REWRITTEN,
    CaseKind,
    NoCall,
    case_of,
    doubted,
)
from rulez_py.policy.matchers.schema_parts import SWITCH, one_of
from rulez_py.policy.model.layers import LAYERS, MANAGED, PROJECT, USER
from rulez_py.verdict import ALLOW, ASK, DENY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from rulez_py.documents.diagnostics import Diagnostic
    from rulez_py.documents.document import Document, Path
    from rulez_py.documents.types import Kind
    from rulez_py.policy.format.circumstances import Case

ENDING = ".rulez.yaml"
"""How the name of a scenario file ends."""
EXPECT, RULE, CONTEXT = "expect", "rule", "context"
SESSION, PAYLOAD = "session", "payload"
_SESSION = "test"
"""The session of an event that names none."""

_NAME = text(check_not_blank, pattern=r"\S")
EXPECTATIONS: dict[str, tuple[Kind, str]] = {
    EXPECT: (one_of((DENY, ASK, ALLOW)), "What the policy must say; allow: the call goes through."),
    RULE: (ListOf(item=_NAME, least=1, alone=True), "Rules that must match and say that themselves, by name."),
    REASON: (_NAME, "A part of the reason that must be told."),
    REDACTED: (CIRCUMSTANCES[REDACTED][0], "What must be left of the result, all of it where nothing is redacted."),
    REWRITTEN: (any_map(), "The arguments that the policy must change, each with its new value; {}: none."),
    CONTEXT: (_NAME, "A part of the text that the model must be told."),
}
_OWN: dict[str, tuple[Kind, str]] = {
    **EXPECTATIONS,
    SESSION: (_NAME, "The session, by a name; without it all events of a scenario share one."),
    PAYLOAD: (any_map(), "A hook's payload as the agent sends it, in place of a call."),
}
"""The keys of an event beside those of a case."""
_OF_ONE_EVENT = (EVENT, RESPONSE, *EXPECTED)
"""Circumstances that belong to one event and to no scenario."""
_OF_ALL = {key: said for key, said in CIRCUMSTANCES.items() if key not in _OF_ONE_EVENT}
_JOINED = (ENV, FILES, GIT)
"""Circumstances that are maps: an event's are joined with the scenario's, key by key."""

GIVEN = Map(
    name="Given", about="Circumstances of every event of a scenario; an event's own come first.", fields=_OF_ALL
)
_OF_PAYLOAD = Map(
    name="Payload",
    about="An event as an agent sends it, and what is so besides.",
    needs=(PAYLOAD,),
    fields={
        **_OWN,
        **_OF_ALL,
        PLATFORM: (one_of((*PLATFORMS, AUTO)), "The agent; auto, as without it: the one that the payload tells."),
    },
)
_OF_CALL = Map(
    name="Call",
    about=CASE.about,
    needs=CASE.needs,
    fields={**CASE.fields, **{key: said for key, said in _OWN.items() if key != PAYLOAD}},
)


class _Event(Value):
    """The kind of an event: a command as text, or a map of a call or a payload, its circumstances and expectations."""

    def read(self, value: Any, path: Path, refusals: list[Refusal]) -> Any:
        if not isinstance(value, dict) or PAYLOAD in value:
            kind: Kind = _OF_PAYLOAD if isinstance(value, dict) else CaseKind()
            return types.read(kind, value, path, refusals)
        own = {key: one for key, one in value.items() if key in _OWN}
        read = {key: types.read(_OWN[key][0], one, (*path, key), refusals) for key, one in own.items()}
        called = {key: one for key, one in value.items() if key not in own}
        return {**(types.read(CaseKind(), called, path, refusals) or {}), **read}

    def json(self) -> dict[str, Any]:
        command, *beside, _ = CaseKind().json()["anyOf"]
        own = {f"^{key}$": kind.json() for key, (kind, _) in _OWN.items() if key != PAYLOAD}
        called = {"anyOf": [{"required": [INPUT]}, {"required": [PAYLOAD]}]}
        calls = [{**one, "not": called, "patternProperties": {**one["patternProperties"], **own}} for one in beside]
        return {"anyOf": [command, *calls, _OF_CALL.json(), _OF_PAYLOAD.json()]}


class _Policy(Value):
    """The kind of `policy`: one file or a list of a project's files, or such for each layer."""

    def read(self, value: Any, path: Path, refusals: list[Refusal]) -> Any:
        return types.read(_LAYERS if isinstance(value, dict) else _FILES, value, path, refusals)

    def json(self) -> dict[str, Any]:
        return {"anyOf": [*_FILES.json()["anyOf"], _LAYERS.json()]}


_FILES = ListOf(item=_NAME, least=1, alone=True)
_LAYERS = Map(
    name="Policy",
    about="Policy files by layer, from the scenario file's directory.",
    empty="names no policy",
    fields={
        MANAGED: (_NAME, "The machine's policy."),
        USER: (_NAME, "The person's own policy."),
        PROJECT: (_FILES, "The project's policies, the nearest first."),
    },
)
SCENARIO = Map(
    name="Scenario",
    about="Events of a session, one after the other.",
    needs=("name", "events"),
    fields={
        "name": (_NAME, "What it is about."),
        "given": (GIVEN, "What is so at all of its events."),
        "events": (ListOf(item=_Event(), least=1), "The events."),
    },
)
FILE = Map(
    name="File",
    about="Scenarios for a whole policy.",
    needs=("scenarios",),
    fields={
        "policy": (_Policy(), "The policy that judges. Without it that in force where the file is."),
        "essentials": (SWITCH, "false: without the rule sets that hold where no policy says otherwise."),
        "scenarios": (ListOf(item=SCENARIO, least=1), "The scenarios."),
    },
)
_MAPS = (GIVEN, _OF_CALL, _OF_PAYLOAD, _LAYERS, SCENARIO, REPOSITORY)


def json_schema() -> dict[str, Any]:
    """Return the format as JSON Schema (draft 2020-12)."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:rulez:schema:scenarios",
        "title": "rulez scenario file",
        "$defs": {one.name: one.definition() for one in sorted(_MAPS, key=lambda one: one.name)},
        **FILE.definition(),
    }


class Happening(Value):
    """One event of a scenario.

    `call` is what is called, None where `payload` is what an agent sends. `told` are the circumstances of both the
    scenario and the event; `wanted` what is expected, by `EXPECTATIONS`. `example` is what is written but for that,
    `at` its line and column.
    """

    call: Case | None = None
    payload: Mapping[str, Any] | None = None
    told: Mapping[str, Any]
    wanted: Mapping[str, Any]
    session: str
    example: object
    at: tuple[int, int]


class Scenario(Value):
    """Events of a name, in order; `line` is its own."""

    name: str
    events: tuple[Happening, ...]
    line: int


class ScenarioFile(Value):
    """One scenario file, read.

    `policies` are pairs of a layer and a path as written, none for the policy in force; `policy_at` is where that is
    said. It has scenarios only where none of its `problems` is an error.
    """

    shown: str
    policies: tuple[tuple[str, str], ...] = ()
    policy_at: tuple[int, int] = (1, 1)
    essentials: bool = True
    scenarios: tuple[Scenario, ...] = ()
    problems: tuple[Diagnostic, ...] = ()


def read_scenarios(content: bytes, shown: str) -> ScenarioFile:
    """Return what a scenario file says, named `shown` for people; raises nothing."""
    document = parse(content, shown, if_empty="write `scenarios:` and a list of them")
    problems = list(document.problems)
    refusals: list[Refusal] = []
    data = None if errors(document.problems) else types.read(FILE, document.data, (), refusals)
    problems += [_said(one, document, shown) for one in refusals]
    if data is None or problems:
        return ScenarioFile(shown=shown, problems=in_order(problems))
    scenarios = [
        _scenario(one, ("scenarios", index), document, shown, problems) for index, one in enumerate(data["scenarios"])
    ]
    if problems:
        return ScenarioFile(shown=shown, problems=in_order(problems))
    return ScenarioFile(
        shown=shown,
        policies=tuple(_policies(data.get("policy"))),
        policy_at=document.position(("policy",)),
        essentials=data.get("essentials", True),
        scenarios=tuple(scenarios),
    )


def _policies(said: Any) -> Iterator[tuple[str, str]]:
    by_layer = said if isinstance(said, dict) else {} if said is None else {PROJECT: said}
    for layer in LAYERS:
        named = by_layer.get(layer) or ()
        yield from ((layer, path) for path in ((named,) if isinstance(named, str) else named))


def _scenario(
    said: Mapping[str, Any], place: Path, document: Document, shown: str, problems: list[Diagnostic]
) -> Scenario:
    given = {key: value for key, value in (said.get("given") or {}).items() if value is not None}
    events = []
    for number, example in enumerate(said["events"]):
        where = (*place, "events", number)
        at = document.position(where)
        try:
            events.append(_happening(example, given, at))
        except NoCall as error:
            problems.append(diagnostic(shown, at, f"{_subject(where, document)} is no call", str(error)))
            continue
        known = (*_OWN, *CIRCUMSTANCES)
        for key in _doubted(example, events[-1]):
            message = f'"{key}" in {_subject(where, document)} is no key of an event, and no argument that a tool has'
            help = choice_help(key, known) if closest(key, known) else f"write the arguments under `{INPUT}`"
            problems.append(diagnostic(shown, document.key_position((*where, key)), message, help))
    if len(events) == len(said["events"]) and not any(one.wanted for one in events):
        at = document.position(place)
        message = f"{_subject(place, document)} expects nothing, so it cannot fail"
        problems.append(diagnostic(shown, at, message, "write `expect: deny` (or ask, allow) at an event"))
    return Scenario(name=said["name"], events=tuple(events), line=document.position(place)[0])


def _doubted(example: Any, happening: Happening) -> tuple[str, ...]:
    """Return the keys of an event that are neither ours nor an argument of a tool that rulez knows.

    An event without a tool has fields of its own, so of these only what is nearly an expectation is doubted.
    """
    if not isinstance(example, dict) or happening.call is None:
        return ()
    if happening.call.tool:
        return doubted({key: value for key, value in example.items() if key not in _OWN})
    own = happening.call.given
    return tuple(key for key in (own if isinstance(own, dict) else ()) if closest(key, tuple(EXPECTATIONS)))


def _happening(example: Any, given: Mapping[str, Any], at: tuple[int, int]) -> Happening:
    """Return the event that a text or a map says, in given circumstances. Raises NoCall."""
    said: Mapping[str, Any] = example if isinstance(example, dict) else {}
    wanted = {key: said[key] for key in EXPECTATIONS if said.get(key) is not None}
    session = said.get(SESSION) or _SESSION
    if PAYLOAD in said:
        own = {key: said[key] for key in _OF_ALL if said.get(key) is not None}
        sent = {key: said[key] for key in (PAYLOAD, *own)}
        told = _joined(given, own)
        return Happening(payload=said[PAYLOAD], told=told, wanted=wanted, session=session, example=sent, at=at)
    called = {key: value for key, value in said.items() if key not in _OWN} if said else example
    case = case_of(called)
    case = case.replace(told=_joined(given, case.told))
    return Happening(call=case, told=case.told, wanted=wanted, session=session, example=called, at=at)


def _joined(given: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the circumstances of an event: its own, and those given where it says none."""
    both = {**given, **own}
    for key in _JOINED:
        if isinstance(given.get(key), dict) and isinstance(own.get(key), dict):
            both[key] = {**given[key], **own[key]}
    return both


# Messages.


def _said(refusal: Refusal, document: Document, shown: str) -> Diagnostic:
    """Return what is wrong with a value, and what would be right."""
    path = refusal.path
    if refusal.kind == types.UNKNOWN:
        known = _known(path[:-1], document)
        message = f'unknown key "{types.briefly(str(path[-1]))}" in {_subject(path[:-1], document)}'
        return diagnostic(shown, document.key_position(path), message, choice_help(str(path[-1]), known))
    if refusal.kind == types.MISSING:
        return diagnostic(shown, document.position(path[:-1]), f'{_subject(path[:-1], document)} needs "{path[-1]}"')
    help = choice_help(refusal.value, refusal.choices) if refusal.choices else refusal.help
    if refusal.value is None:
        refusal.predicate, help = "has no value", "give it one, or remove it"
    return diagnostic(shown, document.position(path), f"{_subject(path, document)} {refusal.predicate}", help)


def _known(path: Path, document: Document) -> tuple[str, ...]:
    """Return the keys that the map at a path may have."""
    if not path:
        return FILE.keys()
    if "policy" in path[:1]:
        return _LAYERS.keys()
    if GIT in path:
        return REPOSITORY.keys()
    if "given" in path:
        return GIVEN.keys()
    if "events" not in path:
        return SCENARIO.keys()
    event: Any = document.data["scenarios"][path[1]]["events"][path[3]]
    return _OF_PAYLOAD.keys() if PAYLOAD in event else _OF_CALL.keys()


def _subject(path: Path, document: Document) -> str:
    """Return what lies at a path, as people know it: `"given.git" in scenario "pushes"`."""
    if path[:1] != ("scenarios",) or len(path) < 2:
        return f'"{path[0]}"' if path else "a scenario file"
    scenario: Any = document.data["scenarios"][path[1]]
    name = scenario.get("name") if isinstance(scenario, dict) else None
    where = f'scenario "{name}"' if isinstance(name, str) and name else f"scenario {int(path[1]) + 1}"
    inside, rest = where, path[2:]
    if rest[:1] == ("events",) and len(rest) > 1:
        inside, rest = f"event {int(rest[1]) + 1} of {where}", rest[2:]
    keys = [segment for segment in rest if isinstance(segment, str) and segment != "[key]"]
    return f'"{".".join(keys)}" in {inside}' if keys else inside
