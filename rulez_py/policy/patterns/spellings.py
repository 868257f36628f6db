"""Other names that some file system has for a path: Windows', macOS', and what only looks the same.

Windows drops dots and blanks at a name's end, parts with backslashes, knows streams (`a.txt::$DATA`), `//?/` and short
names (`SETTIN~1.JSO`); macOS knows one form of a letter. Where this machine knows none of that, no such file is meant.
"""

from __future__ import annotations


def others(path: str) -> tuple[str, ...]:
    """Return what else an absolute path may be the name of."""
    text = path.replace("\\", "/")
    for start in ("//?/", "//./", "/??/"):
        text = text.removeprefix(start)
    if not text.isascii():
        text = _plain(text)
    text = "/".join(_of_windows(part, first=not at) for at, part in enumerate(text.split("/")))
    return (text,) if text != path and text else ()


def short(name: str) -> str:
    """Return the pattern of the names that `SETTIN~1.JSO` is short for; "" of any other name."""
    stem, dot, ending = name.partition(".")
    start, tilde, number = stem.partition("~")
    if not (tilde and start and number.isdigit() and len(stem) <= 8 and len(ending) <= 3):
        return ""
    return f"{start}*{dot}{ending}*" if dot else f"{start}*"


def _plain(text: str) -> str:
    """Return letters as they look, without invisible characters."""
    import unicodedata  # Most paths are ASCII.

    plain = unicodedata.normalize("NFKC", text)
    return "".join(one for one in plain if unicodedata.category(one) != "Cf")


def _of_windows(part: str, *, first: bool) -> str:
    if part.strip(". ") == "":
        return part
    drive = first and len(part) == 2 and part[1] == ":"
    kept = part if drive else part.partition(":")[0] or part
    return kept.rstrip(". ")
