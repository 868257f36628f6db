"""Texts that describe the state of resources: Puppet's manifests and Chef's recipes."""

from __future__ import annotations

from rulez_py.analysis.languages import unknown_language
from rulez_py.analysis.languages.abstract_values import UNKNOWN, known
from rulez_py.analysis.languages.effects import MOST_FOUND
from rulez_py.analysis.languages.tokens import LINE, NAME, NUMBER, OPERATOR, TEXT, Scan, Syntax, plain, to_line_end
from rulez_py.analysis.programs.states import STATES, commands
from rulez_py.analysis.values import INTERPRETER, LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.languages.tokens import Token
    from rulez_py.analysis.values import Found, Inner, Word


def _double(scan: Scan, i: int) -> int:
    return _string(scan, i, '"')


def _single(scan: Scan, i: int) -> int:
    return _string(scan, i, "'")


def _string(scan: Scan, i: int, mark: str) -> int:
    body, after = plain(scan.text, i + 1, mark)
    scan.tokens.append((TEXT, (body,)))
    return after


SYNTAX = Syntax({'"': _double, "'": _single, "#": to_line_end}, lines=True)


def find(text: str, arguments: Sequence[Word]) -> Found:
    scan = Scan(text, SYNTAX)
    scan.run()
    found: list[Inner] = []
    at = 0
    while at < len(scan.tokens) and len(found) < MOST_FOUND:
        kind, name = scan.tokens[at]
        at += 1
        if kind == NAME and name.lower() in STATES:
            resources, at = _resources(name.lower(), scan.tokens, at)
            found += resources
    anyhow = unknown_language.find(text, arguments)
    full = scan.full or len(found) >= MOST_FOUND
    return anyhow.replace(inner=(*found, *anyhow.inner), opaque=anyhow.opaque or (LIMIT if full else ""))


def parameters(text: str) -> dict[str, str]:
    """Return the texts of a JSON object by their keys, on all levels."""
    scan = Scan(text, SYNTAX)
    scan.run()
    tokens = scan.tokens
    return {
        name[0] if kind == TEXT else name: value[0] if what == TEXT else value
        for (kind, name), operator, (what, value) in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if kind in (TEXT, NAME) and operator == (OPERATOR, ":") and what in (TEXT, NAME, NUMBER)
    }


def _resources(kind: str, tokens: Sequence[Token], at: int) -> tuple[list[Inner], int]:
    """Return the resources that a word begins, and the index after them.

    `file { 'a': ensure => absent; ['b', 'c']: }` (Puppet), `file 'a' do ... end` (Chef).
    """
    if tokens[at : at + 1] == [(OPERATOR, "{")]:
        found, at = [], at + 1
        while at < len(tokens) and tokens[at] != (OPERATOR, "}"):
            titles, at = _titles(tokens, at)
            told, at = _attributes(tokens, at)
            found += _wanted(kind, titles, told)
        return found, at
    titles, behind = _titles(tokens, at + (tokens[at : at + 1] == [(OPERATOR, "(")]))
    if not titles:
        return [], at
    told, behind = _block(tokens, behind)
    return _wanted(kind, titles, told), behind


def _wanted(kind: str, titles: Sequence[Word], told: dict[str, Word]) -> list[Inner]:
    word = known(kind)
    return [one for title in titles for one in commands(kind, {"name": title, **told}, word, INTERPRETER)]


def _word(token: Token) -> Word:
    kind, value = token
    text = value[0] if kind == TEXT else str(value)
    return UNKNOWN if kind not in (TEXT, NAME, NUMBER) or "#{" in text or "${" in text else known(text)


def _titles(tokens: Sequence[Token], at: int) -> tuple[list[Word], int]:
    """Return the titles of resources, and the index after Puppet's colon or Chef's name."""
    found: list[Word] = []
    while at < len(tokens) and tokens[at] not in ((OPERATOR, "}"), (OPERATOR, ";")):
        kind, value = tokens[at]
        if kind == OPERATOR and value == ":":
            return found, at + 1
        if kind == TEXT:
            found.append(_word(tokens[at]))
        elif kind != LINE and value not in ("[", "]", ","):
            return found, at
        at += 1
    return found, at + 1


def _attributes(tokens: Sequence[Token], at: int) -> tuple[dict[str, Word], int]:
    """Return Puppet's attributes, `NAME => VALUE`, up to the next resource or the end."""
    told: dict[str, Word] = {}
    while at < len(tokens) and tokens[at] != (OPERATOR, "}"):
        if tokens[at] == (OPERATOR, ";"):
            return told, at + 1
        if tokens[at] == (OPERATOR, "=>") and at and at + 1 < len(tokens) and tokens[at - 1][0] == NAME:
            told[tokens[at - 1][1]] = _word(tokens[at + 1])
        at += 1
    return told, at


def _block(tokens: Sequence[Token], at: int) -> tuple[dict[str, Word], int]:
    """Return Chef's properties, `NAME VALUE`, in a block up to its `end`, and the index after it.

    The action is `create` where the block names none.
    """
    told = {"action": known("create")}
    if (NAME, "do") not in tokens[at : at + 2]:
        return told, at
    begins = True
    while at < len(tokens) and tokens[at] != (NAME, "end"):
        kind, value = tokens[at]
        at += 1
        if begins and kind == NAME and value != "do":
            rest = [token for token in tokens[at : at + 4] if token[0] in (TEXT, NAME, NUMBER, LINE)]
            if rest and rest[0][0] != LINE:
                told[value] = _word(rest[0])
        begins = kind == LINE or value in (";", "do")
    return told, at
