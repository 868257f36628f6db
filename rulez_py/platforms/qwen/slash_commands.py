"""The slash commands of Qwen Code.

Measured on the real CLI: contract.md, "Slash commands".
"""

from __future__ import annotations

import re

from rulez_py.platforms.slash_command_files import CommandFiles

FILES = CommandFiles(
    directory=".qwen/commands",
    user_directory=".qwen/commands",
    keys={"description": "description"},
    every="{{args}}",
    taken=re.compile(r"\{\{args\}\}|[!@]\{"),
)
