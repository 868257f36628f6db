"""`rulez.agents.yaml` -> a value, with the files that its patterns name."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rulez_py.definitions.base.composing import lies_in
from rulez_py.definitions.base.files import CannotLoad
from rulez_py.definitions.base.frozen import FrozenMap
from rulez_py.definitions.base.source import Body, Report, read_whole
from rulez_py.definitions.output.errors import InvalidAgent
from rulez_py.definitions.project.format import FILE
from rulez_py.definitions.project.kinds import KINDS
from rulez_py.definitions.skills.definition import SKILL_MD
from rulez_py.documents import types
from rulez_py.documents.diagnostics import Diagnostic, errors
from rulez_py.documents.types import Refusal
from rulez_py.platforms import PLATFORMS
from rulez_py.platforms.agent_files import LARGEST_FILE
from rulez_py.system.files import read_pieces

KEYS = tuple(kind.KEY for kind in KINDS)
_DIRECTORIES = frozenset(kind.KEY for kind in KINDS if kind.INSIDE)
MANIFEST = "rulez.agents.yaml"
"""The name of the file in the project's directory."""
_KEPT = re.compile(r"\.bak\d*$")  # Copies of files written over with --force, which are no definitions.
MOST_FILES = 2_000
"""Files that one pattern may name."""


@dataclass(frozen=True, init=False)
class Manifest:
    """A project's file. `variables` is name -> value, `paths` the key of a kind -> its paths.

    Paths are from the project's directory, with `/`; those of a kind are an attribute, too: `manifest.agents`. `gone`
    are paths of what shall count as gone, and its files as left over.
    """

    platforms: tuple[str, ...]
    paths: FrozenMap
    variables: FrozenMap
    gone: tuple[str, ...]

    def __init__(
        self,
        platforms: tuple[str, ...] = PLATFORMS,
        variables: FrozenMap | None = None,
        gone: tuple[str, ...] = (),
        **paths: tuple[str, ...],
    ) -> None:
        if unknown := paths.keys() - set(KEYS):
            raise TypeError(f"there is no kind {sorted(unknown)[0]!r} of definitions; there are {', '.join(KEYS)}")
        given = {key: tuple(paths.get(key, ())) for key in KEYS}
        values = {
            "platforms": platforms,
            "paths": FrozenMap(given),
            "variables": variables or FrozenMap(),
            "gone": gone,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __getattr__(self, key: str) -> tuple[str, ...]:
        if key in KEYS:
            return self.of(key)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {key!r}")

    def of(self, key: str) -> tuple[str, ...]:
        """Return the paths of one kind."""
        return tuple(self.paths[key])

    @property
    def every_path(self) -> tuple[str, ...]:
        """The paths of all kinds."""
        return tuple(path for key in KEYS for path in self.of(key))


@dataclass(frozen=True)
class Read:
    """A file, read: the manifest, None where an error is among the `problems`."""

    manifest: Manifest | None
    problems: tuple[Diagnostic, ...]


def load(directory: str | os.PathLike[str]) -> Manifest:
    """Return the manifest of a project.

    Raises InvalidAgent with every problem and its place, one a line; CannotLoad where the file cannot be read.
    """
    name = os.path.join(os.fspath(directory), MANIFEST)
    try:
        content = b"".join(read_pieces(name, LARGEST_FILE + 1))
    except OSError as error:
        raise CannotLoad(f"{os.path.normpath(name)}: {error.strerror or error}") from error
    done = read(content, os.path.normpath(name))
    if done.manifest is None:
        raise InvalidAgent("\n".join(one.labelled for one in errors(done.problems)))
    return done.manifest


def read(content: bytes, path: str) -> Read:
    """Return the manifest that a file's bytes make; its patterns are looked up beside it."""
    manifest, problems = read_whole(
        content, Report(path, "the file"), _manifest, if_empty="write at least `agents: [agents/*]`", markdown=False
    )
    return Read(manifest, problems)


def _manifest(report: Report, _body: Body | None) -> Manifest | None:
    refusals: list[Refusal] = []
    done = types.read(FILE, report.document.data, (), refusals)
    for refusal in refusals:
        report.refusal(refusal)
    if not isinstance(done, dict) or refusals:
        return None
    directory = os.path.dirname(report.path) or os.curdir
    found = {kind: tuple(dict.fromkeys(_found(done, kind, directory, report))) for kind in KEYS}
    if not any(kind in done for kind in KEYS):
        report.add((1, 1), f"the file names none of {', '.join(KEYS)}", "write at least `agents: [agents/*]`")
    return Manifest(
        platforms=tuple(dict.fromkeys(done.get("platforms", PLATFORMS))),
        variables=FrozenMap(done.get("vars", {})),
        **found,
    )


def _found(done: dict[str, Any], kind: str, directory: str, report: Report) -> Iterator[str]:
    """Yield the paths that the patterns of one kind name, each pattern's sorted."""
    for index, pattern in enumerate(done.get(kind, ())):
        at = report.document.position((kind, index))
        here = sorted(path.replace(os.sep, "/").rstrip("/") for path in glob.glob(pattern, root_dir=directory))
        if _is_glob(pattern):
            here = [path for path in here if not _KEPT.search(path)]
        if kind in _DIRECTORIES:
            here = [path for path in here if os.path.isdir(os.path.join(directory, path)) or not _is_glob(pattern)]
            here = [path.removesuffix(f"/{SKILL_MD}") for path in here]
        else:
            here = [path for path in here if not os.path.isdir(os.path.join(directory, path))]
        away = next((path for path in here if _leads_out(directory, path)), None)
        if away is not None:
            report.add(at, f'"{away}" leads out of the project', "put the file itself there")
        elif not here:
            what = "directory" if kind in _DIRECTORIES else "file"
            report.add(at, f'"{pattern}" names no {what}', "write its path from this file's directory")
        elif len(here) > MOST_FILES:
            report.add(at, f'"{pattern}" names {len(here):,} files, and more than {MOST_FILES:,} are too many')
        else:
            yield from here


def _leads_out(directory: str, path: str) -> bool:
    """Tell whether a path is a link, or lies behind one, to what is not the project's."""
    return not lies_in(os.path.realpath(directory), os.path.realpath(os.path.join(directory, path)))


def _is_glob(pattern: str) -> bool:
    return any(one in pattern for one in "*?[")
