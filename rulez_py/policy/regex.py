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


def _unanchored() -> Any:
    return extension("re2", "_re2").RE2.Anchor.UNANCHORED
