"""The names of Claude Code's tools: in hook payloads (contract.md, section 3), and in agent definition files."""

from __future__ import annotations

from rulez_py.platforms.tool_table import SEEN, SOURCE, rows

INBOUND = rows(
    ("Bash", "Bash", "", SEEN),
    ("PowerShell", "Bash", "", SEEN),
    ("Monitor", "Bash", "", SEEN),
    ("Write", "Write", "", SEEN),
    ("Edit", "Edit", "", SEEN),
    ("MultiEdit", "Edit", "", SOURCE),
    ("Read", "Read", "", SEEN),
    ("Glob", "Glob", "", SEEN),
    ("Grep", "Grep", "", SEEN),
    ("Task", "Task", "", SOURCE),
    ("Agent", "Task", "", SEEN),
    ("WebFetch", "WebFetch", "", SEEN),
    ("NotebookEdit", None, "Edit", SEEN),
    ("LSP", None, "LSP", SOURCE),
    ("Skill", None, "Skill", SEEN),
    ("TodoWrite", None, "TodoWrite", SEEN),
    ("TaskCreate", None, "TodoWrite", SEEN),
    ("TaskUpdate", None, "TodoWrite TodoRead", SEEN),
    ("TaskList", None, "TodoRead", SEEN),
    ("TaskGet", None, "TodoRead", SOURCE),
    ("WebSearch", None, "WebSearch", SEEN),
    ("AskUserQuestion", None, "Question", SEEN),
)

# The project's requirement, letter for letter.
AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {
    "Write": ("Write",),
    "Edit": ("Edit",),
    "Shell": ("Bash",),
    "Read": ("Read",),
    "Glob": ("Glob",),
    "List": ("Glob",),
    "LSP": ("LSP",),
    "Skill": ("skill",),
    "TodoWrite": ("TaskCreate", "TaskUpdate"),
    "TodoRead": ("TaskList", "TaskGet", "TaskUpdate"),
    "WebFetch": ("WebFetch",),
    "WebSearch": ("WebSearch",),
    "Question": ("AskUserQuestion",),
}
