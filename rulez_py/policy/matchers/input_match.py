"""`input_match`: regexes on any text in the tool's input."""

from __future__ import annotations

from rulez_py.policy.patterns import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match
    from rulez_py.policy.patterns.regex import Regex

ABOUT = "Regexes, in any text anywhere in the tool's input."
EXAMPLE = "input_match: '(?i)password'"


def schema() -> Kind:
    from rulez_py.policy.matchers.schema_parts import PATTERNS

    return PATTERNS


def compiled(wanted: list[str]) -> list[Regex]:
    return [regex.prepared(pattern) for pattern in wanted]


def filed_by(match: Match) -> Filing | None:
    from rulez_py.policy.matchers import index_keys

    return "input", index_keys.of_literals(match["input_match"])


def fits(wanted: list[Regex], facts: Facts, *, strict: bool) -> bool:
    return any(regex.any_fits(wanted, text) for text in facts.texts)


def seen(_wanted: object, facts: Facts) -> Iterable[str]:
    """Return the part of the call that the matcher has looked at, for people."""
    return [f"{len(text)} characters" for text in facts.texts]
