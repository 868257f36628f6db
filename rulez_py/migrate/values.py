"""The result of a migration: a policy, and its differences from the source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

LOST, DIFFERS, NOTE = "lost", "differs", "note"
"""Kinds of messages: a part is lost; a part means something else now; a note."""
KINDS = (LOST, DIFFERS, NOTE)

Position = tuple[int, int]
"""Line and column, from 1."""


@dataclass(frozen=True)
class Message:
    """One difference: its place in the source, what it is, and what would be right."""

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
        """True if a part could not be carried over."""
        return any(one.kind == LOST for one in self.messages)


@dataclass(frozen=True)
class Noted:
    """An item of a list with a note, written after it as a comment."""

    value: Any
    note: str


@dataclass(frozen=True)
class Written:
    """A rule to write: its data, the comments above it, and why it can only be a comment itself."""

    data: dict[str, Any]
    comments: tuple[str, ...] = ()
    lost: str = ""


class CannotRead(Exception):
    """The source cannot be read: the message says where and why, on one line or on several."""


def in_order(messages: list[Message]) -> tuple[Message, ...]:
    """Return the messages by place, each once."""
    return tuple(sorted(dict.fromkeys(messages), key=lambda one: (one.at, KINDS.index(one.kind))))
