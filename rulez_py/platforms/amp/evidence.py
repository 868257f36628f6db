"""What tells the calls of our plugin for Amp from those of others: a key of its own in all (contract.md)."""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

EVIDENCE = Evidence(forms=(Form(has=("executor", "hook_event_name")),))
