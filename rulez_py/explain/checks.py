"""Why a rule matches or does not: each of its matchers asked by itself, of the command or file that comes nearest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulez_py.event.arguments import ACCESSES
from rulez_py.explain.values import Check
from rulez_py.policy.judging.matching import asked_of_parts, asked_of_the_call, is_about_one_part
from rulez_py.policy.matchers import FILE, KINDS, declared, matcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rulez_py.policy.facts.facts import Facts, Part
    from rulez_py.policy.model.rule import Match

GENERAL = frozenset(declared("GENERAL"))
"""Matchers that nearly every call fits: a rule that has no more than these in common with a call is not near to it."""
_WEAK = frozenset(name for names in declared("SAYS_LITTLE").values() for name in names)
_ANYTHING = ("*", "**")
PROGRAM = "command.program"
_PAIRS = ("any_flag", "all_flags", "no_flag", "environment")
"""A wanted name, and perhaps a glob over its value."""
_MOST_SHOWN = 6
_LONGEST = 64
_NOTHING = "nothing"


def checks(match: Match, facts: Facts) -> tuple[Check, ...]:
    """Return the matchers of a rule in the order in which they are asked, each with the parts of the call that fit."""
    found = {
        kind: [Check(kind, fits, _list(_texts(match[kind])), _of_the_call(kind, match[kind], facts))]
        for kind, fits in asked_of_the_call(match, facts).items()
    }
    asked = tuple(asked_of_parts(match, facts))
    if is_about_one_part(match):
        nearest = _nearest(
            [[one for kind in asked for one in _of_part(match, kind, part, facts)] for part in facts.parts]
        )
        for one in nearest or [Check(kind, False, _list(_texts(match[kind])), _NOTHING) for kind in asked]:
            found.setdefault(one.kind, []).append(one)
    else:
        for kind in asked:
            nearest = _nearest([_of_part(match, kind, part, facts) for part in facts.parts])
            found[kind] = nearest or [Check(kind, False, _list(_texts(match[kind])), _NOTHING)]
    return tuple(one for kind in match if kind in found for one in found[kind])


def is_near(found: Iterable[Check]) -> bool:
    """Tell if a call has something particular that a rule wants: its program, one of its files or hosts, ..."""
    found = tuple(found)
    if any(one.name == PROGRAM and not one.fits for one in found):
        found = tuple(one for one in found if one.kind != "command")
    return any(
        one.fits and one.kind not in GENERAL and one.name not in _WEAK and one.wanted not in _ANYTHING for one in found
    )


def distance(found: Iterable[Check]) -> tuple[int, int]:
    """Return the distance of a rule from a match: the number of failing conditions, and minus that of the others."""
    found = tuple(found)
    fitting = sum(one.fits for one in found)
    return len(found) - fitting, -fitting


def _nearest(each: Iterable[list[Check]]) -> list[Check]:
    """Return the checks of the part that comes nearest, the first of those that come equally near."""
    return min(each, key=lambda one: (_is_another_program(one), *distance(one)), default=[])


def _is_another_program(found: Iterable[Check]) -> bool:
    return any(one.name == PROGRAM and not one.fits for one in found)


# The call as a whole.


def _of_the_call(kind: str, wanted: Any, facts: Facts) -> str:
    """Return the part of a call that a matcher has looked at, in a few words."""
    return _list(matcher(kind).seen(wanted, facts))


# One part of it.


def _of_part(match: Match, kind: str, part: Part, facts: Facts) -> list[Check]:
    wanted = match[kind]
    if kind == "command":
        asked = matcher(kind)
        return _nearest([_of_way(way, asked.each(way, part), part) for way in asked.ways(wanted)])
    fits = asked_of_parts({kind: wanted}, facts)[kind](part)
    if kind == "git":
        each = [_of_git(key, wanted[key], part, facts) for key in wanted]
        return each if fits or not all(one.fits for one in each) else [_of_git("", wanted, part, facts)]
    if kind == "paths":
        return _of_paths(wanted, part, facts, fits=fits)
    if KINDS[kind] == FILE:
        return [Check(kind, fits, _list(_texts(wanted)), _list(file.spelled for file in part.files))]
    wants = getattr(matcher(kind), "wants", list)
    return [Check(kind, fits, _list(wants(wanted)), _list(matcher(kind).seen(wanted, part, facts)))]


def _of_git(key: str, wanted: Any, part: Part, facts: Facts) -> Check:
    """Return the check of one fact of the repository; without a key of all of them together."""
    asked, of_all = matcher("git"), {key: wanted} if key else wanted
    wants = [text.removeprefix(f"{key} ") for text in asked.wants(of_all)]
    seen = [text.removeprefix(f"{key} ") for text in asked.seen(of_all, part, facts)]
    name = f"git.{key}" if key else "git"
    return Check(name, asked_of_parts({"git": of_all}, facts)["git"](part), _list(wants), _list(seen))


_OF_THE_DISK = ("existing", "many", "holding")
"""Keys of `paths` by which it also asks what a file is like; each is asked by itself."""
_UNLIKE = {"existing": "no such file", "many": "another number of files", "holding": "no file with it"}


def _of_paths(wanted: Any, part: Part, facts: Facts, *, fits: bool) -> list[Check]:
    """Return the check of the files, and one of the access and of what a file is like where only that differs."""
    files = matcher("paths").files(wanted, part)
    by_name = {key: value for key, value in wanted.items() if key not in _OF_THE_DISK}

    def fit(**changes: Any) -> bool:
        return asked_of_parts({"paths": {**by_name, **changes}}, facts)["paths"](part)

    named = fits or fit(access=list(ACCESSES))
    there = _list(file.spelled for file in files)
    out = () if named else _taken_out(by_name, part, facts)
    globs = [glob for glob in wanted["globs"] if not out or not glob.startswith("!")]
    found = [Check("paths", named or bool(out), _list(globs), there)]
    if out:
        found.append(Check("paths.globs", False, f"none of {_list(out)}", there))
    if named and len(wanted["access"]) < len(ACCESSES):
        accesses = dict.fromkeys(way for file in files for way in file.access)
        found.append(Check("paths.access", fits or fit(), _list(wanted["access"]), _list(accesses)))
    if named:
        # What a file is like is asked of those that are touched in the wanted way, where there are any.
        way = {} if fits or fit() else {"access": list(ACCESSES)}
        for key in _OF_THE_DISK:
            if key in wanted:
                is_so = fits or fit(**way, **{key: wanted[key]})
                found.append(Check(f"paths.{key}", is_so, _list(_texts(wanted[key])), "" if is_so else _UNLIKE[key]))
    return found


def _taken_out(wanted: Any, part: Part, facts: Facts) -> tuple[str, ...]:
    """Return the globs with `!` that take out the files that the others fit; none where these fit no file either."""
    without = [glob for glob in wanted["globs"] if glob.startswith("!")]

    def fits(taken: Iterable[str]) -> bool:
        globs = [glob for glob in wanted["globs"] if not glob.startswith("!") or glob in taken]
        return asked_of_parts({"paths": {**wanted, "globs": globs}}, facts)["paths"](part)

    return tuple(glob for glob in without if not fits((glob,))) if without and fits(()) else ()


def _of_way(way: Any, each: Any, part: Part) -> list[Check]:
    """Return the checks of one way in which a command may fit, one for each key."""
    return [
        Check(f"command.{key}", fits, _wants(key, way[key]), _list(_of_command(key, part)))
        for key, fits in each.items()
    ] or [Check("command", part.command is not None, "any command", "")]


def _wants(key: str, wanted: Any) -> str:
    if key == "subcommand":
        return _list(" ".join(path) for path in wanted)
    if key in _PAIRS:
        return _list(name if value is None else f"{name}={value}" for name, value in wanted)
    return _list(_texts(wanted))


def _of_command(key: str, part: Part) -> Iterable[str]:
    """Return the texts that a command has for a key of `command`."""
    command = part.command
    if command is None:
        return ("no command",)
    there: dict[str, Callable[[], Iterable[str]]] = {
        "program": lambda: (command.program or "one that is not known",),
        "subcommand": lambda: (one.word.text for one in part.reading.operands[:2]),
        "operands": lambda: (one.word.text for one in part.reading.operands),
        "args": lambda: (word.text for word in command.words[1:]),
        "user": lambda: (command.user,) if command.user else (),
        "via": lambda: command.via,
        "opaque": lambda: command.opaque,
        "stdin_from": lambda: command.fed,
        "stdin": lambda: (data.shown if data.text is None else data.text for data in command.inputs),
        "environment": lambda: (name for name, _ in command.environment),
    }
    if key in there:
        return there[key]()
    return dict.fromkeys(option.word.text for option in part.reading.options)


# In words.


def _texts(wanted: Any) -> list[str]:
    """Return what a matcher wants, in its compiled form, as texts."""
    if isinstance(wanted, str):
        return [wanted]
    if isinstance(wanted, bool):
        return [str(wanted).lower()]
    if isinstance(wanted, dict):
        if "glob" in wanted:
            return [("!" if wanted.get("negate") else "") + wanted["glob"]]
        if "regex" in wanted:
            return [("not:" if wanted.get("negate") else "") + wanted["regex"]]
        return [f"{key} {_list(_texts(value))}" for key, value in wanted.items()]
    if isinstance(wanted, (list, tuple)):
        return [text for one in wanted for text in _texts(one)]
    return [str(wanted)]


def _list(texts: Iterable[str]) -> str:
    """`a, b, c and 4 more`; "nothing" of none."""
    found = [_short(" ".join(text.split())) or '""' for text in texts]
    more = len(found) - _MOST_SHOWN
    return (", ".join(found[:_MOST_SHOWN]) + (f" and {more} more" if more > 0 else "")) or _NOTHING


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
