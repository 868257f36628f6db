"""`command_match`: regexes on the command line."""

from __future__ import annotations

from rulez_py.policy import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.policy.facts import Facts


def fits(wanted: list[str], facts: Facts, *, strict: bool) -> bool:
    enough = all if strict else any
    return bool(facts.lines) and enough(regex.first(wanted, line) is not None for line in facts.lines)
