"""What tells the calls of our extension for Pi from those of others: a key of its own in all (contract.md)."""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

EVIDENCE = Evidence(forms=(Form(has=("has_ui", "hook_event_name")),))
