"""Exceptions from rules that a person makes until they take them back: `rulez allow --project`, `rulez allow --this`.

One file of rulez' own beside the user's policy, which no person has to edit: whose rule, where, for which part of it,
until when, by whom and why.

INVARIANT: in doubt nothing is excepted: a file that is damaged, or that another user may write, excepts nothing.
"""

from __future__ import annotations

import os
import time

from rulez_py.analysis import Value
from rulez_py.system import jsontext
from rulez_py.system.files import (
    NO_SYMLINK,
    open_regular,
    private_directory,
    read_pieces,
    try_lock,
    why_not_private,
)
from rulez_py.verdict import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from rulez_py.system.places import Places

FILE = "exceptions.json"
LONGEST = 366 * 24 * 3600
"""Seconds that an exception with an end may last."""

_VERSION = 1
_LARGEST = 1024 * 1024
_MOST = 1000
_TRIES, _PAUSE = 50, 0.02


class Excepted(Value):
    """One exception: rule `rule` of the set or file `of` only logs in the project `root` ("" for everywhere).

    `only` is the part of the rule that it is about, in the form of a rule's `except`; {} is everything. `made` and
    `until` are in seconds since the epoch, `until` 0 without an end. `by` is a user's name, `why` the reason they
    gave, "" without one.
    """

    number: int
    rule: str
    of: str
    root: str = ""
    only: Mapping[str, Any] = {}
    made: float
    until: float = 0.0
    by: str = ""
    why: str = ""

    def holds(self, root: str, now: float) -> bool:
        """Tell whether it does in the project with this root."""
        return self.root in ("", root) and self.made <= now and (not self.until or now < self.until)


class CannotKeep(Exception):
    """The file cannot be read or written; the message says why, and what to do."""


def path_of(places: Places) -> str:
    """Return where exceptions are kept."""
    return os.path.join(os.path.dirname(places.user_policy), FILE)


def read(places: Places) -> tuple[tuple[Excepted, ...], str]:
    """Every exception that there is, also those that are over, and what is wrong with the file, "" where nothing is.

    Raises nothing.
    """
    path = path_of(places)
    try:
        descriptor = open_regular(path, os.O_RDONLY | NO_SYMLINK)
    except FileNotFoundError:
        return (), ""
    except OSError as error:
        return (), f"{path} cannot be read ({error.strerror or error}), so it excepts nothing"
    try:
        why = why_not_private(os.fstat(descriptor))
    finally:
        os.close(descriptor)
    if why:
        return (), f"{path} {why}, so it excepts nothing: a person should look who wrote it, and remove it"
    try:
        return _exceptions(jsontext.loads(b"".join(read_pieces(path, _LARGEST, os.O_RDONLY | NO_SYMLINK)))), ""
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return (), f"{path} is damaged, so it excepts nothing: a person should look who wrote it, and remove it"


def add(places: Places, wanted: Iterable[Excepted]) -> tuple[Excepted, ...]:
    """Keep these, each with a number of its own; one that is there already in the same words stays as it is.

    The result are those that hold for them. Raises CannotKeep.
    """
    found: list[Excepted] = []

    def change(there: tuple[Excepted, ...]) -> tuple[Excepted, ...]:
        kept = list(there)
        for one in wanted:
            same = next((other for other in kept if _what(other) == _what(one)), None)
            if same is None:
                same = one.replace(number=max((other.number for other in kept), default=0) + 1)
                kept.append(same)
            found.append(same)
        if len(kept) > _MOST:
            raise CannotKeep(f"there are {_MOST} exceptions already: take some away, `rulez allow --list` shows them")
        return tuple(kept)

    _changed(places, change)
    return tuple(found)


def remove(places: Places, number: int) -> Excepted | None:
    """Take one away; it, or None where there is no such. Raises CannotKeep."""
    gone: list[Excepted] = []

    def change(there: tuple[Excepted, ...]) -> tuple[Excepted, ...]:
        gone.extend(one for one in there if one.number == number)
        return tuple(one for one in there if one.number != number)

    _changed(places, change)
    return gone[0] if gone else None


def in_words(one: Excepted) -> str:
    """Return an exception in one line, for people."""
    what = f"`{one.rule}` ({one.of}) only logs"
    if one.only:
        what += f" what fits {jsontext.dumps(one.only)}"
    where = f"in {one.root}" if one.root else "everywhere"
    until = f", until {time.strftime('%Y-%m-%d %H:%M', time.localtime(one.until))}" if one.until else ""
    since = time.strftime("%Y-%m-%d", time.localtime(one.made))
    said = f", since {since}{f' by {one.by}' if one.by else ''}{f': {one.why}' if one.why else ''}"
    return visible(f"{one.number}: {what} {where}{until}{said}")


def as_json(one: Excepted) -> dict[str, Any]:
    """Return an exception for programs."""
    return {
        "number": one.number,
        "rule": one.rule,
        "of": one.of,
        "project": one.root or None,
        "only": dict(one.only) or None,
        "made": _moment(one.made),
        "until": _moment(one.until) if one.until else None,
        "by": one.by or None,
        "why": one.why or None,
    }


def _moment(when: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when))


def _what(one: Excepted) -> tuple[object, ...]:
    """Return the key that equal exceptions share."""
    return one.rule, one.of, one.root, jsontext.dumps(one.only), one.until


def _changed(places: Places, change: Callable[[tuple[Excepted, ...]], tuple[Excepted, ...]]) -> None:
    path = path_of(places)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        private_directory(places.state)
        lock = _lock(os.path.join(places.state, f"{FILE}.lock"))
    except OSError as error:
        raise CannotKeep(f"{path} cannot be written: {error.strerror or error}") from None
    try:
        there, problem = read(places)
        if problem:
            raise CannotKeep(problem)
        after = change(there)
        if after != there:
            _write(path, after)
    except OSError as error:
        raise CannotKeep(f"{path} cannot be written: {error.strerror or error}") from None
    finally:
        os.close(lock)


def _lock(path: str) -> int:
    for _ in range(_TRIES):
        lock = try_lock(path)
        if lock is not None:
            return lock
        time.sleep(_PAUSE)
    raise CannotKeep("another rulez is writing exceptions just now; try again")


def _write(path: str, exceptions: tuple[Excepted, ...]) -> None:
    content = jsontext.dumps({"version": _VERSION, "exceptions": [one.as_dict() for one in exceptions]})
    new = f"{path}.{os.getpid()}.new"
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_SYMLINK, 0o600)
    with open(descriptor, "wb") as file:
        file.write(content.encode("utf-8", "surrogatepass") + b"\n")
        file.flush()
        os.fsync(descriptor)
    os.replace(new, path)


def _exceptions(value: Any) -> tuple[Excepted, ...]:
    """Raises ValueError, TypeError, LookupError, AttributeError where it is not what `_write` writes."""
    if value["version"] != _VERSION:
        raise ValueError("written by another version")
    return tuple(_exception(one) for one in value["exceptions"])


def _exception(one: Any) -> Excepted:
    texts = {name: one[name] for name in ("rule", "of", "root", "by", "why")}
    numbers = {name: one[name] for name in ("made", "until")}
    right = all(isinstance(text, str) for text in texts.values()) and isinstance(one["only"], dict)
    right = right and all(type(number) in (int, float) and number == number for number in numbers.values())
    if not right or type(one["number"]) is not int or not texts["rule"] or not texts["of"]:
        raise ValueError("no exception")
    return Excepted(number=one["number"], only=one["only"], **texts, **numbers)
