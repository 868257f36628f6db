"""Whether a person sits at the terminal: what an agent must not say in their place is asked here.

By what cannot be chosen on a command line: the terminal itself, and who started this process. What the program is
called, and by which file it was reached, counts for nothing.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NamedTuple

from rulez_py.platforms import PLATFORMS, adapter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MOST = 200
_ENDINGS = (".exe", ".js", ".mjs", ".cjs", ".cmd", ".ps1")
_SHELLS = ("sh", "bash", "dash", "zsh", "ksh", "busybox", "env")
_LANGUAGES = ("node", "nodejs", "bun", "deno", "python", "pypy", "perl", "ruby", "tclsh")
_CODE = ("-c", "-e", "-E", "--eval", "-pe", "-")
_TERMINAL_MAKERS = (
    "script",
    "expect",
    "unbuffer",
    "autoexpect",
    "socat",
    "empty",
    "dtach",
    "abduco",
    "reptyr",
    "pilotty",
)
"""Programs that make a terminal which nobody need sit at."""


class Process(NamedTuple):
    """A running process: `words` are its command line, `name` what the system calls it.

    `marks` are the variables by which agents tell what they have started, as far as they are set in it.
    """

    pid: int
    parent: int
    name: str
    words: tuple[str, ...]
    marks: tuple[str, ...] = ()


def why_nobody() -> str:
    """Why there is no person to answer, "" where there is one."""
    marked = _why_marked()
    if marked:
        return marked
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return "this needs a person at a terminal: its input and output have to be one"
    if sys.platform == "win32":
        return ""
    if not _is_ours():
        return "this needs a person at a terminal: this one is not the terminal of this session"
    above = ancestors(os.getpid())
    if above is None:
        return "it cannot be told who started this: neither /proc nor ps can be read"
    started = _why_started(above)
    if started:
        return started
    maker = terminal_maker(above, os.getsid(0))
    if maker:
        return f"`{maker}` made this terminal, and nobody need sit at it; a person can do this in one of their own"
    return ""


def why_agent() -> str:
    """Why a coding agent seems to do this, "" where none does: it may be a person, or a script of theirs."""
    return _why_marked() or ("" if sys.platform == "win32" else _why_started(ancestors(os.getpid()) or []))


def _why_marked() -> str:
    mark = next((name for name in agent_marks() if os.environ.get(name)), None)
    return f"a coding agent cannot do this ({mark} is set); a person can, in a terminal of their own" if mark else ""


def _why_started(above: list[Process]) -> str:
    agent = next((found for process in above if (found := agent_of(process))), "")
    if not agent:
        return ""
    return f"a coding agent cannot do this (it was started by {agent}); a person can, in a terminal of their own"


def agent_marks() -> tuple[str, ...]:
    """The variables by which a process knows that some coding agent started it."""
    return tuple(mark for platform in PLATFORMS for mark in adapter(platform).SHELL_MARKS)


def _is_ours() -> bool:
    """Whether input and output are the controlling terminal of this session, and this is in its foreground."""
    try:
        return os.tcgetpgrp(0) == os.tcgetpgrp(1) == os.getpgrp()
    except OSError:
        return False


def agent_of(process: Process) -> str:
    """The coding agent that a process is, or that has started it, as people call it; "" where it is none."""
    names = {_plain(process.name), *(_plain(word) for word in process.words[:1])}
    files = process.words[:1]
    if _kind(process.words) in (*_SHELLS, *_LANGUAGES):
        file = next((word for word in process.words[1:] if not word.startswith("-") and "=" not in word), "")
        names.add(_plain(file))
        files = (file,)
    for platform in PLATFORMS:
        agent = adapter(platform)
        parts = [f"/{program}/" for program in agent.PROGRAMS]
        inside = any(part in f"/{file}/".replace("\\", "/") for file in files for part in parts if "@" in part)
        if inside or names & set(agent.PROGRAMS) or set(process.marks) & set(agent.SHELL_MARKS):
            return agent.AGENT
    return ""


def terminal_maker(above: list[Process], session: int) -> str:
    """The program that made the terminal of a session for no person, "" where none is known."""
    leader = next((process for process in above if process.pid == session), None)
    maker = next((process for process in above if leader is not None and process.pid == leader.parent), None)
    if maker is None:
        return ""
    name = _plain(maker.words[0] if maker.words else maker.name)
    runs_code = _kind(maker.words) in _LANGUAGES and any(word in _CODE for word in maker.words[1:2])
    return name if runs_code or {name, _plain(maker.name)} & set(_TERMINAL_MAKERS) else ""


def _kind(words: tuple[str, ...]) -> str:
    """The name of an interpreter without its version."""
    return _plain(words[0]).rstrip("0123456789.") if words else ""


def _plain(word: str) -> str:
    """A program's name without directory, ending and the dash of a login shell."""
    name = word.replace("\\", "/").rsplit("/", 1)[-1].lower().removeprefix("-")
    return next((name.removesuffix(ending) for ending in _ENDINGS if name.endswith(ending)), name)


# Who started whom.


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
    """The same from the list that `ps` prints, where there is no /proc; None where there is no `ps` either."""
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
    """The processes that `ps -A -o pid= -o ppid= -o args=` lists."""
    found: dict[int, Process] = {}
    for line in listed.splitlines():
        pid, parent, *words = line.split()
        found[int(pid)] = Process(int(pid), int(parent), words[0] if words else "", tuple(words))
    return found
