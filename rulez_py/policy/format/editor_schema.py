"""The schema of policy files as editors read it: what they propose, and what they say where something is wrong.

INVARIANT: what is added explains alone. Without it the schema is that of `schema.py`, and the same files are valid.
"""

from __future__ import annotations

from rulez_py.platforms.tool_table import CANONICAL, VARIANTS
from rulez_py.policy import packs
from rulez_py.policy.format import schema
from rulez_py.system import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Form = dict[str, Any]
    """A part of a JSON Schema."""

ADDED = ("examples", "defaultSnippets", "enumDescriptions", "errorMessage", "patternErrorMessage")
"""The keywords that it adds: the first is JSON Schema's own, the others are those of VS Code, which the YAML language
server reads as well; a validator passes over all of them."""

_MCP = ("mcp__SERVER__TOOL", "mcp__SERVER__*")
_BLANK = "must not be blank"
_MESSAGES = {
    "boolean": "must be true or false, without quotes",
    "integer": "must be a whole number, without quotes",
    "number": "must be a number above 0, without quotes",
}
_NAME = "may hold only letters, digits, - and _, like no-force-push"
_VERSION = 'must be "1.0"'


def for_editors() -> Form:
    """Return the whole schema, with all that editors show."""
    # A part that several places share becomes a definition of its own.
    whole: Form = jsontext.loads(jsontext.dumps(schema.json_schema()))
    defined, keys = whole["$defs"], whole["properties"]
    for form in _forms(whole):
        _say_what_is_wrong(form)
    defined["Rule"]["properties"]["name"]["patternErrorMessage"] = _NAME
    keys["version"]["errorMessage"] = _VERSION
    tools = [*dict.fromkeys((*CANONICAL, *VARIANTS)), *_MCP]
    for one in _texts(defined["Matchers"]["properties"]["tools"]):
        one["examples"] = tools
    for one in _texts(keys["extends"]):
        sets = one["anyOf"][0]
        sets["enumDescriptions"] = [packs.about(name.removeprefix(packs.PREFIX)) for name in sets["enum"]]
    rules = sorted({rule for names in packs.reach(packs.extendable()).values() for rule in names})
    for one in _texts(keys["disable"]):
        one["examples"] = rules
    defined["Rule"]["defaultSnippets"] = list(SNIPPETS)
    return whole


def _say_what_is_wrong(form: Form) -> None:
    """Add a message to each form where the editor's own does not say what to write."""
    kind = form.get("type")
    if kind in _MESSAGES:
        form["errorMessage"] = _MESSAGES[kind]
    elif form.get("pattern") == r"\S" or form.get("minLength") == 1:
        form["patternErrorMessage"] = _BLANK
    elif form.get("additionalProperties") is False:
        form["errorMessage"] = f"unknown key, or no map; known are {', '.join(form['properties'])}"


def _forms(part: Any) -> Iterator[Form]:
    """Yield every form in a schema that says of what type a value is."""
    if isinstance(part, dict):
        if isinstance(part.get("type"), str):
            yield part
        for value in part.values():
            yield from _forms(value)
    elif isinstance(part, list):
        for value in part:
            yield from _forms(value)


def _texts(form: Form) -> Iterator[Form]:
    """Return the text alone, and the text in a list."""
    return (one for one in _forms(form) if one["type"] == "string")


SNIPPETS: tuple[Form, ...] = (
    {
        "label": "deny a command",
        "description": "A rule that denies a command, wherever it is in a line.",
        "body": {
            "name": "${1:no-publishing}",
            "description": "${2:Releases are made by the release job.}",
            "suggestion": "${3:Open a pull request that bumps the version.}",
            "matchers": {
                "operations": ["PreToolUse"],
                "command": {"program": "${4:npm}", "subcommand": "${5:publish}"},
            },
            "actions": {"block": True},
            "tests": {"deny": ["${6:npm publish}"], "allow": ["${7:npm pack}"]},
        },
    },
    {
        "label": "ask before a command",
        "description": "A rule that leaves a command to the person.",
        "body": {
            "name": "${1:ask-before-migrating}",
            "matchers": {
                "operations": ["PreToolUse"],
                "command": {"program": "${2:alembic}", "subcommand": "${3:upgrade}"},
            },
            "actions": {"ask": "${4:this changes the database}"},
            "tests": {"ask": ["${5:alembic upgrade head}"], "allow": ["${6:alembic history}"]},
        },
    },
    {
        "label": "guard files",
        "description": "A rule about files, for the agents' own tools and for every command that touches them.",
        "body": {
            "name": "${1:generated-code}",
            "description": "${2:This file is generated.}",
            "suggestion": "${3:Change the template and run make generate.}",
            "matchers": {
                "operations": ["PreToolUse"],
                "paths": {"globs": ["${4:src/generated/**}"], "access": ["write", "delete"]},
            },
            "actions": {"block": True},
            "tests": {"deny": ["${5:rm src/generated/api.py}"], "allow": ["${6:cat src/generated/api.py}"]},
        },
    },
)
"""Whole rules that an editor writes; `${1:TEXT}` is what the person fills in."""
