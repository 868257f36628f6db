"""The checked form of a rule set, out of its YAML: made once, when rulez is built, so that no hook has to read YAML."""

from __future__ import annotations

import json

from rulez_py.policy import packs
from rulez_py.policy.format.check import check
from rulez_py.trust import content_digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_made: dict[tuple[str, str], bytes] = {}
"""Checked forms that had to be made in this process: name and text -> JSON."""


def checked(name: str) -> tuple[bytes, dict[str, Any]]:
    """Return what `packs.made(name)` gives; where there is nothing, it is made now, which takes its time.

    Raises as below.
    """
    found = packs.made(name)
    if found is not None:
        return found
    key = name, packs.text_of(name)
    if key not in _made:
        _made[key] = checked_form(name)
    return _made[key], json.loads(_made[key])


def checked_form(name: str) -> bytes:
    """Return what `packs.made(name)` gives, as bytes. Raises OSError, and ValueError with every problem of the set."""
    content = packs.text_of(name).encode()
    checked = check(content, packs.PREFIX + name)
    if checked.problems:
        raise ValueError("\n".join(str(problem) for problem in checked.problems))
    form = {"made_from": content_digest(content), "data": checked.data, "rule_lines": list(checked.rule_lines)}
    return (json.dumps(form, indent=1, ensure_ascii=False) + "\n").encode()
