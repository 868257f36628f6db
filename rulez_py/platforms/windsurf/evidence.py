"""What tells payloads of Windsurf from those of others: how they call the event and the call (contract.md)."""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

EVIDENCE = Evidence(forms=(Form(has=("agent_action_name", "tool_info"), without=("hook_event_name",)),))
