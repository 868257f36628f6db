"""Files to write. Each kind of file knows how to tell if the file on the disk was edited."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from rulez_py.definitions.output.marks import digest, untouched
from rulez_py.definitions.output.written import State


@dataclass(frozen=True)
class Target(ABC):
    """A file to be written. `path` is where, `shown` its name for people.

    `before` is in both methods the present content, None without a file.
    """

    path: str
    shown: str

    @property
    def executable(self) -> bool:
        """True if it is executable."""
        return False

    @abstractmethod
    def state(self, before: bytes | None) -> State:
        """Return what that is."""

    @abstractmethod
    def wanted(self, before: bytes | None) -> bytes:
        """Return the whole file as it is to be."""


@dataclass(frozen=True)
class WholeFile(Target):
    """A file that is all ours: `text` with its mark (`marks.mark`), or of a kind that has no comments.

    `instead_of` is the checksum of the file that its definition was imported from, whose place it may take.
    """

    text: str
    instead_of: str = ""

    def state(self, before: bytes | None) -> State:
        if before is None:
            return State.Missing
        if before.replace(b"\r\n", b"\n") == self.text.encode():
            return State.Same
        if self.instead_of and digest(before) == self.instead_of:
            return State.Imported
        return State.Ours if untouched(before) else State.Edited

    def wanted(self, before: bytes | None) -> bytes:
        return self.text.encode()
