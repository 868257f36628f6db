"""The names of Codex CLI's tools: in hook payloads (contract.md, section 2)."""

from __future__ import annotations

from rulez_py.platforms.tool_table import SEEN, rows

INBOUND = rows(
    ("Bash", "Bash", "", SEEN),
    ("apply_patch", "Edit", "", SEEN),
    ("view_image", "Read", "", SEEN),
    ("spawn_agent", "Task", "", SEEN),
    ("request_user_input", None, "Question", SEEN),
)

# It has agent files, but none that could keep an agent from writing.
AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {}

TEXT_NAMES = {
    "Write": ("apply_patch",),
    "Edit": ("apply_patch",),
    "Shell": ("exec_command",),
    "WebSearch": ("web_search",),
    "Question": ("request_user_input",),
}
"""Tool variant -> what its model calls it, for texts that speak of it. What is not here it does in its shell."""
MCP_NAMES = ("mcp__{server}__{tool}", "mcp__{server}")
"""What a tool of an MCP server, and what all of its tools are called."""
