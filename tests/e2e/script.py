"""What the scripted model does in a session, in words that hold for every agent.

A turn is one reply of the model: tool calls made at once. A call names its tool in the vocabulary of `TOOLS`; each
agent's module spells it in that agent's own names and arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

TOOLS: Mapping[str, tuple[str, ...]] = {
    "Shell": ("command",),
    "ShellElsewhere": ("command", "directory"),
    "ShellAside": ("command", "directory", "decoy"),
    "Write": ("path", "content"),
    "Edit": ("path", "old", "new"),
    "Read": ("path",),
    "Search": ("pattern", "path"),
    "Fetch": ("url",),
    "Subagent": ("task",),
    "Mcp": ("path",),
    "McpShell": ("command", "decoy"),
    "Patch": ("path", "content"),
}
"""Tool -> its arguments. Paths are relative to the project unless they are absolute.

A Subagent may also be given `agent`, the name of the one meant. A `decoy` is beside the argument that counts, under
another name of the same.
"""

MCP_SERVER, MCP_TOOL = "demo", "make_file"

SUBAGENT_MARK = "SUBAGENT-TASK"
"""Stands in the prompt of a subagent, so that the model knows whose conversation it is in."""


@dataclass(frozen=True)
class Call:
    """One tool call: `tool` is a key of TOOLS, `arguments` has exactly that tool's keys."""

    tool: str
    arguments: Mapping[str, str]

    def filled(self, fill: Callable[[str], str]) -> Call:
        """The call with every argument passed through `fill`."""
        return Call(self.tool, {key: fill(value) for key, value in self.arguments.items()})


@dataclass(frozen=True)
class Spelling:
    """A call as one agent's model makes it: a JSON object of arguments, or the raw text of a freeform tool."""

    name: str
    arguments: dict[str, Any] | str
    namespace: str = ""


@dataclass(frozen=True)
class Reply:
    """What the model says next: `calls` with their ids, or the closing `text`."""

    calls: tuple[tuple[str, Spelling], ...] = ()
    text: str = ""


def call_id(conversation: str, turn: int, number: int) -> str:
    """The id of a call: which conversation (main or sub), which turn, which call of that turn; counted from 0."""
    return f"call_{conversation}_{turn}_{number}"


def added_file(path: str, content: str) -> str:
    """A patch that adds one file of one line."""
    return f"*** Begin Patch\n*** Add File: {path}\n+{content}\n*** End Patch\n"
