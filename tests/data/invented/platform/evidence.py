"""What tells payloads of Invented CLI from those of others: the names of its events."""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

EVIDENCE = Evidence(forms=(Form(has=(), events=("before_call", "after_call", "typed", "opened", "done")),))
