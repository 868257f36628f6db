"""Compiled rules as bytes, so arranged that a hook reads only the rules that can match its event.

Rules are filed by event type, by tool, and by what else an event must have for them: a subject (a command, files, a
prompt, ...); within that, by a piece of text that the subject of everything they match contains. What the filing leaves
in is only a guess on the safe side: `decide.decide` has the last word.

The form: a place names a part: [offset, length, checksum]. A rule is a part in JSON, and so is the table: drawer ->
the places of three parts in a form that needs no parsing where nothing fits: the entries of the rules that must always
be read; lines of text; and an entry for each line, of the rule to be read where the subject contains it. An entry is
four numbers of five bytes: a rule's number and its place.
"""

from __future__ import annotations

import zlib

from rulez_py.analysis import Value
from rulez_py.policy.facts.facts import SUBJECTS
from rulez_py.policy.matchers import KINDS, matcher
from rulez_py.policy.model.layers import PROJECT
from rulez_py.policy.patterns import regex
from rulez_py.system import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Protocol

    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match, Rule

    Place = Sequence[int]

    class Kept(Protocol):
        """Packed rules, wherever they lie: the place of their table, and the bytes from an offset on, so many."""

        @property
        def table(self) -> Place: ...
        def read(self, at: int, length: int) -> bytes: ...


ANY = "*"
"""The drawer for rules about every event type, or every tool, or that need nothing in particular."""
_MOST = 100
"""Drawers for one rule: a rule that names everything must not be written down once for each of it."""
_ELSEWHERE = "content"
"""The matcher for whose sake a rule is filed a second time."""
_WIDTH = 5
_ENTRY = 4 * _WIDTH


class Damaged(ValueError):
    """These are not the bytes that were packed."""


class Packed(Value):
    """Rules in evaluation order: `data` in parts, and the place of the table in it."""

    table: tuple[int, ...]
    data: bytes

    def read(self, at: int, length: int) -> bytes:
        """Return a part's bytes."""
        return self.data[at : at + length]


_SUBJECTS = (ANY, *SUBJECTS)
_OF_FILES = ("files", "named", "deleted", "changed")
_RARE = ("flows", "marks", "beyond", "options", "mcp")
"""Subjects that few events have: a rule is well filed under them, whatever the text of it may be."""


def pack(rules: Iterable[Rule], known: Mapping[str, Sequence[Filing]] | None = None) -> Packed:
    """Return the rules, given in evaluation order. `known` saves work: what `filings` has found of matchers."""
    known = known or {}
    parts = _Parts()
    drawers: dict[str, tuple[list[bytes], list[bytes], list[bytes]]] = {}
    for number, rule in enumerate(rules):
        place = parts.add(jsontext.dumps_exactly(rule))
        entry = b"".join(value.to_bytes(_WIDTH, "little") for value in (number, *place))
        for match in _asked_of_events(rule):
            of_any_root = _is_of_any_root(rule)
            filed = None if of_any_root else known.get(_name_of(match))
            for subject, pieces in _filings(match, of_any_root) if filed is None else filed:
                for drawer in _drawers(match, subject):
                    always, lines, by_line = drawers.setdefault(drawer, ([], [], []))
                    for piece in pieces:
                        lines.append(piece.encode("ascii"))
                        by_line.append(entry)
                    if not pieces:
                        always.append(entry)
    registers = {
        drawer: [parts.add(b"".join(always)), parts.add(b"\n".join(lines)), parts.add(b"".join(by_line))]
        for drawer, (always, lines, by_line) in drawers.items()
    }
    table = parts.add(jsontext.dumps_exactly(registers))
    return Packed(table=tuple(table), data=b"".join(parts.found))


def filings(rules: Iterable[Rule]) -> dict[str, list[Filing]]:
    """Return under what the matchers of these rules are filed, in any layer but the project's.

    Each is named by what it asks, so that no filing outlives a change of its matchers.
    """
    asked = (match for rule in rules for match in _asked_of_events(rule))
    return {_name_of(match): list(_filings(match, False)) for match in asked}


def _name_of(match: Match) -> str:
    from rulez_py.trust import content_digest

    return content_digest(jsontext.dumps_exactly(match))


def _asked_of_events(rule: Rule) -> tuple[Match, ...]:
    """Return the matchers for whose sake a rule is read: its own, and those by which it has something forgotten."""
    remember = rule.get("actions", {}).get("remember")
    return (rule["match"], *(remember["until"] if remember else ()))


class _Parts:
    def __init__(self) -> None:
        self.found: list[bytes] = []
        self._at = 0

    def add(self, data: bytes) -> list[int]:
        place = [self._at, len(data), zlib.crc32(data)]
        self.found.append(data)
        self._at += len(data)
        return place


def _is_of_any_root(rule: Rule) -> bool:
    """Tell whether what its patterns are relative to may be another place than that of the event."""
    return rule["layer"] == PROJECT


def _filings(match: Match, is_of_any_root: bool) -> Iterator[Filing]:
    """By what a rule is found: one of them is enough."""
    subject, pieces = _filed_by({kind: wanted for kind, wanted in match.items() if kind != _ELSEWHERE})
    yield subject, pieces
    if subject in _OF_FILES and "paths" in match:
        from rulez_py.policy.matchers.index_keys import usable

        if below := matcher("paths").filed_below(match):
            yield "below", [] if is_of_any_root else usable(below)
    if _ELSEWHERE in match:
        from rulez_py.policy.matchers.index_keys import usable

        subject, pieces = matcher(_ELSEWHERE).filed_by(match)
        yield subject, usable(pieces)


def _filed_by(match: Match) -> Filing:
    """Return the subject, and the pieces of text: it must contain one of them. () where it may contain anything.

    Of its matchers' keys, those under the first subject count; the matcher asked last has the best ones.
    """
    from rulez_py.policy.matchers.index_keys import usable  # A hook call that finds its policy compiled packs nothing.

    said = [filing for kind in reversed(KINDS) if kind in match and (filing := matcher(kind).filed_by(match))]
    filings = [(subject, usable(pieces)) for subject, pieces in sorted(said, key=lambda one: _SUBJECTS.index(one[0]))]
    narrow = (one for one in filings if one[1] or one[0] in _RARE)
    return next(narrow, filings[0] if filings else (ANY, []))


def _drawers(match: Match, subject: str) -> list[str]:
    kinds, tools = (list(dict.fromkeys(match.get(matcher, [ANY]))) for matcher in ("operations", "tools"))
    if any(tool.startswith("mcp__") for tool in tools) or len(tools) > _MOST:
        tools = [ANY]
    if len(kinds) * len(tools) > _MOST:
        kinds = [ANY]
    return [f"{kind} {tool} {subject}" for kind in kinds for tool in tools]


def select(kept: Kept, facts: Facts) -> tuple[Rule, ...]:
    """Return the packed rules that may match an event, in evaluation order. Raises Damaged."""
    drawers = jsontext.loads_own(_part(kept, kept.table))
    found: dict[int, Place] = {}
    for drawer, needed in _wanted(facts.event.types, facts.names):
        if drawer not in drawers:
            continue
        text = "" if needed == ANY else facts.subject(needed)
        if text is None:
            continue
        always, lines, by_line = drawers[drawer]
        found.update(_entries(_part(kept, always)))
        if lines[1]:
            listed = _part(kept, lines).decode("ascii")
            # A subject that does not say where its words end may have any.
            pieces = (listed if regex.EDGE in text else listed.replace(regex.EDGE, "")).split("\n")
            fitting = regex.contained(pieces, text) if text else range(len(pieces))
            if fitting:
                entries = _part(kept, by_line)
                for at in fitting:
                    found.update(_entries(entries[at * _ENTRY : (at + 1) * _ENTRY]))
    return tuple(jsontext.loads_own(_part(kept, found[number])) for number in sorted(found))


def _wanted(types: Iterable[str], names: Iterable[str]) -> Iterator[tuple[str, str]]:
    for kind in (ANY, *types):
        for name in (ANY, *names):
            for subject in _SUBJECTS:
                yield f"{kind} {name} {subject}", subject


def _entries(data: bytes) -> Iterator[tuple[int, Place]]:
    """Rule numbers and places."""
    for at in range(0, len(data), _ENTRY):
        number, *place = (
            int.from_bytes(data[start : start + _WIDTH], "little") for start in range(at, at + _ENTRY, _WIDTH)
        )
        yield number, place


def _part(kept: Kept, place: Place) -> bytes:
    at, length, checksum = place
    data = kept.read(at, length)
    if zlib.crc32(data) != checksum:
        raise Damaged("a part has another checksum")
    return data
