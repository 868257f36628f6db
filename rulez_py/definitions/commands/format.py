"""The format of a slash command's front matter."""

from __future__ import annotations

from rulez_py.definitions.base.format import TOOLS, VARIABLES, PerPlatform
from rulez_py.definitions.commands.rendering import PLATFORMS
from rulez_py.documents.types import Map, MapOf, Refusal, any_map, check_not_blank, text


def _check_platform(value: str) -> None:
    if value not in PLATFORMS:
        raise Refusal(f'names "{value}", for which no slash commands are written', choices=PLATFORMS)


FILE = Map(
    name="SlashCommand",
    about="One slash command, for every platform: the front matter of its file.",
    needs=("description",),
    fields={
        "description": (text(check_not_blank), "What it does: people see it where they choose commands."),
        "arguments": (text(check_not_blank), "What to type behind its name."),
        "model": (PerPlatform(item=text(check_not_blank)), "The model it uses; one name, or one for each platform."),
        "tools": (TOOLS, "Tools that need no question while it is at work, where a platform has that."),
        "platforms": (
            MapOf(key=text(_check_platform, enum=list(PLATFORMS)), item=any_map()),
            "Further keys for one platform alone: platform -> map.",
        ),
        "vars": (VARIABLES, "Values for {{var:NAME}} in description and text, where no others are given."),
    },
)
