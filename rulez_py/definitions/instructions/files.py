"""Instructions on the disk: read from files, and written as sections into the files that platforms read."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from rulez_py.definitions.base import prompt
from rulez_py.definitions.base.files import content_of
from rulez_py.definitions.base.mapping import tool_names
from rulez_py.definitions.base.notes import Note
from rulez_py.definitions.base.source import Body, Report, check_body, filled
from rulez_py.definitions.base.tool import AnyTool
from rulez_py.definitions.instructions.definition import Instructions
from rulez_py.definitions.output import sections
from rulez_py.definitions.output.errors import InvalidAgent
from rulez_py.definitions.output.sections import Sections
from rulez_py.definitions.output.store import CannotWrite, check_ways, state
from rulez_py.definitions.output.store import write as write_targets
from rulez_py.definitions.output.written import Scope, State, Written
from rulez_py.documents.diagnostics import errors, in_order
from rulez_py.platforms import adapter
from rulez_py.platforms import parts as of_each
from rulez_py.platforms.agent_files import LARGEST_FILE
from rulez_py.platforms.instruction_files import SHARED, InstructionFiles
from rulez_py.system.files import NO_SYMLINK, read_pieces

FILES: Mapping[str, InstructionFiles] = {platform: known.FILES for platform, known in of_each("instructions").items()}
PLATFORMS: tuple[str, ...] = tuple(FILES)
"""The names of those that instructions are written for, sorted."""
_CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`", re.M | re.S)
Warn = Callable[[Note], object]


# Reading.


def load(
    path: str | os.PathLike[str], *, source: str = "", variables: Mapping[str, str] = MappingProxyType({})
) -> Instructions:
    """Return the instructions in a Markdown file. `source` is what people call it, by default its path as it is given.

    `variables` are values for `{{var:NAME}}`. Raises InvalidAgent with every problem and its place, one a line;
    CannotLoad where the file cannot be read.
    """
    name = os.fspath(path)
    content = content_of(name)
    report = Report(name, "the text")
    text = _text_of(content, report)
    body = Body(text, 1)
    check_body(body, report)
    text = filled(text, variables, body.at, report)
    if not report.problems and not text.strip():
        report.add((1, 1), "the file is blank", "write what the agents have to know")
    for number, line in enumerate(text.splitlines(), 1):
        if sections.is_mark(line):
            report.add((number, 1), "a comment that `rulez agents write` puts around sections", "remove it")
    wrong = errors(in_order(report.problems))
    if wrong:
        raise InvalidAgent("\n".join(one.labelled for one in wrong))
    return Instructions(source=source or name.replace(os.sep, "/"), text=text)


def _text_of(content: bytes, report: Report) -> str:
    if len(content) > LARGEST_FILE:
        report.add((1, 1), f"the file has more than {LARGEST_FILE:,} bytes")
        return ""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = 1 + content[: error.start].count(b"\n")
        report.add((line, 1), f"byte 0x{content[error.start]:02x} is not UTF-8", "save the file as UTF-8")
        return ""


# Writing.


def plan(
    given: Sequence[Instructions],
    platforms: Iterable[str],
    root: str | os.PathLike[str] | None = None,
    *,
    scope: Scope = "project",
    warn: Warn | None = None,
) -> list[Sections]:
    """Return the texts of each file, so that each of the platforms reads every text once. Nothing is written.

    For one platform the texts are in its own file. For several they are in AGENTS.md, and a platform that does not read
    that gets a line that takes it in, where no other would follow it. In the scope `user` each has its own file, or
    reads that of another.

    `root` is the project's directory, by default the current one; in the scope `user` the home directory. Raises
    InvalidAgent for an unknown platform or scope.
    """
    if scope not in ("project", "user"):
        raise InvalidAgent(f"there is no scope {scope!r}; there are project, user")
    chosen = [_platform(name) for name in dict.fromkeys(platforms)]
    tell = warn or (lambda _note: None)
    place = os.fspath(root) if root is not None else os.path.expanduser("~") if scope == "user" else os.curdir
    if not given:
        return []
    if scope == "user":
        return [_whole(place, file, given, readers, tell) for file, readers in _users(place, chosen, tell).items()]
    if len(chosen) < 2:
        return [_whole(place, FILES[one].file, given, chosen, tell) for one in chosen]
    found = [_whole(place, SHARED, given, chosen, tell)]
    for one in chosen:
        taking = FILES[one].takes_in
        if taking is not None and not _is_same(place, FILES[one].file):
            found.append(_sections(place, taking[0], ((SHARED, taking[1]),)))
    return found


def _platform(name: str) -> str:
    if name not in FILES:
        raise InvalidAgent(f"there is no platform {name!r}; there are {', '.join(FILES)}")
    return str(name)


def _users(place: str, chosen: Sequence[str], tell: Warn) -> dict[str, list[str]]:
    """Return the person's files for these platforms -> those that read each."""
    found: dict[str, list[str]] = {FILES[one].user_file: [] for one in chosen}
    for one in chosen:
        shared = next((file for file in FILES[one].user_also if file in found), FILES[one].user_file)
        found[shared].append(one)
        if FILES[one].user_file_has_default and not os.path.lexists(os.path.join(place, *shared.split("/"))):
            tell(_note(f"~/{shared}", one, "has a text of its own there, and goes without it: start it once before"))
    return {file: readers for file, readers in found.items() if readers}


def _is_same(place: str, file: str) -> bool:
    """Tell whether a platform's own file is a link to the shared one."""
    try:
        return os.path.samefile(os.path.join(place, file), os.path.join(place, SHARED))
    except OSError:
        return False


def _sections(place: str, file: str, parts: tuple[tuple[str, str], ...]) -> Sections:
    path = os.path.join(place, *file.split("/"))
    return Sections(path, os.path.normpath(path), parts)


def _whole(place: str, file: str, given: Sequence[Instructions], readers: Sequence[str], tell: Warn) -> Sections:
    """Return all the texts in one file, which these platforms read."""
    parts = tuple((one.source, _text(one, readers, tell)) for one in given)
    size = sum(len(text.encode()) for _, text in parts)
    for reader in readers:
        for other in FILES[reader].wins:
            if os.path.lexists(os.path.join(place, os.path.dirname(file), other)):
                tell(_note(file, reader, f"reads {other} in its place"))
        if size > FILES[reader].largest:
            told = f"its model is sure to be given {FILES[reader].largest:,} bytes of a project's instructions"
            tell(_note(file, reader, f"{told}, and these are {size:,}"))
    return _sections(place, file, parts)


def _note(what: str, platform: str, text: str) -> Note:
    return Note(f"{what}, {adapter(platform).AGENT}: {text}", grave=True)


def _text(one: Instructions, readers: Sequence[str], tell: Warn) -> str:
    """A text as its readers are to have it: with the names of tools that all of them have, else the universal ones."""
    for reader in readers:
        pattern = FILES[reader].imports
        for word in dict.fromkeys(pattern.findall(_CODE.sub("", one.text)) if pattern else ()):
            tell(_note(one.source, reader, f"takes {word} for a file to be read; in `code` it stays as it is"))
        replaced = FILES[reader].replaced
        # The comment above the section is in the file as well.
        whole = f"<!-- {sections.shown(one.source)} -->\n{one.text}"
        for found in dict.fromkeys(each[0] for each in replaced.finditer(whole)) if replaced else ():
            tell(_note(one.source, reader, f"replaces {found}, or reads nothing of a file with it"))
    differ: dict[str, None] = {}

    def names(tools: Iterable[AnyTool]) -> list[str]:
        listed = list(tools)
        spelled = {tuple(tool_names(listed, reader)) for reader in readers}
        if len(spelled) == 1:
            return list(spelled.pop())
        differ.update(dict.fromkeys(str(tool) for tool in listed))
        return []

    text = prompt.filled(one.text, names).strip("\n")
    if differ:
        said = f"{', '.join(differ)} keeps the universal name, since the readers of this file call it differently"
        tell(Note(f"{one.source}: {said}", always=True))
    return text


def write(
    given: Sequence[Instructions],
    platforms: Iterable[str],
    root: str | os.PathLike[str] | None = None,
    *,
    scope: Scope = "project",
    check: bool = False,
    force: bool = False,
    warn: Warn | None = None,
) -> list[Written]:
    """Write the sections of all platforms, and nothing else in these files. With `check` nothing is written.

    An edited section is written over with `force` only, and the file then kept beside it. Raises as `plan`
    does; CannotWrite where a file cannot be written or its comments do not fit each other. Then none is.
    """
    targets = plan(given, platforms, root, scope=scope, warn=warn)
    if scope == "project":
        check_ways(os.curdir if root is None else os.fspath(root), [target.path for target in targets])
    states = [state(target) for target in targets]
    for target, found in zip(targets, states, strict=True):
        if found is State.Edited and not (force or check):
            raise CannotWrite(
                f"{target.shown}: a section of it was edited by hand; put what is in there into its source, or force it"
            )
    due = [target for target, found in zip(targets, states, strict=True) if found is not State.Same]
    kept = dict(zip(due, [""] * len(due) if check else write_targets(due), strict=True))
    return [Written(target.path, found, kept.get(target, "")) for target, found in zip(targets, states, strict=True)]


# Leftovers.


@dataclass(frozen=True)
class LeftOver:
    """A section of a file without a source any more: the file, and the source that the section names."""

    path: str
    source: str
    edited: bool
    readers: frozenset[str]
    """Whose file it is; none for that of all."""


def left_over(root: str, wanted: Collection[Sections], *, scope: Scope = "project") -> Iterator[LeftOver]:
    """Return rulez' sections in the files of all platforms that are not among those wanted. Raises CannotWrite."""
    asked = {(os.path.realpath(one.path), sections.shown(source)) for one in wanted for source, _ in one.parts}
    for file, readers in _every_file(scope).items():
        path = os.path.join(root, *file.split("/"))
        try:
            content = b"".join(read_pieces(path, LARGEST_FILE + 1, os.O_RDONLY | NO_SYMLINK))
            there = sections.sections(content)
        except OSError:
            continue
        except sections.Broken as error:
            raise CannotWrite(f"{os.path.normpath(path)}: {error}") from error
        for one in there:
            if (os.path.realpath(path), one.source) not in asked:
                yield LeftOver(path, one.source, one.edited, readers)


def _every_file(scope: Scope) -> dict[str, frozenset[str]]:
    """Return each file that may hold rulez' sections -> its platforms; none for that of all."""
    found: dict[str, frozenset[str]] = {}
    for platform, files in FILES.items():
        taking = () if files.takes_in is None else (files.takes_in[0],)
        for file in (files.user_file,) if scope == "user" else (files.file, *taking):
            found[file] = found.get(file, frozenset()) | {platform}
    if scope != "user":
        found[SHARED] = frozenset()
    return dict(sorted(found.items()))


def take_out(left: Iterable[LeftOver]) -> None:
    """Take sections out of their files; a file that was made for one and holds nothing else goes.

    Raises CannotWrite.
    """
    for one in left:
        try:
            content = b"".join(read_pieces(one.path, LARGEST_FILE + 1, os.O_RDONLY | NO_SYMLINK))
            rest = sections.without(content, one.source)
            if rest is None:
                os.unlink(one.path)
        except (OSError, sections.Broken) as error:
            said = error.strerror or error if isinstance(error, OSError) else error
            raise CannotWrite(f"{os.path.normpath(one.path)}: {said}") from error
        if rest is not None:
            sections.write_rest(one.path, rest)
