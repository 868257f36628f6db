"""What is done to files themselves: chmod, chown, dd, ln, install."""

from __future__ import annotations

from rulez_py.analysis.programs.read import cut
from rulez_py.analysis.programs.touches import HERE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.programs.touches import Touching


def mode_effects(command: Touching) -> None:
    """chmod, chown: a mode or an owner first, unless it is given by an option."""
    by_option = command.has("--reference") or (
        command.key == "chmod" and command.has("-r", "-w", "-x", "-X", "-s", "-t", "-u", "-g", "-o", "-a")
    )
    command.by_operands(("write recursive *",) if by_option else None)


_DD_WRITES = ("of", "hof", "ofs", "hofs", "wipe", "hwipe")
"""dc3dd has several names for what is written."""


def dd_effects(command: Touching) -> None:
    for word in command.operands:
        name, sign, _ = word.text.partition("=")
        if sign and name in ("if", "ifs", *_DD_WRITES):
            command.touch(cut(word, len(name) + 1), "w" if name in _DD_WRITES else "r")


def chattr_effects(command: Touching) -> None:
    """Attributes stand where options do (`-i`), or with a plus or an equals sign."""
    for word in command.operands:
        if word.text[:1] not in ("+", "="):
            command.touch(word, "w", deep=command.has("-R"))


def ln_effects(command: Touching) -> None:
    command.by_options()
    command.by_operands()
    if len(command.operands) == 1 and not command.has("-t", "--target-directory"):
        command.into(HERE, command.operands[0])


def install_effects(command: Touching) -> None:
    command.by_options()
    command.by_operands(("write *",) if command.has("-d", "--directory") else None)
