"""Where a policy came from, most trusted first: the order in which equal priorities are evaluated."""

from __future__ import annotations

MANAGED, USER, PROJECT, BUILT_IN = "managed", "user", "project", "built-in"
LAYERS = (MANAGED, USER, PROJECT, BUILT_IN)
