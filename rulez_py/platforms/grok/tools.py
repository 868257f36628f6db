"""The names of Grok Build's tools: in hook payloads (contract.md, section 2), and in agent definition files."""

from __future__ import annotations

from rulez_py.platforms.tool_table import SEEN, SOURCE, rows

INBOUND = rows(
    ("run_terminal_command", "Bash", "", SEEN),
    ("monitor", "Bash", "", SEEN),
    ("write", "Write", "", SEEN),
    ("search_replace", "Edit", "", SEEN),
    ("read_file", "Read", "", SEEN),
    ("grep", "Grep", "", SEEN),
    ("spawn_subagent", "Task", "", SEEN),
    ("web_fetch", "WebFetch", "", SOURCE),
    ("list_dir", None, "List", SEEN),
    ("todo_write", None, "TodoWrite", SEEN),
    ("web_search", None, "WebSearch", SEEN),
    ("ask_user_question", None, "Question", SEEN),
)

AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {}

TEXT_NAMES = {
    "Write": ("write",),
    "Edit": ("search_replace",),
    "Shell": ("run_terminal_command",),
    "Read": ("read_file",),
    "List": ("list_dir",),
    "TodoWrite": ("todo_write",),
    "WebFetch": ("web_fetch",),
    "WebSearch": ("web_search",),
    "Question": ("ask_user_question",),
}
"""Tool variant -> what its model calls it, for texts that speak of it. What is not here it does in its shell."""
MCP_NAMES = ("{server}__{tool}", "{server}")
"""What a tool of an MCP server is called, and the server itself."""
