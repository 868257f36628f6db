"""Values of PowerShell's operators: pure functions of their operands."""

from __future__ import annotations

from rulez_py.analysis.powershell.flow import (
    MOST,
    SPELLED,
    Flow,
    arranged,
    made,
    number,
    parts_of,
    shown_of,
    text_of,
    unknown,
)
from rulez_py.analysis.powershell.world import either

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.analysis.powershell.flow import Known

_MANY = 4
"""Single characters that are joined so as to hide what they spell."""


def binary(operator: str, left: Known | None, right: Known | None, shown: str) -> Known | None:
    if operator == "+":
        return plus(left, right, shown)
    if operator == "f":
        pattern = text_of(left)
        text = arranged(pattern, parts_of(right)) if pattern is not None else None
        return unknown(shown, left, right) if text is None else made(text, shown, left, right)
    if operator == "join":
        return joined(left, text_of(right) or "", shown)
    if operator == "*" and (repeated := _times(text_of(left), number(right))) is not None:
        return made(repeated, shown, left)
    if operator in ("replace", "ireplace", "creplace"):
        return replaced(left, right, shown)
    if operator in ("split", "isplit", "csplit"):
        text, separator = text_of(left), text_of(right)
        if text is not None and separator and separator.isalnum():
            return tuple(made(part, shown, left) for part in text.split(separator)[:1000])
    if operator == ".." and (listed := _range(number(left), number(right))) is not None:
        return listed
    if operator == "??":
        return first_known(left, right, shown)
    return unknown(shown, left, right).replace(paths=())


def first_known(left: Known | None, right: Known | None, shown: str) -> Known:
    """Return the left value, or the right one where the left is missing."""
    if text_of(left):
        return left or ""
    return either(left, right, shown) or ""


def plus(left: Known | None, right: Known | None, shown: str) -> Known:
    if isinstance(left, tuple):
        return (*left, *parts_of(right))[:MOST] if len(left) < 1000 else unknown(shown, left, right)
    if isinstance(left, dict) and isinstance(right, dict):
        return {**left, **right}
    first, second = text_of(left), text_of(right)
    if first is None or second is None:
        written = f"{shown_of(left) if first is None else first}{shown_of(right) if second is None else second}"
        return unknown(written[:2000] or shown, left, right).replace(paths=())
    if first.isdigit() and second.isdigit() and len(first) < 10 and len(second) < 10:
        return str(int(first) + int(second))
    return made(first + second, shown, left, right)


def joined(items: Known | None, separator: str, shown: str) -> Known:
    texts = [text_of(one) for one in parts_of(items)]
    known = [text for text in texts if text is not None]
    if len(known) < len(texts):
        return unknown(shown, items)
    spelled = Flow(origins=(SPELLED,)) if len(known) >= _MANY and all(len(text) == 1 for text in known) else None
    return made(separator.join(known), shown, items, spelled)


def replaced(left: Known | None, right: Known | None, shown: str) -> Known:
    text = text_of(left)
    parts = [text_of(one) for one in parts_of(right)]
    old = parts[0] if parts else None
    new = parts[1] if len(parts) > 1 else ""
    if text is None or not old or new is None or not old.replace(" ", "").replace("_", "").isalnum() or "$" in new:
        return unknown(shown, left)
    return made(text.replace(old, new), shown, left)


def _times(text: str | None, times: int | None) -> str | None:
    """Return a text repeated; None for a number, and for a result that is too long."""
    if text is None or times is None or text.isdigit() or len(text) * max(times, 0) > MOST:
        return None
    return text * times


def _range(first: int | None, last: int | None) -> tuple[str, ...] | None:
    """Return the items of `1..3`."""
    if first is None or last is None or abs(last - first) >= 256:
        return None
    step = 1 if last >= first else -1
    return tuple(str(one) for one in range(first, last + step, step))
