"""What tells payloads of Devin CLI from those of others: they name no directory (contract.md)."""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

_NOT = ("cwd", "transcript_path", "timestamp", "permission_mode", "client_type", "cursor_version", "platform", "extra")

EVIDENCE = Evidence(
    forms=(
        Form(has=("hook_event_name", "session_id", "prompt_id"), without=_NOT),
        Form(has=("hook_event_name", "session_id", "source"), without=_NOT, events=("SessionStart",)),
    ),
)
