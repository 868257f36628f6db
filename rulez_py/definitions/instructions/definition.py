"""A text of instructions, as a value."""

from __future__ import annotations

from dataclasses import dataclass

from rulez_py.definitions.base.frozen import check_text
from rulez_py.definitions.base.prompt import wrong_placeholders
from rulez_py.definitions.output.errors import InvalidAgent, WrongType
from rulez_py.definitions.output.sections import is_mark


@dataclass(frozen=True, kw_only=True)
class Instructions:
    """Instructions for agents in a project: `text` is Markdown, with `{{tool:Shell}}` for the names of tools.

    `source` is what people call it, its file's path from the project's directory: by that a section is known again.

    Raises InvalidAgent for a value that is no text, a placeholder that names no tool, a line that rulez writes around
    sections; WrongType for values of another type.
    """

    source: str
    text: str

    def __post_init__(self) -> None:
        for key in ("source", "text"):
            if not isinstance(value := getattr(self, key), str):
                raise WrongType(f"the {key} of instructions is text, not {value!r}")
            if not value.strip():
                raise InvalidAgent(f"the {key} of instructions is blank")
            check_text(value, key, "instructions")
        for _, unknown in wrong_placeholders(self.text):
            raise unknown
        if is_mark(self.text):
            raise InvalidAgent(f"{self.source} has a comment in it that `rulez agents write` puts around sections")
        object.__setattr__(self, "text", self.text.replace("\r\n", "\n").replace("\r", "\n"))
