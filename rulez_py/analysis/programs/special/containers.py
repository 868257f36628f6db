"""Containers: what they get of this machine."""

from __future__ import annotations

from rulez_py.analysis.programs.read import cut
from rulez_py.analysis.programs.touches import until
from rulez_py.analysis.values import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.programs.touches import Touching


def build_effects(command: Touching) -> None:
    command.by_options()
    for option, _ in command.options:
        if option.value is not None and "--output" in option.names:
            place = option.value.text.find("dest=")
            if place >= 0:
                command.touch(until(cut(option.value, place + 5), ","), "w")
            elif "=" not in option.value.text:
                command.touch(option.value, "w")


def run_effects(command: Touching) -> None:
    """A directory that is mounted is read, and written where the mount does not say otherwise."""
    command.by_options()
    from rulez_py.analysis.programs.special.remote import mounts

    for _place, source, only_read in mounts(command.words):
        command.touch(source, "r" if only_read else "rw")


def copy_effects(command: Touching) -> None:
    command.by_options()
    if len(command.operands) != 2:
        return
    source, target = command.operands
    if _is_local(source):
        command.touch(source, "rs" if command.key.startswith("kubectl") else "r", deep=True)
    if _is_local(target):
        command.touch(target, "w/")


def _is_local(word: Word) -> bool:
    """Whether this is no `container:path`."""
    return ":" not in word.text or word.text.startswith(("/", ".", "~"))
