"""The skills of Pi: their place, and how it reads them.

Measured on the real CLI: contract.md, "Skills".
"""

from __future__ import annotations

from rulez_py.platforms.agent_files import is_switch
from rulez_py.platforms.skill_files import SkillFiles

FILES = SkillFiles(
    directory=".pi/skills",
    user_directory=".pi/agent/skills",
    acts_on={"disable-model-invocation": is_switch},
)
