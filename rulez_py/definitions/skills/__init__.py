"""Skills: a directory of each, written once, for every platform as it loads them.

These names are what people need who write skills from Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulez_py.definitions.skills.adopting import adopt, source
from rulez_py.definitions.skills.definition import Expands, Skill, SkillFile
from rulez_py.definitions.skills.files import (
    LeftOver,
    Plan,
    left_over,
    load,
    plan,
    platform_at,
    read_directory,
    remove,
    save,
)
from rulez_py.definitions.skills.platforms import PLATFORMS
from rulez_py.definitions.skills.reading import Read, read
from rulez_py.definitions.skills.rendering import render
from rulez_py.definitions.skills.written import Skills
from rulez_py.renamed import renamed

__all__ = [
    "PLATFORMS",
    "Expands",
    "LeftOver",
    "Plan",
    "Read",
    "Skill",
    "SkillFile",
    "Skills",
    "adopt",
    "left_over",
    "load",
    "plan",
    "platform_at",
    "read",
    "read_directory",
    "remove",
    "render",
    "save",
    "source",
]

if TYPE_CHECKING:
    # Old names, which go on to work.
    HARNESSES = PLATFORMS
    harness_at = platform_at
else:
    __getattr__ = renamed(__name__, {"HARNESSES": "PLATFORMS", "harness_at": "platform_at"})
