"""The instruction files that Copilot reads.

Measured on the real CLI: contract.md, "Instruction files".
"""

from __future__ import annotations

import re

from rulez_py.platforms.instruction_files import SHARED, InstructionFiles

FILES = InstructionFiles(
    file=SHARED,
    user_file=".copilot/copilot-instructions.md",
    # In AGENTS.md and CLAUDE.md; not in GEMINI.md, nor in copilot-instructions.md.
    imports=re.compile(r"(?<!\S)@(?:[~./\w][^\s@]*)"),
)
