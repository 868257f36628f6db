"""Read the bytes of a definition's file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

from rulez_py.definitions.base.notes import Note
from rulez_py.definitions.output.errors import AgentError
from rulez_py.definitions.output.marks import origin_of
from rulez_py.definitions.output.store import CannotWrite
from rulez_py.definitions.output.targets import Target
from rulez_py.documents.diagnostics import Diagnostic, warnings
from rulez_py.platforms.agent_files import LARGEST_FILE
from rulez_py.system.files import read_pieces


class CannotLoad(AgentError, OSError):
    """A definition's file that cannot be read."""


def content_of(path: str) -> bytes:
    """Return a file's bytes, of one that is too large one more than it may have. Raises CannotLoad."""
    try:
        return b"".join(read_pieces(path, LARGEST_FILE + 1))
    except OSError as error:
        raise CannotLoad(f"{path}: {error.strerror or error}") from error


def tell_of(problems: tuple[Diagnostic, ...], warn: Callable[[Note], object] | None) -> None:
    """Tell of the warnings of a file that is valid."""
    if warn is not None:
        for one in warnings(problems):
            warn(Note(str(one), grave=True))


def source_name(file: str, directory: str) -> str:
    """The definition's path from the project's directory: the same on every machine, if it is a part of the project."""
    try:
        return os.path.relpath(os.path.realpath(file), os.path.realpath(directory)).replace(os.sep, "/")
    except ValueError:  # on another drive
        return os.path.basename(file)


def origin_at(file: str) -> str:
    """Return the checksum of the file that the definition in a file was imported from; "" where it was not."""
    try:
        return origin_of(content_of(file))
    except CannotLoad:
        return ""


def check_sources(targets: Sequence[Target], files: Sequence[str]) -> None:
    """No definition is written over by what it defines, whatever is forced. Raises CannotWrite."""
    sources = {os.path.realpath(file): file for file in files}
    for target in targets:
        if os.path.realpath(target.path) in sources:
            raise CannotWrite(
                f"{target.shown} is the definition itself, and would be lost; "
                "keep definitions in a directory of their own, like agents/"
            )


def what_leads_away(targets: Sequence[Target], directory: str) -> Iterator[Note]:
    """Yield a link to a directory somewhere else, which is followed."""
    project = os.path.realpath(directory)
    places = {os.path.dirname(target.path): os.path.realpath(os.path.dirname(target.path)) for target in targets}
    for place, real in places.items():
        if os.path.commonpath((project, real)) != project:
            yield Note(f"{os.path.normpath(place)} leads out of the project, to {real}", grave=True)
