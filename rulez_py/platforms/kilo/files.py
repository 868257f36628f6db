"""What Kilo Code does to the text of each file that it loads: an agent, a skill, a slash command, instructions.

Measured on the real CLI: contract.md, "Texts".
"""

from __future__ import annotations

import re

REPLACED = re.compile(r"\{(?:env|file):[^}]+\}")
"""Replaced by a variable or a file's content, in code too. A project's file with the first one is not loaded."""
