"""The names of Pi's tools in hook payloads (contract.md, section 2)."""

from __future__ import annotations

from rulez_py.platforms.tool_table import SEEN, SOURCE, rows

INBOUND = rows(
    ("bash", "Bash", "", SEEN),
    ("powershell", "Bash", "", SOURCE),
    ("write", "Write", "", SEEN),
    ("edit", "Edit", "", SEEN),
    ("read", "Read", "", SEEN),
    ("grep", "Grep", "", SEEN),
    ("find", "Glob", "", SEEN),
    ("ls", None, "List", SEEN),
)

# It has no agent files.
AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {}

TEXT_NAMES = {
    "Write": ("write",),
    "Edit": ("edit",),
    "Shell": ("bash",),
    "Read": ("read",),
    "Glob": ("find",),
    "List": ("ls",),
}
"""Tool variant -> what its model calls it, for texts that speak of it. What is not here it does in its shell."""
MCP_NAMES = ()
"""It has no MCP servers of its own; an extension that adds them names their tools as it likes."""
