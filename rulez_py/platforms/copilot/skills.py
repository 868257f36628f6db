"""The skills of Copilot: their place, and how it reads them.

Measured on the real CLI: contract.md, "Skills".
"""

from __future__ import annotations

from rulez_py.platforms.agent_files import is_switch, is_text, is_text_or_texts
from rulez_py.platforms.skill_files import SkillFiles

FILES = SkillFiles(
    directory=".github/skills",
    user_directory=".copilot/skills",
    acts_on={"disable-model-invocation": is_switch},
    must_be={
        "allowed-tools": is_text_or_texts,
        "user-invocable": is_switch,
        "argument-hint": is_text,
    },
    largest=1_048_000,  # 1 MiB, with the line that says who wrote it.
)
