"""What a git command throws away of a repository: changes, files, stashes, commits (git's own manual pages).

Its words alone say so; what is there to be thrown away, the repository says. A word that is not known could be any.
"""

from __future__ import annotations

from rulez_py.analysis.programs.read import holds
from rulez_py.analysis.values import Command, Discard, Reading, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Found = tuple[Discard, ...]

FILES, INDEX, TREE, SWITCH = "files", "index", "tree", "switch"
CLEAN, REMOVED, WORKTREE = "clean", "removed", "worktree"
STASHES, COMMITS, MOVED, ANYTHING = "stashes", "commits", "moved", "anything"
SUBMODULES, RECURSED = "submodules", "recursed"
ABORTED, SPARSE, REPLACED = "aborted", "sparse", "replaced"
"""What a `Discard` is about: see there."""

_FORCED = ("forced",)
_EVERYTHING = (Discard(what=ANYTHING),)
_ELSEWHERE = ("--git-dir", "--work-tree", "--namespace", "--bare")


class _Git:
    """The words of one git command."""

    def __init__(self, command: Command, reading: Reading, words: Sequence[Word]) -> None:
        self.reading = reading
        self.words = tuple(words)
        end = next((place for place, word in enumerate(command.words) if word.text == "--"), len(command.words))
        behind = {id(word) for word in command.words[end:]}
        self.before = tuple(word for word in self.words if id(word) not in behind)
        self.behind = tuple(word for word in self.words if id(word) in behind)
        self.is_ended = end < len(command.words)

    def has(self, *flags: str) -> bool:
        return any(holds(self.reading, flag) for flag in flags)

    def values(self, *flags: str) -> tuple[Word, ...]:
        return tuple(one.value for one in self.reading.options if one.value and set(flags) & set(one.names))


def discards(command: Command, reading: Reading) -> Found:
    """Return what a git command throws away; nothing of any other command."""
    if command.program != "git":
        return ()
    found = _found(command, reading)
    found = (*found, *_recursed(found, reading))
    places = [one.value for one in reading.options if one.value is not None and one.names == ("-C",)]
    elsewhere = any(holds(reading, flag) for flag in _ELSEWHERE) or not all(word.known for word in places)
    named = tuple(word.text for word in places)
    return tuple(one.replace(elsewhere=elsewhere, directories=named) for one in found) if elsewhere or named else found


def _recursed(found: Found, reading: Reading) -> Found:
    """Return what submodules get as well where git is told to, in these words or by a setting."""
    about = [one.what for one in found if one.what in (FILES, TREE, SWITCH)]
    if not about:
        return ()
    named = [*holds(reading, "--recurse-submodules"), *holds(reading, "-c", _sets_recursion)]
    flags = (*(_FORCED if any(what != SWITCH for what in about) else ()), *(("asked",) if named else ()))
    return (Discard(what=RECURSED, flags=flags),)


def _sets_recursion(setting: str) -> bool:
    return setting.lower().startswith("submodule.recurse")


def _found(command: Command, reading: Reading) -> Found:
    operands = [operand.word for operand in reading.operands]
    name = operands[0] if operands else None
    if name is None or "--help" in {word.text for word in command.words}:
        return ()
    if not name.known:
        return _EVERYTHING
    if name.text in _NESTED:
        second = operands[1].text if len(operands) > 1 else ""
        said, rest = _NESTED[name.text].get(second), operands[2:]
    else:
        said, rest = _SAID.get(name.text), operands[1:]
    return () if said is None else said(_Git(command, reading, rest))


def _paths(words: Iterable[Word]) -> tuple[str, ...] | None:
    """Return pathspecs; None where one is not known."""
    found = tuple(words)
    return tuple(word.text for word in found) if all(word.known for word in found) else None


_OVERLAY, _OTHER = ("overlay",), ("other",)


def _files(words: Sequence[Word], revision: str = "", *flags: str) -> Found:
    return (Discard(what=FILES, paths=_paths(words) or (), revision=revision, flags=flags),)


def _revision(word: Word) -> str | None:
    return word.text if word.known and not word.glob else None


def _checkout(git: _Git) -> Found:
    if git.has("--pathspec-from-file", "-p", "--patch"):
        return (Discard(what=FILES, revision="?"),)
    taken = git.values("-B")
    if git.behind:
        return _of_paths(git.before[:1], git.behind)
    if git.has("--orphan") and not git.has("-f", "--force"):
        return (_left(_or_head(git.before[:1])),) if git.before else (Discard(what=COMMITS, names=("HEAD",)),)
    if git.has("-b") and not git.has("-f", "--force"):
        return ()
    if git.has("-2", "--ours", "-3", "--theirs"):
        return _files(git.before)
    goal = _or_head(git.before[:1])
    if git.has("-f", "--force"):
        return (*_taken(taken, goal), Discard(what=TREE, revision=goal), _left(goal))
    if taken:
        return (*_taken(taken, goal), *_switched(git.before[:1]))
    if len(git.before) > 1:
        either = _paths(git.before)
        if either is None:
            return (Discard(what=FILES, revision="?"),)
        return (Discard(what=FILES, paths=_paths(git.before[1:]) or (), either=either, flags=_OVERLAY),)
    if git.before:
        if goal == "?":
            return (Discard(what=FILES, revision="?"), _left(goal))
        return (Discard(what=SWITCH, revision=goal, either=() if git.is_ended else (goal,)), _left(goal))
    return ()


def _of_paths(revision: Sequence[Word], paths: Sequence[Word]) -> Found:
    if not revision:
        return _files(paths)
    return _files(paths, _revision(revision[0]) or "?", *_OVERLAY)


def _or_head(words: Sequence[Word]) -> str:
    return (_revision(words[0]) or "?") if words else "HEAD"


def _left(goal: str) -> Discard:
    """Return the commits of a HEAD that is on no branch, which goes to `goal`."""
    return Discard(what=COMMITS, names=("HEAD",), revision=goal)


def _taken(names: Iterable[Word], goal: str = "", below: str = "refs/heads/", flags: tuple[str, ...] = ()) -> Found:
    """Return the commits of references that get those of `goal`, or are gone."""
    return tuple(
        Discard(what=COMMITS, names=(_revision(name) or "?",), without=(below,), revision=goal, flags=flags)
        for name in names
    )


def _switched(words: Sequence[Word]) -> Found:
    goal = _or_head(words)
    return (Discard(what=SWITCH, revision=goal), _left(goal))


def _switch(git: _Git) -> Found:
    goal = _or_head(git.words[:1])
    taken = _taken(git.values("-C", "--force-create"), goal)
    if git.has("-f", "--force", "--discard-changes"):
        return (*taken, Discard(what=TREE, revision=goal), _left(goal))
    if taken:
        return (*taken, *_switched(git.words[:1]))
    if git.has("--orphan"):
        return (Discard(what=COMMITS, names=("HEAD",)),)
    return () if git.has("-c", "--create") or not git.words else _switched(git.words)


def _restore(git: _Git) -> Found:
    staged, on_disk = git.has("-S", "--staged"), git.has("-W", "--worktree")
    source = git.values("-s", "--source")
    if git.has("--no-worktree") and not staged:
        return ()
    if git.has("--pathspec-from-file", "-p", "--patch"):
        return (Discard(what=INDEX if staged and not on_disk else FILES, revision="?"),)
    if not git.words:
        return ()
    if staged and not on_disk:
        return (Discard(what=INDEX, paths=_paths(git.words) or ()),)
    return _files(git.words, _or_head(source) if source or staged else "")


def _reset(git: _Git) -> Found:
    revision = _or_head((git.before or git.words)[:1])
    moved = (Discard(what=MOVED, revision=revision),) if revision != "HEAD" else ()
    if git.has("--hard"):
        return (Discard(what=TREE, revision=revision), *moved)
    if git.has("--merge"):
        # Where the disk and the index differ, git keeps the file or refuses.
        return (Discard(what=TREE, revision=revision, flags=("staged",)), *moved)
    if git.has("--soft", "--keep"):
        return moved
    if git.behind or len(git.words) > 1 or git.has("--pathspec-from-file", "-p", "--patch"):
        return (Discard(what=INDEX, paths=_paths(git.behind) or ()),)
    # A single word may be a path: then the branch stays where it is, and the index alone changes.
    either = (revision,) if git.words else ()
    return (Discard(what=INDEX, either=either), *moved)


def _clean(git: _Git) -> Found:
    if git.has("-n", "--dry-run"):
        return ()
    paths = _paths(git.words)
    what = "all" if git.has("-x") else "ignored" if git.has("-X") else ""
    # Without it, whole directories stay.
    deep = "deep" if git.has("-d") or git.words else ""
    return (Discard(what=CLEAN, paths=paths or (), flags=tuple(flag for flag in (what, deep) if flag)),)


def _rm(git: _Git) -> Found:
    if git.has("-n", "--dry-run"):
        return ()
    forced, on_disk = git.has("-f", "--force"), not git.has("--cached")
    if git.has("--pathspec-from-file"):
        return (Discard(what=FILES, revision="?"),) if forced else ()
    paths = _paths(git.words) or ()
    inside = _submodules(paths, forced) if on_disk else ()
    return (Discard(what=REMOVED if on_disk else INDEX, paths=paths), *inside) if forced else inside


_ALL = (":/",)
"""The pathspec of a whole work tree."""


def _submodules(paths: tuple[str, ...], forced: bool) -> Found:
    """Return the work trees of submodules, which are deleted; unless forced git keeps those with changes."""
    return (Discard(what=SUBMODULES, paths=paths, flags=_FORCED if forced else ()),)


def _deinit(git: _Git) -> Found:
    if not git.words and not git.has("--all"):
        return ()
    return _submodules(_paths(git.words) or _ALL, git.has("-f", "--force"))


def _update(git: _Git) -> Found:
    flags = (*(_FORCED if git.has("-f", "--force") else ()), "moved")
    return (Discard(what=SUBMODULES, paths=_paths(git.words) or _ALL, flags=flags),)


def _ends(name: str) -> Callable[[_Git], Found]:
    """Return what is read of a command that can end what git is in the middle of by that `name`."""

    def read(git: _Git) -> Found:
        if git.has("--abort"):
            return (Discard(what=ABORTED, names=(name,), flags=("moved",)),)
        return (Discard(what=ABORTED, names=(name,)),) if git.has("--skip") else ()

    return read


def _mv(git: _Git) -> Found:
    if not git.has("-f", "--force") or git.has("-n", "--dry-run") or len(git.words) < 2:
        return ()
    *sources, goal = git.words
    if not goal.known or any(not word.known for word in sources):
        return (Discard(what=REPLACED),)
    names = tuple(word.text.rstrip("/").rpartition("/")[2] for word in sources)
    return (Discard(what=REPLACED, paths=(goal.text,), names=names),)


def _sparse(git: _Git) -> Found:
    """Return the ignored files of directories that are left out: git deletes them with all else there."""
    return () if git.has("--no-cone") else (Discard(what=SPARSE, paths=_paths(git.words) or ()),)


def _branch(git: _Git) -> Found:
    forced = git.has("-f", "--force")
    if git.has("-D") or (git.has("-d", "--delete") and forced):
        if git.has("-r", "--remotes"):
            return ()
        return _taken(git.words, flags=_OTHER) if git.words else (Discard(what=COMMITS, names=("?",)),)
    if git.has("-M", "-C") or (git.has("-m", "--move", "-c", "--copy") and forced):
        return _taken(git.words[1:2], _or_head(git.words[:1]))
    if forced:
        return _taken(git.words[:1], _or_head(git.words[1:2]), flags=_OTHER)
    return ()


def _tag(git: _Git) -> Found:
    if git.has("-d", "--delete"):
        names = git.words
    elif git.has("-f", "--force"):
        names = git.words[:1]
    else:
        return ()
    return _taken(names, _or_head(git.words[1:2]) if not git.has("-d", "--delete") else "", "refs/tags/")


def _update_ref(git: _Git) -> Found:
    if git.has("--stdin"):
        return (Discard(what=COMMITS, names=("?",)),)
    name = _revision(git.words[0]) if git.words else None
    if name == "HEAD":
        return (Discard(what=MOVED, revision=_or_head(git.words[1:2])),)
    return _taken(git.words[:1], _or_head(git.words[1:2]) if len(git.words) > 1 else "", "")


def _forced_index(git: _Git) -> Found:
    if git.has("--prefix") or not git.has("-f", "--force", "--reset") or git.has("-n", "--dry-run"):
        return ()
    return (Discard(what=TREE, revision=_or_head(git.words[:1])),) if git.has("--reset") else (Discard(what=FILES),)


def _worktree_remove(git: _Git) -> Found:
    paths = _paths(git.words[:1])
    flags = ("forced",) if git.has("-f", "--force") else ()
    return (Discard(what=WORKTREE, paths=paths or (), flags=flags),)


def _stash(git: _Git) -> Found:
    return (Discard(what=STASHES),)


def _objects(git: _Git) -> Found:
    """Commits that no reference has: it is unknown whether there are any."""
    return (Discard(what=COMMITS, names=("?",)),)


def _gc(git: _Git) -> Found:
    return _objects(git) if git.has("--prune") else ()


_SAID: dict[str, Callable[[_Git], Found]] = {
    "checkout": _checkout,
    "switch": _switch,
    "restore": _restore,
    "reset": _reset,
    "clean": _clean,
    "rm": _rm,
    "mv": _mv,
    "merge": _ends("merge"),
    "rebase": _ends("rebase"),
    "cherry-pick": _ends("cherry-pick"),
    "revert": _ends("revert"),
    "am": _ends("am"),
    "branch": _branch,
    "tag": _tag,
    "update-ref": _update_ref,
    "checkout-index": _forced_index,
    "read-tree": _forced_index,
    "prune": _objects,
    "gc": _gc,
}
_NESTED: dict[str, dict[str, Callable[[_Git], Found]]] = {
    "stash": {"drop": _stash, "clear": _stash},
    "worktree": {"remove": _worktree_remove},
    "submodule": {"update": _update, "deinit": _deinit},
    "sparse-checkout": {"set": _sparse, "reapply": _sparse, "init": _sparse},
    "reflog": {"expire": _objects, "delete": _objects},
}
