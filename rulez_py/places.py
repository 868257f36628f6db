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
    )
