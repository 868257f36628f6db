"""The instruction files that Kilo Code reads.

Measured on the real CLI: contract.md, "Instruction files".
"""

from __future__ import annotations

from rulez_py.platforms.instruction_files import SHARED, InstructionFiles
from rulez_py.platforms.kilo.files import REPLACED

FILES = InstructionFiles(
    file=SHARED,
    user_file=".config/kilo/AGENTS.md",
    replaced=REPLACED,
)
