"""What a session has remembered: the conditions that rules make of it, and what they have it remember and forget.

INVARIANT: no file's rules meet what another file's require: a key is that of a file in its layer. Where the memory
cannot be read, a rule that objects does, and one that approves does not.
"""

from __future__ import annotations

from rulez_py.event import Event
from rulez_py.platforms.results import SUCCESS, result
from rulez_py.policy.judging.matching import looked_at, looks_at_parts, matches, matches_certainly, narrowed
from rulez_py.system.effects import Changes, Counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.model.rule import Rule
    from rulez_py.system.effects import Memory, Remembered, Session

UNREADABLE = "what this session has done cannot be read: see `rulez session show`"
_ANY = "any"
_AFTER = frozenset(("PostToolUse", "PostToolUseFailure"))
_BEFORE = frozenset(("PreToolUse", "PermissionRequest", "PermissionDenied"))
_HOST, _TOOL = "host", "tool"
_PERIODS = {3600.0: "in an hour", 86400.0: "in a day"}


def holds(rule: Rule, facts: Facts, *, strict: bool = False) -> bool:
    """Tell whether a rule holds by what is remembered: all that it is about is, and not all that it requires.

    Strictly, a memory that cannot be read is no reason for it.
    """
    if "remembered" not in rule and "requires" not in rule:
        return True
    memory = facts.memory
    if memory is None:
        return not strict
    if any(found(rule, key, memory) is None for key in rule.get("remembered", ())):
        return False
    return "requires" not in rule or any(found(rule, key, memory) is None for key in rule["requires"])


def found(rule: Rule, key: str, memory: Memory) -> Remembered | None:
    """Return since when a key of a rule's file is remembered; None where it is not."""
    return memory.keys.get(_scoped(rule, key)) or memory.keys.get(key)


def missing(rule: Rule, facts: Facts) -> str:
    """Return what a rule requires that is not remembered, and how it comes to be; "" for nothing."""
    if "requires" not in rule:
        return ""
    memory = facts.memory
    if memory is None:
        return UNREADABLE
    lacking = ((key, by) for key, by in rule["requires"].items() if found(rule, key, memory) is None)
    return "; ".join(f"it requires {key}, which {f'rule {by} remembers' if by else 'nothing'}" for key, by in lacking)


# How many calls.


def objection(rule: Rule, facts: Facts, *, counting: bool) -> str:
    """Return why a call is more than a rule lets pass, "" for one that is not, and that counts from now on.

    Unless it is `counting`, nothing is counted.
    """
    counters = tuple(_counters(rule, facts))
    if not counters:
        return ""
    session, call = facts.session, facts.event.call_id
    if counting:
        counted = facts.effects.count(session, counters, call)
    else:
        counted = _has_room(facts.memory, counters, call, facts)
    if counted is None:
        return UNREADABLE
    bound = rule["at_most"]
    return "" if counted else f"it is more than {bound['times']} {_PERIODS.get(bound['seconds'], 'in this session')}"


def _has_room(memory: Memory | None, counters: Iterable[Counter], call: str, facts: Facts) -> bool | None:
    if memory is None:
        return None
    return facts.effects.has_room(memory, tuple(counters), call)


def _counters(rule: Rule, facts: Facts) -> Iterator[Counter]:
    bound = rule["at_most"]
    names = ("",)
    if bound["of"] == _TOOL:
        names = (facts.event.tool_name or "",)
    elif bound["of"] == _HOST:
        names = tuple(dict.fromkeys(narrowed(facts, rule["match"]).hosts)) or facts.hosts
    for name in names:
        yield Counter(name=_scoped(rule, f"{rule['name']}\0{name}"), most=bound["times"], seconds=bound["seconds"])


# What is remembered and forgotten.


def note(rules: Iterable[Rule], matched: Mapping[str, Facts], look: Look, *, denied: bool) -> tuple[str, ...]:
    """Have the session remember and forget what rules say of an event; return notes of what that failed of.

    `matched` has the facts by which rules match, each by the place of the rule; `look` gives the facts as a rule looks
    at them. What an event has forgotten, the same event does not have remembered.
    """
    changes: dict[Session, Changes] = {}
    for rule in rules:
        wanted = rule["actions"].get("remember")
        if wanted is None:
            continue
        facts = look(rule)
        key = _scoped(rule, wanted["key"])
        before = changes.get(facts.session, Changes())
        if any(matches(one, looked_at(one, facts)) for one in wanted["until"]):
            before = before.replace(forgotten=(*before.forgotten, key))
        elif not denied and rule["source"] in matched and _is_meant(rule, matched[rule["source"]]):
            before = before.replace(remembered={**before.remembered, key: wanted["seconds"]})
        changes[facts.session] = before
    return tuple(filter(None, (_changed(session, change, look) for session, change in changes.items())))
