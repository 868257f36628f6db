"""`field_types`: which types the fields of the tool's input have."""

from __future__ import annotations

from rulez_py.event.arguments import field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match

ABOUT = "Fields of the tool's input and their types: `string` `number` `boolean` `array` `object` `any`."
EXAMPLE = "field_types: {timeout: number}"

_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}


def schema() -> Kind:
    from rulez_py.documents.types import MapOf
    from rulez_py.policy.matchers.schema_parts import FIELD_PATH, one_of

    return MapOf(key=FIELD_PATH, item=one_of((*_TYPES, "any")))


def compiled(wanted: dict[str, str]) -> dict[str, str]:
    return wanted


def filed_by(match: Match) -> Filing | None:
    return None


def fits(wanted: dict[str, str], facts: Facts, *, strict: bool) -> bool:
    enough = all if strict else any
    return enough(all(_is(field(given, path), name) for path, name in wanted.items()) for given in facts.arguments)


def _is(value: object, name: str) -> bool:
    if value is None:
        return False
    if name == "any":
        return True
    if isinstance(value, bool):
        return name == "boolean"  # which Python takes for a number
    return name in _TYPES and isinstance(value, _TYPES[name])


def seen(_wanted: object, facts: Facts) -> Iterable[str]:
    """Return the part of the call that the matcher has looked at, for people."""
    return [f"{name}: {type(value).__name__}" for name, value in facts.event.tool_input.items()]
