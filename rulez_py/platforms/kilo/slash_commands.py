"""The slash commands of Kilo Code.

Measured on the real CLI: contract.md, "Slash commands".
"""

from __future__ import annotations

import re

from rulez_py.platforms.kilo.instructions import REPLACED
from rulez_py.platforms.slash_command_files import CommandFiles

FILES = CommandFiles(
    directory=".kilo/command",
    user_directory=".config/kilo/command",
    keys={"description": "description"},
    every="$ARGUMENTS",
    one="${}",
    taken=re.compile(rf"\$(?:ARGUMENTS|\d+)|!`[^`]+`|{REPLACED.pattern}", re.A),
    rivals=tuple(
        f"~/{home}/{place}/{{name}}.md" for home in (".kilo", ".kilocode") for place in ("command", "commands")
    ),
)
