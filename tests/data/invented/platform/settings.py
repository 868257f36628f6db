"""The files that decide about the hooks of Invented CLI; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import HookPlace, Protects, SettingsFile, Starts

_HOME = "INVENTED_HOME"

SETTINGS: tuple[SettingsFile, ...] = (
    SettingsFile(agent="Invented CLI", name=".invented/switches.json", off=(("hooks.on", False),), env="env"),
)
VARIABLES: tuple[str, ...] = (_HOME,)
"""What moves the place where it reads them."""

PROVED = "1.0"
"""The last version of the agent with which all was tried."""

HOOKS = HookPlace(
    snippet="switches.json",
    home=".invented",
    moved_by=_HOME,
    user="switches.json",
    project=".invented/switches.json",
)

STARTS = Starts(variables=(_HOME,), options=("--no-hooks",), extends=(("plugin", "add"),))

PROTECTS = Protects(
    files=("/**/.invented/switches*.json", "~/.invented/approved.json"),
    directories=("/**/.invented/hooks", "/etc/invented"),
    homes=("/**/.invented",),
    moved_by=_HOME,
    names=("switches",),
    credentials=("~/.invented/token.json",),
)
