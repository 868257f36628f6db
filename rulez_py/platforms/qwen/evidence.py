"""What tells payloads of Qwen Code from those of others (contract.md, section 2).

They have the form of Claude Code's, and a `timestamp` beside the permission mode. Codex CLI's have a turn's number, and
would not obey an answer in these words.
"""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

EVIDENCE = Evidence(
    forms=(
        Form(
            has=("hook_event_name", "session_id", "timestamp", "permission_mode"),
            without=("hookEventName", "cursor_version", "has_ui", "turn_id"),
        ),
    ),
)
