"""rulez' own commands that write what no word of their line names."""

from __future__ import annotations

from rulez_py.analysis.programs import parts
from rulez_py.analysis.values import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.programs.touches import Touching

_POLICY = Word(text=".rulez/rules.yaml")
_AGENTS = (
    *(".claude/agents", ".factory/droids", ".gemini/agents", ".github/agents", ".kilo/agent", ".kimi-code/agents"),
    *(".opencode/agent", ".qwen/agents"),
)
_PLACES = tuple(Word(text=one) for one in _AGENTS)
"""Where the agents of a project lie, of each platform."""


def agents_effects(command: Touching) -> None:
    """Touch the files of `agents write` and `clean`: what the project file names, and the policy's rules of agents.

    With files and no --out it is the places of agents in the project.
    """
    command.by_options()
    command.by_operands()
    if command.has("--check", "--dry-run", "--help", "-h"):
        return
    if command.operands:
        for place in () if command.value("--out") else _PLACES:
            command.touch(place, "w/")
        return
    command.touch(parts.below(command.value("--out"), _POLICY), "w")


def lint_effects(command: Touching) -> None:
    """Touch the files of lint --fix: without a file, the project's policy."""
    command.by_options()
    command.by_operands()
    if command.has("--fix") and not command.operands:
        command.touch(_POLICY, "rw")


def undo_effects(command: Touching) -> None:
    """Touch the files that undo gives back, or with --diff compares; of a directory all below it."""
    command.by_options()
    if command.has("--list", "--help", "-h"):
        return
    for place in command.operands:
        command.touch(place, "r/" if command.has("--diff", "--dry-run") else "w/")
