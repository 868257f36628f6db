"""No event says how a command has ended: `PostToolUse` has what was printed alone."""

from __future__ import annotations

from rulez_py.platforms.results import Form

FORM = Form(untold=("Codex CLI",))
