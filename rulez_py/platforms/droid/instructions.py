"""The instruction files that Factory Droid reads.

Measured on the real CLI: contract.md, "Instruction files".
"""

from __future__ import annotations

from rulez_py.platforms.instruction_files import SHARED, InstructionFiles

FILES = InstructionFiles(
    file=SHARED,
    user_file=".factory/AGENTS.md",
    user_also=(".agents/AGENTS.md",),
    largest=79_000,
)
