"""The skills of Codex CLI: their place, and how it reads them.

Measured on the real CLI: contract.md, "Skills".
"""

from __future__ import annotations

from rulez_py.platforms.agent_files import is_map
from rulez_py.platforms.skill_files import BESIDE, Rival, SkillFiles

_USERS = (Rival("~/.agents/skills/{name}", BESIDE),)

FILES = SkillFiles(
    directory=".codex/skills",
    user_directory=".codex/skills",
    must_be={"metadata": is_map},
    rivals=(Rival(".agents/skills/{name}", BESIDE), Rival("~/.codex/skills/{name}", BESIDE), *_USERS),
    user_rivals=_USERS,
)
