"""cases.yaml as values: sessions, their turns, and the cases that each session decides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, cast

from ruamel.yaml import YAML

from tests.e2e.agents import AGENTS, agent
from tests.e2e.script import TOOLS, Call, call_id

TABLE = Path(__file__).parent / "cases.yaml"

CHECKS = (
    "absent",
    "present",
    "content",
    "told",
    "unread",
    "judged",
    "heard",
    "unheard",
    "printed",
    "requests",
    "visited",
    "asked",
)
"""What can be checked of a session; the head of cases.yaml says what each means."""


@dataclass(frozen=True)
class Case:
    """One thing that must hold.

    `anyway` says that it holds without rulez as well. `cannot` and `uncontrolled`: platform -> why it does not hold
    there, or holds without rulez only there; `but`: platform -> checks in place of the usual ones (`agents/NAME.py`).
    """

    title: str
    checks: Mapping[str, Any]
    anyway: bool = False
    cannot: Mapping[str, str] = field(default_factory=dict)
    uncontrolled: Mapping[str, str] = field(default_factory=dict)
    but: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def slug(self) -> str:
        return self.title.replace(" ", "_")

    def checks_on(self, platform: str) -> dict[str, Any]:
        return {**self.checks, **self.but.get(platform, {})}


@dataclass(frozen=True)
class Step:
    """One call of the script, and the case it decides, if any."""

    call: Call
    case: Case | None = None


@dataclass(frozen=True)
class Change:
    """A file the harness writes before the model takes a turn: what a person does meanwhile."""

    before_turn: int
    path: str
    text: str


@dataclass(frozen=True)
class Plan:
    """One session of cases.yaml, the same for every agent."""

    name: str
    forms: tuple[str, ...] = ("frozen",)
    scope: str = "user"
    hook: str = "rulez"
    permitted: bool = True
    person: str = ""
    control: bool = True
    hasty: bool = False
    prompt: str = "Please go on."
    files: Mapping[str, str] = field(default_factory=dict)
    turns: tuple[tuple[Step, ...], ...] = ()
    subagent: tuple[tuple[Step, ...], ...] = ()
    changes: tuple[Change, ...] = ()
    whole: tuple[Case, ...] = ()

    @property
    def steps(self) -> list[Step]:
        return [step for turn in (*self.turns, *self.subagent) for step in turn]

    @property
    def cases(self) -> list[Case]:
        return [step.case for step in self.steps if step.case] + list(self.whole)

    def tools_of(self, case: Case) -> tuple[str, ...]:
        """What an agent needs for a case: the tool of its call, behind what starts the subagent that makes the call.

        `SubagentsCall` is that the agent calls hooks for what a subagent does.
        """
        inside = tuple(step for turn in self.subagent for step in turn)
        found = [step for step in self.steps if step.case is case]
        return tuple(
            tool
            for step in found
            for tool in (*(("Subagent", "SubagentsCall") if step in inside else ()), step.call.tool)
        )

    def call_of(self, case: Case) -> str | None:
        """The id of the call that decides a case; None for a case about the whole session."""
        for conversation, turns in (("main", self.turns), ("sub", self.subagent)):
            for number, turn in enumerate(turns):
                for place, step in enumerate(turn):
                    if step.case is case:
                        return call_id(conversation, number, place)
        return None

    def alone(self, title: str) -> Plan:
        """The session with the calls that decide no case, and those of the one of this title."""
        return self._keeping(lambda step: step.case is None or step.case.title == title)

    def without(self, tools: Mapping[str, str]) -> Plan:
        """The session without the calls of these tools."""
        return self._keeping(lambda step: step.call.tool not in tools)

    def _keeping(self, wanted: Callable[[Step], bool]) -> Plan:
        """The session with some of its calls; a turn that is left empty goes, what came before it stays."""

        def kept(turns: tuple[tuple[Step, ...], ...]) -> Iterator[tuple[int, tuple[Step, ...]]]:
            for number, turn in enumerate(turns):
                left = tuple(step for step in turn if wanted(step))
                if left:
                    yield number, left

        turns = list(kept(self.turns))
        changes = tuple(
            replace(change, before_turn=sum(1 for number, _ in turns if number < change.before_turn))
            for change in self.changes
        )
        subagent = tuple(turn for _, turn in kept(self.subagent))
        return replace(self, turns=tuple(turn for _, turn in turns), subagent=subagent, changes=changes)


@cache
def plans() -> dict[str, Plan]:
    """Session -> its plan, for the whole table. Raises ValueError naming the entry that is not as it should be."""
    found = [_plan(entry) for entry in YAML(typ="safe").load(TABLE.read_text())["sessions"]]
    return {plan.name: plan for plan in found}


def _plan(entry: dict[str, Any]) -> Plan:
    entry = dict(entry)
    name = entry.pop("session")
    files = dict(entry.pop("files", {}))
    for key, path in (("policy", ".rulez/rules.yaml"), ("own_policy", "{home}/.config/rulez/rules.yaml")):
        if key in entry:
            files[path] = entry.pop(key)
    turns: list[tuple[Step, ...]] = []
    changes: list[Change] = []
    for item in entry.pop("turns", []):
        if isinstance(item, dict) and "write" in item:
            changes.append(Change(before_turn=len(turns), path=item["write"], text=item["text"]))
        else:
            turns.append(_turn(item, name))
    return Plan(
        name=name,
        files=files,
        changes=tuple(changes),
        forms=tuple(entry.pop("forms", ("frozen",))),
        turns=tuple(turns),
        subagent=tuple(_turn(item, name) for item in entry.pop("subagent", [])),
        whole=tuple(_case(item, name) for item in entry.pop("cases", [])),
        **entry,
    )


def _turn(item: Any, session: str) -> tuple[Step, ...]:
    return tuple(_step(step, session) for step in (item if isinstance(item, list) else [item]))


def _step(entry: dict[str, Any], session: str) -> Step:
    entry = dict(entry)
    ((tool, arguments),) = entry.pop("call").items()
    if tool not in TOOLS or set(arguments) != set(TOOLS[tool]):
        raise ValueError(f"{session}: {tool} takes {TOOLS.get(tool)}, not {sorted(arguments)}")
    return Step(Call(tool, arguments), _case(entry, session) if entry else None)


def _case(entry: dict[str, Any], session: str) -> Case:
    entry = dict(entry)
    title, anyway = entry.pop("case"), entry.pop("anyway", False)
    cannot, uncontrolled, but = (_said(kind, title) for kind in ("CANNOT", "UNCONTROLLED", "BUT"))
    unknown = [key for key in (*entry, *(k for other in but.values() for k in other)) if key not in CHECKS]
    if unknown or not entry:
        raise ValueError(f"{session}: {title}: {unknown or 'nothing is checked'}")
    return Case(title, entry, anyway=anyway, cannot=cannot, uncontrolled=uncontrolled, but=but)


def said(kind: str, platform: str) -> Mapping[str, Any]:
    """What an agent's module says of some cases: title -> what."""
    return cast("Mapping[str, Any]", getattr(agent(platform), kind, {}))


def _said(kind: str, title: str) -> dict[str, Any]:
    """Platform -> what its module says of one case."""
    return {platform: said(kind, platform)[title] for platform in AGENTS if title in said(kind, platform)}
