"""The names of Gemini CLI's tools: in hook payloads (contract.md, section 2), and in agent definition files."""

from __future__ import annotations

from rulez_py.platforms.tool_table import REQUIRED, SEEN, rows

INBOUND = rows(
    ("run_shell_command", "Bash", "", SEEN),
    ("execute_code", "Bash", "", REQUIRED),
    ("write_file", "Write", "", SEEN),
    ("replace", "Edit", "", SEEN),
    ("read_file", "Read", "", SEEN),
    ("glob", "Glob", "", SEEN),
    ("search_file_content", "Grep", "", SEEN),
    ("grep_search", "Grep", "", SEEN),
    ("invoke_agent", "Task", "", SEEN),
    ("web_fetch", "WebFetch", "", SEEN),
    ("list_directory", None, "List", SEEN),
    ("read_many_files", None, "", REQUIRED),
    ("google_web_search", None, "WebSearch", SEEN),
    ("ask_user", None, "Question", SEEN),
    ("save_memory", None, "", REQUIRED),
    ("write_todos", None, "TodoWrite", SEEN),
    ("activate_skill", None, "Skill", SEEN),
    ("run_agent", None, "", REQUIRED),
    ("list_files", None, "List", REQUIRED),
    ("search_files", None, "", REQUIRED),
)

# Its own tool names, as the model calls them.
AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {
    "Write": ("write_file",),
    "Edit": ("replace",),
    "Shell": ("run_shell_command",),
    "Read": ("read_file",),
    "Glob": ("glob",),
    "List": ("list_directory",),
    "LSP": (),
    "Skill": ("activate_skill",),
    "TodoWrite": ("write_todos",),
    "TodoRead": (),
    "WebFetch": ("web_fetch",),
    "WebSearch": ("google_web_search",),
    "Question": ("ask_user",),
}
