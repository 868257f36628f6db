"""Facts about the instruction files that a platform reads, given in `platforms/NAME/instructions.py`.

Measured on the real CLIs: contract.md, "Instruction files".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulez_py.platforms.agent_files import LARGEST_FILE

SHARED = "AGENTS.md"
"""The file that several platforms read, in a project's directory."""


@dataclass(frozen=True, kw_only=True)
class InstructionFiles:
    """The instruction files of one platform. Paths are from the project's directory, or from the home directory."""

    file: str
    """The file that it always reads, for text for this platform alone."""
    user_file: str
    """The person's own."""
    user_also: tuple[str, ...] = ()
    """Further files of the person's that it reads; what another platform has there is not written a second time."""
    user_file_has_default: bool = False
    """It puts a text of its own into `user_file` where there is none, and does without where there is one."""
    takes_in: tuple[str, str] | None = None
    """The file and the line that make it read SHARED. None where it reads SHARED by itself."""
    imports: re.Pattern[str] | None = None
    """The regex of imports in a text; one of a missing file is left as it is, or becomes a comment."""
    replaced: re.Pattern[str] | None = None
    """Text that it replaces, or that makes it read nothing of the file, with no way to write it literally."""
    wins: tuple[str, ...] = ()
    """Files that it reads instead of `file`, where they are there."""
    largest: int = LARGEST_FILE
    """Bytes of all of a project's instructions up to which the model is given all."""
