"""Changes of a policy file to rules of others: `overrides: {NAME: {action: ask, except: {...}}}`.

A file changes the rules of the sets that it extends, for itself. The managed file also changes rules of the user's and
of projects' files, and the user's file those of projects. Rules by which rulez protects itself only these two change.
"""

from __future__ import annotations

import os
import sys

from rulez_py.policy.model.layers import MANAGED, USER
from rulez_py.policy.patterns import globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from rulez_py.policy.model.rule import Actions, Rule

    Overrides = Mapping[str, Mapping[str, Any]]
    """The name of a rule, or a glob over names -> its changes. Of several that fit, the last one counts."""

LOG, CHECKPOINT = "log", "checkpoint"
ACTIONS = ("block", "ask", CHECKPOINT, LOG)
"""Actions that may replace a denial or a question.

A rule that only logs runs nothing, either. One that keeps denies or asks as before where it cannot keep what is lost.
"""
WARN, AUDIT, ENFORCE = "warn", "audit", "enforce"
MODES = (ENFORCE, WARN, AUDIT)
CHANGING = ("action", "mode", "except", "files", "reason", "suggestion")
"""Keys of a change that change something; the others say where."""
MAY_CHANGE_OTHERS = (MANAGED, USER)
"""Layers whose files change rules of the layers below them, and those by which rulez protects itself."""


def overridden(rules: Iterable[Rule], overrides: Overrides, project: str) -> tuple[Rule, ...]:
    """Return the rules as `overrides` have them in the project with this root."""
    here = changes_here(overrides, project)
    return tuple(_overridden(rule, here) for rule in rules) if here else tuple(rules)


def changes_here(overrides: Overrides, project: str) -> dict[str, Mapping[str, Any]]:
    """Name or glob -> change, of those that are for the project with this root."""
    return {pattern: change for pattern, change in overrides.items() if _is_about(change, project)}


def _is_about(change: Mapping[str, Any], project: str) -> bool:
    """Tell whether a change is for this project: one that names none is for all."""
    if not PLACES & change.keys():
        return True
    names = _names(project)
    inside = change.get("in")
    return (
        (inside is None or any(_real(directory) == os.path.realpath(project) for directory in inside))
        and ("only_in" not in change or all(_lies_in(change["only_in"], *name) for name in names))
        and not any(_lies_in(change.get("not_in", ()), *name) for name in names)
    )


PLACES = frozenset(("in", "only_in", "not_in"))
OF_PERSONS_ALONE = ("only_in", "not_in")
"""Keys of a change that no project's file has: it is about its own project."""


def _real(directory: str) -> str:
    return os.path.realpath(os.path.expanduser(directory))


def _names(project: str) -> tuple[tuple[str, str], ...]:
    """Return a project's directory and the home as they are given, and as they really are.

    INVARIANT: a link is no way into a change, nor out of one: `only_in` has to fit both, `not_in` one of them.
    """
    home = os.path.expanduser("~")
    return (project, home), (os.path.realpath(project), os.path.realpath(home))


def links_asked(overrides: Overrides, project: str) -> tuple[tuple[str, str], ...]:
    """Return the paths that decide where changes hold, each with what it really is; none where all hold everywhere."""
    places = [change for change in overrides.values() if PLACES & change.keys()]
    if not places:
        return ()
    named = [os.path.expanduser(directory) for change in places for directory in change.get("in", ())]
    return tuple((path, os.path.realpath(path)) for path in dict.fromkeys((*_names(project)[0], *named)))


def _lies_in(patterns: Sequence[str], project: str, home: str) -> bool:
    """Tell whether a list of globs fits a directory or one above it, as the matcher `projects` reads them."""
    from rulez_py.policy.facts.disk import slashed
    from rulez_py.policy.matchers.paths import any_path

    project, home = slashed(project), slashed(home)
    if sys.platform in ("darwin", "win32"):
        patterns, project, home = [one.lower() for one in patterns], project.lower(), home.lower()
    return any_path(list(patterns), project, project.rpartition("/")[0] or "/", home)


def concerned(pattern: str, names: Iterable[str]) -> list[str]:
    """Return those of the rules' names that a key of `overrides` is about."""
    return [name for name in names if globs.plain(pattern, name)]


def _overridden(rule: Rule, changes: Mapping[str, Mapping[str, Any]]) -> Rule:
    change = next(
        (changes[pattern] for pattern in reversed(tuple(changes)) if globs.plain(pattern, rule["name"])), None
    )
    return rule if change is None else changed_rule(rule, change)


def changed_rule(rule: Rule, change: Mapping[str, Any]) -> Rule:
    """Return the rule with what a change says of it (`CHANGING`), and the place of the change."""
    changed: Any = {key: change[key] for key in ("files", "mode", "suggestion") if key in change}
    if change.get("action") == LOG:
        changed["mode"] = AUDIT
    elif change.get("action") == CHECKPOINT:
        changed.update(_keeping(rule, change))
    elif "action" in change:
        changed["actions"] = _acting(rule["actions"], change["action"])
    if "except" in change:
        from rulez_py.policy.matchers import matchers_of

        changed["except"] = [*rule["except"], *map(matchers_of, change["except"])]
    if "reason" in change:
        changed["description"] = change["reason"]
        changed["actions"] = _without_reasons(changed.get("actions", rule["actions"]))
    if changed and "by" in change:
        changed["changed_by"] = [*rule.get("changed_by", ()), change["by"]]
    return {**rule, **changed}


def _without_reasons(actions: Actions) -> Actions:
    """Return the same, where what decides gives no reason of its own."""
    plain: Any = {key: True if key in ACTIONS and isinstance(said, str) else said for key, said in actions.items()}
    done: Actions = plain
    return done


def in_mode(rules: Iterable[Rule], mode: str, by: str, *, saying: Iterable[str] = ()) -> tuple[Rule, ...]:
    """Return a file's rules in the mode of its settings, those `saying` their own by name as they are.

    `by` is the place (`path:line`) of the setting.
    """
    if mode == ENFORCE:
        return tuple(rules)
    change, own = {"mode": mode, "by": by}, frozenset(saying)
    return tuple(rule if rule["name"] in own else changed_rule(rule, change) for rule in rules)


def relaxing_by_name(overrides: Overrides) -> Overrides:
    """Return the changes to rules by which rulez protects itself.

    INVARIANT: a glob has none of them only log or warn: who wants to see what a policy would stop does not mean these.
    """
    return {
        key: change
        for key, change in overrides.items()
        if not globs.is_glob(key) or (change.get("action") != LOG and change.get("mode", ENFORCE) == ENFORCE)
    }


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
    """Return the changes with their places, and with what a rule that keeps needs of their file: its bounds.

    `where` has the place (`path:line`) of each key.
    """
    more = bounds_of(settings)
    return {
        key: {**change, "by": where[key], **({"bounds": more} if change.get("action") == CHECKPOINT else {})}
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
