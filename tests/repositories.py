"""Random git repositories, what they hold, and commands that may throw some of it away."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

NAMES = ("a", "b", "d/c", "d/e", "n", "m/n", "x.log", "m/y.log")
ODD = ("A", "d/sp ace", "new\nline", "q\"u'o", "-dash", "st*r", "b\\s", "\u00e4", "m/[n]")
"""Names that a program may take for something else; `A` is `a` where case does not count."""
NOT_TEXT = "d/\udcff"
"""The name of bytes that are no text; no command line here has it."""
BRANCHES = ("main", "one", "two")
IGNORED = "*.log\n"
_SETTINGS = tuple(
    word
    for setting in (
        *("user.name=a", "user.email=a@b.example", "commit.gpgsign=false", "gc.auto=0", "core.editor=true"),
        "protocol.file.allow=always",
    )
    for word in ("-c", setting)
)


class Repository:
    """A repository below `top` of which a test knows all contents. Nothing of it is reached through a shell.

    It may get a second work tree (`other`) and a submodule (`sub`). With `in_table` its references are in a table,
    where git can do that.
    """

    def __init__(self, top: Path, chance: random.Random, *, in_table: bool = False) -> None:
        self.top = top / "r"
        self.other = top / "w"
        self.sub = self.top / "sub"
        self.chance = chance
        self.written = 0
        self.top.mkdir()
        self.home = top
        if not in_table or self.git("init", "-q", "-b", "main", "--ref-format=reftable") is None:
            self.git("init", "-q", "-b", "main")
        (self.top / ".gitignore").write_text(IGNORED)
        for name in ("a", "d/c"):
            self.write(name)
        self.git("add", "-A")
        self.git("commit", "-qm", "x")

    def git(self, *words: str, cwd: Path | None = None) -> str | None:
        """Run git there; None where it fails."""
        environ = {"HOME": str(self.home), "PATH": os.environ["PATH"], "GIT_CEILING_DIRECTORIES": str(self.home)}
        where = cwd or self.top
        assert where.is_relative_to(self.home)
        ended = subprocess.run(
            ["git", *_SETTINGS, *words], cwd=where, env=environ, stdin=subprocess.DEVNULL, capture_output=True
        )
        return os.fsdecode(ended.stdout) if ended.returncode == 0 else None

    def write(self, name: str, *, link: bool = False) -> None:
        """Write a content that is nowhere else, below the top; as a link it leads nowhere."""
        self.written += 1
        path = self.top / name
        for above in reversed(path.relative_to(self.top).parents):
            if (self.top / above).is_file() or (self.top / above).is_symlink():
                (self.top / above).unlink()
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink():
            path.unlink()
        if path.is_dir():
            shutil.rmtree(path)
        if link:
            path.unlink(missing_ok=True)
            path.symlink_to(f"to-{self.written}")
        else:
            path.write_text(f"{self.written}\n" * 3)

    # What people do all day.

    def change(self) -> None:
        """Do something that people do all day."""
        steps, weights = zip(*_STEPS.items(), strict=True)
        self.chance.choices(steps, weights)[0](self)

    def _name(self) -> str:
        return self.chance.choice(ODD if self.chance.random() < 0.15 else NAMES)

    def _write_some(self) -> None:
        chance = self.chance
        self.write(NOT_TEXT if chance.random() < 0.03 and sys.platform == "linux" else self._name())

    def _link(self) -> None:
        self.write(self._name(), link=True)

    def _set_executable(self) -> None:
        path = self.top / self._name()
        if path.is_file() and not path.is_symlink():
            path.chmod(path.stat().st_mode ^ 0o111)

    def _delete(self) -> None:
        path = self.top / self._name()
        if not path.is_dir() or path.is_symlink():
            path.unlink(missing_ok=True)

    def _move(self) -> None:
        self.git("mv", "--", self._name(), self._name())

    def _stage_all(self) -> None:
        self.git("add", "-A")

    def _stage(self) -> None:
        self.git("--literal-pathspecs", "add", "--", self._name())

    def _commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", "x")

    def _branch(self) -> None:
        branch = self.chance.choice(BRANCHES)
        self.git("checkout", "-q", branch) or self.git("checkout", "-qb", branch)

    def _stash(self) -> None:
        self.git("stash", *(["-u"] if self.chance.random() < 0.5 else []))

    def _detach(self) -> None:
        self.git("checkout", "-q", "--detach")

    def _pack(self) -> None:
        self.git("pack-refs", "--all")
        self.git("tag", self.chance.choice(("t", "u")))

    def _join(self) -> None:
        """Start what may end in a conflict, and then stays under way."""
        self.git(self.chance.choice(("merge", "rebase", "cherry-pick", "revert")), self.chance.choice(BRANCHES))

    def _conflict(self) -> None:
        """Have two commits differ in one place, and start to bring them together."""
        name = self._name()
        branch = self.chance.choice(BRANCHES)
        self.git("stash", "-u")
        self.git("checkout", "-qb", "side") or self.git("checkout", "-q", "side")
        for goal in (None, branch):
            if goal is not None:
                self.git("checkout", "-q", goal) or self.git("checkout", "-qb", goal, "HEAD~1")
            self.write(name)
            self._commit()
        self._join()
        self.git(self.chance.choice(("merge", "rebase", "cherry-pick")), "side")

    def _go_on(self) -> None:
        """Stage what a conflict has been made of; go on with some of them."""
        self.git("add", "-A")
        if self.chance.random() < 0.5:
            for name in ("rebase", "cherry-pick", "merge", "revert"):
                self.git(name, "--continue")

    def _second_tree(self) -> None:
        if self.other.exists():
            return
        chance = self.chance
        self.git("worktree", "add", "-q", *(["--detach"] if chance.random() < 0.5 else ["-b", "side"]), str(self.other))
        if chance.random() < 0.5 and self.other.exists():
            (self.other / chance.choice(("a", "new", "z.log"))).write_text(f"w{self.written}\n")

    def _submodule(self) -> None:
        """Make one, or change something in it."""
        chance, source = self.chance, self.home / "s"
        if not (self.sub / ".git").exists():
            if not source.exists():
                source.mkdir()
                self.git("init", "-q", "-b", "main", cwd=source)
                (source / "x").write_text("of the submodule\n")
                (source / ".gitignore").write_text(IGNORED)
                self.git("add", "-A", cwd=source)
                self.git("commit", "-qm", "x", cwd=source)
            if self.git("submodule", "--quiet", "add", "--force", "--", "../s", "sub") is None:
                self.git("submodule", "--quiet", "update", "--init")
            if chance.random() < 0.5:
                self._commit()
            return
        for _ in range(chance.randrange(3)):
            step = chance.randrange(6)
            if step < 3:
                self.write(chance.choice(("sub/x", "sub/new", "sub/x.log", "sub/e/f")))
            elif step == 3:
                self.git("add", "-A", cwd=self.sub)
            elif step == 4:
                self.git("commit", "-qam", "x", cwd=self.sub)
            else:
                self.git(*chance.choice((["stash"], ["checkout", "-q", "--detach"])), cwd=self.sub)

    def _sparse(self) -> None:
        words = self.chance.choice((["set", "d"], ["set", "--no-cone", "/a", "/m/"], ["disable"]))
        self.git("sparse-checkout", *words)

    # What it holds.

    def contents(self) -> set[str]:
        """The names that git has, or would have, for all contents of files, and the names of all commits."""
        found = {self._of_file(path) for tree in (self.top, self.other) for path in _files(tree)}
        found |= self._of_git([((), tree) for tree in (self.top, self.other) if tree.exists()])
        git_dir = self.top / ".git/modules/sub"
        if git_dir.exists():  # Its work tree may be gone.
            found |= self._of_git([((f"--git-dir={git_dir}", f"--work-tree={self.home}"), self.home)])
        return found

    def _of_git(self, places: list[tuple[tuple[str, ...], Path]]) -> set[str]:
        """What work trees of one repository have by git: options that lead there, and a directory."""
        found: set[str] = set()
        heads: list[str] = []
        for options, cwd in places:
            staged = self.git(*options, "ls-files", "--stage", "-z", cwd=cwd) or ""
            entries = (line.partition("\t") for line in staged.split("\0") if line)
            named = (told.split() for told, _, path in entries if path != ".gitmodules")  # git edits that.
            found |= {name for mode, name, _ in named if mode != "160000"}
            heads.append((self.git(*options, "rev-parse", "--verify", "-q", "HEAD", cwd=cwd) or "").strip())
        options, cwd = places[0]

        def listed(*words: str) -> list[str]:
            return (self.git(*options, "rev-list", *words, cwd=cwd) or "").split()

        objects = ("--objects", "--no-object-names")
        kept = listed(*objects, "--exclude=refs/stash", "--all", *filter(None, heads))
        stashes = listed("--walk-reflogs", "refs/stash")
        stashed = self._kinds(listed(*objects, *stashes) if stashes else [], options, cwd)
        kinds = {
            **{name: kind for name, kind in stashed.items() if kind == "blob"},
            **self._kinds(kept, options, cwd),
        }
        return found | {name for name, kind in kinds.items() if kind in ("blob", "commit")}

    def _kinds(self, names: list[str], options: Iterable[str], cwd: Path) -> dict[str, str]:
        if not names:
            return {}
        environ = {"HOME": str(self.home), "PATH": os.environ["PATH"]}
        words = ["git", *options, "cat-file", "--batch-check=%(objectname) %(objecttype)"]
        printed = subprocess.run(
            words, cwd=cwd, env=environ, input="\n".join(names) + "\n", capture_output=True, text=True, check=True
        ).stdout
        return dict(line.split() for line in printed.splitlines())

    @staticmethod
    def _of_file(path: Path) -> str:
        data = os.fsencode(os.readlink(path)) if path.is_symlink() else path.read_bytes()
        return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()

    def executables(self) -> set[Path]:
        """The files that may be executed: what is lost with that is a change, but no content."""
        found = (path for tree in (self.top, self.other) for path in _files(tree))
        return {path for path in found if not path.is_symlink() and path.stat().st_mode & 0o100}

    # What may throw some of it away.

    def command(self) -> list[str]:
        chance = self.chance
        path = chance.choice((*NAMES, *ODD, ".", "d", "m", "*")) if chance.random() < 0.9 else "sub"
        revision = chance.choice(("HEAD", "HEAD~1", "main", "one", "two", "t", "side"))
        branch = chance.choice((*BRANCHES, "side"))
        commands = [
            *(["checkout", "--", path], ["checkout", path], ["checkout", revision, "--", path], ["checkout", revision]),
            *(["checkout", "-f"], ["checkout", "-f", revision], ["checkout", "-B", branch, revision]),
            *(["checkout", revision, path], ["checkout", "-q", "--detach", revision]),
            *(["switch", "-f", branch], ["switch", branch], ["switch", "-C", branch, revision]),
            *(
                ["restore", path],
                ["restore", "--staged", path],
                ["restore", "-SW", path],
                ["restore", "-s", revision, path],
            ),
            *(["reset", mode, revision] for mode in ("--hard", "--soft", "--mixed", "--keep", "--merge")),
            *(["reset"], ["reset", "--hard"], ["reset", path], ["reset", "-q", revision]),
            *(["clean", flags] for flags in ("-f", "-fd", "-fdx", "-fX", "-fdX", "-n")),
            *(["clean", "-f", path], ["clean", "-fdx", path]),
            *(["stash", "drop"], ["stash", "clear"], ["stash", "pop"], ["stash"], ["stash", "-a"]),
            *(["rm", "-q", path], ["rm", "-qf", path], ["rm", "-qrf", path], ["rm", "-q", "--cached", path]),
            *(["rm", "-qrf", "--cached", path], ["mv", path, self._name()], ["mv", "-f", path, self._name()]),
            *(["branch", "-D", branch], ["branch", "-d", branch], ["branch", "-f", branch, revision]),
            *(["branch", "-M", branch, "one"], ["tag", "-d", "t"], ["tag", "-f", "t", revision]),
            *(["update-ref", "-d", f"refs/heads/{branch}"], ["worktree", "remove", "../w"]),
            *(
                ["worktree", "remove", "-f", "../w"],
                ["checkout-index", "-fa"],
                ["read-tree", "--reset", "-u", revision],
            ),
            *(["checkout", "--orphan", "new"], ["switch", "--orphan", "new"]),
        ]
        under_way = [
            [name, way] for name in ("merge", "rebase", "cherry-pick", "revert") for way in ("--abort", "--quit")
        ]
        under_way += [["rebase", "--skip"], ["cherry-pick", "--skip"], ["am", "--abort"]]
        of_submodules = [
            *(["submodule", "-q", *words] for words in (["update"], ["update", "-f"], ["deinit", "sub"])),
            *(["submodule", "-q", *words] for words in (["deinit", "-f", "sub"], ["deinit", "--all"], ["sync"])),
            *(["rm", "-q", "sub"], ["rm", "-qf", "sub"], ["clean", "-ffdx"]),
            *(["checkout", "--recurse-submodules", revision], ["reset", "--hard", "--recurse-submodules", revision]),
            *(["checkout", "-f", "--recurse-submodules", revision], ["-C", "sub", "checkout", "-f"]),
            *(["-C", "sub", "reset", "--hard", "HEAD~1"], ["-C", "sub", "clean", "-fdx"]),
            ["-C", "sub", "stash", "drop"],
        ]
        of_sparse = [["sparse-checkout", *words] for words in (["set", "d"], ["set", "m"], ["disable"], ["reapply"])]
        if chance.random() < 0.05:
            return ["mv", *chance.sample(NAMES, 2)]
        if chance.random() < 0.15:
            path = chance.choice((*NAMES, *ODD, "d", "m", "../w"))
            return ["rm", "-rf", *(["--"] if path.startswith("-") else []), path]
        if (self.sub / ".git").exists() and chance.random() < 0.5:
            return ["git", *chance.choice(of_submodules)] if chance.random() < 0.7 else ["rm", "-rf", "sub"]
        if self._is_under_way() and chance.random() < 0.5:
            return ["git", *chance.choice(under_way)]
        if chance.random() < 0.1:
            return ["git", *chance.choice((*under_way, *of_sparse))]
        return ["git", *chance.choice(commands)]

    def _is_under_way(self) -> bool:
        names = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "sequencer")
        return any((self.top / ".git" / name).exists() for name in names)

    def run(self, words: list[str]) -> None:
        """Do what the command does; files are deleted here, by no program."""
        if words[0] == "git":
            self.git(*words[1:])
            return
        if words[0] == "mv":
            source, goal = (self.top / name for name in words[1:])
            if source.is_file() and goal.parent.is_dir() and not goal.exists():
                source.rename(goal)
            return
        path = Path(os.path.normpath(self.top / words[-1]))
        assert path.is_relative_to(self.home) and path not in (self.home, self.top)
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


_STEPS: dict[Callable[[Repository], None], int] = {
    Repository._write_some: 6,
    Repository._link: 1,
    Repository._set_executable: 1,
    Repository._delete: 1,
    Repository._move: 1,
    Repository._stage_all: 1,
    Repository._stage: 1,
    Repository._commit: 2,
    Repository._branch: 1,
    Repository._stash: 1,
    Repository._detach: 1,
    Repository._pack: 1,
    Repository._join: 1,
    Repository._conflict: 1,
    Repository._go_on: 1,
    Repository._second_tree: 1,
    Repository._submodule: 3,
    Repository._sparse: 1,
}
"""What `change` does -> how often."""


def _files(tree: Path) -> list[Path]:
    found = [path for path in tree.rglob("*") if path.is_symlink() or path.is_file()] if tree.exists() else []
    return [path for path in found if not {".git", ".gitmodules"} & {*path.relative_to(tree).parts}]
