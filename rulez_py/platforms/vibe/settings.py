"""The files that decide about the hooks of Vibe; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import TOML, FolderTrust, HookPlace, Protects, ServerFiles, SettingsFile, Starts

_HOME = "VIBE_HOME"

# Of hooks with one name Vibe keeps the first that it reads, and it reads the project's file before the person's.
SETTINGS: tuple[SettingsFile, ...] = (
    SettingsFile(
        agent="Mistral Vibe",
        name=".vibe/hooks.toml",
        form=TOML,
        withstood=False,
        takes=(("rulez", "pre_tool"), ("rulez-after-a-tool", "post_tool"), ("rulez-at-the-end", "post_agent")),
    ),
)
VARIABLES: tuple[str, ...] = (_HOME,)
"""The variable that moves its directory."""

PROVED = "3.0.2"
"""The last version of the agent with which all was tried."""
PACKAGE = ""
"""It comes as a package of Python: its own `--version` counts."""

HOOKS = HookPlace(
    snippet="hooks.toml",
    home=".vibe",
    moved_by=_HOME,
    user="hooks.toml",
    project=".vibe/hooks.toml",
    begins="# rulez for Mistral Vibe",
    ends="# rulez: end",
    trusts=FolderTrust(file="trusted_folders.toml", lists=("trusted", "untrusted"), word=True),
)

SERVERS = ServerFiles(user=("config.toml",), project=(".vibe/config.toml",), key="mcp_servers", form=TOML, split=True)

PROTECTS = Protects(
    files=(
        *("/**/.vibe/hooks.toml", "/**/.vibe/config.toml", "/**/.vibe/trusted_folders.toml"),
        "/**/.vibe/managed_config_cache.json",
    ),
    homes=("/**/.vibe",),
    moved_by=_HOME,
    names=("hooks", "trusted_folders"),
    extensions=("/**/.vibe/plugins", "/**/.vibe/tools"),
    credentials=("~/.vibe/.env",),
)

STARTS = Starts(
    variables=(_HOME, "VIBE_APP_SERVER_BIN", "VIBE_APP_SERVER_CMD"),
    options=("--trust", "--add-dir"),
    extends=(("mcp", "add"),),
)
