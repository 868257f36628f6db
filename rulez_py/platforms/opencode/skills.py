"""The skills of OpenCode: their place, and how it reads them.

Measured on the real CLI: contract.md, "Skills".
"""

from __future__ import annotations

from rulez_py.platforms.skill_files import CHANCE, Rival, SkillFiles

_USERS = tuple(
    Rival(f"~/{place}/{{name}}", CHANCE)
    for place in (
        *(".config/opencode/skill", ".opencode/skills", ".opencode/skill"),
        *(".claude/skills", ".agents/skills"),
    )
)

FILES = SkillFiles(
    directory=".opencode/skills",
    user_directory=".config/opencode/skills",
    most_text=(48_000, 1_970),
    list_is_raw=True,
    rivals=(
        *(Rival(f"{place}/{{name}}", CHANCE) for place in (".opencode/skill", ".claude/skills", ".agents/skills")),
        Rival("~/.config/opencode/skills/{name}", CHANCE),
        *_USERS,
    ),
    user_rivals=_USERS,
)
