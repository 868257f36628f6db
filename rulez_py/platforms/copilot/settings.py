"""The files that decide about the hooks of Copilot; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import (
    ALL_OFF,
    CLAUDE_HOOKS,
    COMMAS,
    COMMENTS,
    MARK,
    FolderTrust,
    HookPlace,
    Protects,
    ServerFiles,
    SettingsFile,
    Starts,
)

_AGENT = "Copilot CLI"
_EDITOR = "VS Code"
_HOME = "COPILOT_HOME"

# Its own (contract.md, section 6), the project's last: the person's on Linux and macOS, and where it runs as a server.
_OF_THE_EDITOR = (
    ".config/Code/User/settings.json",
    "Library/Application Support/Code/User/settings.json",
    ".vscode-server/data/Machine/settings.json",
    ".vscode/settings.json",
)
_OFF_IN_THE_EDITOR = (
    ("chat.useHooks", False),
    ("chat.hookFilesLocations..github/hooks", False),
    ("chat.hookFilesLocations.~/.copilot/hooks", False),
)

# The CLI reads Claude Code's as well.
SETTINGS: tuple[SettingsFile, ...] = (
    SettingsFile(agent=_AGENT, name=".claude/settings.json", off=ALL_OFF),
    SettingsFile(agent=_AGENT, name=".claude/settings.local.json", off=ALL_OFF),
    SettingsFile(agent=_AGENT, name=".github/copilot/settings.json", off=ALL_OFF),
    SettingsFile(agent=_AGENT, name=".github/copilot/settings.local.json", off=ALL_OFF),
    *(SettingsFile(agent=_EDITOR, name=name, off=_OFF_IN_THE_EDITOR, withstood=False) for name in _OF_THE_EDITOR),
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
    also_calls=CLAUDE_HOOKS.replace(files=(".claude/settings.json", ".claude/settings.local.json")),
    loses=(COMMENTS, COMMAS, MARK),
)

SERVERS = ServerFiles(user=("mcp-config.json",))

PROTECTS = Protects(
    files=("/**/.github/copilot/settings*.json", "/**/.copilot/settings.json", "~/.copilot/config.json"),
    directories=("/**/.github/hooks", "/**/.copilot/hooks", "/etc/github-copilot"),
    homes=("/**/.copilot",),
    moved_by=_HOME,
    names=("settings",),
    among=(
        "/**/.vscode/settings.json",
        "/**/*.code-workspace",
        "/**/Code{, - Insiders}/User/**/settings.json",
        "/**/.vscode-server{,-insiders}/data/Machine/settings.json",
    ),
    extensions=("/**/.copilot/{mcp-config.json,installed-plugins}",),
    credentials=("~/.copilot/auth.json",),
)

STARTS = Starts(
    variables=(_HOME,),
    options=("--config-dir",),
    switches=(("config", "*ooks*"), ("plugin", "{disable,uninstall}")),
    extends=(("plugin", "install"), ("plugin", "marketplace", "add"), ("skill", "add")),
)
