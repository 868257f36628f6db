"""RE2, the one regex engine of rulez: linear in the text, so no input can hang the hook."""

from __future__ import annotations

from rulez_py.system.native import extension

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypedDict

    class Regex(TypedDict):
        """A pattern as a compiled rule has it. It fits no text whose lower case holds none of `literals`, if any."""

        regex: str
        literals: list[str]


_compiled: dict[tuple[str, bool], Any] = {}
_MOST_COMPILED = 1000


class BadPattern(ValueError):
    """The pattern is not RE2 syntax; the message is RE2's own."""


LONGEST = 10_000
"""Characters of a pattern. RE2 is linear in the text, but also in the pattern, and cannot be interrupted."""


def compile_pattern(pattern: str, *, groups: bool = False) -> Any:
    """Return the compiled pattern, remembered until there are too many; only with `groups` do matches hold its groups.

    Raises BadPattern.
    """
    known = _compiled.get((pattern, groups))
    if known is not None:
        return known
    if len(pattern) > LONGEST:
        raise BadPattern(f"longer than {LONGEST} characters")
    compiled = extension("re2", "_re2").RE2(pattern.encode("utf-8", "replace"), _options(groups))
    if not compiled.ok():
        message: bytes | str = compiled.error()
        raise BadPattern(message.decode("utf-8", "replace") if isinstance(message, bytes) else message)
    if len(_compiled) >= _MOST_COMPILED:
        _compiled.clear()
    _compiled[pattern, groups] = compiled
    return compiled


def _options(groups: bool) -> Any:
    if groups not in _known_options:
        options = extension("re2", "_re2").RE2.Options()
        options.log_errors = False
        options.never_capture = not groups
        _known_options[groups] = options
    return _known_options[groups]


_known_options: dict[bool, Any] = {}


def search(pattern: str, text: str) -> tuple[int, int] | None:
    """Return the span of the first match, in UTF-8 bytes of `text`, or None. Raises BadPattern."""
    global _encoded
    if _encoded[0] is not text:
        _encoded = text, text.encode("utf-8", "replace")
    found = match_from(pattern, _encoded[1], 0)
    return None if found is None else found[0]


_encoded = ("", b"")
"""The text searched last: one long text is usually held against many patterns."""


def prepared(pattern: str) -> Regex:
    """Return a pattern as a compiled rule has it."""
    return {"regex": pattern, "literals": list(literals(pattern))}


def fits(pattern: str, needed: list[str], text: str) -> bool:
    """Tell whether a text fits a pattern with these `literals`. Raises BadPattern."""
    # Most texts hold none of what a pattern needs: so RE2 is loaded, and the pattern compiled, for few of them.
    if needed and len(needed) * len(text) <= _WORTH_A_LOOK and not any(map(text.lower().__contains__, needed)):
        return False
    return search(pattern, text) is not None


_WORTH_A_LOOK = 200_000
"""Texts times characters to look for them in: above, RE2 is loaded and has compiled a pattern sooner."""


def any_fits(patterns: Iterable[Regex], text: str) -> bool:
    """Tell whether a text fits one of some patterns. Raises BadPattern."""
    return any(fits(pattern["regex"], pattern["literals"], text) for pattern in patterns)


def match_from(pattern: str, data: bytes, at: int, *, groups: bool = False) -> list[tuple[int, int]] | None:
    """The first match in `data` from byte `at` on: its span, and with `groups` its groups', (-1, -1) where unused.

    None where there is no match. Raises BadPattern.
    """
    spans: list[tuple[int, int]] = compile_pattern(pattern, groups=groups).Match(_unanchored(), data, at, len(data))
    return None if spans[0][0] < 0 else spans


EDGE = "\x1f"
"""Around each word of a subject; in a piece of text by which rules are filed, where a word begins or ends."""


def contained(texts: list[str], whole: str) -> list[int]:
    """Return which of some non-empty ASCII texts, by their index, are in a text."""
    if len(texts) * len(whole) >= _WORTH_A_SET:
        found = _contained_by_set(texts, whole)
        if found is not None:
            return found
    return [index for index, text in enumerate(texts) if text in whole]


_WORTH_A_SET = 10_000_000
"""Texts times characters to look for them in: below, plain searches are faster than building a set."""
_SET_MEMORY = 64 * 1024 * 1024


def _contained_by_set(texts: list[str], whole: str) -> list[int] | None:
    """Return the same in one pass.

    None where RE2 has not the memory: while matching that shows only in what it does not find.

    So one text more is looked for, which is there.
    """
    re2 = extension("re2", "_re2")
    options = re2.RE2.Options()
    options.literal = True
    options.log_errors = False
    options.max_mem = _SET_MEMORY
    found = re2.Set(_unanchored(), options)
    for text in texts:
        found.Add(text.encode("ascii"))
    known = found.Add(whole[:1].encode("utf-8", "replace"))
    if not found.Compile():
        return None
    indexes = set(found.Match(whole.encode("utf-8", "replace")))
    return sorted(indexes - {known}) if known in indexes else None


def escape(literal: str) -> str:
    """Return a pattern that matches exactly `literal`."""
    re2 = extension("re2", "_re2")
    quoted: bytes = re2.RE2.QuoteMeta(literal.encode("utf-8", "replace"))
    return quoted.decode("utf-8")


_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-/,:;=<>@~%&!\"'#`")
_ESCAPED = frozenset(".^$*+()[]{}|\\/-")
"""Characters that a backslash makes literal. Not `?`: a lone surrogate is searched as `?`, too."""
_ONE_PLACE = frozenset("AbBzdDsSwWntrfv")
"""Letters that after a backslash mean a position, or one character that is not plain."""
_OPTIONAL = ("?", "*", "{")


def literals(pattern: str) -> tuple[str, ...]:
    """Return texts: whatever the pattern matches has one of them in its lower case. () where none are found."""
    return tuple(sorted(max(_required(pattern), key=_worth, default=())))


def all_literals(pattern: str) -> list[list[str]]:
    """Return groups of texts: whatever the pattern matches has one text of each group in its lower case.

    Only literal characters outside of classes, which nothing makes optional, are looked at. Syntax that is not
    understood counts as any text.
    """
    return sorted(map(sorted, _required(pattern)))


def _required(pattern: str) -> list[set[str]]:
    # As RE2 reads it: half a surrogate pair is a question mark, and that makes what is before it optional.
    pattern = pattern.encode("utf-8", "replace").decode()
    try:
        return _alternatives(pattern, 0, _ignores_case(pattern))[0]
    except (_NotUnderstood, RecursionError):
        return []


class _NotUnderstood(Exception):
    pass


def _ignores_case(pattern: str) -> bool:
    """Tell whether case is ignored in some part of a pattern."""
    ignored = False
    for number, group in enumerate(pattern.split("(?")[1:]):
        rest = group.lstrip(_FLAGS)
        flags, end = group[: len(group) - len(rest)], rest[:1]
        if not flags and end not in (":", "P", "<"):
            raise _NotUnderstood
        # Text after such a flag counts as following the text before it.
        if flags and end != ":" and (number or not pattern.startswith("(?")):
            raise _NotUnderstood
        ignored = ignored or "i" in flags
    return ignored


_FLAGS = "imsU-"


_MOST = 64
"""Texts for one pattern; more cost more than they save."""


def _alternatives(pattern: str, at: int, ignoring_case: bool) -> tuple[list[set[str]], int]:
    """Return the texts of the alternatives from `at` to the end of their group, and its place."""
    each: list[list[set[str]]] = []
    while True:
        candidates, at = _sequence(pattern, at, ignoring_case)
        each.append(candidates)
        if not pattern.startswith("|", at):
            break
        at += 1
    if len(each) == 1:
        return each[0], at
    best = [max(candidates, key=_worth) for candidates in each if candidates]
    texts = set().union(*best)
    return ([texts] if len(best) == len(each) and len(texts) <= _MOST else []), at


def _sequence(pattern: str, at: int, ignoring_case: bool) -> tuple[list[set[str]], int]:
    """Return groups of texts for the pattern from `at` to the next `|` or the end of the group, and that place."""
    candidates: list[set[str]] = []
    run = ""
    while at < len(pattern) and pattern[at] not in "|)":
        character, plain, end = pattern[at], "", at + 1
        group: list[set[str]] = []
        if character == "\\":
            plain, end = pattern[end : end + 1], end + 1
            if plain not in _ESCAPED:
                if plain == "x" and _are_hexadecimal(pattern[end : end + 2]):
                    end += 2
                elif plain not in _ONE_PLACE:
                    raise _NotUnderstood
                plain = ""
        elif character == "[":
            end = _behind_class(pattern, at)
        elif character == "{":
            end = _behind_count(pattern, at)
        elif character == "(":
            group, end = _group(pattern, at, ignoring_case)
        elif character in _PLAIN:
            plain = character
        # Where case is ignored, an `s` is also the long one, whose lower case is another letter.
        if ignoring_case and plain in ("s", "S"):
            plain = ""
        if pattern.startswith(_OPTIONAL, end):
            plain, group = "", []
        run += plain.lower()
        if not plain or pattern.startswith("+", end):
            candidates += [{run}, *group]
            run = ""
        at = end
    candidates.append({run})
    return [texts for texts in candidates if "" not in texts], at


def _are_hexadecimal(digits: str) -> bool:
    return len(digits) == 2 and all(digit in "0123456789abcdefABCDEF" for digit in digits)


def _worth(texts: set[str]) -> tuple[int, int]:
    """Return how seldom one of these texts is found by chance."""
    return min(map(len, texts)), -len(texts)


def _group(pattern: str, at: int, ignoring_case: bool) -> tuple[list[set[str]], int]:
    """Return the texts of the group that opens at `at`, and the place behind it; none where it only sets flags."""
    at += 1
    if pattern.startswith("?", at):
        while pattern[at : at + 1] not in (":", ">", ")", ""):
            at += 1
        if pattern.startswith(")", at):
            return [], at + 1
        at += 1
    texts, at = _alternatives(pattern, at, ignoring_case)
    if not pattern.startswith(")", at):
        raise _NotUnderstood
    return texts, at + 1


def _behind_count(pattern: str, at: int) -> int:
    """Return the place behind the repetition that begins at `at`, or behind the brace where it is only that."""
    least, _comma, most = pattern[at + 1 :].partition("}")[0].partition(",")
    counts = least.isdigit() and (most.isdigit() or not most)
    return pattern.find("}", at) + 1 if counts and "}" in pattern[at:] else at + 1


def _behind_class(pattern: str, at: int) -> int:
    """Return the place behind the character class that begins at `at`.

    What a bracket inside of one means to RE2 depends on the text around it: that is not understood.
    """
    at += 2 if pattern.startswith("^", at + 1) else 1
    at += pattern.startswith("]", at)
    while at < len(pattern) and pattern[at] != "]":
        if pattern[at] == "[":
            raise _NotUnderstood
        at += 2 if pattern[at] == "\\" else 1
    if at >= len(pattern):
        raise _NotUnderstood
    return at + 1


def _unanchored() -> Any:
    return extension("re2", "_re2").RE2.Anchor.UNANCHORED
