"""The instruction file of a platform -> a text for all, and the parts that other platforms would not take."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from rulez_py.definitions.base import composing, prompt
from rulez_py.definitions.base.files import content_of
from rulez_py.definitions.base.notes import Note
from rulez_py.definitions.instructions.files import FILES
from rulez_py.definitions.output import sections
from rulez_py.definitions.output.errors import InvalidAgent
from rulez_py.platforms.agent_files import LARGEST_FILE

NAMES: frozenset[str] = frozenset(
    os.path.basename(path) for files in FILES.values() for path in (files.file, files.user_file)
)
"""Names of instruction files, in any directory."""
_TAKEN_IN = re.compile(r"(?<!\S)@(?:[~./\w][^\s@]*)")
_CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`", re.M | re.S)


@dataclass(frozen=True)
class Imported:
    """A text as it is to be kept, and what its file should be called. `notes` are for people."""

    name: str
    text: str
    notes: tuple[Note, ...]


def load(path: str) -> Imported:
    """Return the text of an instruction file, without sections that rulez wrote.

    Raises InvalidAgent where nothing else is there; CannotLoad where the file cannot be read.
    """
    return imported(content_of(path), path)


def imported(content: bytes, path: str) -> Imported:
    """Return the same of a file's bytes. `path` is its name for people."""
    if len(content) > LARGEST_FILE:
        raise InvalidAgent(f"{path}: the file has more than {LARGEST_FILE:,} bytes")
    for one in sections.sections(content):
        content = sections.without(content, one.source) or b""
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = 1 + content[: error.start].count(b"\n")
        raise InvalidAgent(f"{path}:{line}:1: error: byte 0x{content[error.start]:02x} is not UTF-8") from None
    if not text.strip():
        raise InvalidAgent(f"{path}: it holds only what rulez wrote, or nothing at all")
    taken = dict.fromkeys(_TAKEN_IN.findall(_CODE.sub("", text)))
    why = "takes a file in, which not every agent does: put its text there, or its path in `code`"
    said = [f"{word} {why}" for word in taken]
    said.append("it stays as it is: take out what is in the definition now, or its readers have the text twice")
    name = os.path.basename(path).removesuffix(".md").lower() + ".md"
    notes = tuple(Note(f"{path}: {one}", grave=True) for one in said)
    return Imported(name, composing.kept(prompt.escaped(text)), notes)
