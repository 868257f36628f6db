"""The skills of Gemini CLI: their place, and how it reads them.

Measured on the real CLI: contract.md, "Skills".
"""

from __future__ import annotations

from rulez_py.platforms.skill_files import WINS, Rival, SkillFiles

FILES = SkillFiles(
    directory=".gemini/skills",
    user_directory=".gemini/skills",
    list_is_raw=True,
    rivals=(Rival(".agents/skills/{name}", WINS),),
    user_rivals=(Rival("~/.agents/skills/{name}", WINS),),
    afterwards="`gemini -p` offers its model no skill without --yolo",
)
