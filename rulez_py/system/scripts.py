"""The real world behind `effects.Effects`: running a policy's scripts, reading the files it injects.

INVARIANT: a script cannot hang the hook. It gets no more time than its own limit and no more than the hook has left.
"""

from __future__ import annotations

import os
import sys
import time

from rulez_py.system.effects import MOST_NAMES, ScriptResult
from rulez_py.system.files import read_pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rulez_py.system.effects import Counter, Git, Kept, Memory, MemoryChanges, Script, Session, ToKeep

RESERVE = 0.5
"""Seconds before the deadline at which a script is stopped: time to kill it."""
PROJECT_VARIABLE = "RULEZ_PROJECT_DIR"
_LONGEST_PATH = 32_767 if os.name == "nt" else 4096
"""Characters of a path that the system opens at most."""


class World:
    """The `Effects` of a hook call.

    `environ` is what scripts inherit; `deadline` is the `time.monotonic()` value by which the last script must be
    gone, None for no such limit. Checkpoints are made where `shown` says how a record has the text of a call; without
    it the call is only looked at, and they are taken to be possible.
    """

    def __init__(
        self, environ: Mapping[str, str], deadline: float | None, *, shown: Callable[[str], str] | None = None
    ) -> None:
        self._environ = environ
        self._deadline = deadline
        self._shown = shown

    @property
    def git(self) -> Git:
        """The repositories of this machine."""
        from rulez_py.system.git import state

        return state

    def run(self, script: Script) -> ScriptResult:
        """Run one script to its end or its time limit; never raises."""
        seconds = script.timeout
        if self._deadline is not None:
            seconds = min(seconds, self._deadline - RESERVE - time.monotonic())
        if not seconds > 0:
            return ScriptResult(exit_code=None, error="not run: no time was left for it")
        if not os.path.isdir(script.cwd):
            return ScriptResult(exit_code=None, error=f"its working directory `{script.cwd}` does not exist")
        return _run(script, _script_environment(self._environ, script), seconds)

    def read_text(self, path: str, limit: int) -> str | None:
        """Return the first `limit` bytes of a regular file as text, None where it cannot be read; never raises.

        A character that the limit cuts in two is left out.
        """
        import codecs

        data = self.read_bytes(path, limit)
        if data is None:
            return None
        return codecs.getincrementaldecoder("utf-8")("replace").decode(data, len(data) < limit)

    def read_bytes(self, path: str, limit: int) -> bytes | None:
        """Return the first `limit` bytes of a regular file, None where it cannot be read; never raises."""
        try:
            return b"".join(read_pieces(path, limit))
        except OSError:
            return None

    def real_path(self, path: str) -> str:
        """Return an absolute path with symbolic links resolved as far as it exists; never raises."""
        try:
            # No system opens a longer one, only a program that shortens it first; each part takes as long as the whole.
            if len(path) > _LONGEST_PATH and len(path := os.path.abspath(path)) > _LONGEST_PATH:
                return path
            return os.path.realpath(path)
        except (OSError, ValueError):
            return os.path.normpath(os.path.join(os.sep, path))

    def is_committed(self, path: str, data: bytes) -> bool:
        """Tell whether the last commit of the file's repository has it with this content; never raises."""
        from rulez_py.system.git.commits import is_committed

        return is_committed(path, data)

    def has_seen(self, session: str, path: str) -> bool | None:
        """Tell whether an agent's session has read or written a file as it is now; never raises."""
        from rulez_py.system.places import places
        from rulez_py.system.sessions.seen import has_seen

        return has_seen(places(self._environ).state, session, path)

    def recall(self, session: Session) -> Memory | None:
        """Return what is remembered of a session, None where that cannot be read; never raises."""
        from rulez_py.system.places import places
        from rulez_py.system.sessions import memory

        try:
            return memory.recall(places(self._environ).state, session, time.time())
        except OSError:
            return None

    def change(self, session: Session, changes: MemoryChanges) -> str:
        """Forget and remember keys of a session; where the call is only looked at, nothing changes. Never raises."""
        if self._shown is None:
            return ""
        from rulez_py.system.places import places
        from rulez_py.system.sessions import memory

        try:
            memory.change(places(self._environ).state, session, changes, time.time())
        except OSError as error:
            return str(error)
        return ""

    def count(self, session: Session, counters: tuple[Counter, ...], call: str, *, using: bool) -> bool | None:
        """Tell whether a call is not one too many, and count it where that is meant and no one only looks at it."""
        from rulez_py.system.places import places
        from rulez_py.system.sessions import memory

        state, now = places(self._environ).state, time.time()
        try:
            if self._shown is None or not using:
                return not memory.full(memory.recall(state, session, now), counters, call, now)
            return memory.count(state, session, counters, call, now)
        except OSError:
            return None

    def keep(self, wanted: ToKeep) -> Kept:
        """Keep what a call would lose, all of it or nothing; never raises."""
        from rulez_py.system.effects import Kept

        if self._shown is None:
            return Kept()
        try:
            from rulez_py.system.checkpoints.keep import keep
            from rulez_py.system.places import places

            wanted = wanted.replace(command=self._shown(wanted.command))
            until = None if self._deadline is None else self._deadline - RESERVE
            return keep(places(self._environ).state, wanted, now=time.time(), until=until)
        except Exception as error:
            return Kept(error=f"it failed: {error}")

    def names(self, directory: str) -> list[str]:
        """Return the names in a directory, of very many some; none where it cannot be read; never raises."""
        found: list[str] = []
        try:
            with os.scandir(directory) as entries:
                for entry in entries:
                    found.append(entry.name)
                    if len(found) >= MOST_NAMES:
                        break
        except (OSError, ValueError):
            pass
        return found


def _run(script: Script, environ: Mapping[str, str], seconds: float) -> ScriptResult:
    from rulez_py.system.process import CannotStart, run_process

    def run(command: tuple[str, ...]) -> ScriptResult:
        ended = run_process(
            command,
            program=find_program(command[0], script.cwd, environ),
            cwd=script.cwd,
            environ=environ,
            data=script.stdin.encode("utf-8", "replace"),
            seconds=seconds,
        )
        return ScriptResult(
            exit_code=ended.exit_code,
            stdout=ended.stdout.decode("utf-8", "replace"),
            stderr=ended.stderr.decode("utf-8", "replace"),
            error=ended.error,
        )

    try:
        if not any(script.command):
            raise CannotStart("no command was given")
        if script.inline:
            text = script.command[0]
            with _ScriptFile(text, environ) as path:
                return run(_inline_command(text, path))
        return run(_shell_command(script.command[0]) if script.shell else script.command)
    except CannotStart as error:
        return ScriptResult(exit_code=None, error=str(error))
    except (OSError, ValueError) as error:
        return ScriptResult(exit_code=None, error=f"it could not be run: {error}")


def _inline_command(text: str, path: str) -> tuple[str, ...]:
    """Return what executing the file would run; spelled out, because temporary directories may forbid executing."""
    first_line = text.partition("\n")[0]
    interpreter = first_line[2:].strip().split(None, 1) if first_line.startswith("#!") else []
    if not interpreter and os.name == "nt":
        return ("cmd", "/D", "/C", path)
    return (*(interpreter or ("/bin/sh",)), path)


def _shell_command(line: str) -> tuple[str, ...]:
    return ("cmd", "/D", "/C", line) if os.name == "nt" else ("/bin/sh", "-c", line)


def find_program(name: str, cwd: str, environ: Mapping[str, str]) -> str:
    """Return the file a program name means: a path from `cwd` where it has a slash, else looked up on PATH.

    Relative directories on PATH do not count: what they mean depends on where the agent happens to be.
    Raises CannotStart.
    """
    from rulez_py.system.process import CannotStart

    if name == "~" or name.startswith("~/"):
        name = (environ.get("HOME") or os.path.expanduser("~")) + name[1:]
    if "/" not in name and os.sep not in name:
        return _on_path(name, cwd, environ)
    path = os.path.normpath(os.path.join(cwd, name))
    if not os.path.exists(path):
        raise CannotStart(f"`{name}` was not found: there is no {path}")
    if not os.path.isfile(path):
        raise CannotStart(f"`{name}` is not a file")
    if not os.access(path, os.X_OK):
        raise CannotStart(f"`{name}` is not executable; `chmod +x {path}` makes it so")
    return path


def _on_path(name: str, cwd: str, environ: Mapping[str, str]) -> str:
    from rulez_py.system.process import CannotStart

    endings = environ.get("PATHEXT", ".EXE;.CMD;.BAT").split(";") if os.name == "nt" else [""]
    for directory in environ.get("PATH", os.defpath).split(os.pathsep):
        for ending in endings:
            path = os.path.join(directory, name + ending)
            if os.path.isabs(directory) and os.path.isfile(path) and os.access(path, os.X_OK):
                return path
    here = os.path.join(cwd, name)
    advice = f"; write `./{name}` for {here}" if os.path.isfile(here) else ""
    raise CannotStart(f"`{name}` was not found on PATH{advice}")


def child_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment a script inherits: ours, less what the frozen program's loader put there for itself.

    PyInstaller points LD_LIBRARY_PATH at rulez' own libraries, which other programs must not load.
    """
    child = dict(environ)
    bundle = getattr(sys, "_MEIPASS", None)
    if bundle is not None:
        original = child.pop("LD_LIBRARY_PATH_ORIG", None)
        if original is not None:
            child["LD_LIBRARY_PATH"] = original
        elif child.get("LD_LIBRARY_PATH", "").startswith(bundle):
            del child["LD_LIBRARY_PATH"]
        for name in [name for name in child if name.startswith("_PYI_")]:
            del child[name]
    return child


def _script_environment(environ: Mapping[str, str], script: Script) -> dict[str, str]:
    """Return what a script inherits: it is where it is, and knows the project's directory by a name of its own."""
    child = {**child_environment(environ), "PWD": script.cwd}
    child.pop("OLDPWD", None)
    child.pop(PROJECT_VARIABLE, None)
    return {**child, PROJECT_VARIABLE: script.project_dir} if script.project_dir else child


class _ScriptFile:
    """An inline script as a file in a directory of its own, for the length of a `with` block.

    A directory of its own, because interpreters look for modules beside the script.
    """

    def __init__(self, text: str, environ: Mapping[str, str]) -> None:
        parent = environ.get("TMPDIR") or environ.get("TEMP") or "/tmp"  # noqa: S108
        self._directory = os.path.join(parent, f"rulez-{os.urandom(12).hex()}")
        self._path = os.path.join(self._directory, "script.cmd" if os.name == "nt" else "script")
        self._text = text

    def __enter__(self) -> str:
        os.mkdir(self._directory, 0o700)
        try:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o700)
            with open(descriptor, "wb") as file:
                file.write(self._text.encode("utf-8", "replace"))
        except BaseException:
            self.__exit__()
            raise
        return self._path

    def __exit__(self, *_error: object) -> None:
        try:
            os.unlink(self._path)
            os.rmdir(self._directory)
        except OSError:
            import shutil

            shutil.rmtree(self._directory, ignore_errors=True)
