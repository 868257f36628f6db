"""What became of an agent file that was to be written."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Literal


class State(enum.Enum):
    """What stands where a file is to be written."""

    Missing = "missing"
    Same = "unchanged"
    Ours = "differs"
    """What rulez wrote, from another definition or in another version."""
    Edited = "edited by hand, or not written by rulez"
    """Of JSON, which has no comments, nobody can say more than that it differs."""
    Imported = "what its definition was imported from"
    """The very file, as it was then: it says nothing that nobody has seen."""


Scope = Literal["project", "user"]


@dataclass(frozen=True)
class Written:
    """What became of a file: `state` is what stood there, `kept` the new name of what somebody had edited, or ""."""

    path: str
    state: State
    kept: str = ""

    @property
    def changed(self) -> bool:
        """Whether the file is, or with `check` would be, another one than before."""
        return self.state is not State.Same
