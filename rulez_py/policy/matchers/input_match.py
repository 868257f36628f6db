"""`input_match`: regexes on any text in the tool's input."""

from __future__ import annotations

from rulez_py.policy import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.policy.facts import Facts


def fits(wanted: list[str], facts: Facts, *, strict: bool) -> bool:
    return any(regex.first(wanted, text) is not None for text in facts.texts)
