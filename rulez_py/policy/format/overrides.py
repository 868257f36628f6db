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

LOG, CHECKPOINT = "log", "checkpoint"
ACTIONS = ("block", "ask", CHECKPOINT, LOG)
"""Actions that may replace a denial or a question.

A rule that only logs runs nothing, either. One that keeps denies or asks as before where it cannot keep what is lost.
"""
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
    elif change.get("action") == CHECKPOINT:
        changed.update(_keeping(rule, change))
    elif "action" in change:
        changed["actions"] = _acting(rule["actions"], change["action"])
    if "except" in change:
        from rulez_py.policy.matchers import matchers_of

        changed["except"] = [*rule["except"], *map(matchers_of, change["except"])]
    return {**rule, **changed}


def may_keep(rule: Rule) -> bool:
    """Tell whether a rule that denies or asks says what is lost, so that it can be kept instead."""
    return bool(rule["match"].get("loses")) and bool({"block", "ask"} & rule["actions"].keys())


def _keeping(rule: Rule, change: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is new of a rule that keeps what is lost, and beside that does what it did."""
    if not may_keep(rule):
        return {}
    bounds = {"checkpoints": change["bounds"]} if change.get("bounds") else {}
    by = {"kept_by": change["by"]} if "by" in change else {}
    return {"actions": {**rule["actions"], CHECKPOINT: True, **bounds}, **by}


def placed(overrides: Overrides, settings: Mapping[str, Any], where: Mapping[str, str]) -> Overrides:
    """Return the changes with what a rule that keeps needs of their file: its bounds, and the place of the change.

    `where` has the place (`path:line`) of each key.
    """
    more = bounds_of(settings)
    return {
        key: {**change, "by": where[key], "bounds": more} if change.get("action") == CHECKPOINT else change
        for key, change in overrides.items()
    }


def bounds_of(settings: Mapping[str, Any]) -> dict[str, float]:
    """Return the bounds that a file's settings give to checkpoints."""
    return {name: said for name, said in (settings.get("checkpoints") or {}).items() if name != INSTEAD_OF}


def kept_instead(rules: Iterable[Rule], overrides: Overrides, settings: Mapping[str, Any], by: str) -> tuple[Rule, ...]:
    """Return the rules, those keeping that ask and say what is lost, where a file's settings want that.

    What `overrides` say of a rule's action counts more. `by` is the place (`path:line`) of the setting.
    """
    if (settings.get("checkpoints") or {}).get(INSTEAD_OF) is None:
        return tuple(rules)
    change = {"action": CHECKPOINT, "by": by, "bounds": bounds_of(settings)}
    said = [pattern for pattern, one in overrides.items() if "action" in one]
    return tuple(
        changed_rule(rule, change)
        if "ask" in rule["actions"] and not any(globs.plain(pattern, rule["name"]) for pattern in said)
        else rule
        for rule in rules
    )


INSTEAD_OF = "instead_of"


def without_keeping(overrides: Overrides) -> Overrides:
    """Return the changes of a file that no person has trusted: it keeps nothing, so its rules stay as they are."""
    return {
        key: {name: said for name, said in change.items() if name != "action" or said != CHECKPOINT}
        for key, change in overrides.items()
    }


def _acting(actions: Actions, action: str) -> Actions:
    """Return the same with what decides in them being this action.

    What gives no word to block or ask stays as it is.
    """
    changed: Any = {key: value for key, value in actions.items() if key not in ACTIONS}
    said = [value for key, value in actions.items() if key in ACTIONS]
    if said:
        changed[action] = said[0]
    acting: Actions = changed
    return acting
