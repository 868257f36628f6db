"""The names of Qwen Code's tools: in hook payloads (contract.md, section 2), and in agent definition files."""

from __future__ import annotations

from rulez_py.platforms.tool_table import SEEN, SOURCE, rows

INBOUND = rows(
    ("run_shell_command", "Bash", "", SEEN),
    ("monitor", "Bash", "", SEEN),
    ("write_file", "Write", "", SEEN),
    ("edit", "Edit", "", SEEN),
    ("notebook_edit", None, "Edit", SEEN),
    ("read_file", "Read", "", SEEN),
    ("glob", "Glob", "", SEEN),
    ("grep_search", "Grep", "", SEEN),
    ("agent", "Task", "", SEEN),
    ("web_fetch", "WebFetch", "", SEEN),
    ("list_directory", None, "List", SEEN),
    ("lsp", None, "LSP", SOURCE),
    ("skill", None, "Skill", SEEN),
    ("todo_write", None, "TodoWrite", SEEN),
    ("task_create", None, "TodoWrite", SOURCE),
    ("task_update", None, "TodoWrite TodoRead", SOURCE),
    ("task_list", None, "TodoRead", SOURCE),
    ("web_search", None, "WebSearch", SOURCE),
    ("ask_user_question", None, "Question", SOURCE),
)

AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {
    "Write": ("write_file",),
    "Edit": ("edit",),
    "Shell": ("run_shell_command",),
    "Read": ("read_file",),
    "Glob": ("glob",),
    "List": ("list_directory",),
    "LSP": ("lsp",),
    "Skill": ("skill",),
    "TodoWrite": ("todo_write",),
    "TodoRead": (),
    "WebFetch": ("web_fetch",),
    "WebSearch": ("web_search",),
    "Question": ("ask_user_question",),
}
