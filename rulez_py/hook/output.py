"""Giving out an answer: whole, or so that the exit code alone says enough."""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulez_py.verdict import Answer


class Outlet:
    """Where the answer to one call goes: the output and the exit code of this process."""

    exit_code: int = 2
    """What the process ends with, where it has to end now."""

    def put(self, answer: Answer, alone: int) -> bool:
        """Give out the answer; False where nobody takes it, and the exit code `alone` has to say enough.

        INVARIANT: what an agent cannot read whole does not let a call pass.
        """
        self.exit_code = alone
        if write(1, printed(answer.stdout)):
            write(2, printed(answer.stderr))
            self.exit_code = answer.exit_code
            return True
        self.complain()
        return False

    def complain(self) -> None:
        """Say, where that takes no time, that the answer could not be given out."""
        try:
            os.set_blocking(2, False)
            os.write(2, b"Blocked: nobody read the answer of rulez in time. Instead: call it again.\n")
        except (OSError, AttributeError):
            return


def emit(answer: Answer) -> None:
    """Print an answer; a reader that has gone away changes nothing."""
    write(1, printed(answer.stdout))
    write(2, printed(answer.stderr))


def printed(text: str) -> str:
    """The text as it is printed: whole lines, or nothing."""
    return text if not text or text.endswith("\n") else text + "\n"


def write(descriptor: int, text: str) -> bool:
    """Write a text to a file descriptor, whole; False where nobody reads it."""
    data = text.encode("utf-8", "replace")
    while data:
        try:
            data = data[os.write(descriptor, data) :]
        except BlockingIOError:
            time.sleep(0.001)
        except OSError:
            return False
    return True
