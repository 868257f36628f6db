"""Skills on the disk: read from a directory, and written where a platform looks for them."""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from rulez_py.definitions.base.composing import lies_in
from rulez_py.definitions.base.files import CannotLoad, tell_of
from rulez_py.definitions.base.notes import CannotSay, Note
from rulez_py.definitions.output.errors import InvalidAgent
from rulez_py.definitions.output.marks import NO_FILE, digest, mark, source_of, untouched
from rulez_py.definitions.output.store import CannotWrite, check_ways, state, write
from rulez_py.definitions.output.targets import Target, WholeFile
from rulez_py.definitions.output.written import Scope, State, Written
from rulez_py.definitions.skills.adopting import adopt
from rulez_py.definitions.skills.adopting import source as source_text
from rulez_py.definitions.skills.companions import Companion, recorded
from rulez_py.definitions.skills.definition import (
    DEEPEST,
    LARGEST_SKILL,
    MOST_FILES,
    SKILL_MD,
    Skill,
    SkillFile,
    why_no_path,
)
from rulez_py.definitions.skills.platforms import SKILL_FILES, platform_named
from rulez_py.definitions.skills.reading import Read, read
from rulez_py.definitions.skills.rendering import render
from rulez_py.definitions.skills.written import Skills
from rulez_py.documents.diagnostics import Diagnostic, diagnostic, errors, in_order
from rulez_py.platforms import adapter
from rulez_py.platforms.agent_files import LARGEST_FILE
from rulez_py.renamed import takes
from rulez_py.system.files import NO_SYMLINK, read_pieces

if TYPE_CHECKING:
    from rulez_py.definitions.skills.rendering import Warn

_NOT_OURS = frozenset((".git", ".DS_Store", "Thumbs.db", "__pycache__"))


# Reading.


def load(
    directory: str | os.PathLike[str],
    *,
    of: str = "",
    variables: Mapping[str, str] = MappingProxyType({}),
    warn: Warn | None = None,
) -> Skill:
    """Return the skill in a directory: ours, or `of` a platform, as that one loads it.

    `variables` are values for `{{var:NAME}}`, which win over the skill's own. `warn` is told of what is doubtful.

    Raises InvalidAgent with every problem and its place, one a line; CannotLoad where SKILL.md cannot be read.
    """
    done = read_directory(directory, of=of, variables=variables)
    if done.skill is None:
        raise InvalidAgent("\n".join(one.labelled for one in errors(done.problems)))
    tell_of(done.problems, warn)
    return done.skill


def read_directory(
    directory: str | os.PathLike[str], *, of: str = "", variables: Mapping[str, str] = MappingProxyType({})
) -> Read:
    """Return the skill in a directory, or that a SKILL.md is named of, with all its problems; `of` as in `load`.

    Raises CannotLoad where SKILL.md cannot be read.
    """
    name = os.fspath(directory)
    if os.path.basename(name) == SKILL_MD and not os.path.isdir(name):
        name = os.path.dirname(name) or os.curdir
    place, real = os.path.join(name, SKILL_MD), os.path.realpath(name)
    try:
        if not lies_in(real, os.path.realpath(place)):
            raise OSError("is a link that leads out of its directory")
        content = _bytes(place)
        if SKILL_MD not in os.listdir(name):
            raise OSError(f"must be called {SKILL_MD}, in capitals")
    except OSError as error:
        raise CannotLoad(f"{place}: {error.strerror or error}") from error
    files, problems = _beside(real, name)
    shown = name if os.path.basename(os.path.normpath(name)) not in ("", ".", "..") else os.path.abspath(name)
    shown = os.path.normpath(shown)
    done = adopt(content, shown, of, files) if of else read(content, shown, files, variables=variables)
    every = in_order([*done.problems, *problems])
    return Read(None if errors(every) else done.skill, every)


def _beside(real: str, shown: str) -> tuple[list[SkillFile], list[Diagnostic]]:
    """Return the files beside SKILL.md; and what is there that no skill can have."""
    files: list[SkillFile] = []
    problems: list[Diagnostic] = []
    for path, entry in _entries(real, ""):
        try:
            files.append(_file(real, path, entry))
        except _NoFile as why:
            at = os.path.join(shown, *path.split("/"))
            problems.append(diagnostic(at, (1, 1), str(why), why.help))
        enough = len(files) + len(problems) > MOST_FILES or sum(len(one.content) for one in files) > LARGEST_SKILL
        if enough:
            break  # That it is too much, `why_not_together` says.
    return files, problems


class _NoFile(Exception):
    """A file in a skill's directory that cannot belong to it: the message, and the help."""

    def __init__(self, why: str, help: str = "") -> None:
        super().__init__(why)
        self.help = help


def _file(real: str, path: str, entry: str) -> SkillFile:
    """Return a file of the skill in the directory `real`. Raises _NoFile."""
    if why := why_no_path(path):
        raise _NoFile(f"a file of a skill that {why}")
    place = os.path.realpath(entry)
    if not lies_in(real, place):
        raise _NoFile("a link that leads out of the skill's directory", "put the file itself there")
    try:
        content = _bytes(place)
        mode = os.lstat(place).st_mode
    except OSError as error:
        raise _NoFile(error.strerror or str(error).split(":")[0]) from error
    if len(content) > LARGEST_FILE:
        raise _NoFile(f"the file has more than {LARGEST_FILE:,} bytes")
    return SkillFile(path, content, bool(mode & stat.S_IXUSR))


def _entries(directory: str, below: str) -> Iterator[tuple[str, str]]:
    """(path from the skill's directory, place) of what lies there, but directories. Links are not followed."""
    if below.count("/") > DEEPEST:
        yield below.rstrip("/"), directory
        return
    for entry in sorted(os.scandir(directory), key=lambda one: one.name):
        path = below + entry.name
        if entry.name in _NOT_OURS or path == SKILL_MD:
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _entries(entry.path, path + "/")
        else:
            yield path, entry.path


def _bytes(path: str) -> bytes:
    return b"".join(read_pieces(path, LARGEST_FILE + 1))


def platform_at(directory: str | os.PathLike[str]) -> str:
    """Return the platform that looks for skills where a skill's directory lies; "" where none does."""
    above = "/" + os.path.dirname(os.path.abspath(directory)).replace(os.sep, "/").strip("/")
    for platform, files in SKILL_FILES.items():
        if any(place and above.endswith(f"/{place}") for place in (files.directory, files.user_directory)):
            return platform
    return ""


def save(skill: Skill, directory: str | os.PathLike[str]) -> list[str]:
    """Write a skill as a source; return the paths of its files.

    Raises CannotWrite where something is there already.
    """
    place = os.fspath(directory)
    check_is_new(place)
    targets = saved(skill, place)
    write(targets)
    return [target.shown for target in targets]


def check_is_new(place: str) -> None:
    """Raise CannotWrite where something is at `place` already."""
    if os.path.lexists(place):
        raise CannotWrite(f"{os.path.normpath(place)} is there already")


def saved(skill: Skill, place: str) -> list[Target]:
    """Return the files of a skill as a source in the directory `place`: SKILL.md, then those beside it."""
    path = os.path.join(place, SKILL_MD)
    text = Companion(path, os.path.normpath(path), source_text(skill).encode())
    return [text, *(_companion(place, one, None) for one in skill.files)]


# Writing.


@dataclass(frozen=True)
class Plan:
    """The files to write of a skill for one platform.

    `targets` is SKILL.md, then the files beside it; `left_over` are the paths of files that rulez wrote beside it
    before, unedited, and no longer in the skill.
    """

    targets: tuple[Target, ...]
    notes: tuple[Note, ...]
    left_over: tuple[str, ...] = ()


@takes(harness="platform")
def plan(
    skill: Skill,
    platform: str,
    root: str | os.PathLike[str] | None = None,
    *,
    scope: Scope = "project",
    source: str = NO_FILE,
    beside: Collection[str] = (),
) -> Plan:
    """Return what writing a skill would put on the disk. Nothing is written.

    `root` is the project's directory, by default the current one; in the scope `user` the home directory. `source` is
    what the mark calls the skill's directory, its path from there. `beside` are the platforms that it is written for in
    the same go.

    Raises CannotSay for what the platform would not load, or has no place for in this scope; CannotWrite where a link
    is in the way, or the skill itself would be written over; InvalidAgent for an unknown platform or scope.
    """
    platform = platform_named(platform)
    if scope not in ("project", "user"):
        raise InvalidAgent(f"there is no scope {scope!r}; there are project, user")
    if why := why_no_place(platform, scope):
        raise CannotSay(f"skill {skill.name} cannot be written for {why}")
    home = os.path.expanduser("~")
    place = os.fspath(root) if root is not None else home if scope == "user" else os.curdir
    notes: list[Note] = []
    text = mark(render(skill, platform, warn=notes.append), source, after_first_line=True)
    directory = os.path.join(place, *_directory(platform, scope).split("/"), skill.name)
    _check_directory(directory, skill, os.path.join(place, source) if source != NO_FILE else "")
    if scope == "project":
        check_ways(place, [os.path.join(directory, SKILL_MD)])
    there = _head(os.path.join(directory, SKILL_MD))
    wrote = recorded(there)
    targets: list[Target] = [_whole(os.path.join(directory, SKILL_MD), text)]
    targets += [_companion(directory, one, wrote.get(one.path)) for one in skill.files]
    homes = place if scope == "user" else home
    notes += _rivals(skill, platform, scope, place, homes, beside)
    if afterwards := SKILL_FILES[platform].afterwards:
        notes.append(Note(f"{skill.name}, {adapter(platform).AGENT}: {afterwards}"))
    return Plan(tuple(targets), tuple(notes), tuple(_no_more(directory, skill, wrote)))


@takes(harness="platform")
def write_skill(
    skill: Skill,
    platform: str,
    root: str | os.PathLike[str] | None = None,
    *,
    scope: Scope = "project",
    check: bool = False,
    force: bool = False,
    warn: Warn | None = None,
    source: str = NO_FILE,
) -> Skills:
    """Write the directory that a platform loads, with the mark by which rulez knows it again.

    With `check` nothing is written. An edited file is written over with `force` only, and then kept beside it.
    What rulez wrote beside SKILL.md before, unedited, and no longer in the skill, is removed.

    Raises as `plan` does; CannotWrite too where a file is another's or cannot be written. Then none is.
    """
    planned = plan(skill, platform, root, scope=scope, source=source)
    for note in planned.notes:
        if warn is not None:
            warn(note)
    states = [state(target) for target in planned.targets]
    for target, found in zip(planned.targets, states, strict=True):
        if found is State.Edited and not (force or check):
            raise CannotWrite(f"{target.shown}: {found.value}; put what is in there into the skill, or force it")
    due = [target for target, found in zip(planned.targets, states, strict=True) if found is not State.Same]
    kept = dict(zip(due, [""] * len(due) if check else write(due), strict=True))
    if not check:
        remove(planned.left_over)
    written = (
        Written(target.path, found, kept.get(target, "")) for target, found in zip(planned.targets, states, strict=True)
    )
    return Skills(tuple(written), planned.left_over)


def remove(paths: Iterable[str]) -> None:
    """Remove what is left over of a skill, and directories that are empty without it. Raises CannotWrite."""
    for path in paths:
        try:
            os.unlink(path)
        except OSError as error:
            raise CannotWrite(f"{os.path.normpath(path)}: {error.strerror or error}") from error
        with suppress(OSError):
            os.removedirs(os.path.dirname(path))


# `Skill.write`, which definition.py declares: how a file is written, a skill need not know.
Skill.write = write_skill  # type: ignore[method-assign, assignment]


@dataclass(frozen=True)
class LeftOver:
    """A skill that rulez wrote and that has no directory any more: its SKILL.md, and the source of that.

    `edited` says that somebody changed that SKILL.md; `files` are the unedited ones beside it.
    """

    path: str
    source: str
    edited: bool
    files: tuple[str, ...]


@takes(harness="platform")
def left_over(
    root: str, platform: str, *, scope: Scope = "project", sources: Collection[str] = (), written: Collection[str] = ()
) -> Iterator[LeftOver]:
    """Yield what lies among a platform's skills from one that is gone, or is one of the `sources` and written
    elsewhere now.

    `written` are the paths of all SKILL.md that are written now; sources are named by their paths from `root`.
    """
    below = _directory(platform_named(platform), scope)
    if not below:
        return
    place = os.path.join(root, *below.split("/"))
    now = {os.path.realpath(path) for path in written}
    for name in sorted(os.listdir(place)) if os.path.isdir(place) else ():
        directory = os.path.join(place, name)
        path = os.path.join(directory, SKILL_MD)
        if os.path.islink(directory) or os.path.realpath(path) in now:
            continue
        head = _head(path)
        source = source_of(head)
        if source and (source in sources or not os.path.lexists(os.path.join(root, source))):
            yield LeftOver(path, source, not untouched(head), tuple(_unedited(directory, recorded(head).items())))


def _directory(platform: str, scope: Scope) -> str:
    files = SKILL_FILES[platform]
    return files.user_directory if scope == "user" else files.directory


def why_no_place(platform: str, scope: Scope) -> str:
    """Return why a platform loads no skills of this scope, as a sentence that its name begins; "" where it does."""
    if _directory(platform, scope):
        return ""
    own = SKILL_FILES[platform].user_directory
    advice = f"`rulez agents write --scope user` writes them to ~/{own}"
    return f"{adapter(platform).AGENT}: it loads no skills of a project; {advice}"


def _whole(path: str, text: str) -> WholeFile:
    return WholeFile(path, os.path.normpath(path), text)


def _companion(directory: str, file: SkillFile, wrote: str | None) -> Companion:
    path = os.path.join(directory, *file.path.split("/"))
    try:
        runnable = bool(os.lstat(path).st_mode & stat.S_IXUSR)
    except OSError:
        runnable = True
    return Companion(path, os.path.normpath(path), file.content, file.executable, wrote, runnable)


def _check_directory(directory: str, skill: Skill, source: str) -> None:
    """That what is written below a skill's directory stays there, and is not what it is written from."""
    below = {os.path.dirname(one.path) for one in skill.files}
    parents = {"/".join(path.split("/")[:end]) for path in below for end in range(1, path.count("/") + 2) if path}
    for place in (directory, *(os.path.join(directory, *path.split("/")) for path in sorted(parents))):
        if os.path.islink(place):
            raise CannotWrite(f"{os.path.normpath(place)} is a symbolic link; put a directory in its place")
    if source and os.path.isdir(source) and os.path.realpath(source) == os.path.realpath(directory):
        raise CannotWrite(
            f"{os.path.normpath(directory)} is the skill itself; keep it elsewhere, as in skills/{skill.name}"
        )


def _rivals(skill: Skill, platform: str, scope: Scope, place: str, home: str, beside: Iterable[str]) -> Iterator[Note]:
    """Yield a note for each other skill of that name which the platform would load too, or instead."""
    files = SKILL_FILES[platform]
    soon = {f"{_directory(platform_named(other), scope)}/{{name}}" for other in beside if other != platform}
    if scope == "user":
        soon = {f"~/{path}" for path in soon}
    for rival in files.user_rivals if scope == "user" else files.rivals:
        path = rival.path.format(name=skill.name)
        there = [path] if rival.path in soon else _there(path, place, home)
        for one in there:
            yield Note(f"{skill.name}, {adapter(platform).AGENT}: {one} {rival.outcome}", grave=True)


def _there(path: str, root: str, home: str) -> list[str]:
    """Return the directories with a skill that a rival's path fits, written as it is."""
    start, below = ("~/", path[2:]) if path.startswith("~/") else ("", path)
    place = home if start else root
    found = glob.glob(os.path.join(below, SKILL_MD), root_dir=place)
    return [start + os.path.dirname(one).replace(os.sep, "/") for one in sorted(found)]


def _no_more(directory: str, skill: Skill, wrote: Mapping[str, str]) -> Iterator[str]:
    """Yield unedited files that rulez wrote beside a SKILL.md and that the skill has no more."""
    now = {one.path for one in skill.files}
    yield from _unedited(directory, ((path, checksum) for path, checksum in wrote.items() if path not in now))


def _unedited(directory: str, entries: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield those of the files (path, checksum) that are there, in no other place, and as they were written."""
    for path, checksum in sorted(entries):
        place = os.path.join(directory, *path.split("/"))
        if not lies_in(os.path.realpath(directory), os.path.realpath(place)):
            continue
        try:
            content = b"".join(read_pieces(place, LARGEST_FILE + 1, os.O_RDONLY | NO_SYMLINK))
        except OSError:
            continue
        if digest(content) == checksum:
            yield place


def _head(path: str) -> bytes:
    """Return a SKILL.md that may be there; nothing where it cannot be read."""
    try:
        return b"".join(read_pieces(path, LARGEST_FILE + 1, os.O_RDONLY | NO_SYMLINK))
    except OSError:
        return b""
