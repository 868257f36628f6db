"""The three kinds of glob a policy uses, each turned into a regex that RE2 runs.

- plain (`mcp`, `tools`, `domains`): `*` is any text, `?` one character;
- `paths`: gitignore's, where `*` stops at a slash and `**` does not;
- `directories`: RuleZ's, where `*` crosses slashes.

In all of them `[ab]` and `[!ab]` are one character, `{a,b}` is one of several globs, and a backslash makes the next
character plain.
"""

from __future__ import annotations

from rulez_py.policy import regex

_OUT = "../"


def problem(pattern: str) -> str | None:
    """What is wrong with a glob, or None: only a character class can be malformed."""
    try:
        regex.compile_pattern(_segments(pattern.removeprefix("!")))
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
    return _fits(_translate(pattern, star=".*", question="."), text)


def directory(pattern: str, path: str) -> bool:
    """Whether a path fits a RuleZ `directories` glob: anchored at both ends, `src/` and `src` mean all below."""
    if pattern.endswith("/"):
        pattern += "**"
    elif "*" not in pattern:
        pattern += "/**"
    return _fits(_translate(pattern, star=".*", question="."), path)


def path(pattern: str, absolute: str, root: str, home: str, spelled: str = "") -> bool:
    """Whether a file fits one gitignore-style pattern (without `!`), or stands below a directory that does.

    `absolute` is the file's normalised path with forward slashes, `root` the project root, `home` the user's home.
    A pattern that starts with `/`, `~/` or a drive is a place on this machine; one with another slash in it is relative
    to the project root; one without fits a name at any depth, inside the project or out of it. A final slash says
    "directory", which nobody can tell from a path alone, so it changes nothing. One that starts with `../` is about how
    the path was `spelled`: relative, and leading out of where it starts.
    """
    relative = _below(absolute, root)
    subject: str | None = absolute
    body = pattern.rstrip("/")
    if body == "~" or body.startswith("~/"):
        expression = regex.escape(home.rstrip("/")) + _segments(body[1:])
    elif pattern.startswith("/") or body[1:3] == ":/":
        expression = _segments(body)
    elif body.startswith(_OUT):
        subject, expression = way_out(spelled), _segments(body)
    elif body.startswith("./"):
        subject, expression = relative, _segments(body[2:])
    elif "/" in body and not body.startswith("**/"):
        subject, expression = relative, _segments(body)
    else:
        subject = relative if relative is not None else absolute
        expression = "(?:.*/)?" + _segments(body.removeprefix("**/"))
    return subject is not None and _fits(expression + "(?:/.*)?", subject)


def way_out(spelled: str) -> str | None:
    """A relative path that leads out of where it starts, normalised; None of any other."""
    spelled = spelled.replace("\\", "/")
    if spelled.startswith("/"):
        return None
    way: list[str] = []
    for name in spelled.split("/"):
        if name == ".." and way and way[-1] != "..":
            way.pop()
        elif name not in ("", "."):
            way.append(name)
    return "/".join(way) if way[:1] == [".."] else None


def any_path(patterns: list[str], absolute: str, root: str, home: str, spelled: str = "") -> bool:
    """Whether a file fits a pattern list: the last pattern that fits decides, `!` switches off."""
    fits = False
    lower = absolute.lower()
    for pattern in patterns:
        negated = pattern.startswith("!")
        if fits != negated:
            continue
        bare = pattern[1:] if negated else pattern
        if (_piece(bare) in lower or bare.startswith(_OUT)) and path(bare, absolute, root, home, spelled):
            fits = not negated
    return fits


def lies_below(patterns: list[str], directory: str, root: str, home: str) -> bool:
    """Whether a pattern list is about something below a directory, by what the patterns say alone.

    A pattern that is a place says so by the part of it that is plain text; one that fits anywhere says nothing.
    """
    inside = directory.rstrip("/") + "/"
    fits, place = False, ""
    for pattern in patterns:
        if pattern.startswith("!"):
            fits = fits and not path(pattern[1:], place, root, home)
        elif not fits:
            key = pattern, root, home
            if key not in _starts:
                if len(_starts) >= _MOST_TRANSLATED:
                    _starts.clear()
                _starts[key] = _start(pattern, root, home)
            place, rest = _starts[key]
            fits = place.startswith(inside) or (place == directory and rest in ("*", "**", "**/*"))
    return fits


def _start(pattern: str, root: str, home: str) -> tuple[str, str]:
    """The directory or file that the plain text at a pattern's start names, and what of the pattern is left.

    ("", pattern) where it fits anywhere.
    """
    body = pattern.rstrip("/")
    if body == "~" or body.startswith("~/"):
        place, rest = home.rstrip("/"), body[2:]
    elif pattern.startswith("/"):
        place, rest = "", body[1:]
    elif body[1:3] == ":/":
        place, rest = body[:2], body[3:]
    elif "/" in body and not body.startswith(("**/", _OUT)):
        place, rest = root.rstrip("/"), body.removeprefix("./")
    else:
        return "", pattern
    while rest:
        name, _, behind = rest.partition("/")
        if is_glob(name) or "\\" in name:
            break
        place, rest = f"{place}/{name}", behind
    return place or "/", rest


_starts: dict[tuple[str, str, str], tuple[str, str]] = {}
_pieces: dict[str, str] = {}


def _piece(pattern: str) -> str:
    """`literal`, remembered."""
    if pattern not in _pieces:
        if len(_pieces) >= _MOST_TRANSLATED:
            _pieces.clear()
        _pieces[pattern] = literal(pattern)
    return _pieces[pattern]


def _fits(expression: str, text: str) -> bool:
    return regex.search(rf"(?s)\A(?:{expression})\z", text) is not None


def _below(absolute: str, root: str) -> str | None:
    if absolute == root:
        return "."
    prefix = root if root.endswith("/") else root + "/"
    return absolute[len(prefix) :] if absolute.startswith(prefix) else None


def _segments(pattern: str) -> str:
    """A gitignore pattern as a regex, not anchored."""
    return _translate(pattern, star="[^/]*", question="[^/]")


_translated: dict[tuple[str, str], str] = {}
_MOST_TRANSLATED = 10_000


def _translate(pattern: str, *, star: str, question: str) -> str:
    """A glob as a regex. `star` and `question` are what `*` and `?` mean; `**/` is any directories, `**` any text."""
    key = pattern, star
    if key not in _translated:
        if len(_translated) >= _MOST_TRANSLATED:
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
