"""The skills of Hermes: their place, their fields, and how it reads their text.

Measured on the real CLI: contract.md, "Skills".
"""

from __future__ import annotations

import re
from typing import Any

from rulez_py.platforms.agent_files import is_list, is_map, is_text_or_texts
from rulez_py.platforms.skill_files import NEITHER, Rival, SkillFiles


def _metadata(value: Any) -> bool:
    return not is_map(value) or not value.get("hermes") or is_map(value["hermes"])


def _is_map_or_list(value: Any) -> bool:
    return is_map(value) or is_list(value)


_HANDS_ON = "hands these variables of the environment to the commands that its model runs"

FILES = SkillFiles(
    directory="",
    user_directory=".hermes/skills",
    acts_on={
        "environments": is_text_or_texts,
        "required_environment_variables": _is_map_or_list,
        "prerequisites": is_map,
        "required_credential_files": is_list,
        "setup": is_map,
    },
    must_be={"metadata": _metadata},
    widening={
        "required_environment_variables": _HANDS_ON,
        "prerequisites": _HANDS_ON,
        "required_credential_files": "puts these files of the person's into the sandbox that commands run in",
        "setup": "asks the person for secrets, and hands them to the commands that its model runs",
    },
    most_description=60,
    # Directories that it looks for no skill in.
    name=re.compile(r"(?!(?:venv|node_modules|site-packages|__pycache__)\Z).*"),
    free_names=frozenset(("references", "templates", "assets", "scripts")),
    list_is_raw=True,
    told_late=True,
    commands=re.compile(r"!`[^`\n]+`"),
    runs_with="skills.inline_shell",
    values=re.compile(r"\$\{HERMES_(?:SKILL_DIR|SESSION_ID)\}"),
    user_rivals=tuple(Rival(f"~/.hermes/skills/{below}/{{name}}", NEITHER) for below in ("*", "*/*")),
)
