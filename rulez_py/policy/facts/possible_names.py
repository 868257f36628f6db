"""Find the patterns that may fit a file whose directory is known, and perhaps a pattern of its name.

A pattern of a name that few files have (`sett*`, not `*.json`) fits anywhere below its directory. In a directory whose
files a pattern names (`.claude/settings*.json`), any unknown name may be one of them. A pattern that all files fit, and
a directory that many programs share (`/etc`), fit nothing by themselves.
"""

from __future__ import annotations

from rulez_py.analysis import SOME
from rulez_py.policy.patterns.globs import literal, takes_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Fits = Callable[[str, str], bool]

_SHARED = frozenset(("", ".", "/", "~", "**", "/**", "/etc", "~/.config", "~/.cache", "~/.local", "~/.local/state"))
"""Directories, as globs name them, that hold everybody's files."""
_FEWEST_LETTERS = 2
"""The number of letters before its ending that tell one name from others."""
_MOST_SPELLED = 64
_MOST_KNOWN = 10_000


def may_fit(patterns: list[str], path: str, fits: Fits) -> bool:
    """Tell whether one of the files that `path` may be can fit a pattern list (`paths.any_path`).

    `fits` says whether a path fits one pattern.
    """
    directory, _, name = path.rpartition("/")
    if name == SOME and not _is_about_places(patterns, directory):
        return False
    if any(takes_out(pattern) and fits(pattern[1:], path) for pattern in patterns):
        return False
    return any(
        _may_be(place, last.lower(), directory or "/", name.lower(), fits)
        for pattern in patterns
        if not takes_out(pattern)
        for place, last in _parted(pattern)
    )


def _may_be(place: str, last: str, directory: str, name: str, fits: Fits) -> bool:
    """Tell whether a file in a directory may be one that is called `last` in `place`."""
    names_files = "." in last or last in ("*", "**")
    anywhere = place in ("", "**", "/**")
    if not anywhere and place not in _SHARED and names_files and _is_about(place, directory, fits):
        return name == SOME or meet(name, last)
    if name == SOME or not (tells(name) or name.lstrip("*") == last) or not tells(last):
        return False
    # Some name fits nearly any two patterns: one of them fits the other's plainest name.
    if not (meet(name, _plainest(last)) or meet(_plainest(name), last)):
        return False
    # `Disk.touched` looks at the disk for deeper files.
    return anywhere or fits(place, directory)


def _is_about_places(patterns: list[str], directory: str) -> bool:
    """Tell if the directory has in it the plain text of a place that the patterns name: if not, no pattern fits."""
    known = _places.get(id(patterns))
    if known is None or known[0] is not patterns:
        if len(_places) >= _MOST_KNOWN:
            _places.clear()
        places = (place for pattern in patterns if not takes_out(pattern) for place, _ in _parted(pattern))
        pieces = tuple(dict.fromkeys(literal(place) for place in places if place not in _SHARED))
        known = _places[id(patterns)] = patterns, pieces
    return any(map((directory or "/").lower().__contains__, known[1]))


_places: dict[int, tuple[list[str], tuple[str, ...]]] = {}
"""By the identity of a pattern list: that itself, and the plain texts of its places."""


def _is_about(place: str, directory: str, fits: Fits) -> bool:
    """Tell whether a pattern is about the directory itself, and not about one above it."""
    above = directory.rpartition("/")[0]
    return fits(place, directory) and not (above and fits(place, above))


def tells(name: str) -> bool:
    """Tell whether a pattern of a name says more of it than its ending."""
    stem = name.rpartition(".")[0] or name
    plain = sum(character.isalnum() for character in stem)
    return plain >= _FEWEST_LETTERS


def meet(one: str, other: str) -> bool:
    """Tell whether some name fits both of two patterns of names: `*`, `?`, and classes as any one character."""
    reached = {(0, 0)}
    seen: set[tuple[int, int]] = set()
    first, second = _characters(one), _characters(other)
    while reached:
        at = reached.pop()
        if at in seen:
            continue
        seen.add(at)
        left, right = at
        here = first[left] if left < len(first) else ""
        there = second[right] if right < len(second) else ""
        if not here and not there:
            return True
        if here == "*":
            reached.add((left + 1, right))
            if there:
                reached.add((left, right + 1))
        if there == "*":
            reached.add((left, right + 1))
            if here:
                reached.add((left + 1, right))
        if here and there and "*" not in (here, there) and (here == there or "?" in (here, there)):
            reached.add((left + 1, right + 1))
    return False


def _plainest(pattern: str) -> str:
    """Return the name that a pattern fits if its stars match the empty text."""
    return pattern.replace("*", "").rstrip(".")


_LONGEST = 100


def _characters(pattern: str) -> list[str]:
    """Return a pattern's characters; a class is `?`, which fits any."""
    found: list[str] = []
    at = 0
    while at < len(pattern) and len(found) < _LONGEST:
        character = pattern[at]
        end = pattern.find("]", at + 2) if character == "[" else -1
        if end > 0:
            # A class of one character is that character.
            held = set(pattern[at + 1 : end])
            found.append(held.pop() if len(held) == 1 else "?")
            at = end
        elif character == "\\" and at + 1 < len(pattern):
            at += 1
            found.append(pattern[at])
        else:
            found.append(character)
        at += 1
    return found if at >= len(pattern) else [*found, "*"]


# The parts of patterns about a directory and about a name in it.

_known: dict[str, tuple[tuple[str, str], ...]] = {}


def _parted(pattern: str) -> tuple[tuple[str, str], ...]:
    """Return the directory and the name in it of each pattern that a pattern's braces make."""
    if pattern not in _known:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        found = []
        for one in _spelled(pattern.rstrip("/")):
            place, slash, last = one.removesuffix("/**").rpartition("/")
            found.append((place or "/" if slash else "**", last))
        _known[pattern] = tuple(found)
    return _known[pattern]


def _spelled(pattern: str) -> list[str]:
    """Return a pattern without braces, once for each text in them; with more than a bound of them, none."""
    made = [pattern]
    for one in made:
        start = _opening(one)
        end = _closing(one, start)
        if end < 0:
            continue
        if len(made) > _MOST_SPELLED:
            return []
        made += [one[:start] + choice + one[end + 1 :] for choice in _choices(one[start + 1 : end])]
    return [one for one in made if _closing(one, _opening(one)) < 0]


def _opening(text: str) -> int:
    start = text.find("{")
    while start > 0 and text[start - 1] == "\\":
        start = text.find("{", start + 1)
    return start


def _closing(text: str, start: int) -> int:
    depth = 0
    for at in range(start, len(text)) if start >= 0 else ():
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if not depth:
            return at
    return -1


def _choices(text: str) -> list[str]:
    """Return the texts between the commas of a brace."""
    found, depth = [""], 0
    for character in text:
        depth += {"{": 1, "}": -1}.get(character, 0)
        if character == "," and not depth:
            found.append("")
        else:
            found[-1] += character
    return found
