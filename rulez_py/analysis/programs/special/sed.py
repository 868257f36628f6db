"""sed scripts: the command `e`, which runs shell code, and the flag `e` of `s`, which runs what was made."""

from __future__ import annotations

from rulez_py.analysis.programs import parts
from rulez_py.analysis.programs.read import level
from rulez_py.analysis.programs.runs import ways
from rulez_py.analysis.values import SHELL, Inner, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.programs.runs import Own

ADDRESS = frozenset("0123456789,$~+! \t\n;{}")
EVERYTHING = (".*", "^.*$", "^.*", ".*$", "^", "^$", "$")


def runs(own: Own) -> list[Inner]:
    """Return what a GNU sed script runs; a script in a file is not read."""
    found = []
    for script in _scripts(own):
        if "e" in script.text:
            made = None
            for kind, word in _commands(script):
                if kind == "s":
                    made = word
                elif kind == "e" and not word.text and made is not None:
                    found.append(Inner(code=made, via=SHELL))
                    continue
                if kind == "e":
                    found.append(Inner(code=word, via=SHELL) if word.text else Inner(stdin=True, via=SHELL))
    return found


def files(words: Sequence[Word]) -> list[tuple[str, Word]]:
    """Return the files that the commands `r` and `w` and the flag `w` of `s` name: how they are touched, and which."""
    return [
        (kind, word)
        for script in _scripts(ways(level("sed"), words)[0][0])
        if "w" in script.text.lower() or "r" in script.text.lower()
        for kind, word in _commands(script)
        if kind not in ("e", "s") and word.text
    ]


def _scripts(own: Own) -> list[Word]:
    if own.is_idle:
        return []
    scripts = own.every("-e", "--expression")
    if not scripts and not own.has("-f", "--file"):
        # An empty word is the suffix that a BSD's -i takes.
        scripts = [word for word in own.operands if word.text][:1]
    return scripts


def _commands(word: Word) -> list[tuple[str, Word]]:
    """Return `e` with its code (none: the line that was read), `r` and `w` with the file, `s` with its replacement."""
    text, at = word.text, 0
    found: list[tuple[str, Word]] = []
    while at < len(text) and len(found) < parts.MANY:
        char = text[at]
        if char in ADDRESS:
            at += 1
        elif char == "/":
            at = _past(text, at + 1, "/")
            while text[at : at + 1] in ("I", "M"):
                at += 1
        elif char == "\\" and at + 1 < len(text):
            at = _past(text, at + 2, text[at + 1])
        elif char in "sy" and at + 1 < len(text):
            middle = _past(text, at + 2, text[at + 1])
            end = _past(text, middle, text[at + 1])
            flags = end
            while end < len(text) and text[end] not in ";\n}" and not (text[end] == "w" and char == "s"):
                end += 1
            if char == "s" and "e" in text[flags:end]:
                certain = text[at + 2 : middle - 1] in EVERYTHING and not any(
                    one in text[middle : flags - 1] for one in "&\\"
                )
                code = parts.with_text(word, text[middle : flags - 1])
                found.append(("e", code if certain else code.replace(known=False)))
            elif char == "s" and text[at + 2 : middle - 1] in EVERYTHING:
                found.append(("s", parts.with_text(word, text[middle : flags - 1])))
            at = end
            if text[end : end + 1] == "w":
                at = _line(text, end)
                found.append(("w", parts.with_text(word, text[end + 1 : at].strip())))
        elif char == "e":
            end = _line(text, at)
            command = text[at + 1 : end].strip()
            found.append(("e", parts.with_text(word, command if command[:1] not in (";", "}") else "")))
            at = end
        elif char in "rRwW":
            end = _line(text, at)
            found.append((char.lower(), parts.with_text(word, text[at + 1 : end].strip())))
            at = end
        elif char in "aic#":
            at = _line(text, at)
        else:
            while at < len(text) and text[at] not in ";\n}":
                at += 1
    return found


def _past(text: str, at: int, mark: str) -> int:
    """Return where a part that ends with `mark` is over; a backslash takes the next character with it."""
    while at < len(text) and text[at] != mark:
        at += 2 if text[at] == "\\" else 1
    return min(at + 1, len(text))


def _line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
