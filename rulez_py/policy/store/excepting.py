"""Rules as the exceptions have them that a person has made: those that are excepted from only log.

INVARIANT: rules of the machine's policy and those by which rulez protects itself have no exceptions here.
"""

from __future__ import annotations

from rulez_py.policy.judging.decide import seen_by
from rulez_py.policy.judging.matching import is_excepted, matches
from rulez_py.policy.model.layers import may_be_excepted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.model.rule import Match, Rule
    from rulez_py.trust.exceptions import Excepted


def excepted(
    rules: Iterable[Rule], facts: Facts, exceptions: Iterable[Excepted]
) -> tuple[tuple[Rule, ...], dict[tuple[str, str], int]]:
    """Return the rules, those only logging that an exception is about; and of these (name, source) -> its number."""
    there = tuple(exceptions)
    by: dict[tuple[str, str], int] = {}
    found: list[Rule] = []
    for rule in rules:
        number = _by_which(rule, facts, there)
        if number:
            by[rule["name"], rule["source"]] = number
            rule = {**rule, "mode": "audit"}
        found.append(rule)
    return tuple(found), by


def freed(rules: Iterable[Rule]) -> tuple[tuple[Rule, ...], tuple[tuple[str, str], ...]]:
    """Return the rules, all only logging from which a person may make exceptions.

    And name and source of those that did not
    before."""
    there = tuple(rules)
    keys = tuple((rule["name"], rule["source"]) for rule in there if _may_be_freed(rule))
    return tuple({**rule, "mode": "audit"} if _may_be_freed(rule) else rule for rule in there), keys


def _may_be_freed(rule: Rule) -> bool:
    return rule["mode"] != "audit" and may_be_excepted(rule["layer"], rule["source"])


def of(rule: Rule) -> str:
    """Return the set or file that a rule is written in, as exceptions name it."""
    return rule["source"].rpartition(":")[0]


def compiled(only: Mapping[str, Any]) -> Match:
    """Matchers as an exception has them, compiled. Raises ValueError where they are none."""
    from rulez_py.policy.format.schema import read_matchers
    from rulez_py.policy.matchers import matchers_of

    return matchers_of(read_matchers(only))


def _by_which(rule: Rule, facts: Facts, exceptions: Iterable[Excepted]) -> int:
    """Return the number of the first exception that frees a rule here, 0 where none does."""
    if not _may_be_freed(rule):
        return 0
    for one in exceptions:
        if (one.rule, one.of) == (rule["name"], of(rule)) and (not one.only or _is_about(one, rule, facts)):
            return one.number
    return 0


def _is_about(one: Excepted, rule: Rule, facts: Facts) -> bool:
    """Tell whether all by which the rule matches is what the exception says, for certain."""
    seen = seen_by(rule, facts)
    try:
        return matches(rule["match"], seen) and is_excepted((compiled(one.only),), rule["match"], seen)
    except (ValueError, LookupError, TypeError, AttributeError):
        return False  # Its meaning is unknown: `matcher` may have no such kind.
