"""The names of Kimi Code's tools in hook payloads (contract.md, section 2)."""

from __future__ import annotations

from rulez_py.platforms.tool_table import SEEN, SOURCE, rows

INBOUND = rows(
    ("Bash", "Bash", "", SEEN),
    ("Write", "Write", "", SEEN),
    ("Edit", "Edit", "", SEEN),
    ("Read", "Read", "", SEEN),
    ("Glob", "Glob", "", SEEN),
    ("Grep", "Grep", "", SEEN),
    ("Agent", "Task", "", SEEN),
    ("AgentSwarm", "Task", "", SOURCE),
    ("FetchURL", "WebFetch", "", SEEN),
    ("WebSearch", None, "WebSearch", SEEN),
    ("Skill", None, "Skill", SEEN),
    ("TodoList", None, "TodoWrite TodoRead", SEEN),
    ("AskUserQuestion", None, "Question", SOURCE),
)

AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {
    "Write": ("Write",),
    "Edit": ("Edit",),
    "Shell": ("Bash",),
    "Read": ("Read",),
    "Glob": ("Glob",),
    "List": (),
    "LSP": (),
    "Skill": ("Skill",),
    "TodoWrite": ("TodoList",),
    "TodoRead": ("TodoList",),
    "WebFetch": ("FetchURL",),
    "WebSearch": ("WebSearch",),
    "Question": ("AskUserQuestion",),
}
