"""Writes docs/reference.md: all keys of a policy file, from its schema (`make reference-page`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulez_py.policy.format.schema import json_schema

PAGE = Path(__file__).parent.parent / "docs" / "reference.md"
_MOST_NAMED = 9
_HEAD = """\
# All keys of a policy file

From the schema that `rulez schema` prints and editors complete by. What each means, with examples: [the policy
file](policy.md). A key that is not here is an error.

"""
_ORDER = (
    "Settings",
    "Override",
    "Rule",
    "Matchers",
    "Command",
    "Flow",
    "Paths",
    "PromptMatch",
    "Mcp",
    "Actions",
    "Run",
)


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """Return the page as it should be."""
    schema = json_schema()
    known: dict[str, Any] = schema["$defs"]
    names = [*_ORDER, *(name for name in known if name not in _ORDER)]
    parts = [_section("The file", schema)]
    parts += [_section(_title(name), known[name]) for name in names]
    return _HEAD + "\n".join(parts)


def _title(name: str) -> str:
    """`PromptMatch` as a heading: `prompt_match`."""
    return "".join(f"_{char.lower()}" if char.isupper() and at else char.lower() for at, char in enumerate(name))


def _section(title: str, one: dict[str, Any]) -> str:
    lines = [f"## {title}", "", one.get("description", ""), "", "| key | value | meaning |", "|---|---|---|"]
    for key, value in one.get("properties", {}).items():
        must = " **Required.**" if key in one.get("required", ()) else ""
        cells = (f"`{key}`", _kind(value), _cell(value.get("description", "")) + must)
        lines.append(f"| {' | '.join(cells)} |")
    if isinstance(one.get("additionalProperties"), dict):
        lines.append(f"| any name | {_kind(one['additionalProperties'])} | |")
    return "\n".join(lines) + "\n"


def _kind(value: dict[str, Any]) -> str:
    """Return what a value may be, in words."""
    if "$ref" in value:
        title = _title(value["$ref"].rpartition("/")[2])
        return f"[{title}](#{title})"
    for several in ("anyOf", "oneOf"):
        if several in value:
            kinds = list(dict.fromkeys(_kind(one) for one in value[several] if one.get("type") != "null"))
            # One, or a list of such.
            kinds = ["a list" if kind[9:] in kinds and kind.startswith("list of: ") else kind for kind in kinds]
            return ", or ".join(dict.fromkeys(kinds))
    if "enum" in value or "const" in value:
        allowed = value.get("enum", [value.get("const")])
        if len(allowed) > _MOST_NAMED:
            return f"one of {len(allowed)} names"
        return ", ".join(dict.fromkeys(f"`{_plain(one)}`" for one in allowed))
    kind = value.get("type")
    if kind == "array":
        return f"list of: {_kind(value.get('items', {}))}"
    if kind == "object":
        more = value.get("additionalProperties")
        return f"map of names to: {_kind(more)}" if isinstance(more, dict) else "map"
    if isinstance(kind, list):
        return " or ".join(kind)
    return {"boolean": "`true` or `false`", "string": "text", "integer": "whole number"}.get(
        kind or "", kind or "anything"
    )


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    main()
