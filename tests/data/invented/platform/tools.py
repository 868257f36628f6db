"""What Invented CLI calls its tools: in hook payloads (contract.md), and in agent definition files."""

from __future__ import annotations

from rulez_py.platforms.tool_table import SEEN, SOURCE, rows

INBOUND = rows(
    ("terminal", "Bash", "", SEEN),
    ("put_file", "Write", "", SEEN),
    ("change_file", "Edit", "", SOURCE),
    ("show_file", "Read", "", SEEN),
    ("walk_tree", None, "List", SEEN),
)

AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {
    "Write": ("put_file",),
    "Edit": ("change_file",),
    "Shell": ("terminal",),
    "Read": ("show_file",),
    "Glob": ("walk_tree",),
    "List": ("walk_tree",),
    "LSP": (),
    "Skill": (),
    "TodoWrite": (),
    "TodoRead": (),
    "WebFetch": (),
    "WebSearch": (),
    "Question": (),
}
