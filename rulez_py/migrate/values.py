"""What comes of a file of another product: a policy, and what of it is not as it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

LOST, DIFFERS, NOTE = "lost", "differs", "note"
"""It is not in the policy; it is, and means something else there than it did; what is worth knowing besides."""
KINDS = (LOST, DIFFERS, NOTE)

Position = tuple[int, int]
"""Line and column, from 1."""


@dataclass(frozen=True)
class Message:
    """One difference: where in the source, what it is, and what would be right."""

    kind: str
    at: Position
    message: str
    help: str = ""


@dataclass(frozen=True)
class Migrated:
    """A policy's text, how many rules are in it, and every difference that matters, in the order of the source."""

    policy: str
    rules: int
    messages: tuple[Message, ...]

    @property
    def lost(self) -> bool:
        """Whether something could not be carried over."""
        return any(one.kind == LOST for one in self.messages)


@dataclass(frozen=True)
class Noted:
    """An item of a list with a word about it, written behind it as a comment."""

    value: Any
    note: str


@dataclass(frozen=True)
class Written:
    """A rule as it is to be written: its data, the comments above it, and why it holds only as a comment itself."""

    data: dict[str, Any]
    comments: tuple[str, ...] = ()
    lost: str = ""


class CannotRead(Exception):
    """The source is not what it should be: the message says where and why, for people, on one line or on several."""


def in_order(messages: list[Message]) -> tuple[Message, ...]:
    """By their places, each once."""
    return tuple(sorted(dict.fromkeys(messages), key=lambda one: (one.at, KINDS.index(one.kind))))
