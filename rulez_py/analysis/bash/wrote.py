"""What a line writes into files, as far as the text is known: not what it does besides."""

from __future__ import annotations

from rulez_py.analysis.bash.follow import Follower
from rulez_py.analysis.bash.machine import LONGEST, Exhausted
from rulez_py.analysis.bash.world import World
from rulez_py.analysis.values import WRITE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rulez_py.analysis.bash.world import Target
    from rulez_py.analysis.values import Data, Touch


def follow(text: str, *, cwd: str, home: str, environ: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """See `analysis.written`."""
    follower = _Follower()
    if len(text) <= LONGEST:
        try:
            follower.follow(text, World(cwd, home, dict(environ)))
        except (Exhausted, RecursionError):
            pass  # `analyse` says of the line that it was not followed to its end.
    return tuple(dict.fromkeys(follower.found))


class _Follower(Follower):
    """Writes down what files hold after each time something is written to them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []

    def deliver(self, data: Data, target: Target, world: World) -> None:
        super().deliver(data, target, world)
        if target.path:
            self._see(target.path, world)

    def save(self, touches: Iterable[Touch], content: Data, world: World) -> tuple[tuple[str, str], ...]:
        touches = tuple(touches)
        before = dict(world.files)
        kept = super().save(touches, content, world)
        if any(WRITE in touch.access for touch in touches):
            for path, held in world.files.items():
                if before.get(path) is not held:
                    self._see(path, world)
        return kept

    def _see(self, path: str, world: World) -> None:
        held = world.written(path)
        if held is not None and held.text:
            self.found.append((path, held.text))
