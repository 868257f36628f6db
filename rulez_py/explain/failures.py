"""Why a rule does not say to one of its own tests what the test expects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulez_py.event import UnreadableEvent
from rulez_py.explain.as_text import excepted, matching, missing
from rulez_py.explain.checks import checks
from rulez_py.explain.rules import about
from rulez_py.explain.values import EXCEPTED, MATCHES, MISSES
from rulez_py.policy.format.cases import facts_of
from rulez_py.policy.judging.decide import is_enabled, read_by, seen_by
from rulez_py.policy.judging.matching import matched_in, narrowed
from rulez_py.policy.patterns.expressions import ExpressionError
from rulez_py.verdict import ALLOW

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulez_py.explain.values import AboutRule
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.format.cases import Failure

_DECIDING = ("validate_expr", "block_if_match")
"""Actions that say something to some calls, and nothing to others."""


def why(failure: Failure) -> tuple[str, ...]:
    """Return each part of the rule that does not fit, or all by which it matches; nothing of a case that is no call."""
    try:
        facts = facts_of(failure.tried, failure.example)
    except UnreadableEvent:
        return ()
    one = about(failure.tried, facts)
    seen = seen_by(one.rule, facts)
    if one.state == EXCEPTED:
        return (excepted(one),)
    if one.state == MATCHES:
        return tuple(_matching(one, seen, failure))
    return (*(missing(one) if one.state == MISSES else ()), *_off(one, seen))


def _matching(one: AboutRule, facts: Facts, failure: Failure) -> Iterator[str]:
    """Yield by what the rule matches, and why its other parts make no other decision."""
    yield from matching(one)
    if place := matched_in(one.rule["match"], facts):
        yield f"in {place}"
    if one.rule["enabled_when"] is not None:
        yield f"enabled_when {_read(one.rule['enabled_when'], one, facts)}"
    if failure.expected == ALLOW:
        yield from _not_excepted(one, facts)
    elif not one.decision:
        yield from _undecided(one, facts)


def _off(one: AboutRule, facts: Facts) -> Iterator[str]:
    """Yield what else than matchers keeps the rule from counting."""
    if one.rule["enabled_when"] is not None and not _is_on(one, facts):
        yield f"enabled_when is not true: {_read(one.rule['enabled_when'], one, facts)}"
    elif one.session:
        yield from one.session
    elif one.state != MISSES:
        place = matched_in(one.rule["match"], facts)
        yield f"by `files: {one.rule.get('files', 'certain')}` what {place} does is not enough"


def _is_on(one: AboutRule, facts: Facts) -> bool:
    try:
        return is_enabled(one.rule, facts)
    except ExpressionError:
        return False


def _not_excepted(one: AboutRule, facts: Facts) -> Iterator[str]:
    """Yield why each `except` does not fit."""
    concerned = narrowed(facts, one.rule["match"])
    for exception in one.rule["except"]:
        missed = [check for check in checks(exception, concerned) if not check.fits]
        said = [f"{check.name} wants {check.wanted}; here {check.there or 'nothing'}" for check in missed]
        yield f"its `except` does not fit: {', '.join(said) or 'it is not certain that all of the call does'}"


def _undecided(one: AboutRule, facts: Facts) -> Iterator[str]:
    """Yield what the actions of a matching rule want that the call does not have."""
    actions = one.rule["actions"]
    there = [key for key in _DECIDING if key in actions]
    if "validate_expr" in there:
        yield f"validate_expr is true: {_read(actions['validate_expr'], one, facts)}"
    if "block_if_match" in there:
        yield f"block_if_match wants {', '.join(actions['block_if_match'])}; the text has nothing of that"
    if not there:
        yield f"its actions stop nothing: {', '.join(actions) or 'there are none'}"


def _read(expression: str, one: AboutRule, facts: Facts) -> str:
    seen = ", ".join(read_by(expression, one.rule, facts))
    return f"{expression}; here {seen}" if seen else expression
