"""The instruction files that Claude Code reads.

Measured on the real CLI: contract.md, "Instruction files".
"""

from __future__ import annotations

import re

from rulez_py.platforms.instruction_files import InstructionFiles

FILES = InstructionFiles(
    file="CLAUDE.md",
    user_file=".claude/CLAUDE.md",
    # Copilot reads CLAUDE.md as well, and takes files in there: it would have the text twice.
    takes_in=(".claude/CLAUDE.md", "@../AGENTS.md"),
    imports=re.compile(r"(?<!\S)@(?:[~./\w][^\s@]*)"),
)
