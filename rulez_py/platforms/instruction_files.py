"""What has to be known of the instruction files that a platform reads: `platforms/NAME/instructions.py` says it.

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
    """The one that it reads whatever else is there: where a text for it alone stands."""
    user_file: str
    """The person's own."""
    takes_in: tuple[str, str] | None = None
    """Where a line can stand that makes it read SHARED, and that line. None where it reads SHARED by itself."""
    imports: re.Pattern[str] | None = None
    """What in a text it takes for a file to be read; one that is not there is left as it is, or becomes a comment."""
    wins: tuple[str, ...] = ()
    """Files that it reads instead of `file`, where they are there."""
    largest: int = LARGEST_FILE
    """Bytes of all of a project's instructions of which the model is given all."""
