"""The instruction files that Gemini CLI reads.

Measured on the real CLI: contract.md, "Instruction files".
"""

from __future__ import annotations

import re

from rulez_py.platforms.instruction_files import InstructionFiles

FILES = InstructionFiles(
    file="GEMINI.md",
    user_file=".gemini/GEMINI.md",
    takes_in=("GEMINI.md", "@./AGENTS.md"),
    imports=re.compile(r"(?<!\S)@(?:[~./\w][^\s@]*)"),
)
