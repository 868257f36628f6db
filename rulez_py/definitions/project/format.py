"""The format of `rulez.agents.yaml`, declared once: what is read, what is refused, and its JSON Schema."""

from __future__ import annotations

from typing import Any

from rulez_py.definitions.base.format import VARIABLES
from rulez_py.definitions.project.kinds import KINDS
from rulez_py.documents.types import ListOf, Map, Refusal, check_not_blank, text
from rulez_py.platforms import PLATFORMS


def _check_platform(value: str) -> None:
    if value not in PLATFORMS:
        raise Refusal(f'names "{value}", which is no platform', choices=PLATFORMS)


def _check_path(value: str) -> None:
    if value.startswith(("/", "~")) or value[1:3] in (":/", ":\\") or ".." in value.replace("\\", "/").split("/"):
        raise Refusal(f'holds "{value}", which is no path inside of the project', "write it from this file's directory")


_PATHS = ListOf(item=text(check_not_blank, _check_path), least=1, alone=True)
FILE = Map(
    name="Manifest",
    about="What a project keeps for its agents.",
    fields={
        "platforms": (
            ListOf(item=text(_check_platform, enum=list(PLATFORMS)), least=1, alone=True),
            "The agents it is written for. Default: all.",
        ),
        **{kind.KEY: (_PATHS, kind.ABOUT) for kind in KINDS},
        "vars": (VARIABLES, "Values for {{var:NAME}} in all of them; they win over a definition's own."),
    },
)


def json_schema() -> dict[str, Any]:
    """Return the format as JSON Schema (draft 2020-12)."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:rulez:schema:agents-project",
        "title": "rulez.agents.yaml",
        **FILE.definition(),
    }
