"""Explain a call under the policy in force: the steps of a hook call, with the facts and rules that each step uses."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from rulez_py.event import UnreadableEvent
from rulez_py.explain.answers import told
from rulez_py.explain.cases import assumed
from rulez_py.explain.change import changes, exception
from rulez_py.explain.rules import about_rules
from rulez_py.explain.tree import Following, tree
from rulez_py.explain.values import MATCHES, Explained, Granted, Layer
from rulez_py.hook.call import (
    Case,
    PlacesRefused,
    case_for,
    excepted,
    exceptions_of,
    finish,
    judged,
    places_of,
    selected,
    under_grant,
)
from rulez_py.hook.values import HookCall, Options
from rulez_py.log.audit import iso_time
from rulez_py.log.checkpoints import checkpoints_of
from rulez_py.platforms import PLATFORMS, adapter
from rulez_py.policy.facts.disk import joined
from rulez_py.policy.facts.facts import Facts
from rulez_py.policy.format.case_world import ToldWorld, files_of, made_of, repository_of, session_of
from rulez_py.policy.format.circumstances import CWD, ENV, GIT, LOSES, NOW
from rulez_py.policy.model.layers import BUILT_IN, PROJECT
from rulez_py.policy.store.excepting import excepted as without
from rulez_py.policy.store.load import load
from rulez_py.policy.store.search import shown_path
from rulez_py.policy.store.trusting import by_whom
from rulez_py.system.checkpoints.records import all_names
from rulez_py.system.effects import ScriptResult
from rulez_py.system.scripts import World
from rulez_py.trust.grants import clock, granted
from rulez_py.verdict import ASK, DENY, PASS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rulez_py.explain.calls import Call
    from rulez_py.explain.values import Told
    from rulez_py.log.checkpoints import Logged
    from rulez_py.policy.store.load import Policy
    from rulez_py.policy.store.search import Source
    from rulez_py.system.effects import Script
    from rulez_py.system.places import Places

TIME = 600.0
"""Seconds that it may take: a person waits, not an agent."""


class CannotExplain(Exception):
    """The call cannot be explained; the message says why."""


class _Dry(World):
    """The world of a hook call, in which no script runs: each script counts as one without objection."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        super().__init__(environ, None)
        self.scripts: list[str] = []

    def run(self, script: Script) -> ScriptResult:
        what = "an inline script" if script.inline else " ".join(script.command)
        self.scripts.append(what)
        return ScriptResult(exit_code=0)


def explain(
    call: Call,
    environ: Mapping[str, str],
    *,
    rules_file: str | None = None,
    event_name: str | None = None,
    others: Sequence[str] = PLATFORMS,
) -> Explained:
    """Return the verdict of the policy in force where the call is made, and its reasons. Raises CannotExplain.

    `others` are further platforms whose answer is shown, too.
    """
    hook = _hook_call(call.platform, environ, rules_file)
    follow, world = Following(), _Dry(environ)
    try:
        case = excepted(hook, _case(hook, call, event_name, follow, world))
    except UnreadableEvent as error:
        raise CannotExplain(f"{adapter(call.platform).AGENT} would not send such a call: {error}") from None
    except PlacesRefused as error:
        raise CannotExplain("; ".join(error.args)) from None
    outcome = judged(hook, case)
    facts, event = case.facts, case.facts.event
    policy = _whole_policy(hook, rules_file)
    there, _problem = exceptions_of(hook, case.policy)
    freed, by = without(policy.rules, facts, there)
    rules = about_rules(freed, facts)
    numbers = {by.get((one.rule["name"], one.rule["source"]), 0) for one in rules if one.state == MATCHES}
    scripts = tuple(dict.fromkeys(world.scripts))
    answers = [told(adapter(call.platform), outcome)]
    answers += _others(call, hook, others, follow, environ, rules_file)
    layers = tuple(_layer(one, policy, places_of(hook)) for one in policy.sources)
    found = Explained(
        event=event,
        line=facts.lines[0] if len(facts.lines) == 1 else "",
        project=policy.root,
        commands=tree(facts, follow.run_by) if facts.runs else (),
        files=facts.files,
        hosts=facts.hosts,
        layers=layers,
        rules=rules,
        verdict=outcome.verdict,
        told=tuple(answers),
        notes=(*call.notes, *assumed(call.told)),
        scripts=scripts,
        logged=call.logged,
        kept=_kept(hook, call),
        exceptions=tuple(one for one in there if one.number in numbers),
        granted=_granted(hook, case),
        no_exceptions=policy.no_exceptions,
    )
    finish(hook)
    return _with_changes(found, facts)


def _kept(hook: HookCall, call: Call) -> tuple[tuple[Logged, str], ...]:
    """Return the checkpoints that were made for a logged call, each with its state now."""
    found = checkpoints_of(call.logged)
    there = all_names(places_of(hook).state) if found else frozenset()
    return tuple((one, one.state(there, iso_time(time.time()))) for one in found)


def _with_changes(found: Explained, facts: Facts) -> Explained:
    from dataclasses import replace

    decision = found.verdict.decision
    if decision not in (DENY, ASK):
        return found
    stopping = [one for one in found.rules if one.state == MATCHES and one.decision in (DENY, ASK)]
    keys = [(one.rule["name"], one.rule["source"]) for one in stopping]
    this = {key: exception(one, facts, exactly=True) for key, one in zip(keys, stopping, strict=True)}
    only = {key: exception(one, facts) for key, one in zip(keys, stopping, strict=True) if one.decision == decision}
    files = {one.source.layer: one.shown for one in reversed(found.layers) if one.source.layer != BUILT_IN}
    return replace(
        found, this=this, changes=changes([one for one in stopping if one.decision == decision], only, files)
    )


def _granted(hook: HookCall, case: Case) -> tuple[Granted, ...]:
    """Return the grants that hold in this project, the one for this call first. It uses none of them up."""
    free, by = under_grant(hook, case, using=False)
    found = () if by is None else (Granted(by, judged(hook, free).verdict.decision or PASS),)
    there = () if case.policy.no_exceptions else granted(places_of(hook), time.time(), clock()).grants
    others = (one for one in there if one.root in ("", case.policy.root) and one != by)
    return (*found, *map(Granted, others))


def _hook_call(platform: str, environ: Mapping[str, str], rules_file: str | None) -> HookCall:
    return HookCall(Options(platform=platform, rules=rules_file, timeout=TIME), environ, time.monotonic())


def _case(hook: HookCall, call: Call, event_name: str | None, follow: Following, world: _Dry) -> Case:
    """Return the case of a hook call whose facts record which command runs which, in a world in which nothing runs.

    Circumstances of the call count in place of what is so here.
    """
    case = case_for(hook, call.event(hook.options.platform, event_name=event_name))
    event, around, told = case.facts.event, case.facts.around, call.told
    if not told:
        return case.replace(facts=Facts(event, around, world, follow=follow))
    around = around.replace(environ={**around.environ, **told.get(ENV, {})})
    around = around.replace(home=told.get(ENV, {}).get("HOME", around.home), now=told.get(NOW, around.now))
    if CWD in told:
        event = event.replace(cwd=os.path.normpath(joined(told[CWD], around.root, around.home)))
    repository = repository_of(told, around.root) if GIT in told or LOSES in told else None
    here = os.path.join(around.root, ".git") if ".git" in world.names(around.root) else None
    beside = ToldWorld(
        world,
        files=files_of(told, around.root, around.home),
        repository=repository,
        marker=here if repository is None else repository.marker,
        session=session_of(told),
        made=made_of(told),
    )
    # Other rules may match there.
    return selected(case.policy, Facts(event, around, beside, follow=follow))


def _layer(source: Source, policy: Policy, places: Places) -> Layer:
    of_project = source.layer == PROJECT and source.trusted
    by = by_whom(policy.trusting, places, source.path, source.digest) if of_project else ""
    return Layer(source, shown_path(source.path, policy.root, places.home), by)


def _whole_policy(hook: HookCall, rules_file: str | None) -> Policy:
    """Return all rules in force, also those that cannot match."""
    from rulez_py.trust import is_trusted

    places = places_of(hook)
    event = hook.known.event
    start = event.project_dir if event is not None else None
    return load(places, start, rules_file=rules_file, trusted=lambda path, digest: is_trusted(places, path, digest))


def _others(
    call: Call,
    first: HookCall,
    platforms: Sequence[str],
    follow: Following,
    environ: Mapping[str, str],
    rules_file: str | None,
) -> list[Told]:
    """Return the answers that the other agents would get on the same call, by the same policy."""
    if not call.tool and call.prompt is None:
        return []
    found = []
    for platform in platforms:
        if platform == call.platform:
            continue
        hook = _hook_call(platform, environ, rules_file)
        hook.learn(policy=first.known.policy)
        try:
            case = excepted(hook, _case(hook, call, None, follow, _Dry(environ)))
        except UnreadableEvent:
            continue
        found.append(told(adapter(platform), judged(hook, case)))
    return found
