"""Whether what a path names holds a text: the file, or one of the files in the directory."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.policy.disk import Touched
    from rulez_py.system.effects import Effects

_DEEPEST = 2
"""Directories below the first one that are looked into."""
_MOST_FILES = 200
"""Names that are looked at for one path."""
_MOST_OF_ALL = 1_000
"""The same for one call."""
_LARGEST = 1 << 16
"""Bytes of a file that are read; what lies behind them is not looked at."""


class Holding:
    """What the files hold that one call names; each is looked at once."""

    def __init__(self, effects: Effects) -> None:
        self._effects = effects
        self._left = _MOST_OF_ALL
        self._known: dict[tuple[str, str], bool | None] = {}

    def holds(self, file: Touched, text: str) -> bool | None:
        """Whether it does; None where nobody can say: the file is not known, or there is too much to look at."""
        if not file.known or file.among:
            return None
        key = file.path, text
        if key not in self._known:
            self._known[key] = self._found(file.path, text, max(self._left - _MOST_FILES, 0))
        return self._known[key]

    def _found(self, path: str, text: str, least: int) -> bool | None:
        level = [path]
        for _depth in range(1 + _DEEPEST + 1):  # Itself, what lies in it, and in its directories.
            below: list[str] = []
            for one in level:
                if self._left <= least:
                    return None
                self._left -= 1
                read = self._effects.read_text(one, _LARGEST)
                if read is None:
                    below += [f"{one.rstrip('/')}/{name}" for name in self._effects.names(one)]
                elif text in read:
                    return True
            level = below
        return False
