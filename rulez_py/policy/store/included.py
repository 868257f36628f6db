"""Find and read the files that a policy file extends: `extends: [./team.yaml, ../shared/*.yaml]`.

They become part of the file that extends them: of its layer, of its root, and of what a person trusts. A project's
file reaches files of its project alone. What cannot be read, or leads in a circle, is a problem of the file that names
it, so a policy does not lose a part unseen.
"""

from __future__ import annotations

import os

from rulez_py.analysis import Value
from rulez_py.documents.diagnostics import ERROR, WARNING, Diagnostic, diagnostic
from rulez_py.policy import packs
from rulez_py.policy.model.layers import PROJECT
from rulez_py.policy.store.reading import read_or_why
from rulez_py.policy.store.search import names_fitting, other_owner, real_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulez_py.documents.document import Document, Path

MOST_LEVELS = 8
"""Files that extend one another."""
MOST_FILES = 64
"""Files that one policy file extends in all."""
_GLOB = "*?[{"
_EXTENDS = "extends"


class Part(Value):
    """A file that another one extends. `shown` is its name for people; `digest` and `marks` are those of its bytes.

    `parts` are the files that it extends itself.
    """

    path: str
    shown: str
    digest: str
    marks: tuple[int, ...]
    document: Document
    parts: tuple[Part, ...] = ()


class Included(Value):
    """All files that one policy file extends, in the order in which they are named.

    `looked_in` has the directory of each glob, the glob, and the names that fit. `problems` are those of finding and
    reading; `foreign` are those about files of another user, which count unless a person trusts the whole.
    """

    parts: tuple[Part, ...] = ()
    problems: tuple[Diagnostic, ...] = ()
    foreign: tuple[Diagnostic, ...] = ()
    looked_in: tuple[tuple[str, str, tuple[str, ...]], ...] = ()

    @property
    def each(self) -> tuple[Part, ...]:
        """Every file once, the nearest way to it first."""
        found: dict[str, Part] = {}
        for part in _each(self.parts):
            found.setdefault(part.path, part)
        return tuple(found.values())


def _each(parts: Sequence[Part]) -> Iterator[Part]:
    for part in parts:
        yield part
        yield from _each(part.parts)


def rules_in(parts: Sequence[Part]) -> dict[str, str]:
    """Return the names of these files' rules, and of all that they extend -> the file, as people know it."""
    found: dict[str, str] = {}
    for part in _each(parts):
        data = part.document.data
        rules = data.get("rules") if isinstance(data, dict) else None
        for rule in rules if isinstance(rules, list) else ():
            if isinstance(rule, dict) and isinstance(rule.get("name"), str):
                found.setdefault(rule["name"], part.shown)
    return found


def sets_in(parts: Sequence[Part]) -> list[str]:
    """Return the rule sets of rulez that these files extend."""
    return [entry for part in _each(parts) for _, entry in _entries(part.document) if not packs.is_file(entry)]


def include(path: str, document: Document, shown: str, *, layer: str, root: str) -> Included:
    """Return what the policy file at `path` extends; raises nothing. `root` is that of the file (`root_of`)."""
    reader = _Reader(path, layer, root)
    parts = reader.parts_of(document, ((path, shown),))
    return Included(
        parts=parts,
        problems=tuple(reader.problems),
        foreign=tuple(reader.foreign),
        looked_in=tuple(dict.fromkeys(reader.looked_in)),
    )


class _Refused(Exception):
    """An entry names no file that may be read; the arguments are the message and the advice."""


class _Reader:
    def __init__(self, path: str, layer: str, root: str) -> None:
        self.layer = layer
        self.root = os.path.abspath(root)
        self.owners = _owners(path)
        self.count = 0
        self.problems: list[Diagnostic] = []
        self.foreign: list[Diagnostic] = []
        self.looked_in: list[tuple[str, str, tuple[str, ...]]] = []

    def parts_of(self, document: Document, above: tuple[tuple[str, str], ...]) -> tuple[Part, ...]:
        """Return the files of one file's `extends`. `above` are it and those that extend it, with their names."""
        parts = []
        base, shown = above[-1]
        for at, entry in _entries(document):
            if not packs.is_file(entry):
                continue
            where = document.position(at)
            try:
                for path in self._named(entry, base, shown, where):
                    parts.append(self._part(path, _shown(path, entry, base, shown), above, shown, where))
            except _Refused as refused:
                message, help = refused.args
                self._say(shown, where, message, help)
        return tuple(parts)

    def _named(self, entry: str, base: str, shown: str, where: tuple[int, int]) -> list[str]:
        """Return the paths that an entry names."""
        path = os.path.normpath(os.path.join(os.path.dirname(base), os.path.expanduser(entry)))
        self._check_place(entry, path, base)
        directory, name = os.path.split(path)
        if not any(character in name for character in _GLOB):
            return [path]
        if self.layer == PROJECT and not self._is_inside(directory):
            raise _Refused(f'"{entry}" leads out of the project by a link', _OF_PROJECT)
        names = names_fitting(directory, name)
        self.looked_in.append((directory, name, names))
        found = [one for one in (os.path.join(directory, name) for name in names) if real_path(one) != real_path(base)]
        if not found:
            self._say(shown, where, f'"{entry}" fits no file', "correct it, or remove it", severity=WARNING)
        return found

    def _check_place(self, entry: str, path: str, base: str) -> None:
        """Raise _Refused for a place that no file of this layer reaches."""
        is_whole = os.path.isabs(os.path.expanduser(entry))
        if any(character in os.path.dirname(path) for character in _GLOB) and not os.path.isdir(os.path.dirname(path)):
            raise _Refused(f'"{entry}" has a pattern in a directory\'s name', "write it in the file's name alone")
        if self.layer == PROJECT:
            if is_whole or not _lies_in(path, self.root):
                raise _Refused(f'"{entry}" is no file of this project', _OF_PROJECT)
        elif not is_whole and not any(_lies_in(path, top) for top in (self.root, os.path.dirname(base))):
            raise _Refused(
                f'"{entry}" leads out of the directory of this file', "write the whole path, from / or ~/ on"
            )

    def _part(
        self, path: str, shown: str, above: tuple[tuple[str, str], ...], named_in: str, where: tuple[int, int]
    ) -> Part:
        """Return one file with those that it extends."""
        reals = [real_path(one) for one, _ in above]
        if real_path(path) in reals:
            circle = [*(name for _, name in above[reals.index(real_path(path)) :]), shown]
            raise _Refused(f"these files extend one another: {' -> '.join(circle)}", "take one of these lines away")
        self.count += 1
        if len(above) > MOST_LEVELS or self.count > MOST_FILES:
            said = f"more than {MOST_LEVELS} files extend one another, or one extends more than {MOST_FILES}"
            raise _Refused(said, "put some of them into one file")
        if self.layer == PROJECT and not self._is_inside(path):
            raise _Refused(f"{shown} is a link that leads out of the project", _OF_PROJECT)
        found = read_or_why(path)
        if isinstance(found, str):
            raise _Refused(f"{shown} cannot be read: {found}", "check the name, or remove it")
        owner = other_owner(path, self.owners)
        if owner is not None:
            said = f"{shown} belongs to user {owner[0]}, neither to this file's owner nor to root"
            self.foreign.append(diagnostic(named_in, where, said, "make it and its directory theirs (chown)"))
        from rulez_py.policy.format.check import read_document
        from rulez_py.trust import content_digest

        document = read_document(found.content, shown)
        return Part(
            path=path,
            shown=shown,
            digest=content_digest(found.content),
            marks=found.marks,
            document=document,
            parts=self.parts_of(document, (*above, (path, shown))),
        )

    def _is_inside(self, path: str) -> bool:
        return _lies_in(real_path(path), real_path(self.root))

    def _say(self, shown: str, at: tuple[int, int], message: str, help: str, *, severity: str = ERROR) -> None:
        self.problems.append(diagnostic(shown, at, message, help, severity=severity))


_OF_PROJECT = "a project's policy extends files of its own project, as ./team.yaml or ../shared/*.yaml"


def _entries(document: Document) -> Iterator[tuple[Path, str]]:
    """Yield each entry of `extends`, with its path in the document."""
    said = document.data.get(_EXTENDS) if isinstance(document.data, dict) else None
    if isinstance(said, str):
        yield (_EXTENDS,), said
    for index, entry in enumerate(said if isinstance(said, list) else ()):
        if isinstance(entry, str):
            yield (_EXTENDS, index), entry


def _owners(path: str) -> tuple[int, ...]:
    """Return whose files the one at `path` may extend: those of its own owner, and root's."""
    if not hasattr(os, "geteuid"):
        return ()
    try:
        return tuple(dict.fromkeys((os.stat(path).st_uid, 0)))
    except (OSError, ValueError):
        return (os.geteuid(), 0)


def _shown(path: str, entry: str, base: str, shown: str) -> str:
    """Return the name of an included file for people, in the manner of the file that extends it."""
    if os.path.isabs(entry) or entry.startswith("~"):
        return os.path.join(os.path.dirname(entry), os.path.basename(path))
    below = os.path.relpath(path, os.path.dirname(base))
    return os.path.normpath(os.path.join(os.path.dirname(shown), below))


def _lies_in(path: str, top: str) -> bool:
    return path.startswith(top.rstrip(os.sep) + os.sep)
