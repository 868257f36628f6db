"""What a repository says of pushes: its settings, its branches and tags, and the default branches of its remotes.

INVARIANT: nothing of the repository runs (`asking`): git lists settings and references, and files that settings include
are read as settings.
"""

from __future__ import annotations

from rulez_py.system.git.asking import ask, settings
from rulez_py.system.git.values import Remotes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.system.git.values import Repository

_HEADS, _TAGS, _REMOTES = "refs/heads/", "refs/tags/", "refs/remotes/"
_LONGEST_LIST = 16 * 1024 * 1024
_LISTED = ("for-each-ref", "--format=%(refname) %(symref)", _HEADS, _TAGS, _REMOTES)


def remotes(repository: Repository) -> Remotes | None:
    """Return what a repository says of pushes; None where git does not say it."""
    listed = settings(repository.git_dir)
    printed = ask(repository.git_dir, _LISTED, limit=_LONGEST_LIST)
    if listed is None or printed is None:
        return None
    lines = [line.partition(" ") for line in printed.decode("utf-8", "surrogateescape").splitlines()]
    return Remotes(
        settings=tuple(_setting(entry) for entry in listed.decode("utf-8", "surrogateescape").split("\0") if entry),
        branches=_below(_HEADS, [name for name, _, _ in lines]),
        tags=_below(_TAGS, [name for name, _, _ in lines]),
        tracked=_below(_REMOTES, [name for name, _, target in lines if not target]),
        defaults=tuple(
            (_remote(name), target.removeprefix(f"{_REMOTES}{_remote(name)}/"))
            for name, _, target in lines
            if name.startswith(_REMOTES) and name.endswith("/HEAD") and target
        ),
    )


def _setting(entry: str) -> tuple[str, str]:
    """Return a name and its value; one without `=` is true."""
    name, line_end, value = entry.partition("\n")
    return name, value if line_end else "true"


def _below(place: str, names: list[str]) -> tuple[str, ...]:
    return tuple(name.removeprefix(place) for name in names if name.startswith(place))


def _remote(name: str) -> str:
    return name.removeprefix(_REMOTES).removesuffix("/HEAD")
