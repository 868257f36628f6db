"""What became of a skill that was to be written."""

from __future__ import annotations

from dataclasses import dataclass

from rulez_py.definitions.output.written import Written


@dataclass(frozen=True)
class Skills:
    """What became of a skill for one platform: of SKILL.md and of each file beside it.

    `removed` are the files that it has no more (`Plan.left_over`).
    """

    files: tuple[Written, ...]
    removed: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether a file is, or with `check` would be, another one than before, or gone."""
        return bool(self.removed) or any(one.changed for one in self.files)
