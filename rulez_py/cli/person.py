"""Find out if a person is at the terminal, for commands that an agent must not give in their place.

By what cannot be chosen on a command line: the terminal itself, who made it, and who started this process. What the
program is called, and by which file it was reached, counts for nothing. What that proves and what not: docs/person.md.
"""

from __future__ import annotations

import os
import sys
import tempfile

from rulez_py.cli import processes
from rulez_py.cli.processes import Process, agent_marks, ancestors
from rulez_py.platforms import PLATFORMS, adapter

_ENDINGS = (".exe", ".js", ".mjs", ".cjs", ".cmd", ".ps1")
_SHELLS = ("sh", "bash", "dash", "zsh", "ksh", "fish", "busybox", "env")
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
"""Programs that make a terminal without a person at it."""
_MULTIPLEXERS = ("tmux", "screen", "zellij")
"""Programs whose terminals run on in the background; a person uses them through another process of that name."""
_PASSING_ON = (
    *("sudo", "doas", "su", "env", "nice", "ionice", "nohup", "setsid", "timeout", "time", "stdbuf", "xargs"),
    *("uv", "uvx", "pipx", "npx", "rulez", "rulez-onefile", "systemd-run", "flatpak-spawn", "script"),
)
"""Programs that start the command of their arguments, and read no line from the terminal."""
_INSTALLED = ("/usr/", "/opt/", "/nix/", "/gnu/", "/snap/", "/Applications/", "/System/", "/home/linuxbrew/", "/app/")
_EDITORS = (".vscode-server", ".vscode-server-insiders", ".vscodium-server", ".cursor-server", ".windsurf-server")
_NOTEBOOKS = ("jupyter", "code-server", "terminator", "guake", "xonsh", "ipython")
_TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 - nothing is written there
_MOST_TERMINALS = 8


def why_no_person() -> str:
    """Return why there is no person to answer, "" where there is one."""
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
    return _why_made_without_person(above, os.getsid(0)) or why_not_typed(above, os.getsid(0))


def _why_made_without_person(above: list[Process], session: int) -> str:
    try:
        terminal = os.ttyname(0)
    except OSError:
        terminal = ""  # In a container it may have no name.
    maker = terminal_maker(above, session) or maker_of(terminal)
    if not maker:
        return ""
    return f"`{maker}` made this terminal, so there may be no person at it; a person can do this in one of their own"


def why_agent() -> str:
    """Return why a coding agent seems to do this, "" where none does: it may be a person, or a person's script."""
    return _why_marked() or ("" if sys.platform == "win32" else _why_started(ancestors(os.getpid()) or []))


def _why_marked() -> str:
    mark = next((name for name in agent_marks() if os.environ.get(name)), None)
    return f"a coding agent cannot do this ({mark} is set); a person can, in a terminal of their own" if mark else ""


def _why_started(above: list[Process]) -> str:
    agent = _agent_among(above)
    if not agent:
        return ""
    return f"a coding agent cannot do this (it was started by {agent}); a person can, in a terminal of their own"


def _is_ours() -> bool:
    """Tell whether input and output are the controlling terminal of this session, and this is in its foreground."""
    try:
        return os.tcgetpgrp(0) == os.tcgetpgrp(1) == os.getpgrp()
    except OSError:
        return False


def _agent_among(above: list[Process]) -> str:
    """Return the first coding agent among some processes, "" without one."""
    return next((found for process in above if (found := agent_of(process))), "")


def agent_of(process: Process) -> str:
    """Return the coding agent that a process is, or that has started it, by its name for people; "" for another."""
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


def why_not_typed(above: list[Process], session: int) -> str:
    """Return why no person has typed this: nothing between the beginning of this terminal's session and here reads a
    line.

    So it is where a terminal is made for one command (`xterm -e`, `tmux new-window`, `ssh -t HOST`). "" where a shell
    or another program that reads lines is between, and where the session began out of sight (0).
    """
    between = next((above[1 : at + 1] for at, process in enumerate(above) if process.pid == session), None)
    if session == 0 or (between is not None and any(_reads(process) for process in between)):
        return ""
    return "this terminal runs this command alone, so it may not be typed by a person; start a shell there and type it"


def _reads(process: Process) -> bool:
    """Tell if a process may read commands from its terminal: a shell that was given none, or a program not known."""
    name = _kind(process.words) or _plain(process.name)
    if name in _LANGUAGES:
        return is_installed(_script(process))
    return not _given(process.words) if name in _SHELLS else name not in _PASSING_ON


def _given(words: tuple[str, ...]) -> bool:
    """Tell if a shell was started with a text or a file to run."""
    value = False
    for word in words[1:]:
        if value:
            value = False
        elif word.startswith("--"):
            value = word in ("--rcfile", "--init-file", "--emulate", "--init-command")
        elif word.startswith(("-", "+")):
            if "c" in word[1:] and word[0] == "-":
                return True
            value = word[-1] in "oO"
        else:
            return True
    return False


def terminal_maker(above: list[Process], session: int) -> str:
    """Return the program that started a session for no person, "" where none is known."""
    leader = next((process for process in above if process.pid == session), None)
    maker = next((process for process in above if leader is not None and process.pid == leader.parent), None)
    return "" if maker is None else made_for_nobody(maker)


def maker_of(terminal: str) -> str:
    """Return the program that holds the other end of a terminal for no person, "" where none is seen.

    INVARIANT: everything that holds it is looked at, for each of them can type: a program that people use does not make
    up for another. From tmux and the like it goes on with the terminals of those who look; past eight it gives up.
    """
    waiting, seen = [terminal], {terminal}
    while waiting:
        for holder in processes.holders(waiting.pop()):
            name = _plain(holder.name.partition(":")[0])
            found = _agent_among(ancestors(holder.pid) or []) or made_for_nobody(holder)
            if found:
                return found
            looking = _looked_at_from(holder, name) if name in _MULTIPLEXERS else set()
            if name in _MULTIPLEXERS and (not looking or len(seen | looking) > _MOST_TERMINALS):
                return name
            waiting += looking - seen
            seen |= looking
    return ""


def _looked_at_from(server: Process, name: str) -> set[str]:
    """The terminals from which a multiplexer's sessions are looked at: those of the other processes of its name."""
    others = (one for one in processes.named(name) if one.pid != server.pid)
    return {terminal for one in others if (terminal := processes.terminal_of(one.pid))}


def made_for_nobody(process: Process) -> str:
    """Return the name of a program that makes terminals without a person, "" for others.

    Beside those known for it, a script that is not part of an installed program, and what was put into the project or
    a temporary directory: an agent can have written it.
    """
    name = _plain(process.words[0] if process.words else process.name)
    if {name, _plain(process.name)} & set(_TERMINAL_MAKERS):
        return name
    if _kind(process.words) in _LANGUAGES:
        return "" if is_installed(_script(process)) else name
    return name if _is_new_here(processes.program_file(process.pid)) else ""


def _is_new_here(file: str) -> bool:
    """Tell whether a program lies in a temporary directory or in the one this works in, where an agent could put it.

    A file system of its own in there, as AppImages mount one, is no such place.
    """
    places = {tempfile.gettempdir(), *_TEMPORARY, os.getcwd()} - {"/", os.path.expanduser("~")}
    return any(_lies_in(file, place) for place in places)


def _lies_in(file: str, directory: str) -> bool:
    try:
        on_one = os.stat(file).st_dev == os.stat(directory).st_dev
    except OSError:
        return False
    return on_one and os.path.realpath(file).startswith(os.path.join(os.path.realpath(directory), ""))


def _script(process: Process) -> str:
    """Return the file or module that an interpreter runs, absolute; "" where it runs a text, or reads one."""
    words = process.words[1:]
    for at, word in enumerate(words):
        if word in _CODE or (not word.startswith("--") and word.startswith("-") and word[-1:] in "ce"):
            return ""
        if word == "-m":
            return "".join(words[at + 1 : at + 2])
        if not word.startswith("-"):
            return os.path.join(processes.directory_of(process.pid), word)
    return ""


def is_installed(file: str) -> bool:
    """Tell if a script belongs to an installed program in which people have terminals: by its place, or its name."""
    parts = file.replace("\\", "/").split("/")
    return (
        file.startswith(_INSTALLED)
        or any(part in _EDITORS or part.startswith("code-server") for part in parts[:-1])
        or (parts[-1].startswith(_NOTEBOOKS) and parts[-2:-1] in ([], ["bin"]))
    )


def _kind(words: tuple[str, ...]) -> str:
    """Return the name of an interpreter without its version."""
    return _plain(words[0]).rstrip("0123456789.") if words else ""


def _plain(word: str) -> str:
    """Return a program's name without directory, ending and the dash of a login shell."""
    name = word.replace("\\", "/").rsplit("/", 1)[-1].lower().removeprefix("-")
    return next((name.removesuffix(ending) for ending in _ENDINGS if name.endswith(ending)), name)
