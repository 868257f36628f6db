"""Every rule and the call: which match, which nearly do, and why the others do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulez_py.explain.checks import checks, distance, is_near
from rulez_py.explain.values import EXCEPTED, MATCHES, MISSES, OFF, AboutRule
from rulez_py.log.audit import iso_time
from rulez_py.policy.judging.decide import decide, seen_by
from rulez_py.policy.judging.matching import matched_words, matches, narrowed
from rulez_py.policy.judging.remembering import UNREADABLE, found
from rulez_py.system.effects import Memory
from rulez_py.verdict import STRICTNESS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.model.rule import Rule

_ORDER = (MATCHES, EXCEPTED, OFF, MISSES)


def about_rules(rules: Iterable[Rule], facts: Facts) -> tuple[AboutRule, ...]:
    """Return the explanation of each rule: those that match first, the strictest of them first.

    The others follow, the nearest first.
    """
    return tuple(sorted((about(rule, facts) for rule in rules), key=_place))


def _hosts_named(rule: Rule, seen: Facts) -> Iterator[tuple[int, int, str]]:
    """Yield the words that name a host by which a rule matches."""
    if "domains" not in rule["match"] or not seen.lines:
        return
    concerned = narrowed(seen, rule["match"])
    hosts = concerned.hosts
    for part in concerned.parts:
        for word in part.command.words[1:] if part.command is not None else ():
            if word.at[1] and any(host in word.text.lower() for host in hosts):
                yield (*word.at, word.text)


def _place(one: AboutRule) -> tuple[int, int, bool, tuple[int, int]]:
    return _ORDER.index(one.state), -STRICTNESS[one.decision], not one.near, distance(one.checks)


def about(rule: Rule, facts: Facts) -> AboutRule:
    """Return the explanation of one rule."""
    seen = seen_by(rule, facts)
    checked = checks(rule["match"], seen)
    if not matches(rule["match"], seen):
        return AboutRule(rule, MISSES, checked, is_near(checked))
    words = (*matched_words(rule["match"], seen), *_hosts_named(rule, seen))
    concerned = narrowed(seen, rule["match"])
    for exception in rule["except"]:
        if matches(exception, concerned, strict=True):
            return AboutRule(rule, EXCEPTED, checked, near=True, words=words, excepting=checks(exception, concerned))
    verdict = decide((rule,), facts)
    state = MATCHES if verdict.hits else OFF
    return AboutRule(
        rule,
        state,
        checked,
        near=True,
        words=words,
        decision=verdict.decision,
        would=next((hit.would for hit in verdict.hits), ""),
        reason=verdict.reason,
        notes=verdict.notes,
        session=tuple(_remembered(rule, seen)),
    )


def _remembered(rule: Rule, facts: Facts) -> Iterator[str]:
    """Yield of each key that a rule asks for since when it is remembered, or that it is not."""
    keys = (*rule.get("requires", ()), *rule.get("remembered", ()))
    if keys and facts.memory is None:
        yield UNREADABLE
        return
    for key in keys:
        one = found(rule, key, facts.memory or Memory())
        yield f"{key} is not remembered" if one is None else f"{key} is remembered since {iso_time(one.since)}"
