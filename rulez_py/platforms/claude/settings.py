"""The files that decide about the hooks of Claude Code; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import (
    ALL_OFF,
    COMMAS,
    COMMENTS,
    HookPlace,
    Protects,
    ServerFiles,
    SettingsFile,
    Starts,
)

_AGENT = "Claude Code"
_HOME = "CLAUDE_CONFIG_DIR"

SETTINGS: tuple[SettingsFile, ...] = (
    SettingsFile(agent=_AGENT, name=".claude/settings.json", off=ALL_OFF, env="env"),
    SettingsFile(agent=_AGENT, name=".claude/settings.local.json", off=ALL_OFF, env="env"),
)
VARIABLES: tuple[str, ...] = (_HOME,)
"""The variable that moves its directory."""

PROVED = "2.1.330"
"""The last version of the agent with which all was tried."""
PACKAGE = "@anthropic-ai/claude-code"
"""Its package: the file package.json beside its program says the version."""

HOOKS = HookPlace(
    snippet="settings.json",
    home=".claude",
    moved_by=_HOME,
    user="settings.json",
    project=".claude/settings.json",
    managed=(
        ("linux", "/etc/claude-code/managed-settings.json"),
        ("darwin", "/Library/Application Support/ClaudeCode/managed-settings.json"),
    ),
    # Its own words ("Policy disableAllHooks: skipping configured hooks"); not tried.
    only_managed=(("", "allowManagedHooksOnly"),),
    none_at_all=(("", "disableAllHooks", True),),
    also_project=(".claude/settings.local.json",),
    loses=(COMMENTS, COMMAS),
)

SERVERS = ServerFiles(user=(".claude.json",), in_home=True, project=(".mcp.json",), of_projects="projects")

PROTECTS = Protects(
    files=("/**/.claude/settings*.json", "~/.claude.json"),
    directories=("/etc/claude-code", "/Library/Application Support/ClaudeCode"),
    homes=("/**/.claude",),
    moved_by=_HOME,
    names=("settings",),
    extensions=("/**/.claude/plugins",),
    texts=("/**/.claude/{agents,commands,skills}/**",),
    credentials=("~/.claude/.credentials.json",),
)

STARTS = Starts(
    variables=(
        _HOME,
        # What --bare, --safe-mode and --restricted set.
        *("CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE", "CLAUDE_CODE_RESTRICTED"),
        *("CLAUDE_CODE_MANAGED_SETTINGS_PATH", "CLAUDE_CODE_REMOTE_SETTINGS_PATH"),
    ),
    without_hooks=("CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE"),
    options=("--bare", "--safe-mode", "--restricted", "--settings", "--managed-settings", "--setting-sources"),
    switches=(("config", "{set,add,remove,rm}"), ("plugin{,s}", "{disable,uninstall,remove}"), ("import",)),
    extends=(("plugin{,s}", "{install,i}"), ("plugin{,s}", "marketplace", "add")),
)
