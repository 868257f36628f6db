"""The format of a SKILL.md's front matter, declared once: what is read, what is refused, and its JSON Schema.

Keys that are not known are free front matter and kept as they are.
"""

from __future__ import annotations

from typing import Any

from rulez_py.definitions.base.format import TOOLS, VARIABLES
from rulez_py.definitions.base.names import LONGEST_NAME, why_no_name
from rulez_py.definitions.skills.definition import EXPANDS, LONGEST_DESCRIPTION, why_no_description
from rulez_py.definitions.skills.platforms import PLATFORMS
from rulez_py.documents.types import ListOf, Map, MapOf, Refusal, any_map, text


def _check_name(value: str) -> None:
    if why := why_no_name(value):
        raise Refusal(why)


def _check_description(value: str) -> None:
    if why := why_no_description(value):
        raise Refusal(why)


def _check_expands(value: str) -> None:
    if value not in EXPANDS:
        raise Refusal(f'names "{value}", which nothing puts into a text', choices=EXPANDS)


def _check_platform(value: str) -> None:
    if value not in PLATFORMS:
        raise Refusal(f'names "{value}", for which no skills are written', choices=PLATFORMS)


FILE = Map(
    name="Skill",
    about="One skill, for every platform: the front matter of its SKILL.md.",
    needs=("description",),
    fields={
        "name": (
            text(_check_name, maxLength=LONGEST_NAME, pattern="^[a-z0-9]([a-z0-9_-]*[a-z0-9])?$"),
            "The skill's name, a-z, 0-9, - and _; that of its directory where it is left out.",
        ),
        "description": (
            text(_check_description, maxLength=LONGEST_DESCRIPTION),
            "What it does and when to use it: models choose skills by it.",
        ),
        "tools": (TOOLS, "Tools that need no question while it is at work, where a platform has that."),
        "expands": (
            ListOf(item=text(_check_expands, enum=list(EXPANDS)), alone=True),
            "What a platform may put into its text: arguments ($ARGUMENTS, $1), commands (!`cmd`).",
        ),
        "platforms": (
            MapOf(key=text(_check_platform, enum=list(PLATFORMS)), item=any_map()),
            "Further front matter for one platform alone: platform -> map.",
        ),
        "vars": (VARIABLES, "Values for {{var:NAME}} in description and text, where no others are given."),
    },
)


def json_schema() -> dict[str, Any]:
    """Return the format as JSON Schema (draft 2020-12)."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:rulez:schema:skill",
        "title": "rulez skill",
        **FILE.definition(),
        "additionalProperties": True,
    }
