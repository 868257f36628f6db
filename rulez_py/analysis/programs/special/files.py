"""What is done to files themselves: chmod, chown, dd, ln, install."""

from __future__ import annotations

from os.path import basename, join

from rulez_py.analysis.programs.read import cut
from rulez_py.analysis.programs.touches import HERE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.programs.touches import Touching
    from rulez_py.analysis.values import Word


def mode_effects(command: Touching) -> None:
    """Touch the files of chmod and chown: a mode or an owner comes first, unless it is given by an option."""
    by_option = command.has("--reference") or (
        command.key == "chmod" and command.has("-r", "-w", "-x", "-X", "-s", "-t", "-u", "-g", "-o", "-a")
    )
    command.by_operands(("write recursive *",) if by_option else None)


def duplicates_effects(command: Touching) -> None:
    """Touch files that are alike below the operands of fdupes, jdupes or rdfind, which may delete all but one."""
    command.by_options()
    deletes = command.has("-d", "--delete", "-deleteduplicates") and not command.has("-dryrun")
    for word in command.operands:
        command.touch(word, "rd" if deletes else "r", deep=True)


_DD_WRITES = ("of", "hof", "ofs", "hofs", "wipe", "hwipe")
"""dc3dd has several names for what is written."""


def dd_effects(command: Touching) -> None:
    for word in command.operands:
        name, equals, _ = word.text.partition("=")
        if equals and name in ("if", "ifs", *_DD_WRITES):
            command.touch(cut(word, len(name) + 1), "w" if name in _DD_WRITES else "r")


def chattr_effects(command: Touching) -> None:
    """Read attributes, which are written as options (`-i`), or with `+` or `=`."""
    for word in command.operands:
        if word.text[:1] not in ("+", "="):
            command.touch(word, "w", deep=command.has("-R"))


def ln_effects(command: Touching) -> None:
    command.by_options()
    command.by_operands()
    if len(command.operands) == 1 and not command.has("-t", "--target-directory"):
        command.into(HERE, command.operands[0])
    symbolic = command.has("-s", "--symbolic")
    target = command.value("-t", "--target-directory")
    *sources, last = command.operands or (HERE,)
    if target is not None or not sources:
        sources, last = list(command.operands), target or HERE
    for word in sources:
        if not symbolic:
            # What is written by the second name is written by the first.
            command.touch(word, "rw")
        _linked(command, word, last, symbolic=symbolic and not command.has("-r", "--relative"))


def _linked(command: Touching, source: Word, last: Word, *, symbolic: bool) -> None:
    """Return a file under its new name, and where that is a directory, under its own name there."""
    if last.text != ".":
        command.link(source, last, symbolic=symbolic)
    inside = last.replace(text=join(last.text, basename(source.text.rstrip("/"))), glob="")
    command.link(source, inside, symbolic=symbolic)


def copy_effects(command: Touching) -> None:
    """Touch what cp copies; -l and -s make links."""
    command.by_options()
    command.by_operands()
    symbolic, hard = command.has("-s", "--symbolic-link"), command.has("-l", "--link")
    if not (symbolic or hard):
        return
    target = command.value("-t", "--target-directory")
    sources = command.operands if target is not None else command.operands[:-1]
    for word in sources:
        if hard:
            command.touch(word, "rw", deep=command.deep)
        _linked(command, word, target or command.operands[-1], symbolic=symbolic)


def install_effects(command: Touching) -> None:
    command.by_options()
    command.by_operands(("write *",) if command.has("-d", "--directory") else None)
