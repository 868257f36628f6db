"""The skills of OpenHands: their place, their fields, and how it reads their text.

Measured on the real CLI: contract.md, "Skills".
"""

from __future__ import annotations

import re
from typing import Any

from rulez_py.platforms.agent_files import are_texts, is_list, is_map, is_text
from rulez_py.platforms.skill_files import WINS, Rival, SkillFiles

# Not in code, nor behind a backslash; in the middle of a word too.
_COMMAND = re.compile(r"\A(?:```[\s\S]*?(?:```|\Z)|\\!`[^`]+`|(?<!!)`[^`]+`|(?!!`[^`]+`)[\s\S])*+(?P<command>!`[^`]+`)")


def _inputs(value: Any) -> bool:
    return is_list(value) and all(
        is_map(one) and is_text(one.get("name")) and is_text(one.get("description")) for one in value
    )


FILES = SkillFiles(
    directory=".openhands/skills",
    user_directory=".openhands/skills",
    acts_on={"triggers": are_texts, "inputs": _inputs},
    # A wrong one loses the other skills of the directory too, or all of them.
    must_be={
        **dict.fromkeys(("license", "compatibility"), is_text),
        "allowed-tools": lambda value: is_text(value) or is_list(value),
        "metadata": is_map,
    },
    name=re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*"),
    most_text=(49_000, 49_000),
    commands=_COMMAND,
    told_late=True,
    rivals=(Rival(".agents/skills/{name}", WINS),),
    user_rivals=(Rival("~/.agents/skills/{name}", WINS),),
)
