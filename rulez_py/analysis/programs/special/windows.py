"""Programs of Windows whose switches begin with a slash: del, rd, robocopy."""

from __future__ import annotations

from rulez_py.analysis.programs.touches import HERE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.programs.touches import Touching
    from rulez_py.analysis.values import Word


def erase_effects(command: Touching) -> None:
    """Touch the files of del, rd: with `/s` also what lies below."""
    switches, words = _apart(command)
    deep = "/s" in switches
    if deep and command.key != "rd" and not words:
        words = [HERE]
    for word in words:
        text = word.text.replace("\\", "/")
        glob = text if any(char in text for char in "*?") else ""
        command.touch(word.replace(text=text, glob=glob), "d", deep=deep)


def rmdir_effects(command: Touching) -> None:
    """Delete directories (rmdir): those that are empty; as Windows has it, with `/s`, all that lies below."""
    if "/s" in _apart(command)[0]:
        erase_effects(command)
        return
    for word in command.operands:
        # Of a list of everything only what holds nothing goes, which no rule is about.
        if word.known or not word.data.names or any(names.pattern for names in word.data.names):
            command.touch(word, "d", some=True)


def robocopy_effects(command: Touching) -> None:
    """Copy a directory into another; `/mir` and `/purge` delete there what the first does not have."""
    switches, words = _apart(command)
    source, target = (*words[:2], HERE, HERE)[:2]
    if "/l" in switches:
        command.touch(source, "r", deep=True)
        return
    command.touch(source, "rd" if {"/mov", "/move"} & switches else "r", deep=True)
    command.touch(target, "w/")
    if {"/mir", "/purge"} & switches:
        command.touch(target, "d", deep=True)


def _apart(command: Touching) -> tuple[set[str], list[Word]]:
    """Return the switches, in lower case and without their values (`/R:1`), and the other words."""
    words = command.words[1:]
    switches = {"/" + word.text.lower().lstrip("/").partition(":")[0] for word in words if _is_switch(word.text)}
    return switches, [word for word in words if not _is_switch(word.text)]


def _is_switch(text: str) -> bool:
    """Tell if a word is `/s`, or `//s` as a shell on Windows wants it written."""
    name = text.lstrip("/").partition(":")[0].lower()
    return text.startswith("/") and (len(name) == 1 or name in _LONG)


_LONG = frozenset(
    (
        *("mir", "purge", "mov", "move", "copy", "copyall", "dcopy", "sec", "log", "mt"),
        *("xf", "xd", "xo", "nfl", "ndl", "njh", "njs", "np"),
    )
)
"""Robocopy's switches that are words."""
