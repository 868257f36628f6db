"""The files that decide about the hooks of Devin CLI; what a repository says there, what agents must not change."""

from __future__ import annotations

from rulez_py.platforms.settings import CLAUDE_HOOKS, COMMAS, COMMENTS, MARK, HookPlace, Protects, SettingsFile, Starts

# By its documentation, hooks of a repository run beside the person's, and nothing there switches these off.
SETTINGS: tuple[SettingsFile, ...] = ()
VARIABLES: tuple[str, ...] = ()
"""The variable that moves its directory."""

PROVED = ""
"""Nothing was played on it: it needs its service, and no registry has it."""
PACKAGE = ""

HOOKS = HookPlace(
    snippet="config.json",
    home=".config/devin",
    user="config.json",
    project=".devin/config.json",
    also_calls=CLAUDE_HOOKS,
    loses=(COMMENTS, COMMAS, MARK),
)

PROTECTS = Protects(
    files=(
        *("/**/.config/devin/config.json", "/**/.devin/config.json", "/**/.devin/config.local.json"),
        "/**/.devin/hooks.v1.json",
    ),
    homes=("/**/.config/devin",),
    names=("config.json", "hooks"),
)

STARTS = Starts()
