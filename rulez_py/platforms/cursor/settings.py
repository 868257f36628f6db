"""The files that decide about the hooks of Cursor; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import (
    CLAUDE_HOOKS,
    COMMAS,
    MARK,
    HookPlace,
    Protects,
    ServerFiles,
    SettingsFile,
    Starts,
)

# Nothing in a repository switches hooks off; those that stand in one run beside ours, and the strictest answer counts.
SETTINGS: tuple[SettingsFile, ...] = ()
VARIABLES: tuple[str, ...] = ()
"""The variable that moves its directory."""

PROVED = "1.0.32"
"""The last version with which all was tried: of its SDK, which has its hook runtime."""
PACKAGE = ""
"""The program is on no registry: its version is not told."""

HOOKS = HookPlace(
    snippet="hooks.json",
    home=".cursor",
    user="hooks.json",
    project=".cursor/hooks.json",
    managed=(
        ("linux", "/etc/cursor/hooks.json"),
        ("darwin", "/Library/Application Support/Cursor/hooks.json"),
    ),
    ours_alone=True,
    also_calls=CLAUDE_HOOKS,
    loses=(COMMAS, MARK),
)

SERVERS = ServerFiles(user=("mcp.json",), project=(".cursor/mcp.json",))

PROTECTS = Protects(
    files=("/**/.cursor/hooks.json", "/**/.cursor/cli-config.json", "/**/.cursor/cli.json"),
    directories=("/etc/cursor", "/Library/Application Support/Cursor"),
    homes=("/**/.cursor",),
    names=("hooks",),
    extensions=("/**/.cursor/mcp.json",),
)

STARTS = Starts()
