"""What tells payloads of Cline from those of others: two keys of its own (contract.md, section 3)."""

from __future__ import annotations

from rulez_py.platforms.evidence import Evidence, Form

EVIDENCE = Evidence(forms=(Form(has=("clineVersion", "hookName")),))
