"""What a session has remembered: the conditions that rules make of it, and what they have it remember and forget.

INVARIANT: no file's rules meet what another file's require: a key is that of a file in its layer. Where the memory
cannot be read, a rule that objects does, and one that approves does not.
"""

from __future__ import annotations

from rulez_py.policy.judging.matching import looked_at, looks_at_parts, matches, matches_certainly, narrowed
from rulez_py.system.effects import PERIODS, Counter, MemoryChanges

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.model.rule import Match, Rule
    from rulez_py.system.effects import Memory, Remembered, Session

    Matched = Sequence[tuple[Rule, Facts]]

UNREADABLE = "what this session has done cannot be read: see `rulez session show`"
_ANY = "any"
_BEFORE = frozenset(("PreToolUse", "PermissionRequest", "PermissionDenied"))
_HOST, _TOOL = "host", "tool"


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
    """Return what a rule requires that is not remembered, and which rules remember it; "" for nothing."""
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
    counted = facts.effects.count(facts.session, counters, facts.event.call_id, using=counting)
    if counted is None:
        return UNREADABLE
    if counted:
        return ""
    bound = rule["at_most"]
    period = next(words for seconds, words in PERIODS.values() if seconds == bound["seconds"])
    return f"it is more than {bound['times']} {period}"


def _counters(rule: Rule, facts: Facts) -> Iterator[Counter]:
    bound = rule["at_most"]
    names: tuple[str, ...] = ("",)
    if bound["of"] == _TOOL:
        names = (facts.event.tool_name or "",)
    elif bound["of"] == _HOST:
        names = tuple(dict.fromkeys(narrowed(facts, rule["match"]).hosts)) or facts.hosts
    for name in names:
        yield Counter(name=_scoped(rule, f"{rule['name']}\0{name}"), most=bound["times"], seconds=bound["seconds"])


# What is remembered and forgotten.


def note(rules: Iterable[Rule], matched: Matched, look: Callable[[Rule], Facts], *, denied: bool) -> tuple[str, ...]:
    """Have the session remember and forget what rules say of an event; return why that failed where it did.

    `matched` are the rules that match and the facts by which they do; `look` gives the facts as a rule looks at them.
    What an event has forgotten, the same event does not have remembered.
    """
    wanted = [(rule, look(rule)) for rule in rules if "remember" in rule["actions"]]
    by_session: dict[Session, list[tuple[Rule, Facts]]] = {}
    for rule, facts in wanted:
        by_session.setdefault(facts.session, []).append((rule, facts))
    return tuple(why for each in by_session.values() if (why := _noted(each, matched, denied=denied)))


def _noted(wanted: list[tuple[Rule, Facts]], matched: Matched, *, denied: bool) -> str:
    forgotten: list[str] = []
    remembered: dict[str, float] = {}
    for rule, facts in wanted:
        said = rule["actions"]["remember"]
        key = _scoped(rule, said["key"])
        if any(matches(one, looked_at(one, facts)) for one in said["until"]):
            forgotten.append(key)
        elif not denied and any(one is rule and _is_meant(rule, by) for one, by in matched):
            remembered[key] = said["seconds"]
    if not forgotten and not remembered:
        return ""
    remembered = {key: lasts for key, lasts in remembered.items() if key not in forgotten}
    _, facts = wanted[0]
    why = facts.effects.change(facts.session, MemoryChanges(forgotten=tuple(forgotten), remembered=remembered))
    return f"what rules remember of this session could not be written: {why}" if why else ""


def _is_meant(rule: Rule, facts: Facts) -> bool:
    """Tell whether a rule that matches has something remembered: before a call only where it says so."""
    event, wanted = facts.event, rule["actions"]["remember"]["result"]
    if not event.is_after_the_call:
        return "operations" in rule["match"] or not _BEFORE & set(event.types)
    if wanted == _ANY:
        return True
    from rulez_py.platforms.results import SUCCESS, result

    if result(event, is_command=bool(facts.lines)) != wanted:
        return False
    return wanted != SUCCESS or _has_succeeded(rule["match"], facts)


def _has_succeeded(match: Match, facts: Facts) -> bool:
    """Tell whether what a rule is about has succeeded where its call has.

    INVARIANT: a line's result is that of the command only where nothing but `&&` joins its commands, and the command
    is typed, or run by one of a few programs that end as it does.
    """
    if not looks_at_parts(match):
        return matches(match, facts, strict=True)
    typed = facts.as_typed
    if not matches_certainly(match, typed):
        return False
    if not facts.lines:
        return True
    line = _without_quoted(facts.lines[0])
    if len(facts.lines) != 1 or not _JOINS.isdisjoint(_without_joins(line)):
        return False
    by = [part.command for part in narrowed(typed, match).parts if part.command is not None]
    return "!" not in line.split() and any(_ends_as(one.via, line) for one in by)


_JOINS = frozenset(";|&\n()`")
_PASSING = frozenset(("command", "env", "nice", "sudo", "time", "timeout"))
"""Programs that run another and end as it does."""


def _without_quoted(line: str) -> str:
    """Return a line with a letter for each text in quotes; the line as it is where it may be that quotes are none.

    So it is over several lines (comments, here-documents), and with what a shell looks for inside of quotes.
    """
    if "\n" in line or "\\" in line or "$'" in line:
        return line
    kept, rest = "", line
    while quote := next((letter for letter in rest if letter in "'\""), ""):
        before, _, rest = rest.partition(quote)
        text, end, rest = rest.partition(quote)
        if not end or (quote == '"' and not _EXPANDING.isdisjoint(text)):
            return line
        kept += f"{before}q"
    return kept + rest


_EXPANDING = frozenset("$`")


def _without_joins(line: str) -> str:
    return line.replace("&&", " ").replace("2>&1", " ")


def _ends_as(via: Iterable[str], line: str) -> bool:
    if not tuple(via):
        return True
    firsts = (part.split()[:1] for part in line.split("&&"))
    return set(via) == {"wrapper"} and any(first and first[0] in _PASSING for first in firsts)


def _scoped(rule: Rule, key: str) -> str:
    """Return a key as the memory has it: that of the file, in its layer, which the rule is from."""
    return f"{rule['layer']} {rule['source'].rpartition(':')[0]}\0{key}"
