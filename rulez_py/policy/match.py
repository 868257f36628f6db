"""The one matching function: an event and a policy's rules in, a verdict out.

Validators run before injections; nothing with a side effect runs once a deny stands. Whatever the world has to do is
asked of `effects`.
"""

from __future__ import annotations

import os

from rulez_py.analysis import Value
from rulez_py.event.arguments import readings
from rulez_py.policy import regex
from rulez_py.policy.layers import PROJECT
from rulez_py.policy.matchers import Call, analyse_lazily, matched_words, matches
from rulez_py.policy.reach import joined, slashed
from rulez_py.policy.scripting import Report, event_json, read_report
from rulez_py.system.effects import Script
from rulez_py.tools import inbound
from rulez_py.verdict import ALLOW, ASK, DENY, NO_OPINION, RuleHit, Verdict, merge, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from rulez_py.analysis.values import Command
    from rulez_py.event import Event
    from rulez_py.policy.expressions import ExpressionError
    from rulez_py.policy.matchers import Analyse
    from rulez_py.system.effects import Effects, ScriptResult

    Rule = Mapping[str, Any]
    RulesFor = Callable[[Event], Iterable[Rule]]


class Calls:
    """An event as the rules of each root see it; what is worked out for one is kept.

    `analyse` says what a command line would execute (`shell.analyse`); `environ` is the agent's environment.
    """

    def __init__(
        self,
        event: Event,
        effects: Effects,
        home: str,
        *,
        ignore_case: bool,
        environ: Mapping[str, str] | None = None,
        analyse: Analyse = analyse_lazily,
    ) -> None:
        self._event = event
        self._effects = effects
        self._home = home
        self._ignore_case = ignore_case
        self._environ = environ
        self._analyse = analyse
        self._analysed: dict[tuple[str, str], tuple[Command, ...]] = {}
        self._made: dict[str, Call] = {}

    def _commands(self, text: str, *, cwd: str, **given: Any) -> tuple[Command, ...]:
        """What a command line would execute, once for each directory it may start in."""
        if (text, cwd) not in self._analysed:
            self._analysed[text, cwd] = tuple(self._analyse(text, cwd=cwd, **given))
        return self._analysed[text, cwd]

    def of(self, root: str) -> Call:
        """The event for rules about the project at `root`."""
        if root not in self._made:
            self._made[root] = Call(
                self._event,
                root,
                self._home,
                self._effects.real_path,
                names_in=self._effects.names,
                environ=self._environ,
                analyse=self._commands,
                ignore_case=self._ignore_case,
            )
        return self._made[root]


class Surroundings(Value):
    """What of the machine an event is judged against: the project's root, the user's home, the environment.

    `ignore_case` says that file names which differ only in case are the same file. `told_before` says that this
    agent's model also reads what is said before a call, so that a rule that names no `operations` need not say it
    again after the call.
    """

    root: str
    home: str
    environ: Mapping[str, str] = {}
    ignore_case: bool = False
    told_before: bool = False


_BLOCKED = "Blocked by rule"
_OWN_DIRECTORIES = (".rulez", ".claude")
_AFTER_THE_CALL = ("PostToolUse", "PostToolUseFailure")


class _Outcome:
    """What became of one matched rule so far.

    `doubt` is why it is not known whether the rule is on, None where it is. A rule that `waits` says nothing until a
    person has trusted it.
    """

    def __init__(self, rule: Rule, call: Call, doubt: ExpressionError | None = None) -> None:
        self.rule = rule
        self.call = call
        self.doubt = doubt
        self.waits = _waits(rule, call.event)
        self.decision = NO_OPINION
        self.reason = ""
        self.failed = False
        self.context: list[str] = []
        self.notes: list[str] = []

    @property
    def words(self) -> str:
        """The words of a command line by which the rule matches, "" where it is not about them."""
        return " ".join(text for _start, _end, text in matched_words(self.rule["match"], self.call))

    def settle(self, decision: str, reason: str, *, failed: bool = False) -> None:
        self.decision, self.reason, self.failed = decision, reason, failed

    def finish(self, *, tell: bool) -> Verdict:
        """The rule's verdict after its mode; without `tell` it has no text for the model."""
        rule, decision = self.rule, self.decision
        if rule["mode"] == "warn" and decision in (DENY, ASK):
            warning = self.reason.replace(_BLOCKED, "Warning by rule", 1)
            self.context = [f"{warning}\nThis rule only warns (mode: warn): the operation goes on."]
        if rule["mode"] != "enforce":
            decision = NO_OPINION
        hit = RuleHit(
            rule=rule["name"],
            layer=rule["layer"],
            source=rule["source"],
            mode=rule["mode"],
            decision=decision,
        )
        return Verdict(
            decision=decision,
            reason=self.reason if decision in (DENY, ASK, ALLOW) else "",
            rule=rule["name"] if decision else None,
            hits=(hit,),
            context=tuple(self.context) if tell else (),
            rewrite=_rewrite(rule) if decision != DENY and self.doubt is None else None,
            notes=tuple(self.notes),
            failed=self.failed and bool(decision),
        )


def decide(
    rules: Iterable[Rule],
    event: Event,
    effects: Effects,
    around: Surroundings,
    calls: Calls | None = None,
    rules_for: RulesFor | None = None,
) -> Verdict:
    """The verdict of `rules` (in evaluation order) on an event; `calls` is what has been worked out of it already.

    `rules_for` gives the rules that can match another event (`injected_reads`); without it, `rules` are all there are.
    Raises nothing of its own; an exception here is a bug, and the caller denies.
    """
    notes: list[str] = []
    found = tuple(rules)
    matched = _judged(found, event, effects, around, calls, notes)
    for outcome in _active(matched):
        if outcome.decision in (NO_OPINION, ALLOW) and not _told_before(outcome.rule, event, around):
            _inject(outcome, event, effects, around, rules_for or (lambda _: found), denied=_denied(matched))
    verdict = merge(outcome.finish(tell=not _told_before(outcome.rule, event, around)) for outcome in matched)
    return verdict.replace(notes=(*notes, *verdict.notes))


def _judged(
    rules: Iterable[Rule],
    event: Event,
    effects: Effects,
    around: Surroundings,
    calls: Calls | None,
    notes: list[str],
) -> list[_Outcome]:
    """What becomes of the rules that match, up to what they give to the model."""
    known = calls or Calls(event, effects, around.home, ignore_case=around.ignore_case, environ=around.environ)
    found = (_matched(rule, known.of(_root(rule, around)), around, notes) for rule in rules)
    matched = [outcome for outcome in found if outcome is not None]
    for outcome in _active(matched):
        _settle_by_itself(outcome, around)
    for outcome in _active(matched):
        if _denied(matched):
            break
        _run_validators(outcome, event, effects, around)
    return matched


def _active(matched: list[_Outcome]) -> list[_Outcome]:
    return [one for one in matched if one.rule["mode"] != "audit" and one.doubt is None and not one.waits]


ENDINGS = ("Stop", "SubagentStop", "AfterAgent", "TeammateIdle", "TaskCompleted")
"""Where a denial, and on some agents any text, is the agent's next task."""


def _waits(rule: Rule, event: Event) -> bool:
    return not rule["trusted"] and any(kind in ENDINGS for kind in event.types)


def _told_before(rule: Rule, event: Event, around: Surroundings) -> bool:
    return around.told_before and event.type in _AFTER_THE_CALL and "operations" not in rule["match"]


def _denied(matched: list[_Outcome]) -> bool:
    return any(outcome.decision == DENY and outcome.rule["mode"] == "enforce" for outcome in matched)


def _matched(rule: Rule, call: Call, around: Surroundings, notes: list[str]) -> _Outcome | None:
    """The outcome of a rule that holds for this event, or may hold; None where it does not."""
    if not matches(rule["match"], call):
        return None
    if rule["except"] is not None and matches(rule["except"], call.strictly(rule["match"])):
        return None
    if rule["enabled_when"] is None:
        return _noted(_Outcome(rule, call))
    from rulez_py.policy.expressions import ExpressionError, evaluate, is_about_something_else

    try:
        is_on = evaluate(rule["enabled_when"], call.event, _environ(rule, around), every=False)
        return _noted(_Outcome(rule, call)) if is_on else None
    except ExpressionError as error:
        outcome = _Outcome(rule, call, error)
        if not is_about_something_else(rule["enabled_when"], call.event, error) and _would_act(outcome, around):
            _settle_in_doubt(outcome)
            return outcome
        why = f"its enabled_when `{rule['enabled_when']}` failed: {error}"
        notes.append(f'rule "{rule["name"]}" ({rule["source"]}) is off here: {why}')
        return None


def _noted(outcome: _Outcome) -> _Outcome:
    if outcome.waits and outcome.rule["actions"] and outcome.rule["mode"] != "audit":
        outcome.notes.append(_untrusted(outcome.rule, "it may not keep the agent going"))
    return outcome


def _would_act(outcome: _Outcome, around: Surroundings) -> bool:
    """Whether the rule, were it on, might stop or change the call."""
    rule, actions = outcome.rule, outcome.rule["actions"]
    if rule["mode"] == "audit" or outcome.waits:
        return False
    if "run" in actions or "inline_script" in actions or _rewrite(rule):
        return True
    were_it_on = _Outcome(rule, outcome.call)
    _settle_by_itself(were_it_on, around)
    return were_it_on.decision in (DENY, ASK)


def _settle_in_doubt(outcome: _Outcome) -> None:
    """INVARIANT: what a call leaves out or spells oddly switches no rule off; `on_error` says what it comes to."""
    rule, doubt = outcome.rule, outcome.doubt
    expression = f"its enabled_when `{rule['enabled_when']}` failed: {doubt}"
    cause = f'rule "{rule["name"]}" ({rule["source"]}) may hold here, for {expression}'
    _failed(outcome, cause, rule["on_error"], "" if doubt is None else doubt.advice)


def _certain(rule: Rule, call: Call, around: Surroundings) -> bool:
    """What an allow needs: the rule matches in every reading of the event, its exception in none."""
    if not matches(rule["match"], call.strictly()) or (rule["except"] is not None and matches(rule["except"], call)):
        return False
    if rule["enabled_when"] is None:
        return True
    from rulez_py.policy.expressions import ExpressionError, evaluate

    try:
        return evaluate(rule["enabled_when"], call.event, _environ(rule, around))
    except ExpressionError:
        return False


def _settle_by_itself(outcome: _Outcome, around: Surroundings) -> None:
    """What the rule decides without asking the world."""
    rule, call = outcome.rule, outcome.call
    actions = rule["actions"]
    if "validate_expr" in actions:
        from rulez_py.policy.expressions import ExpressionError, evaluate

        try:
            if not evaluate(actions["validate_expr"], call.event, _environ(rule, around)):
                outcome.settle(DENY, _blocked(outcome, f"validation failed: {actions['validate_expr']}"))
                return
        except ExpressionError as error:
            outcome.settle(DENY, _blocked(outcome, f"validation error: {error} (in {actions['validate_expr']})"))
            return
    if actions.get("block"):
        outcome.settle(DENY, _blocked(outcome, actions["block"]))
    elif "block_if_match" in actions and (pattern := _written_pattern(actions["block_if_match"], call)) is not None:
        outcome.settle(DENY, _blocked(outcome, f"the text to write matches {pattern}"))
    elif actions.get("ask"):
        outcome.settle(ASK, _sentence(rule, _wants_approval(outcome), actions["ask"]))
    elif actions.get("allow"):
        if not rule["trusted"]:
            outcome.notes.append(_untrusted(rule, "its allow is ignored"))
        elif _certain(rule, call, around):
            outcome.settle(ALLOW, _sentence(rule, f'Allowed by rule "{rule["name"]}"', actions["allow"]))
    if "rewrite" in actions and not rule["trusted"]:
        outcome.notes.append(_untrusted(rule, "its rewrite is ignored"))


def _written_pattern(patterns: list[str], call: Call) -> str | None:
    """The first of the patterns that a text to be written fits."""
    return next((p for p in patterns if any(regex.search(p, text) is not None for text in call.written)), None)


def _run_validators(outcome: _Outcome, event: Event, effects: Effects, around: Surroundings) -> None:
    rule = outcome.rule
    for script in _scripts(rule, event, around):
        if outcome.decision == DENY:
            return
        what = "inline script" if script.inline else f"`{' '.join(script.command)}`"
        on_error = (None if script.inline else rule["actions"]["run"]["on_error"]) or rule["on_error"]
        if not rule["trusted"]:
            why = f"{rule['source'].rpartition(':')[0]} is not trusted, or has changed since it was"
            _could_not_run(outcome, what, why, on_error, "review the file, then run `rulez trust` in a terminal")
            return
        result = effects.run(script)
        if result.exit_code is None:
            advice = "repair the script, or set `settings.on_error` in the policy file"
            _could_not_run(outcome, what, result.error, on_error, advice)
            return
        _apply_report(outcome, result, what)


def _scripts(rule: Rule, event: Event, around: Surroundings) -> list[Script]:
    """What the rule has run, each once for every way to read the call's arguments.

    INVARIANT: it runs where its policy is, so that no name in somebody's own policy means a file of a repository's.
    """
    actions, scripts = rule["actions"], []
    if "inline_script" not in actions and "run" not in actions:
        return []
    for one in readings(event.tool_name, event.tool_input, event.own_input):
        stdin = event_json(event.replace(tool_input=one), around.root)
        if "inline_script" in actions:
            scripts.append(
                Script(
                    command=(actions["inline_script"],),
                    inline=True,
                    cwd=rule["root"],
                    project_dir=around.root,
                    timeout=rule["timeout"],
                    stdin=stdin,
                )
            )
        if "run" in actions:
            run = actions["run"]
            scripts.append(
                Script(
                    command=tuple(run["command"]),
                    shell=run["shell"],
                    cwd=rule["root"],
                    project_dir=around.root,
                    timeout=run["timeout"] or rule["timeout"],
                    stdin=stdin,
                )
            )
    return scripts


def _could_not_run(outcome: _Outcome, what: str, why: str, on_error: str, advice: str) -> None:
    """INVARIANT: a validator that could not run is a failure, and `on_error` says what that comes to."""
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


def _apply_report(outcome: _Outcome, result: ScriptResult, what: str) -> None:
    report: Report = read_report(result)
    why = report.reason or f"{what} ended with exit code {result.exit_code}"
    if report.decision == DENY:
        outcome.settle(DENY, _blocked(outcome, why))
    elif report.decision == ASK and outcome.decision != DENY:
        outcome.settle(ASK, _sentence(outcome.rule, _wants_approval(outcome), why))
    elif report.context:
        outcome.context.append(_cut(report.context, outcome.rule["max_context"]))


def _inject(
    outcome: _Outcome, event: Event, effects: Effects, around: Surroundings, rules_for: RulesFor, *, denied: bool
) -> None:
    """The first of inject_inline, inject_command, inject that gives text. A command does not run after a deny."""
    rule = outcome.rule
    actions, limit = rule["actions"], rule["max_context"]
    text: str | None = actions.get("inject_inline")
    if not text and "inject_command" in actions and not denied:
        if rule["trusted"]:
            result = effects.run(
                Script(  # noqa: S604 (a value; nothing runs here)
                    command=(actions["inject_command"],),
                    shell=True,
                    cwd=rule["root"],
                    project_dir=around.root,
                    timeout=rule["timeout"],
                    stdin=event_json(event, around.root),
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
        text = _injected_file(outcome, event, effects, around, rules_for)
    if text:
        outcome.context.append(_cut(text, limit))


def _injected_file(
    outcome: _Outcome, event: Event, effects: Effects, around: Surroundings, rules_for: RulesFor
) -> str | None:
    rule = outcome.rule
    root = _root(rule, around)
    path = effects.real_path(joined(rule["actions"]["inject"], root, around.home))
    if not rule["trusted"]:
        if not _may_be_shown(path, effects.real_path(root)):
            what = "it may not inject a file from outside the project, or a hidden one"
            outcome.notes.append(_untrusted(rule, what))
            return None
        for reading in injected_reads(rule, event, effects, around):
            against = merge(
                one.finish(tell=False) for one in _judged(rules_for(reading), reading, effects, around, None, [])
            )
            if against.decision in (DENY, ASK):
                what = f'it may not inject {rule["actions"]["inject"]}, which rule "{against.rule}" lets no agent read'
                outcome.notes.append(_untrusted(rule, what))
                return None
    # Four bytes more, the longest character, show that there is more.
    text = effects.read_text(path, rule["max_context"] + 4)
    if text is None:
        outcome.notes.append(f'rule "{rule["name"]}": cannot read the file to inject, {path}')
    return text


def injected_reads(rule: Rule, event: Event, effects: Effects, around: Surroundings) -> tuple[Event, ...]:
    """The calls by which the agent would read the file that a rule nobody trusted injects; none for other rules.

    INVARIANT: what such a rule shows to the model, the model may also read itself.
    """
    if rule["trusted"] or "inject" not in rule["actions"] or rule["mode"] == "audit":
        return ()
    path = joined(rule["actions"]["inject"], _root(rule, around), around.home)
    known = inbound(event.platform).values()
    own_name = next((row.name for row in known if row.canonical == "Read"), "Read")
    return tuple(
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
        for spelled in dict.fromkeys((path, effects.real_path(path)))
    )


def _may_be_shown(path: str, root: str) -> bool:
    """Whether a policy nobody trusted may show this file to the model: no `.env`, no `.git`, nothing from outside."""
    inside = root.rstrip(os.sep) + os.sep
    hidden = (part for part in slashed(path[len(inside) :]).split("/") if part.startswith("."))
    return path.startswith(inside) and all(part in _OWN_DIRECTORIES for part in hidden)


def _environ(rule: Rule, around: Surroundings) -> Mapping[str, str]:
    from rulez_py.policy.expressions import harmless

    return around.environ if rule["trusted"] else harmless(around.environ)


def _root(rule: Rule, around: Surroundings) -> str:
    """A project's rules live in their own project; everybody else's in the one the agent works in."""
    root: str = rule["root"] if rule["layer"] == PROJECT else around.root
    return root


def _rewrite(rule: Rule) -> Mapping[str, object] | None:
    rewrite: Mapping[str, object] | None = rule["actions"].get("rewrite")
    return rewrite if rule["trusted"] and rule["mode"] == "enforce" else None


def _cut(text: str, limit: int) -> str:
    data = text.encode("utf-8", "replace")
    if len(data) <= limit:
        return text
    return data[:limit].decode("utf-8", "ignore") + f"\n[cut by rulez after {limit} bytes (max_context_size)]"


def _untrusted(rule: Rule, what: str) -> str:
    return f'rule "{rule["name"]}" ({rule["source"]}) is not trusted: {what}; a person can run `rulez trust`'


def _blocked(outcome: _Outcome, why: object) -> str:
    return _sentence(outcome.rule, f'{_BLOCKED} "{outcome.rule["name"]}"{_in_brackets(outcome.words)}', why)


def _wants_approval(outcome: _Outcome) -> str:
    return f'Rule "{outcome.rule["name"]}" wants the user\'s approval{_in_brackets(outcome.words)}'


_LONGEST_WORDS = 80


def _in_brackets(words: str) -> str:
    """` (git push --force)`, on one line and not too long; nothing of nothing."""
    line = " ".join(printable(words[: 10 * _LONGEST_WORDS]).split())
    cut = line if len(line) <= _LONGEST_WORDS else line[: _LONGEST_WORDS - 3].rstrip() + "..."
    return f" ({cut})" if cut else ""


def _sentence(rule: Rule, opening: str, why: object) -> str:
    """`opening: why. Instead: suggestion.` with every part that the rule has."""
    own = why if isinstance(why, str) else ""
    parts = [part for part in (own, rule["description"]) if part]
    because = "; ".join(dict.fromkeys(part.strip().rstrip(".") for part in parts)) or rule["why"] or ""
    text = f"{opening}: {because.strip().rstrip('.')}." if because else f"{opening}."
    if rule["suggestion"]:
        text += f" Instead: {rule['suggestion'].strip()}"
    return printable(text)
