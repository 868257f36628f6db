"""Past calls, judged again: the verdict of another policy, or of today's. Nothing runs."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rulez_py.event import UnreadableEvent
from rulez_py.history.reading import enforced
from rulez_py.hook.call import PlacesRefused, case_of, judged
from rulez_py.hook.values import HookCall, Options
from rulez_py.platforms import adapter
from rulez_py.policy.facts.facts import Facts
from rulez_py.system import jsontext
from rulez_py.system.effects import ScriptResult
from rulez_py.system.scripts import World
from rulez_py.verdict import ASK, DENY, PASS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rulez_py.history.transcripts import Past
    from rulez_py.system.effects import Script
    from rulez_py.verdict import Verdict

TIME = 600.0
"""Seconds that one call may take: a person waits, not an agent."""
SHOWN = 3
"""Calls kept of each change as examples."""
UNKNOWN = "?"
"""The earlier verdict where the log does not have it."""


@dataclass
class Change:
    """Calls whose verdict by the same rule has changed."""

    then: str
    now: str
    rule: str
    reason: str
    calls: int = 0
    examples: list[str] = field(default_factory=list)


@dataclass
class Replayed:
    """The outcome of past calls; `inexact` has reason -> calls that could not be judged as they were.

    `enforced` has verdict -> calls that would be stopped, or stopped more strictly, if the rules enforced that only log
    or warn; `would` has (rule, what it would decide) -> calls.
    """

    judged: int = 0
    same: int = 0
    inexact: dict[str, int] = field(default_factory=dict)
    changes: dict[tuple[str, str, str], Change] = field(default_factory=dict)
    enforced: dict[str, int] = field(default_factory=dict)
    would: dict[tuple[str, str], int] = field(default_factory=dict)
    gone: int = 0
    """Calls judged without the policy of their project, because its directory is not there any more, or not known."""

    def ordered(self) -> list[Change]:
        """Return the changes: what is stopped now first, then by number."""
        weight = {DENY: 0, ASK: 1}
        return sorted(self.changes.values(), key=lambda one: (weight.get(one.now, 2), -one.calls, one.rule))


class _Still(World):
    """The world as a hook sees it, in which no script runs: it is taken to have no objection."""

    def run(self, script: Script) -> ScriptResult:
        return ScriptResult(exit_code=0)


def replayed(calls: Iterable[Past], environ: Mapping[str, str], rules_file: str | None = None) -> Replayed:
    """Return what the policy in force where each call was made, or that of a file in its place, says of calls."""
    found = Replayed()
    for call in calls:
        why = call.inexact
        verdict: Verdict | None = None
        if not why:
            try:
                verdict = verdict_on(call, environ, rules_file)
            except UnreadableEvent:
                why = "the agent would not send such a call"
            except PlacesRefused as error:
                why = str(error.args[0])
        if verdict is None:
            found.inexact[why] = found.inexact.get(why, 0) + 1
            continue
        found.judged += 1
        found.gone += not os.path.isdir(call.cwd)
        _compare(found, call, verdict)
        _count_unenforced(found, verdict)
    return found


def verdict_on(call: Past, environ: Mapping[str, str], rules_file: str | None = None) -> Verdict:
    """Return the verdict on one call. Raises UnreadableEvent, PlacesRefused."""
    variables = adapter(call.platform).PROJECT_VARIABLES
    around = {name: value for name, value in environ.items() if name not in variables}
    if call.cwd and variables:
        around[variables[0]] = call.cwd
    hook = HookCall(Options(platform=call.platform, rules=rules_file, timeout=TIME), around, time.monotonic())
    before = os.getcwd()
    try:
        if adapter(call.platform).RUNS_IN_PROJECT and os.path.isdir(call.cwd):
            os.chdir(call.cwd)
        return _judged(hook, call, around)
    finally:
        os.chdir(before)
        if hook.known.policy is not None:
            hook.known.policy.close()


def _judged(hook: HookCall, call: Past, environ: Mapping[str, str]) -> Verdict:
    case = case_of(hook, jsontext.dumps_exactly(call.payload()))
    facts = Facts(case.facts.event, case.facts.around, _Still(environ, None))
    return judged(hook, case.replace(facts=facts)).verdict


def _compare(found: Replayed, call: Past, verdict: Verdict) -> None:
    then, now = call.verdict or UNKNOWN, verdict.decision or PASS
    if then == now or (then == UNKNOWN and now not in (DENY, ASK)):
        found.same += 1
        return
    rule = (verdict.rule if now in (DENY, ASK) else call.rule) or ""
    change = found.changes.setdefault((then, now, rule), Change(then, now, rule, verdict.reason))
    change.calls += 1
    if len(change.examples) < SHOWN:
        change.examples.append(shown(call))


def _count_unenforced(found: Replayed, verdict: Verdict) -> None:
    would = [(hit.rule, hit.would) for hit in verdict.hits if hit.would]
    for key in would:
        found.would[key] = found.would.get(key, 0) + 1
    stricter = enforced(verdict.decision, (said for _rule, said in would))
    if stricter != verdict.decision:
        found.enforced[stricter] = found.enforced.get(stricter, 0) + 1


def shown(call: Past) -> str:
    """Return what a call was about, in a line."""
    arguments = call.arguments if isinstance(call.arguments, dict) else {}
    for name in ("command", "cmd", "file_path", "filePath", "path", "url"):
        value = arguments.get(name)
        if isinstance(value, str) and value:
            return f"{call.tool}: {value}"
    return call.tool
