"""The files that decide about the hooks of Copilot; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import (
    ALL_OFF,
    COMMAS,
    COMMENTS,
    MARK,
    FolderTrust,
    HookPlace,
    Protects,
    SettingsFile,
    Starts,
)

_AGENT = "Copilot CLI"
_HOME = "COPILOT_HOME"

# It reads Claude Code's as well.
SETTINGS: tuple[SettingsFile, ...] = (
    SettingsFile(agent=_AGENT, name=".claude/settings.json", off=ALL_OFF),
    SettingsFile(agent=_AGENT, name=".claude/settings.local.json", off=ALL_OFF),
    SettingsFile(agent=_AGENT, name=".github/copilot/settings.json", off=ALL_OFF),
    SettingsFile(agent=_AGENT, name=".github/copilot/settings.local.json", off=ALL_OFF),
)
VARIABLES: tuple[str, ...] = (_HOME,)
"""The variable that moves its directory."""

PROVED = "1.0.102"
"""The last version of the agent with which all was tried."""
PACKAGE = ""
"""What package.json beside its program says is not its version: it brings itself up to date elsewhere."""

HOOKS = HookPlace(
    snippet="rulez.json",
    home=".copilot",
    moved_by=_HOME,
    user="hooks/rulez.json",
    project=".github/hooks/rulez.json",
    managed=(("linux", "/etc/github-copilot/policy.d/rulez.json"),),
    skipped_by=("disableAllHooks",),
    trusts=FolderTrust(variable="COPILOT_ALLOW_ALL"),
    ours_alone=True,
    also_user=("hooks/*.json", "settings.json"),
    also_project=(
        ".github/hooks/*.json",
        ".github/copilot/settings.json",
        ".github/copilot/settings.local.json",
        ".claude/settings.json",
        ".claude/settings.local.json",
    ),
    loses=(COMMENTS, COMMAS, MARK),
)

PROTECTS = Protects(
    files=("/**/.github/copilot/settings*.json", "/**/.copilot/settings.json", "~/.copilot/config.json"),
    directories=("/**/.github/hooks", "/**/.copilot/hooks", "/etc/github-copilot"),
    homes=("/**/.copilot",),
    moved_by=_HOME,
    names=("settings",),
    extensions=("/**/.copilot/{mcp-config.json,installed-plugins}",),
    credentials=("~/.copilot/auth.json",),
)

STARTS = Starts(
    variables=(_HOME,),
    options=("--config-dir",),
    switches=(("config", "*ooks*"), ("plugin", "{disable,uninstall}")),
    extends=(("plugin", "install"), ("plugin", "marketplace", "add"), ("skill", "add")),
)
