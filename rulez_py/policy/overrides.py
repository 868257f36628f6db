"""What a policy file changes of rules that others wrote: `overrides: {NAME: {action: ask}}`.

A file changes the rules of the sets it extends, for itself. Those by which rulez protects itself only the managed and
the user's own policy change.
"""

from __future__ import annotations

from rulez_py.policy import globs
from rulez_py.policy.layers import MANAGED, USER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from rulez_py.policy.rule import Actions, Rule

    Overrides = Mapping[str, Mapping[str, str]]
    """The name of a rule, or a glob over names -> what of it is changed. Of several that fit, the last one counts."""

ACTIONS = ("block", "ask")
"""What a rule that blocks or asks may do instead."""
MAY_RELAX_SELF_PROTECTION = (MANAGED, USER)


def overridden(rules: Iterable[Rule], overrides: Overrides) -> tuple[Rule, ...]:
    """The rules as `overrides` have them."""
    return tuple(_overridden(rule, overrides) for rule in rules) if overrides else tuple(rules)


def concerned(pattern: str, names: Iterable[str]) -> list[str]:
    """Those of the rules' names that a key of `overrides` is about."""
    return [name for name in names if globs.plain(pattern, name)]


def _overridden(rule: Rule, overrides: Overrides) -> Rule:
    for pattern, change in overrides.items():
        if globs.plain(pattern, rule["name"]):
            rule = {**rule, "actions": _acting(rule["actions"], change["action"])}
    return rule


def _acting(actions: Actions, action: str) -> Actions:
    """The same with what decides in them being this action; what gives no word to block or ask stays as it is."""
    changed: Any = {key: value for key, value in actions.items() if key not in ACTIONS}
    said = [value for key, value in actions.items() if key in ACTIONS]
    if said:
        changed[action] = said[0]
    acting: Actions = changed
    return acting
