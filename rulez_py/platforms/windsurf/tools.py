"""The names under which rules see what Cascade does (contract.md, section 2): its events name no tools."""

from __future__ import annotations

from rulez_py.platforms.tool_table import DOCS, rows

INBOUND = rows(
    ("run_command", "Bash", "", DOCS),
    ("write_code", "Edit", "", DOCS),
    ("read_code", "Read", "", DOCS),
)

# rulez writes no agent files for it.
AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {}
