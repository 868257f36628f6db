"""The checked form of a rule set, out of its YAML: made once, when rulez is built, so that no hook has to read YAML."""

from __future__ import annotations

import json

from rulez_py.policy import packs
from rulez_py.policy.check import check
from rulez_py.trust import content_digest


def checked_form(name: str) -> bytes:
    """What `packs.checked(name)` gives. Raises OSError, and ValueError with every problem of the set."""
    content = packs.text_of(name).encode()
    checked = check(content, packs.PREFIX + name)
    if checked.problems:
        raise ValueError("\n".join(str(problem) for problem in checked.problems))
    form = {"made_from": content_digest(content), "data": checked.data, "rule_lines": list(checked.rule_lines)}
    return (json.dumps(form, indent=1, ensure_ascii=False) + "\n").encode()
