"""A person at a terminal of their own: `rulez` given there, with what it shows and what they answer."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

PLAIN = "from rulez_py.cli import cli; cli(prog_name='rulez')"
"""Runs `rulez` with what is known of this machine: whoever runs the tests may be an agent."""
SITTING = f"""
import os
from rulez_py.cli import person
chain = ((4, 'rulez'), (os.getsid(0), 'bash'), (3, 'gnome-terminal-server'), (1, 'systemd'))
parents = (*(pid for pid, _ in chain[1:]), 0)
above = [person.Process(pid, up, name, (name,)) for (pid, name), up in zip(chain, parents)]
person.ancestors = lambda _: above
person.processes.holders = lambda _: ()
{PLAIN}
"""
"""Runs it as if the terminal were one that a person sits at."""


def _own() -> None:
    """Make standard input the controlling terminal of the session that has just begun."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def says_at_a_terminal(
    answer: str, *words: str, below: tuple[str, ...] = (), prompt: str = "[y/N]: "
) -> tuple[int, str]:
    """Exit code of `rulez WORDS`, and everything the terminal shows, its line ends as `\\n`.

    The answer is given at the first `prompt`. `below` is a command that runs the rest of its words; without it
    the terminal is one that people sit at.
    """
    ours, theirs = os.openpty()
    command = [*below, sys.executable, "-c", PLAIN if below else SITTING, *words]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environ, start_new_session=True, preexec_fn=_own
    )
    os.close(theirs)
    shown = b""
    answered = False
    while select.select([ours], [], [], 60)[0]:
        try:
            shown += os.read(ours, 4096)
        except OSError:
            break
        if not answered and shown.endswith(prompt.encode()):
            os.write(ours, answer.encode())
            answered = True
    os.close(ours)
    return process.wait(), shown.decode().replace("\r\n", "\n")
