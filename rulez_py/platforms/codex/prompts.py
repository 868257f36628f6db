"""The custom prompts of Codex CLI, as its documentation has them: read by `rulez agents import`, never written.

`codex exec` puts none in: contract.md, "Slash commands".
"""

from __future__ import annotations

import re

from rulez_py.platforms.slash_command_files import CommandFiles

FILES = CommandFiles(
    directory=".codex/prompts",
    user_directory=".codex/prompts",
    keys={"description": "description", "arguments": "argument-hint"},
    every="$ARGUMENTS",
    one="${}",
    taken=re.compile(r"\$(?:[1-9](?!\w)|[A-Z][A-Z0-9_]*)", re.A),
)
