"""The files that decide about the hooks of Windsurf; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import COMMAS, COMMENTS, MARK, HookPlace, Protects, SettingsFile, Starts

# By its documentation, hooks of a repository run beside the person's, and nothing there switches these off.
SETTINGS: tuple[SettingsFile, ...] = ()
VARIABLES: tuple[str, ...] = ()
"""The variable that moves its directory."""

PROVED = ""
"""Nothing was played on it: it needs its service, and no registry has it."""
PACKAGE = ""

HOOKS = HookPlace(
    snippet="hooks.json",
    home=".codeium/windsurf",
    user="hooks.json",
    project=".windsurf/hooks.json",
    managed=(
        ("linux", "/etc/windsurf/hooks.json"),
        ("darwin", "/Library/Application Support/Windsurf/hooks.json"),
    ),
    ours_alone=True,
    loses=(COMMENTS, COMMAS, MARK),
)

PROTECTS = Protects(
    files=("/**/.codeium/windsurf/hooks.json", "/**/.codeium/hooks.json", "/**/.windsurf/hooks.json"),
    directories=("/etc/windsurf", "/Library/Application Support/Windsurf"),
    homes=("/**/.codeium/windsurf",),
    names=("hooks",),
    extensions=("/**/.codeium/windsurf/mcp_config.json",),
)

STARTS = Starts()
