"""State of a PowerShell session that cmdlets read and change, and the commands found so far."""

from __future__ import annotations

from rulez_py.analysis.powershell import places
from rulez_py.analysis.powershell.flow import (
    SPELLED,
    Bytes,
    Closure,
    Flow,
    Listed,
    origins_of,
    parts_of,
    reached,
    shown_of,
    text_of,
    unknown,
)
from rulez_py.analysis.powershell.world import World
from rulez_py.analysis.values import ARGUMENTS, DELETE, LIMIT, READ, REMOTE, SEND, WRITE, Command, File

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from rulez_py.analysis.powershell.flow import Known
    from rulez_py.analysis.powershell.syntax import Node

STEPS = 5_000
"""Statements that are followed, each counted once per world and run."""
_ACCESS = {"r": READ, "w": WRITE, "d": DELETE, "s": SEND}


class Enough(Exception):
    """The bound of steps is reached, or a node has no reader."""


class Session:
    """The state of an analysis and the commands it has found.

    Each part that follows code (`Follow`, `Blocks`, `Expressions`, ...) holds the session, and adds its readers of
    nodes to `readers`.
    """

    def __init__(self, *, cwd: str, home: str, environ: Mapping[str, str], depth: int) -> None:
        self.commands: list[Command] = []
        self.home = home
        self.environ = environ
        self.world = World(cwd)
        self.outward: set[str] = set()
        """Variables assigned in an outer scope (`$script:x = 1`)."""
        self.via: tuple[str, ...] = ()
        self.user = ""
        self.steps = STEPS
        self.depth = depth
        self.running: list[str] = []
        """The functions that are running."""
        self.source = ""
        self.outermost = depth == 0
        self.readers: dict[type[Node], Callable[[Any], Known | None]] = {}

    # Source text

    def value(self, node: Node | None) -> Known | None:
        """Return the value of an expression, or of a statement inside one."""
        if node is None:
            return None
        read = self.readers.get(type(node))
        if read is None:
            raise Enough
        return read(node)

    def shown(self, node: Node) -> str:
        """Return the source text of a node."""
        return self.source[node.at[0] : min(node.at[1], node.at[0] + 2000)]

    def at(self, node: Node) -> tuple[int, int]:
        """Return the place of a node; (0, 0) in a nested text."""
        return node.at if self.outermost else (0, 0)

    # Commands and files

    def limit(self) -> None:
        """Add that more may run here than is followed."""
        self.commands.append(Command(words=(), program="", via=self.via, user=self.user, opaque=(LIMIT,)))

    def emit(self, command: Command) -> None:
        """Add a command, reached in the same way as the current code, and run in its directory."""
        opaque = command.opaque
        # INVARIANT: a command with an unknown argument is opaque.
        if not opaque and any(not word.known for word in command.words[1:]):
            opaque = (ARGUMENTS,)
        far = REMOTE in self.via
        self.commands.append(
            command.replace(
                via=reached(self.via, *command.via),
                user=self.user,
                opaque=opaque,
                fed=tuple(one for one in dict.fromkeys(command.fed) if one != SPELLED),
                files=() if far else command.files,
                hosts=tuple(dict.fromkeys(host for host in command.hosts if host)),
                cwd=None if far else self.world.cwd,
            )
        )

    def remember(self, files: Sequence[File], *sources: Known | None) -> None:
        """Keep the origins of the content of written files."""
        origins = tuple(dict.fromkeys(origin for one in sources for origin in origins_of(one)))
        if origins:
            for file in files:
                if WRITE in file.access and len(self.world.written) < 1000:
                    self.world.written[file.path.lower()] = origins

    def files(self, value: Known | None, roles: str, *, deep: bool = False) -> tuple[File, ...]:
        """Return the files that a value names."""
        access = tuple(_ACCESS[role] for role in roles if role in _ACCESS)
        deep = "*" in roles or (deep and "+" in roles)
        found: list[File] = []
        for one in parts_of(value)[:1000] if access else ():
            if isinstance(one, Flow) and one.paths:
                for listed in one.paths:
                    place = places.resolve(listed.path, self.world.cwd, self.home)
                    if place is not None:
                        path, known = place[0], listed.known and place[1]
                        below = deep or listed.deep
                        found.append(File(path=path, access=access, deep=below, glob=as_glob(path), known=known))
            else:
                file = self._file(one, access, literal="l" in roles)
                found += () if file is None else (file.replace(deep=deep),)
        return tuple(found)

    def _file(self, value: Known, access: tuple[str, ...], *, literal: bool) -> File | None:
        """Return the file of this name; None for an empty name, and for a path that is no file."""
        text = text_of(value)
        if isinstance(value, (Closure, Bytes, dict)) or (text is None and not shown_of(value)):
            return None
        place = places.resolve(text if text is not None else shown_of(value).strip("\"'"), self.world.cwd, self.home)
        if place is None or place[0] in ("", "$null"):
            return None
        glob = "" if literal or text is None else as_glob(place[0])
        return File(path=place[0], access=access, glob=glob, known=place[1] and text is not None)

    def below(self, path: Known | None, child: Known | None) -> Known:
        """Return the path of `Join-Path`."""
        first, second = text_of(path), text_of(child)
        if first is None or second is None:
            shown = (
                f"{first if first is not None else shown_of(path)}/{second if second is not None else shown_of(child)}"
            )
            return unknown(shown).replace(origins=origins_of(path))
        return f"{first.rstrip('/')}/{second.lstrip('/')}" if first else second

    def object_paths(self, type_name: str, arguments: tuple[Known, ...]) -> tuple[Listed, ...]:
        if type_name in ("io.fileinfo", "io.directoryinfo") and arguments:
            return tuple(Listed(path=file.path, known=file.known) for file in self.files(arguments[0], "rl"))
        return ()

    def listing(self, files: Sequence[File], shown: str, *, below: bool, deep: bool) -> Known:
        """Return the value of a cmdlet that lists files."""
        found: list[Listed] = []
        for file in files[:100]:
            path = f"{file.path.rstrip('/')}/*" if below and not file.glob else file.path
            found.append(Listed(path=path, deep=deep, known=file.known))
        return Flow(shown=shown, paths=tuple(found))


def as_glob(path: str) -> str:
    return path if "*" in path or "?" in path or "[" in path else ""
