"""Tell people what a platform's file cannot say, or says more strictly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rulez_py.definitions.output import yamltext
from rulez_py.definitions.output.errors import AgentError


@dataclass(frozen=True)
class Note:
    """Something the file cannot say, or says more strictly. `text` is a sentence for people.

    `grave` ones change what people may rely on; the others are what a platform lacks. `always`: people should know
    without asking: a tool becomes another one or nothing, an unknown model is left out.
    """

    text: str
    grave: bool = False
    always: bool = False

    def __str__(self) -> str:
        return self.text


Warn = Callable[[Note], None]


class CannotSay(AgentError):
    """An agent that a platform would not load, or would give more than the definition says."""


def short(value: Any) -> str:
    """Return a value as messages print it."""
    text = yamltext.value(value)
    return text if len(text) <= 100 else text[:97] + "..."
