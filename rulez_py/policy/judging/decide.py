"""The one judging function: the facts of an event and a policy's rules in, a verdict out.

Validators run before injections; nothing with a side effect runs after a deny. Whatever the world has to do is
asked of the facts' `effects`.
"""

from __future__ import annotations

import os

from rulez_py.event import AFTER_THE_CALL
from rulez_py.platforms.tool_table import inbound
from rulez_py.policy.facts.disk import joined, slashed
from rulez_py.policy.judging.matching import (
    is_excepted,
    looked_at,
    looks_at_parts,
    matched_by,
    matched_in,
    matches,
    matches_certainly,
    narrowed,
)
from rulez_py.policy.matchers import matcher
from rulez_py.policy.model.layers import CERTAIN, DOUBT, OFF, PROJECT
from rulez_py.policy.patterns import regex
from rulez_py.verdict import (
    ALLOW,
    ASK,
    DENY,
    NO_OPINION,
    UNKNOWN,
    Checkpoint,
    Redaction,
    RuleHit,
    Verdict,
    merge,
    printable,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from rulez_py.event import Event
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.judging.partial import Changed
    from rulez_py.policy.model.rule import Rule
    from rulez_py.policy.patterns.expressions import ExpressionError
    from rulez_py.system.effects import Kept, Script, ScriptResult

    Readings = Iterable[tuple[Facts, Iterable[Rule]]]
    """Calls by which the agent would read what rules inject (`injected_reads`), with the rules that can match them."""
    Judges = Callable[[Facts], Iterable[Rule]]


_BLOCKED = "Blocked by rule"
_OWN_DIRECTORIES = (".rulez", ".claude")


class _Outcome:
    """The state of one matched rule so far.

    `doubt` is why it is not known whether the rule is on, None where it is. A rule that `waits` says nothing until a
    person has trusted it.
    """

    def __init__(self, rule: Rule, facts: Facts, doubt: ExpressionError | None = None) -> None:
        self.rule = rule
        self.facts = facts
        self.doubt = doubt
        self.waits = _waits(rule, facts.event)
        self.decision = NO_OPINION
        self.reason = ""
        self.failed = False
        self.asks = False
        """True if it asks although the rule denies."""
        self.context: list[str] = []
        self.notes: list[str] = []
        self.rewrite, self.parts = _rewrites(rule)
        """New arguments, and what becomes of parts of others."""
        self.changed: dict[str, Changed] = {}
        """Arguments with parts that change."""
        self.checkpoint: Checkpoint | None = None

    @property
    def by(self) -> str:
        """The part of the call by which the rule matches: words of a command line, files, hosts; "" for any other."""
        words = " ".join(matched_by(self.rule["match"], self.facts))
        place = matched_in(self.rule["match"], self.facts)
        return f"{place} runs {words}" if place and words else place or words

    def settle(self, decision: str, reason: str, *, failed: bool = False) -> None:
        if self.asks and decision == DENY:
            decision = ASK
        self.decision, self.reason, self.failed = decision, reason, failed

    def kept(self, done: Kept, said: str) -> None:
        """Say that what the call would lose is kept: by a checkpoint, or by none where the call is only looked at."""
        self.context.append(said)
        self.notes.append(said)
        if done.id:
            given = {name: value for name, value in done.as_dict().items() if name != "error"}
            self.checkpoint = Checkpoint(rule=self.rule["name"], **given)

    def finish(self, *, tell: bool) -> Verdict:
        """Return the rule's verdict after its mode; without `tell` it has no text for the model."""
        rule, decision = self.rule, self.decision
        if rule["mode"] == "warn" and decision in (DENY, ASK):
            warning = self.reason.replace(_BLOCKED, "Warning by rule", 1)
            self.context = [f"{warning}\nThis rule only warns (mode: warn): the operation goes on."]
        would = NO_OPINION
        if rule["mode"] != "enforce":
            would = decision if decision in (DENY, ASK) else _unless_a_script_says(rule)
            decision = NO_OPINION
        hit = RuleHit(
            rule=rule["name"],
            layer=rule["layer"],
            source=rule["source"],
            mode=rule["mode"],
            decision=decision,
            would=would,
        )
        return Verdict(
            decision=decision,
            reason=self.reason if decision in (DENY, ASK, ALLOW) else "",
            rule=rule["name"] if decision else None,
            hits=(hit,),
            context=tuple(self.context) if tell else (),
            rewrite=self.rewrite or None if decision != DENY and self.doubt is None else None,
            notes=tuple(self.notes),
            failed=self.failed and bool(decision),
            checkpoints=() if self.checkpoint is None else (self.checkpoint,),
        )


def decide(rules: Iterable[Rule], facts: Facts, readings: Readings | None = None) -> Verdict:
    """Return the verdict of `rules` (in evaluation order) on an event; `facts` are seen from the agent's project.

    `readings` are those of `injected_reads`, with the rules that can match each; without them, `rules` are all there
    are. Raises nothing of its own; an exception here is a bug, and the caller denies.
    """
    notes: list[str] = []
    found = tuple(rules)
    matched = _judged(found, facts, notes, counting=True)
    if any(outcome.changed for outcome in matched):
        _join_parts(matched, facts)
    for outcome in _active(matched):
        if outcome.decision in (NO_OPINION, ALLOW) and not _told_before(outcome.rule, facts):
            _inject(outcome, facts, _judges(found, readings), denied=_denied(matched))
    if any("remember" in rule["actions"] for rule in found):
        notes += _remember(found, matched, facts)
    verdict = merge(outcome.finish(tell=not _told_before(outcome.rule, facts)) for outcome in matched)
    return verdict.replace(notes=(*notes, *verdict.notes), redact=tuple(_redactions(matched, facts)))


def _redactions(matched: list[_Outcome], facts: Facts) -> Iterator[Redaction]:
    """Yield what rules want taken out of the result, where it is there; a rule that may hold wants it too."""
    if not facts.event.is_after_the_call:
        return
    for outcome in matched:
        rule = outcome.rule
        if (said := rule["actions"].get("redact")) is None:
            continue
        parts = (rule["description"] and f"{rule['description'].rstrip('.')}.", rule["suggestion"])
        why = printable(" ".join(part for part in parts if part))
        yield Redaction(
            rule=rule["name"],
            mode=rule["mode"],
            shapes=tuple(said["shapes"]),
            regexes=tuple(said["regexes"]),
            why=why,
        )


def _remember(rules: Iterable[Rule], matched: list[_Outcome], facts: Facts) -> tuple[str, ...]:
    """Have the session remember and forget what these rules say; return why that failed where it did."""
    from rulez_py.policy.judging.remembering import note

    by = [(outcome.rule, outcome.facts) for outcome in matched if outcome.doubt is None]
    return note(rules, by, lambda rule: seen_by(rule, facts), denied=_denied(matched))


def decide_rewritten(rules: Iterable[Rule], facts: Facts) -> Verdict:
    """Return what rules say of a call as a rewrite has made it; nothing is approved, rewritten or injected by that.

    It is the call that has been counted.
    """
    uncounted = (rule for rule in rules if "at_most" not in rule)
    matched = _judged((_without_rewrite(rule) for rule in uncounted), facts, [])
    verdict = merge(outcome.finish(tell=True) for outcome in matched).replace(rewrite=None)
    return verdict.replace(decision=NO_OPINION, reason="", rule=None) if verdict.decision == ALLOW else verdict


def _without_rewrite(rule: Rule) -> Rule:
    if "rewrite" not in rule["actions"]:
        return rule
    actions = rule["actions"].copy()
    del actions["rewrite"]
    return {**rule, "actions": actions}


def _judges(rules: Iterable[Rule], readings: Readings | None) -> Judges:
    """The rules that judge what a rule injects: those of its reading, which is among `readings` where there are any."""
    if readings is None:
        return lambda _reading: rules
    chosen = tuple(readings)
    return lambda reading: next(found for one, found in chosen if one.event == reading.event)


def _judged(rules: Iterable[Rule], facts: Facts, notes: list[str], *, counting: bool = False) -> list[_Outcome]:
    """Return what becomes of the rules that match, up to what they give to the model.

    A call that passes is counted where that is asked for.
    """
    found = (_matched(rule, seen_by(rule, facts), notes) for rule in rules)
    matched = [outcome for outcome in found if outcome is not None]
    for outcome in (*_active(matched), *filter(_only_logs, matched)):
        _settle_by_itself(outcome)
    for outcome in _active(matched):
        if _denied(matched):
            break
        _run_validators(outcome, facts)
    for outcome in (*_active(matched), *filter(_only_logs, matched)):
        if "at_most" in outcome.rule and outcome.decision in (NO_OPINION, ALLOW) and not _denied(matched):
            _count(outcome, counting=counting)
    for outcome in _active(matched):
        if "checkpoint" in outcome.rule["actions"] and outcome.decision in (NO_OPINION, ALLOW):
            _checkpoint(outcome, denied=_denied(matched))
    return matched


def _count(outcome: _Outcome, *, counting: bool) -> None:
    """Count the call, or object where that is one too many."""
    from rulez_py.policy.judging.remembering import objection

    if why := objection(outcome.rule, outcome.facts, counting=counting):
        _object(outcome, why)


def _checkpoint(outcome: _Outcome, *, denied: bool) -> None:
    """Keep what the call would lose, and let it go through; object where not all of it can be kept."""
    rule = outcome.rule
    why = ""
    if rule["mode"] == "enforce" and not denied:
        from rulez_py.policy.judging.keeping import in_words, kept

        done = kept(rule, outcome.facts)
        if not done.error:
            outcome.kept(done, in_words(done))
            return
        why = done.error
    _object(outcome, why)


def seen_by(rule: Rule, facts: Facts) -> Facts:
    """Return the facts of an event as a rule looks at them: from its own project, and as widely as it says."""
    return looked_at(rule["match"], facts.in_project(rule.get("place") or _root(rule, facts)))


def _active(matched: list[_Outcome]) -> list[_Outcome]:
    return [one for one in matched if one.rule["mode"] != "audit" and one.doubt is None and not one.waits]


def _only_logs(outcome: _Outcome) -> bool:
    """Tell if the note says what the rule would decide, were it on: by its own word, no script runs for that."""
    objects = bool(_OBJECTING & outcome.rule["actions"].keys())
    return objects and outcome.rule["mode"] == "audit" and outcome.doubt is None and not outcome.waits


def _unless_a_script_says(rule: Rule) -> str:
    """Return what a rule would have been that does not object by its own word, and only logs: its scripts do not
    run.
    """
    return UNKNOWN if rule["mode"] == "audit" and _SCRIPTS & rule["actions"].keys() else NO_OPINION


_OBJECTING = frozenset(("block", "block_if_match", "ask", "checkpoint", "validate_expr"))
_SCRIPTS = frozenset(("run", "inline_script"))
ENDINGS = ("Stop", "SubagentStop", "AfterAgent", "TeammateIdle", "TaskCompleted")
"""Events where a denial, and on some agents any text, is the agent's next task."""


def _waits(rule: Rule, event: Event) -> bool:
    return not rule["trusted"] and any(kind in ENDINGS for kind in event.types)


def _told_before(rule: Rule, facts: Facts) -> bool:
    return facts.around.told_before and facts.event.type in AFTER_THE_CALL and "operations" not in rule["match"]


def _denied(matched: list[_Outcome]) -> bool:
    return any(outcome.decision == DENY and outcome.rule["mode"] == "enforce" for outcome in matched)


def _matched(rule: Rule, facts: Facts, notes: list[str]) -> _Outcome | None:
    """Return the outcome of a rule that holds for this event, or may hold; None where it does not."""
    if looks_at_parts(rule["match"]) and facts.runs_files:
        return _matched_in_files(rule, facts, notes)
    if not _holds(rule, facts):
        return None
    if rule["enabled_when"] is None:
        return _noted(_Outcome(rule, facts))
    from rulez_py.policy.patterns.expressions import ExpressionError, is_about_something_else

    try:
        return _noted(_Outcome(rule, facts)) if is_enabled(rule, facts) else None
    except ExpressionError as error:
        outcome = _Outcome(rule, facts, error)
        if not is_about_something_else(rule["enabled_when"], facts.event, error) and _would_act(outcome):
            _settle_in_doubt(outcome)
            return outcome
        why = f"its enabled_when `{rule['enabled_when']}` failed: {error}"
        notes.append(f'rule "{rule["name"]}" ({rule["source"]}) is off here: {why}')
        return None


def is_enabled(rule: Rule, facts: Facts) -> bool:
    """Tell whether a rule's `enabled_when` is true for an event, or it has none. Raises ExpressionError."""
    return rule["enabled_when"] is None or _is_true(rule["enabled_when"], rule, facts, every=False)


def _is_true(expression: str, rule: Rule, facts: Facts, *, every: bool = True) -> bool:
    """Tell whether an expression of a rule is true for an event. Raises ExpressionError."""
    from rulez_py.policy.patterns.expressions import evaluate

    return evaluate(
        expression,
        facts.event,
        _environ(rule, facts),
        every=every,
        repositories=_repositories(rule, facts),
        describe=_describe(facts),
    )


def read_by(expression: str, rule: Rule, facts: Facts) -> tuple[str, ...]:
    """Return what an expression of a rule reads in an event, for people: each variable and its value."""
    from rulez_py.policy.patterns.expressions import seen

    return seen(
        expression,
        facts.event,
        _environ(rule, facts),
        repositories=_repositories(rule, facts),
        describe=_describe(facts),
    )


def _matched_in_files(rule: Rule, facts: Facts, notes: list[str]) -> _Outcome | None:
    """Return the outcome of a rule for a call that runs files.

    INVARIANT: a command in a file that was written since the last commit counts as if it were typed. In a file that is
    as committed only what is certain counts, and a denial becomes a question: the file was not written for this call.
    Actions that weaken a policy look at the line alone. A rule's `files` makes less count, or more.
    """
    typed = _matched(rule, facts.as_typed, notes)
    counts = rule.get("files", CERTAIN)
    if (
        typed is not None
        or counts == OFF
        or not _OBJECTING & rule["actions"].keys()
        or not matches(rule["match"], facts)
    ):
        return typed
    written = _matched(rule, facts.as_written, notes)
    if written is not None:
        return written
    shipped = facts.as_if_typed if counts == DOUBT else facts.as_shipped
    if not shipped.parts or (counts == CERTAIN and not matches_certainly(rule["match"], shipped)):
        return None
    found = _matched(rule, shipped, notes)
    if found is not None:
        found.asks = True
    return found


def _holds(rule: Rule, facts: Facts) -> bool:
    """Tell whether the rule matches, its exception does not, and the session has done what it is about."""
    if not matches(rule["match"], facts) or is_excepted(rule["except"], rule["match"], facts):
        return False
    return not _asks_the_session(rule) or _is_due(rule, facts)


def _asks_the_session(rule: Rule) -> bool:
    return "requires" in rule or "remembered" in rule


def _is_due(rule: Rule, facts: Facts, *, strict: bool = False) -> bool:
    """Tell whether a rule holds by what the session has done."""
    from rulez_py.policy.judging.remembering import holds

    return holds(rule, facts, strict=strict)


def _noted(outcome: _Outcome) -> _Outcome:
    if outcome.waits and outcome.rule["actions"] and outcome.rule["mode"] != "audit":
        outcome.notes.append(_untrusted(outcome.rule, "it may not keep the agent going"))
    return outcome


def _would_act(outcome: _Outcome) -> bool:
    """Tell whether the rule, were it on, might stop or change the call."""
    rule, actions = outcome.rule, outcome.rule["actions"]
    if rule["mode"] == "audit" or outcome.waits:
        return False
    if "redact" in actions and outcome.facts.event.is_after_the_call:
        return True
    if any(one in actions for one in ("run", "inline_script", "checkpoint")) or any(_rewrites(rule)):
        return True
    were_it_on = _Outcome(rule, outcome.facts)
    _settle_by_itself(were_it_on)
    return were_it_on.decision in (DENY, ASK)


def _settle_in_doubt(outcome: _Outcome) -> None:
    """INVARIANT: what a call leaves out or spells oddly switches no rule off; `on_error` decides."""
    rule, doubt = outcome.rule, outcome.doubt
    expression = f"its enabled_when `{rule['enabled_when']}` failed: {doubt}"
    cause = f'rule "{rule["name"]}" ({rule["source"]}) may hold here, for {expression}'
    _failed(outcome, cause, rule["on_error"], "" if doubt is None else doubt.advice)


def _certain(rule: Rule, facts: Facts) -> bool:
    """Return what an allow needs: the rule matches in every reading of the event, its exception in none."""
    if not matches(rule["match"], facts, strict=True):
        return False
    if any(matches(one, facts) for one in rule["except"]):
        return False
    if _asks_the_session(rule) and not _is_due(rule, facts, strict=True):
        return False
    if rule["enabled_when"] is None:
        return True
    from rulez_py.policy.patterns.expressions import ExpressionError, evaluate

    try:
        return evaluate(
            rule["enabled_when"],
            facts.event,
            _environ(rule, facts),
            repositories=lambda names: _told(facts, names),
            describe=_describe(facts),
        )
    except ExpressionError:
        return False


def _settle_by_itself(outcome: _Outcome) -> None:
    """Hold what the rule decides without asking the world."""
    rule, facts = outcome.rule, outcome.facts
    actions = rule["actions"]
    if "validate_expr" in actions:
        from rulez_py.policy.patterns.expressions import ExpressionError

        try:
            if not _is_true(actions["validate_expr"], rule, facts):
                outcome.settle(DENY, _blocked(outcome, f"validation failed: {actions['validate_expr']}"))
                return
        except ExpressionError as error:
            outcome.settle(DENY, _blocked(outcome, f"validation error: {error} (in {actions['validate_expr']})"))
            return
    # Whether it can be kept instead, or is one too many, is asked later, when nothing has denied the call.
    keeps = "at_most" in rule or ("checkpoint" in actions and rule["mode"] != "audit")
    if actions.get("block") and not keeps:
        _object(outcome)
    elif "block_if_match" in actions and (pattern := _written_pattern(actions["block_if_match"], facts)) is not None:
        outcome.settle(DENY, _blocked(outcome, f"the text to write matches {pattern}"))
    elif (actions.get("ask") or "checkpoint" in actions) and not keeps:
        _object(outcome)
    elif actions.get("allow"):
        if not rule["trusted"]:
            outcome.notes.append(_untrusted(rule, "its allow is ignored"))
        elif _certain(rule, facts):
            outcome.settle(ALLOW, _sentence(rule, f'Allowed by rule "{rule["name"]}"', actions["allow"]))
    if "rewrite" in actions and not rule["trusted"]:
        outcome.notes.append(_untrusted(rule, "its rewrite is ignored"))
    _keep_the_rest(outcome, outcome.rewrite)
    _change_parts(outcome)


def _object(outcome: _Outcome, why_not_kept: str = "") -> None:
    """Deny or ask by the rule's own word; a rule that keeps asks where it cannot, unless it says what it does then."""
    actions = outcome.rule["actions"]
    word = next(name for name in ("block", "ask", "checkpoint") if name in actions)
    why = (_SHIPPED if outcome.asks else _doubt(outcome)) if word == "block" else ""
    besides = "; ".join(part for part in (why or _consequence(outcome), why_not_kept) if part)
    if word == "block" and not why:
        outcome.settle(DENY, _blocked(outcome, actions["block"], besides))
    else:
        outcome.settle(ASK, _objection(outcome.rule, _wants_approval(outcome), actions.get(word), besides))


def _keep_the_rest(outcome: _Outcome, changes: Mapping[str, object]) -> None:
    """INVARIANT: what a line runs beside the command that a rule is about is never lost without a word."""
    line = changes.get("command")
    if outcome.decision == DENY or not isinstance(line, str) or outcome.facts.event.type != "PreToolUse":
        return
    from rulez_py.policy.judging import rewriting

    if objection := rewriting.objection(outcome.rule["match"], outcome.facts, line):
        outcome.settle(DENY, _blocked(outcome, objection))


def _change_parts(outcome: _Outcome) -> None:
    """INVARIANT: a part that cannot be rewritten with certainty is a denial; all beside it stays as it is."""
    if not outcome.parts or outcome.decision == DENY or outcome.facts.event.type != "PreToolUse":
        return
    from rulez_py.policy.judging import partial

    for name, wanted in outcome.parts.items():
        try:
            changed = partial.changed(outcome.rule["match"], outcome.facts, name, wanted)
        except partial.Refused as refused:
            outcome.settle(DENY, _blocked(outcome, str(refused)))
            return
        if changed is not None:
            outcome.changed[name] = changed


def _join_parts(matched: list[_Outcome], facts: Facts) -> None:
    """Make one new value of what several rules change of an argument; of what contradicts, the earlier rule's counts.

    The first of these rules has it, so that it counts as its rewrite.
    """
    from rulez_py.policy.judging import partial

    first: dict[str, _Outcome] = {}
    joined: dict[str, Changed] = {}
    for outcome in matched:
        for name in outcome.rewrite:
            first.setdefault(name, outcome)
        for name, changed in outcome.changed.items():
            before = joined.get(name)
            if name not in first:
                first[name], joined[name] = outcome, changed
            elif before is None or partial.overlap(before, changed):
                outcome.notes.append(f'rule "{outcome.rule["name"]}": another rule rewrites `{name}` otherwise')
            else:
                edits = tuple(dict.fromkeys((*before.edits, *changed.edits)))
                joined[name] = before.replace(edits=edits)
    for name, changed in joined.items():
        outcome = first[name]
        try:
            outcome.rewrite[name] = partial.applied(changed, facts)
        except partial.Refused as refused:
            outcome.settle(DENY, _blocked(outcome, str(refused)))


_SHIPPED = "the file is as the repository has it"
_SUPPOSED = "what this program does with the file is not known"
_DOUBTED = "it is not known if this program runs that"


def _doubt(outcome: _Outcome) -> str:
    """Return why a rule that matches only asks: it does by what a program may do with its words; "" where it blocks.

    INVARIANT: what a program is known to do is looked at alone, so a doubt beside it takes nothing away.
    """
    rule, facts = outcome.rule, outcome.facts
    if not facts.lines or not looks_at_parts(rule["match"]):
        return ""
    if facts.doubted and not _holds(rule, facts.without_doubted()):
        return _DOUBTED
    if "paths" not in rule["match"] or not facts.named:
        return ""
    asked = matcher("paths")
    if asked.leaning(rule["match"]["paths"]) != asked.ASK:
        return ""
    return _SUPPOSED if not _holds(rule, facts.without_doubted().without_named()) else ""


def _written_pattern(patterns: list[str], facts: Facts) -> str | None:
    """Return the first of the patterns that a text to be written fits."""
    return next((p for p in patterns if any(regex.search(p, text) is not None for text in facts.written)), None)


def _run_validators(outcome: _Outcome, facts: Facts) -> None:
    rule = outcome.rule
    for script, given in _scripts(rule, facts):
        if outcome.decision == DENY:
            return
        what = "inline script" if script.inline else f"`{' '.join(script.command)}`"
        on_error = (None if script.inline else rule["actions"]["run"]["on_error"]) or rule["on_error"]
        if not rule["trusted"]:
            why = f"{rule['source'].rpartition(':')[0]} is not trusted, or has changed since it was"
            _could_not_run(outcome, what, why, on_error, "review the file, then run `rulez trust` in a terminal")
            return
        result = facts.effects.run(script)
        if result.exit_code is None:
            advice = "repair the script, or set `settings.on_error` in the policy file"
            _could_not_run(outcome, what, result.error, on_error, advice)
            return
        _apply_report(outcome, result, what, given)


def _scripts(rule: Rule, facts: Facts) -> list[tuple[Script, Mapping[str, object]]]:
    """Return what the rule has run, each once for every way to read the call's arguments, and that way.

    A program that asks for facts of the repository runs for each one that the call is about.

    INVARIANT: it runs where its policy is, so that no name in a person's own policy means a file of a repository.
    """
    actions = rule["actions"]
    scripts: list[tuple[Script, Mapping[str, object]]] = []
    if "inline_script" not in actions and "run" not in actions:
        return []
    from rulez_py.policy.judging.scripting import event_json
    from rulez_py.system.effects import Script

    for one in facts.arguments:
        event = facts.event.replace(tool_input=one)
        if "inline_script" in actions:
            script = Script(
                command=(actions["inline_script"],),
                inline=True,
                cwd=rule["root"],
                project_dir=facts.around.root,
                timeout=rule["timeout"],
                stdin=event_json(event, facts.around.root),
            )
            scripts.append((script, one))
        known = _described(rule, facts)
        for git in _told_to_scripts(rule, facts) if "run" in actions else ():
            run = actions["run"]
            script = Script(
                command=tuple(run["command"]),
                shell=run["shell"],
                cwd=rule["root"],
                project_dir=facts.around.root,
                timeout=run["timeout"] or rule["timeout"],
                stdin=event_json(event, facts.around.root, {**known, "git": git}),
            )
            scripts.append((script, one))
    return scripts


def _told_to_scripts(rule: Rule, facts: Facts) -> list[dict[str, object]] | list[None]:
    """Return what the rule's script is told of each repository, None for what is unknown or not asked for."""
    names = rule["actions"]["run"].get("git")
    if not names:
        return [None]
    from rulez_py.system.git.values import ROOT

    return [{name: told.get(name) for name in (ROOT, *names)} for told in _repositories(rule, facts)(names)]


def _described(rule: Rule, facts: Facts) -> dict[str, object]:
    """Return what the rule's script is told of the call besides its fields."""
    describe = _describe(facts)
    return {name: describe(name) for name in rule["actions"].get("run", {}).get("facts", ())}


def _could_not_run(outcome: _Outcome, what: str, why: str, on_error: str, advice: str) -> None:
    """INVARIANT: a validator that could not run is a failure, and `on_error` decides."""
    cause = f'rule "{outcome.rule["name"]}" could not run its validator {what}: {why}'
    _failed(outcome, cause, on_error, advice)


def _failed(outcome: _Outcome, cause: str, on_error: str, advice: str) -> None:
    message = printable(f"Blocked: {cause}. Instead: {advice}.")
    if on_error == "allow":
        if outcome.decision == ALLOW:
            outcome.settle(NO_OPINION, "")
        outcome.notes.append(message.replace("Blocked: ", "Let through (on_error: allow): ", 1))
    else:
        outcome.settle(DENY if on_error == "deny" else ASK, message, failed=True)


def _apply_report(outcome: _Outcome, result: ScriptResult, what: str, given: Mapping[str, object]) -> None:
    from rulez_py.policy.judging.scripting import read_report

    report = read_report(result)
    why = report.reason or f"{what} ended with exit code {result.exit_code}"
    if report.decision == DENY:
        outcome.settle(DENY, _blocked(outcome, why))
        return
    if report.decision == ASK:
        outcome.settle(ASK, _objection(outcome.rule, _wants_approval(outcome), why))
    elif report.context:
        outcome.context.append(_cut(report.context, outcome.rule["max_context"]))
    if report.updated:
        _update(outcome, report.updated, what, given)


def _update(outcome: _Outcome, updated: Iterable[tuple[str, object]], what: str, given: Mapping[str, object]) -> None:
    """Have a script's new arguments count like a `rewrite` of the rule: those that differ from what it was given."""
    from rulez_py.event.arguments import canonical_name

    rule = outcome.rule
    changes = [
        (canonical_name(name, outcome.facts.event.tool_name), value)
        for name, value in updated
        if name not in given or given[name] != value
    ]
    if changes and rule["mode"] != "enforce":
        outcome.notes.append(f'rule "{rule["name"]}" only warns: the new arguments of {what} do not count')
        return
    for name, value in changes:
        if name in outcome.changed or outcome.rewrite.get(name, value) != value:
            outcome.settle(DENY, _blocked(outcome, f"it gives the argument `{name}` more than one new value"))
            return
        outcome.rewrite[name] = value
    _keep_the_rest(outcome, dict(changes))


def _inject(outcome: _Outcome, facts: Facts, judges: Judges, *, denied: bool) -> None:
    """The first of inject_inline, inject_command, inject that gives text. A command does not run after a deny."""
    rule = outcome.rule
    actions, limit = rule["actions"], rule["max_context"]
    text: str | None = actions.get("inject_inline")
    if not text and "inject_command" in actions and not denied:
        if rule["trusted"]:
            from rulez_py.policy.judging.scripting import event_json
            from rulez_py.system.effects import Script

            result = facts.effects.run(
                Script(  # noqa: S604 (a value; nothing runs here)
                    command=(actions["inject_command"],),
                    shell=True,
                    cwd=rule["root"],
                    project_dir=facts.around.root,
                    timeout=rule["timeout"],
                    stdin=event_json(facts.event, facts.around.root),
                )
            )
            text = result.stdout if result.exit_code == 0 and result.stdout.strip() else None
            if text is None:
                outcome.notes.append(
                    f'rule "{rule["name"]}": inject_command gave nothing'
                    f" ({result.error or f'exit code {result.exit_code}'})"
                )
        else:
            outcome.notes.append(_untrusted(rule, "its inject_command does not run"))
    if not text and "inject" in actions:
        text = _injected_file(outcome, facts, judges)
    if text:
        outcome.context.append(_cut(text, limit))


def _injected_file(outcome: _Outcome, facts: Facts, judges: Judges) -> str | None:
    rule, effects = outcome.rule, facts.effects
    root = _root(rule, facts)
    path = effects.real_path(joined(rule["actions"]["inject"], root, facts.around.home))
    if not rule["trusted"]:
        if not _may_be_shown(path, effects.real_path(root)):
            what = "it may not inject a file from outside the project, or a hidden one"
            outcome.notes.append(_untrusted(rule, what))
            return None
        for reading in injected_reads(rule, facts):
            against = merge(one.finish(tell=False) for one in _judged(judges(reading), reading, []))
            if against.decision in (DENY, ASK):
                what = f'it may not inject {rule["actions"]["inject"]}, which rule "{against.rule}" lets no agent read'
                outcome.notes.append(_untrusted(rule, what))
                return None
    # Four bytes more, the longest character, show that there is more.
    text = effects.read_text(path, rule["max_context"] + 4)
    if text is None:
        outcome.notes.append(f'rule "{rule["name"]}": cannot read the file to inject, {path}')
    return text


def injected_reads(rule: Rule, facts: Facts) -> tuple[Facts, ...]:
    """Return the calls by which the agent would read the file that an untrusted rule injects; none for other rules.

    INVARIANT: what such a rule shows to the model, the model may also read itself.
    """
    if rule["trusted"] or "inject" not in rule["actions"] or rule["mode"] == "audit":
        return ()
    event = facts.event
    path = joined(rule["actions"]["inject"], _root(rule, facts), facts.around.home)
    known = inbound(event.platform).values()
    own_name = next((row.name for row in known if row.canonical == "Read"), "Read")
    return tuple(
        facts.of(
            event.replace(
                types=("PreToolUse",),
                native_event="PreToolUse",
                tool_name="Read",
                platform_tool_name=own_name,
                known_tool=True,
                tool_access=(),
                tool_input={"file_path": spelled},
                own_input={"file_path": spelled},
                prompt=None,
                tool_response=None,
                mcp=(),
                payload={},
            )
        )
        for spelled in dict.fromkeys((path, facts.effects.real_path(path)))
    )


def _may_be_shown(path: str, root: str) -> bool:
    """Tell if an untrusted policy may show this file to the model: no `.env`, no `.git`, nothing from outside."""
    inside = root.rstrip(os.sep) + os.sep
    hidden = (part for part in slashed(path[len(inside) :]).split("/") if part.startswith("."))
    return path.startswith(inside) and all(part in _OWN_DIRECTORIES for part in hidden)


def _repositories(rule: Rule, facts: Facts) -> Callable[[Iterable[str]], list[dict[str, object]]]:
    """Return what tells facts of the repositories that the parts are about by which a rule matches."""
    return lambda names: _told(narrowed(facts, rule["match"]), names)


def _describe(facts: Facts) -> Callable[[str], object]:
    """Return what says in plain values what a call is, by the names of `event.described`."""

    def describe(name: str) -> object:
        from rulez_py.policy.facts.described import described

        return described(name, facts)

    return describe


def _told(facts: Facts, names: Iterable[str]) -> list[dict[str, object]]:
    from rulez_py.policy.facts.git_facts import as_data

    return as_data(facts, names)


def _environ(rule: Rule, facts: Facts) -> Mapping[str, str]:
    from rulez_py.policy.patterns.expressions import harmless

    environ = facts.around.environ
    return environ if rule["trusted"] else harmless(environ)


def _root(rule: Rule, facts: Facts) -> str:
    """Return a project's rules live in their own project; everybody else's in the one the agent works in."""
    root: str = rule["root"] if rule["layer"] == PROJECT else facts.around.root
    return root


def _rewrites(rule: Rule) -> tuple[dict[str, object], dict[str, Mapping[str, object]]]:
    """Return the new arguments that a rule gives, and what it makes of parts of others, by canonical name."""
    given: Mapping[str, object] | None = rule["actions"].get("rewrite")
    if not given or not rule["trusted"] or rule["mode"] != "enforce":
        return {}, {}
    from rulez_py.policy.model.rewrites import is_partial

    parts: dict[str, Mapping[str, object]] = {name: one for name, one in given.items() if is_partial(one, of=name)}
    return {name: value for name, value in given.items() if name not in parts}, parts


def _cut(text: str, limit: int) -> str:
    data = text.encode("utf-8", "replace")
    if len(data) <= limit:
        return text
    return data[:limit].decode("utf-8", "ignore") + f"\n[cut by rulez after {limit} bytes (max_context_size)]"


def _untrusted(rule: Rule, what: str) -> str:
    return f'rule "{rule["name"]}" ({rule["source"]}) is not trusted: {what}; a person can run `rulez trust`'


def _blocked(outcome: _Outcome, why: object, besides: str = "") -> str:
    return _objection(outcome.rule, f'{_BLOCKED} "{outcome.rule["name"]}"{_in_brackets(outcome.by)}', why, besides)


def _consequence(outcome: _Outcome) -> str:
    """Return what the call would throw away or push, or has not been done before, where the rule asks for that."""
    if "requires" in outcome.rule:
        from rulez_py.policy.judging.remembering import missing

        return missing(outcome.rule, outcome.facts)
    if "pushes" in outcome.rule["match"]:
        from rulez_py.policy.judging.pushed import pushed

        return pushed(outcome.rule["match"], outcome.facts)
    if "loses" not in outcome.rule["match"]:
        return ""
    from rulez_py.policy.judging.lost import lost

    return lost(outcome.rule["match"], outcome.facts)


def _wants_approval(outcome: _Outcome) -> str:
    return f'Rule "{outcome.rule["name"]}" wants the user\'s approval{_in_brackets(outcome.by)}'


_LONGEST_WORDS = 80


def _in_brackets(by: str) -> str:
    """` (git push --force)`, on one line and not too long; nothing of nothing."""
    line = " ".join(printable(by[: 10 * _LONGEST_WORDS]).split())
    cut = line if len(line) <= _LONGEST_WORDS else line[: _LONGEST_WORDS - 3].rstrip() + "..."
    return f" ({cut})" if cut else ""


def _objection(rule: Rule, opening: str, why: object, besides: str = "") -> str:
    """Return a sentence against a call, and the place of the rule."""
    return f"{_sentence(rule, opening, why, besides)} [{printable(rule['source'])}]"


def _sentence(rule: Rule, opening: str, why: object, besides: str = "") -> str:
    """`opening: why. Instead: suggestion.` with every part that the rule has."""
    own = why if isinstance(why, str) else ""
    parts = [part for part in (own, rule["description"], besides) if part]
    because = "; ".join(dict.fromkeys(part.strip().rstrip(".") for part in parts)) or rule["why"] or ""
    text = f"{opening}: {because.strip().rstrip('.')}." if because else f"{opening}."
    if rule["suggestion"]:
        text += f" Instead: {rule['suggestion'].strip()}"
    return printable(text)
