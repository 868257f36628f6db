"""Where the commands of a call move files to: what is deleted or overwritten there is not what was there before."""

from __future__ import annotations

from rulez_py.analysis import DELETE, READ, WRITE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulez_py.policy.facts.disk import Touched


class _Place:
    """A directory or file on the way to where something is moved; numbers are those of the first command that does.

    `above` is for something moved there or below, `at` for something moved exactly there.
    """

    __slots__ = ("above", "at", "names")

    def __init__(self, above: int) -> None:
        self.above = above
        self.at: int | None = None
        self.names: dict[str, _Place] = {}


class Moves:
    """The places that commands move files to, looked up name by name, however many commands there are."""

    __slots__ = ("_count", "_numbers", "_top")

    def __init__(self, parts: Iterable[tuple[object, tuple[Touched, ...]]]) -> None:
        """Take the commands in their order, each with the files that it touches."""
        commands = tuple(parts)
        self._count = len(commands)
        self._numbers: dict[int, int] = {}
        self._top = _Place(self._count)
        for number, (command, files) in enumerate(commands):
            self._numbers.setdefault(id(command), number)
            if any(DELETE in one.access and READ in one.access for one in files):
                for one in files:
                    if WRITE in one.access:
                        self._add(one.path, number)

    def _add(self, path: str, number: int) -> None:
        place = self._top
        place.above = min(place.above, number)
        for name in path.split("/")[1:]:
            place = place.names.setdefault(name, _Place(number))
        if place.at is None:
            place.at = number

    def may_be_at(self, path: str, command: object) -> bool:
        """Tell if a command before this one moves files to a path, below it or above it."""
        number = self._numbers.get(id(command), self._count)
        place = self._top
        for name in path.rstrip("/").split("/")[1:]:
            found = place.names.get(name)
            if found is None:
                return False
            place = found
            if place.at is not None and place.at < number:
                return True
        return place.above < number
