"""The names of Cline's tools in hook payloads (contract.md, section 2)."""

from __future__ import annotations

from rulez_py.platforms.tool_table import SEEN, SOURCE, rows

INBOUND = rows(
    ("run_commands", "Bash", "", SEEN),
    ("editor", "Edit", "", SEEN),
    ("apply_patch", "Edit", "", SEEN),
    ("read_files", "Read", "", SEEN),
    ("search_codebase", "Grep", "", SEEN),
    ("fetch_web_content", "WebFetch", "", SEEN),
    ("spawn_agent", "Task", "", SEEN),
    ("web_search", None, "WebSearch", SOURCE),
    ("skills", None, "Skill", SOURCE),
    ("ask_question", None, "Question", SOURCE),
)

# It has no agent files whose tools a hook would know.
AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {}

TEXT_NAMES = {
    "Write": ("editor",),
    "Edit": ("editor",),
    "Shell": ("run_commands",),
    "Read": ("read_files",),
    "WebFetch": ("fetch_web_content",),
    "WebSearch": ("web_search",),
    "Skill": ("skills",),
    "Question": ("ask_question",),
}
"""Tool variant -> what its model calls it, for texts that speak of it. What is not here it does in its shell."""
MCP_NAMES = ("{server}__{tool}",)
"""What a tool of an MCP server is called."""
