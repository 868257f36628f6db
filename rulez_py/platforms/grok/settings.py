"""The files that decide about the hooks of Grok Build; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import (
    CLAUDE_HOOKS,
    COMMAS,
    COMMENTS,
    MARK,
    TOML,
    FolderTrust,
    HookPlace,
    HookSwitches,
    Protects,
    ServerFiles,
    SettingsFile,
    Starts,
)

_HOME = "GROK_HOME"

# Nothing in a repository switches the person's hooks off.
SETTINGS: tuple[SettingsFile, ...] = ()
VARIABLES: tuple[str, ...] = (_HOME,)
"""The variable that moves its directory."""

PROVED = "1.0.41"
"""The last version of the agent with which all was tried."""
PACKAGE = ""
"""Its program is unpacked away from its package and brings itself up to date there: its own `--version` counts."""

_POLICIES = (
    *("/etc/grok/requirements.toml", "/etc/grok/managed_config.toml"),
    *("requirements.toml", "managed_config.toml"),
)
_ONLY = ("allow_managed_hooks_only", "allowManagedHooksOnly")

HOOKS = HookPlace(
    snippet="rulez.json",
    home=".grok",
    moved_by=_HOME,
    user="hooks/rulez.json",
    project=".grok/hooks/rulez.json",
    only_managed=tuple((file, key) for file in _POLICIES for key in _ONLY),
    trusts=FolderTrust(
        file="trusted_folders.toml",
        above=("folders",),
        below=("trusted",),
        word=True,
        variable="GROK_FOLDER_TRUST",
        variable_words=("0", "false"),
        unless=("config.toml", "folder_trust.enabled"),
    ),
    switches=HookSwitches(
        file="disabled-hooks",
        name="{scope}/{file}:{event}[{group}].hooks[{entry}]",
        user="global",
        project="project",
    ),
    ours_alone=True,
    also_user=("hooks/*.json", "config.toml"),
    also_project=(".grok/hooks/*.json",),
    also_calls=CLAUDE_HOOKS.replace(
        unless_variable=("GROK_CLAUDE_HOOKS_ENABLED", "0"),
        unless=("config.toml", "compat.claude.hooks"),
    ),
    loses=(COMMENTS, COMMAS, MARK),
)

SERVERS = ServerFiles(user=("config.toml",), project=(".grok/config.toml",), key="mcp_servers", form=TOML)

PROTECTS = Protects(
    files=tuple(
        f"/**/.grok/{name}"
        for name in (
            *("config.toml", "managed_config.toml", "requirements.toml", "trusted_folders.toml", "sandbox.toml"),
            *("disabled-hooks", "hooks-paths"),
        )
    ),
    directories=("/**/.grok/hooks", "/etc/grok"),
    homes=("/**/.grok",),
    moved_by=_HOME,
    names=("hooks", "disabled-hooks", "config.toml"),
    extensions=("/**/.grok/plugins",),
    credentials=("~/.grok/auth.json",),
)

STARTS = Starts(
    variables=(_HOME, "GROK_CONFIG", "GROK_CONFIG_PATH", "GROK_FOLDER_TRUST"),
    options=("--always-approve",),
    extends=(("plugin", "{install,add}"), ("plugin", "marketplace", "add"), ("mcp", "add")),
)
