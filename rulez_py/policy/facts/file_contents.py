"""Tell if a file holds a text, or one of the files in a directory does."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.policy.facts.disk import Touched
    from rulez_py.system.effects import Effects

_DEEPEST = 2
"""Directories below the first one that are looked into."""
_MOST_FILES = 200
"""Files that are looked at for one path."""
_MOST_OF_ALL = 1_000
"""Files that are looked at for one call."""
_LARGEST = 1 << 20
"""Bytes of a file that are read. Whether the rest of a longer one holds a text is unknown."""
_MOST_BYTES = 1 << 24
"""Bytes that are read for one call."""
_ENCODINGS = "utf-8", "utf-16-le", "utf-16-be"
"""Encodings of a text in a file; Windows' own programs write UTF-16."""


class Holding:
    """The content of the files that one call names; each is read once."""

    def __init__(self, effects: Effects) -> None:
        self._effects = effects
        self._left = _MOST_OF_ALL
        self._bytes_left = _MOST_BYTES
        self._known: dict[tuple[str, str], bool | None] = {}

    def holds(self, file: Touched, text: str) -> bool | None:
        """Tell if a file holds a text; None where that is unknown: the file is not known, or too much is to be read."""
        if not file.known or file.among:
            return None
        key = file.path, text
        if key not in self._known:
            self._known[key] = self._found(file.path, text, max(self._left - _MOST_FILES, 0))
        return self._known[key]

    def _found(self, path: str, text: str, least: int) -> bool | None:
        wanted = [text.encode(encoding, "replace") for encoding in _ENCODINGS]
        level, whole = [path], True
        for _depth in range(1 + _DEEPEST + 1):  # Itself, what lies in it, and in its directories.
            below: list[str] = []
            for one in level:
                if self._left <= least:
                    return None
                self._left -= 1
                most = min(_LARGEST, self._bytes_left)
                read = self._effects.read_bytes(one, most + 1)
                if read is None:
                    below += [f"{one.rstrip('/')}/{name}" for name in self._effects.names(one)]
                elif any(spelled in read for spelled in wanted):
                    return True
                else:
                    whole = whole and len(read) <= most
                    self._bytes_left = max(self._bytes_left - len(read), 0)
            level = below
        return False if whole else None
