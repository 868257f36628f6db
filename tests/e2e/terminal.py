"""A terminal around a program: `python terminal.py PROGRAM ...`, with stdin as the keyboard and stdout as the screen.

Agents show their dialogs only on a terminal. Run as a program, by the module of such an agent.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios

ROWS, COLUMNS = 50, 200


def main(command: list[str]) -> int:
    """The program's exit code."""
    process, terminal = pty.fork()
    if process == 0:
        os.execvp(command[0], command)

    def end(*_: object) -> None:
        # A program on a terminal has a session of its own, which would outlive this one.
        os.killpg(process, signal.SIGKILL)
        sys.exit(1)

    signal.signal(signal.SIGTERM, end)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    watched = [terminal, 0]
    while True:
        ready = select.select(watched, [], [])[0]
        try:
            if 0 in ready:
                typed = os.read(0, 4096)
                if typed:
                    os.write(terminal, typed)
                else:
                    watched.remove(0)
            if terminal in ready:
                shown = os.read(terminal, 65536)
                if not shown:
                    break
                os.write(1, shown)
        except OSError:  # what a terminal says when its program has ended
            break
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
