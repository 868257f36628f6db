"""The platforms that load skills: the facts of each, from `platforms/NAME/skills.py`, and its names for tools."""

from __future__ import annotations

from collections.abc import Mapping

from rulez_py.definitions.output.errors import InvalidAgent
from rulez_py.documents.diagnostics import closest
from rulez_py.platforms import parts
from rulez_py.platforms.skill_files import SkillFiles

SKILL_FILES: Mapping[str, SkillFiles] = {platform: known.FILES for platform, known in parts("skills").items()}
PLATFORMS: tuple[str, ...] = tuple(SKILL_FILES)
"""The names of those that skills are written for, sorted."""

PERMITTING: frozenset[str] = frozenset(files.permits for files in SKILL_FILES.values()) - {""}
"""Keys with tools that need no question, by the names of one of them."""
ACTED_ON: frozenset[str] = PERMITTING | frozenset(key for files in SKILL_FILES.values() for key in files.acts_on)
"""Keys that do something on one of them."""


def platform_named(name: str) -> str:
    """Return a platform by its name, `Platform.Claude` too. Raises InvalidAgent for one that loads no skills."""
    if str(name) in SKILL_FILES:
        return str(name)
    close = closest(str(name), PLATFORMS)
    guess = f'did you mean "{close}"?' if close else f"there are {', '.join(PLATFORMS)}"
    raise InvalidAgent(f"there is no platform {name!r} with skills; {guess}")
