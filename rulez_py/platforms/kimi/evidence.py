"""What tells payloads of Kimi Code from those of others: a key of its own in all (contract.md, section 2)."""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

EVIDENCE = Evidence(forms=(Form(has=("hook_event_name", "session_id", "client_type")),))
