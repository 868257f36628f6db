"""Read people's descriptions of programs from the files of every layer, and make one table of them.

INVARIANT: nothing on disk makes this raise. A file that cannot be used gets a diagnostic, and counts for nothing: what
it describes is unknown, as it is without the file, and rules stop what is unknown.
"""

from __future__ import annotations

from rulez_py.analysis import Value
from rulez_py.documents.diagnostics import WARNING, Diagnostic, diagnostic
from rulez_py.policy.model.layers import MANAGED
from rulez_py.policy.store.search import DESCRIBING, LARGEST_FILE, Source, shown_path
from rulez_py.system.files import read_marked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.programs import Given
    from rulez_py.policy.store.search import Found

_START = (1, 1)
_MEND = "correct that, or remove the file; until then nothing in it counts"


class Described(Value):
    """People's descriptions of programs: a table for `analysis.describe`, the files, those that count as they are read,
    and what is wrong with any of them."""

    table: str = ""
    sources: tuple[Source, ...] = ()
    given: tuple[Given, ...] = ()
    problems: tuple[Diagnostic, ...] = ()


def read(files: Sequence[Found], *, root: str, home: str, managed_alone: str = "", tables: bool = True) -> Described:
    """Return what these files say; raises nothing.

    `managed_alone` is the place where the machine's policy says that people make no exceptions: then only the machine's
    files count, since an entry can make rules see less. Unless `tables` is on, no table is made.
    """
    if not files:
        return Described()
    sources: list[Source] = []
    given: list[Given] = []
    problems: list[Diagnostic] = []
    for one in files:
        source, found = _one(one, shown_path(one.path, root, home), managed_alone)
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


def _one(one: Found, shown: str, managed_alone: str) -> tuple[Source, Given | Diagnostic]:
    """Return a file and its text, or why that does not count."""
    from rulez_py.analysis.programs import Given
    from rulez_py.trust import content_digest, digest_from

    def refused(message: str, help: str = _MEND) -> Diagnostic:
        return diagnostic(shown, _START, message, help, severity=WARNING)

    source = Source(layer=one.layer, path=one.path, digest="", trusted=True)
    if managed_alone and one.layer != MANAGED:
        said = f"this file does not count: the machine's policy leaves nothing to people ({managed_alone})"
        return source.replace(ignored=True), refused(said, "ask who keeps that policy")
    if one.owner is not None:
        said = f"this file is ignored: it belongs to user {one.owner[0]}, neither to you nor to root"
        return source.replace(ignored=True), refused(said, "make it and its directory yours (chown)")
    if not one.path.endswith(DESCRIBING):
        return source, refused("this is no directory, or it cannot be read")
    try:
        found = read_marked(one.path, LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no regular file"
        return source, refused(f"the file cannot be read: {why.lower()}")
    digest = content_digest(found.content)
    source = source.replace(marks=found.marks, bytes_digest=digest, digest=digest_from(one.path, digest, ()))
    if len(found.content) > LARGEST_FILE:
        return source, refused(f"the file is larger than {LARGEST_FILE // 1024 // 1024} MiB")
    try:
        text = found.content.decode().removeprefix("\ufeff").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return source, refused("the file is no text in UTF-8")
    return source, Given(shown=shown, text=text, origin=one.layer)
