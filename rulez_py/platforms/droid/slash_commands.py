"""The slash commands of Factory Droid.

Measured on the real CLI: contract.md, "Slash commands".
"""

from __future__ import annotations

import re

from rulez_py.platforms.slash_command_files import CommandFiles

FILES = CommandFiles(
    directory=".factory/commands",
    user_directory=".factory/commands",
    keys={"description": "description", "arguments": "argument-hint"},
    every="$ARGUMENTS",
    taken=re.compile(r"\$ARGUMENTS"),
)
