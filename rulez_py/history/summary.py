"""A log in numbers: what was decided when, by which rules, how fast, and which questions were needless."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rulez_py.history.reading import entry_of
from rulez_py.verdict import ASK, PASS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulez_py.history.reading import Entry, Query

HOUR = len("2026-11-23T07")
DAY = len("2026-11-23")
MOST_HOURS = 24
"""Hours beyond which days are counted."""
SLOWEST = 10
MOST_PENDING = 10_000
"""Questions whose answers are waited for; the oldest go first."""
ASKED_OFTEN = 3
"""Questions of a rule from which on it says something that all were approved."""
_AFTER = ("PostToolUse", "PostToolUseFailure")
_AFTER_MARK = b'"PostToolUse'

_WORD, _OR_NULL = rb'"([^"\\]*)"', rb'(?:null|"([^"\\]*)")'
_QUICK = re.compile(
    rb'\{"schema":1,"time":"([^"\\]{13})[^"\\]*","id":"[^"\\]*","verdict":'
    + _WORD
    + rb',"rule":'
    + _OR_NULL
    # what `audit.entry_for` puts first
    + rb',"rule_source":(?:null|"[^"\\]*"),"ms":([0-9]+)[^,]*,"platform":"[^"\\]*","agent_version":(?:null|"[^"\\]*")'
    + rb',"session":"[^"\\]*","tool_use_id":'
    + _OR_NULL
).match


@dataclass
class Question:
    """What became of a rule's questions; only where the agent reports the end of its calls can approval be seen."""

    asked: int = 0
    approved: int = 0


@dataclass
class Summary:
    """What a log says, counted. `hours` has (hour, verdict) -> calls; `slowest` (ms, entry), the slowest first."""

    calls: int = 0
    unreadable: int = 0
    hours: dict[tuple[str, str], int] = field(default_factory=dict)
    rules: dict[tuple[str, str], int] = field(default_factory=dict)
    slowest: list[tuple[float, Entry]] = field(default_factory=list)
    questions: dict[str, Question] = field(default_factory=dict)

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

    def needless(self) -> list[tuple[str, Question]]:
        """The rules whose questions were many and always approved."""
        found = [(rule, one) for rule, one in self.questions.items() if one.asked == one.approved >= ASKED_OFTEN]
        return sorted(found, key=lambda item: (-item[1].asked, item[0]))


def summarised(raw: Iterable[bytes], query: Query) -> Summary:
    """The summary of raw lines. What decides the numbers stands first in a line, so most are not read further."""
    counter = _Counter()
    quick = _QUICK if query.is_everything else None
    counts: dict[tuple[bytes, bytes, bytes | None], int] = {}
    may_fit = query.may_fit()
    slow = 0
    for line in raw:
        found = quick(line) if quick is not None else None
        if found is not None and line.endswith(b"}\n"):
            hour, verdict, rule, ms, own = found.groups()
            key = hour, verdict, rule
            counts[key] = counts.get(key, 0) + 1
            if verdict == b"ask" or int(ms) > slow or (own in counter.asked and _AFTER_MARK in line):
                entry = entry_of(line)
                if entry is not None:
                    slow = counter.look(entry)
            continue
        if may_fit(line) or counter.pending:
            entry = entry_of(line)
            if entry is None:
                counter.summary.unreadable += bool(line.strip())
            elif query.fits(entry):
                counter.count(entry)
            else:
                counter.answer(entry)
    counter.add(counts)
    return counter.summary


class _Counter:
    def __init__(self) -> None:
        self.summary = Summary()
        self.pending: dict[tuple[str, ...], str] = {}
        self.asked: set[bytes | None] = set()
        """The agents' own ids of the calls that were asked about; None for one that has none."""

    def count(self, entry: Entry) -> None:
        self._decided(entry["time"][:HOUR], entry["verdict"], entry["rule"], 1)
        self.look(entry)

    def add(self, counts: dict[tuple[bytes, bytes, bytes | None], int]) -> None:
        for (hour, verdict, rule), count in counts.items():
            self._decided(
                hour.decode("utf-8", "replace"), verdict.decode(), (rule or b"").decode("utf-8", "replace"), count
            )

    def look(self, entry: Entry) -> int:
        """Remember of an entry what is more than a number -> the milliseconds below which none is slow any more."""
        slowest = self.summary.slowest
        if len(slowest) < SLOWEST or entry["ms"] > slowest[-1][0]:
            slowest.append((entry["ms"], entry))
            slowest.sort(key=lambda one: -one[0])
            del slowest[SLOWEST:]
        if entry["verdict"] == ASK and entry["rule"] and not set(_AFTER) & set(entry["event"]):
            self.summary.questions.setdefault(entry["rule"], Question()).asked += 1
            self.pending[_call(entry)] = entry["rule"]
            self.asked.add(entry["tool_use_id"].encode("utf-8", "replace") or None)
            if len(self.pending) > MOST_PENDING:
                del self.pending[next(iter(self.pending))]
        else:
            self.answer(entry)
        return int(slowest[-1][0]) if len(slowest) == SLOWEST else 0

    def answer(self, entry: Entry) -> None:
        """Where an entry is about the end of a call that was asked about, the person had approved it."""
        if self.pending and set(_AFTER) & set(entry["event"]):
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
    """What tells a call from others before and after it: the agent's own id, else session, tool and input."""
    own = entry["tool_use_id"]
    return (entry["session"], own) if own else (entry["session"], entry["tool"], entry["input"])
