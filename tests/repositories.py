"""Random git repositories, what they hold, and commands that may throw some of it away."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import subprocess
from pathlib import Path

NAMES = ("a", "b", "d/c", "d/e", "n", "m/n", "x.log", "m/y.log")
BRANCHES = ("main", "one", "two")
IGNORED = "*.log\n"
_SETTINGS = ("-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false", "-c", "gc.auto=0")


class Repository:
    """A repository below `top` of which a test knows all contents. Nothing of it is reached through a shell."""

    def __init__(self, top: Path, chance: random.Random) -> None:
        self.top = top / "r"
        self.other = top / "w"
        self.chance = chance
        self.written = 0
        self.top.mkdir()
        self.home = top
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
        return ended.stdout.decode() if ended.returncode == 0 else None

    def write(self, name: str) -> None:
        """Write a content that is nowhere else, below the top."""
        self.written += 1
        path = self.top / name
        for above in reversed(path.relative_to(self.top).parents):
            if (self.top / above).is_file():
                (self.top / above).unlink()
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            shutil.rmtree(path)
        path.write_text(f"{self.written}\n" * 3)

    def change(self) -> None:
        """Do something that people do all day."""
        chance = self.chance
        name, branch = chance.choice(NAMES), chance.choice(BRANCHES)
        step = chance.randrange(17)
        if step < 6:
            self.write(name)
        elif step == 6:
            (self.top / name).unlink(missing_ok=True)
        elif step == 7:
            self.git("add", "-A")
        elif step == 8 and (self.top / name).exists():
            self.git("add", "--", name)
        elif step in (9, 10):
            self.git("add", "-A")
            self.git("commit", "-qm", "x")
        elif step == 11:
            self.git("checkout", "-q", branch) or self.git("checkout", "-qb", branch)
        elif step == 12:
            self.git("stash", *(["-u"] if chance.random() < 0.5 else []))
        elif step == 13:
            self.git("checkout", "-q", "--detach")
        elif step == 14:
            self.git("pack-refs", "--all")
            self.git("tag", chance.choice(("t", "u")))
        elif step == 15:
            self.git("merge", "-q", branch)
        elif step == 16 and not self.other.exists():
            self.git(
                "worktree", "add", "-q", *(["--detach"] if chance.random() < 0.5 else ["-b", "side"]), str(self.other)
            )
            if chance.random() < 0.5 and self.other.exists():
                (self.other / chance.choice(("a", "new", "z.log"))).write_text(f"w{self.written}\n")

    # What it holds.

    def contents(self) -> set[str]:
        """The names that git has, or would have, for all contents of files, and the names of all commits."""
        found = {self._of_file(path) for tree in (self.top, self.other) for path in _files(tree)}
        for tree in (self.top, self.other):
            staged = self.git("ls-files", "--stage", cwd=tree) if tree.exists() else None
            found |= {line.split()[1] for line in (staged or "").splitlines()}
        heads = [
            self.git("rev-parse", "--verify", "-q", "HEAD", cwd=tree)
            for tree in (self.top, self.other)
            if tree.exists()
        ]
        stashes = self.git("rev-list", "--walk-reflogs", "refs/stash") or ""
        words = ("rev-list", "--objects", "--no-object-names", "--exclude=refs/stash", "--all")
        kept = self._kinds((self.git(*words, *(head.strip() for head in heads if head)) or "").split())
        stashed = self._kinds((self.git("rev-list", "--objects", "--no-object-names", *stashes.split()) or "").split())
        kinds = {**{name: kind for name, kind in stashed.items() if kind == "blob"}, **kept}
        return {name for name in found if name} | {name for name, kind in kinds.items() if kind in ("blob", "commit")}

    def _kinds(self, names: list[str]) -> dict[str, str]:
        if not names:
            return {}
        environ = {"HOME": str(self.home), "PATH": os.environ["PATH"]}
        words = ["git", "cat-file", "--batch-check=%(objectname) %(objecttype)"]
        printed = subprocess.run(
            words, cwd=self.top, env=environ, input="\n".join(names) + "\n", capture_output=True, text=True, check=True
        ).stdout
        return dict(line.split() for line in printed.splitlines())

    @staticmethod
    def _of_file(path: Path) -> str:
        data = path.read_bytes()
        return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()

    # What may throw some of it away.

    def command(self) -> list[str]:
        chance = self.chance
        path = chance.choice((*NAMES, ".", "d", "m", "*"))
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
            *(["stash", "drop"], ["stash", "clear"], ["stash", "pop"], ["stash"]),
            *(["rm", "-q", path], ["rm", "-qf", path], ["rm", "-qrf", path], ["rm", "-q", "--cached", path]),
            *(["rm", "-qrf", "--cached", path],),
            *(["branch", "-D", branch], ["branch", "-d", branch], ["branch", "-f", branch, revision]),
            *(["branch", "-M", branch, "one"], ["tag", "-d", "t"], ["tag", "-f", "t", revision]),
            *(["update-ref", "-d", f"refs/heads/{branch}"], ["worktree", "remove", "../w"]),
            *(
                ["worktree", "remove", "-f", "../w"],
                ["checkout-index", "-fa"],
                ["read-tree", "--reset", "-u", revision],
            ),
        ]
        if chance.random() < 0.05:
            return ["mv", *chance.sample(NAMES, 2)]
        if chance.random() < 0.15:
            return ["rm", "-rf", chance.choice((*NAMES, "d", "m", "../w"))]
        return ["git", *chance.choice(commands)]

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
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def _files(tree: Path) -> list[Path]:
    found = [path for path in tree.rglob("*") if path.is_file()] if tree.exists() else []
    return [path for path in found if ".git" not in path.relative_to(tree).parts]
