"""What tells payloads of Grok Build from those of others: each names its event in two ways (contract.md, section 1)."""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

EVIDENCE = Evidence(forms=(Form(has=("hookEventName", "hook_event_name"), without=("cursor_version",)),))
