"""What tells the calls of our plugin for OpenCode from those of others: the arguments of its hooks (contract.md)."""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

EVIDENCE = Evidence(forms=(Form(has=("hook", "input"), without=("hook_event_name", "hookEventName")),))
