"""Take secrets out of what a tool gave back, as the rules that match say (`actions: {redact: ...}`).

The kinds of secrets are those of the log (`redact`); a rule may add regexes. Each string of a result is looked at, keys
of objects among them, and nothing else of the result changes. No text of a secret leaves this module.
"""

from __future__ import annotations

from rulez_py.log.redact import MARK, redact_each
from rulez_py.verdict import Redacted, in_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulez_py.event import Event
    from rulez_py.verdict import Redaction, Verdict

LARGEST = 4_000_000
"""Characters of a result that are looked at. A million takes about a second, which nothing can interrupt."""
MOST_STRINGS = 200_000
DEEPEST = 200
"""Values in one another."""
ENFORCED, WARNS = "enforce", "warn"
"""Modes of a rule; in the third it only logs."""


class TooLarge(Exception):
    """A result is beyond a bound; the message says which."""


def looked_at(event: Event) -> object:
    """Return what a tool gave back, or said of its failure; None where the event has neither."""
    if event.tool_response is not None:
        return event.tool_response
    return event.tool_input.get("error", event.tool_input.get("error_message"))


def with_result(verdict: Verdict, event: Event) -> Verdict:
    """Return the verdict with the result that its rules want redacted, for an event after a call."""
    if not verdict.redact:
        return verdict
    asked, verdict = verdict.redact, verdict.replace(redact=())
    value = looked_at(event)
    if value is None:
        return verdict
    enforced = [one for one in asked if one.mode == ENFORCED]
    try:
        strings = _looked_through(value)
    except TooLarge as error:
        return _too_large(verdict, asked, f"{error}, so rulez did not look for secrets in it")
    for one in asked:
        if one.mode != ENFORCED and (there := _found(strings, _without(strings, one), one)):
            verdict = _only_told(verdict, one, in_words(there))
    clean = strings
    found: dict[str, int] = {}
    by: list[Redaction] = []
    for one in enforced:
        before, clean = clean, _without(clean, one)
        taken = _found(before, clean, one)
        for kind, count in taken:
            found[kind] = found.get(kind, 0) + count
        by += [one] if taken else []
    if not found:
        return verdict
    counts = tuple(found.items())
    rules = tuple(one.rule for one in by)
    why = " ".join(dict.fromkeys(one.why for one in by if one.why))
    note = f"redacted {in_words(counts)} ({', '.join(rules)})"
    result = Redacted(value=_with_strings(value, iter(clean)), found=counts, rules=rules, why=why)
    return verdict.replace(notes=(*verdict.notes, note), result=result)


def _too_large(verdict: Verdict, asked: Iterable[Redaction], why: str) -> Verdict:
    """Return the verdict on a result that cannot be looked at."""
    enforced = tuple(one.rule for one in asked if one.mode == ENFORCED)
    notes = tuple(f'rule "{one.rule}": {why}' for one in asked)
    told = tuple(f'rule "{one.rule}": {why}' for one in asked if one.mode == WARNS)
    return verdict.replace(
        notes=(*verdict.notes, *notes),
        context=(*verdict.context, *told),
        result=Redacted(withheld=why, rules=enforced) if enforced else None,
    )


def _only_told(verdict: Verdict, one: Redaction, words: str) -> Verdict:
    """Return the verdict of a rule that warns or only logs: the result stays as it is."""
    said = f'rule "{one.rule}" would redact {words} (mode: {one.mode})'
    verdict = verdict.replace(notes=(*verdict.notes, said))
    if one.mode != WARNS:
        return verdict
    told = f'Warning by rule "{one.rule}": this result holds {words}: do not use, repeat or store that.'
    return verdict.replace(context=(*verdict.context, f"{told} {one.why}".strip()))


def _looked_through(value: object) -> list[str]:
    """Return every string of a value. Raises TooLarge for more than can be looked at in time."""
    strings = list(_strings(value))
    if len(strings) > MOST_STRINGS:
        raise TooLarge(f"the result has more than {MOST_STRINGS} texts")
    if sum(map(len, strings)) > LARGEST:
        raise TooLarge(f"the result has more than {LARGEST} characters")
    return strings


def _without(strings: list[str], one: Redaction) -> list[str]:
    """Return these strings without the secrets that a rule is about."""
    if one.shapes:
        from rulez_py.log.kinds import chosen

        strings = redact_each(strings, chosen(one.shapes))
    for regex in one.regexes:
        mark = f"{MARK}{one.rule}]".encode()
        strings = [_without_matches(text, regex, mark) if text else text for text in strings]
    return strings


def _without_matches(text: str, regex: str, mark: bytes) -> str:
    """Return a text with a mark in place of each match; of a match that has groups, of the first that took part."""
    from rulez_py.policy.patterns.regex import match_from

    data = text.encode("utf-8", "replace")
    pieces: list[bytes] = []
    at = kept = 0
    while at <= len(data) and (found := match_from(regex, data, at, groups=True)) is not None:
        (start, end), *groups = found
        start, end = next((group for group in groups if group[0] >= 0), (start, end))
        if end > start and data[start:end] != mark:
            pieces += (data[kept:start], mark)
            kept = end
        at = max(end, at + 1)
    return b"".join((*pieces, data[kept:])).decode("utf-8", "replace") if pieces else text


def _found(before: Sequence[str], after: Sequence[str], one: Redaction) -> tuple[tuple[str, int], ...]:
    """Return what one rule has taken out: kinds, and how many of each."""
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    if not changed:
        return ()
    kinds: dict[str, int] = {}
    for sign, texts in ((-1, [old for old, _ in changed]), (1, [new for _, new in changed])):
        for text in texts:
            for piece in text.split(MARK)[1:]:
                kind, end, _ = piece.partition("]")
                if end and len(kind) <= _LONGEST_KIND:
                    kinds[kind] = kinds.get(kind, 0) + sign
    found = tuple((kind, count) for kind, count in kinds.items() if count > 0)
    return found or ((one.rule, 1),)


_LONGEST_KIND = 100


def _strings(value: object, depth: int = 0) -> Iterator[str]:
    """Yield every string in a value, keys of objects too, in order. Raises TooLarge."""
    if depth > DEEPEST:
        raise TooLarge(f"the result has more than {DEEPEST} values in one another")
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _strings(item, depth + 1)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _strings(item, depth + 1)


def _with_strings(value: object, strings: Iterator[str]) -> object:
    """Return the value with these in the places of its own, in order."""
    if isinstance(value, str):
        return next(strings)
    if isinstance(value, dict):
        whole: dict[str, object] = {}
        for item in value.values():
            key = next(strings)
            while key in whole:  # Two keys were secrets of one kind.
                key += "'"
            whole[key] = _with_strings(item, strings)
        return whole
    if isinstance(value, (list, tuple)):
        return [_with_strings(item, strings) for item in value]
    return value
