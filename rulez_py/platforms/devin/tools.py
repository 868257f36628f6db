"""The names of Devin CLI's tools in hook payloads (contract.md, section 2)."""

from __future__ import annotations

from rulez_py.platforms.tool_table import DOCS, rows

INBOUND = rows(
    ("exec", "Bash", "", DOCS),
    ("write", "Write", "", DOCS),
    ("edit", "Edit", "", DOCS),
    ("apply_patch", "Edit", "", DOCS),
    ("notebook_edit", "Edit", "", DOCS),
    ("read", "Read", "", DOCS),
    ("notebook_read", "Read", "", DOCS),
    ("glob", "Glob", "", DOCS),
    ("grep", "Grep", "", DOCS),
    ("webfetch", "WebFetch", "", DOCS),
    ("run_subagent", "Task", "", DOCS),
    ("skill", None, "Skill", DOCS),
    ("todo_write", None, "TodoWrite TodoRead", DOCS),
    ("ask_user_question", None, "Question", DOCS),
)

# rulez writes no agent files for it.
AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {}
