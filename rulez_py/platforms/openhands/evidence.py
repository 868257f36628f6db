"""What tells payloads of OpenHands from those of others: how they call the event and the project (contract.md)."""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

EVIDENCE = Evidence(forms=(Form(has=("event_type", "session_id", "working_dir")),))
