"""The event after a command says nothing of its result."""

from __future__ import annotations

from rulez_py.platforms.results import Form

FORM = Form(untold=("Windsurf",))
