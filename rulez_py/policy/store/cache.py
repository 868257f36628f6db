"""The policy in force, out of what an earlier call has compiled where that still holds.

Compiling reads YAML, which costs many times what a call may cost; so its outcome is kept in the cache directory, one
file for each rulez, set of policy files and project. The file is data (`index.py`), never code.

INVARIANT: a file here is used only where it is this user's alone and every fact it was made from is still so: the
policy files and their contents, who trusts them, the links and programs looked at, rulez itself. In any doubt the
policy is compiled anew. Nothing about keeping it raises.
"""

from __future__ import annotations

import gc
import os
import stat
import sys
import time
import zlib

import rulez_py
from rulez_py.analysis import Value
from rulez_py.policy.model.layers import BUILT_IN, PROJECT
from rulez_py.policy.store.search import LARGEST_FILE, Source, leads_out, names_fitting, protected, root_of, search
from rulez_py.system import jsontext
from rulez_py.system.files import NO_SYMLINK, open_regular, private_directory, read_marked, why_not_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from rulez_py.documents.diagnostics import Diagnostic
    from rulez_py.policy.judging.index import Packed
    from rulez_py.policy.store.load import Policy
    from rulez_py.policy.store.programs import Trusted
    from rulez_py.policy.store.search import Search
    from rulez_py.system.places import Places

_FORM = 13
_MOST_FILES = 200
_FIRST = 32
"""Bytes that say how long the head is, and its checksum."""
_NEW = ".policy-new"
_ABANDONED = 3600
"""Seconds after which an unfinished file counts as left behind."""


def _nothing() -> None:
    pass


class Opened:
    """The rules in a file that is kept (`index.Kept`), read from there part by part."""

    def __init__(self, descriptor: int, start: int, table: Sequence[int]) -> None:
        self.table = tuple(table)
        self._descriptor = descriptor
        self._start = start

    def read(self, at: int, length: int) -> bytes:
        """Return a part's bytes, as far as they can be read: the caller compares checksums."""
        try:
            os.lseek(self._descriptor, self._start + at, os.SEEK_SET)
            return os.read(self._descriptor, length)
        except OSError:
            return b""

    def is_at(self, descriptor: int) -> bool:
        """Tell if this is the file that is open under the descriptor."""
        try:
            return os.path.samestat(os.fstat(self._descriptor), os.fstat(descriptor))
        except OSError:
            return False

    def close(self) -> None:
        """Let go of the file; a second time does nothing."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


class InForce(Value):
    """The policy as one hook call needs it: its rules are `packed` (`index.select`), `warnings` are its notices.

    `programs` is what people describe of programs (`analysis.describe`); `remembers` says that a rule asks which files
    the agent has seen.
    Of the `problems`, `untrusted` are those of files that no person has trusted.
    `keep` keeps it for later calls, where it was compiled for this one: when the answer has been given.
    """

    root: str
    on_error: str
    no_exceptions: str = ""
    remembers: bool = False
    sources: tuple[Source, ...]
    packed: Packed | Opened
    problems: tuple[Diagnostic, ...] = ()
    untrusted: tuple[Diagnostic, ...] = ()
    warnings: tuple[str, ...] = ()
    programs: str = ""
    keep: Callable[[], None] = staticmethod(_nothing)

    def close(self) -> None:
        """Let go of the file that the rules are read from, where there is one: no more of them can be selected."""
        if isinstance(self.packed, Opened):
            self.packed.close()


def in_force(
    places: Places,
    project_dir: str | None,
    *,
    rules_file: str | None = None,
    trusted: Trusted | None = None,
    found: Search | None = None,
    damaged: InForce | None = None,
    time_left: float = 25.0,
) -> InForce:
    """Return the policy for an agent that works in `project_dir`, as `load` says, but rarely reading it.

    `trusted` says which files a person trusts, where that is not what this user's list says. `found` is what
    `search` has found for these, where that is known already; `damaged` what an earlier call of this has given,
    where its rules turned out not to be what was kept. `time_left` is how many seconds the call has: where another
    compiles the same already, it waits for a part of them.
    """
    found = found or search(places, project_dir, rules_file=rules_file)
    believed = trusted or _trusted_by(places)
    key = _key(places, found)
    path = os.path.join(places.cache, f"{zlib.crc32(jsontext.dumps(key).encode()):08x}.policy")

    def anew() -> Policy:
        from rulez_py.policy.store import load

        return load.load(places, project_dir, rules_file=rules_file, trusted=believed, found=found)

    def kept() -> InForce | None:
        return _kept(path, key, believed, None if damaged is None else damaged.packed, places)

    def compiled() -> InForce:
        # All that is made here is kept; looking through it for garbage takes a tenth of the time.
        collects = gc.isenabled()
        gc.disable()
        try:
            return _compiled(path, key, anew())
        finally:
            if collects:
                gc.enable()

    return kept() or _one_at_a_time(path, kept, compiled, time_left)


def _trusted_by(places: Places) -> Trusted:
    """Return what this user's list says. It is read where there is a file whose trust counts."""

    def trusted(path: str, digest: str) -> bool:
        from rulez_py.trust import is_trusted

        return is_trusted(places, path, digest)

    return trusted


def warm(places: Places, project_dir: str) -> None:
    """Have the policy for this directory kept before a call needs it; never raises."""
    try:
        policy = in_force(places, project_dir)
        policy.keep()
        policy.close()
    except Exception:
        return


def _key(places: Places, found: Search) -> dict[str, Any]:
    """Return everything that decides which files count, as what, and what they are relative to."""
    return {
        "made by": [_FORM, *made_by()],
        "root": found.root,
        "places": [_listed(value) for value in places.as_dict().values()],
        "files": [[_listed(value) for value in one.as_dict().values()] for one in found.files],
        "programs": _described(found),
    }


def _described(found: Search) -> list[Any]:
    """The files in which people describe programs, and the table that they add to; nothing where there are none."""
    if not found.programs:
        return []
    from rulez_py.analysis.programs import COMPILED

    return [_stamp(COMPILED), *([_listed(value) for value in one.as_dict().values()] for one in found.programs)]


def _listed(value: Any) -> Any:
    """Return a value as JSON gives it back."""
    return list(value) if isinstance(value, tuple) else value


# Reading.


def _kept(
    path: str, key: dict[str, Any], trusted: Trusted, damaged: Packed | Opened | None, places: Places
) -> InForce | None:
    """Return what is kept for `key`, where it still holds and is not what has turned out to be damaged."""
    descriptor, found = -1, None
    try:
        if not _is_private(os.stat(os.path.dirname(path)), stat.S_ISDIR):
            return None
        descriptor = open_regular(path, os.O_RDONLY | NO_SYMLINK)
        if _is_private(os.fstat(descriptor), stat.S_ISREG) and not (
            isinstance(damaged, Opened) and damaged.is_at(descriptor)
        ):
            found = _opened(descriptor, key, trusted, places)
        return found
    except Exception:
        return None  # absent, damaged, in another form: whatever it is, compiling says it better
    finally:
        if found is None and descriptor >= 0:
            os.close(descriptor)


def _opened(descriptor: int, key: dict[str, Any], trusted: Trusted, places: Places) -> InForce | None:
    length, checksum = (int(number) for number in os.read(descriptor, _FIRST).split())
    data = os.read(descriptor, length)
    if zlib.crc32(data) != checksum:
        return None
    head = jsontext.loads_own(data)
    if head["trusting"] is not None:
        trusted = _believing(head["trusting"], trusted, places)
    sources = tuple(_source(kept) for kept in head["sources"])
    describing = (_source(kept) for kept in head["describing"])
    if head["key"] != key or not all(_still_so(source, trusted) for source in (*sources, *describing)):
        return None
    if any(os.path.isfile(looked_for) != was_there for looked_for, was_there in head["looked for"]):
        return None
    if any(os.path.realpath(path) != real for path, real in head["links"]):
        return None
    if head["protects"] is not None:
        paths, named, globs = (tuple(texts) for texts in head["protects"])
        if protected(paths, named).globs != globs:
            return None

    return InForce(
        root=key["root"],
        on_error=head["on error"],
        no_exceptions=head["no exceptions"],
        remembers=head["remembers"],
        sources=sources,
        packed=Opened(descriptor, _FIRST + length, head["table"]),
        warnings=tuple(head["notices"]),
        programs=head["programs"],
    )


def _believing(said: dict[str, Any], trusted: Trusted, places: Places) -> Trusted:
    """Return what `trusted` says, and what the machine's policy said when this was kept."""
    from rulez_py.policy.store.file import Trusting
    from rulez_py.policy.store.trusting import Believing

    kept: dict[str, Any] = {name: _unlisted(value) for name, value in said.items()}
    return Believing(Trusting(**kept), trusted, places)


def _source(kept: dict[str, Any]) -> Source:
    values: dict[str, Any] = {name: _unlisted(value) for name, value in kept.items()}
    return Source(**values)


def _unlisted(value: Any) -> Any:
    return tuple(map(_unlisted, value)) if isinstance(value, list) else value


def _still_so(source: Source, trusted: Trusted) -> bool:
    """Tell whether a policy file is what it was, and trusted as it was."""
    if source.layer == BUILT_IN or (source.ignored and not source.marks):
        return True
    if read_marked(source.path, LARGEST_FILE + 1, content=False).marks != source.marks:
        return False
    for path, _digest, marks in source.included:
        if read_marked(path, LARGEST_FILE + 1, content=False).marks != marks:
            return False
    if any(names_fitting(directory, glob) != names for directory, glob, names in source.looked_in):
        return False
    if source.layer != PROJECT:
        return True
    from rulez_py.trust import digest_from, script_files

    digest = digest_from(source.path, source.bytes_digest, script_files(source.words, root_of(source.path)))
    return not leads_out(source.path) and trusted(source.path, digest) == source.trusted


_MAKE_IT = (
    *("written", "trust", "system", "policy"),
    *(f"policy/{name}" for name in ("model", "patterns", "facts", "matchers", "judging", "format", "store", "packs")),
)
"""The folders of rulez with modules that make a policy."""


def made_by() -> list[Any]:
    """Return which rulez: of the frozen program its file, else the modules that make a policy."""
    if getattr(sys, "frozen", False):
        return [rulez_py.__version__, *_stamp(sys.executable), getattr(sys, "_onefile", "")]
    package = os.path.dirname(os.path.abspath(rulez_py.__file__))
    found: list[Any] = [rulez_py.__version__, package]
    for directory in (package, *(os.path.join(package, name) for name in _MAKE_IT)):
        try:
            names = sorted(name for name in os.listdir(directory) if name.endswith((".py", ".yaml", ".json")))
        except OSError:
            names = []  # rulez is run from an archive
        found += [_stamp(os.path.join(directory, name)) for name in names]
    return found


def _stamp(path: str) -> list[Any]:
    try:
        status = os.stat(path)
    except OSError:
        return [path]
    return [path, status.st_ino, status.st_size, status.st_mtime_ns]


def _is_private(status: os.stat_result, kind: Callable[[int], bool]) -> bool:
    """Tell if no other user can have written this."""
    return kind(status.st_mode) and not why_not_private(status)


# Writing.


def _one_at_a_time(
    path: str, kept: Callable[[], InForce | None], compiled: Callable[[], InForce], time_left: float
) -> InForce:
    from rulez_py.policy.store import compile_lock

    return compile_lock.once(path, time_left * compile_lock.PATIENCE, kept, compiled)


def _compiled(path: str, key: dict[str, Any], policy: Policy) -> InForce:
    """Return a policy that has just been compiled, as one that was kept would be."""
    from rulez_py.policy import packs
    from rulez_py.policy.judging import index

    packed = index.pack(policy.rules, packs.known_filings())
    made = as_in_force(policy, packed)
    return made if policy.problems else made.replace(keep=lambda: _keep(path, _head(key, policy, packed), packed))


def as_in_force(policy: Policy, packed: Packed) -> InForce:
    """Return a policy, whose rules are `packed`, as a call needs it; it is kept nowhere."""
    return InForce(
        root=policy.root,
        on_error=policy.on_error,
        no_exceptions=policy.no_exceptions,
        remembers=policy.remembers,
        sources=policy.sources,
        packed=packed,
        problems=policy.problems,
        untrusted=policy.untrusted,
        warnings=policy.notices,
        programs=policy.programs,
    )


def _head(key: dict[str, Any], policy: Policy, packed: Packed) -> dict[str, Any]:
    protects = policy.protects
    return {
        "key": key,
        "on error": policy.on_error,
        "no exceptions": policy.no_exceptions,
        "remembers": policy.remembers,
        "sources": [source.as_dict() for source in policy.sources],
        "looked for": policy.looked_for,
        "links": policy.links,
        "notices": policy.notices,
        "programs": policy.programs,
        "trusting": None if policy.trusting is None else policy.trusting.as_dict(),
        "describing": [source.as_dict() for source in policy.describing],
        "protects": None if protects is None else list(protects.as_dict().values()),
        "table": packed.table,
    }


def _keep(path: str, head: dict[str, Any], packed: Packed) -> None:
    """Writes a file whole or not at all, where that can be done safely."""
    directory = os.path.dirname(path)
    try:
        private_directory(directory)
        if not _is_private(os.stat(directory), stat.S_ISDIR):
            return
        _tidy(directory)
        data = jsontext.dumps_exactly(head)
        new = f"{path}.{os.urandom(8).hex()}{_NEW}"
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_SYMLINK, 0o600)
        try:
            with open(descriptor, "wb") as file:
                first = b"%d %d" % (len(data), zlib.crc32(data))
                file.writelines((first.ljust(_FIRST), data, packed.data))
            os.replace(new, path)
        except OSError:
            os.unlink(new)
    except Exception:
        return


def _tidy(directory: str) -> None:
    """Lets go of what has not been made anew for longest, where there is too much. Raises OSError."""
    from rulez_py.policy.store.compile_lock import LOCK

    with os.scandir(directory) as entries:
        found = {entry.path: entry.stat(follow_symlinks=False).st_mtime for entry in entries}
    kept = sorted((path for path in found if path.endswith(".policy")), key=found.__getitem__)
    old = kept[: -_MOST_FILES // 2] if len(kept) >= _MOST_FILES else []
    old += [path for path in found if path.endswith((_NEW, LOCK)) and found[path] < time.time() - _ABANDONED]
    for path in old:
        os.unlink(path)
