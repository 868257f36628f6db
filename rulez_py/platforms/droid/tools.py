"""The names of Factory Droid's tools in hook payloads (contract.md, section 2)."""

from __future__ import annotations

from rulez_py.platforms.tool_table import SEEN, SOURCE, rows

INBOUND = rows(
    ("Execute", "Bash", "", SEEN),
    ("Create", "Write", "", SEEN),
    ("Edit", "Edit", "", SEEN),
    ("ApplyPatch", "Edit", "", SEEN),
    ("Read", "Read", "", SEEN),
    ("Glob", "Glob", "", SEEN),
    ("Grep", "Grep", "", SEEN),
    ("Task", "Task", "", SEEN),
    ("FetchUrl", "WebFetch", "", SEEN),
    ("LS", None, "List", SEEN),
    ("Skill", None, "Skill", SEEN),
    ("TodoWrite", None, "TodoWrite", SEEN),
    ("WebSearch", None, "WebSearch", SEEN),
    ("AskUser", None, "Question", SOURCE),
)

AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {
    "Write": ("Create",),
    "Edit": ("Edit",),
    "Shell": ("Execute",),
    "Read": ("Read",),
    "Glob": ("Glob",),
    "List": ("LS",),
    "LSP": (),
    "Skill": ("Skill",),
    "TodoWrite": ("TodoWrite",),
    "TodoRead": (),
    "WebFetch": ("FetchUrl",),
    "WebSearch": ("WebSearch",),
    "Question": ("AskUser",),
}
