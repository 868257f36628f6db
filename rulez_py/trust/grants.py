"""Grants: calls that a person lets pass for a time, by a pause of the rules or one by one.

Each is a file of its own in `grants/` in the state directory. A pause ends by itself; a call passes once, for which its
file gets another name: of two hooks that judge the same call, both see that it is the one.

INVARIANT: in doubt nothing passes: a file that is damaged, or that another user may write, grants nothing, and neither
clock can make one last longer when it is set back.
"""

from __future__ import annotations

import os
import stat
import time

from rulez_py.analysis import Value
from rulez_py.system import jsontext
from rulez_py.system.files import NO_SYMLINK, open_regular, private_directory, read_pieces, why_not_private
from rulez_py.trust.digests import content_digest
from rulez_py.verdict import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from rulez_py.system.places import Places

DIRECTORY = "grants"
PAUSE, ONCE = "pause", "once"
LONGEST = {PAUSE: 24 * 3600, ONCE: 3600}
"""Seconds that a grant may last."""

_VERSION = 1
_LARGEST = 64 * 1024
_WHOLE = ".json"
_USED = ".used"


class Grant(Value):
    """One thing that a person lets pass: `kind` is PAUSE or ONCE.

    `root` is the project it is about, "" for all. `made` is in seconds since the epoch, `clock` what `clock()` said
    then; it lasts `seconds`. Of one call: `text` is what it is about as the log shows it, `digest` that of the exact
    text where it is known, else ""; `tool` and `cwd` are those of the call, "" for any.
    """

    kind: str
    root: str
    made: float
    clock: float
    seconds: float
    text: str = ""
    digest: str = ""
    tool: str = ""
    cwd: str = ""
    path: str = ""

    @property
    def until(self) -> float:
        """When it ends, in seconds since the epoch."""
        return self.made + self.seconds

    def holds(self, now: float, ticks: float) -> bool:
        """Tell whether it still does at a time that both clocks tell."""
        return self.made <= now < self.until and self.clock <= ticks < self.clock + self.seconds


class Call(Value):
    """One call as a grant is compared with it: `key` is the same for every hook that judges it, "" where unknown.

    `texts` are all that it is about: each of its commands, or its files as the log shows them.
    """

    root: str
    tool: str
    cwd: str
    texts: tuple[str, ...]
    shown: str
    key: str


class Granted(Value):
    """The grants that hold, and the problems of files without any."""

    grants: tuple[Grant, ...] = ()
    problems: tuple[str, ...] = ()


def clock() -> float:
    """Return seconds of a clock that cannot be set, and that runs on while the machine sleeps, where it has one."""
    which = getattr(time, "CLOCK_BOOTTIME", None)
    return time.clock_gettime(which) if which is not None else time.monotonic()


def directory(places: Places) -> str:
    """Return where the grants are; it is there only while there are some."""
    return os.path.join(places.state, DIRECTORY)


def granted(places: Places, now: float, ticks: float) -> Granted:
    """Return what holds now; what has ended is removed. Raises nothing."""
    grants, problems = [], []
    for path, found in _files(places):
        if isinstance(found, str):
            problems.append(
                f"{path} {found}, so it lets nothing pass: a person should look who wrote it, and remove it"
            )
        elif found.holds(now, ticks):
            if path.endswith(_WHOLE):
                grants.append(found)
        else:
            _remove(path)
    if not grants and not problems:
        _tidy(places)
    return Granted(grants=tuple(grants), problems=tuple(problems))


def passes(places: Places, call: Call, now: float, ticks: float) -> tuple[Grant | None, tuple[str, ...]]:
    """Return what lets this call pass, and what is wrong with files that might.

    A grant of one call is used up by that.
    """
    found = granted(places, now, ticks)
    pause = next((one for one in found.grants if one.kind == PAUSE and _is_in(one, call)), None)
    if pause is not None:
        return pause, found.problems
    for one in found.grants:
        if one.kind == ONCE and _is_meant(one, call) and _use(one, call):
            return one, found.problems
    return _used_by(places, call, now, ticks), found.problems


def would_pass(places: Places, call: Call, now: float, ticks: float) -> tuple[Grant | None, tuple[str, ...]]:
    """Return the same, where nothing is used up: what would let this call pass if it came now."""
    found = granted(places, now, ticks)
    pauses = (one for one in found.grants if one.kind == PAUSE and _is_in(one, call))
    meant = (one for one in found.grants if one.kind == ONCE and _is_meant(one, call))
    return next(pauses, None) or next(meant, None), found.problems


def in_words(grant: Grant) -> str:
    """Return a grant in one line, for people, with the time as their own clock shows it."""
    where = f"in {grant.root}" if grant.root else "everywhere"
    what = f"rules are paused {where}" if grant.kind == PAUSE else f"`{_short(grant.text)}` may pass once {where}"
    return visible(f"{what}, until {clock_time(grant.until)}")


def clock_time(when: float) -> str:
    """Return a point in time as the person's own clock shows it."""
    return time.strftime("%H:%M", time.localtime(when))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:57] + "..."


def add(places: Places, grant: Grant) -> None:
    """Let it pass from now on. Raises OSError."""
    where = directory(places)
    private_directory(places.state)
    private_directory(where)
    why = why_not_private(os.lstat(where))
    if why:
        raise OSError(f"{where} {why}")
    path = os.path.join(where, f"{grant.kind}-{os.urandom(8).hex()}")
    content = jsontext.dumps_exactly({"version": _VERSION, **{k: v for k, v in grant.as_dict().items() if k != "path"}})
    descriptor = os.open(f"{path}.new", os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_SYMLINK, 0o600)
    with open(descriptor, "wb") as file:
        file.write(content)
    os.replace(f"{path}.new", path + _WHOLE)


def end(places: Places, root: str = "") -> int:
    """End every grant, or those for one project; how many there were. Raises OSError."""
    ended = 0
    for path, found in _files(places):
        if not root or (isinstance(found, Grant) and found.root == root):
            os.unlink(path)
            ended += path.endswith(_WHOLE)
    _tidy(places)
    return ended


# Which call is meant.


def _is_in(grant: Grant, call: Call) -> bool:
    return not grant.root or grant.root == call.root


def _is_meant(grant: Grant, call: Call) -> bool:
    """INVARIANT: whatever else the call says, all that it is about is what was granted."""
    if not (_is_in(grant, call) and call.texts) or grant.tool not in ("", call.tool) or grant.cwd not in ("", call.cwd):
        return False
    if grant.digest:
        return all(content_digest(text.encode("utf-8", "surrogatepass")) == grant.digest for text in call.texts)
    return len(set(call.texts)) == 1 and call.shown == grant.text


def _use(grant: Grant, call: Call) -> bool:
    """Tell whether this call is the one: no other has been before."""
    try:
        os.rename(grant.path, f"{grant.path.removesuffix(_WHOLE)}.{_key(call)}{_USED}")
    except OSError:
        return False
    return True


def _used_by(places: Places, call: Call, now: float, ticks: float) -> Grant | None:
    """Return the grant that another hook has just used for this very call."""
    if not call.key:
        return None
    ending = f".{_key(call)}{_USED}"
    for path, found in _files(places):
        if path.endswith(ending) and isinstance(found, Grant) and found.holds(now, ticks) and _is_meant(found, call):
            return found
    return None


def _key(call: Call) -> str:
    return content_digest(call.key.encode("utf-8", "surrogatepass"))[:32] if call.key else "-"


# The files.


def _files(places: Places) -> Iterable[tuple[str, Grant | str]]:
    """Yield every file of a grant, and what it holds or what is wrong with it."""
    where = directory(places)
    try:
        status = os.lstat(where)
        names = sorted(os.listdir(where))
    except FileNotFoundError:
        return
    except OSError as error:
        yield where, f"cannot be read ({error.strerror})"
        return
    why = why_not_private(status) if stat.S_ISDIR(status.st_mode) else "is no directory"
    if why:
        yield where, why
        return
    for name in names:
        if name.endswith((_WHOLE, _USED)):
            path = os.path.join(where, name)
            found = _read(path)
            if found != "":
                yield path, found


def _read(path: str) -> Grant | str:
    """Return what a file holds, or what is wrong with it; "" where it has just gone."""
    try:
        descriptor = open_regular(path, os.O_RDONLY | NO_SYMLINK)
        try:
            why = why_not_private(os.fstat(descriptor))
        finally:
            os.close(descriptor)
        if why:
            return why
        data = b"".join(read_pieces(path, _LARGEST, os.O_RDONLY | NO_SYMLINK))
        return _grant(jsontext.loads(data), path)
    except FileNotFoundError:
        return ""
    except (OSError, ValueError, TypeError, KeyError, RecursionError, OverflowError):
        return "is damaged"


def _grant(value: Any, path: str) -> Grant:
    """Return the grant in a file. Raises ValueError, TypeError, KeyError for any other content."""
    numbers = {name: value[name] for name in ("made", "clock", "seconds")}
    texts = {name: value[name] for name in ("kind", "root", "text", "digest", "tool", "cwd")}
    right = all(type(number) in (int, float) and number == number for number in numbers.values())
    right = right and all(isinstance(text, str) for text in texts.values()) and value["version"] == _VERSION
    if not right or texts["kind"] not in LONGEST or not 0 < numbers["seconds"] <= LONGEST[texts["kind"]]:
        raise ValueError("no grant")
    if texts["kind"] == ONCE and not (texts["root"] and (texts["text"] or texts["digest"])):
        raise ValueError("it names no call")
    return Grant(**numbers, **texts, path=path)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return


def _tidy(places: Places) -> None:
    """No directory where there are no grants: a call then asks for nothing but whether it is there."""
    try:
        os.rmdir(directory(places))
    except OSError:
        return
