"""Nothing is documented of how the event after a command tells its result."""

from __future__ import annotations

from rulez_py.platforms.results import Form

FORM = Form(untold=("Kiro",))
