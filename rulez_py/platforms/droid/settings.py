"""The files that decide about the hooks of Factory Droid; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import COMMAS, MARK, HookPlace, Protects, ServerFiles, SettingsFile, Starts

_AGENT = "Factory Droid"
_HOME = "FACTORY_HOME_OVERRIDE"
_HOOKS = ("hooks.json", "hooks/hooks.json")
"""Files that it reads before `hooks` of the settings.json in the same directory."""
_OFF = "hooksDisabled"

SETTINGS: tuple[SettingsFile, ...] = (
    SettingsFile(agent=_AGENT, name=".factory/settings.json", off=((f"hooks.{_OFF}", True),)),
    *(SettingsFile(agent=_AGENT, name=f".factory/{name}", off=((_OFF, True),)) for name in _HOOKS),
)
VARIABLES: tuple[str, ...] = (_HOME,)
"""The variable that moves its directory."""

PROVED = "0.225.2"
"""The last version of the agent with which all was tried."""
PACKAGE = ""
"""Its program lies in a folder of its own below the package: its own `--version` counts."""

HOOKS = HookPlace(
    snippet="settings.json",
    home=".factory",
    moved_by=_HOME,
    moved_below=".factory",
    user="settings.json",
    project=".factory/settings.json",
    managed=(
        ("linux", "/etc/factory/settings.json"),
        ("darwin", "/Library/Application Support/Factory/settings.json"),
    ),
    keeps_on=(("", f"hooks.{_OFF}", False),),
    only_managed=(("", "allowManagedHooksOnly"),),
    none_at_all=(("", f"hooks.{_OFF}", True),),
    overruled_by=_HOOKS,
    loses=(COMMAS, MARK),
)

SERVERS = ServerFiles(user=("mcp.json",), project=(".factory/mcp.json",))

PROTECTS = Protects(
    files=(
        "/**/.factory/settings*.json",
        *(f"/**/.factory/{name}" for name in _HOOKS),
        "/**/.factory/cache/org-managed-settings*.json",
    ),
    directories=("/etc/factory", "/Library/Application Support/Factory"),
    homes=("/**/.factory",),
    names=("settings", "hooks"),
    extensions=("/**/.factory/plugins",),
    credentials=tuple(f"~/.factory/auth.{name}" for name in ("v2.file", "v2.key", "encrypted")),
)

STARTS = Starts(
    variables=(
        *VARIABLES,
        "FACTORY_RUNTIME_SETTINGS_PATH",
        *("FACTORY_ORG_MANAGED_SETTINGS_LOCAL_PATH", "FACTORY_ORG_MANAGED_SETTINGS_URL"),
    ),
    options=("--settings",),
    switches=(("plugin", "{uninstall,remove}"),),
    extends=(("plugin", "{install,i,update}"), ("plugin", "marketplace", "{add,update}"), ("mcp", "add")),
)
