"""`paths`: which files are touched, and how."""

from __future__ import annotations

from rulez_py.policy.patterns import globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, NotRequired, TypedDict

    from rulez_py.documents.types import Kind
    from rulez_py.policy.facts.disk import Touched
    from rulez_py.policy.facts.facts import Facts, Part
    from rulez_py.policy.matchers.index_keys import Filing
    from rulez_py.policy.model.rule import Match

    class Paths(TypedDict):
        """The compiled form."""

        globs: list[str]
        texts: list[str]
        access: list[str]
        unknown: NotRequired[str]
        existing: NotRequired[bool]
        many: NotRequired[bool]
        holding: NotRequired[str]


_OUT = "../"
MATCH, ASK, IGNORE = "match", "ask", "ignore"
LEANINGS = (ASK, MATCH, IGNORE)
"""How a rule counts a file that is only named to a program with unknown effects."""

ABOUT = "Files that the agent's tools (shell commands, patches and MCP tools too) read, write, delete or send away."
EXAMPLE = r'paths: {globs: [".env", "!.env.example"], access: [read]}'
VARIABLES = ("globs",)
SAYS_LITTLE = ("paths.access",)


def schema() -> Kind:
    from rulez_py.documents.types import Map, Short, check_not_blank, text
    from rulez_py.event.arguments import ACCESSES
    from rulez_py.policy.matchers.schema_parts import GLOBS, SWITCH, one_of, one_or_many

    whole = Map(
        name="Paths",
        about="Files the call touches.",
        needs=("globs",),
        fields={
            "globs": (GLOBS, "gitignore-style patterns relative to the project root; `!` takes files out again."),
            "access": (one_or_many(one_of(ACCESSES)), "How the file is touched. Default: in any way."),
            "unknown": (
                one_of(LEANINGS),
                "For a file that a program names whose use of it is not known. `match`: as if it were read "
                "and written; "
                "`ask` (default): the same, but a rule that blocks asks; `ignore`: not at all.",
            ),
            "existing": (
                SWITCH,
                "true: not a file that is new, as the command line or the disk says.",
            ),
            "many": (
                SWITCH,
                "true: only more than one file: a directory with all below it, a pattern, a list, several in one "
                "directory. false: only a file alone.",
            ),
            "holding": (
                text(check_not_blank),
                "Only files that hold this text on the disk; of a directory, if one in it does, at most two "
                "directories "
                "below. A file that cannot be read counts.",
            ),
        },
    )
    return Short(key="globs", whole=whole, lists=True)


def compiled(wanted: Mapping[str, Any]) -> Paths:
    from rulez_py.event.arguments import ACCESSES

    access = wanted.get("access", list(ACCESSES))
    found: Paths = {"globs": wanted["globs"], "texts": _texts(wanted["globs"]), "access": access}
    if "unknown" in wanted:
        found["unknown"] = wanted["unknown"]
    if wanted.get("existing"):
        found["existing"] = True
    if "many" in wanted:
        found["many"] = wanted["many"]
    if "holding" in wanted:
        found["holding"] = wanted["holding"]
    return found


def with_more_globs(wanted: Paths, patterns: Iterable[str]) -> Paths:
    """Return the same of further files as well."""
    further = list(patterns)
    texts = list(dict.fromkeys((*wanted["texts"], *_texts(further))))
    return {**wanted, "globs": [*wanted["globs"], *further], "texts": texts}


def _texts(patterns: list[str]) -> list[str]:
    """Plain texts: everything that the globs match has one of them in it. "" among them where one glob has none."""
    from rulez_py.policy.matchers import index_keys

    plain = (pattern for pattern in patterns if not globs.takes_out(pattern))
    pieces = ([""] if pattern.startswith(_OUT) else index_keys.of_globs([pattern]) for pattern in plain)
    return list(dict.fromkeys(piece for found in pieces for piece in found))


def filed_by(match: Match) -> Filing | None:
    from rulez_py.analysis import DELETE, WRITE
    from rulez_py.policy.matchers import index_keys

    subject = "files" if leaning(match["paths"]) == IGNORE else "named"
    access = set(match["paths"]["access"])
    if access <= {DELETE, WRITE}:
        subject = "changed" if WRITE in access else "deleted"
    return subject, index_keys.of_globs(match["paths"]["globs"])


NOWHERE = "//"
"""No path has it in it."""


def filed_below(match: Match) -> list[str]:
    """For each pattern that is a place a piece of the paths of directories in which it may lie (`lies_below`).

    The first name in it, NOWHERE without one. INVARIANT: home, the project and all above them are not asked for these.
    """
    places = (_start(pattern, "", "")[0] for pattern in match["paths"]["globs"] if not globs.takes_out(pattern))
    return [(place.split("/")[1:] or [place])[0].lower() or NOWHERE for place in places if place]


def leaning(wanted: Paths) -> str:
    """Return one of LEANINGS."""
    return wanted.get("unknown", ASK)


def files(wanted: Paths, part: Part) -> tuple[Touched, ...]:
    """Return the files of a part that it is about: also those that are only named."""
    return part.files if not part.named or leaning(wanted) == IGNORE else part.files + part.named


def possible(wanted: Paths, part: Part) -> tuple[Touched, ...]:
    """Return those of `files` that may fit.

    Of a directory's many names most rules are about none, and one search says so.
    """
    found = files(wanted, part)
    if len(found) <= _FEW or any(map(part.paths.__contains__, wanted["texts"])):
        return found
    return part.open_ended if found is part.files else part.open_ended + part.named_open_ended


_FEW = 4
"""So many files are asked about one by one."""


def fits(wanted: Paths, file: Touched, facts: Facts, *, strict: bool) -> bool:
    if not _named(wanted, file, facts, strict=strict):
        return False
    if "existing" in wanted and not strict and not _may_be_there(file, facts):
        return False
    if "many" in wanted and _is_many(file, facts) is not wanted["many"]:
        return False
    if "holding" not in wanted:
        return True
    held = facts.holding.holds(file, wanted["holding"])
    return held is True if strict else held is not False


def _may_be_there(file: Touched, facts: Facts) -> bool:
    """Tell whether a file may be on the disk."""
    return not file.known or bool(file.among) or facts.may_be_there(file.path)


def _is_many(file: Touched, facts: Facts) -> bool | None:
    """Tell if it is more than one file; None where that is unknown.

    A directory is, unless the disk has something else there.
    """
    if file.many is False and file.deep:
        return not file.known or not facts.is_file(file.path)
    return file.many


def _named(wanted: Paths, file: Touched, facts: Facts, *, strict: bool) -> bool:
    enough = all if strict else any
    if not enough(way in wanted["access"] for way in file.access) or (file.new and "existing" in wanted):
        return False
    held = any(map(file.path.lower().__contains__, wanted["texts"]))
    if not held and (strict or not (file.deep or file.among or "~" in file.path)):
        return False  # Most files end here, so nothing is built before.
    patterns = wanted["globs"]
    path, root, home = file.path, facts.root_above(file.path), facts.home_above(file.path)
    if not strict and (other := home_of_root(path)) and other != home:
        # What a rule guards in a home, root has in its own; what is everything in a home is outside the project.
        home, patterns = other, [pattern for pattern in patterns if pattern.lstrip("!") not in _EVERYTHING_AT_HOME]
    if facts.around.ignore_case:
        patterns = [pattern.lower() for pattern in patterns]
        path, root, home = path.lower(), root.lower(), home.lower()
    if file.deep and strict:
        # A file that a pattern takes out again may lie below.
        patterns = [] if any(map(globs.takes_out, patterns)) else patterns
    if held and any_path(patterns, path, root, home, file.spelled):
        return True
    if strict:
        return False
    if (file.among or "~" in path) and _may_be_one(patterns, file, path, root, home):
        return True
    return file.deep and lies_below(patterns, path, root, home)


_EVERYTHING_AT_HOME = ("~", "~/*", "~/**", "~/?*")
_HOMES_OF_ROOT = ("/root", "/var/root", "/private/var/root")


def home_of_root(path: str) -> str:
    """Return the home of root, as Linux or macOS have it, that a path is in; "" for any other place."""
    return next((home for home in _HOMES_OF_ROOT if path.startswith(home + "/")), "")


def _may_be_one(patterns: list[str], file: Touched, path: str, root: str, home: str) -> bool:
    """Tell if one of the unknown files may fit."""
    from rulez_py.policy.facts.possible_names import may_fit  # Most files are known.

    if not file.among:
        from rulez_py.policy.patterns.spellings import short

        directory, slash, name = path.rpartition("/")
        pattern = short(name)
        if not pattern:
            return False
        path = f"{directory}{slash}{pattern}"
    return may_fit(patterns, path, lambda pattern, one: fits_path(pattern, one, root, home, file.spelled))


def about(wanted: Paths, file: Touched) -> Touched:
    """Return the file as a rule that fits is about it: touched in those ways only."""
    return file.replace(access=tuple(way for way in file.access if way in wanted["access"]))


# The parts of a glob.


def any_path(patterns: list[str], absolute: str, root: str, home: str, spelled: str = "") -> bool:
    """Tell whether a file fits a pattern list: the last pattern that fits decides, `!` switches off."""
    lower = absolute.lower()
    return globs.takes(
        patterns,
        lambda pattern: (
            (_piece(pattern) in lower or pattern.startswith(_OUT)) and fits_path(pattern, absolute, root, home, spelled)
        ),
    )


def lies_below(patterns: list[str], directory: str, root: str, home: str) -> bool:
    """Tell whether a pattern list is about something below a directory, by what the patterns say alone.

    A pattern that is a place says so by the part of it that is plain text; one that fits anywhere says nothing.
    """
    inside = directory.rstrip("/") + "/"
    key = (*patterns, root, home)
    if key not in _above:
        if len(_above) >= globs.MOST_READ:
            _above.clear()
        places = [_start(pattern, root, home)[0] for pattern in patterns if not globs.takes_out(pattern)]
        _above[key] = frozenset(above for place in places for above in (place, *_directories(place)))
    if inside not in _above[key] and directory not in _above[key]:
        return False  # Most directories end here, however many patterns there are.
    fits, place = False, ""
    for pattern in patterns:
        if globs.takes_out(pattern):
            fits = fits and not fits_path(pattern[1:], place, root, home)
        elif not fits:
            place, rest = _start(pattern, root, home)
            fits = place.startswith(inside) or (place == directory and rest in ("*", "**", "**/*"))
    return fits


def _directories(place: str) -> Iterator[str]:
    """Yield each directory above a place, with a slash behind it."""
    at = place.find("/")
    while at >= 0:
        yield place[: at + 1]
        at = place.find("/", at + 1)


def _start(pattern: str, root: str, home: str) -> tuple[str, str]:
    """Return the directory or file that the plain text at a pattern's start names, and the rest of the pattern.

    ("", pattern) where it fits anywhere.
    """
    body = pattern.rstrip("/")
    if body == "~" or body.startswith("~/"):
        place, rest = home.rstrip("/"), body[2:]
    elif pattern.startswith("/"):
        place, rest = "", body[1:]
    elif body[1:3] == ":/" and not globs.is_glob(body[0]):
        place, rest = body[:2], body[3:]
    elif "/" in body and not body.startswith(("**/", _OUT)):
        place, rest = root.rstrip("/"), body.removeprefix("./")
    else:
        return "", pattern
    while rest:
        name, _, behind = rest.partition("/")
        if globs.is_glob(name) or "\\" in name:
            break
        place, rest = f"{place}/{name}", behind
    return place or "/", rest


_above: dict[tuple[str, ...], frozenset[str]] = {}
"""For patterns, a root and a home: the places that the patterns are about, and the directories above these."""
_pieces: dict[str, str] = {}


def _piece(pattern: str) -> str:
    """`literal`, remembered."""
    if pattern not in _pieces:
        if len(_pieces) >= globs.MOST_READ:
            _pieces.clear()
        _pieces[pattern] = globs.literal(pattern)
    return _pieces[pattern]


def fits_path(pattern: str, absolute: str, root: str, home: str, spelled: str = "") -> bool:
    """Tell whether a file fits one gitignore-style pattern (without `!`), or lies below a directory that does.

    `absolute` is the file's normalised path with forward slashes, `root` the project root, `home` the user's home.
    A pattern that starts with `/`, `~/` or a drive is a place on this machine; one with another slash in it is relative
    to the project root; one without fits a name at any depth, inside the project or out of it. A final slash says
    "directory", which a path alone does not say, so it changes nothing. One that starts with `../` is about how
    the path was `spelled`: relative, and leading out of where it starts.
    """
    relative = _below(absolute, root)
    subject: str | None = absolute
    body = pattern.rstrip("/")
    if body == "~" or body.startswith("~/"):
        pieces = ((globs.TEXT, home.rstrip("/")), *globs.segments(body[1:]))
    elif pattern.startswith("/") or body[1:3] == ":/":
        pieces = globs.segments(body)
    elif body.startswith(_OUT):
        subject, pieces = way_out(spelled), globs.segments(body)
    elif body.startswith("./"):
        subject, pieces = relative, globs.segments(body[2:])
    elif "/" in body and not body.startswith("**/"):
        subject, pieces = relative, globs.segments(body)
    else:
        subject = relative if relative is not None else absolute
        pieces = (_ANYWHERE, *globs.segments(body.removeprefix("**/")))
    return subject is not None and globs.fits((*pieces, _OR_BELOW), subject)


_ANYWHERE = (globs.DIRECTORIES, None)
_OR_BELOW = (globs.BELOW, None)


def way_out(spelled: str) -> str | None:
    """Return a relative path that leads out of where it starts, normalised; None of any other."""
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


def _below(absolute: str, root: str) -> str | None:
    if absolute == root:
        return "."
    prefix = root if root.endswith("/") else root + "/"
    return absolute[len(prefix) :] if absolute.startswith(prefix) else None
