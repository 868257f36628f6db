"""List the kinds of definitions that a project keeps: the one table of them."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from rulez_py.definitions.agents import kind as agents
from rulez_py.definitions.base.plan import Everything, Imported
from rulez_py.definitions.commands import kind as commands
from rulez_py.definitions.instructions import kind as instructions
from rulez_py.definitions.skills import kind as skills

KINDS: tuple[ModuleType, ...] = (agents, skills, commands, instructions)
"""Each has KEY, NAME, SEVERAL, ABOUT, INSIDE, `planned`, `is_one` and `imported`; they are written in this order."""


def planner(kind: ModuleType) -> Callable[..., Everything]:
    """Return what plans the files of a kind."""
    planned: Callable[..., Everything] = kind.planned
    return planned


def kind_at(path: str) -> ModuleType:
    """Return the kind of a platform's file. One that lies where none is loaded from is an agent's."""
    # By name first (CLAUDE.md), then by the directory: whatever a platform loads from one is an agent, too.
    return next((kind for kind in reversed(KINDS) if kind.is_one(path)), agents)


def importer(kind: ModuleType) -> Callable[[str, str | None, str], Imported]:
    """Return what makes a definition of a platform's file."""
    imported: Callable[[str, str | None, str], Imported] = kind.imported
    return imported
