"""The slash commands of Claude Code.

Measured on the real CLI: contract.md, "Slash commands".
"""

from __future__ import annotations

import re

from rulez_py.platforms.slash_command_files import CommandFiles

FILES = CommandFiles(
    directory=".claude/commands",
    user_directory=".claude/commands",
    keys={
        "description": "description",
        "arguments": "argument-hint",
        "model": "model",
        "tools": "allowed-tools",
    },
    every="$ARGUMENTS",
    one="${}",
    first=0,
    taken=re.compile(
        r"(?<!\S)!`[^`]+`|```!|\\*\$(?:ARGUMENTS|\d+(?!\w))|\$\{CLAUDE_\w+\}|(?<!\S)@[\w.~/][\w./~-]*", re.A
    ),
    escapable=re.compile(r"\$(?:ARGUMENTS|\d+)", re.A),
    rivals=("~/.claude/commands/{name}.md",),
)
