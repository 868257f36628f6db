"""Read the running processes: the parent of each, and the process at the other end of a terminal.

From /proc on Linux; elsewhere from what `ps` prints, which tells nothing of terminals and of variables.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from rulez_py.platforms import PLATFORMS, adapter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MOST = 200


class Process(NamedTuple):
    """A running process: `words` are its command line, `name` what the system calls it.

    `marks` are the variables by which agents tell what they have started, as far as they are set in it.
    """

    pid: int
    parent: int
    name: str
    words: tuple[str, ...]
    marks: tuple[str, ...] = ()


def agent_marks() -> tuple[str, ...]:
    """Return the variables that coding agents set in the processes that they start."""
    return tuple(mark for platform in PLATFORMS for mark in adapter(platform).SHELL_MARKS)


def ancestors(pid: int) -> list[Process] | None:
    """This process and those above it, nearest first, as far as they can be seen; None where nothing can."""
    find = _from_proc if os.path.isdir("/proc/self") else _from_ps()
    found: list[Process] = []
    while find is not None and pid > 0 and len(found) < _MOST:
        process = find(pid)
        if process is None or process in found:
            break
        found.append(process)
        pid = process.parent
    return found or None


def _from_proc(pid: int) -> Process | None:
    try:
        stat = _read(f"/proc/{pid}/stat")
        words = tuple(word for word in _read(f"/proc/{pid}/cmdline").split("\0") if word)
    except OSError:
        return None
    name, _, rest = stat.partition("(")[2].rpartition(")")
    return Process(pid, int(rest.split()[1]), name, words, tuple(_marks_of(pid)))


def _marks_of(pid: int) -> Iterator[str]:
    try:
        environ = _read(f"/proc/{pid}/environ")
    except OSError:
        return  # another user's
    for entry in environ.split("\0"):
        name, _, value = entry.partition("=")
        if value and name in agent_marks():
            yield name


def _read(path: str) -> str:
    with open(path, "rb") as file:
        return file.read().decode("utf-8", "replace")


def _from_ps() -> Callable[[int], Process | None] | None:
    """Return the same from the list that `ps` prints, where there is no /proc; None where there is no `ps` either."""
    import subprocess

    program = next((path for path in ("/bin/ps", "/usr/bin/ps") if os.access(path, os.X_OK)), None)
    if program is None:
        return None
    command = [program, "-A", "-o", "pid=", "-o", "ppid=", "-o", "args="]
    try:
        listed = subprocess.run(command, capture_output=True, check=True, timeout=20).stdout.decode("utf-8", "replace")
    except (OSError, subprocess.SubprocessError):
        return None
    return read_ps(listed).get


def read_ps(listed: str) -> dict[int, Process]:
    """Return the processes that `ps -A -o pid= -o ppid= -o args=` lists."""
    found: dict[int, Process] = {}
    for line in listed.splitlines():
        pid, parent, *words = line.split()
        found[int(pid)] = Process(int(pid), int(parent), words[0] if words else "", tuple(words))
    return found


# Who holds a terminal. A terminal of a window, of tmux or of `script` has two ends; what writes to the other end types.


def holders(terminal: str) -> tuple[Process, ...]:
    """Return the processes that hold the other end of a pseudo-terminal (`/dev/pts/3`), as far as they can be seen.

    None can be on a console, outside of Linux, and where they are another user's (a login by ssh) or another machine's.
    Each open end names its number in `tty-index` of its fdinfo (proc(5)).
    """
    match = re.fullmatch(r"/dev/pts/(\d+)", terminal)
    if match is None or not os.path.isdir("/proc/self/fdinfo"):
        return ()
    own = _terminals_of("self")
    found = []
    for pid in running():
        if _holds(pid, match[1]) and _terminals_of(str(pid)) in (own, None):
            process = _from_proc(pid)
            if process is not None:
                found.append(process)
    return tuple(found)


def running() -> Iterator[int]:
    """Yield the numbers of all processes that can be seen in /proc."""
    try:
        names = os.listdir("/proc")
    except OSError:
        return
    yield from (int(name) for name in names if name.isdigit())


def named(name: str) -> Iterator[Process]:
    """Yield the processes that the system calls so."""
    for pid in running():
        process = _from_proc(pid)
        if process is not None and process.name.partition(":")[0].lower() == name:
            yield process


def terminal_of(pid: int) -> str:
    """Return the terminal that a process reads from (`/dev/pts/3`), "" where that is no terminal or unknown."""
    read = _link(pid, "fd/0")
    return read if read.startswith("/dev/") and read != "/dev/null" else ""


def program_file(pid: int) -> str:
    """Return the file that a process runs, "" where that cannot be seen."""
    return _link(pid, "exe")


def directory_of(pid: int) -> str:
    """Return the directory that a process works in, "" where that cannot be seen."""
    return _link(pid, "cwd")


def _link(pid: int, name: str) -> str:
    try:
        return os.readlink(f"/proc/{pid}/{name}")
    except OSError:
        return ""


def _holds(pid: int, number: str) -> bool:
    try:
        opened = os.listdir(f"/proc/{pid}/fd")
    except OSError:
        return False  # another user's, or just ended
    for descriptor in opened:
        try:
            if os.readlink(f"/proc/{pid}/fd/{descriptor}") not in ("/dev/ptmx", "/dev/pts/ptmx"):
                continue
            if f"tty-index:\t{number}\n" in _read(f"/proc/{pid}/fdinfo/{descriptor}"):
                return True
        except OSError:
            continue
    return False


def _terminals_of(pid: str) -> int | None:
    """The file system in which a process finds its terminals, by number: a container has its own, with equal names."""
    try:
        return os.stat(f"/proc/{pid}/root/dev/pts").st_dev
    except OSError:
        return None
