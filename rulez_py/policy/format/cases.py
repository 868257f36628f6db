"""The `tests` that rules carry: each case becomes an event, and its rule alone is asked about it.

INVARIANT: the answer comes from `decide.decide`, as a hook's does. Nothing runs, no script and no command, and nothing
of the machine is looked at: a case holds on all of them or on none.
"""

from __future__ import annotations

import os

from rulez_py.analysis import Value
from rulez_py.documents.diagnostics import WARNING, diagnostic
from rulez_py.event import UnreadableEvent
from rulez_py.log.results import with_result
from rulez_py.platforms import PLATFORMS, is_proven
from rulez_py.policy.facts.disk import joined
from rulez_py.policy.facts.facts import Facts, Surroundings
from rulez_py.policy.format.case_repository import HOME, PROJECT_DIR
from rulez_py.policy.format.case_world import Nothing, ToldWorld, files_of, made_of, repository_of, session_of
from rulez_py.policy.format.check import check_document, read_document
from rulez_py.policy.format.circumstances import (
    CWD,
    ENV,
    FILES,
    NOW,
    PROJECT,
    REASON,
    REDACTED,
    RESPONSE,
    REWRITTEN,
    Case,
    case_of,
)
from rulez_py.policy.format.compile import compile_rules
from rulez_py.policy.judging.decide import decide
from rulez_py.policy.model.layers import BUILT_IN
from rulez_py.system import jsontext
from rulez_py.verdict import ALLOW, ASK, DENY, NO_OPINION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from rulez_py.documents.diagnostics import Diagnostic
    from rulez_py.documents.document import Path, Position
    from rulez_py.policy.format.check import Beside
    from rulez_py.policy.model.rule import Rule
    from rulez_py.verdict import Verdict

    _Case = tuple[str, int]

_MUST = {DENY: "must be denied", ASK: "must be asked about", ALLOW: "must be let through"}
_IS = {DENY: "is denied", ASK: "is asked about", ALLOW: "is approved", NO_OPINION: "is not"}
_SCRIPTS = ("run", "inline_script")
_LONGEST = 300


class Failure(Value):
    """A case whose rule says something else; `decision` is what it says, "" for nothing. `tried` is that rule."""

    rule: str
    tried: Rule
    expected: str
    decision: str
    example: object
    problem: Diagnostic


class Held(Value):
    """A case that failed: its rule, the expected decision, and its line."""

    rule: str
    expected: str
    example: object
    line: int


class Tested(Value):
    """The results of the cases of one policy file.

    `skipped` says of each rule that could not be tried why; `untested` names the rules that have no cases. `rules` are
    all that are on, each with its cases, tried or not.
    """

    holding: tuple[Held, ...] = ()
    failures: tuple[Failure, ...] = ()
    skipped: tuple[Diagnostic, ...] = ()
    untested: tuple[str, ...] = ()
    rules: tuple[tuple[Rule, tuple[object, ...]], ...] = ()

    @property
    def held(self) -> int:
        """The number of cases that hold."""
        return len(self.holding)


def run_cases(content: bytes, shown: str, *, beside: Beside | None = None) -> Tested:
    """Return the cases of a valid policy file, named `shown` for people; `beside` is that of `check_document`.

    Raises ValueError where the file is not valid.
    """
    document = read_document(content, shown)
    checked = check_document(document, shown, beside=beside)
    if checked.data is None:
        raise ValueError(f"{shown} is not valid")
    compiled = compile_rules(
        checked.data, checked.rule_lines, layer=BUILT_IN, shown=shown, root=PROJECT_DIR, trusted=True
    )
    rules: dict[str, Rule] = {rule["name"]: {**rule, "mode": "enforce"} for rule in compiled}
    holding: list[Held] = []
    failures: list[Failure] = []
    skipped: list[Diagnostic] = []
    untested: list[str] = []
    all_rules: list[tuple[Rule, tuple[object, ...]]] = []
    for index, written in enumerate(checked.data.get("rules") or ()):
        name, cases = written["name"], list(_cases(written))
        place: Path = ("rules", index, "tests")
        if name in rules:
            all_rules.append((rules[name], tuple(example for _, example in cases)))
        if not cases:
            untested.append(name)
        elif why := _why_not(rules.get(name)):
            count = "its test is" if len(cases) == 1 else f"its {len(cases)} tests are"
            told = f'rule "{name}" {why}: {count} skipped'
            skipped.append(diagnostic(shown, document.position(place), told, severity=WARNING))
        else:
            for case, example in cases:
                at = document.position((*place, *case))
                failure = _failure(rules[name], case, example, shown, at)
                if failure is None:
                    holding.append(Held(rule=name, expected=case[0], example=example, line=at[0]))
                else:
                    failures.append(failure)
    return Tested(
        holding=tuple(holding),
        failures=tuple(failures),
        skipped=tuple(skipped),
        untested=tuple(untested),
        rules=tuple(all_rules),
    )


def _cases(rule: Mapping[str, Any]) -> Iterator[tuple[_Case, object]]:
    """Yield each example, with what is expected of it and its place in the list of these."""
    for expected, examples in (rule.get("tests") or {}).items():
        for number, example in enumerate(examples or ()):
            yield (expected, number), example


def _why_not(rule: Rule | None) -> str:
    if rule is None:
        return "is switched off"
    return "runs a script" if any(action in rule["actions"] for action in _SCRIPTS) else ""


def _failure(rule: Rule, case: _Case, example: object, shown: str, at: Position) -> Failure | None:
    """Return what is wrong with one case, None where the rule says what is expected."""
    expected, said = case[0], NO_OPINION
    try:
        verdict = judged(rule, example)
        said = verdict.decision
        otherwise = _told_otherwise(verdict, example)
        holds = not verdict.failed and (said == expected or (expected == ALLOW and said == NO_OPINION))
        if holds and not otherwise:
            return None
        is_so = "its rule fails" if verdict.failed else _IS[said]
        told = (verdict.reason, *verdict.notes) if verdict.failed else verdict.notes
        if holds and otherwise:
            is_so, told = otherwise
        message, help = f"{_MUST[expected]}, and {is_so}", "; ".join(told)
    except UnreadableEvent as error:
        message, help = "is no call", str(error)
    report = diagnostic(shown, at, f'rule "{rule["name"]}": {shown_case(example)} {message}', help)
    return Failure(rule=rule["name"], tried=rule, expected=expected, decision=said, example=example, problem=report)


def _told_otherwise(verdict: Verdict, example: object) -> tuple[str, tuple[str, ...]] | None:
    """Return what a case expects besides the decision that is not so, and what is; None where all is as it says."""
    told = case_of(example).told
    reason, rewritten, redacted = told.get(REASON, ""), told.get(REWRITTEN), told.get(REDACTED)
    if reason not in verdict.reason:
        found = f'it says "{verdict.reason}"' if verdict.reason else "it says nothing"
        return f'its reason must say "{reason}"', (found,)
    if redacted is not None and (wrong := otherwise_redacted(verdict, redacted, told.get(RESPONSE))):
        return f"its result must be redacted to {jsontext.dumps(redacted)}", (f"it is {wrong}",)
    if rewritten is None or dict(verdict.rewrite or {}) == rewritten:
        return None
    found = f"rewritten to {jsontext.dumps(dict(verdict.rewrite))}" if verdict.rewrite else "not rewritten"
    return f"it must be rewritten to {jsontext.dumps(rewritten)}", (f"it is {found}",)


def otherwise_redacted(verdict: Verdict, wanted: object, response: object) -> str:
    """Return what is left of a result where that is not what is `wanted`; "" where it is."""
    if verdict.result is None:
        return "" if wanted == response else "not redacted"
    left = verdict.result.value
    return "" if wanted == left else f"redacted to {jsontext.dumps(left)}"


def judged(rule: Rule, example: object) -> Verdict:
    """Return what one rule says to one case. Raises UnreadableEvent."""
    facts = facts_of(rule, example)
    return with_result(decide((rule,), facts), facts.event)


def facts_of(rule: Rule, example: object) -> Facts:
    """Return the facts of a case, made by an agent that the rule is for. Raises UnreadableEvent."""
    return facts_for(case_of(example), rule["match"].get("platforms", PLATFORMS))


def facts_for(case: Case, platforms: Sequence[str], *, session: str = "test") -> Facts:
    """Return the facts of a call and its circumstances, made by the first of these agents that can make it (`makers`).

    What is not told is that of an empty project. Raises UnreadableEvent.
    """
    around = surroundings_of(case.told)
    event = case.event(makers(platforms), cwd=directory_of(case.told, around), session=session)
    return Facts(event.replace(project_dir=around.root), around, world_of(case.told, around))


def makers(platforms: Sequence[str] = PLATFORMS) -> list[str]:
    """Return these agents in the order in which they make calls: those on which rulez was played come first."""
    return sorted((one for one in PLATFORMS if one in platforms), key=is_proven, reverse=True)


def surroundings_of(told: Mapping[str, Any], *, project: str = PROJECT_DIR) -> Surroundings:
    """Return the surroundings that circumstances tell of; `project` is the directory of one that they do not name."""
    home = told.get(ENV, {}).get("HOME", HOME)
    return Surroundings(
        root=os.path.normpath(joined(told.get(PROJECT, project), "", home)),
        home=home,
        environ={"HOME": HOME, **told.get(ENV, {})},
        reads_files=FILES in told,
        now=told.get(NOW, ""),
    )


def directory_of(told: Mapping[str, Any], around: Surroundings) -> str:
    """Return the directory where the agent works."""
    return os.path.normpath(joined(told.get(CWD, around.root), around.root, around.home))


def world_of(told: Mapping[str, Any], around: Surroundings) -> ToldWorld:
    """Return the world that circumstances tell of, beside its repository, one of no machine."""
    repository, files = repository_of(told, around.root), files_of(told, around.root, around.home)
    return ToldWorld(
        Nothing(repository),
        files=files,
        repository=repository,
        marker=repository.marker,
        session=session_of(told) or (),
        made=made_of(told) or 0,
    )


def shown_case(example: object) -> str:
    """Return a case as it is named to people."""
    text = f'"{example}"' if isinstance(example, str) else jsontext.dumps(example)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
