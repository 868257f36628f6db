"""Read the log: its files in order of time, and the lines in them that a query wants.

INVARIANT: no line, whatever bytes it has, keeps the others from being read. Lines from before `schema` have the same
form as the others here: a verdict is always a word.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulez_py.log.audit import DENIED_NAME, FILE_NAME, KEPT, OWN_SESSION
from rulez_py.log.checkpoints import checkpoints_of
from rulez_py.system import jsontext
from rulez_py.verdict import ASK, DENY, NO_OPINION, PASS, STRICTNESS

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping

    Entry = dict[str, Any]

_loads = jsontext.orjson().loads
"""A log is many small texts, and what a hook call saves by the standard library's own reader each of them costs."""
_BUFFER = 1 << 20
_REPORTED = 8 << 20
"""Bytes between two reports of progress: drawing a bar costs more than reading a line."""
_AT_ONCE = 1 << 18
"""Bytes of lines that are held at once: few enough to stay in the processor's cache."""
_PAUSE = 0.2
"""Seconds between two looks at a file that is followed."""
_TEXTS = ("time", "id", "rule", "rule_source", "platform", "session", "tool_use_id", "tool", "input", "reason", "cwd")
_NULLABLE = ("rule", "rule_source", "tool_use_id", "tool", "cwd", "let_pass")
_STOPPING = frozenset((DENY, ASK))
CHECKPOINT = "checkpoint"
"""Among the verdicts of a query: calls that have a checkpoint."""


@dataclass(frozen=True)
class Query:
    """A query: an entry fits where every field that is given fits.

    `since` is the beginning of an ISO time in UTC; a set holds the values that one field may have. Calls by which
    `rulez doctor` has tried a hook are no agent's: they are asked for only by their session. `CHECKPOINT` among the
    verdicts are calls that have a checkpoint, whatever their own.
    """

    since: str = ""
    platforms: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()
    verdicts: frozenset[str] = frozenset()
    rules: frozenset[str] = frozenset()
    sessions: frozenset[str] = frozenset()

    def fits(self, entry: Entry) -> bool:
        """Tell whether an entry is asked for. A rule may be the one that decided or another that matched."""
        return (
            (entry["session"] != OWN_SESSION or OWN_SESSION in self.sessions)
            and (not self.since or entry["time"] >= self.since)
            and (not self.platforms or entry["platform"] in self.platforms)
            and (not self.tools or not self.tools.isdisjoint((entry["tool"], entry.get("platform_tool"))))
            and (not self.verdicts or self._has_verdict(entry))
            and (not self.sessions or entry["session"] in self.sessions)
            and (not self.rules or not self.rules.isdisjoint(rules_of(entry)))
        )

    def _has_verdict(self, entry: Entry) -> bool:
        verdicts = self.verdicts
        return entry["verdict"] in verdicts or (CHECKPOINT in verdicts and bool(checkpoints_of(entry)))

    def may_fit(self) -> Callable[[bytes], bool]:
        """Return a test of raw lines that is cheap and lets through at least what fits."""
        sets = [self.platforms, self.tools, self.rules, self.sessions]
        if self.verdicts and self.verdicts.isdisjoint((PASS, CHECKPOINT)):  # older lines do not spell it out
            sets.append(self.verdicts)
        # Any other text may be written there with escapes.
        needles = [
            [f'"{word}"'.encode() for word in words]
            for words in sets
            if words and all(word.isascii() and word.isprintable() and not set('"\\/') & set(word) for word in words)
        ]
        if len(needles) == 1 and len(needles[0]) == 1:
            (needle,) = needles[0]
            return lambda line: needle in line
        return lambda line: all(any(needle in line for needle in words) for words in needles)


def rules_of(entry: Entry) -> set[str]:
    """Return the rules that matched."""
    hits = entry.get("rules")
    names = [hit.get("rule") for hit in hits if isinstance(hit, dict)] if isinstance(hits, list) else []
    return {name for name in (entry["rule"], *names) if isinstance(name, str) and name}


def would_be(entry: Entry) -> list[tuple[str, str]]:
    """(rule, what it would have decided) of the rules that only logged or warned: deny, ask, unknown."""
    hits = entry.get("rules")
    found = [hit for hit in hits if isinstance(hit, dict)] if isinstance(hits, list) else []
    said = [(hit.get("rule"), hit.get("would")) for hit in found]
    return [(rule, would) for rule, would in said if isinstance(rule, str) and isinstance(would, str) and would]


def enforced(decision: str, would: Iterable[str]) -> str:
    """Return the decision on a call if rules enforced that only log or warn; `would` is what each would decide."""
    return max((decision, *(one for one in would if one in STRICTNESS)), key=STRICTNESS.__getitem__)


def stopped_more(calls: Mapping[str, int]) -> str:
    """Return the calls that such rules would stop, by decision, in words; "" for none."""
    said = [f"{calls[word]} {does}" for word, does in ((DENY, "denied"), (ASK, "asked about")) if calls.get(word)]
    return f"If they enforced, more calls would be stopped: {', '.join(said)}" if said else ""


def enforced_verdict(entry: Entry) -> str:
    """Return the verdict had rules enforced that only logged or warned, "" where it would have been the same."""
    decision = NO_OPINION if entry["verdict"] in (PASS, "") else str(entry["verdict"])
    if decision not in STRICTNESS:
        return ""
    would = enforced(decision, (said for _rule, said in would_be(entry)))
    return "" if would == decision else would


def notes_of(entry: Entry) -> list[str]:
    """Return what the log notes besides."""
    notes = entry.get("notes")
    return [note for note in notes if isinstance(note, str)] if isinstance(notes, list) else []


def log_files(state: str, query: Query) -> list[str]:
    """Return the files of the log that answer a query, oldest first.

    What was stopped is in a log of its own, for longer.
    """
    only_stopped = bool(query.verdicts) and query.verdicts <= {*_STOPPING, CHECKPOINT}
    newest = os.path.join(state, DENIED_NAME if only_stopped else FILE_NAME)
    paths = [f"{newest}.{number}" for number in range(KEPT, 0, -1)] + [newest]
    return [path for path in paths if os.path.isfile(path)]


def lines(paths: Iterable[str], progress: Callable[[int], None] | None = None) -> Iterator[bytes]:
    """Yield the lines of files, one after the other; `progress` is called with the bytes that have been read.

    Raises OSError. A file that has gone meanwhile (the log was rotated) has no lines.
    """
    for path in paths:
        try:
            file = open(path, "rb", buffering=_BUFFER)  # noqa: SIM115
        except FileNotFoundError:
            continue
        told = 0
        with file:
            while several := file.readlines(_AT_ONCE):
                yield from several
                if progress is not None and (now := file.tell()) - told >= _REPORTED:
                    progress(now - told)
                    told = now
            if progress is not None:
                progress(file.tell() - told)


def entries(raw: Iterable[bytes], query: Query) -> Iterator[Entry]:
    """Of raw lines the entries that are asked for, in order."""
    may_fit = query.may_fit()
    for line in raw:
        if may_fit(line):
            entry = entry_of(line)
            if entry is not None and query.fits(entry):
                yield entry


def entry_of(line: bytes) -> Entry | None:
    """Return the entry that a line holds; None where it holds none: it was torn, or something else wrote it."""
    try:
        entry = _loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict) or not isinstance(entry.get("time"), str) or "verdict" not in entry:
        return None
    for name in _TEXTS:
        value = entry.get(name)
        entry[name] = value if isinstance(value, str) else ""
    let_pass = entry.get("let_pass")
    entry["let_pass"] = let_pass if isinstance(let_pass, str) else ""
    verdict = entry["verdict"]
    entry["verdict"] = verdict if isinstance(verdict, str) and verdict else PASS
    ms = entry.get("ms")
    entry["ms"] = float(ms) if isinstance(ms, (int, float)) and not isinstance(ms, bool) else 0.0
    kinds = entry.get("event")
    entry["event"] = [kind for kind in kinds if isinstance(kind, str)] if isinstance(kinds, list) else []
    return entry


def as_logged(entry: Entry) -> Entry:
    """Return an entry with null where its line has null."""
    return {**entry, **{name: entry[name] or None for name in _NULLABLE}}


def last_stopped(state: str, number: int, *, or_kept: bool = False) -> Entry | None:
    """Return the call that was stopped last, for 1, or the one so many before it; None where there is none.

    With `or_kept` calls that went through with a checkpoint count as well. Raises OSError.
    """
    query = Query(verdicts=_STOPPING | {CHECKPOINT} if or_kept else _STOPPING)
    found = last_entries(log_files(state, query), query, number)
    return found[0] if len(found) == number else None


def by_id(state: str, wanted: str) -> Entry | None:
    """Return the call whose line has an id, or the only one whose id begins so. Raises OSError."""
    needle = f'"{wanted}'.encode("utf-8", "replace")
    of_lines = (entry_of(line) for line in lines(log_files(state, Query())) if needle in line)
    found = {entry["id"]: entry for entry in of_lines if entry is not None and entry["id"].startswith(wanted)}
    return found.get(wanted) or (next(iter(found.values())) if len(found) == 1 else None)


def last_entries(paths: list[str], query: Query, number: int) -> list[Entry]:
    """Return the last so many entries that are asked for, in order; no more is read than they take."""
    found: list[Entry] = []
    may_fit = query.may_fit()
    for path in reversed(paths):
        for line in _lines_backwards(path):
            entry = entry_of(line) if may_fit(line) else None
            if entry is None:
                continue
            if query.since and entry["time"] < query.since:
                return found[::-1]
            if query.fits(entry):
                found.append(entry)
                if len(found) >= number:
                    return found[::-1]
    return found[::-1]


def _lines_backwards(path: str) -> Iterator[bytes]:
    """Yield the lines of a file, the last one first. Raises OSError, but not where the file has gone."""
    try:
        file = open(path, "rb")  # noqa: SIM115
    except FileNotFoundError:
        return
    with file:
        at = file.seek(0, os.SEEK_END)
        rest: list[bytes] = []  # of the line whose beginning is still to come, last piece first
        while at:
            start = max(0, at - _BUFFER)
            file.seek(start)
            first, *whole = file.read(at - start).split(b"\n")
            at = start
            if not whole:
                rest.append(first)
                continue
            yield b"".join((whole.pop(), *reversed(rest)))
            yield from reversed(whole)
            rest = [first]
        yield b"".join(reversed(rest))


def follow(path: str, wait: Callable[[float], None] = time.sleep) -> Generator[bytes]:
    """Lines that are written to a log from now on, also when it is rotated meanwhile; never ends. Raises OSError."""
    file = _opened(path)
    newer = None
    if file is not None:
        file.seek(0, os.SEEK_END)
    rest = b""
    try:
        while True:
            data = file.read(_BUFFER) if file is not None else b""
            *whole, rest = (rest + data).split(b"\n")
            yield from whole
            if data:
                continue
            if file is None or newer is not None:
                if file is not None:
                    file.close()
                # Begun before the old one was read for the last time: who writes later, writes there.
                file, newer, rest = newer or _opened(path), None, b""
                if file is not None:
                    continue
            elif not _is_there(path, file.fileno()) and (newer := _opened(path)) is not None:
                continue
            wait(_PAUSE)
    finally:
        for one in (file, newer):
            if one is not None:
                one.close()


def _opened(path: str) -> Any:
    try:
        return open(path, "rb", buffering=0)
    except FileNotFoundError:
        return None


def _is_there(path: str, descriptor: int) -> bool:
    """Tell whether a path still leads to the file that is open."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False
