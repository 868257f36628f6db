"""Read people's descriptions of programs from the files of every layer, and make one table of them.

INVARIANT: a project's file counts once a person has trusted it as it is now, since an entry can make rules see less.

INVARIANT: nothing on disk makes this raise. A file that cannot be used gets a diagnostic, and counts for nothing: what
it describes is unknown, as it is without the file, and rules stop what is unknown.
"""

from __future__ import annotations

from rulez_py.analysis import Value
from rulez_py.documents.diagnostics import WARNING, Diagnostic, diagnostic
from rulez_py.policy.model.layers import MANAGED, PROJECT
from rulez_py.policy.store.search import (
    DESCRIBING,
    LARGEST_FILE,
    MOST_PROGRAMS,
    PROJECT_PROGRAMS,
    Source,
    leads_out,
    shown_path,
)
from rulez_py.system.files import read_marked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rulez_py.analysis.programs import Given
    from rulez_py.policy.store.search import Found

    Trusted = Callable[[str, str], bool]
    """Return true if a person has trusted the file at this path with this digest."""

_START = (1, 1)
_MEND = "correct that, or remove the file; until then nothing in it counts"


_NOT_TRUSTED = "this file does not count: it is not trusted, or has changed since it was"


class Described(Value):
    """People's descriptions of programs: a table for `analysis.describe`, the files, those that count as they are read,
    and what is wrong with any of them."""

    table: str = ""
    sources: tuple[Source, ...] = ()
    given: tuple[Given, ...] = ()
    problems: tuple[Diagnostic, ...] = ()


def read(
    files: Sequence[Found],
    *,
    root: str,
    home: str,
    trusted: Trusted,
    managed_alone: str = "",
    tables: bool = True,
    untrusted: bool = False,
) -> Described:
    """Return what these files say; raises nothing.

    `managed_alone` is the place where the machine's policy says that people make no exceptions: then only the machine's
    files count, since an entry can make rules see less. Unless `tables` is on, no table is made. With `untrusted`, a
    project's file is read as if a person had trusted it, for commands that only say what is in it.
    """
    if not files:
        return Described()
    sources: list[Source] = []
    given: list[Given] = []
    problems: list[Diagnostic] = []
    for one in files:
        source, found = _one(one, shown_path(one.path, root, home), managed_alone, trusted, untrusted)
        sources.append(source)
        if isinstance(found, Diagnostic):
            problems.append(found)
        else:
            given.append(found)
    table = ""
    if given and tables:
        from rulez_py.analysis.programs import of_people

        made = of_people(given)
        table = made.table
        problems += (diagnostic(one.file, (one.line, 1), one.text, _MEND, severity=WARNING) for one in made.mistakes)
    return Described(table=table, sources=tuple(sources), given=tuple(given), problems=tuple(problems))


def _one(
    one: Found, shown: str, managed_alone: str, trusted: Trusted, untrusted: bool
) -> tuple[Source, Given | Diagnostic]:
    """Return a file and its text, or why that does not count."""
    from rulez_py.analysis.programs import Given
    from rulez_py.trust import content_digest, digest_from

    def refused(message: str, help: str = _MEND) -> Diagnostic:
        return diagnostic(shown, _START, message, help, severity=WARNING)

    of_project = one.layer == PROJECT
    source = Source(layer=one.layer, path=one.path, digest="", trusted=not of_project)
    if managed_alone and one.layer != MANAGED:
        said = f"this file does not count: the machine's policy leaves nothing to people ({managed_alone})"
        return source.replace(ignored=True), refused(said, "ask who keeps that policy")
    if one.owner is not None and not of_project:
        advice = "make it and its directory yours (chown)"
        return source.replace(ignored=True), refused(_of_another(one.owner[0]), advice)
    if of_project and one.path.endswith(PROJECT_PROGRAMS):
        said = f"this is no directory, it cannot be read, or more than {MOST_PROGRAMS} files in it describe programs"
        return source, refused(said)
    if not one.path.endswith(DESCRIBING):
        return source, refused("this is no directory, or it cannot be read")
    if of_project and leads_out(one.path):
        return source, refused("the file cannot be read: it is a link that leads out of the project")
    try:
        found = read_marked(one.path, LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no regular file"
        return source, refused(f"the file cannot be read: {why.lower()}")
    digest = content_digest(found.content)
    source = source.replace(marks=found.marks, bytes_digest=digest, digest=digest_from(one.path, digest, ()))
    if of_project:
        source = source.replace(trusted=trusted(one.path, source.digest))
        if one.owner is not None and not source.trusted:
            advice = "review it, then run `rulez trust`, or make it yours (chown)"
            return source.replace(ignored=True), refused(_of_another(one.owner[0]), advice)
        if not source.trusted and not untrusted:
            return source, refused(_NOT_TRUSTED, "review it, then run `rulez trust` in a terminal")
    if len(found.content) > LARGEST_FILE:
        return source, refused(f"the file is larger than {LARGEST_FILE // 1024 // 1024} MiB")
    try:
        text = decoded(found.content)
    except UnicodeDecodeError:
        return source, refused("the file is no text in UTF-8")
    return source, Given(shown=shown, text=text, origin=one.layer)


def decoded(content: bytes) -> str:
    """Return the text of a file that describes programs, as it counts. Raises UnicodeDecodeError."""
    return content.decode().removeprefix("\ufeff").replace("\r\n", "\n")


def _of_another(owner: int) -> str:
    return f"this file is ignored: it belongs to user {owner}, neither to you nor to root"
