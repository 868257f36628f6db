"""Resolve a path to files on the disk: links followed, shell patterns expanded, what lies in a directory.

The disk is looked at as little as shows what a rule can be about, and never without bound.
"""

from __future__ import annotations

import os

from rulez_py.analysis import Value
from rulez_py.event.arguments import DELETE, READ, plain_path
from rulez_py.policy.patterns import globs, regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rulez_py.analysis import File

_MOST_FILES = 2000
"""Files that patterns are expanded to."""
_FEWEST_FILES = 50
"""Files that one pattern is expanded to, however many others have been."""
_MOST_FOLLOWED = 500
"""Of them, those whose links are followed."""
_MOST_INSIDE = 2_000
"""Files that are looked at in the directories that one pattern names."""
_MOST_LISTED = 100
"""Directories that are listed for what lies in them."""
_MOST_BETWEEN = 5_000
"""Directories that the middle of one pattern names."""
_MOST_SEARCHED = 1_000
"""Directories in which one pattern is looked for."""
_MOST_ENTRIES = 100_000
"""Names that are looked at for one call."""


class Touched(Value):
    """One reading of a file the call touches: as the agent spelled it, and its absolute normalised path.

    `deep` says that all below it counts, `known` that its path is what will be touched. `at` is where a command line
    names it, as two offsets; (0, 0) where it does not. `opened` says that the shell opens it, by a redirection; `among`
    that it is only one of those in its directory, `new` that it is not there before (`analysis.File`). `many` says that
    a pattern names it, or that it is one of several that a command deletes from one directory; None that tests choose
    which, and may leave one, or none. `keeps` says that what is in the file stays in it (`analysis.Touch`).
    """

    spelled: str
    path: str
    access: tuple[str, ...]
    deep: bool = False
    known: bool = True
    at: tuple[int, int] = (0, 0)
    opened: bool = False
    among: str = ""
    new: bool = False
    many: bool | None = False
    keeps: bool = False


class Disk:
    """The files of a machine as one call sees them.

    Relative ones may start at each of `bases`; `places` are the project and the home, under each of their names.
    """

    def __init__(
        self,
        real_path: Callable[[str], str],
        names_in: Callable[[str], list[str]],
        bases: tuple[str, ...],
        places: Callable[[], tuple[str, ...]],
        *,
        home: str,
    ) -> None:
        self._real_path = real_path
        self._names_in = names_in
        self._bases = bases
        self._places = places
        self._home = home
        self._listed: dict[str, list[str]] = {}
        self._entries = 0
        self._named = 0
        self._supposed = 0
        self._known_expansions: dict[tuple[str, str], tuple[list[str], bool]] = {}
        self._known_readings: dict[tuple[str, bool], tuple[str, ...]] = {}

    def readings(self, path: str, *, follow: bool = True) -> tuple[str, ...]:
        """Return the absolute normalised paths that a path as it is spelled may mean.

        Without `follow` a link is itself.
        """
        key = path, follow
        if key not in self._known_readings:
            self._known_readings[key] = self._readings(path, follow)
        return self._known_readings[key]

    def _readings(self, path: str, follow: bool) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for base in self._starts(path):
            written = joined(path, base, self._home)
            absolute = os.path.normpath(written)
            found[absolute] = None
            directory, _, name = absolute.rpartition(os.sep)
            found[self._real_path(absolute) if follow else os.path.join(self._real_path(directory or os.sep), name)] = (
                None
            )
            if ".." in written:
                # `link/..` is the place beside the link for some programs, beside what it points to for others.
                found[self._real_path(written)] = None
        if any(map(_is_odd, found)):
            from rulez_py.policy.patterns.spellings import others

            found |= {other: None for one in found for other in others(one)}
        return tuple(map(slashed, found))

    def _starts(self, path: str) -> tuple[str, ...]:
        """Return the directories that a path may start at; for an absolute one the first will do."""
        return self._bases[:1] if os.path.isabs(joined(path, "", self._home)) else self._bases

    def named(self, file: File) -> Iterator[Touched]:
        """Yield the same of a file that is only named; a bound limits how many missing ones a call looks up."""
        self._supposed += 1
        if self._supposed <= _MOST_FOLLOWED:
            yield from self.touched(file)
            return
        for base in self._starts(file.path):
            yield _touched(file, file.path, slashed(os.path.normpath(joined(file.path, base, self._home))), deep=False)

    def touched(self, file: File) -> Iterator[Touched]:
        """Yield every file that a command touches where it names this one."""
        # A shell passes a pattern that matches nothing on as it is.
        named: list[str] = []
        for base in self._bases if file.glob else ():
            expanded, whole = self._expansions(file.glob, base)
            if not whole:
                # Too much to look at: it may be anything below.
                for path in self.readings(_plain_start(file.path)):
                    yield _touched(file, file.path, path, deep=True)
            named += expanded
        spellings = named if named and file.known else [file.path, *named]
        directories: dict[str, None] = {}
        # The deletion removes the link itself.
        follow = file.access != (DELETE,)
        for count, spelled in enumerate(spellings):
            plain = (slashed(os.path.normpath(spelled)),)
            readings = self.readings(spelled, follow=follow) if count <= _MOST_FOLLOWED else plain
            for path in readings:
                directories[path] = None
                one = _touched(file, file.path, path, deep=file.deep)
                # The disk has this name: it is no guess. The guess is the file itself, for whatever else may be there.
                yield one.replace(among="", known=True) if file.among and spelled is not file.path else one
        if file.among:
            yield from self._found_by_name(file)
        inside = 0
        for path in directories if file.deep else ():
            for touched in self._inside(file, path):
                inside += 1
                if inside > _MOST_INSIDE:
                    return
                yield touched

    def _found_by_name(self, file: File) -> Iterator[Touched]:
        """Yield the files that fit a pattern of names in a directory, and below it where rules ask for them."""
        from rulez_py.analysis import BELOW, SOME

        start, slash, name = file.path.rpartition("/")
        every = not any(character.isalnum() for character in name)
        # A command that moves or rewrites everything (`sed -i s/a/b/ *`) is about the files of the project.
        if _is_magic(start) and name == SOME:
            yield from self._found_inside(file, start)
        if name == SOME or _is_magic(start) or (every and file.access != (READ,)):
            return
        for directory in self.readings(start or slash or "."):
            within = directory.rstrip("/") + "/"
            places = [directory]
            if file.among == BELOW:
                places += [place for place in self._places() if place.startswith(within)]
                places += [f"{place.rstrip('/')}/{one}" for place in tuple(places) for one in self._hidden(place)]
            for place in dict.fromkeys(places):
                for one in self._names(place):
                    if _name_fits(name, one, hidden=True):
                        path = f"{place.rstrip('/')}/{one}"
                        # It is one of them: this name is no guess.
                        yield _touched(file, path, path, deep=file.deep).replace(among="", known=True)

    def _found_inside(self, file: File, pattern: str) -> Iterator[Touched]:
        """Some of what lies in a directory whose name fits."""
        above, _, name = pattern.rpartition("/")
        if _is_magic(above):
            return
        for directory in self.readings(above or "."):
            for one in self._names(directory):
                if _name_fits(name, one, hidden=any(character.isalnum() for character in name)):
                    path = f"{directory.rstrip('/')}/{one}/{{}}"
                    yield _touched(file, path, path, deep=False)

    def _hidden(self, directory: str) -> list[str]:
        """Return the hidden directories there, which hold what rules are about; git's own has another rule."""
        return [name for name in self._names(directory) if name[:1] == "." and "." not in name[1:] and name != ".git"]

    def _inside(self, file: File, directory: str) -> Iterator[Touched]:
        """Yield what lies directly in a directory, and in the home and the project where they lie below it."""
        within = directory.rstrip("/") + "/"
        below = (place for place in self._places() if place.startswith(within))
        for place in dict.fromkeys((directory, *below)):
            for name in self._names(place):
                path = f"{place.rstrip('/')}/{name}"
                one = _touched(file, file.path.rstrip("/") + path[len(within) - 1 :], path, deep=False)
                # It goes with all that lies there.
                yield one if one.many is None else one.replace(many=True)

    def _names(self, directory: str, most: int = _MOST_LISTED) -> list[str]:
        """Return the names in a directory; none once enough have been looked at."""
        names = self._listed.get(directory)
        if names is None:
            if len(self._listed) >= most or self._entries >= _MOST_ENTRIES:
                return []
            # Rules are mostly about hidden files.
            names = self._listed[directory] = sorted(self._names_in(directory), key=lambda name: name[:1] != ".")
        self._entries += len(names)
        return names if self._entries <= _MOST_ENTRIES else []

    def _expansions(self, pattern: str, base: str) -> tuple[list[str], bool]:
        """Return the files that a shell pattern names, and whether it was looked for wherever it may name some."""
        key = (pattern, "" if pattern.startswith("/") else base)
        if key not in self._known_expansions:
            found = self._expanded(pattern, base)
            self._named += len(found)
            cut = len(self._listed) >= _MOST_SEARCHED or self._entries > _MOST_ENTRIES or len(found) >= _MOST_BETWEEN
            self._known_expansions[key] = found[:_MOST_FILES], not cut
        return self._known_expansions[key]

    def _expanded(self, pattern: str, base: str) -> list[str]:
        found = ["/" if pattern.startswith("/") else base]
        *middle, last = pattern.split("/")
        for segment in middle:
            found = self._further(segment, found, _MOST_BETWEEN)
        return self._further(last, found, max(_FEWEST_FILES, _MOST_FILES - self._named))

    def _further(self, segment: str, found: list[str], most: int) -> list[str]:
        """Return what one part of a pattern names in these directories."""
        if not _is_magic(segment):
            name = segment.replace("\\", "")
            return [os.path.join(directory, name) for directory in found] if name else found
        # `**` may also be no directory at all.
        return [*(found if segment == "**" else ()), *self._fitting(segment, found, most)]

    def _fitting(self, segment: str, directories: list[str], most: int) -> list[str]:
        """Return what a pattern without slashes names in some directories."""
        found: list[str] = []
        for directory in directories:
            for name in self._names(directory, _MOST_SEARCHED):
                if _name_fits(segment, name):
                    found.append(os.path.join(directory, name))
                    if len(found) >= most:
                        return found
        return found


def _is_odd(path: str) -> bool:
    """Tell whether a path may be spelled otherwise (`spellings.py`); most are not."""
    return not path.isascii() or path[-1:] in (".", " ") or any(character in path for character in _ODD)


_ODD = ("\\", ":", "./", " /")


def _touched(file: File, spelled: str, path: str, *, deep: bool) -> Touched:
    return Touched(
        spelled=spelled,
        path=path,
        access=file.access,
        deep=deep,
        known=file.known,
        at=file.at,
        opened=file.opened,
        among=file.among,
        new=file.new,
        many=None if file.among or file.some else bool(file.glob),
        keeps=file.keeps,
    )


def _plain_start(pattern: str) -> str:
    """Return the directory below which every file lies that a pattern can name."""
    segments = pattern.split("/")
    plain = next((at for at, segment in enumerate(segments) if _is_magic(segment)), len(segments))
    return "/".join(segments[:plain]) or ("/" if pattern.startswith("/") else ".")


def _is_magic(segment: str) -> bool:
    """Tell if a shell reads a part of a path as a pattern."""
    plain = False
    for character in segment:
        if plain:
            plain = False
        elif character == "\\":
            plain = True
        elif character in "*?[":
            return True
    return False


def _name_fits(segment: str, name: str, *, hidden: bool = False) -> bool:
    """Tell whether a name fits a shell pattern; with `hidden` one that begins with a dot fits as any other does."""
    if name.startswith(".") and not segment.startswith((".", "\\.", "[")) and not hidden:
        return False
    if segment in ("*", "**") or "[:" in segment:
        return True
    for character in "{},":
        segment = segment.replace(character, "\\" + character)
    try:
        return globs.plain(segment, name) if not segment.endswith("\\") else True
    except regex.BadPattern:
        return True


def joined(path: str, base: str, home: str) -> str:
    """Return an absolute path, not normalised; `~` and a relative start are filled in."""
    path = plain_path(path)
    if path == "~" or path.startswith(("~/", "~\\")):
        path = home + path[1:]
    return os.path.join(base, path.replace("\x00", ""))


def slashed(path: str) -> str:
    """Return the path with forward slashes (and a single leading one)."""
    path = path.replace(os.sep, "/")
    return path[1:] if path.startswith("//") else path
