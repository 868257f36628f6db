"""The names of Copilot's tools: in hook payloads, and in agent definition files.

contract.md, sections 3 (the CLI, both dialects) and 6 (VS Code).
"""

from __future__ import annotations

from rulez_py.platforms.tool_table import DOCS, REQUIRED, SEEN, SOURCE, rows

INBOUND = rows(
    ("shell", "Bash", "", REQUIRED),
    ("bash", "Bash", "", SEEN),
    ("powershell", "Bash", "", SOURCE),
    ("write", "Write", "", REQUIRED),
    ("create", "Write", "", SEEN),
    ("edit", "Edit", "", SEEN),
    ("str_replace_editor", "Edit", "", SOURCE),
    ("apply_patch", "Edit", "", SEEN),
    ("read", "Read", "", REQUIRED),
    ("view", "Read", "", SEEN),
    ("glob", "Glob", "", SEEN),
    ("grep", "Grep", "", SEEN),
    ("rg", "Grep", "", SEEN),
    ("task", "Task", "", SEEN),
    ("Agent", "Task", "", SEEN),
    ("fetch", "WebFetch", "", REQUIRED),
    ("web_fetch", "WebFetch", "", SEEN),
    ("web_search", None, "WebSearch", DOCS),
    ("WebSearch", None, "WebSearch", DOCS),
    ("ask_user", None, "Question", SOURCE),
    ("AskUserQuestion", None, "Question", SOURCE),
    ("skill", None, "Skill", SEEN),
    ("update_todo", None, "TodoWrite", SOURCE),
    ("TodoWrite", None, "TodoWrite", DOCS),
    ("TodoRead", None, "TodoRead", REQUIRED),
    ("write_bash", "Bash", "", SOURCE),
    ("write_powershell", "Bash", "", SOURCE),
    ("run_in_terminal", "Bash", "", SOURCE),
    ("send_to_terminal", "Bash", "", SOURCE),
    ("create_file", "Write", "", SOURCE),
    ("replace_string_in_file", "Edit", "", SOURCE),
    ("multi_replace_string_in_file", "Edit", "", SOURCE),
    ("insert_edit_into_file", "Edit", "", SOURCE),
    ("read_file", "Read", "", SOURCE),
    ("view_image", "Read", "", SOURCE),
    ("file_search", "Glob", "", SOURCE),
    ("grep_search", "Grep", "", SOURCE),
    ("fetch_webpage", "WebFetch", "", SOURCE),
    ("runSubagent", "Task", "", SOURCE),
    ("search_subagent", "Task", "", SOURCE),
    ("explore_subagent", "Task", "", SOURCE),
    ("execution_subagent", "Task", "", SOURCE),
    ("edit_notebook_file", None, "Edit", SOURCE),
    ("list_dir", None, "List", SOURCE),
    ("vscode_askQuestions", None, "Question", SOURCE),
    ("manage_todo_list", None, "TodoWrite TodoRead", SOURCE),
    ("runTerminalCommand", "Bash", "", DOCS),
    ("createFile", "Write", "", DOCS),
    ("editFiles", "Edit", "", DOCS),
)

# The project's requirement, letter for letter.
AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {
    "Write": ("write",),
    "Edit": ("edit",),
    "Shell": ("execute",),
    "Read": ("read",),
    "Glob": ("search",),
    "List": ("search",),
    "LSP": (),
    "Skill": ("skill",),
    "TodoWrite": ("todo",),
    "TodoRead": ("todo",),
    "WebFetch": ("web",),
    "WebSearch": ("web",),
    "Question": (),
}
