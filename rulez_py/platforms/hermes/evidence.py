"""What tells payloads of Hermes from those of others: one key beside the flat form (contract.md, section 2)."""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

EVIDENCE = Evidence(forms=(Form(has=("hook_event_name", "extra")),))
