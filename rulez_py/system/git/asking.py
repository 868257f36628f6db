"""Ask git itself.

INVARIANT: nothing that a repository names runs: no hook, alias, filter, pager, editor, file monitor, remote helper or
credential helper. A question is asked in one of two ways.

- `ask`: of the repository as it is. Its own settings are read, so only subcommands come here that run none of
  them: `rev-parse`, `rev-list`, `cat-file`, `for-each-ref`, and `config --list`, which reads what settings include
  and runs nothing (no pager, where nothing is a terminal). What a partial clone lacks is not fetched.
- `Apart`: of a repository of our own, without settings, that borrows the objects and the index. For what compares
  files, since a filter (`filter.NAME.clean`) or a monitor (`core.fsmonitor`) of the repository would run there.

The environment that an agent was given says nothing to git, neither do the person's or the machine's settings, except
where these are asked for (`settings`).
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rulez_py.system.git.values import Repository

OUTPUT_LIMIT = 1024 * 1024
"""Bytes that git may print; where it prints more, what it said is unknown."""

_PROGRAMS = ("/usr/bin/git", "/usr/local/bin/git", "/opt/homebrew/bin/git", "/bin/git")
"""Where git is looked for first: a directory in somebody's PATH may be an agent's to write."""
SECONDS = 2.0
_KEPT = ("HOME", "USERPROFILE", "SYSTEMROOT", "PATH", "TMPDIR", "TEMP")
_OF_SETTINGS = ("XDG_CONFIG_HOME",)
"""Variables that say where the person's settings are, besides `_KEPT`."""
_OURS = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


def ask(
    git_dir: str, words: Sequence[str], *, data: bytes = b"", seconds: float = SECONDS, limit: int = OUTPUT_LIMIT
) -> bytes | None:
    """Return what git prints of the repository with this directory; None where it fails, or git is not there."""
    return _printed(_run(words, git_dir, {"GIT_DIR": git_dir}, data, seconds, limit))


def names_something(git_dir: str, revision: str) -> bool | None:
    """Tell whether a revision has files; None where git does not say."""
    if not revision or revision.startswith("-"):
        return None
    words = ("rev-parse", "--verify", "--quiet", f"{revision}^{{tree}}")
    ended = _run(words, git_dir, {"GIT_DIR": git_dir}, b"", SECONDS)
    # With --quiet it ends with 1 where there is no such thing, and with 128 where it cannot look.
    return None if ended is None or ended[0] not in (0, 1) else ended[0] == 0


def settings(git_dir: str, *, seconds: float = SECONDS) -> bytes | None:
    """Return all settings that hold in a repository, the person's and the machine's too, each with a NUL behind.

    A name and its value have a line end between them. None where git fails, or is not there.
    """
    own = {key: os.environ[key] for key in _OF_SETTINGS if key in os.environ}
    more = {"GIT_DIR": git_dir, "GIT_CONFIG_NOSYSTEM": "0", **own}
    without = ("GIT_CONFIG_GLOBAL",)
    return _printed(_run(("config", "--list", "-z"), git_dir, more, b"", seconds, without=without))


class Apart:
    """A repository of our own for the length of a `with` block, with the objects and index of another.

    `head` is the commit that it is at, "" for none. Raises OSError on entry.
    """

    def __init__(self, repository: Repository, head: str, *, references: bool = False, few_files: bool = False) -> None:
        """With `references`, those of that repository (and its `logs`) are read and written.

        Its hooks do not run for that. For `few_files` git starts no threads, one per 500 entries of the index.
        """
        self._common, self._top, self._head = repository.common, repository.top, head
        self._references = references
        self._few_files = few_files
        self._is_sparse = os.path.lexists(os.path.join(repository.git_dir, "info", "sparse-checkout"))
        self._places = {
            "GIT_OBJECT_DIRECTORY": os.path.join(self._common, "objects"),
            "GIT_INDEX_FILE": repository.index,
            "GIT_WORK_TREE": self._top,
        }
        self._directory = os.path.join(_parent(), f"{_PREFIX}{os.urandom(_RANDOM).hex()}")

    def __enter__(self) -> Apart:
        os.mkdir(self._directory, 0o700)
        try:
            if self._references:
                for name in ("refs", "packed-refs", "logs"):
                    os.symlink(os.path.join(self._common, name), self._path(name))
            else:
                os.mkdir(self._path("refs"))
            self._write("HEAD", f"{self._head or 'ref: refs/heads/none'}\n")
            of_sha256 = len(self._head) == _SHA256
            lines = (_OF_SPARSE * self._is_sparse, _WITHOUT_THREADS * self._few_files, _WITH_SHA256 * of_sha256)
            self._write("config", _SETTINGS + "".join(lines))
            os.symlink(os.path.join(self._common, "info"), self._path("info"))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_error: object) -> None:
        _clear(self._directory)

    def ask(
        self,
        words: Sequence[str],
        *,
        cwd: str,
        magic: bool = False,
        seconds: float = SECONDS,
        limit: int = OUTPUT_LIMIT,
    ) -> bytes | None:
        """Return what git prints, run in `cwd`; None where it fails. With `magic` its paths are pathspecs."""
        more = {"GIT_DIR": self._directory, **self._places}
        places = {**more, "GIT_LITERAL_PATHSPECS": "0"} if magic else more
        return _printed(_run(words, cwd, places, b"", seconds, limit))

    def tell(self, words: Sequence[str], data: bytes | bytearray, *, seconds: float = SECONDS) -> str:
        """Have git do something with `data`; return why it has not, "" where it has."""
        ended = _run(words, self._top_or_parent(), {"GIT_DIR": self._directory, **self._places}, data, seconds)
        if ended is None:
            return "git did not come to an end in time, or is not there"
        lines = ended[2].decode("utf-8", "replace").strip().splitlines()
        return "" if ended[0] == 0 else (lines[0] if lines else f"git ended with exit code {ended[0]}")

    def _top_or_parent(self) -> str:
        """Return a directory to run in: a work tree may be gone."""
        return self._top if os.path.isdir(self._top) else self._directory

    def _path(self, name: str) -> str:
        return os.path.join(self._directory, name)

    def _write(self, name: str, text: str) -> None:
        with open(self._path(name), "x", encoding="utf-8") as file:
            file.write(text)


_PREFIX, _RANDOM = "rulez-", 12
"""The name of such a repository: this, and so many bytes in hexadecimal digits."""


def _parent() -> str:
    return os.environ.get("TMPDIR") or os.environ.get("TEMP") or "/tmp"  # noqa: S108


def _clear(directory: str) -> None:
    """Delete a repository of our own; never raises, and follows no link."""
    try:
        names = os.listdir(directory)
    except OSError:
        return
    for name in names:  # git may have left a report of a crash.
        path = os.path.join(directory, name)
        _without(os.unlink if os.path.islink(path) or not os.path.isdir(path) else os.rmdir, path)
    _without(os.rmdir, directory)


def clear_old(before: float) -> None:
    """Delete those that processes have left that were killed, from before this time; never raises."""
    parent = _parent()
    try:
        names = [name for name in os.listdir(parent) if name.startswith(_PREFIX) and _is_ours(name)]
    except OSError:
        return
    for name in names:
        path = os.path.join(parent, name)
        try:
            status = os.lstat(path)
        except OSError:
            continue
        if stat.S_ISDIR(status.st_mode) and status.st_mtime < before and (os.name == "nt" or _owns(status)):
            _clear(path)


def _is_ours(name: str) -> bool:
    digits = name.removeprefix(_PREFIX)
    return len(digits) == 2 * _RANDOM and not digits.strip("0123456789abcdef")


def _owns(status: os.stat_result) -> bool:
    return status.st_uid == os.geteuid()


_SHA256 = 64
_SETTINGS = "[core]\n\trepositoryformatversion = 1\n\tbare = false\n"
_OF_SPARSE = "\tsparseCheckout = true\n"
"""With it git looks at the files that are there although the sparse work tree leaves them out."""
_WITHOUT_THREADS = "\tpreloadIndex = false\n"
_WITH_SHA256 = "[extensions]\n\tobjectFormat = sha256\n"


def program() -> str:
    """Return the path of git; "" where there is none."""
    for path in _PROGRAMS:
        if os.access(path, os.X_OK):
            return path
    for directory in os.environ.get("PATH", "").split(os.pathsep):
        path = os.path.join(directory, "git.exe" if os.name == "nt" else "git")
        if os.path.isabs(directory) and os.access(path, os.X_OK):
            return path
    return ""


def _printed(ended: tuple[int, bytes, bytes] | None) -> bytes | None:
    return None if ended is None or ended[0] != 0 else ended[1]


def _run(
    words: Sequence[str],
    cwd: str,
    more: Mapping[str, str],
    data: bytes | bytearray,
    seconds: float,
    limit: int = OUTPUT_LIMIT,
    without: Sequence[str] = (),
) -> tuple[int, bytes, bytes] | None:
    """Return the exit code, what was printed and what was said; None where it did not end by itself, or was cut."""
    git = program()
    if not git:
        return None
    from rulez_py.system.process import CannotStart, run_process

    environ = {**{key: os.environ[key] for key in _KEPT if key in os.environ}, **_OURS, **more}
    environ = {key: value for key, value in environ.items() if key not in without}
    try:
        ended = run_process(
            ("git", *words), program=git, cwd=cwd, environ=environ, data=data, seconds=seconds, limit=limit
        )
    except (CannotStart, OSError, ValueError):
        return None
    if ended.exit_code is None or len(ended.stdout) >= limit:
        return None
    return ended.exit_code, ended.stdout, ended.stderr


def _without(remove: object, path: str) -> None:
    try:
        remove(path)  # type: ignore[operator]
    except OSError:
        pass
