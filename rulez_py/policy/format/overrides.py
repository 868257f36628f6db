"""Changes of a policy file to rules of others: `overrides: {NAME: {action: ask, except: {...}}}`.

A file changes the rules of the sets it extends, for itself. Those by which rulez protects itself only the managed and
the user's own policy change.
"""

from __future__ import annotations

import os

from rulez_py.policy.model.layers import MANAGED, USER
from rulez_py.policy.patterns import globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from rulez_py.policy.model.rule import Actions, Rule

    Overrides = Mapping[str, Mapping[str, Any]]
    """The name of a rule, or a glob over names -> its changes. Of several that fit, the last one counts."""

LOG = "log"
ACTIONS = ("block", "ask", LOG)
"""Actions that may replace a denial or a question; a rule that only logs runs nothing, either."""
_DECIDING = (*ACTIONS, "checkpoint")
MAY_RELAX_SELF_PROTECTION = (MANAGED, USER)


def overridden(rules: Iterable[Rule], overrides: Overrides, project: str) -> tuple[Rule, ...]:
    """Return the rules as `overrides` have them in the project with this root."""
    here = changes_here(overrides, project)
    return tuple(_overridden(rule, here) for rule in rules) if here else tuple(rules)


def changes_here(overrides: Overrides, project: str) -> dict[str, Mapping[str, Any]]:
    """Name or glob -> change, of those that are for the project with this root."""
    return {pattern: change for pattern, change in overrides.items() if _is_about(change, project)}


def _is_about(change: Mapping[str, Any], project: str) -> bool:
    """Tell whether a change is for this project: one that names none is for all."""
    where = change.get("in")
    return where is None or any(_real(directory) == os.path.realpath(project) for directory in where)


def _real(directory: str) -> str:
    return os.path.realpath(os.path.expanduser(directory))


def concerned(pattern: str, names: Iterable[str]) -> list[str]:
    """Return those of the rules' names that a key of `overrides` is about."""
    return [name for name in names if globs.plain(pattern, name)]


def _overridden(rule: Rule, changes: Mapping[str, Mapping[str, Any]]) -> Rule:
    change = next(
        (changes[pattern] for pattern in reversed(tuple(changes)) if globs.plain(pattern, rule["name"])), None
    )
    return rule if change is None else changed_rule(rule, change)


def changed_rule(rule: Rule, change: Mapping[str, Any]) -> Rule:
    """Return the rule with another action (`ACTIONS`), with more exceptions, or with other `files`."""
    changed: Any = {"files": change["files"]} if "files" in change else {}
    if change.get("action") == LOG:
        changed["mode"] = "audit"
    elif "action" in change:
        changed["actions"] = _acting(rule["actions"], change["action"])
    if "except" in change:
        from rulez_py.policy.format.compile import matchers_of

        changed["except"] = [*rule["except"], *map(matchers_of, change["except"])]
    return {**rule, **changed}


def _acting(actions: Actions, action: str) -> Actions:
    """Return the same with what decides in them being this action.

    What gives no word to block or ask stays as it is.
    """
    changed: Any = {key: value for key, value in actions.items() if key not in _DECIDING}
    said = [value for key, value in actions.items() if key in _DECIDING]
    if said:
        changed[action] = said[0]
    acting: Actions = changed
    return acting
