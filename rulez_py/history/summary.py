"""A log in numbers: what was decided when, by which rules, how fast, and which questions were needless."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rulez_py.event import AFTER_THE_CALL
from rulez_py.history.reading import Query, enforced_verdict, entry_of, notes_of, would_be
from rulez_py.log.audit import OWN_SESSION, PERSON, as_json
from rulez_py.log.checkpoints import checkpoints_of
from rulez_py.verdict import ASK, PASS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulez_py.history.reading import Entry
    from rulez_py.log.checkpoints import Logged

HOUR = len("2026-11-23T07")
DAY = len("2026-11-23")
MOST_HOURS = 24
"""Hours beyond which days are counted."""
SLOWEST = 10
MOST_PERSON = 100
"""Things that a person did that are kept; the latest."""
MOST_KEPT = 100
"""Checkpoints that are kept in the numbers; the latest."""
MOST_PENDING = 10_000
"""Questions whose answers are waited for; the oldest go first."""
ASKED_OFTEN = 3
"""Questions of a rule from which on it says something that all were approved."""
_AFTER_MARK = b'"PostToolUse'

# What `audit.entry_for` puts first: the pieces of a line between `,"`, which no JSON text holds unescaped.
_FIRST = b'{"schema":1'
_ASK = b'verdict":"ask"'
_OWN = b'tool_use_id":'
_TIME = len('time":"')
_TO_THE_HOUR = _TIME + HOUR
_TRIAL = f'session":"{OWN_SESSION}"'.encode()
_WOULD, _LET_PASS, _KEPT, _PERSON = b'"would":"', b'"let_pass":"', b'"checkpoints":[{', b'platform":"rulez"'
_COUNTED = re.compile(
    rb'time":"([^"\\]{13})\0verdict":"([^"\\]*)"\0rule":(?:null|"([^"\\]*)")',
).fullmatch
_Key = tuple[bytes, bytes, bytes]
"""Of a line the pieces of its hour, verdict and rule."""


@dataclass
class Question:
    """The answers to a rule's questions. Approval is seen only where the agent reports the end of its calls."""

    asked: int = 0
    approved: int = 0


@dataclass
class Summary:
    """Counts of a log. `hours` has (hour, verdict) -> calls; `slowest` (ms, entry), the slowest first.

    `would` has (rule, what it would have decided) -> calls, of rules that only log or warn; `enforced` has verdict ->
    calls that would have been stopped, or stopped more strictly, had these rules enforced; `let_pass` by what a person
    let calls pass -> calls; `person` (time, what they did), the latest last; `kept` has id of a checkpoint -> the
    call and the checkpoint, the latest last.
    """

    calls: int = 0
    unreadable: int = 0
    hours: dict[tuple[str, str], int] = field(default_factory=dict)
    rules: dict[tuple[str, str], int] = field(default_factory=dict)
    slowest: list[tuple[float, Entry]] = field(default_factory=list)
    questions: dict[str, Question] = field(default_factory=dict)
    would: dict[tuple[str, str], int] = field(default_factory=dict)
    enforced: dict[str, int] = field(default_factory=dict)
    let_pass: dict[str, int] = field(default_factory=dict)
    person: list[tuple[str, str]] = field(default_factory=list)
    kept: dict[str, tuple[Entry, Logged]] = field(default_factory=dict)

    @property
    def verdicts(self) -> dict[str, int]:
        """Verdict -> calls."""
        found: dict[str, int] = {}
        for (_hour, verdict), count in self.hours.items():
            found[verdict] = found.get(verdict, 0) + count
        return found

    def over_time(self) -> dict[str, dict[str, int]]:
        """Hour, or day where there are many, -> verdict -> calls, in order of time."""
        width = HOUR if len({hour for hour, _ in self.hours}) <= MOST_HOURS else DAY
        found: dict[str, dict[str, int]] = {}
        for (hour, verdict), count in sorted(self.hours.items()):
            counts = found.setdefault(hour[:width], {})
            counts[verdict] = counts.get(verdict, 0) + count
        return found

    def top_rules(self, number: int) -> list[tuple[str, str, int]]:
        """(rule, verdict, calls) of the rules that decided most."""
        order = sorted(self.rules.items(), key=lambda item: (-item[1], item[0]))
        return [(rule, verdict, count) for (rule, verdict), count in order[:number]]

    def top_would(self) -> list[tuple[str, str, int]]:
        """(rule, what it would have decided, calls) of the rules that only log or warn."""
        order = sorted(self.would.items(), key=lambda item: (-item[1], item[0]))
        return [(rule, would, count) for (rule, would), count in order]

    def needless(self) -> list[tuple[str, Question]]:
        """Return the rules whose questions were many and always approved."""
        found = [(rule, one) for rule, one in self.questions.items() if one.asked == one.approved >= ASKED_OFTEN]
        return sorted(found, key=lambda item: (-item[1].asked, item[0]))


def summarised(raw: Iterable[bytes], query: Query) -> Summary:
    """Return the summary of raw lines.

    A line begins with the fields that decide the numbers, so most lines are not read further.
    """
    counter = _Counter()
    if replace(query, since="") == Query():
        raw = _not_plain(raw, counter, query.since.encode())
    may_fit = query.may_fit()
    for line in raw:
        if may_fit(line) or counter.pending:
            entry = entry_of(line)
            if entry is None:
                counter.summary.unreadable += bool(line.strip())
            elif query.fits(entry):
                counter.count(entry)
            else:
                counter.answer(entry)
    counter.add_plain()
    return counter.summary


def _not_plain(raw: Iterable[bytes], counter: _Counter, since: bytes) -> Iterator[bytes]:
    """Yield the lines that have something to remember, or are not as the hook writes them.

    The others are counted by the way, without looking at most of what they hold.
    """
    plain, asked, slow = counter.plain, counter.asked, counter.slow
    for line in raw:
        try:
            first, when, _, verdict, rule, _, ms, platform, _, session, own, rest = line.split(b',"', 11)
            odd = float(ms[4:]) > slow or verdict == _ASK or first != _FIRST or session == _TRIAL
            odd = odd or _WOULD in rest or _LET_PASS in rest or _KEPT in rest or platform == _PERSON
        except ValueError:
            odd = True
        if odd or (own in asked and _AFTER_MARK in rest) or not line.endswith(b"}\n"):
            yield line
            slow = counter.slow
            continue
        if since and when[_TIME:] < since:
            if counter.pending:
                yield line
            continue
        key = when[:_TO_THE_HOUR], verdict, rule
        if key in plain:
            plain[key] += 1
        elif _COUNTED(b"\0".join(key)):
            plain[key] = 1
        else:
            yield line


class _Counter:
    def __init__(self) -> None:
        self.summary = Summary()
        self.pending: dict[tuple[str, ...], str] = {}
        self.asked: set[bytes] = set()
        """Of the lines of calls that were asked about the pieces with the agents' own ids."""
        self.slow = -1.0
        """The milliseconds that a call has to take longer than, to be among the slowest."""
        self.plain: dict[_Key, int] = {}

    def count(self, entry: Entry) -> None:
        self._decided(entry["time"][:HOUR], entry["verdict"], entry["rule"], 1)
        self.look(entry)

    def add_plain(self) -> None:
        """Count the lines that were only put on a heap."""
        for key, count in self.plain.items():
            found = _COUNTED(b"\0".join(key))
            if found is not None:
                hour, verdict, rule = ((one or b"").decode("utf-8", "replace") for one in found.groups())
                self._decided(hour, verdict, rule, count)

    def look(self, entry: Entry) -> None:
        """Remember of an entry what is more than a number."""
        self._exceptions(entry)
        slowest = self.summary.slowest
        if len(slowest) < SLOWEST or entry["ms"] > slowest[-1][0]:
            slowest.append((entry["ms"], entry))
            slowest.sort(key=lambda one: -one[0])
            del slowest[SLOWEST:]
            self.slow = slowest[-1][0] if len(slowest) == SLOWEST else -1.0
        if entry["verdict"] == ASK and entry["rule"] and not set(AFTER_THE_CALL) & set(entry["event"]):
            self.summary.questions.setdefault(entry["rule"], Question()).asked += 1
            self.pending[_call(entry)] = entry["rule"]
            self.asked.add(_OWN + as_json(entry["tool_use_id"] or None).encode("utf-8", "replace"))
            if len(self.pending) > MOST_PENDING:
                del self.pending[next(iter(self.pending))]
        else:
            self.answer(entry)

    def _exceptions(self, entry: Entry) -> None:
        """Count what rules would have decided, what passed by a person's word, and what was kept."""
        found = self.summary
        for key in would_be(entry):
            found.would[key] = found.would.get(key, 0) + 1
        if stricter := enforced_verdict(entry):
            found.enforced[stricter] = found.enforced.get(stricter, 0) + 1
        if entry["let_pass"]:
            found.let_pass[entry["let_pass"]] = found.let_pass.get(entry["let_pass"], 0) + 1
        for one in checkpoints_of(entry):
            found.kept.setdefault(one.id, (entry, one))
            if len(found.kept) > MOST_KEPT:
                del found.kept[next(iter(found.kept))]
        if entry["platform"] == PERSON:
            found.person += [(entry["time"], note) for note in notes_of(entry)]
            del found.person[:-MOST_PERSON]

    def answer(self, entry: Entry) -> None:
        """Count an entry about the end of a call that was asked about: the person had approved it."""
        if self.pending and set(AFTER_THE_CALL) & set(entry["event"]):
            rule = self.pending.pop(_call(entry), "")
            if rule:
                self.summary.questions[rule].approved += 1

    def _decided(self, hour: str, verdict: str, rule: str, count: int) -> None:
        verdict, summary = verdict or PASS, self.summary
        summary.calls += count
        summary.hours[hour, verdict] = summary.hours.get((hour, verdict), 0) + count
        if rule:
            summary.rules[rule, verdict] = summary.rules.get((rule, verdict), 0) + count


def _call(entry: Entry) -> tuple[str, ...]:
    """Return what tells a call from others before and after it: the agent's own id, else session, tool and input."""
    own = entry["tool_use_id"]
    return (entry["session"], own) if own else (entry["session"], entry["tool"], entry["input"])
