"""Files that an analysis finds: the port of `follow` without a disk."""

from __future__ import annotations

from collections.abc import Mapping


class Stored:
    """The files that a script finds: text by absolute path."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files

    def text(self, path: str) -> str | None:
        return self._files.get(path)

    def is_beyond(self, path: str) -> bool:
        return False

    def is_cut(self, path: str) -> bool:
        return False

    def names(self, directory: str) -> list[str]:
        start = f"{directory}/"
        return [path[len(start) :].split("/")[0] for path in self._files if path.startswith(start)]
