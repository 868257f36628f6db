"""A command that fails comes with `error` (contract.md)."""

from __future__ import annotations

from rulez_py.platforms.results import Form

FORM = Form(silent=True)
