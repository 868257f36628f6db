"""One call: from a payload to what is judged, to what is answered, to the line in the log.

INVARIANT: `respond`, `safely`, `failure` and `log` raise nothing; what fails before the answer is an answer.
"""

from __future__ import annotations

import os
import sys
import time

from rulez_py.analysis import Value
from rulez_py.event import Event, UnreadableEvent
from rulez_py.hook.failing import a_bug, failed, invalid_policy, tools_are_denied, unknown_event
from rulez_py.hook.project import Project, project_of, project_variable, working_directory
from rulez_py.hook.stdio import read_payload
from rulez_py.hook.values import HookCall, Outcome
from rulez_py.platforms import AUTO, adapter, adapter_or_unnamed, caller, senders
from rulez_py.platforms.parsing import EVENT_NAME_KEYS, spec_of, text
from rulez_py.policy.model.layers import may_be_excepted
from rulez_py.verdict import ASK, DENY, Verdict, merge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from rulez_py.platforms import Adapter
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.model.rule import Rule
    from rulez_py.policy.store.cache import InForce
    from rulez_py.system.places import Places
    from rulez_py.trust.exceptions import Excepted
    from rulez_py.trust.grants import Grant
    from rulez_py.verdict import RuleHit

SCRIPT_RESERVE = 2.0
"""Seconds of the budget that scripts may not use."""

_IGNORE_CASE = sys.platform in ("darwin", "win32")
_RUN = ("PreToolUse", "PermissionRequest")
"""The events before something that an agent does; the others that guard are before what a person says or chooses."""
_EVENT_NAMES = (*EVENT_NAME_KEYS, "hookName", "hook")


class PlacesRefused(Exception):
    """The environment names places that rulez must not trust; the arguments are the cause and the advice."""


class Case(Value):
    """A call to judge: the facts of an event, the policy in force, and those of its rules that can match.

    `readings` are the calls by which the agent would read what these rules inject, with the rules that can match them.
    `notes` are for the log. `freed` are the rules, by name and source, that only log because of a person's word, each
    with what is that word: "pause", "once", "exception 3".
    """

    facts: Facts
    policy: InForce
    rules: tuple[Rule, ...]
    readings: tuple[tuple[Facts, tuple[Rule, ...]], ...] = ()
    notes: tuple[str, ...] = ()
    freed: Mapping[tuple[str, str], str] = {}

    @property
    def trusted(self) -> bool:
        """True if people have trusted every rule in it."""
        return all(rule["trusted"] for rule in self.rules)

    def by_trusted_rules(self) -> Case:
        """Return the same by the rules alone that people have trusted."""
        return self.replace(rules=tuple(rule for rule in self.rules if rule["trusted"]))


def respond(call: HookCall, data: bytes) -> Outcome:
    """Return the outcome of one payload, judged in this process whatever the source of the rules."""
    return safely(call, lambda: by_sender(call, data, judged))


def by_sender(call: HookCall, data: bytes, judge: Callable[[HookCall, Case], Outcome]) -> Outcome:
    """Return what `judge` makes of a payload's case; under `--platform auto` its agent is found first.

    Where several agents may have sent it, it is judged as from each of them, and the strictest verdict counts.
    Raises UnreadableEvent, PlacesRefused, and whatever is a bug.
    """
    if call.options.platform != AUTO:
        return judge(call, case_of(call, data))
    payload = read_payload(data)
    call.learn(event_name=event_name_of(call, payload))
    names = senders(payload, call.environ)
    if len(names) > 1:
        from rulez_py.hook.unnamed import as_one

        return as_one(call, [_as_from(name, call, payload, judge) for name in names])
    # The adapter of an unknown sender reads nothing.
    call.learn(adapter=adapter_or_unnamed(names[0] if names else AUTO))
    return judge(call, case_for(call, event_from(call, payload)))


def _as_from(
    name: str, call: HookCall, payload: Mapping[str, object], judge: Callable[[HookCall, Case], Outcome]
) -> tuple[HookCall, Outcome]:
    """Return a call of its own, as from this agent, and its outcome; what fails in it is one."""
    one = HookCall(call.options.replace(platform=name), call.environ, call.started)
    one.learn(event_name=call.known.event_name)
    outcome = safely(one, lambda: judge(one, case_for(one, event_from(one, payload))))
    # The next one finds what this one has compiled.
    finish(one)
    return one, outcome


def safely(call: HookCall, work: Callable[[], Outcome]) -> Outcome:
    """Return the outcome of `work`, or that of its failure."""
    try:
        return work()
    except UnreadableEvent as error:
        return failure(call, f"the hook event cannot be read: {error}", "check how the hook is set up")
    except PlacesRefused as error:
        return failure(call, *error.args)
    except BaseException as error:  # A panic inside a compiled library is not an `Exception`.
        return failure(call, *a_bug(error))


def failure(call: HookCall, cause: str, advice: str) -> Outcome:
    """Return the outcome of a failed call: `on_error` of the policy, where the policy can be read."""
    try:
        on_error = _policy(call).on_error
    except BaseException:
        on_error = DENY
    return failed(call.known, cause, advice, on_error)


# From a payload to a case.


def case_of(call: HookCall, data: bytes) -> Case:
    """Return what a payload asks to be judged. Raises UnreadableEvent, PlacesRefused, and whatever is a bug."""
    return case_for(call, _event(call, data))


def case_for(call: HookCall, event: Event) -> Case:
    """Return the same, of an event of the agent that the call is from. Raises PlacesRefused, and whatever is a bug."""
    from rulez_py.policy.judging.index import Damaged

    project = project_of(call.known.adapter, event, call.environ)
    event = event.replace(project_dir=project.directory)
    call.learn(event=event, project=project)
    policy = _policy(call)
    facts = _facts(call, event, policy)
    try:
        case = selected(policy, facts)
    except Damaged:
        call.learn(policy=None)
        anew = _policy(call, damaged=policy)
        policy.close()
        case = selected(anew, facts)
    if event.is_after_the_call:
        call.learn(redacting=tuple(rule["name"] for rule in case.rules if _redacts(rule)))
    return case


def _redacts(rule: Rule) -> bool:
    return rule["mode"] == "enforce" and "redact" in rule["actions"]


def selected(policy: InForce, facts: Facts) -> Case:
    """Return the facts with the rules that can match them. Raises Damaged."""
    from rulez_py.policy.judging.decide import injected_reads
    from rulez_py.policy.judging.index import select

    rules = select(policy.packed, facts)
    reads = (read for rule in rules for read in injected_reads(rule, facts))
    readings = tuple((read, select(policy.packed, read)) for read in reads)
    return Case(facts=facts, policy=policy, rules=rules, readings=readings)


def _event(call: HookCall, data: bytes) -> Event:
    """Return the event of a payload, in the words of the platform that really sent it. Raises UnreadableEvent."""
    payload = read_payload(data)
    platform = adapter(caller(call.options.platform, payload, call.environ))
    call.learn(adapter=platform, event_name=event_name_of(call, payload))
    return event_from(call, payload)


def event_name_of(call: HookCall, payload: Mapping[str, object]) -> str | None:
    """Return the agent's name of the event, as the payload or the command line gives it."""
    return text(payload, *_EVENT_NAMES) or call.options.event


def event_from(call: HookCall, payload: Mapping[str, object]) -> Event:
    """Return the event of a payload in the words of the known agent. Raises UnreadableEvent."""
    event = call.known.adapter.parse(payload, call.options.event)
    if event.type == "PreToolUse" and not event.tool_name:
        raise UnreadableEvent(f"`{event.native_event}` comes before a call of a tool, but the payload names no tool")
    return event


def _facts(call: HookCall, event: Event, policy: InForce) -> Facts:
    from rulez_py.policy.facts.facts import Facts, Surroundings
    from rulez_py.system.scripts import World

    around = Surroundings(
        root=policy.root,
        home=places_of(call).home,
        environ=call.environ,
        ignore_case=_IGNORE_CASE,
        told_before=tells_before(call.known.adapter),
        programs=policy.programs,
        reads_files=True,
        now=_now(),
    )
    return Facts(event, around, World(call.environ, call.deadline - SCRIPT_RESERVE, shown=_shown))


def tells_before(adapter: Adapter) -> bool:
    """Tell if an agent's model also reads what is said before a call."""
    return any("PreToolUse" in spec.types and spec.context for spec in adapter.EVENTS.values())


def _now() -> str:
    text = time.strftime("%Y-%m-%dT%H:%M:%S%z")
    return f"{text[:-2]}:{text[-2:]}"


def _shown(text: str) -> str:
    """Return the text of a call as a record may have it: without secrets."""
    from rulez_py.log.audit import as_shown

    return as_shown(text)


def places_of(call: HookCall) -> Places:
    """This user's places."""
    from rulez_py.system.places import places

    return places(call.environ)


def _policy(call: HookCall, damaged: InForce | None = None) -> InForce:
    """Return the policy in force; looked for once. Raises PlacesRefused."""
    if call.known.policy is not None:
        return call.known.policy
    from rulez_py.policy.store.cache import in_force
    from rulez_py.policy.store.search import search
    from rulez_py.system.places import in_words, refused

    places, here = places_of(call), working_directory()
    project = call.known.project or Project(directory=project_variable(call.known.adapter, call.environ))
    start = project.directory
    found = search(places, start or here, rules_file=call.options.rules, beside=project.beside)
    refusals = refused(call.environ, places, (*found.grounds, *((here,) if here and not project.told else ())))
    call.learn(refused=refusals)
    if refusals:
        raise PlacesRefused(*in_words(refusals))
    policy = in_force(
        places,
        start or here,
        rules_file=call.options.rules,
        found=found,
        damaged=damaged,
        time_left=call.deadline - time.monotonic(),
    )
    call.learn(policy=policy)
    return policy


# Grants: calls that a person lets pass.

_EXCEPTIONS, _GRANTS = "exceptions.json", "grants"
"""The names of a file and a directory (`trust.exceptions`, `trust.grants`), asked for before these are imported."""


def as_granted(call: HookCall, case: Case) -> Case:
    """The case with the rules only logging that a person has excepted, has paused, or has let pass this one call.

    Where there is nothing of that, this asks the disk twice. What is granted for one call is then used up.
    """
    return under_grant(call, excepted(call, case))[0]


def excepted(call: HookCall, case: Case) -> Case:
    """Return the case with the rules only logging that a person has made exceptions from (`trust.exceptions`)."""
    there, problem = exceptions_of(call, case.policy) if case.rules else ((), "")
    if not there:
        return case.replace(notes=(*case.notes, problem)) if problem else case
    from rulez_py.policy.store.excepting import excepted as without

    rules, by = without(case.rules, case.facts, there)
    return case.replace(rules=rules, freed={key: f"exception {number}" for key, number in by.items()})


def exceptions_of(call: HookCall, policy: InForce) -> tuple[tuple[Excepted, ...], str]:
    """Return the exceptions that hold now, where the policy is in force.

    And what is wrong with their file, "" for nothing.
    """
    where = places_of(call)
    if policy.no_exceptions or not os.path.lexists(os.path.join(os.path.dirname(where.user_policy), _EXCEPTIONS)):
        return (), ""
    from rulez_py.trust.exceptions import read

    there, problem = read(where)
    now = time.time()
    return tuple(one for one in there if one.holds(policy.root, now)), problem


def under_grant(call: HookCall, case: Case, *, using: bool = True) -> tuple[Case, Grant | None]:
    """Return the case under a pause or what lets this one call pass, and that.

    Unless it is `using`, nothing is used up.

    INVARIANT: rules of the machine's policy and those by which rulez protects itself are enforced all the same, and
    where that policy says that people make no exceptions, all rules are.
    """
    where = places_of(call)
    if not case.rules or case.policy.no_exceptions or not os.path.isdir(os.path.join(where.state, _GRANTS)):
        return case, None
    from rulez_py.policy.store.excepting import freed
    from rulez_py.trust.grants import PAUSE, clock, passes, would_pass

    rules, keys = freed(case.rules)
    if not keys:
        return case, None
    grant, problems = (passes if using else would_pass)(where, _for_grants(case), time.time(), clock())
    if grant is None:
        return case.replace(notes=(*case.notes, *problems)), None
    by = "paused by a person" if grant.kind == PAUSE else "this call was let pass once by a person"
    said = f"{by} ({os.path.basename(grant.path)})"
    named = {**dict.fromkeys(keys, grant.kind), **case.freed}
    return case.replace(rules=rules, notes=(*case.notes, said, *problems), freed=named), grant


def _for_grants(case: Case) -> Any:
    """Return the call as grants are compared with it."""
    from rulez_py.event.arguments import command_lines
    from rulez_py.log.audit import as_shown, input_of
    from rulez_py.trust.grants import Call

    event = case.facts.event
    before = bool(set(_RUN) & set(event.types))
    lines = command_lines(event.tool_name, event.tool_input, event.own_input, known=event.known_tool)
    texts = lines or (input_of(event.tool_input),)
    return Call(
        root=case.policy.root,
        tool=event.tool_name or "",
        cwd=event.cwd or "",
        texts=tuple(text for text in texts if text) if before else (),
        shown=as_shown(input_of(event.tool_input)),
        key=f"{event.session_id}\0{event.call_id}" if event.call_id else "",
    )


# From a case to an answer.


def _with_the_later_one(call: HookCall, event: Event) -> Event:
    """Say of an event whether the agent asks rulez about the call once more, where it acts on an ask."""
    later = call.known.adapter.asks_at(event)
    if not later:
        return event
    from rulez_py.hook.later import asks_later

    return event.replace(asked_later=asks_later(event.platform, later, event.project_dir))


def judged(call: HookCall, case: Case) -> Outcome:
    """Return the verdict on a case and the answer for the agent. Raises where there is a bug."""
    policy, event = case.policy, case.facts.event
    verdicts = [Verdict(notes=case.notes, warnings=(*policy.warnings, *_where_it_begins(call, case)))]
    if policy.problems:
        verdicts += _by_an_invalid_policy(call, case)
    if case.rules:
        verdicts.append(by_its_rules(call, case))
    verdict = _with_what_freed_it(merge(verdicts), case.freed)
    if not policy.no_exceptions:
        verdict = _with_the_way_out(verdict, event)
    if verdict.decision == ASK:
        event = _with_the_later_one(call, event)
    return Outcome(verdict=verdict, answer=call.known.adapter.answer(verdict, event))


def by_its_rules(call: HookCall, case: Case) -> Verdict:
    """Return what the rules of a case say of its call, and of what they make of it. Raises where there is a bug."""
    from rulez_py.policy.judging.decide import decide

    verdict = decide(case.rules, case.facts, case.readings)
    if verdict.redact:
        from rulez_py.log.results import with_result

        verdict = with_result(verdict, case.facts.event)
    return _with_what_the_rewritten_call_meets(call, case, verdict) if verdict.rewrite else verdict


def _with_what_the_rewritten_call_meets(call: HookCall, case: Case, verdict: Verdict) -> Verdict:
    """Return the verdict, stricter where a rule denies or asks about the call as a rewrite has made it.

    INVARIANT: what a rule denies does not pass because another rule has written it. A person's word for the call as the
    agent has sent it counts for the same rules.
    """
    from rulez_py.event.arguments import canonicalise, rewritten
    from rulez_py.policy.judging.decide import decide_rewritten

    event = case.facts.event
    if event.type != "PreToolUse" or not verdict.rewrite:
        return verdict
    new = rewritten(event.own_input, event.tool_name, verdict.rewrite, known=event.known_tool)
    if new is None or new == event.own_input:
        return verdict
    then = event.replace(tool_input=canonicalise(new, event.tool_name), own_input=new)
    again = excepted(call, selected(case.policy, case.facts.of(then)))
    against = decide_rewritten((_as_freed(one, case) for one in again.rules), again.facts)
    hits = tuple(hit for hit in against.hits if hit.decision in (DENY, ASK) or not _is_among(hit, verdict.hits))
    reason = f"{against.reason} {_REWRITTEN}" if against.decision else ""
    return merge((verdict, against.replace(hits=hits, reason=reason)))


def _as_freed(rule: Rule, case: Case) -> Rule:
    """Return a rule that only logs where a person has said so for this call."""
    return {**rule, "mode": "audit"} if (rule["name"], rule["source"]) in case.freed else rule


def _is_among(hit: RuleHit, hits: Iterable[RuleHit]) -> bool:
    return any((one.rule, one.source) == (hit.rule, hit.source) for one in hits)


_REWRITTEN = "(The call is looked at as the policy rewrites it.)"
WAY_OUT = "Only the person can make an exception, in their own terminal (rulez allow)."


def _with_what_freed_it(verdict: Verdict, freed: Mapping[tuple[str, str], str]) -> Verdict:
    """A verdict with the person's word by which a rule only logs that would have stopped the call, or might have."""
    by = (freed.get((hit.rule, hit.source), "") for hit in verdict.hits if hit.would)
    return verdict.replace(let_pass=next(filter(None, by), "")) if freed else verdict


def _with_the_way_out(verdict: Verdict, event: Event) -> Verdict:
    """Return a denial with a word for the person, where what denies is something that they can let pass.

    A question has it apart: it is told only where the agent cannot ask, and it becomes a denial.
    """
    if verdict.decision not in (DENY, ASK) or verdict.failed or not set(_RUN) & set(event.types):
        return verdict
    objecting = [hit for hit in verdict.hits if hit.decision == verdict.decision]
    if not objecting or not all(may_be_excepted(hit.layer, hit.source) for hit in objecting):
        return verdict
    if verdict.decision == ASK:
        return verdict.replace(way_out=WAY_OUT)
    return verdict.replace(reason=f"{verdict.reason} {WAY_OUT}")


def _by_an_invalid_policy(call: HookCall, case: Case) -> list[Verdict]:
    """Return what a policy that cannot be read says: nothing that it should have judged passes.

    One that came with a repository, and that no person has trusted, does not keep a person from asking what is wrong.
    """
    policy, event = case.policy, case.facts.event
    prompts = spec_of(call.known.adapter.EVENTS, event.native_event).guards and not set(_RUN) & set(event.types)
    told = tuple(one for one in policy.problems if prompts and one in policy.untrusted)
    denying = tuple(one for one in policy.problems if one not in told)
    verdicts = [invalid_policy(denying, policy.on_error)] if denying else []
    return [*verdicts, tools_are_denied(told)] if told else verdicts


def _where_it_begins(call: HookCall, case: Case) -> tuple[str, ...]:
    """Return what a person should know of the protection, where a session begins.

    At any other time it would cost each call.

    That is what the project does to hooks, and that the log cannot be written, which no later message says.
    """
    platform, event, root = call.known.adapter, case.facts.event, case.policy.root
    if not spec_of(platform.EVENTS, event.native_event).begins:
        return ()
    from rulez_py.disabled_hooks import warnings
    from rulez_py.log import audit
    from rulez_py.policy.store.search import shown_path

    places, start = places_of(call), event.project_dir or root
    found = warnings(platform.NAME, (start, root), call.environ, lambda path: shown_path(path, root, places.home))
    why = audit.why_not_written(places)
    log = (f"rulez judges, but cannot log what it decides: {why}. Make that file writable.",) if why else ()
    return (*found, *log)


# When the answer is out.


def log(call: HookCall, outcome: Outcome) -> None:
    """Append the decision to the audit log."""
    try:
        from rulez_py.log import audit

        known = call.known
        event = known.event or unknown_event(known.adapter, known.event_name)
        milliseconds = (time.monotonic() - call.started) * 1000
        policies = known.policy.sources if known.policy is not None else ()
        sources = [source.path for source in policies if not source.ignored]
        entry = audit.entry_for(event, outcome.verdict, outcome.answer, milliseconds, time.time(), sources)
        places = _places_of_the_log(call)
        if places is not None:
            audit.record(places, entry)
    except BaseException:
        return


def _places_of_the_log(call: HookCall) -> Places | None:
    """Return this user's places; where another user owns the log, those of the home in the system's accounts."""
    here = places_of(call)
    if not any(refusal.field == "state" for refusal in call.known.refused):
        return here
    from rulez_py.system.places import places, real_homes

    homes = real_homes(here)
    return places({"HOME": homes[0]}) if homes else None


def finish(call: HookCall) -> None:
    """Keep the policy for later calls, where this one had to compile it, and let go of it; raises nothing."""
    policy = call.known.policy
    if policy is None:
        return
    try:
        policy.keep()
    except BaseException:
        return
    finally:
        policy.close()


_AFTER = "PostToolUse"


def remember(call: HookCall) -> None:
    """Note the files that the agent has just read or written, where a rule asks for that; raises nothing."""
    try:
        event, policy = call.known.event, call.known.policy
        if policy is None or not policy.remembers or event is None or _AFTER not in event.types or not event.session_id:
            return
        from rulez_py.system.sessions import seen

        state = places_of(call).state
        seen.note(state, event.session_id, dict.fromkeys(files_seen(_facts(call, event, policy))))
        seen.forget(state, time.time())
    except BaseException:
        return


_SHOWING = ("bat", "batcat", "cat", "get-content", "less", "more", "nl", "tac", "type")
"""Programs that print all of a file."""
_PARTLY = ("limit", "offset", "start_line", "end_line", "view_range")
"""Arguments by which a tool reads a part of a file."""


def files_seen(facts: Facts) -> Iterator[str]:
    """Yield the files that the agent knows as they are now: those that it was shown, all of them, or wrote anew."""
    from rulez_py.event.arguments import WRITE

    if any(facts.event.tool_input.get(key) is not None for key in _PARTLY):
        return
    for part in facts.parts:
        written = any(file.access == (WRITE,) for file in part.files)
        shown = part.command is None or (part.command.program in _SHOWING and not written)
        for file in part.files:
            if file.known and not file.deep and (shown or (file.access == (WRITE,) and not file.keeps)):
                yield file.path


def sweep(call: HookCall) -> None:
    """Delete checkpoints that are too old or too many, in a process of its own; raises nothing.

    The agent may wait for this process to end, so it is not this one that does it.
    """
    try:
        state = places_of(call).state
        if call.known.refused or not os.path.isdir(os.path.join(state, "checkpoints")):
            return
        from rulez_py.system.checkpoints import records

        now = time.time()
        if not records.is_due(state, now):
            return
        if not hasattr(os, "fork"):
            records.sweep(state, now)
            return
        child = os.fork()
        if child == 0:
            _apart_from_the_agent(lambda: records.sweep(state, now))
        os.waitpid(child, 0)
    except BaseException:
        return


def _apart_from_the_agent(work: Callable[[], object]) -> None:
    """Do this in a child that nothing waits for, and end this process."""
    try:
        if os.fork() == 0:
            from rulez_py.policy.store.compile_lock import leave_the_agent

            leave_the_agent()
            work()
    finally:
        os._exit(0)
