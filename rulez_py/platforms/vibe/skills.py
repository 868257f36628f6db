"""The skills of Mistral Vibe: their place, their fields, and how it reads their text.

Measured on the real CLI: contract.md, "Skills".
"""

from __future__ import annotations

import re

from rulez_py.platforms.agent_files import is_map, is_switch, is_text, is_text_or_texts
from rulez_py.platforms.skill_files import SkillFiles

FILES = SkillFiles(
    directory=".vibe/skills",
    user_directory=".vibe/skills",
    acts_on={"disable-model-invocation": is_switch},
    must_be={
        **dict.fromkeys(("license", "compatibility"), is_text),
        "allowed-tools": is_text_or_texts,
        "metadata": is_map,
        "user-invocable": is_switch,
    },
    name=re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*"),
    afterwards="Vibe loads a project's skills in a folder that somebody has trusted",
)
