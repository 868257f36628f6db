"""The skills of Invented CLI: contract.md, "Skills"."""

from __future__ import annotations

from rulez_py.platforms.agent_files import is_text
from rulez_py.platforms.skill_files import SkillFiles

FILES = SkillFiles(
    directory=".invented/skills",
    user_directory=".invented/skills",
    permits="permits",
    acts_on={"mood": is_text},
)
