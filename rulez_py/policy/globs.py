"""The three kinds of glob a policy uses, each turned into a regex that RE2 runs.

- plain (`mcp`, `tools`, `domains`): `*` is any text, `?` one character;
- gitignore's, where `*` stops at a slash and `**` does not (`matchers/paths.py` says what they are about);
- RuleZ's, where `*` crosses slashes (`matchers/directories.py`).

In all of them `[ab]` and `[!ab]` are one character, `{a,b}` is one of several globs, and a backslash makes the next
character plain.
"""

from __future__ import annotations

from rulez_py.policy import regex


def problem(pattern: str) -> str | None:
    """What is wrong with a glob, or None: only a character class can be malformed."""
    try:
        regex.compile_pattern(segments(pattern.removeprefix("!")))
    except regex.BadPattern as error:
        return str(error)
    return None


def is_glob(pattern: str) -> bool:
    """Whether the pattern is more than the text it spells."""
    return any(character in pattern for character in "*?[{")


def literal(pattern: str) -> str:
    """The longest text found that is in the lower case of everything a glob of any kind matches; "" where none is.

    For `paths` and `directories` everything is a file's absolute path, or its name as the agent spelled it.
    """
    text = pattern
    for sign in "[]{}\\":
        text = text.partition(sign)[0]
    text = text.removeprefix("~").removeprefix("./").rstrip("/")
    runs = "".join(sign if sign.isascii() and sign != "?" else "*" for sign in text).split("*")
    # A slash beside `**` may stand for nothing.
    found = max((run.strip("/").lower() for run in runs), key=len)
    return "" if found == "." else found


def plain(pattern: str, text: str) -> bool:
    """Whether all of `text` fits a plain glob. Case matters."""
    if not is_glob(pattern):
        return pattern == text
    return fits(translate(pattern, star=".*", question="."), text)


def fits(expression: str, text: str) -> bool:
    """Whether all of a text fits what a glob has been translated to."""
    return regex.search(rf"(?s)\A(?:{expression})\z", text) is not None


def segments(pattern: str) -> str:
    """A gitignore pattern as a regex, not anchored."""
    return translate(pattern, star="[^/]*", question="[^/]")


_translated: dict[tuple[str, str], str] = {}
MOST_TRANSLATED = 10_000


def translate(pattern: str, *, star: str, question: str) -> str:
    """A glob as a regex. `star` and `question` are what `*` and `?` mean; `**/` is any directories, `**` any text."""
    key = pattern, star
    if key not in _translated:
        if len(_translated) >= MOST_TRANSLATED:
            _translated.clear()
        _translated[key] = _translation(pattern, star, question)
    return _translated[key]


def _translation(pattern: str, star: str, question: str) -> str:
    out: list[str] = []
    depth = at = 0
    while at < len(pattern):
        character = pattern[at]
        if character == "*":
            start = at
            while pattern[at + 1 : at + 2] == "*":
                at += 1
            if at == start:
                out.append(star)
            elif pattern[at + 1 : at + 2] == "/" and (start == 0 or pattern[start - 1] in "/{,"):
                out.append("(?:.*/)?")
                at += 1
            else:
                out.append(".*")
        elif character == "?":
            out.append(question)
        elif character == "[" and (end := _class_end(pattern, at)) > at:
            out.append(_class(pattern[at + 1 : end], slashes="/" not in question))
            at = end
        elif character == "{" and "}" in pattern[at:]:
            out.append("(?:")
            depth += 1
        elif character == "}" and depth:
            out.append(")")
            depth -= 1
        elif character == "," and depth:
            out.append("|")
        elif character == "\\" and at + 1 < len(pattern):
            at += 1
            out.append(_itself(pattern[at]))
        else:
            out.append(_itself(character))
        at += 1
    return "".join(out) + ")" * depth


def _itself(character: str) -> str:
    return character if character.isalnum() or character in "_-/" else regex.escape(character)


def _class_end(pattern: str, at: int) -> int:
    """Where the class that opens at `at` closes, -1 where none does. A bracket that comes first is in the class."""
    first = at + 2 if pattern[at + 1 : at + 2] in ("!", "^") else at + 1
    return pattern.find("]", first + 1)


def _class(body: str, *, slashes: bool) -> str:
    """A character class as a regex; one that excludes fits a slash only where `slashes` says so."""
    negated = body[0] in "!^"
    characters = body[negated:].replace("\\", "\\\\").replace("[", "\\[")
    return f"[{'^' if negated else ''}{'' if slashes or not negated else '/'}{characters}]"
