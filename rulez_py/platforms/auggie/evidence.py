"""What tells payloads of Auggie from those of others: how they call the session (contract.md, section 2)."""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

EVIDENCE = Evidence(
    forms=(
        Form(
            has=("hook_event_name", "conversation_id", "workspace_roots"),
            without=("session_id", "cursor_version"),
        ),
    ),
    variables=(("AUGMENT_CONVERSATION_ID", "conversation_id"),),
)
