"""The whole machine: every agent, the policy in force, the files rulez needs, and what a person lets pass."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from rulez_py.doctor.agents import ask
from rulez_py.doctor.agents import examine as examine_agent
from rulez_py.doctor.findings import BROKEN, NOTE, AgentState, Examined, Finding, PolicyState
from rulez_py.install.entries import events
from rulez_py.lint.untold import untold
from rulez_py.log import audit
from rulez_py.platforms import PLATFORMS, adapter, is_proven, parts
from rulez_py.policy.format.overrides import ENFORCE
from rulez_py.policy.model.layers import BUILT_IN, PROJECT
from rulez_py.policy.store import floor
from rulez_py.policy.store.load import load
from rulez_py.policy.store.search import shown_path
from rulez_py.policy.store.trusting import by_whom, signature_problems
from rulez_py.suggest.project import look
from rulez_py.suggest.suggest import listed, suggestions, without
from rulez_py.system import onefile
from rulez_py.system.files import private_directory, why_not_private
from rulez_py.trust import StoreProblem, exceptions, is_trusted
from rulez_py.trust import problem as trust_problem
from rulez_py.trust.digests import SIGNATURE
from rulez_py.trust.grants import PAUSE, Granted, clock, granted, in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulez_py.install.places import Machine
    from rulez_py.policy.store.load import Policy


def examine(here: Machine, platforms: tuple[str, ...], *, trying: bool) -> Examined:
    """Return the report on these agents; without names, on those that are installed here."""
    reports = ask(platforms or PLATFORMS, here, trying=trying)
    looked_at = [examine_agent(platform, here, reports[platform]) for platform in platforms or PLATFORMS]
    here_too = [agent for agent in looked_at if platforms or agent.there or agent.places]
    agents = tuple(agent for agent in here_too if platforms or _is_chosen(agent)) or tuple(here_too)
    policy = _policy(here)
    grants = Granted() if policy.no_exceptions else granted(here.own, time.time(), clock())
    findings = [
        *_without(agents),
        *_left_out(agent for agent in here_too if agent not in agents),
        *_in_policy(policy, here),
        *_never_remembered(policy, agents),
        *_only_warned(policy, agents),
        *_not_covered(policy, here),
        *_own_files(here),
        *_unpacked(here.own.cache),
    ]
    for one in grants.grants:
        if one.kind == PAUSE and one.root in ("", here.project):
            findings.append(Finding(BROKEN, in_words(one), "rulez resume"))
    findings += [Finding(NOTE, problem, "rulez resume") for problem in grants.problems]
    there, problem = ((), "") if policy.no_exceptions else exceptions.read(here.own)
    if problem:
        findings.append(Finding(NOTE, problem, f"look at it, then remove {exceptions.path_of(here.own)}"))
    now = time.time()
    excepted = (f"exception {exceptions.in_words(one)}" for one in there if one.holds(one.root, now))
    return Examined(
        agents=agents,
        policy=tuple(_states(policy, here)),
        floor=policy.floor,
        granted=(*(in_words(one) for one in grants.grants), *excepted),
        findings=tuple(findings),
    )


def _without(agents: tuple[AgentState, ...]) -> Iterator[Finding]:
    if not agents:
        names = ", ".join(PLATFORMS)
        yield Finding(BROKEN, "no coding agent was found on this machine", f"rulez install NAME, of {names}")


def _is_chosen(agent: AgentState) -> bool:
    """Tell whether it is one that is set up by itself, or that the person has set up, however broken it is now."""
    others = (one for one in agent.findings if one.state not in (*_NOT_SET_UP, "unproven"))
    return is_proven(agent.platform) or bool(agent.places) or any(others)


_NOT_SET_UP = ("no-hook", "only-anothers")


def _left_out(agents: Iterable[AgentState]) -> Iterator[Finding]:
    """Yield a note for each unproven agent that is here, and that the person has not chosen to set up."""
    for one in agents:
        for why in (found.message for found in one.findings if found.state in _NOT_SET_UP):
            said = f"{one.agent} is here, and rulez was never played on it: {why}"
            yield Finding(NOTE, said, f"rulez install {one.platform} --unproven")


def _policy(here: Machine) -> Policy:
    def trusted(path: str, digest: str) -> bool:
        try:
            return is_trusted(here.own, path, digest)
        except StoreProblem:
            return False

    return load(here.own, here.project, trusted=trusted)


def _states(policy: Policy, here: Machine) -> Iterator[PolicyState]:
    for source in policy.sources:
        if source.path == floor.NAME:
            continue  # `Examined.floor` reports it
        shown = source.path if source.layer == BUILT_IN else shown_path(source.path, here.project, here.own.home)
        of_layer = [rule for rule in policy.rules if rule["layer"] == source.layer]
        # With several files in a layer, it is unknown which of them extends a set.
        alone = source.layer != BUILT_IN and sum(one.layer == source.layer for one in policy.sources) == 1
        parts = (shown_path(path, here.project, here.own.home) for path, *_ in source.included)
        own = {shown, *parts}
        count = sum(alone or rule["source"].rpartition(":")[0] in own for rule in of_layer)
        of_project = source.layer == PROJECT and source.trusted
        by = by_whom(policy.trusting, here.own, source.path, source.digest) if of_project else ""
        yield PolicyState(source.layer, shown, source.digest, count, source.trusted, by)


def _in_policy(policy: Policy, here: Machine) -> Iterator[Finding]:
    for problem in policy.problems:
        place = f"{problem.path}:{problem.line}:{problem.column}"
        help = problem.help or "`rulez validate` shows every problem"
        yield Finding(BROKEN, f"{place}: {problem.message}; until then calls are answered by on_error", help)
    for problem in policy.noted:
        yield Finding(NOTE, f"{problem.path}:{problem.line}:{problem.column}: {problem.message}", problem.help)
    if not policy.floor.holds:
        yield Finding(NOTE, floor.in_words(policy.floor), "leave out `essentials: false` in the policy")
    for shown, layer in policy.floor.unsaid:
        yield Finding(NOTE, floor.they_hold(shown), floor.what_to_write(layer))
    for sentence in policy.unenforced:
        yield Finding(
            NOTE, sentence, "`rulez log --summary` says what they would have stopped; then take that line away"
        )
    if not policy.self_protection:
        yield Finding(NOTE, "self-protection is off", "leave out `self_protection: false` in the policy")
    for source in policy.sources:
        shown = shown_path(source.path, here.project, here.own.home)
        if source.ignored:
            yield Finding(NOTE, f"{shown} belongs to another user, so it does not count", "have it belong to you")
        elif source.layer == PROJECT and not source.trusted and _needs_trust(policy, shown):
            message = f"{shown} is not trusted: it denies and asks, but runs no script, approves and rewrites nothing"
            yield Finding(NOTE, message, "review it, then `rulez trust`")
            for why in signature_problems(policy.trusting, here.own, source.path, source.digest):
                said = f"{shown}{SIGNATURE}: this signature does not count: {why}"
                yield Finding(NOTE, said, "have it signed again by somebody who may; docs/trust.md says how")


def _never_remembered(policy: Policy, agents: tuple[AgentState, ...]) -> Iterator[Finding]:
    """Yield a note for each rule that needs a result which one of these agents does not tell."""
    for one in untold(policy.rules, [agent.platform for agent in agents if not _is_at_what_tells(agent.platform)]):
        yield Finding(NOTE, f"{one.file}:{one.line}: {one.message}", one.help)


def _is_at_what_tells(platform: str) -> bool:
    """Tell whether an agent tells results at some of its events, and rulez' hooks are at these."""
    told_at = {name: set(results.FORM.events) for name, results in parts("results").items()}.get(platform, set())
    return bool(told_at) and told_at <= set(events(platform))


def _only_warned(policy: Policy, agents: tuple[AgentState, ...]) -> Iterator[Finding]:
    """Yield a note where rules redact results, and agents are here whose hooks change none."""
    rules = [rule["name"] for rule in policy.rules if rule["mode"] == ENFORCE and "redact" in rule["actions"]]
    names = [one.agent for one in agents if not any(spec.result for spec in adapter(one.platform).EVENTS.values())]
    if rules and names:
        said = f"results are redacted ({', '.join(rules)}), and no hook of {' and '.join(names)} changes a result"
        advice = "there the model is only warned; a rule before the call keeps the secret from being read"
        yield Finding(NOTE, said, advice)


def _not_covered(policy: Policy, here: Machine) -> Iterator[Finding]:
    """Yield one note for all rule sets that fit the project and are not in force.

    Yield nothing while a policy file cannot be read.
    """
    if policy.problems:
        return
    fitting = without(suggestions(look(here.project, here.own.home)), policy.rules)
    if fitting:
        yield Finding(NOTE, f"Not covered here: {listed(fitting)}", "`rulez packs suggest` says how to take these sets")


def _needs_trust(policy: Policy, shown: str) -> bool:
    needing = {"run", "inline_script", "inject_command", "allow", "rewrite"}
    rules = (rule for rule in policy.rules if rule["source"].rpartition(":")[0] == shown)
    return any(needing & set(rule["actions"]) for rule in rules)


def _own_files(here: Machine) -> Iterator[Finding]:
    own = here.own
    why = audit.why_not_written(own)
    if why:
        yield Finding(NOTE, f"the log cannot be written: {why}", "make that file writable")
    why = trust_problem(own)
    if why:
        yield Finding(NOTE, why, "`rulez trust` makes a new list")
    why = _why_not_kept(own.cache)
    if why:
        what = f"the compiled policy cannot be kept, so each call compiles it anew: {own.cache} {why}"
        yield Finding(NOTE, what, f"make {own.cache} a directory of your own")


def _unpacked(cache: str) -> Iterator[Finding]:
    """Yield where the one file that runs here has unpacked itself, and if that place is as it left it."""
    place = os.path.dirname(os.path.realpath(sys.executable))
    if not onefile.is_place(place):
        return
    why = onefile.why_unsound(place)
    if why:
        yield Finding(BROKEN, f"{why}: this program is not what was unpacked", f"remove {place}, start rulez again")
        return
    said = f"{onefile.started() or 'one file'} has unpacked itself in {place}; all is there as it was unpacked"
    if os.path.dirname(place) != os.path.join(os.path.realpath(cache), "programs"):
        advice = f"have {cache}, and all above it, writable for you alone, with 60 MB of space, outside of the project"
        yield Finding(NOTE, f"{said}. The usual place is {cache}, which cannot be used", advice)
    else:
        yield Finding(NOTE, said, "self-protection guards it; it is no place to keep anything else")


def _why_not_kept(cache: str) -> str:
    try:
        private_directory(cache)
        why = why_not_private(os.lstat(cache))
    except OSError as error:
        return f"cannot be made ({error.strerror})"
    return why or ("" if os.access(cache, os.W_OK | os.X_OK) else "is not writable")
