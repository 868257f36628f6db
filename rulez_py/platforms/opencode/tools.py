"""The names of OpenCode's tools: in hook payloads (contract.md, section 2), and in agent definition files."""

from __future__ import annotations

from rulez_py.platforms.tool_table import REQUIRED, SEEN, SOURCE, rows

INBOUND = rows(
    ("bash", "Bash", "", SEEN),
    ("write", "Write", "", SEEN),
    ("edit", "Edit", "", SEEN),
    ("apply_patch", "Edit", "", SEEN),
    ("read", "Read", "", SEEN),
    ("glob", "Glob", "", SEEN),
    ("grep", "Grep", "", SEEN),
    ("task", "Task", "", SEEN),
    ("webfetch", "WebFetch", "", SEEN),
    ("fetch", "WebFetch", "", REQUIRED),
    ("list", None, "List", REQUIRED),
    ("lsp", None, "LSP", SEEN),
    ("patch", None, "Edit", REQUIRED),
    ("skill", None, "Skill", SEEN),
    ("todowrite", None, "TodoWrite", SEEN),
    ("todoread", None, "TodoRead", REQUIRED),
    ("websearch", None, "WebSearch", SEEN),
    ("question", None, "Question", SOURCE),
)

# The project's requirement, letter for letter.
AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {
    "Write": ("write",),
    "Edit": ("edit",),
    "Shell": ("bash",),
    "Read": ("read",),
    "Glob": ("grep",),
    "List": ("list",),
    "LSP": ("lsp",),
    "Skill": ("skill",),
    "TodoWrite": ("todowrite",),
    "TodoRead": ("todoread",),
    "WebFetch": ("webfetch",),
    "WebSearch": (),
    "Question": ("question",),
}
