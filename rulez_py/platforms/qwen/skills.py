"""The skills of Qwen Code: their place, and how it reads them.

Measured on the real CLI: contract.md, "Skills".
"""

from __future__ import annotations

from rulez_py.platforms.agent_files import is_switch, is_text
from rulez_py.platforms.skill_files import SkillFiles

FILES = SkillFiles(
    directory=".qwen/skills",
    user_directory=".qwen/skills",
    acts_on={"disable-model-invocation": is_switch},
    must_be={"model": is_text},
    most_text=(24_000, 2_000),
)
