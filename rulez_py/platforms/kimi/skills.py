"""The skills of Kimi Code: their place, their fields, and how it reads their text.

Measured on the real CLI: contract.md, "Skills".
"""

from __future__ import annotations

import re
from typing import Any

from rulez_py.platforms.agent_files import are_texts, is_switch, is_text, one_of
from rulez_py.platforms.skill_files import SkillFiles


def _names(value: Any) -> bool:
    return is_text(value) or are_texts(value)


FILES = SkillFiles(
    directory=".kimi-code/skills",
    user_directory=".kimi-code/skills",
    acts_on={
        "disable-model-invocation": is_switch,
        "arguments": _names,
        "type": one_of("prompt", "inline", "flow", "reference"),
        "when_to_use": is_text,
    },
    most_description=250,
    list_is_raw=True,
    told_late=True,
    arguments=re.compile(r"\$(?:ARGUMENTS|\d+(?!\w))", re.A),
    values=re.compile(r"\$\{KIMI_(?:SKILL_DIR|SESSION_ID)\}"),
)
