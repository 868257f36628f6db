"""What tells payloads of Factory Droid from those of others (contract.md, section 2).

They have the form of Claude Code's. The words for the permission mode are its own.
"""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

MODES = ("off", "spec", "auto-low", "auto-medium", "auto-high")

EVIDENCE = Evidence(
    forms=(
        Form(
            has=("hook_event_name", "session_id"),
            without=("timestamp", "hookEventName", "cursor_version", "has_ui", "turn_id", "prompt_id"),
            modes=MODES,
        ),
    ),
)
