"""Choose the rulez that an agent calls: this one, by its full path, in the fastest form that is safe.

What each form costs and withstands: hooks/README.md.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile

from rulez_py.install.entries import IN_PROJECT, ON_PATH, Program, program
from rulez_py.install.owners import why_changeable
from rulez_py.install.places import PROJECT
from rulez_py.system import onefile

_CODE = "from rulez_py.__main__ import main; main()"
_WHERE = "import rulez_py; print(rulez_py.__file__)"
_PASSING = (os.path.join("uv", "archive-v"), os.path.join("uv", "builds-v"), os.path.join("pipx", ".cache"), "_npx")


class CannotName(Exception):
    """There is no way to call this rulez from anywhere; the message says what would be."""


def this_program() -> Program:
    """This rulez by its full path. Raises CannotName."""
    if getattr(sys, "frozen", False):
        path = os.path.realpath(sys.executable)
        if not onefile.is_place(os.path.dirname(path)):
            return program((path,))
        if not (started := onefile.started()):
            raise CannotName(f"{path} is where one file has unpacked itself; run that file, or {_GIVE}")
        return program((started,))
    words = (os.path.abspath(sys.executable), "-I", "-c", _CODE)
    try:
        # From another directory, as an agent would: what runs here may be a source tree that is not installed.
        told = subprocess.run(
            [*words[:3], _WHERE], cwd=os.sep, capture_output=True, text=True, timeout=60, check=False
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError) as error:
        raise CannotName(f"{words[0]} cannot be started ({error}); {_GIVE}") from None
    here = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "__init__.py")
    if not told or os.path.realpath(told) != os.path.realpath(here):
        raise CannotName(
            f"{words[0]} runs a rulez that is not installed in it; install it (`pipx install .`), or {_GIVE}"
        )
    return program(words)


_GIVE = "say with --command how it is called"


def chosen(scope: str, command: str | None) -> Program:
    """Return what hooks of this scope call; a project's are for every machine, so they name no path.

    Raises CannotName.
    """
    if command is None:
        return IN_PROJECT if scope == PROJECT else this_program()
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise CannotName(f"--command {command!r}: {str(error).lower()}") from None
    if not words or "\n" in command:
        raise CannotName("--command needs the command by which rulez is called, on one line")
    return Program(command.strip(), words)


def doubts(scope: str, called: Program) -> list[str]:
    """Return what a person should know before relying on this program."""
    path = called.words[0]
    found: list[str] = []
    if scope == PROJECT and called.words == ON_PATH.words:
        found.append("everybody who works on the project needs a `rulez` on the PATH that their agent sees")
    if any(part in path for part in _PASSING) or path.startswith(os.path.join(tempfile.gettempdir(), "")):
        found.append(
            f"{path} is in a place that is cleared from time to time: install rulez (`pipx install`), do it again"
        )
    return found


def why_not_for_all(called: Program) -> str:
    """Return why the machine's hooks must not call this program, "" where they may."""
    why = why_changeable(f"{called.text} hook --platform claude")
    return f"{why}: who can change what the machine's hooks call can switch them off. {_FOR_ALL}" if why else ""


_FOR_ALL = (
    "Install rulez where only root can write, the folder of `make binary` or an environment of Python below /opt, then "
    "`sudo rulez install --scope managed` with the rulez there, or say it with --command"
)
