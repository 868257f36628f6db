"""The names of Kiro's tools in hook payloads (contract.md, section 2): of the CLI 3 and the IDE, then of the CLI 2."""

from __future__ import annotations

from rulez_py.platforms.tool_table import DOCS, SOURCE, rows

INBOUND = rows(
    ("execute_bash", "Bash", "", DOCS),
    ("execute_pwsh", "Bash", "", DOCS),
    ("fs_write", "Write", "", DOCS),
    ("fs_append", "Edit", "", DOCS),
    ("str_replace", "Edit", "", DOCS),
    ("fs_read", "Read", "", DOCS),
    ("read_file", "Read", "", DOCS),
    ("read_files", "Read", "", DOCS),
    ("read_code", "Read", "", DOCS),
    ("list_directory", None, "List", DOCS),
    ("file_search", "Glob", "", DOCS),
    ("grep_search", "Grep", "", DOCS),
    ("web_fetch", "WebFetch", "", DOCS),
    ("web_search", None, "WebSearch", DOCS),
    ("todo_list", None, "TodoWrite TodoRead", DOCS),
    ("invoke_sub_agent", "Task", "", DOCS),
    ("shell", "Bash", "", SOURCE),
    ("execute_cmd", "Bash", "", SOURCE),
    ("write", "Write", "", SOURCE),
    ("read", "Read", "", SOURCE),
    ("ls", None, "List", SOURCE),
    ("glob", "Glob", "", SOURCE),
    ("grep", "Grep", "", SOURCE),
    ("use_subagent", "Task", "", SOURCE),
)

# Its agents are files of its own form, which rulez does not write.
AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {}
