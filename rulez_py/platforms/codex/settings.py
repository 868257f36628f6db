"""The files that decide about the hooks of Codex CLI; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import (
    COMMAS,
    COMMENTS,
    MARK,
    TOML,
    FolderTrust,
    HookPlace,
    HookReview,
    Protects,
    ServerFiles,
    SettingsFile,
    Starts,
)

_AGENT = "Codex CLI"
_HOME = "CODEX_HOME"

SETTINGS: tuple[SettingsFile, ...] = (
    SettingsFile(
        agent=_AGENT,
        name=".codex/config.toml",
        form=TOML,
        off=(("features.hooks", False), ("features.codex_hooks", False)),
    ),
)
VARIABLES: tuple[str, ...] = (_HOME,)
"""The variable that moves its directory."""

PROVED = "0.169.0"
"""The last version of the agent with which all was tried."""
PACKAGE = "@openai/codex"
"""Its package: the file package.json beside its program says the version."""

HOOKS = HookPlace(
    snippet="hooks.json",
    home=".codex",
    moved_by=_HOME,
    user="hooks.json",
    project=".codex/hooks.json",
    managed=(("linux", "/etc/codex/hooks.json"), ("darwin", "/etc/codex/hooks.json")),
    keeps_on=(("/etc/codex/requirements.toml", "features.hooks", True),),
    # Its own word, among what requirements.toml may hold; not tried.
    only_managed=(("/etc/codex/requirements.toml", "allow_managed_hooks_only"),),
    trusts=FolderTrust(file="config.toml", above=("projects",), below=("trust_level",), word="trusted"),
    reviews=HookReview(file="config.toml", above=("hooks", "state"), word="trusted_hash", server=("app-server",)),
    also_user=("config.toml",),
    also_project=(".codex/config.toml",),
    loses=(COMMENTS, COMMAS, MARK),
    afterwards="Review the hooks: `codex` asks at its next start, or type /hooks there. Until then it skips them.",
)

SERVERS = ServerFiles(user=("config.toml",), project=(".codex/config.toml",), key="mcp_servers", form=TOML)

PROTECTS = Protects(
    files=("/**/.codex/hooks.json", "/**/.codex/config.toml", "/**/.codex/*.toml"),
    directories=("/etc/codex",),
    homes=("/**/.codex",),
    moved_by=_HOME,
    names=("hooks",),
    extensions=("/**/.codex/plugins",),
    credentials=("~/.codex/auth.json",),
)

STARTS = Starts(
    variables=(_HOME,),
    # A profile is another of its settings files. What else of `-c` and `--disable` matters has rules of its own.
    options=("--ignore-user-config", "--profile", "-p"),
    extends=(("plugin", "add"), ("plugin", "marketplace", "add")),
)
