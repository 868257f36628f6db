"""The files that decide about the hooks of Kimi Code; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import HookPlace, Protects, ServerFiles, SettingsFile, Starts

_HOME = "KIMI_CODE_HOME"

# Nothing in a repository switches the person's hooks off, and it has no hooks of its own.
SETTINGS: tuple[SettingsFile, ...] = ()
VARIABLES: tuple[str, ...] = (_HOME,)
"""The variable that moves its directory."""

PROVED = "2.1.0"
"""The last version of the agent with which all was tried."""
PACKAGE = "@moonshot-ai/kimi-code"
"""Its package: the file package.json beside its program says the version."""

HOOKS = HookPlace(
    snippet="config.toml",
    home=".kimi-code",
    moved_by=_HOME,
    user="config.toml",
    project="",
    begins="# rulez for Kimi Code",
    ends="# rulez: end",
    strict=("event", "matcher", "command", "timeout"),
)

SERVERS = ServerFiles(user=("mcp.json",))

PROTECTS = Protects(
    files=("/**/.kimi-code/config.toml",),
    homes=("/**/.kimi-code",),
    moved_by=_HOME,
    names=("config.toml",),
    extensions=("/**/.kimi-code/plugins", "/**/.kimi-code/mcp.json"),
    credentials=("~/.kimi-code/credentials/*.json",),
)

STARTS = Starts(variables=VARIABLES)
