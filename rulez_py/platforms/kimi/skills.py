"""The skills of Kimi Code: their place, their fields, and how it reads their text.

Measured on the real CLI: contract.md, "Skills".
"""

from __future__ import annotations

import re

from rulez_py.platforms.agent_files import is_switch, is_text, is_text_or_texts, one_of
from rulez_py.platforms.skill_files import SkillFiles

FILES = SkillFiles(
    directory=".kimi-code/skills",
    user_directory=".kimi-code/skills",
    acts_on={
        "disable-model-invocation": is_switch,
        "arguments": is_text_or_texts,
        "type": one_of("prompt", "inline", "flow", "reference"),
        "when_to_use": is_text,
    },
    most_description=250,
    list_is_raw=True,
    told_late=True,
    arguments=re.compile(r"\$(?:ARGUMENTS|\d+(?!\w))", re.A),
    values=re.compile(r"\$\{KIMI_(?:SKILL_DIR|SESSION_ID)\}"),
)
