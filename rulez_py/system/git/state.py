"""What a work tree holds that its last commit does not, and which commits only one reference has.

What git cannot say is unknown, never "nothing".
"""

from __future__ import annotations

from rulez_py.system.git import asking
from rulez_py.system.git.asking import Apart, ask
from rulez_py.system.git.repository import at as at
from rulez_py.system.git.repository import find as find
from rulez_py.system.git.repository import head as head
from rulez_py.system.git.repository import in_tables, named
from rulez_py.system.git.status import status
from rulez_py.system.git.values import TreeState

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.system.git.facts import changes as changes
    from rulez_py.system.git.facts import default_branch as default_branch
    from rulez_py.system.git.facts import has_branch as has_branch
    from rulez_py.system.git.facts import under_way as under_way
    from rulez_py.system.git.facts import unpushed as unpushed
    from rulez_py.system.git.remotes import remotes as remotes
    from rulez_py.system.git.submodules import submodules as submodules
    from rulez_py.system.git.values import Paths, Repository

_ELSEWHERE = {
    **dict.fromkeys(("changes", "default_branch", "has_branch", "under_way", "unpushed"), "facts"),
    "remotes": "remotes",
    "submodules": "submodules",
}
"""Questions that few calls ask -> their modules, which are loaded then."""


def __getattr__(name: str) -> object:
    if name not in _ELSEWHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = __import__(f"rulez_py.system.git.{_ELSEWHERE[name]}", fromlist=[name])
    found = globals()[name] = getattr(module, name)
    return found


def state(repository: Repository, paths: Paths, *, untracked: bool = True, ignored: bool = False) -> TreeState | None:
    """Return the state of these files; None where it is unknown. Files that git does not have only where asked."""
    entries = status(repository, paths, untracked=untracked, ignored=ignored, submodules="all")
    if entries is None:
        return None
    found: dict[str, list[str]] = {"staged": [], "changed": [], "hidden": [], "untracked": [], "ignored": []}
    for one in entries:
        path = _path(repository.top, one.path)
        if one.kind in ("?", "!"):
            found["untracked" if one.kind == "?" else "ignored"].append(path)
            continue
        in_index, on_disk = ("M", "M") if one.kind == "u" else (one.in_index, one.on_disk)
        # What is deleted has no content to lose.
        if in_index not in ".D":
            found["staged"].append(path)
        if on_disk not in ".D":
            found["changed"].append(path)
        if in_index not in ".D" and on_disk != ".":
            found["hidden"].append(path)
    return TreeState(**{kind: tuple(each) for kind, each in found.items()})


def _path(top: str, name: str) -> str:
    return f"{top.rstrip('/')}/{name}"


def stashes(repository: Repository) -> int | None:
    """Return how many stashes there are; None where that is unknown."""
    if head(repository) is None:
        return None
    if named(repository, "refs/stash") == "" and not in_tables(repository):
        return 0
    printed = ask(repository.git_dir, ("rev-list", "--walk-reflogs", "--count", "refs/stash", "--"))
    return None if printed is None else int(printed)


def commits_only_in(
    repository: Repository, names: Sequence[str], *, without: Sequence[str] = (), nor: Sequence[str] = ()
) -> int | None:
    """Return how many commits these revisions have that no other reference has, and no revision of `nor`.

    `without` are references that do not count as others: globs such as `refs/heads/a`. None where it is unknown.
    """
    if (
        not names
        or any(name.startswith("-") or not name for name in names)
        or any(name.startswith("-") for name in nor)
    ):
        return None
    # What a checkpoint of rulez has is there for some days only.
    others = (*(f"--exclude={one}" for one in (*without, "refs/rulez/*")), "--glob=refs/*", *nor)
    words = ("rev-list", "--count", *names, "--not", *others, "--")
    printed = ask(repository.git_dir, words)
    return None if printed is None else int(printed)


def commits_only_here(repository: Repository) -> int | None:
    """Return how many commits of branches and tags no remote has, as far as was fetched; None where it is unknown."""
    known = head(repository)
    names = ("--branches", "--tags") if known is not None and not known[1] else ("HEAD", "--branches", "--tags")
    printed = ask(repository.git_dir, ("rev-list", "--count", *names, "--not", "--remotes", "--"))
    return None if printed is None else int(printed)


def names_something(repository: Repository, revision: str) -> bool | None:
    """Tell whether a revision has files; None where that is unknown."""
    if revision and _is_no_revision(revision):
        return False
    known = head(repository) if revision == "HEAD" else None
    if known is not None:
        return bool(known[1])
    return asking.names_something(repository.git_dir, revision)


def _is_no_revision(text: str) -> bool:
    """Tell whether git can only take a word for a path (gitrevisions(7), git-check-ref-format(1))."""
    if any(mark in text for mark in "^~:@"):
        return False
    parts = text.split("/")
    return any(not part or part.startswith(".") for part in parts) or text.endswith((".", ".lock"))


def in_commit(repository: Repository, revision: str, paths: Sequence[str]) -> tuple[str, ...] | None:
    """Return those of these absolute paths that a commit has: files, and directories with a file in it.

    None where that is unknown; none are where there is no such commit.
    """
    if not revision or revision.startswith("-") or not paths:
        return None if paths else ()
    data = "".join(f"{revision}:{one}\n" for one in map(repository.name_of, paths))
    if "\n" in "".join(paths) or "\0" in data:
        return None
    printed = ask(repository.git_dir, ("cat-file", "--batch-check"), data=data.encode("utf-8", "surrogateescape"))
    if printed is None:
        return None
    lines = printed.decode("utf-8", "surrogateescape").splitlines()
    if len(lines) != len(paths):
        return None
    return tuple(path for path, line in zip(paths, lines, strict=True) if not line.endswith(" missing"))


_COUNTED = ("--numstat", "-z", "--no-renames", "--no-ext-diff", "--no-textconv")


def lines_changed(repository: Repository, paths: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Return how many lines each of these files has more and less than in the last commit; {} where that is unknown."""
    known = head(repository)
    if known is None or not known[1] or not paths:
        return {}
    try:
        with Apart(repository, known[1]) as apart:
            # Where nothing is staged the index says the same, and git need not walk all of it for each file.
            words = ("diff-index", "--cached", "--quiet", "HEAD", "--", *paths)
            against = ("diff-files",) if apart.ask(words, cwd=repository.top) is not None else ("diff-index", "HEAD")
            printed = apart.ask((*against, *_COUNTED, "--", *paths), cwd=repository.top)
    except OSError:
        return {}
    found: dict[str, tuple[int, int]] = {}
    for entry in (printed or b"").decode("utf-8", "surrogateescape").split("\0"):
        more, _, rest = entry.partition("\t")
        less, _, name = rest.partition("\t")
        if more.isdigit() and less.isdigit():
            found[_path(repository.top, name)] = int(more), int(less)
    return found
