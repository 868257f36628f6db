"""What a part of a call would throw away for good, as far as the machine says it.

INVARIANT: what is unknown counts as lost (`known` is False then), and never as nothing.
"""

from __future__ import annotations

import os

from rulez_py.analysis import DELETE, READ, SOME, WRITE, Discard, Value
from rulez_py.event.arguments import changes_parts
from rulez_py.policy.facts.disk import joined
from rulez_py.system.git.values import Paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulez_py.analysis import Command
    from rulez_py.policy.facts.disk import Touched
    from rulez_py.policy.facts.facts import Facts, Part
    from rulez_py.system.effects import Git
    from rulez_py.system.git.values import Repository, TreeState

UNCOMMITTED, UNTRACKED, IGNORED = "uncommitted", "untracked", "ignored"
STASHES, COMMITS, FILES = "stashes", "commits", "files"
OVERWRITTEN, CUT, UNREAD = "overwritten", "cut", "unread"
WRITTEN = frozenset((OVERWRITTEN, CUT, UNREAD))
KINDS = (UNCOMMITTED, UNTRACKED, IGNORED, STASHES, COMMITS, FILES, OVERWRITTEN, CUT, UNREAD)
"""What may be lost: changes of files that git has, files that it does not have, those that it ignores, stashes, commits
that no other reference has, files outside of every repository; the content of a file that git does not have, where
another takes its place, and where that is known to have less than half of the lines; that of a file, in git or not,
which the agent has not read or written as it is."""

_OF_DISCARDS = {
    "files": (UNCOMMITTED, UNTRACKED),
    "index": (UNCOMMITTED,),
    "removed": (UNCOMMITTED,),
    "tree": (UNCOMMITTED, UNTRACKED),
    "switch": (IGNORED,),
    "clean": (UNTRACKED, IGNORED),
    "worktree": (UNCOMMITTED, UNTRACKED, IGNORED, COMMITS),
    "submodules": (UNCOMMITTED, UNTRACKED, IGNORED, COMMITS),
    "recursed": (UNCOMMITTED, COMMITS),
    "replaced": (UNCOMMITTED, UNTRACKED, IGNORED),
    "sparse": (IGNORED,),
    "aborted": (UNCOMMITTED, COMMITS),
    "stashes": (STASHES,),
    "commits": (COMMITS,),
    "moved": (COMMITS,),
    "anything": KINDS,
}
_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY")
_BRINGS = ("add", "stage", "stash", "apply", "update-index", "mv", "submodule", "worktree", "sparse-checkout", "init")
"""Subcommands of git that make files git's which it did not have, or bring back what was put away."""
_LEAVES = ("reset", "restore", "rm", "read-tree", "symbolic-ref", "bisect")
"""Those after which the index, or what HEAD means, is another, while the files stay as they are."""
_MOVES = ("checkout", "switch", "rebase", "merge", "pull", "cherry-pick", "revert", "am", "commit", "filter-branch")
_NAMES = ("branch", "tag", "update-ref")
_UNSETTLING = {
    # These look at all that differs from the last commit.
    "tree": _BRINGS,
    "removed": _BRINGS,
    "files": (*_BRINGS, *_LEAVES),
    # These look at the submodules that there are.
    "submodules": tuple(one for one in (*_BRINGS, *_LEAVES, *_MOVES) if one not in ("rm", "commit")),
    "recursed": ("submodule", "config"),
    # A branch by its name: another that is checked out changes nothing of it.
    "commits": (*_BRINGS, *_LEAVES, *_NAMES, *(one for one in _MOVES if one not in ("checkout", "switch"))),
}
_ALL = frozenset((*_BRINGS, *_LEAVES, *_MOVES, *_NAMES))
"""What a `Discard` is about -> the subcommands after which it may meet more than is there now; `_ALL` for others."""


class Lost(Value):
    """Something that would be lost: of a kind, a file or the name of a reference, `count` of them.

    `known` is False where it is not known whether there is anything. `top` is the work tree where stashes and commits
    were looked for, or that has an overwritten file: "" outside of every repository.
    """

    kind: str
    name: str = ""
    count: int = 1
    known: bool = True
    top: str = ""


class _Asked:
    """What git says, of each revision once: one command may throw several things away for the sake of one."""

    def __init__(self, git: Git) -> None:
        self.git = git
        self._known: dict[tuple[Repository, str], bool | None] = {}

    def lacks(self, repository: Repository, revision: str) -> bool:
        """Tell whether git knows that there is no such revision, and so refuses what needs it."""
        key = repository, revision
        if key not in self._known:
            self._known[key] = self.git.names_something(repository, revision)
        return self._known[key] is False


def losses(part: Part, facts: Facts, wanted: Iterable[str]) -> tuple[Lost, ...]:
    """Return what a part of the call would lose of these kinds; it is looked for once."""
    kinds = frozenset(wanted)
    if kinds not in part.lost:
        part.lost[kinds] = _losses(part, facts, kinds)
    return part.lost[kinds]


def of_parts(parts: Iterable[Part], facts: Facts, wanted: Iterable[str]) -> list[Lost]:
    """Return what these parts of the call would lose of these kinds."""
    kinds = tuple(wanted)
    return [one for part in parts for one in losses(part, facts, kinds)]


def _losses(part: Part, facts: Facts, kinds: frozenset[str]) -> tuple[Lost, ...]:
    gone, written = kinds - WRITTEN, kinds & WRITTEN
    found = [*_by_git(part, facts, gone), *_by_deleting(part, facts, gone), *_by_writing(part, facts, written)]
    return _each_once([one for one in found if one.kind in kinds])


def _each_once(found: list[Lost]) -> tuple[Lost, ...]:
    """Return the same without files that are below a directory among them."""
    directories = tuple({(one.kind, one.name) for one in found if one.name.endswith("/")})
    return tuple(
        one
        for one in dict.fromkeys(found)
        if not any(one.kind == kind and one.name != name and one.name.startswith(name) for kind, name in directories)
    )


def _unknown(kinds: Iterable[str]) -> Iterator[Lost]:
    for kind in kinds:
        yield Lost(kind=kind, known=False)


# What git throws away.


def _by_git(part: Part, facts: Facts, kinds: frozenset[str]) -> Iterator[Lost]:
    command = part.command
    if command is None or command.program != "git":
        return
    from rulez_py.analysis import discards

    git = _Asked(facts.effects.git)
    for discard in discards(command):
        asked = kinds.intersection((*_OF_DISCARDS[discard.what], *(_OF_DISCARDS["files"] if discard.either else ())))
        if not asked:
            continue
        if discard.elsewhere or not part.places or _is_unsettled(discard, command, facts) or _is_moved(command, facts):
            yield from _unknown(asked)
            continue
        for place in part.places:
            directory = place.path
            for one in discard.directories:
                directory = joined(one, directory, facts.around.home)
            yield from _discarded(discard, facts.effects.real_path(directory), git, facts, asked)


def _is_moved(command: Command, facts: Facts) -> bool:
    """Tell if variables say that a repository is elsewhere."""
    return any(facts.around.environ.get(name) for name in _VARIABLES) or any(
        name in _VARIABLES for name, _ in command.environment
    )


def _is_unsettled(discard: Discard, command: Command, facts: Facts) -> bool:
    """Tell whether a command before this one in the call may leave it more to throw away than is there now."""
    unsettling = _ALL if "HEAD" in discard.names else frozenset(_UNSETTLING.get(discard.what, _ALL))
    for other in facts.commands:
        if other is command:
            return False
        if other.program == "git" and unsettling & {word.text for word in other.words[1:]}:
            return True
        if discard.what == "clean" and any(DELETE in file.access and READ in file.access for file in other.files):
            return True  # It moves files.
    return False


def _discarded(discard: Discard, directory: str, asked: _Asked, facts: Facts, kinds: frozenset[str]) -> Iterator[Lost]:
    git = asked.git
    repository = git.find(directory)
    if repository is None:
        return  # git would find none either.
    what = discard.what
    if what == "anything":
        yield from _unknown(kinds)
    elif what == "stashes":
        yield from _counted(STASHES, "", git.stashes(repository), repository)
    elif what == "commits":
        head, switches = git.head(repository), _goes_elsewhere(facts)
        for name in discard.names:
            if "other" in discard.flags and head is not None and name == head[0] and not switches:
                continue  # git refuses to do that to the branch that is checked out.
            yield from _commits(asked, repository, name, discard.without, discard.revision)
    elif what == "moved":
        yield from _left(asked, repository, discard)
    elif what == "worktree":
        yield from _worktree(discard, directory, asked, facts, kinds)
    elif what == "submodules":
        yield from _of_submodules(discard, directory, asked, repository, facts, kinds)
    elif what == "recursed":
        yield from _recursed(discard, asked, repository, facts, kinds)
    elif what == "replaced":
        yield from _replaced(discard, directory, repository, facts, kinds)
    elif what == "sparse":
        yield from _left_out(discard, directory, repository, facts, kinds)
    elif what == "aborted":
        yield from _aborted(discard, directory, asked, repository, facts, kinds)
    else:
        yield from _of_files(_settled(discard, asked, repository), directory, asked, repository, kinds)


def _goes_elsewhere(facts: Facts) -> bool:
    """Tell whether the call may check out another branch."""
    return any(
        one.program == "git" and {"checkout", "switch"} & {word.text for word in one.words} for one in facts.commands
    )


def _settled(discard: Discard, asked: _Asked, repository: Repository) -> Discard:
    """Return the same with its words told apart: the first is a revision, or else all are paths."""
    if not discard.either:
        return discard
    first, *rest = discard.either
    if asked.lacks(repository, first):
        what = "index" if discard.what == "index" else "files"
        return discard.replace(what=what, paths=discard.either, revision="", either=(), flags=())
    if rest:
        return discard.replace(paths=tuple(rest), revision=first, either=())
    return discard.replace(either=())


def _of_files(
    discard: Discard, directory: str, asked: _Asked, repository: Repository, kinds: frozenset[str]
) -> Iterator[Lost]:
    git, what, revision = asked.git, discard.what, discard.revision
    if revision not in ("", "?") and asked.lacks(repository, revision):
        return  # git refuses.
    with_ignored = IGNORED in kinds and (what == "switch" or bool({"all", "ignored"} & {*discard.flags}))
    if what == "switch" and not with_ignored:
        return
    specs = discard.paths if what != "tree" else ()
    if what == "clean" and not specs:
        specs = (".",)  # git leaves what is above.
    with_untracked = UNTRACKED in kinds and (what == "clean" or bool(revision))
    paths = Paths(cwd=directory, specs=specs)
    state = git.state(repository, paths, untracked=with_untracked, ignored=with_ignored)
    if state is None:
        yield from _unknown(kinds)
        return
    if what == "index":
        yield from _named(UNCOMMITTED, state.hidden)
    elif what == "clean":
        cleaned = state.untracked if "ignored" not in discard.flags else ()
        if "deep" not in discard.flags:
            cleaned = tuple(path for path in cleaned if not path.endswith("/"))
        yield from _named(UNTRACKED, cleaned)
        yield from _named(IGNORED, state.ignored)
    elif what == "switch":
        yield from _overwritten(IGNORED, git, repository, revision, state.ignored)
    else:
        changed = state.changed if what == "files" and not revision else (*state.changed, *state.staged)
        if "staged" in discard.flags:
            changed = state.staged
        if "overlay" in discard.flags:
            yield from _overwritten(UNCOMMITTED, git, repository, revision, changed)
        else:
            yield from _named(UNCOMMITTED, changed)
        if revision:
            yield from _overwritten(UNTRACKED, git, repository, revision, state.untracked)


def _overwritten(kind: str, git: Git, repository: Repository, revision: str, paths: tuple[str, ...]) -> Iterator[Lost]:
    """Files that git does not have, in the place of those that a revision has."""
    if not paths:
        return
    if revision == "?":
        yield Lost(kind=kind, known=False)
        return
    found = git.in_commit(repository, revision, tuple(path.rstrip("/") for path in paths))
    if found is None:
        yield Lost(kind=kind, known=False)
    else:
        yield from _named(kind, found)


def _named(kind: str, paths: Iterable[str]) -> Iterator[Lost]:
    for path in paths:
        yield Lost(kind=kind, name=path)


def _counted(kind: str, name: str, count: int | None, repository: Repository) -> Iterator[Lost]:
    if count is None:
        yield Lost(kind=kind, name=name, known=False)
    elif count:
        yield Lost(kind=kind, name=name, count=count, top=repository.top)


def _commits(
    asked: _Asked, repository: Repository, name: str, without: tuple[str, ...] = (), goal: str = ""
) -> Iterator[Lost]:
    """Return the commits that only a reference has, which is gone or goes to `goal`."""
    git = asked.git
    if goal not in ("", "?") and asked.lacks(repository, goal):
        return  # git refuses.
    nor: tuple[str, ...] = () if goal in ("", "?") else (goal,)
    if name == "?":
        yield Lost(kind=COMMITS, known=False)
        return
    head = git.head(repository)
    if name == "HEAD":
        if head is None:
            yield Lost(kind=COMMITS, known=False)
        elif not head[0] and head[1]:
            yield from _counted(COMMITS, "HEAD", git.commits_only_in(repository, ("HEAD",), nor=nor), repository)
        return
    reference = f"{without[0] if without else ''}{name}"
    if asked.lacks(repository, reference):
        return  # git has no such reference to delete or move.
    if head is not None and not head[0] and head[1]:
        nor += ("HEAD",)
    count = git.commits_only_in(repository, (reference,), without=(reference,), nor=nor)
    yield from _counted(COMMITS, name, count, repository)


def _left(asked: _Asked, repository: Repository, discard: Discard) -> Iterator[Lost]:
    """Commits of the branch that HEAD is on, which goes to another revision."""
    git = asked.git
    head = git.head(repository)
    if head is None or discard.revision == "?":
        yield Lost(kind=COMMITS, known=False)
        return
    if not head[1]:
        return  # It has none yet.
    if asked.lacks(repository, discard.revision):
        return  # It is a path, or git refuses.
    branch = head[0]
    own = (f"refs/heads/{branch}",) if branch else ()
    count = git.commits_only_in(repository, ("HEAD",), without=own, nor=(discard.revision,))
    yield from _counted(COMMITS, branch or "HEAD", count, repository)


def _worktree(discard: Discard, directory: str, asked: _Asked, facts: Facts, kinds: frozenset[str]) -> Iterator[Lost]:
    """Return what a work tree has that is removed; git refuses where it has changes, unless it is forced."""
    if not discard.paths:
        yield from _unknown(kinds)
        return
    git = asked.git
    top = facts.effects.real_path(joined(discard.paths[0], directory, facts.around.home))
    repository = _with_top(git, top)
    if repository is None:
        return
    state = _state(repository, Paths(cwd=top), facts, kinds)
    if state is None:
        yield from _unknown(kinds)
        return
    if "forced" in discard.flags:
        yield from _named(UNCOMMITTED, (*state.changed, *state.staged))
        yield from _named(UNTRACKED, state.untracked)
    yield from _named(IGNORED, state.ignored)
    yield from _commits(asked, repository, "HEAD")


def _of_submodules(
    discard: Discard, directory: str, asked: _Asked, repository: Repository, facts: Facts, kinds: frozenset[str]
) -> Iterator[Lost]:
    paths = Paths(cwd=directory, specs=discard.paths)
    if "moved" in discard.flags:
        yield from _moved(paths, asked, repository, kinds, forced="forced" in discard.flags)
        return
    wanted = kinds - {COMMITS} if "forced" in discard.flags else kinds & {IGNORED}
    if wanted:
        found = _in_submodules(repository, paths, facts, wanted, with_history=False)
        yield from (one for one in found if one.kind in wanted)


def _moved(
    paths: Paths, asked: _Asked, repository: Repository, kinds: frozenset[str], *, forced: bool
) -> Iterator[Lost]:
    """Return what submodules lose that go to the commit that the index has: commits, and by force changes."""
    git = asked.git
    found = git.submodules(repository, paths)
    if found is None:
        yield from _unknown(kinds if forced else kinds & {COMMITS})
    for one in found or ():
        inside = _with_top(git, one.top)
        if inside is None:
            continue
        head = git.head(inside)
        if COMMITS in kinds and (head is None or head[1] != one.commit):
            goal = "" if asked.lacks(inside, one.commit) else one.commit
            yield from _commits(asked, inside, "HEAD", goal=goal)
        if forced:
            there = Discard(what="tree", revision=one.commit)
            yield from _of_files(there, inside.top, asked, inside, kinds & {UNCOMMITTED, UNTRACKED})
            # They may have submodules as well, and the words may say that these are meant.
            yield from _moved(Paths(cwd=inside.top), asked, inside, kinds, forced=True)


def _recursed(
    discard: Discard, asked: _Asked, repository: Repository, facts: Facts, kinds: frozenset[str]
) -> Iterator[Lost]:
    """Return changes of submodules and the commits that they are at alone, where git goes on into them."""
    git = asked.git
    found = git.submodules(repository, Paths(cwd=repository.top))
    if found is None:
        yield from _unknown(kinds)
        return
    there = [one for place in found if (one := _with_top(git, place.top)) is not None]
    if not there or ("asked" not in discard.flags and not _goes_into_submodules(facts, repository)):
        return
    for one in there:
        if COMMITS in kinds:
            yield from _commits(asked, one, "HEAD")
        if UNCOMMITTED not in kinds or "forced" not in discard.flags:
            continue
        state = _state(one, Paths(cwd=one.top), facts, kinds)
        if state is None:
            yield from _unknown((UNCOMMITTED,))
        else:
            yield from _named(UNCOMMITTED, (*state.changed, *state.staged))
        yield from _recursed(discard, asked, one, facts, kinds)


def _with_top(git: Git, top: str) -> Repository | None:
    """Return the repository whose work tree begins at a directory; None where there is none."""
    found = git.find(top)
    return found if found is not None and found.top == top else None


def _goes_into_submodules(facts: Facts, repository: Repository) -> bool:
    """Tell whether the settings of a repository, or of the person, may say that."""
    from rulez_py.policy.facts.git_facts import tree_of

    said = tree_of(facts, repository).remotes()
    return said is None or said.is_on("submodule.recurse")


def _replaced(
    discard: Discard, directory: str, repository: Repository, facts: Facts, kinds: frozenset[str]
) -> Iterator[Lost]:
    if not discard.paths:
        yield from _unknown(kinds)
        return
    goal = os.path.normpath(joined(discard.paths[0], directory, facts.around.home))
    places = (goal, *(f"{goal}/{name}" for name in discard.names))
    state = _state(repository, Paths(cwd=repository.top, files=places), facts, kinds)
    if state is None:
        yield from _unknown(kinds)
        return
    yield from (one for one in _tree(state, facts, kinds) if one.name in places)


def _left_out(
    discard: Discard, directory: str, repository: Repository, facts: Facts, kinds: frozenset[str]
) -> Iterator[Lost]:
    state = _state(repository, Paths(cwd=repository.top), facts, kinds)
    if state is None:
        yield from _unknown(kinds)
        return
    top = f"{repository.top.rstrip('/')}/"
    stay = tuple(f"{os.path.normpath(joined(path, directory, facts.around.home))}/" for path in discard.paths)
    for path in state.ignored:
        if "/" in path.removeprefix(top) and not path.startswith(stay):  # What is not in a directory stays.
            yield Lost(kind=IGNORED, name=path)


_HARD = ("rebase", "am")
"""What git ends without a look at changes that are not staged."""


def _aborted(
    discard: Discard, directory: str, asked: _Asked, repository: Repository, facts: Facts, kinds: frozenset[str]
) -> Iterator[Lost]:
    git, (name,) = asked.git, discard.names
    going = git.under_way(repository)
    if going is not None and name not in going:
        # While git rebases it picks commits itself.
        head = f"{repository.git_dir}/CHERRY_PICK_HEAD"
        if name != "cherry-pick" or "rebase" not in going or not facts.effects.read_text(head, _LONGEST_LINE):
            return
    if UNCOMMITTED in kinds:
        files = discard.replace(what="tree", revision="HEAD", names=(), flags=() if name in _HARD else ("staged",))
        yield from _of_files(files, directory, asked, repository, kinds & {UNCOMMITTED})
    if COMMITS not in kinds:
        return
    if "moved" not in discard.flags:
        if name == "rebase":
            yield from _rebased(asked, repository, facts)
        return
    if name == "rebase":
        yield from _commits(asked, repository, "HEAD")
    elif name == "am":
        yield from _left(asked, repository, discard.replace(revision="ORIG_HEAD"))
    elif name != "merge":
        before = (facts.effects.read_text(f"{repository.git_dir}/sequencer/head", _LONGEST_LINE) or "").strip()
        if before:
            yield from _left(asked, repository, discard.replace(revision=before))


def _rebased(asked: _Asked, repository: Repository, facts: Facts) -> Iterator[Lost]:
    """Return the commits that only the branch being rebased has: it leaves them where the rebase ends."""
    for place in ("rebase-merge", "rebase-apply"):
        name = facts.effects.read_text(f"{repository.git_dir}/{place}/head-name", _LONGEST_LINE) or ""
        below, branch = name[: len(_HEADS)], name[len(_HEADS) :].strip()
        if below == _HEADS and branch:
            yield from _commits(asked, repository, branch, (_HEADS,))


_HEADS = "refs/heads/"
_LONGEST_LINE = 4096


# Files that are deleted, by whatever program.


def _by_deleting(part: Part, facts: Facts, kinds: frozenset[str]) -> Iterator[Lost]:
    if part.command is not None and part.command.program == "git":
        return
    for file in part.files:
        # What is read as well is moved, or kept in another form.
        if DELETE in file.access and READ not in file.access and _is_itself(file, facts):
            if facts.moves.may_be_at(file.path, part.command):
                yield from _unknown(kinds - {COMMITS, STASHES})
            else:
                yield from _deleted(file, facts, kinds)


def _is_itself(file: Touched, facts: Facts) -> bool:
    """Tell if a path is where the file is, and not where a link of that name leads: the link alone is deleted."""
    directory, _, name = file.path.rpartition("/")
    return not name or f"{facts.effects.real_path(directory or '/').rstrip('/')}/{name}" == file.path


def _deleted(file: Touched, facts: Facts, kinds: frozenset[str]) -> Iterator[Lost]:
    if not file.known and not file.among:
        yield from _unknown(kinds)
        return
    git = facts.effects.git
    if file.among:
        yield from _some_deleted(file, facts, kinds)
        return
    path = file.path
    if not file.deep:
        if facts.effects.names(path):
            return  # A directory with something in it stays.
        if file.many is None:
            # One of this name, anywhere below: tests choose which.
            yield from _some_deleted(file, facts, kinds)
            return
    if not facts.may_be_there(path):
        return
    repository = git.find(path.rpartition("/")[0] or "/")
    if repository is None or path == repository.top:
        whole = _with_top(git, path) if file.deep else None
        if whole is not None:
            yield from _whole(whole, facts, kinds)
        elif repository is None and FILES in kinds:
            yield Lost(kind=FILES, name=path)
        return
    if path == repository.git_dir or repository.git_dir.startswith(f"{path.rstrip('/')}/"):
        yield from _whole(repository, facts, kinds)
        return
    yield from _below(repository, path, facts, kinds, deep=file.deep)


def _below(repository: Repository, path: str, facts: Facts, kinds: frozenset[str], *, deep: bool) -> Iterator[Lost]:
    """Return what a path and all below it have that its repository does not; the index keeps what is staged."""
    paths = Paths(cwd=repository.top, files=(path,))
    state = _state(repository, paths, facts, kinds)
    if state is None:
        yield from _unknown(kinds - {FILES, COMMITS, STASHES})
        return
    yield from _tree(state.replace(staged=()), facts, kinds)
    if deep:
        yield from _in_submodules(repository, paths, facts, kinds, with_history=False)


def _in_submodules(
    repository: Repository, paths: Paths, facts: Facts, kinds: frozenset[str], *, with_history: bool
) -> Iterator[Lost]:
    """Return what is lost where the directories of submodules are deleted, perhaps with their histories."""
    git = facts.effects.git
    found = git.submodules(repository, paths)
    if found is None:
        yield from _unknown(kinds - {FILES, COMMITS, STASHES})
    for one in found or ():
        inside = _with_top(git, one.top)
        if facts.effects.real_path(one.top) != one.top:
            yield from _named(UNCOMMITTED, (one.top,))  # A link is in its place.
        elif inside is None:
            # git does not look at the files of one that has no repository.
            yield from _named(UNTRACKED, (f"{one.top}/",) if facts.effects.names(one.top) else ())
        else:
            yield from _nested(inside, facts, kinds, with_history=with_history)


def _some_deleted(file: Touched, facts: Facts, kinds: frozenset[str]) -> Iterator[Lost]:
    """Return what is lost of some files of a directory, whose names fit the last part of a path."""
    directory, _, pattern = file.path.rpartition("/")
    repository = facts.effects.git.find(directory or "/")
    if repository is None:
        if FILES in kinds:
            yield Lost(kind=FILES, name=file.path)
        return
    from rulez_py.policy.patterns import globs

    pieces = globs.segments(pattern) if pattern != SOME else ()
    for one in _below(repository, directory, facts, kinds, deep=file.deep):
        if not one.known or not pieces or one.name.endswith("/") or globs.fits(pieces, one.name.rpartition("/")[2]):
            yield one


def _state(repository: Repository, paths: Paths, facts: Facts, kinds: frozenset[str]) -> TreeState | None:
    return facts.effects.git.state(repository, paths, untracked=UNTRACKED in kinds, ignored=IGNORED in kinds)


def _tree(state: TreeState, facts: Facts, kinds: frozenset[str], *, with_history: bool = False) -> Iterator[Lost]:
    yield from _named(UNCOMMITTED, (*state.changed, *state.staged))
    for kind, paths in ((UNTRACKED, state.untracked), (IGNORED, state.ignored)):
        for path in paths:
            inside = _with_top(facts.effects.git, path.rstrip("/")) if path.endswith("/") else None
            if inside is None:
                yield Lost(kind=kind, name=path)
            else:
                yield from _nested(inside, facts, kinds, with_history=with_history)


def _nested(inside: Repository, facts: Facts, kinds: frozenset[str], *, with_history: bool) -> Iterator[Lost]:
    """Return what a repository has, whose work tree is deleted as a part of another, perhaps with its history."""
    if with_history or inside.git_dir.startswith(f"{inside.top}/"):
        yield from _whole(inside, facts, kinds)
    else:
        yield from _below(inside, inside.top, facts, kinds, deep=True)


def _whole(repository: Repository, facts: Facts, kinds: frozenset[str]) -> Iterator[Lost]:
    """Return what a repository has that is deleted with its history."""
    git = facts.effects.git
    is_main = repository.git_dir == repository.common
    state = _state(repository, Paths(cwd=repository.top), facts, kinds)
    if state is None:
        yield from _unknown(kinds & {UNCOMMITTED, UNTRACKED, IGNORED})
    else:
        yield from _tree(state, facts, kinds, with_history=is_main)
    yield from _in_submodules(repository, Paths(cwd=repository.top), facts, kinds, with_history=is_main)
    if not is_main:
        yield from _commits(_Asked(git), repository, "HEAD")
        return  # The other work trees have the rest.
    yield from _counted(STASHES, "", git.stashes(repository), repository)
    yield from _counted(COMMITS, "", git.commits_only_here(repository), repository)


# Files that are written, by whatever program or tool.


def _by_writing(part: Part, facts: Facts, kinds: frozenset[str]) -> Iterator[Lost]:
    if not kinds or (part.command is None and changes_parts(facts.event.tool_name, facts.event.tool_input)):
        return
    by_git = part.command is not None and part.command.program == "git"
    for file in part.files:
        # What is read as well is changed in its place; what git writes itself has been looked at above.
        if file.access != (WRITE,) or file.keeps or file.new or (by_git and not file.opened):
            continue
        if facts.moves.may_be_at(file.path, part.command):
            yield from _unknown(kinds)
        else:
            yield from _overwriting(file, part, facts, kinds)


def _overwriting(file: Touched, part: Part, facts: Facts, kinds: frozenset[str]) -> Iterator[Lost]:
    several = file.deep or bool(file.among)
    if not file.known and not several:
        yield from _unknown(kinds)
        return
    path = file.path.rpartition("/")[0] if file.among else file.path.rstrip("/")
    is_directory = bool(facts.effects.names(path or "/"))
    if is_directory and not several:
        return
    if UNREAD in kinds and not is_directory:
        yield from _unread(path, facts)
    if kinds := kinds if is_directory else kinds - {UNREAD}:
        yield from _not_in_git(file, path, part, facts, kinds, is_directory=is_directory)


def _unread(path: str, facts: Facts) -> Iterator[Lost]:
    seen = facts.effects.has_seen(facts.event.session_id or "", path)
    if not seen:
        repository = facts.effects.git.find(path.rpartition("/")[0] or "/")
        yield Lost(kind=UNREAD, name=path, known=seen is False, top="" if repository is None else repository.top)


def _not_in_git(
    file: Touched, path: str, part: Part, facts: Facts, kinds: frozenset[str], *, is_directory: bool
) -> Iterator[Lost]:
    """Return the content of a file that git does not have; of a directory with all below it, that there may be some."""
    repository = facts.effects.git.find(path if is_directory else path.rpartition("/")[0] or "/")
    if repository is None or f"{path}/".startswith(f"{repository.git_dir}/"):
        there = is_directory or bool(facts.effects.read_bytes(path, 1))
        top = ""
    else:
        state = facts.effects.git.state(repository, Paths(cwd=repository.top, files=(path,)), ignored=True)
        # The index keeps what is staged.
        there = state is None or bool(state.changed or state.untracked or state.ignored)
        is_directory = is_directory or state is None
        top = repository.top
    if is_directory:
        yield from _unknown(kinds if there else ())  # Which of the files there it is, is unknown.
    elif there and facts.effects.read_bytes(path, 1) != b"":
        for kind in kinds:
            if kind != CUT or _is_emptied(file, part) or _is_cut(file, facts):
                yield Lost(kind=kind, name=path, top=top)


def _is_emptied(file: Touched, part: Part) -> bool:
    if part.command is None:
        return False
    if file.opened and part.command.program in ("", ":", "true"):
        return True
    read = {one.path for one in part.files if READ in one.access}
    return read == {"/dev/null"}


def _is_cut(file: Touched, facts: Facts) -> bool:
    """Tell whether the text that the call writes there may have less than half of the lines that are there."""
    written = [text for spelled, text in facts.whole_texts if spelled in (file.spelled, file.path)]
    if not written:
        return False
    before = facts.effects.read_text(file.path, _LONGEST)
    return before is None or 2 * max(map(_lines, written)) < _lines(before)


def _lines(text: str) -> int:
    return len(text.splitlines())


_LONGEST = 5_000_000
"""Bytes of a file that are counted in lines."""
