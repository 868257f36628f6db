"""The skills of Kilo Code: their place, and how it reads them.

Measured on the real CLI: contract.md, "Skills".
"""

from __future__ import annotations

import re

from rulez_py.platforms.kilo.instructions import REPLACED
from rulez_py.platforms.skill_files import WINS, Rival, SkillFiles

_WINNING = tuple(
    Rival(f"~/{home}/{place}/{{name}}", WINS) for home in (".kilo", ".kilocode") for place in ("skills", "skill")
)

FILES = SkillFiles(
    directory=".kilo/skills",
    user_directory=".config/kilo/skills",
    most_text=(48_000, 1_970),
    list_is_raw=True,
    commands=re.compile(r"!`[^`]+`"),
    runs_own_alone=True,
    replaced=REPLACED,
    rivals=_WINNING,
    user_rivals=_WINNING,
)
