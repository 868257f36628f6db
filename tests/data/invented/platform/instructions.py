"""The instruction files that Invented CLI reads.

Measured on the real CLI: contract.md, "Instruction files".
"""

from __future__ import annotations

from rulez_py.platforms.instruction_files import InstructionFiles

FILES = InstructionFiles(
    file="INVENTED.md",
    user_file=".invented/INVENTED.md",
    takes_in=("INVENTED.md", "read AGENTS.md"),
)
