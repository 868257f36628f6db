"""The result of writing a skill."""

from __future__ import annotations

from dataclasses import dataclass

from rulez_py.definitions.output.written import Written


@dataclass(frozen=True)
class Skills:
    """The result of a skill for one platform: of SKILL.md and of each file beside it.

    `removed` are the files that it has no more (`Plan.left_over`).
    """

    files: tuple[Written, ...]
    removed: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """True if a file is, or with `check` would be, changed or removed."""
        return bool(self.removed) or any(one.changed for one in self.files)
