"""The names of Auggie's tools in hook payloads (contract.md, section 2).

What it types into a process it calls by another name than a command, and each of its subagents is a tool of its own.
"""

from __future__ import annotations

from rulez_py.platforms.tool_table import SOURCE, rows

INBOUND = rows(
    ("launch-process", "Bash", "", SOURCE),
    ("write-process", "Bash", "", SOURCE),
    ("bash", "Bash", "", SOURCE),
    ("save-file", "Write", "", SOURCE),
    ("write", "Write", "", SOURCE),
    ("str-replace-editor", "Edit", "", SOURCE),
    ("apply_patch", "Edit", "", SOURCE),
    ("edit", "Edit", "", SOURCE),
    ("remove-files", None, "Edit", SOURCE),
    ("view", "Read", "", SOURCE),
    ("read", "Read", "", SOURCE),
    ("grep-search", "Grep", "", SOURCE),
    ("grep", "Grep", "", SOURCE),
    ("find", "Glob", "", SOURCE),
    ("web-fetch", "WebFetch", "", SOURCE),
    ("web-search", None, "WebSearch", SOURCE),
    ("sub-agent", "Task", "", SOURCE),
    ("add_tasks", None, "TodoWrite", SOURCE),
    ("update_tasks", None, "TodoWrite", SOURCE),
    ("reorganize_tasklist", None, "TodoWrite", SOURCE),
    ("view_tasklist", None, "TodoRead", SOURCE),
    ("ask-user", None, "Question", SOURCE),
)

# rulez writes no agent files for it.
AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {}
