"""The names of Amp's tools in its plugins' events (contract.md, section 2)."""

from __future__ import annotations

from rulez_py.platforms.tool_table import SOURCE, rows

INBOUND = rows(
    ("Bash", "Bash", "", SOURCE),
    ("shell_command", "Bash", "", SOURCE),
    ("create_file", "Write", "", SOURCE),
    ("edit_file", "Edit", "", SOURCE),
    ("apply_patch", "Edit", "", SOURCE),
    ("Read", "Read", "", SOURCE),
    ("Grep", "Grep", "", SOURCE),
    ("glob", "Glob", "", SOURCE),
    ("read_web_page", "WebFetch", "", SOURCE),
    ("web_search", None, "WebSearch", SOURCE),
    ("skill", None, "Skill", SOURCE),
)

# rulez writes no agent files for it.
AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {}
