"""The result of writing an agent file."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Literal


class State(enum.Enum):
    """The state of a file's place before it is written."""

    Missing = "missing"
    Same = "unchanged"
    Ours = "differs"
    """A file that rulez wrote, from another definition or in another version."""
    Edited = "edited by hand, or not written by rulez"
    """Another JSON file: JSON has no comments, so its author is unknown."""
    Imported = "what its definition was imported from"
    """A file as it was before."""


Scope = Literal["project", "user"]


@dataclass(frozen=True)
class Written:
    """The result for a file: `state` is its state before, `kept` the new name of an edited file, or ""."""

    path: str
    state: State
    kept: str = ""

    @property
    def changed(self) -> bool:
        """True if the file is, or with `check` would be, changed."""
        return self.state is not State.Same
