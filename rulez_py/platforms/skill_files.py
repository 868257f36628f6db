"""Facts about the skills that a platform loads, given in `platforms/NAME/skills.py`, where it loads any.

Measured on the real CLIs: contract.md, "Skills". What tools are called there is in `tools.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from rulez_py.platforms.agent_files import LARGEST_FILE, Check

WINS = "wins over it"
CHANCE = "may be loaded in its place: which of the two is chance"
BESIDE = "is listed beside it"
NEITHER = "has the same name, so neither is loaded by it"


@dataclass(frozen=True)
class Rival:
    """A directory that the platform looks for skills of the same name in, and what comes of it.

    `path` is from the project's directory or from `~`; `{name}` is the skill's name, `*` any directory.
    """

    path: str
    outcome: str


@dataclass(frozen=True, kw_only=True)
class SkillFiles:
    """The skills of one platform: a directory of each, with `SKILL.md` and whatever else lies there."""

    directory: str
    """The directory of a project's skills, relative to the project; "" where it loads a person's own alone."""
    user_directory: str
    """The directory of a person's own, relative to the home directory."""
    permits: str = ""
    """The key with tools that need no question while the skill is at work; "" where no key has that effect.

    No platform takes a tool away that is not named there.
    """
    acts_on: Mapping[str, Check] = field(default_factory=dict)
    """Further keys that do something -> what their value must be."""
    must_be: Mapping[str, Check] = field(default_factory=dict)
    """Keys without effect; a wrong value loses the skill."""
    widening: Mapping[str, str] = field(default_factory=dict)
    """Key -> the power it gives to people who can change the file."""
    largest: int = LARGEST_FILE
    """Bytes of a SKILL.md that it loads."""
    most_text: tuple[int, int] | None = None
    """Bytes and lines of a text up to which the model is given all."""
    most_description: int = LARGEST_FILE
    """Characters of a description up to which the list that the model reads holds all."""
    name: re.Pattern[str] = re.compile(r".*")
    """The regex of names that it loads a skill by."""
    needs_text: bool = False
    """It loads no skill without a text."""
    free_names: frozenset[str] | None = None
    """The directories of a skill in which a file may be called `{name}.md`; elsewhere that loses the skill.

    None where it may be anywhere.
    """
    list_is_raw: bool = False
    """A description is put unescaped into the list that the model reads: its tags become the list's."""

    commands: re.Pattern[str] | None = None
    """Text that it runs while it loads the skill, unseen by any hook, or the group `command` of it.

    There is no way to write it literally.
    """
    runs_own_alone: bool = False
    """It runs them in a person's own skills; in a project's it puts a remark in their place."""
    runs_with: str = ""
    """The setting without which it runs none of them; "" where it needs none."""
    told_late: bool = False
    """What it runs and puts in is told where a skill is written for it: the others leave such a text as it is."""
    arguments: re.Pattern[str] | None = None
    """Text that it replaces by the arguments of the skill; one backslash before it keeps it, and goes (`slashes`).

    Without that group there is no way to write it literally.
    """
    values: re.Pattern[str] | None = None
    """Text that it replaces by a value of its own, with no way to write it literally."""
    replaced: re.Pattern[str] | None = None
    """Text that it replaces anywhere in the file, or that loses the skill, with no way to write it literally."""
    attaches: re.Pattern[str] | None = None
    """Text that adds a file of the project to the skill."""

    rivals: tuple[Rival, ...] = ()
    """Directories whose skill of the same name counts beside a project's."""
    user_rivals: tuple[Rival, ...] = ()
    """Directories whose skill of the same name counts beside a person's own."""
    afterwards: str = ""
    """Steps before the model can call it."""

    @property
    def keeps_arguments(self) -> bool:
        """True if a backslash keeps what it would replace by arguments."""
        return self.arguments is not None and "slashes" in self.arguments.groupindex
