"""What tells payloads of Cursor from those of others: a key of its own in all (contract.md, section 2)."""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

EVIDENCE = Evidence(forms=(Form(has=("cursor_version", "hook_event_name")),))
