"""Ends or stops every hook for a minute, as something that an agent leaves running can. Run by the agents.

usage: disturber.py end|stop [all]
It goes for rulez itself; with `all` also for the shell that runs the hook's command and for all else that names rulez.
Sessions run beside each other: only what works in the project that this was started in is meant, or in the home beside
it, where Cursor runs a person's hooks.
"""

import os
import signal
import sys
import time

MINUTE = 60


def words(process: str) -> list[str]:
    """The command line of a process; nothing of one that has gone."""
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            return file.read().decode(errors="replace").split("\0")
    except OSError:
        return []


def place(process: str) -> str:
    """The directory a process works in."""
    try:
        return os.readlink(f"/proc/{process}/cwd")
    except OSError:
        return ""


def is_rulez(line: list[str], everything: bool) -> bool:
    if everything:
        return "rulez hook" in " ".join(line)  # not the agent, in whose own words both may stand
    return os.path.basename(line[0]) != "timeout" and any(os.path.basename(word) == "rulez" for word in line)


def main(number: int, everything: bool) -> None:
    session = os.path.dirname(os.getcwd())
    done: set[str] = set()
    end = time.monotonic() + MINUTE
    while time.monotonic() < end:
        for process in os.listdir("/proc"):
            if process.isdigit() and process not in done and int(process) != os.getpid():
                line = words(process)
                if line and is_rulez(line, everything) and place(process).startswith(session):
                    done.add(process)
                    try:
                        os.kill(int(process), number)
                    except ProcessLookupError:
                        continue  # it was quicker
        time.sleep(0.001)


if __name__ == "__main__":
    # Apart from the shell, which waits for nobody then.
    if os.fork():
        sys.exit()
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    main(signal.SIGKILL if sys.argv[1] == "end" else signal.SIGSTOP, "all" in sys.argv[2:])
