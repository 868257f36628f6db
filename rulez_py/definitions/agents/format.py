"""The format of an agent definition file, declared once: what is read, what is refused, and its JSON Schema.

Keys that are not known are free front matter and kept as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulez_py.definitions.base.format import PLATFORM, TOOLS, VARIABLES, PerPlatform
from rulez_py.definitions.base.names import LONGEST_NAME, why_no_name
from rulez_py.definitions.base.prompt import Style, wrong_placeholders
from rulez_py.documents import types
from rulez_py.documents.types import (
    Later,
    ListOf,
    Map,
    MapOf,
    Plain,
    Refusal,
    any_map,
    check_not_blank,
    text,
    whole_number,
)

if TYPE_CHECKING:
    pass


def _check_name(value: str) -> None:
    if why := why_no_name(value):
        raise Refusal(why)


def _check_server(value: str) -> None:
    if "__" in value or not value.isprintable() or "," in value or "*" in value:
        raise Refusal("is no server's name: it has a comma, a star, two _ in a row, or what cannot be printed")


def _check_mcp_tool(value: str) -> None:
    if not value.isprintable() or "," in value or value != value.strip() or "*" in value:
        raise Refusal("is no tool's name: it has a comma, a star, spaces around it, or what cannot be printed")


def _check_temperature(value: float) -> None:
    if not 0 <= value <= 2:
        raise Refusal(f"is {value}, and must be from 0 to 2")


def _check_count(value: int) -> None:
    if value < 1:
        raise Refusal(f"is {value}, and must be 1 or more")


def _check_prompt(value: str) -> None:
    for placeholder, unknown in wrong_placeholders(value):
        raise Refusal(f"holds {{{{tool:{placeholder.word}}}}}, which is no tool", unknown.help)


def _check_title(value: str) -> None:
    if len(value.splitlines()) > 1:
        raise Refusal("has more than one line")


_PROMPT = text(_check_prompt)
_FRONT_MATTER = any_map()
_TEMPERATURE = Plain(
    types=(int, float),
    wanted=types.NUMBER,
    checks=(_check_temperature,),
    form={"type": "number", "minimum": 0, "maximum": 2},
)
_COUNT = whole_number(_check_count, minimum=1)


def _check_style(value: str) -> None:
    if value not in list(Style):
        raise Refusal(f'cannot be "{value}"', choices=list(Style))


def _section() -> Map:
    return SECTION


SECTION = Map(
    name="Section",
    about="A part of the prompt: of text, a file, further sections, or several of these in this order.",
    fields={
        "title": (
            text(check_not_blank, _check_prompt, _check_title),
            "Its heading; without one there is only the text.",
        ),
        "text": (_PROMPT, "Markdown. {{tool:Shell}} becomes the platform's own name for the tool."),
        "from": (
            text(check_not_blank),
            "A Markdown file, by its path from this file's directory. In a section with a title it is one text; in one "
            "without its `## ` headings are sections.",
        ),
        "sections": (ListOf(item=Later(kind=_section), least=1), "Sections in this one, with headings one deeper."),
    },
)
MCP = Map(
    name="Mcp",
    about="Tools of an MCP server.",
    needs=("server",),
    fields={
        "server": (text(check_not_blank, _check_server), "The server's name, as the platform's settings have it."),
        "tools": (ListOf(item=text(check_not_blank, _check_mcp_tool), least=1, alone=True), "Which; without it all."),
    },
)
FILE = Map(
    name="File",
    about="One agent, for every platform.",
    needs=("description",),
    fields={
        "name": (
            text(_check_name, maxLength=LONGEST_NAME, pattern="^[a-z0-9]([a-z0-9_-]*[a-z0-9])?$"),
            "The agent's name, a-z, 0-9, - and _; that of this file where it is left out.",
        ),
        "description": (text(check_not_blank), "When to use the agent: models choose subagents by it."),
        "model": (PerPlatform(item=text(check_not_blank)), "The model it uses; one name, or one for each platform."),
        "temperature": (_TEMPERATURE, "The model's temperature, where the platform can set it."),
        "maxTokens": (_COUNT, "Tokens of one answer of the model, where the platform can set it."),
        "tools": (
            TOOLS,
            "The tools it has: tool variants, Grep, Custom:NAME. Without this key it has what the platform gives it.",
        ),
        "mcp": (
            ListOf(item=MCP, least=1, alone=True),
            "Tools of MCP servers that it has beside `tools`, by each platform's own names.",
        ),
        "disallowedTools": (
            TOOLS,
            "Tools it must not have: taken away from the others.",
        ),
        "platforms": (
            MapOf(key=PLATFORM, item=_FRONT_MATTER),
            "Further front matter for one platform alone: platform -> map.",
        ),
        "prompt": (_PROMPT, "The whole prompt, Markdown. Of a Markdown file it is what follows the front matter."),
        "sections": (ListOf(item=SECTION), "The prompt in parts, in place of `prompt`."),
        "sectionStyle": (
            PerPlatform(item=text(_check_style, enum=list(Style))),
            "How the titles of sections are written: `## title`, or `<title>` with `</title>` at the end; one way, or "
            "one for each platform. Default: markdown.",
        ),
        "policy": (
            ListOf(item=any_map(), least=1),
            "Rules for this agent alone, as in a policy file; `rulez agents write` puts them into .rulez/rules.yaml.",
        ),
        "vars": (
            VARIABLES,
            "Values for {{var:NAME}} in description, titles and texts, where no others are given.",
        ),
    },
)


def json_schema() -> dict[str, Any]:
    """Return the format as JSON Schema (draft 2020-12)."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:rulez:schema:agent",
        "title": "rulez agent definition",
        "$defs": {SECTION.name: SECTION.definition(), MCP.name: MCP.definition()},
        **FILE.definition(),
        "additionalProperties": True,
    }
