"""What Codex CLI calls its tools: in hook payloads (contract.md, section 2)."""

from __future__ import annotations

from rulez_py.tools import SEEN, rows

INBOUND = rows(
    ("Bash", "Bash", "", SEEN),
    ("apply_patch", "Edit", "", SEEN),
    ("view_image", "Read", "", SEEN),
    ("spawn_agent", "Task", "", SEEN),
    ("request_user_input", None, "Question", SEEN),
)

# It has agent files, but none that could keep an agent from writing.
AGENT_FILE_NAMES: dict[str, tuple[str, ...]] = {}
