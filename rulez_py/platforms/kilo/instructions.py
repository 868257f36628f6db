"""The instruction files that Kilo Code reads.

Measured on the real CLI: contract.md, "Instruction files".
"""

from __future__ import annotations

import re

from rulez_py.platforms.instruction_files import SHARED, InstructionFiles

REPLACED = re.compile(r"\{(?:env|file):[^}]+\}")
"""Replaced by a variable or a file's content in every file that it loads (contract.md, "Texts"), in code too.

A project's file with the first one is not loaded at all.
"""

FILES = InstructionFiles(
    file=SHARED,
    user_file=".config/kilo/AGENTS.md",
    replaced=REPLACED,
)
