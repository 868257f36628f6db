"""A slash command, as a value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rulez_py.definitions.base.frozen import check_text, frozen
from rulez_py.definitions.base.mapping import one_by_one
from rulez_py.definitions.base.names import why_no_name
from rulez_py.definitions.base.prompt import wrong_placeholders
from rulez_py.definitions.base.tool import AnyTool, CustomTool, Tool
from rulez_py.definitions.output.errors import InvalidAgent, WrongType

_PLACE = re.compile(r"(?P<escape>\\?)\{\{(?:args|arg:(?P<number>\d{1,2}))\}\}")


class Place(NamedTuple):
    """A piece of a text: literal `text`, or a place for arguments: for all (`number` 0), or for one, from 1."""

    text: str
    number: int | None = None


@dataclass(frozen=True, kw_only=True)
class SlashCommand:
    """A slash command, in universal terms.

    `name` is also its file's: a-z, 0-9, `-` and `_`. `text` is Markdown, in which `{{args}}` means all arguments,
    `{{arg:1}}` for the first, and `{{tool:Shell}}` for the name of a tool. `arguments` tells people what to type behind
    the name. `tools` are those that need no question while the command is at work, where the platform can say that.
    `model` is one name, or one for each platform.

    Raises InvalidAgent and WrongType, as an agent definition does.
    """

    name: str
    description: str
    text: str
    arguments: str = ""
    model: str | Mapping[str, str] | None = None
    tools: tuple[AnyTool, ...] = ()
    platforms: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for key in ("name", "description", "text", "arguments"):
            if not isinstance(value := getattr(self, key), str):
                raise WrongType(f"the {key} of a command is text, not {value!r}")
            check_text(value, key, f"command {self.name}")
        if why := why_no_name(self.name):
            raise InvalidAgent(f"the command name {self.name!r} {why}")
        for key in ("description", "text"):
            if not getattr(self, key).strip():
                raise InvalidAgent(f"command {self.name} has no {key}")
        if len(self.arguments.splitlines()) > 1:
            raise InvalidAgent(f"the arguments of command {self.name} have more than one line")
        for _, unknown in wrong_placeholders(self.text):
            raise unknown
        if any(place.number is not None and not 0 <= place.number <= 20 for place in self.pieces()):
            raise InvalidAgent(f"command {self.name} has a place for an argument that is not between 1 and 20")
        object.__setattr__(self, "text", self.text.replace("\r\n", "\n").replace("\r", "\n"))
        object.__setattr__(self, "tools", tuple(one_by_one(self.tools)))
        if not all(isinstance(tool, (Tool, CustomTool)) for tool in self.tools):
            raise WrongType(f"the tools of command {self.name} are a list like [Tool.Read]")
        for key in ("model", "platforms"):
            if isinstance(getattr(self, key), Mapping):
                object.__setattr__(self, key, frozen(getattr(self, key), f"command {self.name}"))

    def pieces(self) -> Iterator[Place]:
        """Yield the text in pieces: literal text, and places for arguments. `\\{{args}}` is the text `{{args}}`."""
        at = 0
        for found in _PLACE.finditer(self.text):
            yield Place(self.text[at : found.start()])
            if found["escape"]:
                yield Place(found[0][1:])
            elif found["number"] is None:
                yield Place("", 0)
            else:
                yield Place("", int(found["number"]) or -1)
            at = found.end()
        yield Place(self.text[at:])


def escaped(text: str) -> str:
    """Text in which `pieces` finds no place for arguments."""
    return _PLACE.sub(lambda found: "\\" + found[0], text)
