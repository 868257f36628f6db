"""List the kinds of definitions that a project keeps: the one table of them."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from rulez_py.definitions.agents import kind as agents
from rulez_py.definitions.base.plan import Everything
from rulez_py.definitions.commands import kind as commands
from rulez_py.definitions.instructions import kind as instructions
from rulez_py.definitions.skills import kind as skills

KINDS: tuple[ModuleType, ...] = (agents, skills, commands, instructions)
"""Each has KEY, NAME, ABOUT, INSIDE and `planned`; they are written in this order."""


def planner(kind: ModuleType) -> Callable[..., Everything]:
    """Return what plans the files of a kind."""
    planned: Callable[..., Everything] = kind.planned
    return planned
