"""The repositories that a call is about, and what is known of them at the time when each part of it runs.

INVARIANT: what is unknown is unknown (`possible` gives None), and never "nothing". Nothing is looked at before a rule
asks for it, and each fact of a repository once in a call.
"""

from __future__ import annotations

from rulez_py.analysis import ARGUMENTS, DELETE, WRITE
from rulez_py.policy.facts.disk import joined
from rulez_py.policy.facts.facts import inside
from rulez_py.policy.facts.order import runs_after_success
from rulez_py.system.git.values import FACTS, ROOT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulez_py.analysis import Command, Reading, Word
    from rulez_py.policy.facts.facts import Facts, Part
    from rulez_py.system.effects import Git
    from rulez_py.system.git.values import Changes, Remotes, Repository

BRANCH, DEFAULT_BRANCH, DIRTY, UNTRACKED, IGNORED, UNPUSHED, STASHES, WORKTREE, MERGING = FACTS

_FILES = frozenset((DIRTY, UNTRACKED, IGNORED))
_ALL = frozenset(FACTS)
_COMMITS = _FILES | {UNPUSHED, MERGING}
_NONE: frozenset[str] = frozenset()

_READING = (
    *("annotate", "archive", "blame", "bundle", "cat-file", "check-ignore", "count-objects", "describe", "diff"),
    *("for-each-ref", "format-patch", "fsck", "gc", "grep", "help", "log", "ls-files", "ls-remote", "ls-tree"),
    *("merge-base", "name-rev", "notes", "range-diff", "reflog", "rev-list", "rev-parse", "shortlog", "show"),
    *("show-branch", "show-ref", "status", "tag", "var", "verify-commit", "verify-tag", "version", "whatchanged"),
)
_CHANGING_FILES = ("add", "apply", "clean", "mv", "restore", "rm", "sparse-checkout", "stage", "update-index")
_CHANGES = {
    **dict.fromkeys(_READING, _NONE),
    **dict.fromkeys(_CHANGING_FILES, _FILES),
    **dict.fromkeys(("cherry-pick", "commit", "merge", "reset", "revert"), _COMMITS),
    **dict.fromkeys(("fetch", "push", "remote"), frozenset((UNPUSHED, DEFAULT_BRANCH))),
    **dict.fromkeys(("checkout", "switch"), _COMMITS),
    "stash": _FILES | {STASHES},
}
"""Subcommand of git -> the facts that may be others after it; all of them after any that is not here, as an alias is.

`checkout` and `switch` have a branch to go to as well (`_goals`).
"""
_STASHING = frozenset(("apply", "clear", "create", "drop", "list", "pop", "push", "save", "show", "store"))
_MAKES = frozenset(("clone", "init", "submodule", "worktree"))
"""Subcommands after which a directory may be in another repository."""
_LIKE_GIT = frozenset(("gh", "ghstack", "git-town", "glab", "gt", "hub", "jj", "lazygit", "sl", "tig"))
"""Other programs that change branches."""
_OF_PLACES = ("GIT_DIR", "GIT_WORK_TREE")
_OTHERS = ("GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE")


_REMOTES = "remotes"


class Tree:
    """One repository, each of whose facts is asked for once."""

    def __init__(self, git: Git, repository: Repository) -> None:
        self._git = git
        self.repository = repository
        self._known: dict[str, object] = {}
        self._branches: dict[str, bool | None] = {}

    def fact(self, name: str) -> object:
        """Return one of FACTS; None where it is unknown."""
        if name not in self._known:
            self._known[name] = self._asked(name)
        return self._known[name]

    def has_branch(self, name: str) -> bool | None:
        """Tell whether there is a branch of this name; None where that is unknown."""
        if name not in self._branches:
            self._branches[name] = self._git.has_branch(self.repository, name)
        return self._branches[name]

    def remotes(self) -> Remotes | None:
        """Return what it says of its remotes; None where that is unknown."""
        if _REMOTES not in self._known:
            self._known[_REMOTES] = self._git.remotes(self.repository)
        return self._known[_REMOTES]  # type: ignore[return-value]

    def look_for(self, names: Iterable[str]) -> None:
        """Ask at once for what git says at once: all that is wanted of the files."""
        wanted = _FILES.intersection(names) - self._known.keys()
        if wanted:
            self._learn(self._git.changes(self.repository, ignored=IGNORED in wanted), with_ignored=IGNORED in wanted)

    def _learn(self, changes: Changes | None, *, with_ignored: bool) -> None:
        for name in (DIRTY, UNTRACKED, *((IGNORED,) if with_ignored else ())):
            self._known[name] = None if changes is None else getattr(changes, name)

    def _asked(self, name: str) -> object:
        git, repository = self._git, self.repository
        if name in _FILES:
            self.look_for((name,))
            return self._known[name]
        if name == BRANCH:
            head = git.head(repository)
            return None if head is None else head[0]
        if name == DEFAULT_BRANCH:
            return git.default_branch(repository)
        if name == UNPUSHED:
            return git.unpushed(repository)
        if name == STASHES:
            return git.stashes(repository)
        if name == WORKTREE:
            return repository.git_dir != repository.common
        return git.under_way(repository)


class Situation:
    """A repository when a part of a call runs: what commands before it may have changed is unknown.

    `tree` is None where there is no repository, or, with `known` False, where it is unknown which one it is.
    """

    def __init__(self, tree: Tree | None, *, known: bool = True) -> None:
        self.tree = tree
        self.known = known
        self.unsettled = _NONE
        self.goals: list[tuple[str | None, bool]] = []
        """Branches that commands before go to, None for an unknown one; and whether they do so for certain."""

    @property
    def is_nowhere(self) -> bool:
        """True if there is no repository."""
        return self.known and self.tree is None

    def look_for(self, names: Iterable[str]) -> None:
        """Ask at once for what git says at once, where it counts."""
        if self.tree is not None:
            self.tree.look_for(set(names) - self.unsettled)

    def possible(self, name: str) -> tuple[object, ...] | None:
        """Return what a fact may be, mostly one thing; None where it is unknown."""
        if self.tree is None or name in self.unsettled:
            return None
        if name == BRANCH and self.goals:
            return self._branches()
        found = self.tree.fact(name)
        return None if found is None else (found,)

    def _branches(self) -> tuple[object, ...] | None:
        goals = self.goals
        last = max((place for place, (_, is_certain) in enumerate(goals) if is_certain), default=-1)
        start = () if last >= 0 or self.tree is None else (self.tree.fact(BRANCH),)
        found = dict.fromkeys((*start, *(goal for goal, _ in goals[max(last, 0) :])))
        return None if None in found else tuple(found)


def situations(part: Part, facts: Facts) -> tuple[Situation, ...]:
    """Return the repositories that a part is about.

    It is a git command's own, of another command that of where it runs, of a tool those of its files.
    """
    command = part.command
    if command is None:
        return tuple(_each_once(_of_the_tool(part, facts)))
    found = tuple(_each_once(_of_command(command, [place.path for place in part.places], facts)))
    for one in found:
        _settle(one, command, facts)
    return found


def _each_once(found: Iterable[Situation]) -> Iterator[Situation]:
    seen: set[object] = set()
    for one in found:
        key = (one.known, None if one.tree is None else one.tree.repository)
        if key not in seen:
            seen.add(key)
            yield one


def _of_the_tool(part: Part, facts: Facts) -> Iterator[Situation]:
    git = facts.effects.git
    if not part.files:
        for directory in facts.directories:
            yield _at(facts, git.find(facts.effects.real_path(directory)))
    for file in part.files:
        # A directory may be the top of its repository.
        yield _at(facts, git.find(facts.effects.real_path(file.path))) if file.known else Situation(None, known=False)


def _at(facts: Facts, repository: Repository | None) -> Situation:
    return Situation(None if repository is None else tree_of(facts, repository))


def tree_of(facts: Facts, repository: Repository) -> Tree:
    """Return what is known of a repository; however many rules and matchers want it, git is asked once."""
    trees: dict[Repository, Tree] = facts.git_trees
    if repository not in trees:
        trees[repository] = Tree(facts.effects.git, repository)
    return trees[repository]


def _of_command(command: Command, places: Sequence[str], facts: Facts) -> Iterator[Situation]:
    told = _told(command, facts) if command.program == "git" else ((), "", "")
    if told is None or not places:
        yield Situation(None, known=False)
        return
    directories, git_dir, top = told
    git, home, real_path = facts.effects.git, facts.around.home, facts.effects.real_path
    for place in places:
        directory = place
        for one in directories:
            directory = joined(one, directory, home)
        if git_dir:
            work_tree = real_path(joined(top, directory, home) if top else directory)
            repository = git.at(work_tree, real_path(joined(git_dir, directory, home)))
            yield Situation(None, known=False) if repository is None else _at(facts, repository)
            continue
        repository = git.find(real_path(directory))
        if top and repository is not None:
            repository = repository.replace(top=real_path(joined(top, directory, home)))
        yield _at(facts, repository)


def _told(command: Command, facts: Facts) -> tuple[tuple[str, ...], str, str] | None:
    """Return which directories, repository and work tree a git command names; None where that is unknown."""
    from rulez_py.analysis import reading

    read = reading(command)
    if any(_values(read, flag) or _has(read, flag) for flag in ("--namespace", "--bare")):
        return None
    directories = _values(read, "-C")
    words = [_values(read, flag)[-1:] for flag in ("--git-dir", "--work-tree")]
    if not all(word.known for word in (*directories, *words[0], *words[1])):
        return None
    named = [word[0].text if word else "" for word in words]
    environ = facts.around.environ
    if any(environ.get(name) for name in _OTHERS) or any(
        name in (*_OF_PLACES, *_OTHERS) for name, _ in command.environment
    ):
        return None
    for place, name in enumerate(_OF_PLACES):
        named[place] = named[place] or environ.get(name, "")
    return tuple(word.text for word in directories if word.text), named[0], named[1]


def _values(read: Reading, flag: str) -> list[Word]:
    """Return the values of an option of git itself, which has one spelling."""
    return [one.value for one in read.options if one.value is not None and one.names == (flag,)]


def _has(read: Reading, flag: str) -> bool:
    return any(flag in one.names for one in read.options)


# What commands before it may have changed.


def _settle(situation: Situation, command: Command, facts: Facts) -> None:
    """Take out of what is known all that commands before this one in the call may change."""
    for other in facts.commands:
        if other is command:
            return
        if other.program == "git":
            _after_git(situation, other, command, facts)
        elif other.program in _LIKE_GIT or any(reason != ARGUMENTS for reason in other.opaque):
            situation.unsettled = _ALL
        elif situation.tree is not None and _writes(other, situation.tree.repository.top):
            in_git = f"{situation.tree.repository.git_dir}/"
            own = any(WRITE in file.access and file.path.startswith((in_git, ".git/")) for file in other.files)
            situation.unsettled |= _ALL if own else _FILES


def _after_git(situation: Situation, other: Command, command: Command, facts: Facts) -> None:
    from rulez_py.analysis import reading

    read = reading(other)
    operands = [operand.word for operand in read.operands]
    name = operands[0].text if operands and operands[0].known else ""
    if name in _MAKES:
        situation.tree, situation.known = None, False
        return
    if (not operands and not other.opaque) or _is_about_another(other, situation, facts):
        return  # Without a word it prints its help, or its version.
    is_stash_branch = name == "stash" and len(operands) > 1 and operands[1].text not in _STASHING
    situation.unsettled |= _ALL if is_stash_branch else _CHANGES.get(name, _ALL)
    if name not in ("checkout", "switch"):
        return
    tree = situation.tree
    goal = None if tree is None else _goal(name, read, operands[1:], other, tree)
    if goal != _STAYS:
        is_certain = runs_after_success(other, command, facts) and _is_in_the_same_place(other, command)
        situation.goals.append((goal, is_certain))


_STAYS = "\0"
_MADE = frozenset(("-b", "-B", "--orphan", "-c", "--create", "-C", "--force-create"))


def _goal(name: str, read: Reading, words: Sequence[Word], other: Command, tree: Tree) -> str | None:
    """Return the branch that `checkout` or `switch` goes to, "" for none, _STAYS where it goes nowhere."""
    if _has(read, "--help") or _has(read, "-p") or _has(read, "--patch"):
        return _STAYS
    options = (one for one in read.options if one.names != ("-C",) and _MADE.intersection(one.names))
    made = [one.value for one in options if one.value is not None]
    if made:
        return made[-1].text if made[-1].known else None
    if _has(read, "--detach") or (name == "switch" and _has(read, "-d")):
        return ""
    if _has(read, "-t") or _has(read, "--track"):
        return None
    if name == "checkout" and (not words or "--" in {word.text for word in other.words[:-1]} or len(words) > 1):
        return _STAYS if all(word.known and not word.glob for word in words) else None
    if len(words) != 1 or not words[0].known or words[0].text.startswith(("-", "@")):
        return None
    goal = words[0].text
    if name == "switch" or tree.has_branch(goal):
        return goal
    return None


def _is_about_another(other: Command, situation: Situation, facts: Facts) -> bool:
    """Tell whether a git command surely is about a repository that shares nothing with this one."""
    if situation.tree is None:
        return False
    places = next((part.places for part in facts.parts if part.command is other), ())
    found = tuple(_of_command(other, [place.path for place in places], facts))
    common = situation.tree.repository.common
    return all(one.tree is not None and one.tree.repository.common != common for one in found)


def _is_in_the_same_place(one: Command, other: Command) -> bool:
    """Tell whether two git commands surely are about the same repository."""
    from rulez_py.analysis import reading

    if one.cwd is None or one.cwd != other.cwd or one.environment != other.environment:
        return False
    flags = ("-C", "--git-dir", "--work-tree")
    first, second = ([[word.text for word in _values(reading(each), flag)] for flag in flags] for each in (one, other))
    return other.program != "git" or first == second


def _writes(command: Command, top: str) -> bool:
    """Tell whether a command may change a file of a work tree."""
    for file in command.files:
        if WRITE in file.access or DELETE in file.access:
            is_outside = file.known and file.path.startswith("/") and not file.path.startswith(inside(top))
            if not is_outside or file.deep:
                return True
    return False


# For expressions and scripts.

_NOWHERE: dict[str, object] = {
    ROOT: "",
    BRANCH: "",
    DEFAULT_BRANCH: None,
    **{name: [] for name in (DIRTY, UNTRACKED, IGNORED, MERGING)},
    UNPUSHED: 0,
    STASHES: 0,
    WORKTREE: False,
}


def as_data(facts: Facts, names: Iterable[str]) -> list[dict[str, object]]:
    """Return these of FACTS, and ROOT, of each repository that the call is about, in each way that they may be.

    What is unknown is left out. ROOT is "" where there is no repository.
    """
    asked = tuple(name for name in FACTS if name in names)
    found: list[dict[str, object]] = []
    for part in facts.parts:
        for one in situations(part, facts):
            found += (data for data in _data(one, asked) if data not in found)
    return found or _data(Situation(None), asked)


def _data(situation: Situation, names: Sequence[str]) -> list[dict[str, object]]:
    if situation.is_nowhere:
        return [{key: value for key, value in _NOWHERE.items() if key in (ROOT, *names)}]
    situation.look_for(names)
    found: list[dict[str, object]] = [{}]
    if situation.tree is not None:
        found[0][ROOT] = situation.tree.repository.top
    for name in names:
        values = situation.possible(name)
        if values is not None:
            plain = [list(value) if isinstance(value, tuple) else value for value in values]
            found = [{**one, name: value} for one in found for value in plain]
    return found
