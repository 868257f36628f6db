"""Inputs of a definition's prompt: values for `{{var:NAME}}`, and Markdown in files of their own."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping

from rulez_py.definitions.base.prompt import Placeholder, escaped
from rulez_py.system.files import read_pieces

LARGEST_PART = 1_000_000
"""Bytes of a file that is taken into a prompt."""
MOST_PARTS = 200
"""Files that are taken into one definition."""
_TOP_OF_A_PROJECT = (".git", ".rulez", "rulez.agents.yaml")
_VARIABLE = re.compile(r"(?P<escape>\\?)\{\{var:(?P<word>[^{}\n]*)\}\}")
VARIABLE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")

Files = Callable[[str], str]
"""The text of the file that a definition names. Raises CannotTake."""


class CannotTake(Exception):
    """A file that is not taken into a prompt; the message is the end of a sentence about it."""


def variables(text: str) -> Iterator[Placeholder]:
    """Yield the `{{var:NAME}}` of a text; one behind a backslash is literal text, written without the backslash."""
    for found in _VARIABLE.finditer(text):
        if not found["escape"]:
            yield Placeholder(found.start(), found["word"])


def put_in(text: str, values: Mapping[str, str]) -> str:
    """Return the text with each `{{var:NAME}}` replaced by its value, in which nothing is a placeholder.

    Raises KeyError for a name without a value.
    """

    def value(found: re.Match[str]) -> str:
        return found[0][1:] if found["escape"] else escaped(values[found["word"].strip()])

    return _VARIABLE.sub(value, text)


def kept(text: str) -> str:
    """Text that `put_in` gives back as it is."""
    return _VARIABLE.sub(lambda found: "\\" + found[0], text)


def no_files(_name: str) -> str:
    """For a definition that comes from no file."""
    raise CannotTake("cannot be taken in here: the definition was read without its directory")


def files_beside(definition: str) -> Files:
    """Return those that a definition may name: by their paths from its directory, and inside of its project.

    The project is the nearest directory above with a `.git`, a `.rulez` or a `rulez.agents.yaml` in it, else the
    definition's own directory. Links count as what they lead to.
    """
    here = os.path.dirname(os.path.realpath(definition))
    project = next((place for place in _above(here) if _is_project(place)), here)
    taken: set[str] = set()

    def text_of(name: str) -> str:
        if os.path.isabs(name) or os.path.splitdrive(name)[0] or name.startswith("~"):
            raise CannotTake("is no path from the definition's directory")
        path = os.path.realpath(os.path.join(here, *name.replace("\\", "/").split("/")))
        if not lies_in(project, path):
            raise CannotTake(f"leads out of the project, which is {project}")
        taken.add(path)
        if len(taken) > MOST_PARTS:
            raise CannotTake(f"is one file too many: {MOST_PARTS} are taken in at most")
        try:
            content = b"".join(read_pieces(path, LARGEST_PART + 1))
        except OSError as error:
            raise CannotTake(f"cannot be read: {error.strerror or 'it is no file'}") from error
        if len(content) > LARGEST_PART:
            raise CannotTake(f"has more than {LARGEST_PART:,} bytes")
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise CannotTake(f"is not UTF-8: byte 0x{content[error.start]:02x} at {error.start}") from error

    return text_of


def lies_in(directory: str, path: str) -> bool:
    """Tell whether a path is a directory or lies below it; both as `os.path.realpath` gives them."""
    return f"{path}{os.sep}".startswith(directory.rstrip(os.sep) + os.sep)


def _above(directory: str) -> Iterator[str]:
    """Yield a directory and those above it."""
    yield directory
    while (parent := os.path.dirname(directory)) != directory:
        directory = parent
        yield directory


def _is_project(directory: str) -> bool:
    return any(os.path.lexists(os.path.join(directory, name)) for name in _TOP_OF_A_PROJECT)
