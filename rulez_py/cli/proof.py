"""Ask for a password, by the system's own programs, where the machine's policy wants more than a terminal."""

from __future__ import annotations

import os
import stat
import subprocess

SUDO, POLKIT = "sudo", "polkit"
PLACES = {
    SUDO: ("/usr/bin/sudo", "/bin/sudo", "/usr/local/bin/sudo"),
    POLKIT: ("/usr/bin/pkexec", "/bin/pkexec"),
}
"""The path of each. INVARIANT: never searched for on PATH, which an agent's files may change."""
_NOTHING = "/usr/bin/true"


def why_unproven(how: str) -> str:
    """Return why it is not proven that a person sits here, "" where they have given their password to sudo or polkit
    now.
    """
    program = next((path for path in PLACES[how] if is_the_systems(path)), None)
    if program is None:
        return f"this machine's policy wants a password by {how}, and there is no {PLACES[how][0]} of root's"
    if how == SUDO:
        if _passes(program, "-k", "-n", "--", _NOTHING):
            return "this machine's policy wants a password by sudo, and sudo asks you for none, which proves nothing"
        passed = _passes(program, "-k", "--", _NOTHING)
    else:
        passed = _passes(program, _NOTHING)
    return "" if passed else f"{how} did not let you through, and this machine's policy wants that"


def is_the_systems(path: str) -> bool:
    """Tell whether a program is root's alone to change, and runs as root."""
    try:
        found = os.stat(path)
    except OSError:
        return False
    return (
        stat.S_ISREG(found.st_mode)
        and found.st_uid == 0
        and bool(found.st_mode & stat.S_ISUID)
        and not found.st_mode & 0o022
    )


def _passes(*command: str) -> bool:
    try:
        quiet = subprocess.DEVNULL if "-n" in command else None
        return subprocess.run(command, check=False, stderr=quiet).returncode == 0
    except OSError:
        return False
