"""The checked and the compiled form of a rule set, out of its YAML.

They are made once, when rulez is built, so that no hook has to read YAML or to compile what never changes.
"""

from __future__ import annotations

import json

from rulez_py.policy import packs
from rulez_py.policy.format.check import check
from rulez_py.policy.format.compile import compile_rules
from rulez_py.policy.judging import index
from rulez_py.policy.model.layers import BUILT_IN
from rulez_py.system import jsontext
from rulez_py.trust import content_digest, digest

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
    return (json.dumps(form, separators=(",", ":"), ensure_ascii=False) + "\n").encode()


def compiled_form(name: str) -> bytes:
    """Return what `packs.compiled(name)` gives, as bytes; raises as `checked_form`.

    `rules` are those that a policy of no project has; `lines` are where they stand, those switched off among them;
    `filings` are for `packs.known_filings`.
    """
    content = checked_form(name)
    form = json.loads(content)
    data, numbers = form["data"], form["rule_lines"]
    rules = compile_rules(data, tuple(numbers), layer=BUILT_IN, shown=packs.PREFIX + name, root="", trusted=True)
    if asking := [rule["name"] for rule in rules if "run" in rule["actions"]]:
        raise ValueError(f"{packs.PREFIX}{name}: a built-in rule runs no script: {asking[0]}")
    compiled = {
        "made_from": packs.compiled_from(name),
        "digest": digest(packs.path_of(name), content, ()),
        "extends": packs.listed(data, "extends"),
        "disable": packs.listed(data, "disable"),
        "lines": {rule["name"]: line for rule, line in zip(data.get("rules") or (), numbers, strict=True)},
        "rules": rules,
        "filings": index.filings(rules),
    }
    return jsontext.dumps_exactly(compiled) + b"\n"
