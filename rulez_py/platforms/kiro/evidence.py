"""What tells payloads of Kiro from those of others: the names and the few keys of its events (contract.md)."""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

_NOT = (
    *("transcript_path", "transcriptPath", "timestamp", "permission_mode", "client_type", "cursor_version"),
    *("conversation_id", "turn_id", "tool_use_id", "has_ui", "platform", "extra", "tool_call_id", "hookEventName"),
)

EVIDENCE = Evidence(
    forms=(
        Form(
            has=("hook_event_name", "cwd"),
            without=_NOT,
            events=("agentSpawn", "userPromptSubmit", "preToolUse", "postToolUse", "stop"),
        ),
        Form(
            has=("hook_event_name", "cwd", "session_id"),
            without=_NOT,
            events=("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"),
        ),
    ),
)
