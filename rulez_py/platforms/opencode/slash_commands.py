"""The slash commands of OpenCode.

Measured on the real CLI: contract.md, "Slash commands".
"""

from __future__ import annotations

import re

from rulez_py.platforms.slash_command_files import CommandFiles

FILES = CommandFiles(
    directory=".opencode/command",
    user_directory=".config/opencode/command",
    keys={"description": "description", "model": "model"},
    every="$ARGUMENTS",
    one="${}",
    taken=re.compile(r"\$(?:ARGUMENTS|\d+)|!`[^`]+`", re.A),
)
