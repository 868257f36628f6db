"""The names of Cursor's tools in hook payloads (contract.md, section 2)."""

from __future__ import annotations

from rulez_py.platforms.tool_table import DOCS, SEEN, SOURCE, rows

INBOUND = rows(
    ("Shell", "Bash", "", SEEN),
    ("Write", "Write", "", SEEN),
    ("Delete", None, "Edit", SOURCE),
    ("Read", "Read", "", SEEN),
    ("Grep", "Grep", "", SEEN),
    ("List", None, "List", SOURCE),
    ("Fetch", "WebFetch", "", SEEN),
    ("Task", "Task", "", SEEN),
    ("WebFetch", "WebFetch", "", DOCS),
    ("WebSearch", None, "WebSearch", SOURCE),
    ("ReadLints", None, "LSP", SOURCE),
    ("TabRead", "Read", "", SOURCE),
    ("TabWrite", "Edit", "", SOURCE),
)

# It has no agent files whose tools a hook would know.
AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {}

TEXT_NAMES = {
    "Write": ("Write",),
    "Edit": ("Write",),
    "Shell": ("Shell",),
    "Read": ("Read",),
    "List": ("List",),
    "WebFetch": ("Fetch",),
    "WebSearch": ("WebSearch",),
}
"""Tool variant -> what its model calls it, for texts that speak of it. What is not here it does in its shell."""
MCP_NAMES = ("MCP:{tool}",)
"""What a tool of an MCP server is called; its server is named nowhere in it."""
