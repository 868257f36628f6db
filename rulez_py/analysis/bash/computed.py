"""What small programs make of known text: parts of paths, other letters, one replacement."""

from __future__ import annotations

import posixpath

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rulez_py.analysis.bash.world import World
    from rulez_py.analysis.values import Data, Word

_LONGEST = 10_000
"""Characters of a text that is worked on."""
_PLAIN = frozenset("_-/ ,:@%=#~!\"'")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "\\": "\\"}


def made(words: Sequence[Word], world: World, stdin: Data) -> str | None:
    """Return what a program prints, None where that is not known."""
    name = words[0].text.rpartition("/")[2]
    options = [word.text for word in words[1:] if word.text[:1] == "-" and len(word.text) > 1]
    given = [word for word in words[1:] if word.text not in options]
    if not all(word.known and not word.glob for word in words):
        return None
    if name in _OF_PATHS:
        return _OF_PATHS[name](given, options, world)
    if stdin.text is None or len(stdin.text) > _LONGEST:
        return None
    if name == "tr":
        return _translated(stdin.text, given, options)
    if name == "sed":
        return _edited(stdin.text, given, options)
    # Of one line there is nothing to sort or to leave out.
    return stdin.text if not given and "\n" not in stdin.text.rstrip("\n") and not _cuts(options) else None


def _cuts(options: Sequence[str]) -> bool:
    return any(option[1:2] in ("c", "-") or option == "-n0" for option in options)


def _basename(given: Sequence[Word], options: Sequence[str], _world: World) -> str | None:
    if not given or any(option not in ("-a", "--multiple") for option in options):
        return None
    several = bool(options)
    ending = given[1].text if len(given) == 2 and not several else ""
    names = [word.text.rstrip("/").rpartition("/")[2] or "/" for word in (given if several else given[:1])]
    return "".join(f"{name.removesuffix(ending) if name != ending else name}\n" for name in names)


def _dirname(given: Sequence[Word], options: Sequence[str], _world: World) -> str | None:
    return None if options or not given else "".join(f"{_above(word.text)}\n" for word in given)


def _above(path: str) -> str:
    directory, slash, _ = path.rstrip("/").rpartition("/")
    return directory or ("/" if slash or path.startswith("/") else ".")


def _real(given: Sequence[Word], options: Sequence[str], world: World) -> str | None:
    """Return a path without what leads nowhere; links are for the disk to follow."""
    if not given or not world.known_cwd or any("relative" in option for option in options):
        return None
    return "".join(f"{posixpath.normpath(posixpath.join(world.cwd, word.text))}\n" for word in given)


def _linked(given: Sequence[Word], options: Sequence[str], world: World) -> str | None:
    follows = any(option in ("-f", "-e", "-m") or option.startswith("--canonicalize") for option in options)
    return _real(given, (), world) if follows else None


_OF_PATHS: dict[str, Callable[[Sequence[Word], Sequence[str], World], str | None]] = {
    "basename": _basename,
    "dirname": _dirname,
    "realpath": _real,
    "readlink": _linked,
}


def _translated(text: str, given: Sequence[Word], options: Sequence[str]) -> str | None:
    """Return the output of `tr SET1 SET2` or `tr -d SET1`."""
    if not given or options not in ([], ["-d"], ["--delete"]):
        return None
    first = _set(given[0].text)
    if first is None:
        return None
    if options:
        return "".join(char for char in text if char not in first)
    second = _set(given[1].text) if len(given) == 2 else None
    if not second:
        return None
    second += second[-1] * max(len(first) - len(second), 0)
    return text.translate({ord(char): second[at] for at, char in reversed(list(enumerate(first)))})


_CLASSES = {
    "[:upper:]": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "[:lower:]": "abcdefghijklmnopqrstuvwxyz",
    "[:digit:]": "0123456789",
}


def _set(text: str) -> str | None:
    """Return the characters of a set, in order; None where it has what is not read here."""
    for name, chars in _CLASSES.items():
        text = text.replace(name, chars)
    if "[:" in text or "[=" in text or "*]" in text:
        return None
    found, at = "", 0
    while at < len(text):
        char = text[at]
        if char == "\\" and at + 1 < len(text):
            at += 1
            char = _ESCAPES.get(text[at], text[at])
        if text[at + 1 : at + 2] == "-" and at + 2 < len(text):
            found += "".join(map(chr, range(ord(char), min(ord(text[at + 2]), ord(char) + 255) + 1)))
            at += 2
        else:
            found += char
        at += 1
    return found


def _edited(text: str, given: Sequence[Word], options: Sequence[str]) -> str | None:
    """Return the output of `sed 's/OLD/NEW/'`, where both are plain text."""
    script = given[0].text if len(given) == 1 and all(option in ("-e", "-E", "-r") for option in options) else ""
    if script[:1] != "s" or len(script) < 4 or script[1].isalnum():
        return None
    parts = script[2:].split(script[1])
    if len(parts) != 3 or parts[2] not in ("", "g"):
        return None
    old, new, how = parts
    plain = old[old.startswith("^") : len(old) - old.endswith("$")].replace("\\.", "\0")
    if not all(char.isalnum() or char in _PLAIN or char == "\0" for char in plain) or "&" in new or "\\" in new:
        return None
    return "\n".join(_replaced(line, old, new, how) for line in text.split("\n"))


def _replaced(line: str, pattern: str, new: str, how: str) -> str:
    """Replace plain text in a line: at its start (`^`), at its end (`$`), or in any place."""
    start, end = pattern.startswith("^"), pattern.endswith("$")
    old = pattern[start : len(pattern) - end].replace("\\.", ".")
    if start and end:
        return new if line == old else line
    if start:
        return new + line.removeprefix(old) if line.startswith(old) else line
    if end:
        return line.removesuffix(old) + new if line.endswith(old) and line else line
    return line.replace(old, new, -1 if how else 1) if old else line
