"""The floor: the essentials, which hold in every project on every call, and whose word changes which of them.

A managed or a user file switches all of them off (`settings: {essentials: false}`), or takes out and changes single
ones (`disable`, `overrides`). A project's file does so once a person has trusted it, one by one and by their names.

INVARIANT: no file takes the place of the floor by being there.
"""

from __future__ import annotations

from rulez_py.analysis import Value
from rulez_py.policy import packs
from rulez_py.policy.format.overrides import AUDIT, CHECKPOINT, LOG, WARN, changed_rule, changes_here, may_keep
from rulez_py.policy.model import layers
from rulez_py.policy.model.layers import MANAGED, PROJECT, USER
from rulez_py.policy.store.file import first_to_say
from rulez_py.verdict import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from rulez_py.policy.format.overrides import Overrides
    from rulez_py.policy.model.rule import Rule
    from rulez_py.policy.store.file import PolicyFile

    Change = Mapping[str, Any]
    """One value of `overrides`; of a rule that is disabled its action is OFF."""

NAME = packs.PREFIX + packs.DEFAULT
OFF, EXCEPTED, UNREAD = "off", "excepted", "unread"
"""The change to a rule: disabled, one more exception, not in files that a call runs (`layers.OFF`), or else the action
that it has instead (`overrides.ACTIONS`); WARN where it only warns."""
_STRICTNESS = (OFF, LOG, WARN, CHECKPOINT, "ask", "block")
_OF_THE_LAYER = frozenset(("layer", "root", "changed_by"))


class Changed(Value):
    """One rule of the floor that a file changes: what it did, what it does now (`OFF`, `EXCEPTED`, `UNREAD`, `WARN` or
    an action), and which file."""

    rule: str
    did: str
    does: str
    by: str

    @property
    def weaker(self) -> bool:
        """True if the rule stops less than before."""
        return self.does in (EXCEPTED, UNREAD) or _STRICTNESS.index(self.does) < _STRICTNESS.index(self.did)


class Floor(Value):
    """The floor that holds here: its rules, the changes of it, and where it is switched off ("" where it is not).

    `unsaid` are the files that count and say nothing of it (`says_nothing`): how each is shown, and its layer.
    `replaced` says that a file given on the command line is the whole policy.
    """

    rules: tuple[Rule, ...] = ()
    changed: tuple[Changed, ...] = ()
    unsaid: tuple[tuple[str, str], ...] = ()
    off_by: str = ""
    replaced: bool = False

    @property
    def holds(self) -> bool:
        """True if it is in force."""
        return not self.off_by and not self.replaced


def floor(essentials: Iterable[Rule], files: Sequence[PolicyFile], project: str) -> Floor:
    """Return the floor as these files have it in the project with this root."""
    off_by = _off_by(files)
    if off_by:
        return Floor(off_by=off_by)
    deciding = _deciding(files)
    words = [(file, changes) for file in deciding if (changes := _said(file.disable, file.overrides or {}, project))]
    rules: list[Rule] = []
    changed: list[Changed] = []
    for rule in essentials:
        by, change = _word(rule["name"], words)
        does = _does(change, rule)
        if does != _action(rule):
            changed.append(Changed(rule=rule["name"], did=_action(rule), does=does, by=by))
        if does != OFF:
            rules.append(changed_rule(rule, change))
    unsaid = tuple((file.shown, file.source.layer) for file in deciding if file.says_nothing_of_floor)
    return Floor(rules=tuple(rules), changed=tuple(changed), unsaid=unsaid)


def changes_of(data: Mapping[str, Any], essentials: Iterable[Rule], project: str, *, shown: str) -> tuple[Changed, ...]:
    """Return what a project's file with this content changes of the floor, were it trusted."""
    words = _said(data.get("disable") or (), data.get("overrides") or {}, project)
    return tuple(
        Changed(rule=rule["name"], did=_action(rule), does=does, by=shown)
        for rule in essentials
        if (does := _does(words.get(rule["name"], {}), rule)) != _action(rule)
    )


def says_nothing(data: Mapping[str, Any]) -> bool:
    """Tell whether a file has rules or sets of its own and no word about the essentials.

    Earlier versions let such a file take their place.
    """
    if "rules" not in data and "extends" not in data:
        return False
    if "essentials" in (data.get("settings") or {}):
        return False
    names = (*packs.floor_names(), *packs.RENAMED)
    if any(name in names for name in (*(data.get("disable") or ()), *(data.get("overrides") or {}))):
        return False
    return packs.DEFAULT not in packs.reach(data.get("extends") or ())


def notices(below: Floor) -> tuple[str, ...]:
    """Return the message about files that do not mention the essentials: that they hold beside them, what to
    write.
    """
    return tuple(f"{they_hold(shown)}: {what_to_write(layer)}" for shown, layer in below.unsaid)


def they_hold(shown: str) -> str:
    """That the essentials hold beside this file."""
    return f"{NAME} holds beside {shown}, which in earlier versions took its place"


def what_to_write(layer: str) -> str:
    """Return how a file says that it knows, or wants it otherwise."""
    otherwise = "take out single rules with `disable: [NAME]`"
    if layer != PROJECT:
        otherwise += ", or all of them with `settings: {essentials: false}`"
    return f"write `extends: [{NAME}]` to leave it so, or {otherwise}"


_DOES = {
    OFF: "is taken out",
    EXCEPTED: "has one more exception",
    UNREAD: "does not count in files that a call runs",
    LOG: "only logs",
    WARN: "only warns",
    CHECKPOINT: "keeps what is lost",
    "ask": "asks",
    "block": "denies",
}


def in_words(below: Floor) -> str:
    """Return how the essentials hold, for people: by whose word not, and which of them are changed."""
    if below.replaced:
        return f"{NAME} does not hold beside a file that is given"
    if below.off_by:
        return f"{NAME} is switched off by {below.off_by} (essentials: false)"
    changed = "".join(f"; {one.rule} {_DOES[one.does]} by {one.by}" for one in below.changed)
    return f"{NAME} (built-in): {counted(len(below.rules), 'rule')}{changed}"


def as_json(below: Floor) -> dict[str, Any]:
    """Return the same for programs."""
    return {
        "holds": below.holds,
        "off_by": below.off_by,
        "rules": len(below.rules),
        "changed": [one.as_dict() for one in below.changed],
    }


def would_be(one: Changed) -> str:
    """Return what a file that is not trusted yet would change, for who is asked."""
    return f"{one.rule}: {_DOES[one.does]} (today it {_DOES[one.did]})"


def held_elsewhere(rule: Rule, others: Iterable[Rule], project: str) -> bool:
    """Tell whether a file that extends the essentials holds the same rule, so that it need not be asked twice.

    A project's file counts where it is in the project's own root, from which its globs are read.
    """
    return any(
        other["source"] == rule["source"]
        and (other["layer"] != PROJECT or other["root"] == project)
        and all(other.get(key) == rule.get(key) for key in (rule.keys() | other.keys()) - _OF_THE_LAYER)
        for other in others
    )


# Whose word counts.


def _off_by(files: Sequence[PolicyFile]) -> str:
    """Return where the floor is switched off: by the managed file, or by the user's where that one is silent."""
    said = first_to_say(files, "essentials")
    return said.essentials_at if said is not None and said.essentials is False else ""


def _deciding(files: Sequence[PolicyFile]) -> list[PolicyFile]:
    """Return the files whose word counts, the first of them first.

    INVARIANT: what came with a repository has none before a person has trusted it as it is now, nor has a file above
    the repository.
    """
    persons = [file for layer in (MANAGED, USER) for file in files if file.source.layer == layer and not file.ignored]
    projects = [
        file
        for file in files
        if file.source.layer == PROJECT and file.source.trusted and not file.above and not file.ignored
    ]
    return [*persons, *projects]


def _said(disable: Iterable[str], overrides: Overrides, project: str) -> dict[str, Change]:
    """Name or glob -> what a file changes of the rules."""
    return {**changes_here(overrides, project), **{name: {"action": OFF} for name in disable}}


def _word(name: str, words: Sequence[tuple[PolicyFile, Mapping[str, Change]]]) -> tuple[str, Change]:
    """Return the first file that has a word about a rule, and the word; a project's file says names alone."""
    from rulez_py.policy.patterns import globs

    for file, changes in words:
        exact = file.source.layer == PROJECT
        fitting = [change for key, change in changes.items() if key == name or (not exact and globs.plain(key, name))]
        if fitting:
            return file.shown, fitting[-1]
    return "", {}


def _does(change: Change, rule: Rule) -> str:
    """Return what a rule does by a change."""
    action: str = change.get("action", _action(rule))
    action = {AUDIT: LOG, WARN: WARN}.get(change.get("mode", ""), action)
    if action == CHECKPOINT and not may_keep(rule):
        action = _action(rule)
    if _STRICTNESS.index(action) < _STRICTNESS.index("ask"):
        return action
    return EXCEPTED if "except" in change else UNREAD if change.get("files") == layers.OFF else action


def _action(rule: Rule) -> str:
    """Return the action of a rule without changes."""
    return next((action for action in (CHECKPOINT, "block", "ask") if action in rule["actions"]), LOG)
