"""What tells payloads of Codex CLI from those of others (contract.md).

All have `turn_id` but those of the session's begin and end. Its hooks get no variable.
"""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

_OTHERS = ("timestamp", "hookEventName", "cursor_version", "prompt_id", "has_ui", "client_type")

EVIDENCE = Evidence(
    forms=(
        Form(has=("hook_event_name", "session_id", "turn_id"), without=_OTHERS),
        # Claude Code sends no permission mode there.
        Form(has=("session_id", "model", "permission_mode"), without=_OTHERS, events=("SessionStart",)),
        # Claude Code's is the same where nothing was written before.
        Form(has=("session_id", "transcript_path", "cwd"), without=_OTHERS, events=("SessionEnd",), own=False),
    ),
)
