"""The names of Vibe's tools in hook payloads (contract.md, section 2).

Its scratchpad reads and writes: rules see these calls under names of their own.
"""

from __future__ import annotations

from rulez_py.platforms.tool_table import SEEN, SOURCE, rows

INBOUND = rows(
    ("file_system.bash", "Bash", "", SEEN),
    ("process.start", "Bash", "", SEEN),
    ("process.write", "Bash", "", SEEN),
    ("file_system.write_file", "Write", "", SEEN),
    ("file_system.search_replace", "Edit", "", SEEN),
    ("file_system.read_file", "Read", "", SEEN),
    ("agents.spawn", "Task", "", SEEN),
    ("agents.send_message", "Task", "", SOURCE),
    ("vibe.unified_harness_scratchpad:write", "Write", "", SEEN),
    ("vibe.unified_harness_scratchpad:read", "Read", "", SOURCE),
    ("skill.read", None, "Skill", SEEN),
    ("vibe.todo", None, "TodoWrite TodoRead", SEEN),
)

# rulez writes no agent files for it: contract.md says why.
AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {}

TEXT_NAMES = {
    "Write": ("write_file",),
    "Edit": ("edit",),
    "Shell": ("bash",),
    "Read": ("read_file",),
    "Skill": ("skill",),
    "TodoWrite": ("todo",),
    "TodoRead": ("todo",),
}
"""Tool variant -> what its model calls it, for texts that speak of it. What is not here it does in its shell."""
MCP_NAMES = ("mcp_{server}.{tool}",)
"""What a tool of an MCP server is called."""
