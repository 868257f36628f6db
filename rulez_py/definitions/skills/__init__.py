"""Skills: a directory of each, written once, for every harness as it loads them.

These names are what people need who write skills from Python.
"""

from __future__ import annotations

from rulez_py.definitions.skills.adopting import adopt, source
from rulez_py.definitions.skills.definition import Expands, Skill, SkillFile
from rulez_py.definitions.skills.files import (
    LeftOver,
    Plan,
    harness_at,
    left_over,
    load,
    plan,
    read_directory,
    remove,
    save,
)
from rulez_py.definitions.skills.harnesses import HARNESSES
from rulez_py.definitions.skills.reading import Read, read
from rulez_py.definitions.skills.rendering import render
from rulez_py.definitions.skills.written import Skills

__all__ = [
    "HARNESSES",
    "Expands",
    "LeftOver",
    "Plan",
    "Read",
    "Skill",
    "SkillFile",
    "Skills",
    "adopt",
    "harness_at",
    "left_over",
    "load",
    "plan",
    "read",
    "read_directory",
    "remove",
    "render",
    "save",
    "source",
]
