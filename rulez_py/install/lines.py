"""Lines of a text that is edited in place: a byte order mark, the line ends and a last line without one are kept."""

from __future__ import annotations


def end(text: str) -> str:
    """Return what ends this text's lines."""
    return "\r\n" if "\r\n" in text else "\n"


def start(text: str, at: int) -> int:
    """Return where the line of a place starts."""
    begin = text.rfind("\n", 0, at) + 1
    return begin + (begin == 0 and text.startswith("\ufeff"))


def behind(text: str, at: int) -> int:
    """Return where the line behind that of a place starts."""
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1


def with_line(text: str, at: int, line: str) -> str:
    """Return the text with a further line before the one that starts here, or behind the last."""
    if at and text[at - 1] != "\n":
        return text[:at] + end(text) + line + text[at:]
    return text[:at] + line + end(text) + text[at:]


def without(text: str, begin: int, behind_it: int) -> str:
    """Return the text without these lines; a text whose last line has no end has none without them."""
    before = text[:begin]
    if not text.endswith("\n") and behind_it == len(text):
        before = before.removesuffix("\n").removesuffix("\r")
    return before + text[behind_it:]
