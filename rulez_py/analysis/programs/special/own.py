"""rulez' own commands that write what no word of their line names."""

from __future__ import annotations

from rulez_py.analysis.programs import parts
from rulez_py.analysis.values import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.programs.touches import Touching

_POLICY = Word(text=".rulez/rules.yaml")


def agents_effects(command: Touching) -> None:
    """agents write, clean: with all that rulez.agents.yaml names, also the rules of agents in the project's policy."""
    command.by_options()
    command.by_operands()
    if command.operands or command.has("--check", "--dry-run", "--help", "-h"):
        return
    command.touch(parts.below(command.value("--out"), _POLICY), "w")


def lint_effects(command: Touching) -> None:
    """lint --fix: without a file, the project's policy."""
    command.by_options()
    command.by_operands()
    if command.has("--fix") and not command.operands:
        command.touch(_POLICY, "rw")
