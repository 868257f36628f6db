"""The skills of Factory Droid: their place, their fields, and how it reads their text.

Measured on the real CLI: contract.md, "Skills".
"""

from __future__ import annotations

import re

from rulez_py.platforms.agent_files import is_map, is_switch, is_text, is_text_or_texts
from rulez_py.platforms.skill_files import SkillFiles

FILES = SkillFiles(
    directory=".factory/skills",
    user_directory=".factory/skills",
    acts_on={"disable-model-invocation": is_switch, "enabled": is_switch},
    must_be={
        **dict.fromkeys(("license", "compatibility"), is_text),
        **dict.fromkeys(("allowed-tools", "tools"), is_text_or_texts),
        "metadata": is_map,
        "user-invocable": is_switch,
    },
    list_is_raw=True,
    name=re.compile(r"[a-z0-9-]+"),
    needs_text=True,
)
