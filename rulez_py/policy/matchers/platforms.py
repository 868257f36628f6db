"""`platforms`: which agent this is."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match

ABOUT = "The agent, by the name that `rulez hook --platform` knows it by."
EXAMPLE = "platforms: [claude, gemini]"
GENERAL = True


def schema() -> Kind:
    from rulez_py.platforms import PLATFORMS
    from rulez_py.policy.matchers.schema_parts import one_of, one_or_many

    return one_or_many(one_of(PLATFORMS))


def compiled(wanted: list[str]) -> list[str]:
    return wanted


def filed_by(match: Match) -> Filing | None:
    return None


def fits(wanted: list[str], facts: Facts, *, strict: bool) -> bool:
    return facts.event.platform in wanted


def seen(_wanted: object, facts: Facts) -> Iterable[str]:
    """Return the part of the call that the matcher has looked at, for people."""
    return (facts.event.platform,)
