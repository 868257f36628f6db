"""The names of OpenHands' tools in hook payloads (contract.md, section 2).

Its editor reads and creates files as well: rules see these calls under names of their own.
"""

from __future__ import annotations

from rulez_py.platforms.tool_table import SEEN, SOURCE, rows

INBOUND = rows(
    ("terminal", "Bash", "", SEEN),
    ("file_editor", "Edit", "", SEEN),
    ("file_editor:create", "Write", "", SEEN),
    ("file_editor:view", "Read", "", SEEN),
    ("task", "Task", "", SEEN),
    ("task_tracker", None, "TodoWrite TodoRead", SEEN),
    ("invoke_skill", None, "Skill", SOURCE),
    ("delegate", "Task", "", SOURCE),
    ("glob", "Glob", "", SOURCE),
    ("grep", "Grep", "", SOURCE),
    ("apply_patch", "Edit", "", SOURCE),
    ("browser_navigate", "WebFetch", "", SOURCE),
)

# rulez writes no agent files for it: contract.md says why.
AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {}

TEXT_NAMES = {
    "Write": ("file_editor",),
    "Edit": ("file_editor",),
    "Shell": ("terminal",),
    "Read": ("file_editor",),
    "Skill": ("invoke_skill",),
    "TodoWrite": ("task_tracker",),
    "TodoRead": ("task_tracker",),
}
"""Tool variant -> what its model calls it, for texts that speak of it. What is not here it does in its shell."""
MCP_NAMES = ()
"""What a tool of an MCP server is called: by its own name, so a text keeps the universal one."""
