"""The slash commands of Gemini CLI.

Measured on the real CLI: contract.md, "Slash commands".
"""

from __future__ import annotations

import re

from rulez_py.platforms.slash_command_files import CommandFiles

FILES = CommandFiles(
    directory=".gemini/commands",
    user_directory=".gemini/commands",
    ending=".toml",
    toml=True,
    keys={"description": "description"},
    every="{{args}}",
    taken=re.compile(r"\{\{args\}\}|[!@]\{"),
    rivals=("~/.gemini/commands/{name}.toml",),
)
