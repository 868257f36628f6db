"""The names of Kilo Code's tools: in hook payloads (contract.md, section 2), and in agent definition files."""

from __future__ import annotations

from rulez_py.platforms.tool_table import SEEN, SOURCE, rows

INBOUND = rows(
    ("bash", "Bash", "", SEEN),
    ("background_process", "Bash", "", SEEN),
    ("write", "Write", "", SEEN),
    ("edit", "Edit", "", SEEN),
    ("apply_patch", "Edit", "", SEEN),
    ("read", "Read", "", SEEN),
    ("glob", "Glob", "", SEEN),
    ("grep", "Grep", "", SEEN),
    ("task", "Task", "", SEEN),
    ("webfetch", "WebFetch", "", SEEN),
    ("lsp", None, "LSP", SOURCE),
    ("skill", None, "Skill", SEEN),
    ("todowrite", None, "TodoWrite", SEEN),
    ("websearch", None, "WebSearch", SOURCE),
    ("question", None, "Question", SOURCE),
)

AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {
    "Write": ("write",),
    "Edit": ("edit",),
    "Shell": ("bash",),
    "Read": ("read",),
    "Glob": ("glob",),
    "List": (),
    "LSP": ("lsp",),
    "Skill": ("skill",),
    "TodoWrite": ("todowrite",),
    "TodoRead": (),
    "WebFetch": ("webfetch",),
    "WebSearch": ("websearch",),
    "Question": ("question",),
}
