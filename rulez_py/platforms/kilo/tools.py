"""The names of Kilo Code's tools in hook payloads (contract.md, section 2)."""

from __future__ import annotations

from rulez_py.platforms.tool_table import SEEN, SOURCE, rows

INBOUND = rows(
    ("bash", "Bash", "", SEEN),
    ("background_process", "Bash", "", SEEN),
    ("write", "Write", "", SEEN),
    ("edit", "Edit", "", SEEN),
    ("apply_patch", "Edit", "", SEEN),
    ("read", "Read", "", SEEN),
    ("glob", "Glob", "", SEEN),
    ("grep", "Grep", "", SEEN),
    ("task", "Task", "", SEEN),
    ("webfetch", "WebFetch", "", SEEN),
    ("lsp", None, "LSP", SOURCE),
    ("skill", None, "Skill", SEEN),
    ("todowrite", None, "TodoWrite", SEEN),
    ("websearch", None, "WebSearch", SOURCE),
    ("question", None, "Question", SOURCE),
)

# rulez writes no agent files for it.
AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {}

TEXT_NAMES = {
    "Write": ("write",),
    "Edit": ("edit",),
    "Shell": ("bash",),
    "Read": ("read",),
    "Glob": ("glob",),
    "Skill": ("skill",),
    "TodoWrite": ("todowrite",),
    "WebFetch": ("webfetch",),
    "Question": ("question",),
}
"""Tool variant -> what its model calls it, for texts that speak of it. What is not here it does in its shell."""
MCP_NAMES = ("{server}_{tool}", "{server}_*")
"""What it calls a tool of an MCP server, and all of them."""
