"""The prompt files of Copilot in VS Code, as its documentation has them: read by `rulez agents import`, never written.

Copilot CLI loads none: contract.md, "Slash commands".
"""

from __future__ import annotations

import re

from rulez_py.platforms.slash_command_files import CommandFiles

FILES = CommandFiles(
    directory=".github/prompts",
    user_directory=".copilot/prompts",
    ending=".prompt.md",
    # Its `tools` are all that it may use; ours need no question: they would give more.
    keys={"description": "description", "arguments": "argument-hint", "model": "model"},
    every="",
    taken=re.compile(r"\$\{[^}\n]*\}"),
)
