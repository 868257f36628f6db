"""`require_fields`: which fields the tool's input has."""

from __future__ import annotations

from rulez_py.event.arguments import field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match

ABOUT = "Fields of the tool's input, as dotted paths, that are there and not null."
EXAMPLE = "require_fields: [user.name]"
VARIABLES = ("require_fields",)
SAYS_LITTLE = ("require_fields",)


def schema() -> Kind:
    from rulez_py.policy.matchers.schema_parts import FIELD_PATH, one_or_many

    return one_or_many(FIELD_PATH)


def compiled(wanted: list[str]) -> list[str]:
    return wanted


def filed_by(match: Match) -> Filing | None:
    return None


def fits(wanted: list[str], facts: Facts, *, strict: bool) -> bool:
    enough = all if strict else any
    return enough(all(field(given, path) is not None for path in wanted) for given in facts.arguments)


def seen(wanted: list[str], facts: Facts) -> Iterable[str]:
    """Return the part of the call that the matcher has looked at, for people."""
    missing = [name for name in wanted if not fits([name], facts, strict=False)]
    return [f"without {missing[0]}", *missing[1:]] if missing else ["all of them"]
