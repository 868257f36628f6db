"""An exception put into the text of a person's own policy file: one rule, that of a set, only logs in one project."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulez_py.policy.check import check
from rulez_py.policy.layers import USER
from rulez_py.policy.overrides import LOG
from rulez_py.system import jsontext
from rulez_py.written.problems import errors

if TYPE_CHECKING:
    from typing import Any

_BLOCK = re.compile(r"^overrides:[ \t]*(?:#.*)?\n(?P<indent>[ ]+)", re.M)


class CannotAmend(Exception):
    """The text cannot be changed safely; the message is why."""


def line_for(rule: str, project: str) -> str:
    """The entry of `overrides`."""
    return f"{rule}: {{action: {LOG}, in: [{jsontext.dumps(project)}]}}"


def amended(text: str | None, rule: str, rule_set: str, project: str) -> str:
    """The text with the exception in it, every other line as it was; None: there is no file yet. Raises CannotAmend."""
    entry = line_for(rule, project)
    if text is None:
        return f'version: "1.0"\nextends: [{rule_set}]\noverrides:\n  {entry}\n'
    before = _read(text)
    there = before.get("overrides") or {}
    if rule in there:
        raise CannotAmend(f'its `overrides` has "{rule}" already')
    block = _BLOCK.search(text)
    if block:
        at = block.start("indent")
        changed = f"{text[:at]}{block['indent']}{entry}\n{text[at:]}"
    elif "overrides" in before:
        raise CannotAmend("its `overrides` is written on one line")
    else:
        changed = f"{text}{'' if text.endswith(chr(10)) else chr(10)}\noverrides:\n  {entry}\n"
    after = _read(changed)
    if {**after, "overrides": None} != {**before, "overrides": None} or after["overrides"] != {
        **there,
        rule: {"action": LOG, "in": [project]},
    }:
        raise CannotAmend("it is written in a way that cannot be changed safely")
    return changed


def _read(text: str) -> dict[str, Any]:
    checked = check(text.encode("utf-8", "surrogatepass"), "rules.yaml", layer=USER)
    if checked.data is None or errors(checked.problems):
        raise CannotAmend("it is invalid: `rulez validate` shows what is wrong")
    return checked.data
