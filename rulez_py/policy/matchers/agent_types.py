"""`agent_types`: which subagent, or main agent by a name of its own, makes the call."""

from __future__ import annotations

from rulez_py.policy.patterns import globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match

ABOUT = (
    "The subagent that makes the call, by the name in its definition; globs, case does not matter; `!` takes out again."
)
EXAMPLE = "agent_types: [reviewer, docs-*]"
VARIABLES = ("agent_types",)
GENERAL = True


def schema() -> Kind:
    from rulez_py.policy.matchers.schema_parts import GLOBS

    return GLOBS


def compiled(wanted: list[str]) -> list[str]:
    return [pattern.lower() for pattern in wanted]


def filed_by(match: Match) -> Filing | None:
    return None


def fits(wanted: list[str], facts: Facts, *, strict: bool) -> bool:
    agent = facts.event.agent_type
    return bool(agent) and globs.plain_list(wanted, str(agent).lower())


def seen(_wanted: object, facts: Facts) -> Iterable[str]:
    """Return the part of the call that the matcher has looked at, for people."""
    return (facts.event.agent_type,) if facts.event.agent_type else ()
