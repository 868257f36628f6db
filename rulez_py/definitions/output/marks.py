"""The line by which a file says that rulez wrote it, from what, and the checksum of its other lines.

So an edited file is recognized by itself: on every machine, and without a list kept anywhere.
"""

from __future__ import annotations

import hashlib
import re

from rulez_py.definitions.output.yamltext import without_dashes

_MARK = re.compile(
    rb"^# Written by `rulez agents write` from ([^\r\n]*); sha256 ([0-9a-f]{16}): edit that file, not this one\.\r?\n",
    re.M,
)

_ORIGIN = re.compile(
    rb"^# Imported by `rulez agents import` from [^\r\n]*; sha256 ([0-9a-f]{16}): "
    rb"`rulez agents write` takes its place\.\r?$",
    re.M,
)

NO_FILE = "<Python>"
"""The source of what was not made out of a file."""


def mark(text: str, source: str, *, after_first_line: bool) -> str:
    """Return the text with the line that says who wrote it; `source` is the definition's name for people."""
    source = without_dashes("".join(c if c.isprintable() else "?" for c in source))
    checksum = digest(text.encode())
    line = f"# Written by `rulez agents write` from {source}; sha256 {checksum}: edit that file, not this one.\n"
    if not after_first_line:
        return line + text
    first, end, rest = text.partition("\n")
    return first + end + line + rest


def digest(content: bytes) -> str:
    """Return a checksum in which line ends do not count: git may write others."""
    return hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()[:16]


def untouched(content: bytes) -> bool:
    """Tell whether a file is marked, and otherwise as it was written."""
    found = _MARK.search(content)
    return found is not None and found[2].decode() == digest(content[: found.start()] + content[found.end() :])


def source_of(content: bytes) -> str | None:
    """Return the source that a file names; None where there is no file, or it names none."""
    found = _MARK.search(content)
    source = found[1].decode("utf-8", "replace").replace(without_dashes("--")[:-1], "-") if found else "?"
    return None if "?" in source or source == NO_FILE else source


def marked(content: bytes) -> bool:
    """Tell whether a file says that rulez wrote it, edited or not."""
    return _MARK.search(content) is not None


def origin(content: bytes, source: str) -> str:
    """Return the line by which a definition says which file it was imported from, as that was; `source` is its name."""
    name = without_dashes("".join(c if c.isprintable() else "?" for c in source))
    said = f"# Imported by `rulez agents import` from {name}; sha256 {digest(content)}"
    return f"{said}: `rulez agents write` takes its place.\n"


def origin_of(definition: bytes) -> str:
    """Return the checksum of the file that a definition was imported from; "" where it says nothing of one."""
    found = _ORIGIN.search(definition)
    return found[1].decode() if found else ""
