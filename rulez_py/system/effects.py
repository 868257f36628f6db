"""Side effects of rules as values: the policy asks for them, the hook carries them out.

`policy/judging/decide.py` gets an `Effects` as an argument and does no I/O of its own; tests hand in fakes.
"""

from __future__ import annotations

from rulez_py.analysis import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Protocol

    from rulez_py.system.git.values import Changes, Paths, Remotes, Repository, Submodule, TreeState

    class Git(Protocol):
        """Repositories as the policy may see them; nothing of them runs, and nothing raises. None is unknown."""

        def find(self, directory: str) -> Repository | None:
            """Return the repository that has a directory, a real path, in its work tree; None where there is none."""

        def at(self, top: str, marker: str) -> Repository | None:
            """Return the repository of a work tree by its directory; None where it is unknown."""

        def head(self, repository: Repository) -> tuple[str, str] | None:
            """Return the branch ("" of a detached HEAD) and its commit ("" before the first)."""

        def state(
            self, repository: Repository, paths: Paths, *, untracked: bool = True, ignored: bool = False
        ) -> TreeState | None:
            """Return what the tree holds of these files that its last commit does not.

            Files that git does not have are only looked for where asked.
            """

        def submodules(self, repository: Repository, paths: Paths) -> tuple[Submodule, ...] | None:
            """Return the submodules among these files."""

        def changes(self, repository: Repository, *, ignored: bool = False) -> Changes | None:
            """Return the files of the tree that are not as committed."""

        def default_branch(self, repository: Repository) -> str | None:
            """Return the name of the default branch."""

        def has_branch(self, repository: Repository, name: str) -> bool | None:
            """Tell whether there is a branch of this name."""

        def unpushed(self, repository: Repository) -> int | None:
            """Return how many commits HEAD has that its upstream has not, or no remote."""

        def under_way(self, repository: Repository) -> tuple[str, ...] | None:
            """Return what git is in the middle of (`UNDER_WAY`)."""

        def stashes(self, repository: Repository) -> int | None:
            """Return how many stashes there are."""

        def commits_only_in(
            self, repository: Repository, names: Sequence[str], *, without: Sequence[str] = (), nor: Sequence[str] = ()
        ) -> int | None:
            """Return how many commits these revisions have that no other reference has, and none of `nor`."""

        def commits_only_here(self, repository: Repository) -> int | None:
            """Return how many commits of branches and tags no remote has."""

        def names_something(self, repository: Repository, revision: str) -> bool | None:
            """Tell whether a revision has files."""

        def in_commit(self, repository: Repository, revision: str, paths: Sequence[str]) -> tuple[str, ...] | None:
            """Return those of these absolute paths that a commit has."""

        def lines_changed(self, repository: Repository, paths: Sequence[str]) -> dict[str, tuple[int, int]]:
            """Return how many lines each of these files has more and less than in the last commit; {} is unknown."""

        def remotes(self, repository: Repository) -> Remotes | None:
            """Return what the repository says of pushes: settings, branches, default branches of remotes."""

    class Effects(Protocol):
        """The world as the policy may see it."""

        @property
        def git(self) -> Git:
            """The repositories of this machine."""

        def run(self, script: Script) -> ScriptResult:
            """Run one script to its end or its time limit; never raises."""

        def read_text(self, path: str, limit: int) -> str | None:
            """Return the first `limit` bytes of a file as text, None where it cannot be read; never raises."""

        def read_bytes(self, path: str, limit: int) -> bytes | None:
            """Return the first `limit` bytes of a file, None where it cannot be read; never raises."""

        def real_path(self, path: str) -> str:
            """Return an absolute path with symbolic links resolved as far as it exists; never raises."""

        def is_committed(self, path: str, data: bytes) -> bool:
            """Tell whether the last commit of the file's repository has it with this content; never raises."""

        def has_seen(self, session: str, path: str) -> bool | None:
            """Tell whether an agent's session has read or written a file as it is now; None is unknown."""

        def recall(self, session: Session) -> Memory | None:
            """Return what is remembered of a session; None where that cannot be read. Never raises."""

        def change(self, session: Session, changes: MemoryChanges) -> str:
            """Forget and remember keys of a session; return why that failed, "" where it did not. Never raises."""

        def count(self, session: Session, counters: tuple[Counter, ...], call: str, *, using: bool) -> bool | None:
            """Tell whether a call is not one too many for a counter, and count it where that is `using` them.

            None where that is unknown. Never raises.
            """

        def keep(self, wanted: ToKeep) -> Kept:
            """Keep what a call would lose, all of it or nothing; never raises."""

        def names(self, directory: str) -> list[str]:
            """Return the names in a directory, the first MOST_NAMES; none where it cannot be read; never raises."""


MOST_NAMES = 5000
"""Names of a directory that are looked at."""


class Script(Value):
    """One program to run.

    `command` is the argument vector; with `shell` it is one shell line; with `inline` it is one element, the text of a
    script file to write and execute. `stdin` is the event as JSON; `timeout` is in seconds. `project_dir` is where the
    agent works, which need not be the script's own directory.
    """

    command: tuple[str, ...]
    shell: bool = False
    inline: bool = False
    cwd: str
    project_dir: str = ""
    timeout: float
    stdin: str = ""


class ScriptResult(Value):
    """The end of a script. `exit_code` is None where it did not end by itself; then `error` says why."""

    exit_code: int | None
    stdout: str = ""
    stderr: str = ""
    error: str = ""


class ToKeep(Value):
    """What a checkpoint is to hold, and the call that it is about.

    `files` are absolute paths in work trees of git, `outside` those in none; of a directory all that is below it.
    Every stash of the work trees in `stashes` is kept; `commits` are pairs of a work tree and the short name of a
    branch or tag, or `HEAD`. It may have `max_mb` million bytes, and is kept for `keep_days`.
    """

    files: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    stashes: tuple[str, ...] = ()
    commits: tuple[tuple[str, str], ...] = ()
    max_mb: float
    keep_days: float
    agent: str = ""
    session: str = ""
    project: str = ""
    command: str = ""


class Kept(Value):
    """A checkpoint with `what` it holds, in words; or, with `error`, why nothing is kept.

    `names` are the first of its `count` files and branches, `until` the time after which it is deleted, in seconds
    since the epoch. `id` is "" where nothing was tried, because the call is only looked at.
    """

    id: str = ""
    what: str = ""
    names: tuple[str, ...] = ()
    count: int = 0
    until: float = 0.0
    error: str = ""


PERIODS = {"session": (0.0, "in this session"), "hour": (3600.0, "in an hour"), "day": (86400.0, "in a day")}
"""Name of a period in which calls are counted -> its seconds, 0 for all of the session, and its name in a sentence."""
KEY_LASTS = 24 * 3600
"""Seconds after which every key is forgotten."""


class Session(Value):
    """A session of an agent in a project: the platform, the agent's identifier ("" for none), the project's root."""

    platform: str
    id: str
    project: str


class Remembered(Value):
    """The time since when a key is remembered, and until when, in seconds since the epoch."""

    since: float
    until: float


class Memory(Value):
    """What is remembered of a session: keys; by the name of a counter the times of calls, each with its identifier."""

    keys: Mapping[str, Remembered] = {}
    counts: Mapping[str, tuple[tuple[float, str], ...]] = {}


class MemoryChanges(Value):
    """Keys to forget, and then keys to remember, each with the seconds that it lasts (0: as long as any may)."""

    forgotten: tuple[str, ...] = ()
    remembered: Mapping[str, float] = {}


class Counter(Value):
    """A bound: `most` calls under this name in so many `seconds`, 0 for the session."""

    name: str
    most: int
    seconds: float = 0.0
