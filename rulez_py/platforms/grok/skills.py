"""The skills of Grok Build: their place, and how it reads them.

Measured on the real CLI: contract.md, "Skills".
"""

from __future__ import annotations

from rulez_py.platforms.agent_files import is_switch
from rulez_py.platforms.skill_files import SkillFiles

FILES = SkillFiles(
    directory=".grok/skills",
    user_directory=".grok/skills",
    acts_on={"disable-model-invocation": is_switch},
    list_is_raw=True,
)
