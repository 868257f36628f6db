"""From what is in a project to the rule sets that fit it; pure."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from rulez_py.policy import packs
from rulez_py.suggest.markers import ANYWHERE, MARKERS
from rulez_py.verdict import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rulez_py.policy.model.rule import Rule
    from rulez_py.suggest.markers import Marker

MOST_REASONS = 3
"""The most markers that a message names of one rule set."""
_FLAGS = re.IGNORECASE | re.MULTILINE
_LONGEST = 60
"""Characters of a reason, so that the name of a file does not fill the screen."""


class Suggestion(NamedTuple):
    """A rule set that fits, and by which files: the nearest to the project's root of each marker."""

    pack: str
    why: tuple[str, ...]

    @property
    def first(self) -> str:
        """The reason to name where there is room for one."""
        return self.why[0]

    @property
    def line(self) -> str:
        """The line below `extends:` that takes it."""
        return f"- {packs.PREFIX}{self.pack}"


def to_be_read(paths: Iterable[str]) -> Iterator[str]:
    """Return those of these files whose names alone do not say it."""
    reading = _names(tuple(name for marker in MARKERS if marker.reads for name in marker.files))
    return (path for path in paths if reading.fullmatch(path))


def suggestions(files: Mapping[str, str]) -> tuple[Suggestion, ...]:
    """Return what fits a project with these files: path below its root -> text, which is "" where it was not read.

    The paths are in the order in which messages name them.
    """
    telling = _names(tuple(name for marker in MARKERS for name in marker.files))
    told = [(path, text) for path, text in files.items() if telling.fullmatch(path)]
    found: dict[str, list[str]] = {}
    for marker in MARKERS:
        reason = next((why for path, text in told if (why := _why(marker, path, text))), "")
        if reason and reason not in found.setdefault(marker.pack, []):
            found[marker.pack].append(reason)
    return tuple(Suggestion(pack, tuple(why[:MOST_REASONS])) for pack, why in found.items())


def suits_any() -> Suggestion:
    """Return what fits any project."""
    return Suggestion(ANYWHERE, ("any project",))


def without(found: Iterable[Suggestion], rules: Iterable[Rule]) -> tuple[Suggestion, ...]:
    """Return the sets that have none of these rules."""
    held = {rule["source"].rpartition(":")[0] for rule in rules}
    return tuple(one for one in found if packs.PREFIX + one.pack not in held)


def listed(found: Iterable[Suggestion]) -> str:
    """`terraform (main.tf), containers (Dockerfile)`."""
    return ", ".join(f"{one.pack} ({one.first})" for one in found)


def _why(marker: Marker, path: str, text: str) -> str:
    """Return the reason by which this file is such a marker; "" where it is not."""
    if not _names(marker.files).fullmatch(path):
        return ""
    if not marker.reads:
        return _shown(path)
    held = re.search(marker.holding, text, _FLAGS)
    if held is None or (marker.lacking and re.search(marker.lacking, text, _FLAGS)):
        return ""
    name = held.groupdict().get("name")
    return f"{_shown(path)}: {_shown(name)}" if name else _shown(path)


@cache
def _names(globs: tuple[str, ...]) -> re.Pattern[str]:
    """Return the paths that fit one of these globs by their last parts."""
    either = "|".join(re.escape(glob).replace(r"\*", "[^/]*") for glob in dict.fromkeys(globs))
    return re.compile(f"(?:.*/)?(?:{either})", _FLAGS | re.DOTALL)


def _shown(text: str) -> str:
    """Return the name on one line, whatever characters are in it."""
    said = visible(text)
    return said if len(said) <= _LONGEST else f"...{said[3 - _LONGEST :]}"
