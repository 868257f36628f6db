"""RE2, the one regex engine of rulez: linear in the text, so no input can hang the hook."""

from __future__ import annotations

from rulez_py.native import extension

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_compiled: dict[tuple[str, bool], Any] = {}


class BadPattern(ValueError):
    """The pattern is not RE2 syntax; the message is RE2's own."""


LONGEST = 10_000
"""Characters of a pattern. RE2 is linear in the text, but also in the pattern, and cannot be interrupted."""


def compile_pattern(pattern: str, *, groups: bool = False) -> Any:
    """The compiled pattern, remembered for the life of the process; only with `groups` do matches hold its groups.

    Raises BadPattern.
    """
    known = _compiled.get((pattern, groups))
    if known is not None:
        return known
    if len(pattern) > LONGEST:
        raise BadPattern(f"longer than {LONGEST} characters")
    re2 = extension("re2", "_re2")
    options = re2.RE2.Options()
    options.log_errors = False
    options.never_capture = not groups
    compiled = re2.RE2(pattern.encode("utf-8", "replace"), options)
    if not compiled.ok():
        message: bytes | str = compiled.error()
        raise BadPattern(message.decode("utf-8", "replace") if isinstance(message, bytes) else message)
    _compiled[pattern, groups] = compiled
    return compiled


def search(pattern: str, text: str) -> tuple[int, int] | None:
    """The span of the first match, in UTF-8 bytes of `text`, or None. Raises BadPattern."""
    found = match_from(pattern, text.encode("utf-8", "replace"), 0)
    return None if found is None else found[0]


def match_from(pattern: str, data: bytes, at: int, *, groups: bool = False) -> list[tuple[int, int]] | None:
    """The first match in `data` from byte `at` on: its span, and with `groups` its groups', (-1, -1) where unused.

    None where there is no match. Raises BadPattern.
    """
    spans: list[tuple[int, int]] = compile_pattern(pattern, groups=groups).Match(_unanchored(), data, at, len(data))
    return None if spans[0][0] < 0 else spans


def escape(literal: str) -> str:
    """A pattern that matches exactly `literal`."""
    re2 = extension("re2", "_re2")
    quoted: bytes = re2.RE2.QuoteMeta(literal.encode("utf-8", "replace"))
    return quoted.decode("utf-8")


_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-/,:;=<>@~%&!\"'#`")
_ESCAPED = frozenset(".^$*+()[]{}|\\/-")
"""Signs that a backslash makes plain. Not `?`: that is also what a lone surrogate is searched as."""
_ONE_PLACE = frozenset("AbBzdDsSwWntrfv")
"""Letters that behind a backslash stand for a place, or one character that is not plain."""
_OPTIONAL = ("?", "*", "{")


def literal(pattern: str) -> str:
    """The longest text found that is in the lower case of everything the pattern matches; "" where none is.

    Only what is plain is looked at: signs outside of groups and classes that nothing makes optional. What it does not
    understand gives "".
    """
    if any(flags[:1] not in (":", "P", "<") for flags in pattern[1:].split("(?")[1:]):
        return ""  # What stands behind such a flag counts as standing behind what is before it.
    ignoring_case = pattern.startswith("(?")
    runs, run = [""], ""
    at = depth = 0
    while at < len(pattern):
        sign, plain, end = pattern[at], "", at + 1
        if sign == "\\":
            plain, end = pattern[end : end + 1], end + 1
            if plain not in _ESCAPED:
                if plain not in _ONE_PLACE:
                    return ""
                plain = ""
        elif sign == "[":
            end = _behind_class(pattern, at)
        elif sign == "{":
            end = _behind_count(pattern, at)
        elif sign == "|" and depth == 0:
            return ""
        elif sign in _PLAIN:
            plain = sign
        if end == 0:
            return ""
        depth += {"(": 1, ")": -1}.get(sign, 0)
        # Where case is ignored, an `s` is also the long one, whose lower case is another letter.
        if depth or (ignoring_case and plain in ("s", "S")) or pattern.startswith(_OPTIONAL, end):
            plain = ""
        run += plain.lower()
        if not plain or pattern.startswith("+", end):
            runs.append(run)
            run = ""
        at = end
    return max((*runs, run), key=len)


def _behind_count(pattern: str, at: int) -> int:
    """The place behind the repetition that begins at `at`, or behind the brace where it is only that."""
    least, _comma, most = pattern[at + 1 :].partition("}")[0].partition(",")
    counts = least.isdigit() and (most.isdigit() or not most)
    return pattern.find("}", at) + 1 if counts and "}" in pattern[at:] else at + 1


def _behind_class(pattern: str, at: int) -> int:
    """The place behind the character class that begins at `at`; 0 where it has no end."""
    at += 2 if pattern.startswith("^", at + 1) else 1
    at += pattern.startswith("]", at)
    while at < len(pattern) and pattern[at] != "]":
        if pattern.startswith("[:", at):
            at = pattern.find(":]", at)
            if at < 0:
                return 0
            at += 2
        else:
            at += 2 if pattern[at] == "\\" else 1
    return at + 1 if at < len(pattern) else 0


def _unanchored() -> Any:
    return extension("re2", "_re2").RE2.Anchor.UNANCHORED
