"""The instruction files that Qwen Code reads.

Measured on the real CLI: contract.md, "Instruction files".
"""

from __future__ import annotations

import re

from rulez_py.platforms.instruction_files import InstructionFiles

FILES = InstructionFiles(
    file="QWEN.md",
    user_file=".qwen/QWEN.md",
    imports=re.compile(r"(?<!\S)@(?:[~./\w][^\s@]*)"),
)
