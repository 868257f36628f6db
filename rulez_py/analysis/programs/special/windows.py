"""Programs of Windows whose switches begin with a slash: del, rd, robocopy, certutil, forfiles.

From the documentation of Windows' commands, not measured there.
"""

from __future__ import annotations

from rulez_py.analysis.programs import parts
from rulez_py.analysis.programs.touches import HERE
from rulez_py.analysis.values import SHELL, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.programs.runs import Own
    from rulez_py.analysis.programs.touches import Touching


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


def certutil_effects(command: Touching) -> None:
    """Read the first file of certutil; where it encodes, decodes or downloads, write the second."""
    given = [(word, word.text.replace("//", "/", 1)) for word in command.words[1:]]
    switches = {text[1:].lower() for _, text in given if text[:1] in ("-", "/") and text[1:].isalnum()}
    words = [word for word, text in given if not (text[:1] in ("-", "/") and text[1:].isalnum())]
    if not switches & _OF_FILES:
        for word in words:
            if "://" in word.text:
                command.url(word)
        return
    for word in words[:1]:
        command.touch(word, "r")
    for word in words[1:2] if switches & _COPIES else ():
        command.touch(word, "w")


_COPIES = frozenset(("encode", "decode", "encodehex", "decodehex", "urlcache", "verifyctl"))
_OF_FILES = _COPIES | frozenset(("hashfile", "dump", "asn", "importpfx", "dumppfx", "verify", "split"))


def forfiles_runs(own: Own) -> tuple[Inner, ...]:
    """Return what `forfiles [/p DIRECTORY] [/m PATTERN] [/s] /c "COMMAND"` runs, with all that fits for `@path`."""
    given: dict[str, Word] = {}
    name = ""
    for word in own.words[1:]:
        switch = "/" + word.text.lstrip("/").lower() if word.text.startswith("/") else ""
        if name and switch not in _FORFILES:
            given[name], name = word, ""
        elif switch in _FORFILES:
            name = switch if switch != "/s" else ""
    code = given.get("/c")
    if code is None:
        return ()
    place = given["/p"].text.replace("\\", "/").rstrip("/") if "/p" in given else "."
    fitting = f"{place}/{given['/m'].text if '/m' in given else '*'}"
    text = code.text.replace("0x22", '"')
    for variable in ("@path", "@relpath", "@file", "@fname"):
        for spelled in (f'"{variable}"', variable, variable.upper()):
            text = text.replace(spelled, fitting)
    known = code.known and all(given[one].known for one in ("/p", "/m") if one in given)
    return (Inner(code=parts.with_text(code, text).replace(known=known), language="cmd", via=SHELL),)


_FORFILES = frozenset(("/p", "/m", "/s", "/c", "/d"))


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
