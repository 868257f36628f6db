"""What tells payloads of Vibe from those of others: its events' names (contract.md, section 2)."""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

EVIDENCE = Evidence(
    forms=(
        Form(
            has=("hook_event_name", "session_id", "transcript_path"),
            events=("pre_tool", "post_tool", "post_agent"),
        ),
    ),
)
