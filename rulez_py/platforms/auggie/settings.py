"""The files that decide about the hooks of Auggie; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import HookPlace, Protects, SettingsFile, Starts

# By its code, hooks of a repository run beside the person's, and nothing there switches these off.
SETTINGS: tuple[SettingsFile, ...] = ()
VARIABLES: tuple[str, ...] = ()
"""The variable that moves its directory."""

PROVED = ""
"""Nothing was played on it: it needs its service."""
PACKAGE = "@augmentcode/auggie"

HOOKS = HookPlace(
    snippet="settings.json",
    home=".augment",
    user="settings.json",
    project=".augment/settings.json",
    managed=(("linux", "/etc/augment/settings.json"), ("darwin", "/etc/augment/settings.json")),
    also_project=(".augment/settings.local.json",),
)

PROTECTS = Protects(
    files=("/**/.augment/settings.json", "/**/.augment/settings.local.json"),
    directories=("/etc/augment",),
    homes=("/**/.augment",),
    names=("settings",),
    extensions=("/**/.augment/plugins",),
    credentials=("~/.augment/session.json",),
)

STARTS = Starts(
    options=("--plugin-dir",),
    extends=(("plugin", "install"), ("plugin", "marketplace", "{add,update}"), ("mcp", "{add,add-json}")),
)
