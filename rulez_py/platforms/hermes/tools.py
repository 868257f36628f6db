"""The names of Hermes' tools in hook payloads (contract.md, section 2).

What it types into a process and how it looks for files are parts of other tools: rules see these calls under names of
their own.
"""

from __future__ import annotations

from rulez_py.platforms.tool_table import SEEN, SOURCE, rows

INBOUND = rows(
    ("terminal", "Bash", "", SEEN),
    ("execute_code", "Bash", "", SEEN),
    ("process:write", "Bash", "", SEEN),
    ("write_file", "Write", "", SEEN),
    ("patch", "Edit", "", SEEN),
    ("read_file", "Read", "", SEEN),
    ("search_files", "Grep", "", SEEN),
    ("search_files:files", "Glob", "", SEEN),
    ("delegate_task", "Task", "", SEEN),
    ("web_extract", "WebFetch", "", SOURCE),
    ("browser_navigate", "WebFetch", "", SOURCE),
    ("web_search", None, "WebSearch", SOURCE),
    ("skill_view", None, "Skill", SEEN),
    ("todo", None, "TodoWrite TodoRead", SEEN),
    ("clarify", None, "Question", SOURCE),
)

# It has no agent files.
AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {}

TEXT_NAMES = {
    "Write": ("write_file",),
    "Edit": ("patch",),
    "Shell": ("terminal",),
    "Read": ("read_file",),
    "Glob": ("search_files",),
    "Skill": ("skill_view",),
    "TodoWrite": ("todo",),
    "TodoRead": ("todo",),
    "WebFetch": ("web_extract",),
    "WebSearch": ("web_search",),
    "Question": ("clarify",),
}
"""Tool variant -> what its model calls it, for texts that speak of it. What is not here it does in its shell."""
MCP_NAMES = ("mcp__{server}__{tool}",)
"""What a tool of an MCP server is called."""
