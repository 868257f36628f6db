"""How many inputs a property makes up."""

from __future__ import annotations

from hypothesis import settings


def examples(gate: int, *, of: int) -> int:
    """Return `gate`, which is enough for every change; `of` where `make random` looks for what nobody has met yet."""
    return of if settings.get_current_profile_name() == "random" else gate
