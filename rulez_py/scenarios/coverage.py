"""Coverage of rules by tests and scenarios: which parts of a rule no call has made to fit, or made not to fit.

A call counts for a rule where it is in the rule's own tests, or comes near to the rule: by something particular that
the rule wants (`explain.checks.is_near`), or by all that it wants but one, which is not its program. A call that has
nothing to do with a rule tries nothing of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rulez_py.documents.diagnostics import WARNING, diagnostic
from rulez_py.event import UnreadableEvent
from rulez_py.explain.checks import GENERAL, PROGRAM, checks, is_near
from rulez_py.policy.format.cases import facts_of
from rulez_py.policy.format.check import read_document
from rulez_py.policy.judging.decide import is_enabled, seen_by
from rulez_py.policy.judging.matching import is_excepted, matches, narrowed
from rulez_py.policy.patterns.expressions import ExpressionError
from rulez_py.verdict import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from rulez_py.documents.diagnostics import Diagnostic
    from rulez_py.explain.values import Check
    from rulez_py.policy.facts.facts import Facts
    from rulez_py.policy.model.rule import Rule

    Key = tuple[str, str]
    """The path of a policy file, and the name of one of its rules."""

_EXCEPT, _ENABLED = "except", "enabled_when"


@dataclass
class _Tried:
    """What calls have made of one rule: of each of its parts if it has fitted, and if it has not."""

    rule: Rule
    matched: bool = False
    fitted: dict[str, bool] = field(default_factory=dict)
    missed: dict[str, bool] = field(default_factory=dict)

    def note(self, part: str, *, fits: bool) -> None:
        self.fitted[part] = self.fitted.get(part, False) or fits
        self.missed[part] = self.missed.get(part, False) or not fits


@dataclass(frozen=True)
class Covered:
    """One rule: if a call has made it match, and the names of parts of it (`command.program`, `except`).

    `never` are parts that have fitted in no call; `always` those that have fitted in each, but for matchers that nearly
    every call fits. `parts` is the number of those that should have done both.
    """

    path: str
    rule: str
    line: int
    column: int
    matched: bool
    never: tuple[str, ...] = ()
    always: tuple[str, ...] = ()
    parts: int = 0
    places: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def gaps(self) -> Iterator[Diagnostic]:
        """Yield what is not tried, each at its place."""
        if not self.matched:
            said = f'no test makes rule "{self.rule}" match'
            yield diagnostic(self.path, (self.line, self.column), said, severity=WARNING)
            return
        for parts, how in ((self.never, "fits in no test"), (self.always, "fits in every test")):
            for part in parts:
                at = self.places.get(part, (self.line, self.column))
                yield diagnostic(self.path, at, f'`{part}` in rule "{self.rule}" {how}', severity=WARNING)


class Coverage:
    """What tests and scenarios have tried of rules."""

    def __init__(self) -> None:
        self._tried: dict[Key, _Tried] = {}

    def add(self, path: str, rule: Rule) -> None:
        """Have a rule of a policy file counted."""
        self._tried.setdefault((path, rule["name"]), _Tried(rule))

    def add_tests(self, path: str, rule: Rule, examples: Iterable[object]) -> None:
        """Count the tests that a rule carries; one that is no call tries nothing."""
        self.add(path, rule)
        for example in examples:
            try:
                facts = facts_of(rule, example)
            except UnreadableEvent:
                continue
            _note(self._tried[path, rule["name"]], rule, facts, own=True)

    def add_event(self, paths: Mapping[str, str], rules: Iterable[Rule], facts: Facts) -> None:
        """Count an event that a policy has judged; `paths` are its files, by the names that `Rule.source` has."""
        for rule in rules:
            path = paths.get(rule["source"].rpartition(":")[0])
            tried = None if path is None else self._tried.get((path, rule["name"]))
            if tried is not None:
                _note(tried, rule, facts, own=False)

    def of(self, path: str, content: bytes, shown: str) -> tuple[Covered, ...]:
        """Return the coverage of a policy file's rules, in its order."""
        document = read_document(content, shown)
        written = document.data.get("rules") if isinstance(document.data, dict) else None
        found = []
        for index, rule in enumerate(written if isinstance(written, list) else ()):
            tried = self._tried.get((path, rule.get("name", ""))) if isinstance(rule, dict) else None
            if tried is None:
                continue
            line, column = document.position(("rules", index))
            parts = tuple(tried.fitted)
            places = {part: document.key_position(("rules", index, *_keys(part))) for part in parts}
            found.append(
                Covered(
                    path=shown,
                    rule=rule["name"],
                    line=line,
                    column=column,
                    matched=tried.matched,
                    never=tuple(part for part in parts if not tried.fitted[part]),
                    always=tuple(part for part in parts if not tried.missed[part] and part not in GENERAL),
                    parts=len(parts),
                    places=places,
                )
            )
        return tuple(found)


def _keys(part: str) -> tuple[str | int, ...]:
    """Return where a part of a rule is written in it."""
    name, _, number = part.partition(" ")
    if name == _EXCEPT:
        return (_EXCEPT, int(number or 1) - 1)
    return (_ENABLED,) if part == _ENABLED else ("matchers", *part.split("."))


def _note(tried: _Tried, rule: Rule, facts: Facts, *, own: bool) -> None:
    """Note what one call makes of a rule's parts."""
    match, seen = rule["match"], seen_by(rule, facts)
    found = checks(match, seen)
    fits = matches(match, seen)
    if not (own or fits or is_near(found) or _differs_in_one(found)):
        return
    for one in found:
        tried.note(one.name, fits=one.fits)
    if not fits:
        return
    concerned = narrowed(seen, match)
    for number, exception in enumerate(rule["except"], 1):
        name = _EXCEPT if len(rule["except"]) == 1 else f"{_EXCEPT} {number}"
        tried.note(name, fits=matches(exception, concerned, strict=True))
    if is_excepted(rule["except"], match, seen):
        return
    is_on = True
    if rule["enabled_when"] is not None:
        try:
            is_on = is_enabled(rule, seen)
        except ExpressionError:
            return
        tried.note(_ENABLED, fits=is_on)
    tried.matched = tried.matched or is_on


def _differs_in_one(found: Sequence[Check]) -> bool:
    missing = [one for one in found if not one.fits]
    return len(missing) == 1 < len(found) and missing[0].name != PROGRAM


def gaps(covered: Iterable[Covered]) -> tuple[Diagnostic, ...]:
    """Return all that is not tried."""
    return tuple(gap for one in covered for gap in one.gaps())


def summary(covered: Sequence[Covered]) -> str:
    """Return the coverage in one line."""
    matched = [one for one in covered if one.matched]
    parts = sum(one.parts for one in matched)
    missing = sum(len(one.never) + len(one.always) for one in matched)
    rules = f"coverage: tests make {len(matched)} of {counted(len(covered), 'rule')} match"
    return f"{rules}; {parts - missing} of their {counted(parts, 'condition')} tried both ways"


def as_json(covered: Iterable[Covered]) -> list[dict[str, Any]]:
    """Return the coverage as programs read it."""
    return [
        {
            "path": one.path,
            "rule": one.rule,
            "line": one.line,
            "column": one.column,
            "matched": one.matched,
            "never_fits": list(one.never),
            "always_fits": list(one.always),
        }
        for one in covered
    ]
