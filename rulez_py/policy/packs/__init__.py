"""The rule sets that ship inside rulez, taken with `extends: [builtin:NAME]`.

Each is written in NAME.yaml. NAME.json is the same, checked: `make packs` writes it, so that no hook has to read YAML
for what never changes.
"""

from __future__ import annotations

import os

PREFIX = "builtin:"
DEFAULT = "essentials"
"""Applies alone where there is no policy file at all."""
SELF_PROTECTION = "self-protection"
"""Always applies, so nothing extends it."""

DIRECTORY = os.path.dirname(os.path.abspath(__file__))
_WRITTEN, _CHECKED = ".yaml", ".json"


def extendable() -> tuple[str, ...]:
    """The names after `builtin:` that a policy file can extend, sorted; none where rulez is not fully installed."""
    return tuple(name for name in names() if name != SELF_PROTECTION)


def names() -> tuple[str, ...]:
    """Every rule set's name, sorted; none where rulez is not fully installed."""
    try:
        files = os.listdir(DIRECTORY)
    except OSError:
        return ()
    return tuple(sorted(name.removesuffix(_CHECKED) for name in files if name.endswith(_CHECKED)))


def path_of(name: str) -> str:
    """Where a rule set is written."""
    return os.path.join(DIRECTORY, name + _WRITTEN)


def checked_path_of(name: str) -> str:
    """Where its checked form stands: an object with `data` and `rule_lines` (`check.Checked`)."""
    return os.path.join(DIRECTORY, name + _CHECKED)
