"""Which branches of another repository a part of a call changes, as far as the words and the repository say it.

INVARIANT: what is unknown is a push to any branch (`branch` is "" then), and never none.
"""

from __future__ import annotations

from rulez_py.analysis import CURRENT, WRITE, Value
from rulez_py.policy.facts.disk import joined
from rulez_py.policy.facts.git_facts import tree_of
from rulez_py.policy.facts.order import runs_after_success
from rulez_py.system.git.values import Remotes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulez_py.analysis import Command, Push, Reading
    from rulez_py.policy.facts.facts import Facts, Part

PLAIN, LEASE, FORCE, DELETE = "plain", "lease", "force", "delete"
HOW = (PLAIN, LEASE, FORCE, DELETE)
"""How a branch is changed: it goes on; it is replaced if it is as expected (`--force-with-lease`); it is replaced
whatever it is; it is gone."""

_HEADS = "refs/heads/"
_UPSTREAM = ("upstream", "tracking")
_USUAL = ("main", "master", "trunk")
"""Names of default branches, where no fetch has said what it is."""
_VARIABLES = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_CONFIG", "GIT_CONFIG_GLOBAL"),
    *("GIT_CONFIG_SYSTEM", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "HOME", "XDG_CONFIG_HOME"),
)
"""Variables by which git uses another repository, or other settings."""
_INHERITED = tuple(name for name in _VARIABLES if name not in ("HOME", "XDG_CONFIG_HOME"))
_STAYS = frozenset(
    (
        *("add", "am", "annotate", "apply", "archive", "blame", "bundle", "cat-file", "check-attr", "check-ignore"),
        *("check-ref-format", "cherry", "cherry-pick", "clean", "commit", "commit-tree", "count-objects", "describe"),
        *("diff", "diff-files", "diff-index", "diff-tree", "difftool", "fetch", "for-each-ref", "format-patch", "fsck"),
        *("gc", "grep", "hash-object", "help", "lfs", "log", "ls-files", "ls-remote", "ls-tree", "maintenance"),
        *("merge", "merge-base", "merge-tree", "mergetool", "mv", "name-rev", "notes", "pack-refs", "prune", "pull"),
        *("push", "range-diff", "read-tree", "reflog", "repack", "rerere", "reset", "restore", "rev-list", "rev-parse"),
        *("revert", "rm", "send-email", "send-pack", "shortlog", "show", "show-branch", "show-ref", "stage", "status"),
        *("submodule", "tag", "update-index", "update-ref", "var", "verify-commit", "verify-tag", "version"),
        *("whatchanged", "write-tree", "sparse-checkout", "subtree", "svn", "request-pull", "credential"),
    )
)
"""Subcommands of git after which the same branch is checked out, with the same settings."""
_KNOWN = _STAYS | {
    *("switch", "checkout", "branch", "symbolic-ref", "rebase", "bisect", "stash", "worktree", "clone", "init"),
    *("config", "remote", "flow", "town", "filter-branch", "fast-import", "replace"),
}
"""Subcommands that no alias has the name of."""
_LEADING = {"gh": ("pr checkout", "pr co", "co"), "glab": ("mr checkout",)}
_LEADING_ALWAYS = ("gt", "git-town", "jj", "sl", "ghstack")
"""Other programs that check out branches."""
_SETTINGS = ("push.", "remote.", "branch.", "alias.", "include.", "includeif.", "extensions.")
_OWN_FILES = (".git/HEAD", ".git/config", ".gitconfig", ".config/git/config")
_MOST_ALIASES = 5


class Pushed(Value):
    """A branch of another repository that is changed; `branch` is "" where it is not known which.

    `is_default` tells if it is the default branch there, None where that is not known.
    """

    branch: str
    how: str = PLAIN
    is_default: bool | None = None


def pushed(part: Part, facts: Facts) -> tuple[Pushed, ...]:
    """Return the branches that a part of the call changes elsewhere; they are looked for once."""
    if part.pushed is None:
        part.pushed = () if part.command is None else tuple(dict.fromkeys(_pushed(part, part.command, facts)))
    return part.pushed


def _pushed(part: Part, command: Command, facts: Facts) -> Iterator[Pushed]:
    from rulez_py.analysis import pushes

    if command.program == "git" and (meant := _by_alias(part, command, facts)) is not command:
        if meant is None:
            yield Pushed(branch="")
            return
        command = meant
    for push in pushes(command):
        if push.what == "anything":
            yield Pushed(branch="", how=push.how)
        elif push.what == "default":
            yield Pushed(branch="", how=push.how, is_default=True)
        elif push.what == "branches":
            views = _views(push, part, facts)
            for name in push.names:
                said = {view.is_default(name, "") for view in views}
                is_default = True if True in said else None if None in said or not said else False
                yield Pushed(branch=name, how=push.how, is_default=is_default)
        else:
            for view in _views(push, part, facts):
                yield from view.pushed(push)


def _by_alias(part: Part, command: Command, facts: Facts, depth: int = 0) -> Command | None:
    """Return the git command that is meant by an alias of the settings; None where that is not known."""
    name = _subcommand(command)
    if name in _KNOWN or not name or depth > _MOST_ALIASES:
        return command
    from rulez_py.analysis import Push, reading

    read = reading(command)
    directories = tuple(one.value.text for one in read.options if one.value and one.names == ("-C",))
    for view in _views(Push(what="refspecs", directories=directories), part, facts):
        if view.remotes is None:
            return None
        value = view.remotes.setting(f"alias.{name.lower()}")
        if value.startswith("!"):
            return None if _may_push(value) else command
        if any(mark in value for mark in "'\"\\"):
            return None
        if value:
            word = read.operands[0].word
            at = next((place for place, one in enumerate(command.words) if one is word), -1)
            if at < 0:
                return None
            words = tuple(word.replace(text=one) for one in value.split())
            meant = command.replace(words=(*command.words[:at], *words, *command.words[at + 1 :]))
            return _by_alias(part, meant, facts, depth + 1)
    return command


def _may_push(line: str) -> bool:
    """Tell whether the shell line of an alias may push: it says so, or runs git by another alias."""
    words = line.replace("!", " ").replace(";", " ").replace("&", " ").replace("|", " ").split()
    behind = (words[at + 1] for at, word in enumerate(words[:-1]) if word.rpartition("/")[2] == "git")
    named = ("push", "dcommit", "send-pack", "merge")
    return any(one in line for one in (*named, "gh ", "glab ")) or any(word not in _KNOWN for word in behind)


def _subcommand(command: Command) -> str:
    """Return the subcommand; "" where there is none, or it is not known."""
    from rulez_py.analysis import reading

    operands = reading(command).operands
    return operands[0].word.text if operands and operands[0].word.known else ""


# The repository, as it is when the command runs.


class _View:
    """A repository as a push finds it. None is unknown: what it says (`remotes`), and which branches may be checked
    out (`heads`, "" for a commit that is on none)."""

    def __init__(self, remotes: Remotes | None, heads: tuple[str, ...] | None, added: tuple[str, ...] = ()) -> None:
        self.remotes, self.heads = remotes, heads
        self.branches = None if remotes is None or heads is None else (*remotes.branches, *added)

    def is_default(self, branch: str, remote: str) -> bool | None:
        """Tell whether a branch is the default one of a remote, or of any for ""; None where that is not known."""
        found = self._defaults(remote)
        return branch in found if found else (branch in _USUAL or None)

    def _defaults(self, remote: str) -> frozenset[str]:
        """Return the names of default branches as far as they are known."""
        if self.remotes is None:
            return frozenset()
        of_remote = [branch for name, branch in self.remotes.defaults if name == remote]
        # An address may be that of any remote, in another spelling.
        if found := of_remote or [branch for _, branch in self.remotes.defaults]:
            return frozenset(found)
        usual = (*_USUAL, self.remotes.setting("init.defaultbranch"))
        there = {one.partition("/")[2] for one in self.remotes.tracked} or {*self.remotes.branches}
        return frozenset(there.intersection(usual))

    def pushed(self, push: Push) -> Iterator[Pushed]:
        """Yield the branches that git changes by these refspecs, or by the settings."""
        view = self
        if self.remotes is not None and push.settings:
            settings = (*self.remotes.settings, *push.settings)
            view = _View(self.remotes.replace(settings=settings), self.heads, tuple(self.branches or ()))
        if view.heads is None:
            yield from _of_one_head(push, view, None)
        for head in view.heads or ():
            yield from _of_one_head(push, view, head)


def _of_one_head(push: Push, view: _View, head: str | None) -> Iterator[Pushed]:
    remote = push.remote or _remote(view.remotes, head)
    for branch, how in _Refspecs(push, view, head, remote).found():
        yield Pushed(branch=branch, how=how, is_default=view.is_default(branch, remote) if branch else None)


def _remote(remotes: Remotes | None, head: str | None) -> str:
    """Return the remote that a push goes to that names none; "" where that is not known."""
    if remotes is None or head is None:
        return ""
    known = remotes.names
    return (
        remotes.setting(f"branch.{head}.pushremote")
        or remotes.setting("remote.pushdefault")
        or remotes.setting(f"branch.{head}.remote")
        or (known[0] if len(known) == 1 else "origin")
    )


class _Refspecs:
    """What git makes of the refspecs of one push (builtin/push.c and remote.c of git), with one branch checked out.

    Its functions yield branches, each with how it is changed; "" is any.
    """

    def __init__(self, push: Push, view: _View, head: str | None, remote: str) -> None:
        self.push, self.view, self.head, self.remote = push, view, head, remote
        self.bare = "bare" in push.flags

    def found(self) -> Iterator[tuple[str, str]]:
        push, remotes = self.push, self.view.remotes
        if "mirror" in push.flags or (not self.bare and self._is_mirror()):
            yield from self._of_pattern(f"{_HEADS}*", f"{_HEADS}*", FORCE)
            yield "", DELETE
            return
        if "prune" in push.flags:
            yield "", DELETE
        if "all" in push.flags:
            yield from self._of_pattern(f"{_HEADS}*", f"{_HEADS}*", push.how)
            return
        if push.refspecs:
            for one in push.refspecs:
                yield from self._mapped(one)
            return
        if remotes is None or not self.remote:
            yield "", push.how
        elif written := remotes.every(f"remote.{self.remote}.push"):
            for one in written:
                yield from self._of(one)
        else:
            yield from self._of_default(remotes)

    def _is_mirror(self) -> bool:
        remotes = self.view.remotes
        return remotes is not None and remotes.is_on(f"remote.{self.remote}.mirror")

    def _of_default(self, remotes: Remotes) -> Iterator[tuple[str, str]]:
        default = remotes.setting("push.default").lower()
        if default == "nothing":
            return
        if default == "matching":
            yield from self._of(":")
        elif self.head is None:
            yield "", self.push.how
        elif self.head:
            merges = _merges(remotes, self.head) if default in _UPSTREAM else ()
            for one in merges or (f"{_HEADS}{self.head}",):
                yield from self._to(one, self.push.how)

    def _mapped(self, written: str) -> Iterator[tuple[str, str]]:
        """Yield what a refspec on the command line is: a branch alone may be pushed to another by the settings."""
        if ":" in written or written[:1] in ("+", "^") or "*" in written or written in ("HEAD", "@") or self.bare:
            yield from self._of(written)
            return
        remotes = self.view.remotes
        name = self.head if written == CURRENT else written
        if name is None or remotes is None:
            yield "", self.push.how
            return
        if not name:
            return
        short = name.removeprefix("refs/").removeprefix("heads/")
        if self._is_tag(name):
            return
        if written.startswith("refs/") and not written.startswith(_HEADS):
            return
        source = f"{_HEADS}{short}"
        for one in remotes.every(f"remote.{self.remote}.push"):
            force, left, right = _split(one)
            target = _put(left, right or left, source)
            if target:
                yield from self._to(target, FORCE if force else self.push.how)
                return
        merges = _merges(remotes, short)
        if remotes.setting("push.default").lower() in _UPSTREAM and len(merges) == 1:
            yield from self._to(merges[0], self.push.how)
        else:
            yield from self._to(source, self.push.how)

    def _is_tag(self, name: str) -> bool:
        """Tell if a name is that of a tag, and of no branch."""
        remotes = self.view.remotes
        if remotes is None:
            return False
        tag = name.removeprefix("refs/").removeprefix("tags/")
        return tag in remotes.tags and name not in (self.view.branches or (name,))

    def _of(self, written: str) -> Iterator[tuple[str, str]]:
        """Yield what one refspec changes; the settings of a remote have no say in it."""
        force, left, right = _split(written)
        how = FORCE if force else self.push.how
        if written.startswith("^"):
            return
        if right is None:
            if "*" in left:
                yield from self._of_pattern(left, left, how)
            elif left in ("HEAD", "@", CURRENT):
                yield from self._of_head(how)
            elif not self._is_tag(left):
                yield from self._to(left, how)
        elif not left and not right:
            yield from self._of_pattern(f"{_HEADS}*", f"{_HEADS}*", how)
        elif not left:
            yield from self._of_name(right, DELETE)
        elif "*" in left and "*" in right:
            yield from self._of_pattern(left, right, how)
        else:
            yield from self._of_name(right or left, how)

    def _of_name(self, name: str, how: str) -> Iterator[tuple[str, str]]:
        if name == CURRENT:
            yield from self._of_head(how)
        elif CURRENT not in name:
            yield from self._to(name, how)
        elif self.head is None:
            yield "", how
        else:
            yield from self._to(name.replace(CURRENT, self.head), how)

    def _of_head(self, how: str) -> Iterator[tuple[str, str]]:
        if self.head is None:
            yield "", how
        elif self.head:
            yield self.head, how

    def _of_pattern(self, left: str, right: str, how: str) -> Iterator[tuple[str, str]]:
        """Yield what a refspec with `*` changes: a branch for each that fits."""
        branches = self.view.branches
        if branches is None or ("*" in left and not left.startswith(_HEADS)):
            yield "", how
        for branch in branches or ():
            target = _put(left, right, f"{_HEADS}{branch}")
            if target:
                yield from self._to(target, how)

    @staticmethod
    def _to(name: str, how: str) -> Iterator[tuple[str, str]]:
        """Yield the branch that a name on the other side is: `main`, `heads/main`, `refs/heads/main`."""
        short = name.removeprefix("refs/") if name.startswith(("refs/heads/", "refs/tags/")) else name
        if short.startswith("refs/") or (name.startswith("refs/") and not name.startswith(_HEADS)):
            return
        yield short.removeprefix("heads/"), how


def _merges(remotes: Remotes, branch: str) -> tuple[str, ...]:
    """Return the upstream of a branch, which it has only with a remote."""
    return remotes.every(f"branch.{branch}.merge") if remotes.setting(f"branch.{branch}.remote") else ()


def _split(refspec: str) -> tuple[bool, str, str | None]:
    """Return whether a refspec forces, its source and its target; None for a target that is not written."""
    force = refspec.startswith("+")
    left, colon, right = refspec.removeprefix("+").rpartition(":")
    return (force, left, right) if colon else (force, right, None)


def _put(left: str, right: str, name: str) -> str:
    """Return what a pair of patterns, or of names, makes of a name; "" where the first does not fit."""
    if "*" not in left:
        return right if left == name else ""
    before, _, behind = left.partition("*")
    if len(name) < len(before) + len(behind) or not name.startswith(before) or not name.endswith(behind):
        return ""
    return right.replace("*", name[len(before) : len(name) - len(behind)], 1)


# What commands before the push leave.


def _views(push: Push, part: Part, facts: Facts) -> list[_View]:
    """Return the repository in each place where the command may run."""
    command = part.command
    if command is None or push.elsewhere or not part.places or _is_moved(command, facts):
        return [_View(None, None)]
    before = _Before(command, facts)
    if before.is_other:
        return [_View(None, None)]
    found: list[_View] = []
    for place in part.places:
        directory = place.path
        for one in push.directories:
            directory = joined(one, directory, facts.around.home)
        git = facts.effects.git
        repository = git.find(facts.effects.real_path(directory))
        if repository is None:
            found.append(_View(None, None))  # It may be one without a work tree.
            continue
        remotes = tree_of(facts, repository).remotes()
        head = git.head(repository)
        heads = before.heads(None if head is None else (head[0],), remotes)
        found.append(_View(None if before.has_other_settings else remotes, heads, before.added))
    return list({(view.remotes, view.heads, view.branches): view for view in found}.values())


def _is_moved(command: Command, facts: Facts) -> bool:
    return any(facts.around.environ.get(name) for name in _INHERITED) or any(
        name in _VARIABLES or name.startswith("GIT_CONFIG") for name, _ in command.environment
    )


class _Before:
    """What the commands of a call do to a repository before a command of it runs.

    `is_other` says that a repository is made, `has_other_settings` that settings are changed.
    """

    def __init__(self, command: Command, facts: Facts) -> None:
        self.is_other = self.has_other_settings = False
        self.added: tuple[str, ...] = ()
        self._steps: list[tuple[tuple[str, ...] | None, bool]] = []
        self._again: list[tuple[tuple[str, ...] | None, bool]] = []
        """Those of a loop, in its next turn."""
        steps = self._steps
        for other in facts.commands:
            if other is command:
                steps = self._again
            elif steps is self._steps or _is_written_before(other, command):
                step = self._step(other)
                if step != ():
                    steps.append((step, runs_after_success(other, command, facts)))

    def heads(self, found: tuple[str, ...] | None, remotes: Remotes | None) -> tuple[str, ...] | None:
        """Return the branches that may be checked out, of those that are now; None where that is not known."""
        for step, is_certain in (*self._steps, *((step, False) for step, _ in self._again)):
            more = _gone_to(found, step, remotes)
            if not is_certain and not _is_made(step, remotes):
                # It may fail, or not run.
                more = None if found is None or more is None else tuple(dict.fromkeys((*found, *more)))
            found = more
        return found

    def _step(self, other: Command) -> tuple[str, ...] | None:
        """Return where a command moves HEAD; None is unknown.

        () is nowhere, (branch,) there, (branch, "+") to one that it makes, (word, "?") there if it is a branch.
        """
        for file in other.files:
            if WRITE in file.access and file.path.endswith(_OWN_FILES):
                self.has_other_settings = True
                return None
        if other.program in _LEADING_ALWAYS:
            return None
        if other.program in _LEADING:
            from rulez_py.analysis import reading

            words = " ".join(one.word.text for one in reading(other).operands[:2])
            return None if words.startswith(_LEADING[other.program]) else ()
        if other.program != "git":
            return ()
        from rulez_py.analysis import reading

        read = reading(other)
        operands = [one.word.text if one.word.known else CURRENT for one in read.operands]
        name = operands[0] if operands else "version"
        if name in _STAYS:
            return ()
        if name in ("clone", "init", "worktree"):
            self.is_other = name != "worktree" or operands[1:2] == ["add"]
            return ()
        if name in ("config", "remote"):
            self.has_other_settings = self.has_other_settings or _sets(name, read, operands[1:])
            return ()
        if name == "checkout" and "--" in [word.text for word in other.words[:-1]]:
            return ()  # What is behind it are files.
        step = _MOVES.get(name, _anywhere)(read, operands[1:])
        if name == "branch" and _has(read, "-u", "--set-upstream-to", "--unset-upstream", "-m", "-M", "--move"):
            self.has_other_settings = True
        if name == "branch" and step == () and len(operands) > 1:
            self.added += (operands[1],)
        if step:
            self.added += step[:1]
        return None if step is not None and CURRENT in step else step


def _is_written_before(other: Command, command: Command) -> bool:
    """Tell if a command that runs later is written before one: they are in a loop."""
    one, two = other.words[:1], command.words[:1]
    return bool(one and two) and other.script == command.script and (0, 0) != one[0].at < two[0].at


def _is_made(step: tuple[str, ...] | None, remotes: Remotes | None) -> bool:
    """Tell whether a step makes a branch that is not there yet: that does not fail."""
    return step is not None and step[1:] == ("+",) and remotes is not None and step[0] not in remotes.branches


def _gone_to(
    found: tuple[str, ...] | None, step: tuple[str, ...] | None, remotes: Remotes | None
) -> tuple[str, ...] | None:
    if step is None:
        return None
    name = step[0]
    if step[1:] != ("?",):
        return (name,)
    if remotes is not None:
        if name in remotes.branches:
            return (name,)
        if any(one.partition("/")[2] == name for one in remotes.tracked):
            return (name,)
    return None if found is None else tuple(dict.fromkeys((*found, name)))


def _has(read: Reading, *flags: str) -> bool:
    return any(set(flags) & set(one.names) for one in read.options)


def _value(read: Reading, *flags: str) -> str:
    """Return the value of one of these options; "" without one, CURRENT where it is not known."""
    words = [one.value for one in read.options if one.value and set(flags) & set(one.names)]
    return "" if not words else words[-1].text if words[-1].known else CURRENT


def _switch(read: Reading, words: Sequence[str]) -> tuple[str, ...] | None:
    named = _value(read, "-c", "-C", "--create", "--force-create", "--orphan")
    if named:
        return named, "+"
    if _has(read, "-d", "--detach"):
        return ("",)
    return None if not words or _is_earlier(words[0]) or _has(read, "-t", "--track") else (words[0],)


def _checkout(read: Reading, words: Sequence[str]) -> tuple[str, ...] | None:
    named = _value(read, "-b", "-B", "--orphan")
    if named:
        return named, "+"
    if _has(read, "--detach"):
        return ("",)
    if not words or len(words) > 1 or _has(read, "-p", "--patch", "--ours", "--theirs", "--pathspec-from-file"):
        return ()  # It is about files.
    return None if _is_earlier(words[0]) or _has(read, "-t", "--track") else (words[0], "?")


def _is_earlier(word: str) -> bool:
    """Tell whether a word names a branch by what was checked out: `-`, `@{-1}`."""
    return word == "-" or "@{" in word


def _branch(read: Reading, words: Sequence[str]) -> tuple[str, ...] | None:
    return None if _has(read, "-m", "-M", "--move", "-C", "-c", "--copy") else ()


def _symbolic_ref(read: Reading, words: Sequence[str]) -> tuple[str, ...] | None:
    return () if len(words) < 2 else None


def _rebase(read: Reading, words: Sequence[str]) -> tuple[str, ...] | None:
    if _has(read, "--continue", "--skip", "--abort", "--quit"):
        return None  # HEAD goes back to the branch that was rebased.
    onto = 0 if _has(read, "--root") else 1
    return (words[onto],) if len(words) > onto else ()


def _stash(read: Reading, words: Sequence[str]) -> tuple[str, ...] | None:
    return None if words[:1] == ["branch"] else ()


def _anywhere(read: Reading, words: Sequence[str]) -> tuple[str, ...] | None:
    return None


_MOVES = {
    "switch": _switch,
    "checkout": _checkout,
    "branch": _branch,
    "symbolic-ref": _symbolic_ref,
    "rebase": _rebase,
    "stash": _stash,
}


def _sets(name: str, read: Reading, words: Sequence[str]) -> bool:
    """Tell if `git config` or `git remote` changes what pushes go by."""
    if name == "remote":
        return words[:1] in (["rename"], ["rm"], ["remove"]) or _has(read, "--mirror")
    if words[:1] in (["get"], ["list"]) or _has(read, "--get", "--get-all", "--get-regexp", "--list", "-l"):
        return False
    named = [word for word in words if word == CURRENT or word.lower().startswith(_SETTINGS)]
    return (bool(named) and (len(words) > 1 or bool(read.options))) or _has(read, "-e", "--edit")


def shown(found: Iterable[Pushed]) -> list[str]:
    """Return pushes for people."""
    return [f"{one.how} {one.branch or ('the default branch' if one.is_default else '?')}" for one in found]
