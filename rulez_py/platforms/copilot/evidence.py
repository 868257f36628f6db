"""What tells payloads of GitHub Copilot from those of others (contract.md, sections 2 and 6).

The CLI sends camelCase payloads without `hook_event_name`, or snake_case ones with a `timestamp`; VS Code sends a
third kind, in two spellings by version. Neither sends a permission mode with a `timestamp`, as Qwen Code does.
"""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

_OTHERS = ("permission_mode", "hookEventName", "cursor_version", "has_ui", "turn_id")
_FLAT = ("hook_event_name", "session_id", "timestamp", "cwd")

EVIDENCE = Evidence(
    forms=(
        Form(has=("sessionId", "cwd"), without=("hook_event_name", "clineVersion", "cursor_version")),
        Form(has=("hookEventName", "cwd"), without=("hook_event_name", "cursor_version")),
        # Gemini CLI has a path of the transcript in every payload.
        Form(
            has=_FLAT,
            without=(*_OTHERS, "transcript_path"),
            events=(
                *("PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "UserPromptSubmit"),
                *("SessionStart", "SessionEnd", "Stop", "SubagentStart", "SubagentStop", "PreCompact"),
                *("ErrorOccurred", "Notification"),
            ),
        ),
        Form(
            has=(*_FLAT, "transcript_path"),
            without=_OTHERS,
            events=(
                *("PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "UserPromptSubmit"),
                *("Stop", "SubagentStart", "SubagentStop", "PreCompact", "ErrorOccurred"),
            ),
        ),
        # VS Code's; Gemini CLI's is the same.
        Form(has=(*_FLAT, "transcript_path"), without=_OTHERS, events=("SessionStart",), own=False),
    ),
)
