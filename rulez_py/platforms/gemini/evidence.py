"""What tells payloads of Gemini CLI from those of others (contract.md, sections 2 and 6).

Most events have names of its own. Those of the other three also have a `timestamp` and a path of the transcript, and no
permission mode.
"""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

_FLAT = ("session_id", "transcript_path", "cwd", "timestamp")
_OTHERS = ("permission_mode", "hookEventName", "cursor_version", "has_ui", "turn_id")

EVIDENCE = Evidence(
    forms=(
        Form(
            has=("session_id",),
            events=(
                *("BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel"),
                *("BeforeToolSelection", "PreCompress"),
            ),
        ),
        Form(has=_FLAT, without=_OTHERS, events=("SessionEnd", "Notification")),
        # Copilot's in VS Code is the same.
        Form(has=_FLAT, without=_OTHERS, events=("SessionStart",), own=False),
    ),
    variables=(("GEMINI_SESSION_ID", "session_id"),),
)
