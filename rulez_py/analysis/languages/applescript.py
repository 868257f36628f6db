"""AppleScript: `do shell script`."""

from __future__ import annotations

from rulez_py.analysis.languages import unknown_language
from rulez_py.analysis.languages.abstract_values import UNKNOWN, either, joined, known, text_of
from rulez_py.analysis.languages.effects import Effects
from rulez_py.analysis.languages.tokens import LINE, NAME, NUMBER, OPERATOR, TEXT, Scan, Syntax, plain, to_line_end
from rulez_py.analysis.values import DELETE, LIMIT, SHELL, Inner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.languages.abstract_values import Abstract
    from rulez_py.analysis.languages.tokens import Token
    from rulez_py.analysis.values import Found, Word

_MOST = 200
"""Texts and variables that are joined."""


def _string(scan: Scan, i: int) -> int:
    body, after = plain(scan.text, i + 1, '"')
    scan.tokens.append((TEXT, (body,)))
    return after


def _comment(scan: Scan, i: int) -> int:
    return to_line_end(scan, i) if scan.text.startswith("--", i) else 0


def _block(scan: Scan, i: int) -> int:
    """Skip `(* a comment *)`; return 0 for any other bracket."""
    if not scan.text.startswith("(*", i):
        return 0
    stop = scan.text.find("*)", i)
    return len(scan.text) if stop < 0 else stop + 2


def _continued(scan: Scan, i: int) -> int:
    """Skip the end of a line that continues in the next."""
    return i + 2 if scan.text.startswith("\n", i + 1) else 0


SYNTAX = Syntax({'"': _string, "-": _comment, "(": _block, "#": to_line_end, "\u00ac": _continued}, lines=True)


def find(text: str, arguments: Sequence[Word]) -> Found:
    if "Application(" in text:
        # `osascript -l JavaScript`: JavaScript for Automation has no table of calls.
        return unknown_language.find(text, arguments)
    scan = Scan(text, SYNTAX)
    scan.run()
    effects = Effects()
    variables: dict[str, Abstract] = {}
    if scan.full:
        effects.opaque = LIMIT
    line: list[Token] = []
    for token in (*scan.tokens, (LINE, 0)):
        if token[0] != LINE:
            line.append(token)
            continue
        _statement(line, effects, variables)
        line = []
    return effects.found()


def _statement(line: list[Token], effects: Effects, variables: dict[str, Abstract]) -> None:
    words = [str(value).lower() if kind == NAME else "" for kind, value in line]
    if len(line) > 3 and words[0] == "set" and words[2] == "to":
        before = variables.get(words[1])
        value = _value(line[3:], variables)
        variables[words[1]] = value if before is None else either((before, value))
    for i in range(len(words) - 2):
        if words[i : i + 3] == ["do", "shell", "script"]:
            root = any(words[k : k + 2] == ["administrator", "privileges"] for k in range(i, len(words) - 1))
            code = text_of(_value(line[i + 3 :], variables))
            effects.inner.append(Inner(code=code, via=SHELL, user="root" if root else ""))
            return
        if words[i : i + 2] == ["do", "script"]:
            effects.shell(_value(line[i + 2 :], variables))
            return
    if "delete" in words[:8]:
        _deleted(line, words, effects)


def _deleted(line: list[Token], words: list[str], effects: Effects) -> None:
    """Add the effects of `delete file "a"`, `delete folder "a"`, `delete POSIX file "a"`."""
    for i, word in enumerate(words):
        if word in ("file", "folder") and line[i + 1 : i + 2] and line[i + 1][0] == TEXT:
            effects.touch(known(line[i + 1][1][0]), DELETE, deep=word == "folder")
        elif word == "posix" and words[i + 1 : i + 2] == ["file"] and len(line) > i + 2 and line[i + 2][0] == TEXT:
            effects.touch(known(line[i + 2][1][0]), DELETE, deep=True)


def _value(tokens: Sequence[Token], variables: dict[str, Abstract]) -> Abstract:
    """Return the texts and variables joined by `&`."""
    whole: Abstract = None
    for at, (kind, value) in enumerate(tokens):
        if kind == NAME and value.lower() in ("with", "as", "without", "in", "user", "end"):
            break
        if kind == OPERATOR and value in ("&", "(", ")"):
            continue
        if kind == NAME and value.lower() in ("quoted", "form", "of", "the"):
            continue
        part = known(value[0]) if kind == TEXT else known(value) if kind == NUMBER else UNKNOWN
        if kind == NAME:
            part = variables.get(value.lower(), UNKNOWN)  # type: ignore[assignment]
        whole = part if whole is None else joined(whole, part)
        if at > _MOST:
            # INVARIANT: a text that is cut off is unknown.
            return joined(whole, UNKNOWN)
    return UNKNOWN if whole is None else whole
