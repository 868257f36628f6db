"""Where rulez keeps its files on this machine (policy layers, trust, log)."""

from __future__ import annotations

import os
import sys

from rulez_py.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Places(Value):
    """Directories and files, all absolute. None of them needs to exist."""

    home: str
    managed_policy: str
    user_policy: str
    user_fallback: str
    """RuleZ's own user file, read where `user_policy` is absent."""
    state: str
    cache: str
    owners: tuple[int, ...] = ()
    """The user ids whose files are the person's or the machine's own; none where the system has no such ids."""


def places(environ: Mapping[str, str], platform: str = sys.platform) -> Places:
    """This user's places, from an environment and a `sys.platform`; relative XDG directories are ignored."""
    home = os.path.abspath(environ.get("HOME") or environ.get("USERPROFILE") or os.path.expanduser("~"))

    def directory(variable: str, *default: str) -> str:
        value = environ.get(variable, "")
        return value if os.path.isabs(value) else os.path.join(home, *default)

    if platform == "win32":
        managed = os.path.join(environ.get("PROGRAMDATA") or r"C:\ProgramData", "rulez", "rules.yaml")
        config = environ.get("APPDATA") or os.path.join(home, "AppData", "Roaming")
        state = cache = environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    else:
        managed = "/Library/Application Support/rulez/rules.yaml" if platform == "darwin" else "/etc/rulez/rules.yaml"
        config = directory("XDG_CONFIG_HOME", ".config")
        state = directory("XDG_STATE_HOME", ".local", "state")
        cache = directory("XDG_CACHE_HOME", ".cache")
    return Places(
        home=home,
        managed_policy=managed,
        user_policy=os.path.join(config, "rulez", "rules.yaml"),
        user_fallback=os.path.join(home, ".claude", "hooks.yaml"),
        state=os.path.join(state, "rulez"),
        cache=os.path.join(cache, "rulez"),
        owners=_owners(environ),
    )


def _owners(environ: Mapping[str, str]) -> tuple[int, ...]:
    """The process' user and root; where it is root by `sudo`, also whom that has made root."""
    if sys.platform == "win32":
        return ()
    user, called_by = os.geteuid(), environ.get("SUDO_UID", "")
    return (user, 0, int(called_by)) if user == 0 and called_by.isdecimal() else (user, 0)


def somebody_else(owner: int, owners: tuple[int, ...]) -> bool:
    """Whether a file with this owner is neither the person's nor the machine's own."""
    return bool(owners) and owner not in owners and not _stands_for_root(owner)


def _stands_for_root(owner: int) -> bool:
    """Whether root's files show this owner: in a user namespace without root they are the overflow user's."""
    try:
        with open("/proc/sys/kernel/overflowuid", encoding="ascii") as overflow:
            if int(overflow.read()) != owner:
                return False
        with open("/proc/self/uid_map", encoding="ascii") as mapped:
            return all(int(line.split()[0]) > 0 for line in mapped)
    except (OSError, ValueError, IndexError):
        return False
