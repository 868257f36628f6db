"""The rule sets that ship inside rulez: one YAML file each, taken with `extends: [builtin:NAME]`."""

from __future__ import annotations

import os

PREFIX = "builtin:"
DEFAULT = "essentials"
"""Applies alone where there is no policy file at all."""
SELF_PROTECTION = "self-protection"
"""Always applies, so nothing extends it."""

DIRECTORY = os.path.dirname(os.path.abspath(__file__))
_ENDING = ".yaml"


def extendable() -> tuple[str, ...]:
    """The names after `builtin:` that a policy file can extend, sorted; none where rulez is not fully installed."""
    try:
        files = os.listdir(DIRECTORY)
    except OSError:
        return ()
    names = [name.removesuffix(_ENDING) for name in files if name.endswith(_ENDING)]
    return tuple(sorted(name for name in names if name != SELF_PROTECTION))


def path_of(name: str) -> str:
    """Where a pack's file stands."""
    return os.path.join(DIRECTORY, name + _ENDING)
