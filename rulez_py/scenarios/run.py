"""Run scenarios: each event is judged by the whole policy, by the functions that judge a hook's call.

INVARIANT: nothing runs and nothing of the machine is looked at but the policy's files: a scenario holds on all machines
or on none.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulez_py.documents.diagnostics import diagnostic
from rulez_py.event import UnreadableEvent
from rulez_py.explain.as_text import excepted, missing
from rulez_py.explain.results import Result, Suite
from rulez_py.explain.rules import about
from rulez_py.explain.values import EXCEPTED, MISSES, OFF
from rulez_py.hook.call import by_its_rules, files_seen, selected, tells_before
from rulez_py.hook.values import HookCall, Options
from rulez_py.log.results import looked_at
from rulez_py.platforms import AUTO, adapter, adapter_or_unnamed, candidates
from rulez_py.policy.facts.facts import Facts
from rulez_py.policy.format.case_repository import PROJECT_DIR
from rulez_py.policy.format.cases import directory_of, makers, otherwise_redacted, shown_case, surroundings_of
from rulez_py.policy.format.circumstances import CWD, PLATFORM, PROJECT, REASON, REDACTED, REWRITTEN
from rulez_py.policy.format.scenarios import CONTEXT, EXPECT, RULE
from rulez_py.scenarios.sessions import Sessions
from rulez_py.scenarios.world import ScenarioWorld
from rulez_py.system import jsontext
from rulez_py.verdict import ALLOW, ASK, DENY, NO_OPINION, STRICTNESS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulez_py.event import Event
    from rulez_py.policy.facts.facts import Surroundings
    from rulez_py.policy.format.scenarios import Happening, Scenario, ScenarioFile
    from rulez_py.policy.model.rule import Rule
    from rulez_py.scenarios.policy import PolicyOf
    from rulez_py.verdict import RuleHit

_MUST = {DENY: "must be denied", ASK: "must be asked about", ALLOW: "must be let through"}
_IS = {DENY: "is denied", ASK: "is asked about", ALLOW: "is approved", NO_OPINION: "is let through"}
_SAYS = {DENY: "denies", ASK: "asks", ALLOW: "approves", NO_OPINION: "matches and stops nothing"}
_AFTER = "PostToolUse"
KIND = "scenario file"
_TIME = 600.0
"""Seconds that one event may take: a person waits, not an agent."""


@dataclass(frozen=True)
class Ran:
    """The results of one scenario file, and the facts of each event with the policy's rules (for coverage)."""

    suite: Suite
    seen: tuple[tuple[Facts, Sequence[Rule]], ...] = ()


def run_scenarios(file: ScenarioFile, policy: PolicyOf) -> Ran:
    """Return the results of a valid scenario file under its policy; an event without expectations is no result."""
    started = time.perf_counter()
    if wrong := policy.problems():
        return Ran(Suite(file.shown, wrong=wrong, kind=KIND))
    results: list[Result] = []
    seen: list[tuple[Facts, Sequence[Rule]]] = []
    for scenario in file.scenarios:
        sessions = Sessions()
        for number, happening in enumerate(scenario.events, 1):
            found = _result(file, scenario, number, happening, policy, sessions, seen)
            if happening.wanted or found.problem is not None:
                results.append(found)
    return Ran(Suite(file.shown, results, seconds=time.perf_counter() - started, kind=KIND), tuple(seen))


def _result(
    file: ScenarioFile,
    scenario: Scenario,
    number: int,
    happening: Happening,
    policy: PolicyOf,
    sessions: Sessions,
    seen: list[tuple[Facts, Sequence[Rule]]],
) -> Result:
    """Return the result of one event; its facts are added to `seen`, and what it leaves to the sessions."""
    expected = happening.wanted.get(EXPECT, "")
    text, help, said = "is no call", "", NO_OPINION
    why: tuple[str, ...] = ()
    try:
        one = _judged(happening, policy, sessions)
    except UnreadableEvent as error:
        help = str(error)
    else:
        seen.append((one.facts, one.rules))
        text, said = "; ".join(one.otherwise()), one.verdict.decision
        why = tuple(one.why()) if text else ()
    shown = shown_case(happening.example)
    problem = None
    if text:
        named = f'scenario "{scenario.name}", event {number}: {shown}'
        problem = diagnostic(file.shown, happening.at, f"{named} {text}", help)
    return Result(
        group=scenario.name,
        name=f"{number}. {expected}: {shown}" if expected else f"{number}. {shown}",
        line=happening.at[0],
        expected=expected,
        problem=problem,
        why=why,
        fields={
            "scenario": scenario.name,
            "event": number,
            "test": happening.example,
            "expected": expected or None,
            "decision": said or None,
        },
    )


def _judged(happening: Happening, policy: PolicyOf, sessions: Sessions) -> _Judged:
    """Return the strictest verdict on an event, as from each agent that may have sent it. Raises UnreadableEvent."""
    if happening.call is not None:
        around = surroundings_of(happening.told)
        directory = directory_of(happening.told, around)
        event = happening.call.event(makers(), cwd=directory, session=happening.session)
        return _Judged(happening, event, around, policy, sessions)
    found = (_Judged(happening, *_sent(happening, event), policy, sessions) for event in _events(happening))
    return max(found, key=lambda one: STRICTNESS[one.verdict.decision])


class _Judged:
    """One event and the policy's verdict on it."""

    def __init__(
        self, happening: Happening, event: Event, around: Surroundings, policy: PolicyOf, sessions: Sessions
    ) -> None:
        self._wanted = happening.wanted
        facts, self._world = _facts(happening, event, around, policy, sessions)
        loaded, in_force = policy.loaded(facts.around.root)
        self.facts = facts
        self.rules = loaded.rules
        hook = HookCall(Options(platform=facts.event.platform, timeout=_TIME), facts.around.environ, time.monotonic())
        self.verdict = by_its_rules(hook, selected(in_force, facts))
        if in_force.remembers and _AFTER in facts.event.types:
            for path in files_seen(facts):
                sessions.note_seen(facts.event.session_id or "", path, self._world.content(path))

    def otherwise(self) -> Iterator[str]:
        """Yield what comes out otherwise than is expected."""
        verdict, wanted = self.verdict, self._wanted
        expected, said = wanted.get(EXPECT), verdict.decision
        is_so = said == expected or (expected == ALLOW and said == NO_OPINION)
        if expected is not None and not is_so:
            yield f"{_MUST[expected]}, and {_IS[said]}"
        elif expected is not None and verdict.failed:
            yield f"{_MUST[expected]} by a rule's word, and {_IS[said]} by a failure"
        for name in wanted.get(RULE, ()):
            if not any(hit.rule == name and self._says_so(hit) for hit in verdict.hits):
                yield f'rule "{name}" must say so, and does not'
        if wanted.get(REASON, "") not in verdict.reason:
            yield f'its reason must say "{wanted[REASON]}"'
        if wanted.get(CONTEXT, "") not in "\n".join(verdict.context):
            yield f'the model must be told "{wanted[CONTEXT]}"'
        if REDACTED in wanted and (found := otherwise_redacted(verdict, wanted[REDACTED], looked_at(self.facts.event))):
            yield f"its result must be redacted to {jsontext.dumps(wanted[REDACTED])}, and is {found}"
        if REWRITTEN in wanted and dict(verdict.rewrite or {}) != wanted[REWRITTEN]:
            found = f"to {jsontext.dumps(dict(verdict.rewrite))}" if verdict.rewrite else "not"
            yield f"it must be rewritten to {jsontext.dumps(wanted[REWRITTEN])}, and is {found}"

    def _says_so(self, hit: RuleHit) -> bool:
        """Tell if a rule that matches says what the verdict is; of a call that goes through, that it stops nothing."""
        said = self.verdict.decision
        return hit.decision == said or (said in (ALLOW, NO_OPINION) and hit.decision in (ALLOW, NO_OPINION))

    def why(self) -> Iterator[str]:
        """Yield what the policy says and by which rules, and why the rules that are expected do not."""
        verdict = self.verdict
        for hit in verdict.hits:
            would = f" (mode: {hit.mode}; it would say {hit.would})" if hit.would else ""
            yield f'rule "{hit.rule}" ({hit.source}) {_SAYS[hit.decision]}{would}'
        if verdict.reason:
            yield f'the reason is "{verdict.reason}"'
        if CONTEXT in self._wanted:
            yield f'the model is told "{" ".join(verdict.context)}"' if verdict.context else "the model is told nothing"
        for name in self._wanted.get(RULE, ()):
            if not any(hit.rule == name for hit in verdict.hits):
                yield from self._why_not(name)
        for script in self._world.scripts:
            yield f"not run, and taken to object to nothing: {script}"
        yield from verdict.notes

    def _why_not(self, name: str) -> Iterator[str]:
        """Yield why a rule of this name does not match."""
        named = [rule for rule in self.rules if rule["name"] == name]
        if not named:
            yield f'the policy has no rule "{name}"'
        for rule in named:
            one = about(rule, self.facts)
            told = {MISSES: tuple(missing(one)), EXCEPTED: (excepted(one),), OFF: ("it is off by its enabled_when",)}
            if one.state in told:
                yield f'rule "{name}" ({rule["source"]}) does not match: {"; ".join(told[one.state])}'


def _facts(
    happening: Happening, event: Event, around: Surroundings, policy: PolicyOf, sessions: Sessions
) -> tuple[Facts, ScenarioWorld]:
    """Return the facts of an event, and its world."""
    loaded, _ = policy.loaded(around.root)
    around = around.replace(told_before=tells_before(adapter(event.platform)), programs=loaded.programs)
    world = ScenarioWorld(happening.told, around, sessions)
    return Facts(event.replace(project_dir=around.root), around, world), world


def _sent(happening: Happening, event: Event) -> tuple[Event, Surroundings]:
    """Return the event of a payload with the scenario's session and directory, and what is around it."""
    told = happening.told
    around = surroundings_of(told, project=event.project_dir or event.cwd or PROJECT_DIR)
    if CWD in told or PROJECT in told or not event.cwd:
        event = event.replace(cwd=directory_of(told, around))
    if not event.session_id:
        event = event.replace(session_id=happening.session)
    return event, around


def _events(happening: Happening) -> Iterator[Event]:
    """Yield the event of a payload, as from each agent that may have sent it. Raises UnreadableEvent."""
    payload = happening.payload or {}
    for name in candidates(happening.told.get(PLATFORM, AUTO), payload, {}):
        yield adapter_or_unnamed(name).parse(payload, None)
