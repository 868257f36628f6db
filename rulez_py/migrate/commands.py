"""Claude Code's patterns about command lines -> matchers: `git push *`, `git push:*`, `npm test`, `git * main`.

What denies or asks becomes a `command` where the pattern is plain words: it then counts however the command is written.
All else becomes a regex that fits what Claude Code documents: each command of a line by itself, behind its wrappers.
What approves is always a regex over the whole line, without any syntax of the shell's own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

EXACT, OPEN, GLUED = "exact", "open", "glued"
"""The pattern ends there; more words may follow; anything may follow."""

_PROGRAM = re.compile(r"(?:[\w.~-]*/)*(?P<name>[A-Za-z0-9_][\w.+-]*\*?)", re.ASCII)
_WORD = re.compile(r"[\w.:/@%+=,][\w.:/@%+=,-]*\*?", re.ASCII)
_OPTION = re.compile(r"--?[A-Za-z0-9][\w-]*(?:=[\w.:/@%+,-]*)?", re.ASCII)
_OPERATORS = frozenset(";&|\n")
_SPECIAL = frozenset("\\.+*?()|[]{}^$")
_BEFORE = r"(?:^|[;&|(\n])\s*(?:(?:timeout|time|nice|nohup|stdbuf|xargs)\s+(?:-\S+\s+|\d\S*\s+)*)*"
_BEHIND = {EXACT: r"\s*(?:$|[;&|)\n])", OPEN: r"(?:$|[\s;&|)])", GLUED: ""}
_ONE_COMMAND = r"[^;&|\n]*"
_PLAIN_TEXT = "[^;&|<>$`()\\\\\\r\\n]*"
_RUNNERS = ("find", "watch", "setsid", "ionice", "flock")
"""Claude Code asks about these, or about some uses of them, whatever pattern approves them."""


@dataclass(frozen=True)
class Pattern:
    """The text in the brackets before a final `*` or `:*`, and what may follow it."""

    text: str
    end: str

    @property
    def example(self) -> str:
        """An example: a command line that the pattern fits."""
        return self.text.replace("*", "x")

    @property
    def is_everything(self) -> bool:
        """True if it fits every command."""
        return not self.text and self.end != EXACT

    @property
    def has_operators(self) -> bool:
        """True if a separator of commands is in it: Claude Code compares each command by itself, so none fits."""
        return bool(_OPERATORS & set(self.text))


def read(specifier: str) -> Pattern:
    """Return the pattern in the brackets of `Bash(...)`."""
    text = specifier.strip()
    if text.endswith(":*"):
        return Pattern(text[:-2].rstrip(), OPEN)
    if text.endswith(" *"):
        return Pattern(text[:-2].rstrip(), OPEN)
    if text.endswith("*"):
        return Pattern(text[:-1], GLUED)
    return Pattern(text, EXACT)


def as_command(pattern: Pattern) -> dict[str, Any] | None:
    """Return the `command` that fits all the pattern fits, in any spelling.

    None where it is not plain.
    """
    if pattern.end == EXACT:
        return None
    first, *rest = (pattern.text + ("*" if pattern.end == GLUED else "")).split()
    program = _PROGRAM.fullmatch(first)
    if program is None or (first.endswith("*") and rest) or first in (".", ".."):
        return None
    name = program["name"].lower()
    words: list[str] = []
    while rest and _WORD.fullmatch(rest[0]):
        words.append(rest.pop(0))
    if any("*" in word for word in words[:-1]) or not all(map(_OPTION.fullmatch, rest)):
        return None
    if rest and any("*" in word for word in words):
        return None
    found: dict[str, Any] = {"program": name.removesuffix(".exe")}
    if words:
        found["subcommand"] = words[0] if len(words) == 1 else [words]
    if rest:
        found["all_flags"] = rest
    return found


def as_regex(pattern: Pattern, *, powershell: bool = False) -> str:
    """Return the regex that fits a line in which a command fits the pattern; PowerShell does not look at case."""
    case = "(?i)" if powershell else ""
    if pattern.has_operators:
        return case + _escaped(pattern.text, ".*") + _BEHIND[pattern.end]
    return case + _BEFORE + _escaped(pattern.text, _ONE_COMMAND) + _BEHIND[pattern.end]


def as_approval(pattern: Pattern, *, powershell: bool = False) -> str | None:
    """Return the regex of the whole lines that may be approved.

    None where Claude Code itself goes on asking about some.
    """
    words = pattern.text.split()
    plain = _PLAIN_TEXT.replace("[^", "[^{}@") if powershell else _PLAIN_TEXT
    runs = bool(words) and words[0].rpartition("/")[2].rstrip("*") in _RUNNERS and pattern.end != EXACT
    if not words or runs or pattern.has_operators or words[0].startswith("*"):
        return None
    behind = {EXACT: "", OPEN: rf"(?: {plain})?", GLUED: plain}[pattern.end]
    case = "(?i)" if powershell else ""
    return f"{case}^{_escaped(pattern.text, plain, ' +')}{behind}$"


def _escaped(text: str, star: str, blanks: str = r"\s+") -> str:
    """Return the text as a regex; blanks may be several, and where it approves they end no command."""
    pieces = []
    for piece in re.split(r"(\*+|\s+)", text):
        if piece.startswith("*"):
            pieces.append(star)
        elif piece and not piece.strip():
            pieces.append(blanks)
        else:
            pieces.append("".join(f"\\{char}" if char in _SPECIAL else char for char in piece))
    return "".join(pieces)
