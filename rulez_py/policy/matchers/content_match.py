"""`content_match`: regexes on the text about to be written."""

from __future__ import annotations

from rulez_py.policy.matchers import WRITE_NOTHING
from rulez_py.policy.patterns import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match
    from rulez_py.policy.patterns.regex import Regex

ABOUT = "Regexes, in text about to be written."
EXAMPLE = "content_match: 'BEGIN PRIVATE KEY'"
NEVER_WITH = WRITE_NOTHING


def schema() -> Kind:
    from rulez_py.policy.matchers.schema_parts import PATTERNS

    return PATTERNS


def compiled(wanted: list[str]) -> list[Regex]:
    return [regex.prepared(pattern) for pattern in wanted]


def filed_by(match: Match) -> Filing | None:
    from rulez_py.policy.matchers import index_keys

    return "written", index_keys.of_literals(match["content_match"])


def fits(wanted: list[Regex], facts: Facts, *, strict: bool) -> bool:
    if strict and facts.is_shell:
        return False  # It may write more than is seen.
    enough = all if strict else any
    return bool(facts.written) and enough(regex.any_fits(wanted, text) for text in facts.written)


def about(match: Match, facts: Facts) -> Mapping[str, Any]:
    patterns = match["content_match"]
    return {"written": tuple(text for text in facts.written if regex.any_fits(patterns, text))}


def seen(_wanted: object, facts: Facts) -> Iterable[str]:
    """Return the part of the call that the matcher has looked at, for people."""
    return [f"{len(text)} characters to write" for text in facts.written]
