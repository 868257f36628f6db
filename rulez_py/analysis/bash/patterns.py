"""Shell patterns: `*`, `?`, `[...]` and a backslash before what is plain."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def fits(pattern: str, text: str) -> bool:
    """Tell if all of a text fits a pattern. Time is bounded by the product of their lengths."""
    parts = _parts(pattern)
    at, text_at, star, star_text = 0, 0, -1, 0
    while text_at < len(text):
        if at < len(parts) and parts[at] == "*":
            star, star_text = at, text_at
            at += 1
        elif at < len(parts) and _is_one(parts[at], text[text_at]):
            at += 1
            text_at += 1
        elif star >= 0:
            star_text += 1
            at, text_at = star + 1, star_text
        else:
            return False
    return all(part == "*" for part in parts[at:])


def removed(text: str, pattern: str, *, longest: bool, at_end: bool) -> str:
    """Return a text without what a pattern fits at its start, or at its end."""
    if not any(char in pattern for char in "*?[\\"):
        if at_end:
            return text.removesuffix(pattern)
        return text.removeprefix(pattern)
    lengths = range(min(len(text), _LONGEST) + 1)
    for length in reversed(lengths) if longest else lengths:
        piece = text[len(text) - length :] if at_end else text[:length]
        if fits(pattern, piece):
            return text[: len(text) - length] if at_end else text[length:]
    return text


def replaced(text: str, pattern: str, replacement: str, *, every: bool) -> str:
    """Replace what a pattern fits, from left to right and the longest first: once, or every time."""
    parts = _parts(pattern)
    if not parts:
        return text
    if all(part[0] == "\\" for part in parts):
        return text.replace("".join(part[1] for part in parts), replacement, -1 if every else 1)
    found: list[str] = []
    at = 0
    while at < len(text):
        longest = len(text) if "*" in parts else at + len(parts)
        shortest = at if "*" in parts else longest - 1
        stop = next((stop for stop in range(longest, shortest, -1) if fits(pattern, text[at:stop])), 0)
        if not stop:
            found.append(text[at])
            at += 1
            continue
        found.append(replacement)
        at = stop
        if not every:
            break
    return "".join(found) + text[at:]


def is_open(pattern: str) -> bool:
    """Tell if a pattern fits texts of several lengths."""
    return "*" in _parts(pattern)


def is_pattern(text: str) -> bool:
    """Tell if an unquoted text is a pattern."""
    return "*" in text or "?" in text or ("[" in text and "]" in text) or _is_extended(text)


def plainer(text: str) -> str:
    """Return an unquoted pattern without the groups of `extglob`, in whose place anything fits."""
    if not _is_extended(text):
        return text
    start = min(at for at in (text.find(char + "(") for char in "?*+@!") if at >= 0)
    return text[:start] + "*" + text[text.rfind(")") + 1 :]


def _is_extended(text: str) -> bool:
    return "(" in text and ")" in text and any(char + "(" in text for char in "?*+@!")


def escaped(text: str) -> str:
    """Return a text as a pattern for itself."""
    return "".join("\\" + char if char in "*?[]\\" else char for char in text)


_LONGEST = 400


def _parts(pattern: str) -> list[str]:
    """Return the parts of a pattern: `*`, `?`, a class with its bracket, or a backslash and a character."""
    found: list[str] = []
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\" and at + 1 < len(pattern):
            found.append("\\" + pattern[at + 1])
            at += 2
            continue
        if char == "[":
            first = at + 2 if pattern[at + 1 : at + 2] in ("!", "^") else at + 1
            stop = pattern.find("]", first + 1)
            while stop > 0 and pattern.rfind("[:", at, stop) > pattern.rfind(":]", at, stop):
                stop = pattern.find("]", stop + 1)
            if stop > 0:
                found.append(pattern[at:stop])
                at = stop + 1
                continue
        found.append(char if char in "*?" else "\\" + char)
        at += 1
    return found


def _is_one(part: str, char: str) -> bool:
    if part == "?":
        return True
    if part[0] == "\\":
        return part[1] == char
    if part[0] != "[":
        return False
    body = part[1:]
    negated = body[:1] in ("!", "^")
    body = body[1:] if negated else body
    at, inside = 0, False
    while at < len(body):
        if body.startswith("[:", at) and (stop := body.find(":]", at)) > 0:
            inside = inside or _CLASSES.get(body[at + 2 : stop], str.isalnum)(char)
            at = stop + 2
        elif body[at + 1 : at + 2] == "-" and at + 2 < len(body):
            inside = inside or body[at] <= char <= body[at + 2]
            at += 3
        else:
            inside = inside or body[at] == char
            at += 1
    return inside != negated


_CLASSES: dict[str, Callable[[str], bool]] = {
    "alpha": str.isalpha,
    "digit": str.isdigit,
    "alnum": str.isalnum,
    "upper": str.isupper,
    "lower": str.islower,
    "space": str.isspace,
    "blank": " \t".__contains__,
    "punct": lambda char: char.isprintable() and not char.isalnum() and not char.isspace(),
    "xdigit": "0123456789abcdefABCDEF".__contains__,
    "word": lambda char: char.isalnum() or char == "_",
    "print": str.isprintable,
    "graph": lambda char: char.isprintable() and not char.isspace(),
    "cntrl": lambda char: ord(char) < 32 or ord(char) == 127,
}
