"""Plan the files to write of definitions, and find those left over from before."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from rulez_py.definitions.base.files import source_name
from rulez_py.definitions.base.notes import Note
from rulez_py.definitions.output.marks import source_of, untouched
from rulez_py.definitions.output.store import CannotWrite
from rulez_py.definitions.output.targets import Target
from rulez_py.definitions.output.written import Scope
from rulez_py.platforms import PLATFORMS
from rulez_py.platforms.agent_files import LARGEST_FILE, AgentFile
from rulez_py.platforms.slash_command_files import CommandFiles
from rulez_py.system.files import NO_SYMLINK, read_pieces


@dataclass(frozen=True)
class Entry:
    """One thing for one platform; instructions are for several, named with spaces between. `source` is its path."""

    kind: str
    name: str
    source: str
    platform: str
    targets: tuple[Target, ...]


@dataclass(frozen=True)
class Left:
    """A file that rulez wrote before and that has no source any more.

    `edited` says that it was changed, `decides` that it is part of a policy, `platforms` whose it is: of all
    where it is empty.
    """

    path: str
    source: str
    edited: bool
    remove: Callable[[], None]
    decides: bool = False
    platforms: frozenset[str] = frozenset()

    def is_of(self, platforms: Collection[str]) -> bool:
        """Tell whether it is of these alone."""
        return (self.platforms or frozenset(PLATFORMS)) <= set(platforms)


@dataclass(frozen=True)
class Everything:
    """The plan of a manifest: `left` is from before, `removed` are files of skills that go with writing these."""

    entries: tuple[Entry, ...]
    notes: tuple[Note, ...]
    left: tuple[Left, ...]
    removed: tuple[str, ...] = field(default=())

    @property
    def targets(self) -> list[Target]:
        return [target for entry in self.entries for target in entry.targets]


@dataclass(frozen=True)
class Imported:
    """A platform's file as a definition: `path` is where it goes, `targets` its files, `text` what they say in one.

    `notes` say what the definition cannot say, `warnings` are lines about the file itself.
    """

    path: str
    targets: tuple[Target, ...]
    text: str
    notes: tuple[Note, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Where:
    """The project's directory, the one that is written into, and the sources that shall count as gone."""

    root: str
    place: str
    scope: Scope
    gone: tuple[str, ...]

    def file(self, path: str) -> str:
        return os.path.normpath(os.path.join(self.root, *path.split("/")))

    def sources(self, paths: Iterable[str]) -> dict[str, str]:
        """Return what the marks call these and what is gone -> their files."""
        files = [self.file(path) for path in (*paths, *self.gone)]
        return {source_name(file, self.place): file for file in files}

    def is_old(self, source: str | None, sources: Collection[str]) -> bool:
        """Tell whether nothing makes a file any more that is not among those to be written."""
        return source is not None and (source in sources or not os.path.lexists(os.path.join(self.place, source)))


def old_files(
    kinds: Mapping[str, AgentFile] | Mapping[str, CommandFiles],
    where: Where,
    now: Collection[str],
    sources: Collection[str],
) -> Iterator[Left]:
    """Yield files of these platforms' kinds that rulez wrote, and that come from none of what is there."""
    for platform, kind in kinds.items():
        below = kind.user_directory if where.scope == "user" else kind.directory
        directory = os.path.join(where.place, *below.split("/"))
        for name in sorted(os.listdir(directory)) if os.path.isdir(directory) else ():
            path = os.path.join(directory, name)
            if not name.endswith(kind.ending) or os.path.realpath(path) in now:
                continue
            content = _content(path)
            source = source_of(content)
            if source is not None and where.is_old(source, sources):
                yield Left(path, source, not untouched(content), _unlinking(path), platforms=frozenset({platform}))


def _content(path: str) -> bytes:
    try:
        return b"".join(read_pieces(path, LARGEST_FILE + 1, os.O_RDONLY | NO_SYMLINK))
    except OSError:
        return b""


def _unlinking(path: str) -> Callable[[], None]:
    def remove() -> None:
        try:
            os.unlink(path)
        except OSError as error:
            raise CannotWrite(f"{os.path.normpath(path)}: {error.strerror or error}") from error

    return remove
